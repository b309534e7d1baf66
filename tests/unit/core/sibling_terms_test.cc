#include "core/sibling_terms.h"

#include <gtest/gtest.h>

#include <string>

#include "core/pod.h"
#include "core/selector.h"
#include "tests/unit/core/affinity_term_cases.h"
#include "tests/unit/core/case_table.h"

namespace gangpack {
namespace {

PodAffinityTerm TermWithSelector(const std::string& requirements) {
  PodAffinityTerm term;
  term.selector = LabelSelector{ParseRequirements(requirements)};
  term.topology_key = "rack";
  return term;
}

TEST(TermSelectsTest, TheSelectorDecidesInTheOwnersNamespace) {
  const PodAffinityTerm term = TermWithSelector("role In leader");
  EXPECT_TRUE(TermSelects(term, LabelledPod("x", ""), LabelledPod("x", "role=leader"), {}));
  EXPECT_FALSE(TermSelects(term, LabelledPod("x", ""), LabelledPod("x", "role=worker"), {}));
}

TEST(TermSelectsTest, AnAbsentSelectorSelectsNoPodAndAnEmptyOneEveryPod) {
  const Pod owner = LabelledPod("x", "");
  const Pod other = LabelledPod("x", "a=1");
  EXPECT_TRUE(TermSelects(TermWithSelector(""), owner, other, {}));
  EXPECT_FALSE(TermSelects(PodAffinityTerm{}, owner, other, {}));
}

TEST(TermSelectsTest, WithoutNamespacesOnlyTheOwnersOwnCounts) {
  const PodAffinityTerm term = TermWithSelector("");
  EXPECT_TRUE(TermSelects(term, LabelledPod("x", ""), LabelledPod("x", ""), {}));
  EXPECT_FALSE(TermSelects(term, LabelledPod("x", ""), LabelledPod("y", ""), {}));
}

TEST(TermSelectsTest, ListedNamespacesReplaceTheOwnersOwn) {
  PodAffinityTerm term = TermWithSelector("");
  term.namespaces = {"y", "z"};
  EXPECT_TRUE(TermSelects(term, LabelledPod("x", ""), LabelledPod("z", ""), {}));
  EXPECT_FALSE(TermSelects(term, LabelledPod("x", ""), LabelledPod("x", ""), {}));
}

TEST(TermSelectsTest, ANamespaceSelectorSelectsByTheNamespacesLabels) {
  PodAffinityTerm term = TermWithSelector("");
  term.namespace_selector = LabelSelector{ParseRequirements("team In a")};
  EXPECT_TRUE(TermSelects(term, LabelledPod("x", ""), LabelledPod("y", ""), ParseLabels("team=a")));
  EXPECT_FALSE(
      TermSelects(term, LabelledPod("x", ""), LabelledPod("y", ""), ParseLabels("team=b")));
  EXPECT_FALSE(TermSelects(term, LabelledPod("x", ""), LabelledPod("x", ""), {}));
}

TEST(TermSelectsTest, AnEmptyNamespaceSelectorSelectsEveryNamespace) {
  PodAffinityTerm term = TermWithSelector("");
  term.namespace_selector = LabelSelector{};
  EXPECT_TRUE(TermSelects(term, LabelledPod("x", ""), LabelledPod("y", ""), {}));
}

TEST(TermSelectsTest, AListedNamespaceNeedNotMatchTheNamespaceSelector) {
  PodAffinityTerm term = TermWithSelector("");
  term.namespaces = {"y"};
  term.namespace_selector = LabelSelector{ParseRequirements("team In a")};
  EXPECT_TRUE(TermSelects(term, LabelledPod("x", ""), LabelledPod("y", ""), {}));
  EXPECT_TRUE(TermSelects(term, LabelledPod("x", ""), LabelledPod("z", ""), ParseLabels("team=a")));
  EXPECT_FALSE(
      TermSelects(term, LabelledPod("x", ""), LabelledPod("z", ""), ParseLabels("team=b")));
}

TEST(TermSelectsTest, MatchLabelKeysNeedTheOwnersValue) {
  PodAffinityTerm term = TermWithSelector("");
  term.match_label_keys = {"revision"};
  const Pod owner = LabelledPod("x", "revision=1");
  EXPECT_TRUE(TermSelects(term, owner, LabelledPod("x", "revision=1"), {}));
  EXPECT_FALSE(TermSelects(term, owner, LabelledPod("x", "revision=2"), {}));
  EXPECT_FALSE(TermSelects(term, owner, LabelledPod("x", ""), {}));
}

TEST(TermSelectsTest, MismatchLabelKeysNeedAnotherValueOrNone) {
  PodAffinityTerm term = TermWithSelector("");
  term.mismatch_label_keys = {"tenant"};
  const Pod owner = LabelledPod("x", "tenant=1");
  EXPECT_FALSE(TermSelects(term, owner, LabelledPod("x", "tenant=1"), {}));
  EXPECT_TRUE(TermSelects(term, owner, LabelledPod("x", "tenant=2"), {}));
  EXPECT_TRUE(TermSelects(term, owner, LabelledPod("x", ""), {}));
}

TEST(TermSelectsTest, AKeyThatTheOwnerLacksIsIgnored) {
  PodAffinityTerm term = TermWithSelector("");
  term.match_label_keys = {"revision"};
  term.mismatch_label_keys = {"tenant"};
  EXPECT_TRUE(TermSelects(term, LabelledPod("x", ""), LabelledPod("x", "revision=1,tenant=1"), {}));
}

TEST(TermSelectsTest, LabelKeysDoNotMakeAnAbsentSelectorSelect) {
  PodAffinityTerm term;
  term.match_label_keys = {"revision"};
  const Pod pod = LabelledPod("x", "revision=1");
  EXPECT_FALSE(TermSelects(term, pod, pod, {}));
}

TEST(TermSelectsTest, AMatchKeyMergedAtCreationKeepsTheValueOfThen) {
  PodAffinityTerm term = TermWithSelector("revision In 1");
  term.match_label_keys = {"revision"};
  const Pod relabelled = LabelledPod("x", "revision=2");
  EXPECT_TRUE(TermSelects(term, relabelled, LabelledPod("x", "revision=1"), {}));
  EXPECT_FALSE(TermSelects(term, relabelled, LabelledPod("x", "revision=2"), {}));
}

TEST(TermSelectsTest, AMismatchKeyMergedAtCreationKeepsTheValueOfThen) {
  PodAffinityTerm term = TermWithSelector("tenant Exists;tenant NotIn 1");
  term.mismatch_label_keys = {"tenant"};
  const Pod relabelled = LabelledPod("x", "tenant=2");
  EXPECT_FALSE(TermSelects(term, relabelled, LabelledPod("x", "tenant=1"), {}));
  EXPECT_TRUE(TermSelects(term, relabelled, LabelledPod("x", "tenant=2"), {}));
}

TEST(TermSelectsTest, TheTermOfAGangsWorkersSelectsTheirOwnLeaderOnly) {
  const PodAffinityTerm term = TermWithSelector(
      "ome.io/inferenceservice In qwen3;component In engine;ome.io/instance-index In 0;"
      "ome.io/runner In leader");
  const std::string gang = "ome.io/inferenceservice=qwen3,component=engine,ome.io/instance-index=";
  const Pod worker = LabelledPod("x", gang + "0,ome.io/runner=worker");
  EXPECT_TRUE(TermSelects(term, worker, LabelledPod("x", gang + "0,ome.io/runner=leader"), {}));
  EXPECT_FALSE(TermSelects(term, worker, LabelledPod("x", gang + "1,ome.io/runner=leader"), {}));
  EXPECT_FALSE(TermSelects(term, worker, worker, {}));
}

TEST(TermSelectsTest, EveryCaseOfTheTableIsAnsweredAsKubernetesAnswersIt) {
  for (const AffinityTermCase& c : ReadAffinityTermCases()) {
    EXPECT_EQ(TermSelects(c.term, c.owner, c.other, c.namespace_labels), c.selects) << c.line;
  }
}

}  // namespace
}  // namespace gangpack
