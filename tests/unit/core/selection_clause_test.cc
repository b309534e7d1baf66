#include "core/selection_clause.h"

#include <gtest/gtest.h>

#include <string>

#include "core/pod.h"
#include "tests/unit/core/affinity_term_cases.h"
#include "tests/unit/core/case_table.h"

namespace gangpack {
namespace {

PodAffinityTerm Term(const std::string& requirements) {
  PodAffinityTerm term;
  term.selector = LabelSelector{ParseRequirements(requirements)};
  return term;
}

std::string TextOf(const PodAffinityTerm& term, const Pod& owner) {
  std::string text;
  AppendText(ClauseOf(term, owner), &text);
  return text;
}

TEST(SelectionClauseTest, EveryCaseOfTheTableIsAnsweredAsKubernetesAnswersIt) {
  for (const AffinityTermCase& c : ReadAffinityTermCases()) {
    EXPECT_EQ(Selects(ClauseOf(c.term, c.owner),
                      {c.other.name.namespace_name, c.namespace_labels, c.other.labels}),
              c.selects)
        << c.line;
  }
}

TEST(SelectionClauseTest, TermsThatSayTheSameInAnotherOrderAreEqual) {
  const Pod owner = LabelledPod("x", "");
  EXPECT_EQ(TextOf(Term("a In 1 2;b Exists"), owner), TextOf(Term("b Exists;a In 2 1 1"), owner));
  PodAffinityTerm listed = Term("a In 1");
  listed.namespaces = {"x"};
  EXPECT_EQ(TextOf(Term("a In 1"), owner), TextOf(listed, owner));
}

TEST(SelectionClauseTest, TermsThatSayOtherThingsDiffer) {
  const Pod owner = LabelledPod("x", "rev=1");
  const std::string text = TextOf(Term("a In 1"), owner);
  EXPECT_NE(text, TextOf(Term("a NotIn 1"), owner));
  EXPECT_NE(text, TextOf(Term("a In 2"), owner));
  EXPECT_NE(text, TextOf(Term("b In 1"), owner));
  EXPECT_NE(text, TextOf(Term("a In 1"), LabelledPod("y", "")));
  EXPECT_NE(text, TextOf(PodAffinityTerm(), owner));
  PodAffinityTerm keyed = Term("a In 1");
  keyed.match_label_keys = {"rev"};
  EXPECT_NE(text, TextOf(keyed, owner));
  EXPECT_NE(TextOf(keyed, owner), TextOf(keyed, LabelledPod("x", "rev=2")));
  PodAffinityTerm everywhere = Term("a In 1");
  everywhere.namespace_selector = LabelSelector{};
  EXPECT_NE(text, TextOf(everywhere, owner));
}

TEST(SelectionClauseTest, NoClauseSelectsNothing) {
  const std::string name = "x";
  EXPECT_FALSE(SelectsAll({}, {name, {}, {}}));
}

TEST(SelectionClauseTest, ASpreadConstraintsEmptySelectorMatchesItsOwnerButCountsNone) {
  TopologySpreadConstraint constraint;
  const Pod owner = LabelledPod("x", "a=1");
  EXPECT_TRUE(ClauseOf(constraint, owner).selects_nothing);
  EXPECT_FALSE(SelfMatches(constraint, owner));
  constraint.selector = LabelSelector{};
  EXPECT_TRUE(ClauseOf(constraint, owner).selects_nothing);
  EXPECT_TRUE(SelfMatches(constraint, owner));
  constraint.match_label_keys = {"a"};
  EXPECT_FALSE(ClauseOf(constraint, owner).selects_nothing);
}

}  // namespace
}  // namespace gangpack
