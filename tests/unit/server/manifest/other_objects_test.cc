#include "server/manifest/other_objects.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/field.h"
#include "k8s/object_codec.h"
#include "k8s/yaml_reader.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Type = std::pair<std::string, std::string>;  // apiVersion, kind

struct Skipped {
  std::vector<std::string> faults;
  std::vector<std::string> notes;
};

Skipped Skip(const std::vector<Type>& types) {
  std::string yaml;
  for (const auto& [api_version, kind] : types) {
    absl::StrAppend(&yaml, "---\napiVersion: ", api_version, "\nkind: ", kind, "\n");
  }
  const auto documents = k8s::ReadYaml({"f", yaml});
  EXPECT_TRUE(documents.ok()) << documents.status();
  OtherObjects others;
  k8s::FaultList list{"f", {}};
  for (const k8s::DecodedObject& object :
       k8s::DecodeObjects(*documents, k8s::ObjectSource::kManifest).objects) {
    others.Skip(std::get<k8s::OtherObject>(object.object), &list);
  }
  Skipped skipped{{}, others.Notes()};
  for (const k8s::Fault& fault : list.faults) skipped.faults.push_back(fault.ToString());
  return skipped;
}

TEST(OtherObjectsTest, NothingSkippedIsNothingToNote) { EXPECT_THAT(Skip({}).notes, IsEmpty()); }

TEST(OtherObjectsTest, SomebodyElsesKindsAreCountedWithTheirApiVersion) {
  const Skipped skipped = Skip({{"v1", "Service"}, {"apps/v1", "StatefulSet"}, {"v1", "Service"}});
  EXPECT_THAT(skipped.faults, IsEmpty());
  EXPECT_THAT(skipped.notes, ElementsAre("3 objects of other kinds skipped: 2 Service of v1, "
                                         "1 StatefulSet of apps/v1"));
}

TEST(OtherObjectsTest, AKindOfAnotherGroupIsSkippedAndTheOneThatIsReadIsNamed) {
  for (const char* api_version : {"scheduling.sigs.k8s.io/v1alpha1",
                                  "scheduling.volcano.sh/v1beta1", "scheduling.x-k8s.io/v1beta1"}) {
    const Skipped skipped = Skip({{api_version, "PodGroup"}});
    EXPECT_THAT(skipped.faults, IsEmpty());
    EXPECT_THAT(
        skipped.notes,
        ElementsAre(absl::StrCat("1 object of other kinds skipped: 1 PodGroup of ", api_version),
                    "a PodGroup is read if it is of scheduling.x-k8s.io/v1alpha1"));
  }
  EXPECT_THAT(Skip({{"example.com/v1", "Node"}, {"example.com/v2", "Node"}}).notes,
              ElementsAre("2 objects of other kinds skipped: 1 Node of example.com/v1, 1 Node of "
                          "example.com/v2",
                          "a Node is read if it is of v1"));
  EXPECT_THAT(Skip({{"example.com/v1", "Nodes"}}).notes,
              ElementsAre("1 object of other kinds skipped: 1 Nodes of example.com/v1"));
}

TEST(OtherObjectsTest, AVersionThatDoesNotExistIsAFaultWhereTheKindCanBeNobodyElses) {
  EXPECT_THAT(
      Skip({{"v2", "Pod"}, {"V1", "Node"}, {"apps/v1", "Namespace"}, {"v1beta1", "List"}}).faults,
      ElementsAre("f:2: apiVersion: `v2`, expected v1 for a Pod",
                  "f:5: apiVersion: `V1`, expected v1 for a Node",
                  "f:8: apiVersion: `apps/v1`, expected v1 for a Namespace",
                  "f:11: apiVersion: `v1beta1`, expected v1 for a List"));
  EXPECT_THAT(Skip({{"v1", "PodGroup"}}).faults,
              ElementsAre("f:2: apiVersion: `v1`, expected scheduling.x-k8s.io/v1alpha1 for a "
                          "PodGroup"));
}

TEST(OtherObjectsTest, AKindThatDoesNotExistIsAFaultWhereOneThatIsReadMustBeMeant) {
  EXPECT_THAT(Skip({{"v1", "pod"}, {"v1", "Pods"}, {"v1", "podList"}}).faults,
              ElementsAre("f:3: kind: `pod`, expected Pod", "f:6: kind: `Pods`, expected Pod",
                          "f:9: kind: `podList`, expected PodList"));
  EXPECT_THAT(Skip({{"scheduling.x-k8s.io/v1alpha1", "podgroups"}}).faults,
              ElementsAre("f:3: kind: `podgroups`, expected PodGroup"));
  EXPECT_THAT(Skip({{"v1", "PodTemplate"}, {"v1", "Poddy"}}).faults, IsEmpty());
}

TEST(OtherObjectsTest, InOurGroupEveryKindThatDoesNotExistIsAFault) {
  EXPECT_THAT(Skip({{"gangpack/v1alpha1", "step"},
                    {"gangpack/v1alpha1", "Steps"},
                    {"gangpack/v1alpha1", "Wait"},
                    {"gangpack", "Wait"}})
                  .faults,
              ElementsAre("f:3: kind: `step`, expected Step", "f:6: kind: `Steps`, expected Step",
                          "f:9: kind: `Wait`, expected Step", "f:12: kind: `Wait`, expected Step"));
}

TEST(OtherObjectsTest, AStepOfAnotherGroupIsAFaultUnlessItMayBeSomebodyElses) {
  for (const char* api_version :
       {"v1", "gangpak/v1alpha1", "gangpack/v1", "gangpack.io/v1alpha1"}) {
    EXPECT_THAT(Skip({{api_version, "Step"}}).faults,
                ElementsAre(absl::StrCat("f:2: apiVersion: `", api_version,
                                         "`, expected gangpack/v1alpha1 for a Step")));
  }
  EXPECT_THAT(Skip({{"example.com/v1", "Step"}}).faults, IsEmpty());
}

TEST(OtherObjectsTest, OurOwnKindsThatAreNotReadHereAreNotedWithWhereTheyAre) {
  const Skipped skipped =
      Skip({{"gangpack/v1alpha1", "Step"}, {"gangpack/v1alpha1", "Configuration"}});
  EXPECT_THAT(skipped.faults, IsEmpty());
  EXPECT_THAT(skipped.notes, ElementsAre("2 objects of other kinds skipped: 1 Configuration of "
                                         "gangpack/v1alpha1, 1 Step of gangpack/v1alpha1",
                                         "a Configuration is read where --config names its file",
                                         "a Step is done by gangpack simulate and demo only"));
}

TEST(IsOurGroupTest, WhateverTheVersion) {
  for (const char* ours : {"gangpack", "gangpack/v1alpha1", "gangpack/v9", "gangpack.io/v1"}) {
    EXPECT_TRUE(IsOurGroup(ours)) << ours;
  }
  for (const char* other : {"v1", "", "gangpacker/v1", "x.gangpack/v1", "gangpack-x.io/v1"}) {
    EXPECT_FALSE(IsOurGroup(other)) << other;
  }
}

}  // namespace
}  // namespace gangpack::server
