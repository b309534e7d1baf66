#include "server/extender_args.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/extender_codec.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Optional;
using ::testing::StartsWith;

// What kube-scheduler sends, with nodeCacheCapable true and false. Its encoder escapes <, > and &.
constexpr std::string_view kPodJson =
    R"({"metadata":{"name":"w-0","namespace":"ns1","uid":"u-1","creationTimestamp":null,)"
    R"("labels":{"app":"x","scheduling.x-k8s.io/pod-group":"g"},)"
    R"("annotations":{"note":"a \u003c b \u0026\u0026 c \u003e d"}},)"
    R"("spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]},)"
    R"("status":{"phase":"Pending"}})";
constexpr std::string_view kNode1 =
    R"({"metadata":{"name":"n1","labels":{"rack":"a"}},"spec":{},"status":{"capacity":{"cpu":"4"}}})";
constexpr std::string_view kNode2 = R"({"metadata":{"name":"n2"},"spec":{},"status":{}})";

std::string NamesBody() {
  return R"({"Pod":)" + std::string(kPodJson) + R"(,"Nodes":null,"NodeNames":["n1","n2","n3"]})";
}

std::string NodesBody() {
  return R"({"Pod":)" + std::string(kPodJson) + R"(,"Nodes":{"metadata":{},"items":[)" +
         std::string(kNode1) + "," + std::string(kNode2) + R"(]},"NodeNames":null})";
}

std::string ErrorOfArgs(std::string_view body) {
  const absl::Status status = DecodeExtenderArgs(body).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << body;
  return std::string(status.message());
}

TEST(ExtenderArgs, NamesAreReadWhereTheCallerCachesNodes) {
  const std::string body = NamesBody();
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_EQ(args->pod.uid, "u-1");
  EXPECT_EQ(args->pod.namespace_name, "ns1");
  EXPECT_EQ(args->pod.name, "w-0");
  EXPECT_EQ(args->pod.raw, kPodJson);
  EXPECT_THAT(args->node_names, Optional(ElementsAre("n1", "n2", "n3")));
  EXPECT_FALSE(args->nodes.has_value());
}

TEST(ExtenderArgs, WholeNodesAreReadWhereItDoesNot) {
  const std::string body = NodesBody();
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_FALSE(args->node_names.has_value());
  ASSERT_TRUE(args->nodes.has_value());
  EXPECT_THAT(*args->nodes,
              ElementsAre(Field(&ExtenderNode::name, "n1"), Field(&ExtenderNode::name, "n2")));
  EXPECT_EQ(args->nodes->front().raw, kNode1);
}

TEST(ExtenderArgs, EncodingGivesTheCapturedBytesBack) {
  for (const std::string& body : {NamesBody(), NodesBody()}) {
    const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
    ASSERT_TRUE(args.ok()) << args.status();
    EXPECT_EQ(EncodeExtenderArgs(*args), body);
  }
}

TEST(ExtenderArgs, NeitherListIsLegal) {
  const std::string body = R"({"Pod":)" + std::string(kPodJson) + "}";
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_FALSE(args->nodes.has_value());
  EXPECT_FALSE(args->node_names.has_value());
}

TEST(ExtenderArgs, AnEmptyListIsNotAnAbsentOne) {
  const std::string body =
      R"({"Pod":)" + std::string(kPodJson) + R"(,"Nodes":{"items":null},"NodeNames":[]})";
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_THAT(args->nodes, Optional(ElementsAre()));
  EXPECT_THAT(args->node_names, Optional(ElementsAre()));
}

TEST(ExtenderArgs, KeysAreReadInAnyCaseAndUnknownOnesIgnored) {
  const std::string body = R"({"extra":{"Pod":1},"pod":)" + std::string(kPodJson) +
                           R"(,"nodenames":["n1"],"nodes":null,"zz":[[]]})";
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_THAT(args->node_names, Optional(ElementsAre("n1")));
}

TEST(ExtenderArgs, AFieldOfThePodIsNotMistakenForOneOfTheCall) {
  const std::string body =
      R"({"Pod":{"NodeNames":["x"],"metadata":{"name":"p","namespace":"n","uid":"u",)"
      R"("UID":"other"}}})";
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_FALSE(args->node_names.has_value());
  EXPECT_EQ(args->pod.uid, "u");
}

TEST(ExtenderArgs, EscapedStringsAreResolved) {
  const std::string body =
      R"({"\u0050od":{"metadata":{"name":"p","namespace":"n","uid":"u\u002d1"}},)"
      R"("NodeNames":["n\u002d1"]})";
  absl::StatusOr<ExtenderArgs> decoded = DecodeExtenderArgs(body);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  const ExtenderArgs args = *std::move(decoded);
  EXPECT_EQ(args.pod.uid, "u-1");
  EXPECT_THAT(args.node_names, Optional(ElementsAre("n-1")));
}

TEST(ExtenderArgs, ErrorsNameTheFieldAndWhatWasExpected) {
  EXPECT_EQ(ErrorOfArgs("[]"), "ExtenderArgs: expected an object, found an array");
  EXPECT_EQ(ErrorOfArgs("{}"), "Pod: expected an object, found null");
  EXPECT_EQ(ErrorOfArgs(R"({"Pod":"p"})"), "Pod: expected an object, found a string");
  EXPECT_EQ(ErrorOfArgs(R"({"Pod":{}})"), "Pod.metadata: expected an object, found null");
  EXPECT_EQ(ErrorOfArgs(R"({"Pod":{"metadata":{}}})"),
            "Pod.metadata.uid: expected a non-empty string, found null");
  EXPECT_EQ(ErrorOfArgs(R"({"Pod":{"metadata":{"uid":7}}})"),
            "Pod.metadata.uid: expected a non-empty string, found a number");
  EXPECT_EQ(ErrorOfArgs(R"({"Pod":{"metadata":{"uid":"u","namespace":""}}})"),
            "Pod.metadata.namespace: expected a non-empty string, found an empty one");
  EXPECT_EQ(ErrorOfArgs(R"({"Pod":{"metadata":{"uid":"u","namespace":"n","name":true}}})"),
            "Pod.metadata.name: expected a non-empty string, found a boolean");
}

TEST(ExtenderArgs, ErrorsNameThePlaceInsideLists) {
  const auto with = [](std::string_view rest) {
    return R"({"Pod":{"metadata":{"uid":"u","namespace":"n","name":"p"}})" + std::string(rest) +
           "}";
  };
  EXPECT_EQ(ErrorOfArgs(with(R"(,"NodeNames":{})")),
            "NodeNames: expected an array, found an object");
  EXPECT_EQ(ErrorOfArgs(with(R"(,"NodeNames":["a",null])")),
            "NodeNames[1]: expected a string, found null");
  EXPECT_EQ(ErrorOfArgs(with(R"(,"Nodes":[])")), "Nodes: expected an object, found an array");
  EXPECT_EQ(ErrorOfArgs(with(R"(,"Nodes":{"items":{}})")),
            "Nodes.items: expected an array, found an object");
  EXPECT_EQ(ErrorOfArgs(with(R"(,"Nodes":{"items":[1]})")),
            "Nodes.items[0]: expected an object, found a number");
  EXPECT_EQ(ErrorOfArgs(with(R"(,"Nodes":{"items":[{"metadata":{"name":"a"}},{}]})")),
            "Nodes.items[1].metadata: expected an object, found null");
}

TEST(ExtenderArgs, WhatIsNotJsonIsSaidToBeSo) {
  EXPECT_EQ(ErrorOfArgs(""), "not JSON: expected a value (byte 0)");
  EXPECT_EQ(ErrorOfArgs("hello").substr(0, 8), "not JSON");
  EXPECT_EQ(ErrorOfArgs(NamesBody() + "x").substr(0, 8), "not JSON");
}

TEST(ExtenderArgs, OfARepeatedKeyTheLastValueCountsThatIsNotNull) {
  const std::string body =
      R"({"Pod":7,"NodeNames":["a",1],"pod":{"metadata":[],"metadata":{"name":"x","name":"p",)"
      R"("name":null,"namespace":"n","uid":"u"}},"nodenames":["b"],"NodeNames":null})";
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_EQ(args->pod.name, "p");
  EXPECT_THAT(args->node_names, Optional(ElementsAre("b")));
}

TEST(ExtenderArgs, ThatABodyIsNotJsonIsSaidWhateverElseIsWrongWithIt) {
  EXPECT_THAT(ErrorOfArgs(R"({"Pod":7,"NodeNames":[1])"), StartsWith("not JSON"));
  EXPECT_THAT(ErrorOfArgs(R"([1,])"), StartsWith("not JSON"));
}

}  // namespace
}  // namespace gangpack::server
