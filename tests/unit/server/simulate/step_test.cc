#include "server/simulate/step.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "k8s/yaml_reader.h"

namespace gangpack::server {
namespace {

struct Decoded {
  Step step;
  std::vector<std::string> faults;
};

Decoded Decode(const std::string& fields,
               const std::string& version = "apiVersion: gangpack/v1alpha1\n") {
  const auto documents = k8s::ReadYaml({"f.yaml", version + "kind: Step\n" + fields});
  EXPECT_TRUE(documents.ok()) << documents.status();
  k8s::FaultList list{"f.yaml", {}};
  Decoded decoded;
  decoded.step = DecodeStep(documents->roots()[0], &list);
  for (const k8s::Fault& fault : list.faults) decoded.faults.push_back(fault.ToString());
  return decoded;
}

TEST(StepTest, EveryFieldIsOptional) {
  const Decoded decoded = Decode("");
  EXPECT_TRUE(decoded.faults.empty());
  EXPECT_FALSE(decoded.step.restart);
  EXPECT_FALSE(decoded.step.advance.has_value());
}

TEST(StepTest, ReadsAllFields) {
  const Decoded decoded = Decode(
      "delete: [pod/ns/p, podgroup/ns/g, node/n]\npause: [pod/ns/a]\nresume: [pod/ns/b]\n"
      "failBinding: [pod/ns/c]\nrefuse: {pod/ns/d: [n1, n2]}\nrestart: true\nadvance: 1m30s\n");
  ASSERT_TRUE(decoded.faults.empty()) << decoded.faults[0];
  const Step& step = decoded.step;
  ASSERT_EQ(step.deletions.size(), 3u);
  EXPECT_EQ(step.deletions[0].kind, StepDeletion::Kind::kPod);
  EXPECT_EQ(step.deletions[1].kind, StepDeletion::Kind::kPodGroup);
  EXPECT_EQ(step.deletions[1].name, (NamespacedName{"ns", "g"}));
  EXPECT_EQ(step.deletions[2].kind, StepDeletion::Kind::kNode);
  EXPECT_EQ(step.deletions[2].name, (NamespacedName{"", "n"}));
  EXPECT_EQ(step.deletions[0].place.line, 3);
  EXPECT_EQ(step.pause[0], (NamespacedName{"ns", "a"}));
  EXPECT_EQ(step.resume[0], (NamespacedName{"ns", "b"}));
  EXPECT_EQ(step.fail_binding[0], (NamespacedName{"ns", "c"}));
  EXPECT_EQ(step.refuse[0].first, (NamespacedName{"ns", "d"}));
  EXPECT_EQ(step.refuse[0].second, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_TRUE(step.restart);
  EXPECT_EQ(step.advance, absl::Seconds(90));
}

TEST(StepTest, UnknownFieldsAndVersionsAreFaults) {
  EXPECT_EQ(Decode("delte: [pod/ns/p]\n").faults.size(), 1u);
  EXPECT_EQ(Decode("", "apiVersion: gangpack/v1beta1\n").faults.size(), 1u);
}

TEST(StepTest, MalformedReferencesAreFaultsWithTheirPlace) {
  EXPECT_EQ(Decode("delete:\n- pod/p\n").faults[0].rfind("f.yaml:4: delete[0]: ", 0), 0u);
  EXPECT_EQ(Decode("delete: [service/ns/s]\n").faults.size(), 1u);
  EXPECT_EQ(Decode("delete: [null]\n").faults.size(), 1u);
  EXPECT_EQ(Decode("delete: pod/ns/p\n").faults.size(), 1u);
  EXPECT_EQ(Decode("pause: [node/n]\n").faults.size(), 1u);
  EXPECT_EQ(Decode("refuse: {ns/p: [n1]}\n").faults.size(), 1u);
  EXPECT_EQ(Decode("refuse: {pod/ns/p: n1}\n").faults.size(), 1u);
  EXPECT_EQ(Decode("refuse: {pod/ns/p: [N_1]}\n").faults.size(), 1u);
}

TEST(StepTest, AdvanceIsADuration) {
  EXPECT_EQ(Decode("advance: 30\n").faults.size(), 1u);
  EXPECT_EQ(Decode("advance: -30s\n").faults.size(), 1u);
  EXPECT_EQ(Decode("advance: 0s\n").step.advance, absl::ZeroDuration());
}

TEST(StepTest, RestartFalseIsNoRestart) {
  EXPECT_FALSE(Decode("restart: false\n").step.restart);
  EXPECT_EQ(Decode("restart: 1\n").faults.size(), 1u);
}

}  // namespace
}  // namespace gangpack::server
