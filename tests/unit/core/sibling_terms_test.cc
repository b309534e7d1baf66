#include "core/sibling_terms.h"

#include <gtest/gtest.h>

#include <string>

#include "core/pod.h"
#include "core/selector.h"
#include "tests/unit/core/case_table.h"

namespace gangpack {
namespace {

Pod MakePod(const std::string& namespace_name, const std::string& labels) {
  Pod pod;
  pod.name = {namespace_name, "p"};
  pod.labels = ParseLabels(labels);
  return pod;
}

PodAffinityTerm TermWithSelector(const std::string& requirements) {
  PodAffinityTerm term;
  term.selector = LabelSelector{ParseRequirements(requirements)};
  term.topology_key = "rack";
  return term;
}

TEST(TermSelectsTest, TheSelectorDecidesInTheOwnersNamespace) {
  const PodAffinityTerm term = TermWithSelector("role In leader");
  EXPECT_TRUE(TermSelects(term, MakePod("x", ""), MakePod("x", "role=leader"), {}));
  EXPECT_FALSE(TermSelects(term, MakePod("x", ""), MakePod("x", "role=worker"), {}));
}

TEST(TermSelectsTest, AnAbsentSelectorSelectsNoPodAndAnEmptyOneEveryPod) {
  const Pod owner = MakePod("x", "");
  const Pod other = MakePod("x", "a=1");
  EXPECT_TRUE(TermSelects(TermWithSelector(""), owner, other, {}));
  EXPECT_FALSE(TermSelects(PodAffinityTerm{}, owner, other, {}));
}

TEST(TermSelectsTest, WithoutNamespacesOnlyTheOwnersOwnCounts) {
  const PodAffinityTerm term = TermWithSelector("");
  EXPECT_TRUE(TermSelects(term, MakePod("x", ""), MakePod("x", ""), {}));
  EXPECT_FALSE(TermSelects(term, MakePod("x", ""), MakePod("y", ""), {}));
}

TEST(TermSelectsTest, ListedNamespacesReplaceTheOwnersOwn) {
  PodAffinityTerm term = TermWithSelector("");
  term.namespaces = {"y", "z"};
  EXPECT_TRUE(TermSelects(term, MakePod("x", ""), MakePod("z", ""), {}));
  EXPECT_FALSE(TermSelects(term, MakePod("x", ""), MakePod("x", ""), {}));
}

TEST(TermSelectsTest, ANamespaceSelectorSelectsByTheNamespacesLabels) {
  PodAffinityTerm term = TermWithSelector("");
  term.namespace_selector = LabelSelector{ParseRequirements("team In a")};
  EXPECT_TRUE(TermSelects(term, MakePod("x", ""), MakePod("y", ""), ParseLabels("team=a")));
  EXPECT_FALSE(TermSelects(term, MakePod("x", ""), MakePod("y", ""), ParseLabels("team=b")));
  EXPECT_FALSE(TermSelects(term, MakePod("x", ""), MakePod("x", ""), {}));
}

TEST(TermSelectsTest, AnEmptyNamespaceSelectorSelectsEveryNamespace) {
  PodAffinityTerm term = TermWithSelector("");
  term.namespace_selector = LabelSelector{};
  EXPECT_TRUE(TermSelects(term, MakePod("x", ""), MakePod("y", ""), {}));
}

TEST(TermSelectsTest, AListedNamespaceNeedNotMatchTheNamespaceSelector) {
  PodAffinityTerm term = TermWithSelector("");
  term.namespaces = {"y"};
  term.namespace_selector = LabelSelector{ParseRequirements("team In a")};
  EXPECT_TRUE(TermSelects(term, MakePod("x", ""), MakePod("y", ""), {}));
  EXPECT_TRUE(TermSelects(term, MakePod("x", ""), MakePod("z", ""), ParseLabels("team=a")));
  EXPECT_FALSE(TermSelects(term, MakePod("x", ""), MakePod("z", ""), ParseLabels("team=b")));
}

TEST(TermSelectsTest, MatchLabelKeysNeedTheOwnersValue) {
  PodAffinityTerm term = TermWithSelector("");
  term.match_label_keys = {"revision"};
  const Pod owner = MakePod("x", "revision=1");
  EXPECT_TRUE(TermSelects(term, owner, MakePod("x", "revision=1"), {}));
  EXPECT_FALSE(TermSelects(term, owner, MakePod("x", "revision=2"), {}));
  EXPECT_FALSE(TermSelects(term, owner, MakePod("x", ""), {}));
}

TEST(TermSelectsTest, MismatchLabelKeysNeedAnotherValueOrNone) {
  PodAffinityTerm term = TermWithSelector("");
  term.mismatch_label_keys = {"tenant"};
  const Pod owner = MakePod("x", "tenant=1");
  EXPECT_FALSE(TermSelects(term, owner, MakePod("x", "tenant=1"), {}));
  EXPECT_TRUE(TermSelects(term, owner, MakePod("x", "tenant=2"), {}));
  EXPECT_TRUE(TermSelects(term, owner, MakePod("x", ""), {}));
}

TEST(TermSelectsTest, AKeyThatTheOwnerLacksIsIgnored) {
  PodAffinityTerm term = TermWithSelector("");
  term.match_label_keys = {"revision"};
  term.mismatch_label_keys = {"tenant"};
  EXPECT_TRUE(TermSelects(term, MakePod("x", ""), MakePod("x", "revision=1,tenant=1"), {}));
}

TEST(TermSelectsTest, LabelKeysDoNotMakeAnAbsentSelectorSelect) {
  PodAffinityTerm term;
  term.match_label_keys = {"revision"};
  const Pod pod = MakePod("x", "revision=1");
  EXPECT_FALSE(TermSelects(term, pod, pod, {}));
}

TEST(TermSelectsTest, AMatchKeyMergedAtCreationKeepsTheValueOfThen) {
  PodAffinityTerm term = TermWithSelector("revision In 1");
  term.match_label_keys = {"revision"};
  const Pod relabelled = MakePod("x", "revision=2");
  EXPECT_TRUE(TermSelects(term, relabelled, MakePod("x", "revision=1"), {}));
  EXPECT_FALSE(TermSelects(term, relabelled, MakePod("x", "revision=2"), {}));
}

TEST(TermSelectsTest, AMismatchKeyMergedAtCreationKeepsTheValueOfThen) {
  PodAffinityTerm term = TermWithSelector("tenant Exists;tenant NotIn 1");
  term.mismatch_label_keys = {"tenant"};
  const Pod relabelled = MakePod("x", "tenant=2");
  EXPECT_FALSE(TermSelects(term, relabelled, MakePod("x", "tenant=1"), {}));
  EXPECT_TRUE(TermSelects(term, relabelled, MakePod("x", "tenant=2"), {}));
}

TEST(TermSelectsTest, TheTermOfAGangsWorkersSelectsTheirOwnLeaderOnly) {
  const PodAffinityTerm term = TermWithSelector(
      "ome.io/inferenceservice In qwen3;component In engine;ome.io/instance-index In 0;"
      "ome.io/runner In leader");
  const std::string gang = "ome.io/inferenceservice=qwen3,component=engine,ome.io/instance-index=";
  const Pod worker = MakePod("x", gang + "0,ome.io/runner=worker");
  EXPECT_TRUE(TermSelects(term, worker, MakePod("x", gang + "0,ome.io/runner=leader"), {}));
  EXPECT_FALSE(TermSelects(term, worker, MakePod("x", gang + "1,ome.io/runner=leader"), {}));
  EXPECT_FALSE(TermSelects(term, worker, worker, {}));
}

TEST(TermSelectsTest, EveryCaseOfTheTableIsAnsweredAsKubernetesAnswersIt) {
  for (const TableCase& c : ReadCases("affinity_terms.txt", 11)) {
    PodAffinityTerm term;
    if (c.fields[5] != "-") term.selector = LabelSelector{ParseRequirements(c.fields[5])};
    term.namespaces = ParseList(c.fields[6], ',');
    if (c.fields[7] != "-") term.namespace_selector = LabelSelector{ParseRequirements(c.fields[7])};
    term.match_label_keys = ParseList(c.fields[8], ',');
    term.mismatch_label_keys = ParseList(c.fields[9], ',');
    const Pod owner = MakePod(c.fields[0], c.fields[1]);
    const Pod other = MakePod(c.fields[2], c.fields[3]);
    EXPECT_EQ(TermSelects(term, owner, other, ParseLabels(c.fields[4])), c.fields[10] == "1")
        << c.line;
  }
}

}  // namespace
}  // namespace gangpack
