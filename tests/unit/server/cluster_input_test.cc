#include "server/cluster_input.h"

#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct Loaded {
  ManualClock clock;
  ManifestCluster cluster{"ome-scheduler", &clock};
  ClusterInput input;
};

void Load(const std::string& yaml, Loaded* loaded) {
  std::istringstream in(yaml);
  loaded->input = LoadCluster({"-"}, in, loaded->cluster);
}

TEST(ClusterInputTest, ObjectsAreAppliedAndOtherKindsAreCounted) {
  Loaded loaded;
  Load(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
      "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n"
      "---\napiVersion: v1\nkind: Service\nmetadata: {name: t}\n"
      "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\n",
      &loaded);
  EXPECT_THAT(loaded.input.faults, IsEmpty());
  EXPECT_THAT(loaded.input.notes,
              ElementsAre("3 objects of other kinds skipped: 2 Service of v1, 1 StatefulSet of "
                          "apps/v1"));
  EXPECT_NE(loaded.cluster.FindNode("n1"), nullptr);
}

TEST(ClusterInputTest, FaultsOfReadingAndOfApplyingNameTheirPlace) {
  Loaded loaded;
  Load(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
      "status: {capacity: {cpu: many}}\n"
      "---\napiVersion: v1\nkind: Pod\n"
      "metadata: {namespace: ns, name: p, uid: one}\n"
      "spec: {containers: [{name: c}]}\n"
      "---\napiVersion: v1\nkind: Pod\n"
      "metadata: {namespace: ns, name: q, uid: one}\n"
      "spec: {containers: [{name: c}]}\n",
      &loaded);
  EXPECT_THAT(loaded.input.faults, ElementsAre(StartsWith("-:4: status.capacity.cpu: "),
                                               StartsWith("-:13: metadata.uid: ")));
}

TEST(ClusterInputTest, AnObjectThatIsThereTwiceIsAFaultThatNamesBothPlaces) {
  Loaded loaded;
  Load(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
      "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n",
      &loaded);
  EXPECT_THAT(loaded.input.faults,
              ElementsAre("-:8: metadata.name: the same Node is at -:1 already, expected it once"));
}

TEST(ClusterInputTest, OneNameInTwoKindsOrNamespacesIsTwoObjects) {
  Loaded loaded;
  Load(
      "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
      "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
      "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: a}\n"
      "spec: {containers: [{name: c}]}\n"
      "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: other, name: a}\n"
      "spec: {containers: [{name: c}]}\n",
      &loaded);
  EXPECT_THAT(loaded.input.faults, IsEmpty());
}

TEST(ClusterInputTest, AKindThatMustBeMeantOtherwiseIsAFault) {
  Loaded loaded;
  Load(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
      "---\napiVersion: v1\nkind: pod\nmetadata: {name: p}\n",
      &loaded);
  EXPECT_THAT(loaded.input.faults, ElementsAre("-:6: kind: `pod`, expected Pod"));
  EXPECT_THAT(loaded.input.notes, IsEmpty());
}

TEST(ClusterInputTest, AFileThatIsNotThereIsAFault) {
  Loaded loaded;
  std::istringstream in;
  loaded.input = LoadCluster({"no/such/file.yaml"}, in, loaded.cluster);
  EXPECT_THAT(loaded.input.faults, ElementsAre(StartsWith("no/such/file.yaml:1: ")));
}

TEST(ClusterInputTest, FaultsOfJsonNameTheLinesOfTheirFields) {
  Loaded loaded;
  Load(R"({"apiVersion":"v1","items":[
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"one"},"spec":{"containers":[{"name":"c"}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"q",
"uid":"one"},"spec":{"containers":[{"name":"c"}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{
"name":"p"},"spec":{"containers":[{"name":"c"}]}},
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"r"},"spec":{"containers":[{"name":"c"}],
"schedulingGates":[{"name":"g"}],
"nodeName":"n"}},
{"apiVersion":"v1","kind":"Service"},
{"apiVersion":"gangpack/v1alpha1",
"kind":"Stap"}],"kind":"List"})",
       &loaded);
  EXPECT_THAT(loaded.input.faults,
              ElementsAre(StartsWith("-:4: metadata.uid: "),
                          StartsWith("-:6: metadata.name: the same Pod is at -:2 already"),
                          StartsWith("-:9: spec.nodeName: "), StartsWith("-:12: kind: ")));
}

}  // namespace
}  // namespace gangpack::server
