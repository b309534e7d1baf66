#include "k8s/toleration_codec.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TolerationCodecTest, ReadsEveryOperatorAndEffect) {
  const Decoding decoding(R"(
tolerations:
- {operator: Exists}
- {key: a, value: x}
- {key: b, operator: Equal, value: "", effect: NoExecute, tolerationSeconds: 300}
- {key: c, operator: Lt, value: "-5", effect: PreferNoSchedule}
- {key: x.io/d, operator: Gt, value: "5", effect: NoSchedule}
)");
  const std::vector<Toleration> tolerations = DecodeTolerations(decoding.root());
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  ASSERT_EQ(tolerations.size(), 5u);
  EXPECT_EQ(tolerations[0].key, "");
  EXPECT_EQ(tolerations[0].op, TolerationOperator::kExists);
  EXPECT_EQ(tolerations[0].effect, std::nullopt);
  EXPECT_EQ(tolerations[1].op, TolerationOperator::kEqual);
  EXPECT_EQ(tolerations[1].value, "x");
  EXPECT_EQ(tolerations[2].effect, TaintEffect::kNoExecute);
  EXPECT_EQ(tolerations[3].op, TolerationOperator::kLt);
  EXPECT_EQ(tolerations[3].effect, TaintEffect::kPreferNoSchedule);
  EXPECT_EQ(tolerations[4].key, "x.io/d");
  EXPECT_EQ(tolerations[4].op, TolerationOperator::kGt);
  EXPECT_EQ(tolerations[4].effect, TaintEffect::kNoSchedule);
}

TEST(TolerationCodecTest, FaultsNameTheFieldThatContradicts) {
  const auto field_of = [](const std::string& toleration) {
    const Decoding decoding("tolerations: [" + toleration + "]");
    EXPECT_THAT(DecodeTolerations(decoding.root()), IsEmpty()) << toleration;
    EXPECT_EQ(decoding.Faults().size(), 1u) << toleration;
    const std::string prefix = "f.yaml:1: tolerations[0].";
    const std::string fault = decoding.Faults()[0].substr(prefix.size());
    return fault.substr(0, fault.find(':'));
  };
  EXPECT_EQ(field_of("{value: x}"), "key");
  EXPECT_EQ(field_of("{key: '-', operator: Exists}"), "key");
  EXPECT_EQ(field_of("{key: a, operator: Exists, value: x}"), "value");
  EXPECT_EQ(field_of("{key: a, value: 'x y'}"), "value");
  EXPECT_EQ(field_of("{key: a, operator: Lt, value: x}"), "value");
  EXPECT_EQ(field_of("{key: a, operator: Gt}"), "value");
  EXPECT_EQ(field_of("{key: a, operator: equal}"), "operator");
  EXPECT_EQ(field_of("{key: a, effect: Never}"), "effect");
}

TEST(TaintCodecTest, TheSameKeyWithAnotherEffectIsAnotherTaint) {
  const Decoding decoding("taints: [{key: a, effect: NoSchedule}, {key: a, effect: NoExecute}]");
  EXPECT_EQ(DecodeTaints(decoding.root()).size(), 2u);
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

}  // namespace
}  // namespace gangpack::k8s
