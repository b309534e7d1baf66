#include "k8s/resource_codec.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

enum class Owner { kNode, kContainer };

std::vector<std::string> Faults(const std::string& amounts, Owner owner) {
  const Decoding decoding("r: " + amounts);
  if (owner == Owner::kNode) DecodeNodeAmounts(decoding.root(), "r");
  if (owner == Owner::kContainer) DecodeContainerAmounts(decoding.root(), "r");
  return decoding.Faults();
}

TEST(ResourceCodecTest, NodesHaveMilliCoresAndWholeUnitsRoundedUpContainersHaveThousandths) {
  const Decoding decoding(
      "r: {cpu: 0.0001, memory: 1.5, ephemeral-storage: 1Ki, hugepages-2Mi: 4Mi, x.io/gpu: 2}");
  EXPECT_THAT(DecodeNodeAmounts(decoding.root(), "r"),
              ElementsAre(Pair("cpu", 1), Pair("ephemeral-storage", 1024),
                          Pair("hugepages-2Mi", 4194304), Pair("memory", 2), Pair("x.io/gpu", 2)));
  EXPECT_THAT(
      DecodeContainerAmounts(decoding.root(), "r"),
      ElementsAre(Pair("cpu", 1), Pair("ephemeral-storage", 1024000),
                  Pair("hugepages-2Mi", 4194304000), Pair("memory", 1500), Pair("x.io/gpu", 2000)));
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(ResourceCodecTest, QuantitiesAreStringsOrNumbersAndNullIsZero) {
  const Decoding decoding("r: {cpu: ' 2 ', memory: 1e3, x.io/gpu: null}");
  EXPECT_THAT(DecodeNodeAmounts(decoding.root(), "r"),
              ElementsAre(Pair("cpu", 2000), Pair("memory", 1000), Pair("x.io/gpu", 0)));
  EXPECT_THAT(
      Faults("{cpu: true}", Owner::kContainer),
      ElementsAre("f.yaml:1: r.cpu: a boolean, expected a quantity such as 2, 500m or 1Gi"));
  EXPECT_THAT(Faults("[cpu]", Owner::kContainer),
              ElementsAre("f.yaml:1: r: a list, expected an object"));
}

TEST(ResourceCodecTest, ContainersKnowOnlySomeNames) {
  for (const char* name : {"cpus", "gpu", "pods", "storage", "requests.x.io/gpu", "X.io/gpu"}) {
    EXPECT_THAT(Faults(std::string("{") + name + ": 1}", Owner::kContainer),
                ElementsAre(StartsWith("f.yaml:1: r")))
        << name;
  }
  EXPECT_THAT(Faults("{pods: 1, storage: 1, x: 1}", Owner::kNode), IsEmpty());
}

TEST(ResourceCodecTest, DevicesAndPodsAreCountedWhole) {
  EXPECT_THAT(Faults("{pods: 1500m}", Owner::kNode),
              ElementsAre("f.yaml:1: r.pods: `1500m`, expected a whole number"));
  EXPECT_THAT(Faults("{x.io/gpu: 0.5}", Owner::kNode).size(), 1u);
  EXPECT_THAT(Faults("{x.io/gpu: 2000m, pods: 1e1}", Owner::kNode), IsEmpty());
  EXPECT_THAT(Faults("{memory: 1500m, example.kubernetes.io/x: 0.5}", Owner::kNode), IsEmpty());
}

TEST(ResourceCodecTest, ARequestMayReachItsLimitButNotExceedIt) {
  const auto faults = [](const std::string& resources) {
    const Decoding decoding("resources: " + resources);
    DecodeRequestsAndLimits(decoding.root(), "resources");
    return decoding.Faults();
  };
  EXPECT_THAT(faults("{requests: {cpu: 1}, limits: {cpu: 1}}"), IsEmpty());
  EXPECT_THAT(faults("{requests: {cpu: 1}, limits: {memory: 1}}"), IsEmpty());
  EXPECT_THAT(faults("{requests: {cpu: 1001m}, limits: {cpu: 1}}"),
              ElementsAre("f.yaml:1: resources.requests.cpu: larger than its limit, expected at "
                          "most that"));
}

TEST(ResourceCodecTest, AbsentAndEmptyDifferWhereItMatters) {
  const Decoding decoding("empty: {}");
  EXPECT_TRUE(DecodeOptionalNodeAmounts(decoding.root(), "empty").has_value());
  EXPECT_FALSE(DecodeOptionalNodeAmounts(decoding.root(), "missing").has_value());
}

}  // namespace
}  // namespace gangpack::k8s
