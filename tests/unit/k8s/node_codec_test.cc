#include "k8s/node_codec.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(NodeCodecTest, ReadsWhatTheEngineNeeds) {
  const Decoding decoding(R"(
metadata:
  name: n1.example
  uid: u1
  resourceVersion: "7"
  creationTimestamp: 2026-01-31T12:00:00Z
  labels: {rack: a, empty: ""}
  annotations: {X.io/note: text}
spec:
  unschedulable: true
  taints:
  - {key: gpu, value: "yes", effect: NoSchedule}
  - {key: gpu, effect: NoExecute}
  - {key: other, effect: PreferNoSchedule, timeAdded: 2026-01-31T12:00:00Z}
status:
  capacity: {cpu: "9", pods: "9"}
  allocatable: {cpu: 3500m, memory: 1.5Gi, pods: 250, nvidia.com/gpu: "8", hugepages-2Mi: 0}
)");
  const DecodedNode decoded = DecodeNode(decoding.root(), ObjectSource::kManifest);
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  const Node& node = decoded.node;
  EXPECT_EQ(node.name, "n1.example");
  EXPECT_THAT(node.labels, ElementsAre(Pair("empty", ""), Pair("rack", "a")));
  EXPECT_TRUE(node.unschedulable);
  EXPECT_THAT(node.taints, ElementsAre(Taint{"gpu", "yes", TaintEffect::kNoSchedule},
                                       Taint{"gpu", "", TaintEffect::kNoExecute},
                                       Taint{"other", "", TaintEffect::kPreferNoSchedule}));
  EXPECT_THAT(node.allocatable,
              ElementsAre(Pair("cpu", 3500), Pair("hugepages-2Mi", 0), Pair("memory", 1610612736),
                          Pair("nvidia.com/gpu", 8), Pair("pods", 250)));
  EXPECT_EQ(decoded.uid, "u1");
  EXPECT_EQ(decoded.resource_version, "7");
  EXPECT_EQ(decoded.creation, absl::FromUnixSeconds(1769860800));
  EXPECT_THAT(decoded.annotations, ElementsAre(Pair("X.io/note", "text")));
}

ResourceAmounts Allocatable(const std::string& status, ObjectSource source) {
  const Decoding decoding("metadata: {name: m}\nstatus: " + status);
  const DecodedNode decoded = DecodeNode(decoding.root(), source);
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  return decoded.node.allocatable;
}

TEST(NodeCodecTest, OnPaperAllocatableIsTheCapacityWhereItIsMissing) {
  const ObjectSource source = ObjectSource::kManifest;
  EXPECT_THAT(Allocatable("{capacity: {cpu: 2, pods: 5}}", source),
              ElementsAre(Pair("cpu", 2000), Pair("pods", 5)));
  EXPECT_THAT(Allocatable("{capacity: {cpu: 2}, allocatable: {cpu: 1}}", source),
              ElementsAre(Pair("cpu", 1000), Pair("pods", 110)));
  EXPECT_THAT(Allocatable("{capacity: {cpu: 2, pods: 5}, allocatable: {}}", source),
              ElementsAre(Pair("pods", 5)));
}

TEST(NodeCodecTest, OnPaperThereAre110PodSlotsWhereNeitherSaysHowMany) {
  const ObjectSource source = ObjectSource::kManifest;
  EXPECT_THAT(Allocatable("{}", source), ElementsAre(Pair("pods", 110)));
  EXPECT_THAT(Allocatable("{allocatable: {pods: 0}}", source), ElementsAre(Pair("pods", 0)));
  EXPECT_THAT(Allocatable("{capacity: {pods: 7}, allocatable: {cpu: 1}}", source),
              ElementsAre(Pair("cpu", 1000), Pair("pods", 7)));
}

TEST(NodeCodecTest, FromTheApiServerWhatIsMissingIsNothing) {
  const ObjectSource source = ObjectSource::kApiServer;
  EXPECT_THAT(Allocatable("{capacity: {cpu: 2, pods: 5}}", source), IsEmpty());
  EXPECT_THAT(Allocatable("{allocatable: {cpu: 2}}", source), ElementsAre(Pair("cpu", 2000)));
}

TEST(NodeCodecTest, AllFaultsAreReportedTogether) {
  const Decoding decoding(R"(metadata:
  name: Node_1
  labels:
    rack: a b
    "-bad": x
    count: 5
spec:
  unschedulable: "yes"
  taints:
  - {key: gpu, effect: NoScheduling}
  - {key: gpu}
  - {key: "", effect: NoSchedule}
  - {key: a, effect: NoSchedule}
  - {key: a, effect: NoSchedule, value: x}
status:
  allocatable:
    cpu: -1
    memory: 1 GB
    nvidia.com/gpu: 1500m
    pods: []
)");
  const DecodedNode decoded = DecodeNode(decoding.root(), ObjectSource::kManifest);
  const std::vector<std::string> faults = decoding.Faults();
  std::vector<std::string> places;
  for (const std::string& fault : faults) places.push_back(fault.substr(0, fault.find(": ", 10)));
  EXPECT_THAT(places,
              ElementsAre("f.yaml:2: metadata.name", "f.yaml:4: metadata.labels.rack",
                          "f.yaml:5: metadata.labels.-bad", "f.yaml:6: metadata.labels.count",
                          "f.yaml:10: spec.taints[0].effect", "f.yaml:11: spec.taints[1].effect",
                          "f.yaml:12: spec.taints[2].key", "f.yaml:14: spec.taints[4]",
                          "f.yaml:8: spec.unschedulable", "f.yaml:17: status.allocatable.cpu",
                          "f.yaml:18: status.allocatable.memory",
                          "f.yaml:19: status.allocatable[nvidia.com/gpu]",
                          "f.yaml:20: status.allocatable.pods"));
  EXPECT_EQ(faults[4],
            "f.yaml:10: spec.taints[0].effect: `NoScheduling`, expected NoSchedule, "
            "PreferNoSchedule or NoExecute");
  EXPECT_EQ(faults[9],
            "f.yaml:17: status.allocatable.cpu: `-1`, expected a quantity of at least 0");
  EXPECT_EQ(faults[11],
            "f.yaml:19: status.allocatable[nvidia.com/gpu]: `1500m`, expected a whole number");
  EXPECT_THAT(decoded.node.labels, IsEmpty());
}

TEST(NodeCodecTest, AQuantityBeyondInt64IsAFault) {
  const auto faults = [](const std::string& amounts) {
    const Decoding decoding("metadata: {name: m}\nstatus: {allocatable: " + amounts + "}");
    DecodeNode(decoding.root(), ObjectSource::kManifest);
    return decoding.Faults();
  };
  EXPECT_THAT(faults("{cpu: \"9223372036854775.807\", memory: 9223372036854775807}"), IsEmpty());
  EXPECT_EQ(faults("{cpu: \"9223372036854775.808\", memory: \"9223372036854775808\"}").size(), 2u);
  EXPECT_THAT(
      faults("{memory: 10E}"),
      ElementsAre("f.yaml:2: status.allocatable.memory: `10E`, expected no more than 64-bit "
                  "integers hold"));
}

TEST(NodeCodecTest, TheNameIsRequired) {
  for (const char* text :
       {"{}", "metadata: {}", "metadata: {name: ''}", "metadata: {name: null}"}) {
    const Decoding decoding(text);
    DecodeNode(decoding.root(), ObjectSource::kManifest);
    EXPECT_THAT(decoding.Faults(),
                ElementsAre("f.yaml:1: metadata.name: missing, expected the name "
                            "of the object"))
        << text;
  }
  const Decoding decoding("metadata: {name: 5}");
  DecodeNode(decoding.root(), ObjectSource::kManifest);
  EXPECT_THAT(decoding.Faults(),
              ElementsAre("f.yaml:1: metadata.name: a number, expected a string (in quotes)"));
}

}  // namespace
}  // namespace gangpack::k8s
