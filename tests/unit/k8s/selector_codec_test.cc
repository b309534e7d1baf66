#include "k8s/selector_codec.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string Text(const SelectorRequirement& requirement) {
  std::string text = requirement.key + " " + std::to_string(static_cast<int>(requirement.op));
  for (const std::string& value : requirement.values) text += " " + value;
  return text;
}

std::vector<std::string> Texts(const std::vector<SelectorRequirement>& requirements) {
  std::vector<std::string> texts;
  for (const SelectorRequirement& requirement : requirements) texts.push_back(Text(requirement));
  return texts;
}

std::vector<std::string> SelectorFaults(const std::string& selector) {
  const Decoding decoding("s: " + selector);
  DecodeLabelSelector(decoding.root(), "s");
  return decoding.Faults();
}

std::vector<std::string> NodeFaults(const std::string& required) {
  const Decoding decoding("requiredDuringSchedulingIgnoredDuringExecution: " + required);
  DecodeRequiredNodeAffinity(decoding.root());
  return decoding.Faults();
}

TEST(LabelSelectorTest, MatchLabelsAndExpressionsBothCount) {
  const Decoding decoding(
      "s: {matchLabels: {b: x, a: ''}, matchExpressions: [{key: c, operator: In, values: [1y, z]},"
      " {key: d, operator: NotIn, values: [w]}, {key: e, operator: Exists},"
      " {key: f, operator: DoesNotExist, values: []}]}");
  EXPECT_THAT(Texts(DecodeLabelSelector(decoding.root(), "s")->requirements),
              ElementsAre("a 0 ", "b 0 x", "c 0 1y z", "d 1 w", "e 2", "f 3"));
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(LabelSelectorTest, AbsentAndEmptyDiffer) {
  const Decoding decoding("empty: {}\nnothing: null");
  EXPECT_TRUE(DecodeLabelSelector(decoding.root(), "empty")->requirements.empty());
  EXPECT_FALSE(DecodeLabelSelector(decoding.root(), "nothing").has_value());
  EXPECT_FALSE(DecodeLabelSelector(decoding.root(), "missing").has_value());
}

TEST(LabelSelectorTest, OperatorAndValuesMustAgree) {
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{key: a, operator: In, values: []}]}"),
              ElementsAre("f.yaml:1: s.matchExpressions[0].values: 0 values, expected at least one "
                          "with In and NotIn"));
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{key: a, operator: Exists, values: [x]}]}"),
              ElementsAre("f.yaml:1: s.matchExpressions[0].values: 1 values, expected none with "
                          "Exists and DoesNotExist"));
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{key: a, operator: Gt, values: ['1']}]}"),
              ElementsAre("f.yaml:1: s.matchExpressions[0].operator: `Gt`, expected In, NotIn, "
                          "Exists or DoesNotExist"));
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{key: a, operator: in, values: [x]}]}"),
              ElementsAre(StartsWith("f.yaml:1: s.matchExpressions[0].operator: `in`")));
}

TEST(LabelSelectorTest, AValueThatIsNoStringCountsAndIsOneFault) {
  const std::string requirement = "s.matchExpressions[0]";
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{key: a, operator: In, values: [5]}]}"),
              ElementsAre("f.yaml:1: " + requirement +
                          ".values[0]: a number, expected a string (in quotes)"));
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{key: a, operator: In, values: x}]}"),
              ElementsAre("f.yaml:1: " + requirement + ".values: a string, expected a list"));
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{key: a, operator: 5}]}"),
              ElementsAre("f.yaml:1: " + requirement +
                          ".operator: a number, expected a string (in quotes)"));
}

TEST(LabelSelectorTest, KeysAndValuesMustBeWellFormed) {
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{operator: Exists}]}"),
              ElementsAre(StartsWith("f.yaml:1: s.matchExpressions[0].key: ``, expected a name")));
  EXPECT_THAT(SelectorFaults("{matchExpressions: [{key: a, operator: In, values: [x, a b]}]}"),
              ElementsAre(StartsWith("f.yaml:1: s.matchExpressions[0].values: `a b`, expected ")));
  EXPECT_THAT(SelectorFaults("{matchLabels: {a: [x]}}"),
              ElementsAre("f.yaml:1: s.matchLabels.a: a list, expected a string"));
}

TEST(NodeAffinityTest, TermsAreReadWithAllOperators) {
  const Decoding decoding(R"(
requiredDuringSchedulingIgnoredDuringExecution:
  nodeSelectorTerms:
  - matchExpressions:
    - {key: a, operator: Gt, values: ["5"]}
    - {key: b, operator: Lt, values: ["-5"]}
    matchFields:
    - {key: metadata.name, operator: NotIn, values: [n1]}
  - {}
preferredDuringSchedulingIgnoredDuringExecution: not read
)");
  const auto terms = DecodeRequiredNodeAffinity(decoding.root());
  ASSERT_EQ(terms->size(), 2u);
  EXPECT_THAT(Texts((*terms)[0].match_expressions), ElementsAre("a 4 5", "b 5 -5"));
  EXPECT_THAT(Texts((*terms)[0].match_fields), ElementsAre("metadata.name 1 n1"));
  EXPECT_THAT(Texts((*terms)[1].match_expressions), IsEmpty());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(NodeAffinityTest, AbsentIsNoRuleAndNoTermIsAFault) {
  const Decoding decoding("{}");
  EXPECT_FALSE(DecodeRequiredNodeAffinity(decoding.root()).has_value());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  EXPECT_THAT(NodeFaults("{nodeSelectorTerms: []}"),
              ElementsAre("f.yaml:1: requiredDuringSchedulingIgnoredDuringExecution."
                          "nodeSelectorTerms: no term, expected at least one"));
}

TEST(NodeAffinityTest, GtAndLtNeedOneValueWhichTheServerDoesNotCheck) {
  const auto faults = [](const std::string& values) {
    return NodeFaults("{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Gt, values: " +
                      values + "}]}]}");
  };
  for (const char* values : {"['9223372036854775807']", "['9223372036854775808']", "[x]", "['']"}) {
    EXPECT_THAT(faults(values), IsEmpty()) << values;
  }
  for (const char* values : {"[]", "['1', '2']", "[5]"}) {
    EXPECT_FALSE(faults(values).empty()) << values;
  }
}

TEST(NodeAffinityTest, TheOnlyFieldIsTheNameWithOneValue) {
  const auto faults = [](const std::string& field) {
    return NodeFaults("{nodeSelectorTerms: [{matchFields: [" + field + "]}]}");
  };
  EXPECT_THAT(faults("{key: metadata.name, operator: In, values: [m]}"), IsEmpty());
  EXPECT_EQ(faults("{key: metadata.uid, operator: In, values: [m]}").size(), 1u);
  EXPECT_EQ(faults("{key: metadata.name, operator: Exists}").size(), 1u);
  EXPECT_EQ(faults("{key: metadata.name, operator: In, values: [m, w]}").size(), 1u);
  EXPECT_EQ(faults("{key: metadata.name, operator: In, values: []}").size(), 1u);
}

TEST(PodAffinityTest, TermsAreReadWhole) {
  const Decoding decoding(R"(
requiredDuringSchedulingIgnoredDuringExecution:
- topologyKey: kubernetes.io/hostname
  labelSelector: {matchLabels: {a: b}}
  namespaces: [x, w]
  namespaceSelector: {}
  matchLabelKeys: [c]
  mismatchLabelKeys: [d]
- topologyKey: rack
)");
  const std::vector<PodAffinityTerm> terms = DecodeRequiredPodAffinity(decoding.root());
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].topology_key, "kubernetes.io/hostname");
  EXPECT_THAT(Texts(terms[0].selector->requirements), ElementsAre("a 0 b"));
  EXPECT_THAT(terms[0].namespaces, ElementsAre("x", "w"));
  EXPECT_TRUE(terms[0].namespace_selector.has_value());
  EXPECT_THAT(terms[0].match_label_keys, ElementsAre("c"));
  EXPECT_THAT(terms[0].mismatch_label_keys, ElementsAre("d"));
  EXPECT_FALSE(terms[1].selector.has_value());
  EXPECT_FALSE(terms[1].namespace_selector.has_value());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(PodAffinityTest, FaultsNameTheirField) {
  const Decoding decoding(R"(requiredDuringSchedulingIgnoredDuringExecution:
- labelSelector: {}
- topologyKey: rack
  namespaces: [A]
  matchLabelKeys: [c]
)");
  DecodeRequiredPodAffinity(decoding.root());
  EXPECT_THAT(
      decoding.Faults(),
      ElementsAre(
          StartsWith("f.yaml:2: requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: ``"),
          StartsWith("f.yaml:4: requiredDuringSchedulingIgnoredDuringExecution[1].namespaces: `A`"),
          "f.yaml:5: requiredDuringSchedulingIgnoredDuringExecution[1].matchLabelKeys: set without "
          "a labelSelector, expected both or neither"));
}

}  // namespace
}  // namespace gangpack::k8s
