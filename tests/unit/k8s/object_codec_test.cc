#include "k8s/object_codec.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/yaml_reader.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string NameOf(const DecodedObject& decoded) {
  struct {
    std::string operator()(const DecodedNode& object) { return "Node " + object.node.name; }
    std::string operator()(const DecodedPod& object) { return "Pod " + object.pod.name.ToString(); }
    std::string operator()(const DecodedPodGroup& object) {
      return "PodGroup " + object.group.name.ToString();
    }
    std::string operator()(const DecodedNamespace& object) {
      return "Namespace " + object.object.name;
    }
    std::string operator()(const OtherObject& object) {
      return absl::StrCat("other ", object.api_version, " ", object.kind, " ",
                          object.value.members().size());
    }
  } visitor;
  return absl::StrCat(decoded.line, ": ", std::visit(visitor, decoded.object));
}

struct Outcome {
  std::vector<std::string> objects;
  std::vector<std::string> faults;
};

Outcome Decode(const std::string& text) {
  const absl::StatusOr<Documents> documents = ReadYaml({"f.yaml", text});
  EXPECT_TRUE(documents.ok()) << documents.status();
  if (!documents.ok()) return {};
  const DecodedObjects decoded = DecodeObjects(*documents, ObjectSource::kManifest);
  Outcome outcome;
  for (const DecodedObject& object : decoded.objects) outcome.objects.push_back(NameOf(object));
  for (const Fault& fault : decoded.faults) outcome.faults.push_back(fault.ToString());
  return outcome;
}

TEST(ObjectCodecTest, EveryKindIsDecodedInTheOrderOfTheText) {
  const Outcome outcome = Decode(R"(apiVersion: v1
kind: Pod
metadata: {name: p, namespace: ns}
---
apiVersion: v1
kind: Node
metadata: {name: m}
---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata: {name: g}
---
apiVersion: v1
kind: Namespace
metadata: {name: ns}
)");
  EXPECT_THAT(outcome.objects,
              ElementsAre("1: Pod ns/p", "5: Node m", "9: PodGroup /g", "13: Namespace ns"));
  EXPECT_THAT(outcome.faults, IsEmpty());
}

TEST(ObjectCodecTest, AListStandsForItsItems) {
  EXPECT_THAT(Decode("apiVersion: v1\nkind: List\nitems:\n"
                     "- {apiVersion: v1, kind: Node, metadata: {name: a}}\n"
                     "- {apiVersion: v1, kind: List, items: [\n"
                     "  {apiVersion: v1, kind: Node, metadata: {name: b}}]}\n"
                     "- null\n"
                     "- {apiVersion: v1, kind: ConfigMap}\n")
                  .objects,
              ElementsAre("4: Node a", "6: Node b", "8: other v1 ConfigMap 2"));
  EXPECT_THAT(Decode("{apiVersion: v1, kind: List}").faults, IsEmpty());
}

TEST(ObjectCodecTest, ItemsOfATypedListNeedNotRepeatTheirType) {
  EXPECT_THAT(Decode("{apiVersion: v1, kind: NodeList, items: [{metadata: {name: a}}]}").objects,
              ElementsAre("1: Node a"));
  EXPECT_THAT(Decode("{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroupList, items: "
                     "[{metadata: {name: g}}]}")
                  .objects,
              ElementsAre("1: PodGroup /g"));
}

TEST(ObjectCodecTest, OtherKindsComeOutAsTheyAre) {
  EXPECT_THAT(Decode("{apiVersion: gangpack/v1alpha1, kind: Step, advance: 30s}").objects,
              ElementsAre("1: other gangpack/v1alpha1 Step 3"));
  // The same kind in another group is another kind.
  EXPECT_THAT(Decode("{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup}").objects,
              ElementsAre("1: other scheduling.volcano.sh/v1beta1 PodGroup 2"));
  EXPECT_THAT(Decode("{apiVersion: v2, kind: Pod}").objects, ElementsAre("1: other v2 Pod 2"));
}

TEST(ObjectCodecTest, TheTypeIsRequired) {
  EXPECT_THAT(Decode("a: 1\n---\nkind: Pod\n---\napiVersion: v1\n").faults,
              ElementsAre("f.yaml:1: kind: missing, expected the type of the object, such as "
                          "apiVersion: v1 and kind: Pod",
                          "f.yaml:3: apiVersion: missing, expected the type of the object, such as "
                          "apiVersion: v1 and kind: Pod",
                          "f.yaml:5: kind: missing, expected the type of the object, such as "
                          "apiVersion: v1 and kind: Pod"));
  EXPECT_THAT(Decode("kind: 5\napiVersion: v1\n").faults,
              ElementsAre("f.yaml:1: kind: a number, expected a string (in quotes)"));
  EXPECT_THAT(Decode("- 1\n").faults, ElementsAre("f.yaml:1: a list, expected an object"));
}

TEST(ObjectCodecTest, AnObjectWithFaultsIsNotHandedOutButTheOthersAre) {
  const Outcome outcome = Decode(
      "{apiVersion: v1, kind: NodeList, items: [{metadata: {name: A}}, {metadata: {name: b}}, 5]}");
  EXPECT_THAT(outcome.objects, ElementsAre("1: Node b"));
  EXPECT_EQ(outcome.faults.size(), 2u);
  EXPECT_EQ(outcome.faults[1], "f.yaml:1: items[2]: a number, expected an object");
}

TEST(ObjectCodecTest, FaultsInsideAListNameTheItem) {
  EXPECT_THAT(Decode("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: PodGroup\n"
                     "- apiVersion: v1\n  kind: Node\n  metadata: {name: m}\n"
                     "  spec:\n    unschedulable: 1\n")
                  .faults,
              ElementsAre("f.yaml:10: items[1].spec.unschedulable: a number, expected a boolean"));
}

}  // namespace
}  // namespace gangpack::k8s
