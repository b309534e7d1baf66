#include "k8s/object_codec.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/json_reader.h"
#include "k8s/yaml_reader.h"
#include "tests/unit/k8s/text_pieces.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

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

Outcome OutcomeOf(const DecodedObjects& decoded) {
  Outcome outcome;
  for (const DecodedObject& object : decoded.objects) {
    outcome.objects.push_back(absl::StrCat(NameOf(object), " ", object.lines.name, " ",
                                           object.lines.uid, " ", object.lines.node_name));
  }
  for (const Fault& fault : decoded.faults) outcome.faults.push_back(fault.ToString());
  return outcome;
}

// What comes of a text must not depend on whether it is there as a whole.
Outcome DecodeBothWays(const std::string& text) {
  const absl::StatusOr<Documents> documents = ReadJson(TextSource{"f.json", text});
  const auto stream = DecodeJsonStream({"f.json", InPieces(text, 5)}, ObjectSource::kManifest);
  EXPECT_TRUE(documents.ok() && stream.ok()) << documents.status() << stream.status();
  if (!documents.ok() || !stream.ok()) return {};
  const Outcome outcome = OutcomeOf(DecodeObjects(*documents, ObjectSource::kManifest));
  const Outcome of_stream = OutcomeOf(stream->decoded);
  EXPECT_EQ(of_stream.objects, outcome.objects);
  EXPECT_EQ(of_stream.faults, outcome.faults);
  return outcome;
}

constexpr char kItems[] = R"("items":[
{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p",
"uid":"u"},"spec":{"containers":[{"name":"c"}],
"nodeName":"n"}},
{"apiVersion":"v1","kind":"Node","metadata":{"name":"m"}},
{"apiVersion":"v1","kind":"Node","metadata":{"name":"BAD"}},
{"apiVersion":"v1","kind":"Secret"}, 5, null,
{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"i"}}]},
{"metadata":{"name":"untyped"}},
{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"s","labels":{"k":5}}},
{"apiVersion":"v1","kind":"Node","metadata":{"name":"last"}}])";

TEST(ObjectCodecTest, AStreamGivesObjectsAndFaultsInTheOrderOfTheText) {
  for (const std::string& text :
       {absl::StrCat(R"({"apiVersion":"v1",)", kItems, R"(,"kind":"List"})"),
        absl::StrCat(R"({"apiVersion":"v1","kind":"List",)", kItems, "}")}) {
    const Outcome outcome = DecodeBothWays(text);
    EXPECT_THAT(outcome.objects,
                ElementsAre("2: Pod /p 2 3 4", "5: Node m 5 5 5", "7: other v1 Secret 2 7 7 7",
                            "8: Node i 8 8 8", "11: Node last 11 11 11"));
    EXPECT_THAT(outcome.faults, ElementsAre(StartsWith("f.json:6: items[2].metadata.name: "),
                                            StartsWith("f.json:7: items[4]: "),
                                            StartsWith("f.json:9: items[7].kind: "),
                                            StartsWith("f.json:10: items[8].metadata.labels.k: ")));
  }
}

TEST(ObjectCodecTest, ItemsOfATypedListHaveItsTypeInAStreamToo) {
  const std::string items = R"("items":[{"metadata":{"name":"a"}},{"metadata":{"name":"B"}}])";
  for (const std::string& text :
       {absl::StrCat(R"({"kind":"NodeList","apiVersion":"v1",)", items, "}"),
        absl::StrCat(R"({"apiVersion":"v1",)", items, R"(,"kind":"NodeList"})")}) {
    const Outcome outcome = DecodeBothWays(text);
    EXPECT_THAT(outcome.objects, ElementsAre("1: Node a 1 1 1"));
    EXPECT_THAT(outcome.faults, ElementsAre(StartsWith("f.json:1: items[1].metadata.name: ")));
  }
}

TEST(ObjectCodecTest, ItemsOfWhatIsNoListCountForNothingInAStreamToo) {
  const std::string node = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}})";
  const Outcome outcome =
      DecodeBothWays(absl::StrCat(R"({"apiVersion":"v1",)", kItems, R"(,"kind":"Basket"})", "\n",
                                  node, "\n", R"({"kind":"Basket","apiVersion":"v1",)", kItems, "}",
                                  R"({"apiVersion":"v1","items":[)", node, R"(],"kind":"List"})"));
  EXPECT_THAT(outcome.objects,
              ElementsAre("1: other v1 Basket 3 1 1 1", "12: Node n 12 12 12",
                          "13: other v1 Basket 3 13 13 13", "23: Node n 23 23 23"));
  EXPECT_THAT(outcome.faults, IsEmpty());
}

TEST(ObjectCodecTest, NothingOfAStreamThatIsRefusedIsHandedOut) {
  const auto stream = DecodeJsonStream(
      {"f.json", InPieces(absl::StrCat(R"({"apiVersion":"v1",)", kItems, R"(,"kind":"List")"), 5)},
      ObjectSource::kManifest);
  EXPECT_EQ(stream.status().message(),
            "f.json:11: bad JSON, expected ',' or '}' after a member of an object");
}

}  // namespace
}  // namespace gangpack::k8s
