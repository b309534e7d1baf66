#include "core/selection_clause.h"

#include <gtest/gtest.h>

#include <string>

#include "core/pod.h"
#include "tests/unit/core/case_table.h"

namespace gangpack {
namespace {

Pod MakePod(const std::string& namespace_name, const std::string& labels) {
  Pod pod;
  pod.name = {namespace_name, "p"};
  pod.labels = ParseLabels(labels);
  return pod;
}

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
  for (const TableCase& c : ReadCases("affinity_terms.txt", 11)) {
    PodAffinityTerm term;
    if (c.fields[5] != "-") term.selector = LabelSelector{ParseRequirements(c.fields[5])};
    term.namespaces = ParseList(c.fields[6], ',');
    if (c.fields[7] != "-") term.namespace_selector = LabelSelector{ParseRequirements(c.fields[7])};
    term.match_label_keys = ParseList(c.fields[8], ',');
    term.mismatch_label_keys = ParseList(c.fields[9], ',');
    const Pod owner = MakePod(c.fields[0], c.fields[1]);
    const Pod other = MakePod(c.fields[2], c.fields[3]);
    const Labels namespace_labels = ParseLabels(c.fields[4]);
    EXPECT_EQ(
        Selects(ClauseOf(term, owner), {other.name.namespace_name, namespace_labels, other.labels}),
        c.fields[10] == "1")
        << c.line;
  }
}

TEST(SelectionClauseTest, TermsThatSayTheSameInAnotherOrderAreEqual) {
  const Pod owner = MakePod("x", "");
  EXPECT_EQ(TextOf(Term("a In 1 2;b Exists"), owner), TextOf(Term("b Exists;a In 2 1 1"), owner));
  PodAffinityTerm listed = Term("a In 1");
  listed.namespaces = {"x"};
  EXPECT_EQ(TextOf(Term("a In 1"), owner), TextOf(listed, owner));
}

TEST(SelectionClauseTest, TermsThatSayOtherThingsDiffer) {
  const Pod owner = MakePod("x", "rev=1");
  const std::string text = TextOf(Term("a In 1"), owner);
  EXPECT_NE(text, TextOf(Term("a NotIn 1"), owner));
  EXPECT_NE(text, TextOf(Term("a In 2"), owner));
  EXPECT_NE(text, TextOf(Term("b In 1"), owner));
  EXPECT_NE(text, TextOf(Term("a In 1"), MakePod("y", "")));
  EXPECT_NE(text, TextOf(PodAffinityTerm(), owner));
  PodAffinityTerm keyed = Term("a In 1");
  keyed.match_label_keys = {"rev"};
  EXPECT_NE(text, TextOf(keyed, owner));
  EXPECT_NE(TextOf(keyed, owner), TextOf(keyed, MakePod("x", "rev=2")));
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
  const Pod owner = MakePod("x", "a=1");
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
