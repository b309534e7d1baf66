#include "core/pod_selections.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/support/prng.h"

namespace gangpack {
namespace {

SelectionClause Clause(const std::string& namespace_name,
                       std::vector<SelectorRequirement> requirements) {
  SelectionClause clause;
  clause.namespaces = {namespace_name};
  clause.requirements = std::move(requirements);
  return clause;
}

TEST(PodSelectionsTest, EqualClassesAndSelectionsShareTheirNumbersUntilTheLastIsReleased) {
  PodSelections selections;
  const PodClassIndex a = selections.AcquireClass("n", {{"app", "1"}});
  EXPECT_EQ(selections.AcquireClass("n", {{"app", "1"}}), a);
  EXPECT_NE(selections.AcquireClass("m", {{"app", "1"}}), a);
  EXPECT_NE(selections.AcquireClass("n", {{"app", "2"}}), a);
  const auto clause = Clause("n", {{"app", SelectorOperator::kIn, {"1"}}});
  const SelectionIndex s = selections.Acquire({clause});
  EXPECT_EQ(selections.Acquire({clause}), s);
  EXPECT_EQ(selections.SelectionsOf(a), (std::vector<SelectionIndex>{s}));
  selections.Release(s);
  EXPECT_EQ(selections.SelectionsOf(a), (std::vector<SelectionIndex>{s}));
  selections.Release(s);
  EXPECT_TRUE(selections.SelectionsOf(a).empty());
}

TEST(PodSelectionsTest, LabelsAreForgottenWithTheLastClassAndSelection) {
  PodSelections selections;
  const PodClassIndex a = selections.AcquireClass("n", {{"app", "1"}, {"rev", "1"}});
  const SelectionIndex in =
      selections.Acquire({Clause("n", {{"b", SelectorOperator::kIn, {"1"}}})});
  const SelectionIndex has =
      selections.Acquire({Clause("n", {{"c", SelectorOperator::kExists, {}}})});
  EXPECT_EQ(selections.keys(), 4u);
  selections.ReleaseClass(a);
  EXPECT_EQ(selections.keys(), 2u);
  selections.Release(in);
  selections.Release(has);
  EXPECT_EQ(selections.keys(), 0u);
}

TEST(PodSelectionsTest, ANumberThatIsUsedAgainHasAnotherVersion) {
  PodSelections selections;
  const PodClassIndex a = selections.AcquireClass("n", {{"app", "1"}});
  const int64_t version = selections.ClassVersion(a);
  selections.ReleaseClass(a);
  ASSERT_EQ(selections.AcquireClass("n", {{"app", "2"}}), a);
  EXPECT_NE(selections.ClassVersion(a), version);
}

TEST(PodSelectionsTest, ANamespaceThatChangesTouchesOnlyWhatDependsOnItsLabels) {
  PodSelections selections;
  selections.AcquireClass("n", {{"app", "1"}});
  for (int i = 0; i < 50; ++i) {
    selections.Acquire({Clause("n", {{"app", SelectorOperator::kNotIn, {absl::StrCat(i)}}})});
  }
  const int64_t before = selections.comparisons();
  EXPECT_TRUE(selections.SetNamespace("n", {{"team", "a"}}).empty());
  EXPECT_EQ(selections.comparisons(), before);
  SelectionClause clause;
  clause.namespace_selector = LabelSelector{{{"team", SelectorOperator::kIn, {"b"}}}};
  const SelectionIndex s = selections.Acquire({clause});
  const int64_t acquired = selections.comparisons();
  const auto changes = selections.SetNamespace("n", {{"team", "b"}});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].selection, s);
  EXPECT_TRUE(changes[0].selects);
  EXPECT_EQ(selections.comparisons(), acquired + 1);
}

// The index against a comparison of everything with everything, while all comes and goes.
class RandomSelections {
 public:
  explicit RandomSelections(uint64_t seed) : prng_(seed) {}

  void Step() {
    switch (prng_.Between(0, 8)) {
      case 0:
        ReleaseOne(&classes_, [&](PodClassIndex c) { index_.ReleaseClass(c); });
        break;
      case 1:
        ReleaseOne(&selections_, [&](SelectionIndex s) { index_.Release(s); });
        break;
      case 2: {
        const std::string name = absl::StrCat("n", prng_.Between(0, 2));
        namespaces_[name] = prng_.Chance(30) ? Labels() : Labels{{"team", Value()}};
        index_.SetNamespace(name, namespaces_[name]);
        break;
      }
      case 3:
      case 4:
      case 5: {
        Labels labels;
        if (prng_.Chance(80)) labels["app"] = Value();
        if (prng_.Chance(50)) labels["rev"] = Value();
        const std::string name = absl::StrCat("n", prng_.Between(0, 2));
        classes_.emplace_back(index_.AcquireClass(name, labels), std::make_pair(name, labels));
        break;
      }
      default: {
        std::vector<SelectionClause> clauses = {RandomClause()};
        if (prng_.Chance(30)) clauses.push_back(RandomClause());
        selections_.emplace_back(index_.Acquire(clauses), clauses);
        break;
      }
    }
  }

  bool Agrees() {
    for (const auto& [pod_class, what] : classes_) {
      for (const auto& [selection, clauses] : selections_) {
        const bool expected =
            SelectsAll(clauses, {what.first, namespaces_[what.first], what.second});
        const std::vector<SelectionIndex>& of_class = index_.SelectionsOf(pod_class);
        const auto listed = std::count(of_class.begin(), of_class.end(), selection);
        if (index_.Selects(selection, pod_class) != expected) return false;
        if (listed != (expected ? 1 : 0)) return false;
      }
    }
    return true;
  }

 private:
  std::string Value() { return absl::StrCat(prng_.Between(1, 3)); }

  SelectionClause RandomClause() {
    SelectionClause clause;
    if (prng_.Chance(5)) {
      clause.selects_nothing = true;
      return clause;
    }
    const int kind = prng_.Between(0, 3);
    if (kind == 0) clause.any_namespace = true;
    if (kind == 1) clause.namespace_selector = LabelSelector{{RandomRequirement("team")}};
    if (kind >= 1) clause.namespaces.push_back(absl::StrCat("n", prng_.Between(0, 1)));
    if (kind == 3) clause.namespaces.push_back("n2");
    if (prng_.Chance(90)) clause.requirements.push_back(RandomRequirement("app"));
    if (prng_.Chance(40)) clause.requirements.push_back(RandomRequirement("rev"));
    return clause;
  }

  SelectorRequirement RandomRequirement(const std::string& key) {
    switch (prng_.Between(0, 5)) {
      case 0:
        return {key, SelectorOperator::kNotIn, {Value()}};
      case 1:
        return {key, SelectorOperator::kExists, {}};
      case 2:
        return {key, SelectorOperator::kDoesNotExist, {}};
      case 3:
        return {key, SelectorOperator::kIn, {"1", "3"}};
      default:
        return {key, SelectorOperator::kIn, {Value()}};
    }
  }

  template <typename Items, typename Release>
  void ReleaseOne(Items* items, const Release& release) {
    if (items->empty()) return;
    const size_t at = static_cast<size_t>(prng_.Between(0, static_cast<int>(items->size()) - 1));
    release((*items)[at].first);
    items->erase(items->begin() + static_cast<int64_t>(at));
  }

  Prng prng_;
  PodSelections index_;
  std::map<std::string, Labels> namespaces_;
  std::vector<std::pair<PodClassIndex, std::pair<std::string, Labels>>> classes_;
  std::vector<std::pair<SelectionIndex, std::vector<SelectionClause>>> selections_;
};

TEST(PodSelectionsTest, SelectsWhatAComparisonOfAllWithAllSelects) {
  for (uint64_t seed = 1; seed <= 2'000; ++seed) {
    RandomSelections random(seed);
    for (int step = 0; step < 40; ++step) {
      random.Step();
      ASSERT_TRUE(random.Agrees()) << "seed " << seed << " step " << step;
    }
  }
}

}  // namespace
}  // namespace gangpack
