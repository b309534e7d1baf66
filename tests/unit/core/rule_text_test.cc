#include "core/rule_text.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/pod.h"
#include "tests/unit/core/case_table.h"

namespace gangpack {
namespace {

std::string RequirementsText(const std::string& requirements) {
  std::string text;
  AppendRequirements(ParseRequirements(requirements), &text);
  return text;
}

std::string NodeRulesText(const PodSpec& spec) {
  std::string text;
  AppendNodeRules(spec, &text);
  return text;
}

std::string TolerationsText(const std::vector<Toleration>& tolerations) {
  std::string text;
  AppendTolerations(tolerations, &text);
  return text;
}

TEST(RuleTextTest, PartsInARowCannotBeReadInTwoWays) {
  std::string one;
  AppendCounted("a", &one);
  AppendCounted("bc", &one);
  std::string other;
  AppendCounted("ab", &other);
  AppendCounted("c", &other);
  EXPECT_EQ(one, "1:a2:bc");
  EXPECT_NE(one, other);
}

TEST(RuleTextTest, RequirementsDifferInKeyOperatorValuesAndNumber) {
  EXPECT_EQ(RequirementsText("k In a b"), RequirementsText("k In a b"));
  const std::set<std::string> texts = {
      RequirementsText(""),         RequirementsText("k In a b"),
      RequirementsText("l In a b"), RequirementsText("k NotIn a b"),
      RequirementsText("k In a"),   RequirementsText("k In a;b In a"),
      RequirementsText("k In ab")};
  EXPECT_EQ(texts.size(), 7u);
}

TEST(RuleTextTest, NodeRulesTellTheSelectorFromAnAffinityWithoutTermsAndFromNone) {
  PodSpec none;
  PodSpec selector;
  selector.node_selector = ParseLabels("a=b");
  PodSpec no_terms;
  no_terms.required_node_affinity.emplace();
  PodSpec expressions;
  expressions.required_node_affinity = {{ParseRequirements("a In b"), {}}};
  PodSpec fields;
  fields.required_node_affinity = {{{}, ParseRequirements("a In b")}};
  PodSpec two_terms;
  two_terms.required_node_affinity = {{ParseRequirements("a In b"), {}}, {{}, {}}};
  const std::set<std::string> texts = {NodeRulesText(none),     NodeRulesText(selector),
                                       NodeRulesText(no_terms), NodeRulesText(expressions),
                                       NodeRulesText(fields),   NodeRulesText(two_terms)};
  EXPECT_EQ(texts.size(), 6u);
}

TEST(RuleTextTest, TolerationsDifferInEachField) {
  const Toleration plain{"k", TolerationOperator::kEqual, "v", std::nullopt};
  Toleration other_key = plain;
  other_key.key = "l";
  Toleration exists = plain;
  exists.op = TolerationOperator::kExists;
  Toleration other_value = plain;
  other_value.value = "w";
  Toleration one_effect = plain;
  one_effect.effect = TaintEffect::kNoSchedule;
  const std::set<std::string> texts = {TolerationsText({}),
                                       TolerationsText({plain}),
                                       TolerationsText({other_key}),
                                       TolerationsText({exists}),
                                       TolerationsText({other_value}),
                                       TolerationsText({one_effect}),
                                       TolerationsText({plain, plain})};
  EXPECT_EQ(texts.size(), 7u);
}

}  // namespace
}  // namespace gangpack
