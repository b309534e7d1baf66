#include "core/selector.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "core/predicates.h"
#include "tests/unit/core/case_table.h"

namespace gangpack {
namespace {

// Whether the requirement written as "key Operator values..." matches the labels "a=1,b=2".
bool RequirementMatches(const std::string& requirement, const std::string& labels) {
  return Matches(ParseRequirements(requirement).at(0), ParseLabels(labels));
}

NodeSelectorTerm Term(const std::string& expressions, const std::string& fields = "") {
  return NodeSelectorTerm{ParseRequirements(expressions), ParseRequirements(fields)};
}

TEST(SelectorRequirementTest, InNeedsTheKeyWithOneOfTheValues) {
  EXPECT_TRUE(RequirementMatches("k In a b", "k=b"));
  EXPECT_FALSE(RequirementMatches("k In a b", "k=c"));
  EXPECT_FALSE(RequirementMatches("k In a b", ""));
}

TEST(SelectorRequirementTest, InWithTheEmptyValueNeedsTheKeyToExist) {
  EXPECT_TRUE(RequirementMatches("k In \"\"", "k="));
  EXPECT_FALSE(RequirementMatches("k In \"\"", ""));
}

TEST(SelectorRequirementTest, NotInMatchesAnAbsentKey) {
  EXPECT_TRUE(RequirementMatches("k NotIn a b", ""));
  EXPECT_TRUE(RequirementMatches("k NotIn a b", "k=c"));
  EXPECT_FALSE(RequirementMatches("k NotIn a b", "k=a"));
}

TEST(SelectorRequirementTest, ExistsAndDoesNotExistLookAtTheKeyAlone) {
  EXPECT_TRUE(RequirementMatches("k Exists", "k="));
  EXPECT_FALSE(RequirementMatches("k Exists", "kk=1"));
  EXPECT_FALSE(RequirementMatches("k DoesNotExist", "k="));
  EXPECT_TRUE(RequirementMatches("k DoesNotExist", "kk=1"));
}

TEST(SelectorRequirementTest, GtAndLtAreStrict) {
  EXPECT_TRUE(RequirementMatches("k Gt 5", "k=6"));
  EXPECT_FALSE(RequirementMatches("k Gt 5", "k=5"));
  EXPECT_TRUE(RequirementMatches("k Lt 5", "k=4"));
  EXPECT_FALSE(RequirementMatches("k Lt 5", "k=5"));
}

TEST(SelectorRequirementTest, GtAndLtCompareNumbersNotText) {
  EXPECT_TRUE(RequirementMatches("k Gt 9", "k=10"));
  EXPECT_FALSE(RequirementMatches("k Lt 9", "k=10"));
  EXPECT_TRUE(RequirementMatches("k Gt 4", "k=005"));
}

TEST(SelectorRequirementTest, GtAndLtMatchNothingThatIsNo64BitInteger) {
  EXPECT_TRUE(RequirementMatches("k Gt 0", "k=9223372036854775807"));
  EXPECT_FALSE(RequirementMatches("k Gt 0", "k=9223372036854775808"));
  for (const std::string labels : {"", "k=", "k=1.5", "k=0x7", "k=7Gi", "k= 7"}) {
    EXPECT_FALSE(RequirementMatches("k Gt 0", labels)) << labels;
    EXPECT_FALSE(RequirementMatches("k Lt 9", labels)) << labels;
  }
  EXPECT_FALSE(RequirementMatches("k Gt x", "k=7"));
  EXPECT_FALSE(RequirementMatches("k Gt 1 2", "k=7"));
  EXPECT_FALSE(RequirementMatches("k Gt", "k=7"));
}

TEST(LabelSelectorTest, AnEmptySelectorMatchesEverything) {
  EXPECT_TRUE(Matches(LabelSelector{}, Labels{}));
  EXPECT_TRUE(Matches(LabelSelector{}, Labels{{"k", "v"}}));
}

TEST(LabelSelectorTest, EveryRequirementMustMatch) {
  const LabelSelector selector{ParseRequirements("a In 1;b Exists")};
  EXPECT_TRUE(Matches(selector, ParseLabels("a=1,b=2")));
  EXPECT_FALSE(Matches(selector, ParseLabels("a=1")));
  EXPECT_FALSE(Matches(selector, ParseLabels("b=2")));
}

TEST(NodeSelectorTest, AnAffinityWithoutTermsMatchesNoNode) {
  EXPECT_FALSE(MatchesAnyTerm({}, ParseLabels("a=1"), "n1"));
}

TEST(NodeSelectorTest, AnEmptyTermMatchesNoNodeAndDoesNotSpoilTheOthers) {
  EXPECT_FALSE(MatchesAnyTerm({Term("")}, ParseLabels("a=1"), "n1"));
  EXPECT_TRUE(MatchesAnyTerm({Term(""), Term("a In 1")}, ParseLabels("a=1"), "n1"));
}

TEST(NodeSelectorTest, OneMatchingTermIsEnough) {
  const std::vector<NodeSelectorTerm> terms = {Term("a In 1"), Term("b In 1")};
  EXPECT_TRUE(MatchesAnyTerm(terms, ParseLabels("b=1"), "n1"));
  EXPECT_FALSE(MatchesAnyTerm(terms, ParseLabels("c=1"), "n1"));
}

TEST(NodeSelectorTest, WithinATermEveryExpressionMustMatch) {
  const std::vector<NodeSelectorTerm> terms = {Term("a In 1;b In 1")};
  EXPECT_TRUE(MatchesAnyTerm(terms, ParseLabels("a=1,b=1"), "n1"));
  EXPECT_FALSE(MatchesAnyTerm(terms, ParseLabels("a=1"), "n1"));
}

TEST(NodeSelectorTest, MatchFieldsCompareTheNodesName) {
  EXPECT_TRUE(MatchesAnyTerm({Term("", "metadata.name In n1")}, {}, "n1"));
  EXPECT_FALSE(MatchesAnyTerm({Term("", "metadata.name In n1")}, {}, "n10"));
  EXPECT_FALSE(MatchesAnyTerm({Term("", "metadata.name NotIn n1")}, {}, "n1"));
  EXPECT_TRUE(MatchesAnyTerm({Term("", "metadata.name NotIn n1")}, {}, "n10"));
}

TEST(NodeSelectorTest, MatchFieldsAndExpressionsMustBothMatch) {
  const std::vector<NodeSelectorTerm> terms = {Term("a In 1", "metadata.name In n1")};
  EXPECT_TRUE(MatchesAnyTerm(terms, ParseLabels("a=1"), "n1"));
  EXPECT_FALSE(MatchesAnyTerm(terms, ParseLabels("a=1"), "n2"));
  EXPECT_FALSE(MatchesAnyTerm(terms, ParseLabels("a=2"), "n1"));
}

TEST(NodeSelectorTest, ATermThatKubeSchedulerCannotParseMatchesNoNode) {
  for (const std::string malformed : {"z NotIn", "z NotIn -x", "z NotIn a/b", "a Exists 1"}) {
    EXPECT_FALSE(MatchesAnyTerm({Term("a In 1;" + malformed)}, ParseLabels("a=1"), "n1"))
        << malformed;
  }
  EXPECT_TRUE(MatchesAnyTerm({Term("a In 1;z NotIn x")}, ParseLabels("a=1"), "n1"));
  EXPECT_FALSE(MatchesAnyTerm({Term("a Gt -5")}, ParseLabels("a=1"), "n1"));
  EXPECT_TRUE(MatchesAnyTerm({Term("a Gt 0")}, ParseLabels("a=1"), "n1"));
}

TEST(NodeSelectorTest, ALabelValueHasAtMost63Characters) {
  const std::string longest(63, 'v');
  EXPECT_TRUE(MatchesAnyTerm({Term("z NotIn " + longest)}, {}, "n1"));
  EXPECT_FALSE(MatchesAnyTerm({Term("z NotIn " + longest + "v")}, {}, "n1"));
}

TEST(NodeSelectorTest, EveryCaseOfTheTableIsAnsweredAsKubernetesAnswersIt) {
  for (const TableCase& c : ReadCases("node_affinity.txt", 5)) {
    Node node;
    node.labels = ParseLabels(c.fields[0]);
    node.name = c.fields[1];
    PodSpec pod;
    pod.node_selector = ParseLabels(c.fields[2]);
    if (c.fields[3] != "-") {
      pod.required_node_affinity.emplace();
      for (const std::string& text : ParseList(c.fields[3], '/')) {
        const std::pair<std::string, std::string> term = absl::StrSplit(text, '@');
        pod.required_node_affinity->push_back(Term(term.first, term.second));
      }
    }
    EXPECT_EQ(!CheckNodeAffinity(pod, node).has_value(), c.fields[4] == "1") << c.line;
  }
}

}  // namespace
}  // namespace gangpack
