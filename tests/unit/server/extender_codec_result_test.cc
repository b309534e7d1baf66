// The answers of the extender protocol, in both directions.
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/extender_codec.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Optional;

constexpr std::string_view kFilterReply =
    R"({"Nodes":null,"NodeNames":["n1"],"FailedNodes":{"n2":"why"},)"
    R"("FailedAndUnresolvableNodes":{"n3":"why"},"Error":""})";

auto Refusal(std::string_view node, std::string_view reason) {
  return AllOf(Field(&NodeRefusal::node, node), Field(&NodeRefusal::reason, reason));
}

auto Priority(std::string_view host, int64_t score) {
  return AllOf(Field(&HostPriority::host, host), Field(&HostPriority::score, score));
}

TEST(ExtenderFilterResult, TheCapturedReplyIsReadAndWrittenBack) {
  const absl::StatusOr<ExtenderFilterResult> result = DecodeExtenderFilterResult(kFilterReply);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->node_names, Optional(ElementsAre("n1")));
  EXPECT_FALSE(result->nodes.has_value());
  EXPECT_THAT(result->failed_nodes, ElementsAre(Refusal("n2", "why")));
  EXPECT_THAT(result->failed_and_unresolvable_nodes, ElementsAre(Refusal("n3", "why")));
  EXPECT_EQ(result->error, "");
  EXPECT_EQ(EncodeExtenderFilterResult(*result), kFilterReply);
}

TEST(ExtenderFilterResult, WholeNodesAreEchoedByteForByte) {
  const std::string body =
      R"({"Pod":{"metadata":{"name":"p","namespace":"n","uid":"u"}},"Nodes":{"metadata":{},)"
      R"("items":[{"metadata":{"name":"n1"}, "spec":{"x":1.50}},{"metadata":{"name":"n2"}}]}})";
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  ExtenderFilterResult result;
  result.nodes.emplace().push_back(args->nodes->front());
  EXPECT_EQ(EncodeExtenderFilterResult(result),
            R"({"Nodes":{"metadata":{},"items":[{"metadata":{"name":"n1"}, "spec":{"x":1.50}}]},)"
            R"("NodeNames":null,"FailedNodes":null,"FailedAndUnresolvableNodes":null,"Error":""})");
}

TEST(ExtenderFilterResult, AnEmptyListIsWrittenAndAnUnusedOneIsNull) {
  ExtenderFilterResult result;
  result.node_names.emplace();
  result.failed_and_unresolvable_nodes = {{"n1", "no domain has room for gang ns/g"}};
  EXPECT_EQ(EncodeExtenderFilterResult(result),
            R"({"Nodes":null,"NodeNames":[],"FailedNodes":null,"FailedAndUnresolvableNodes":)"
            R"({"n1":"no domain has room for gang ns/g"},"Error":""})");
}

TEST(ExtenderFilterResult, NoPercentSignReachesKubeSchedulersFormatString) {
  ExtenderFilterResult result;
  result.failed_nodes = {{"n1", "50% of %s"}};
  result.failed_and_unresolvable_nodes = {{"n2", "%"}};
  result.error = "100%!";
  const std::string body = EncodeExtenderFilterResult(result);
  EXPECT_EQ(body.find('%'), std::string::npos);
  EXPECT_EQ(body,
            R"({"Nodes":null,"NodeNames":null,"FailedNodes":{"n1":"50 percent of  percents"},)"
            R"("FailedAndUnresolvableNodes":{"n2":" percent"},"Error":"100 percent!"})");
}

TEST(ExtenderFilterResult, ReadsWhatGoReads) {
  const absl::StatusOr<ExtenderFilterResult> result = DecodeExtenderFilterResult(
      R"({"nodenames":["a"],"FAILEDNODES":{"b":null},"error":null,"unknown":{}})");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->node_names, Optional(ElementsAre("a")));
  EXPECT_THAT(result->failed_nodes, ElementsAre(Refusal("b", "")));
  EXPECT_TRUE(DecodeExtenderFilterResult("{}").ok());
}

TEST(ExtenderFilterResult, RefusesWhatGoRefuses) {
  for (const std::string_view bad :
       {"", "[]", R"({"NodeNames":"a"})", R"({"FailedNodes":[]})", R"({"FailedNodes":{"a":1}})",
        R"({"Error":1})", R"({"NodeNames":[1]})"}) {
    EXPECT_EQ(DecodeExtenderFilterResult(bad).status().code(), absl::StatusCode::kInvalidArgument)
        << bad;
  }
}

TEST(HostPriorityList, TheCapturedReplyIsReadAndWrittenBack) {
  constexpr std::string_view kReply = R"([{"Host":"n1","Score":10},{"Host":"n2","Score":0}])";
  const absl::StatusOr<HostPriorityList> list = DecodeHostPriorityList(kReply);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_THAT(list->hosts, ElementsAre(Priority("n1", 10), Priority("n2", 0)));
  EXPECT_EQ(EncodeHostPriorityList(list->hosts), kReply);
  EXPECT_EQ(EncodeHostPriorityList({}), "[]");
}

TEST(HostPriorityList, AScoreIsA64BitIntegerLiteral) {
  std::string body;  // The decoded list is a view of it.
  const auto score = [&body](std::string_view literal) {
    body = R"([{"Host":"a","Score":)" + std::string(literal) + "}]";
    return DecodeHostPriorityList(body);
  };
  EXPECT_THAT(score("-3")->hosts, ElementsAre(Priority("a", -3)));
  EXPECT_THAT(score("null")->hosts, ElementsAre(Priority("a", 0)));
  EXPECT_THAT(score("9223372036854775807")->hosts, ElementsAre(Priority("a", 9223372036854775807)));
  for (const std::string_view bad : {"5.0", "5.5", "1e1", "9223372036854775808", "\"5\"", "[]"}) {
    EXPECT_EQ(score(bad).status().code(), absl::StatusCode::kInvalidArgument) << bad;
  }
  EXPECT_EQ(std::string(score("5.0").status().message()),
            "HostPriorityList[0].Score: expected a 64-bit integer without fraction or exponent, "
            "found 5.0");
}

TEST(HostPriorityList, NullIsAnEmptyListAndAnObjectIsNone) {
  EXPECT_TRUE(DecodeHostPriorityList("null")->hosts.empty());
  EXPECT_FALSE(DecodeHostPriorityList("{}").ok());
  EXPECT_FALSE(DecodeHostPriorityList("").ok());
  EXPECT_FALSE(DecodeHostPriorityList("[1]").ok());
}

TEST(ExtenderBindingResult, AnEmptyErrorIsSuccess) {
  EXPECT_EQ(EncodeExtenderBindingResult({}), R"({"Error":""})");
  EXPECT_EQ(DecodeExtenderBindingResult(R"({"Error":""})")->error, "");
  EXPECT_EQ(DecodeExtenderBindingResult("{}")->error, "");
}

TEST(ExtenderBindingResult, TheTextOfAFailureIsCarried) {
  const std::string body = EncodeExtenderBindingResult({"gang ns/g \"unwound\" at 5%"});
  EXPECT_EQ(body, R"({"Error":"gang ns/g \"unwound\" at 5 percent"})");
  EXPECT_EQ(DecodeExtenderBindingResult(body)->error, "gang ns/g \"unwound\" at 5 percent");
}

TEST(ExtenderBindingResult, AnEmptyBodyIsAnError) {
  EXPECT_FALSE(DecodeExtenderBindingResult("").ok());
  EXPECT_FALSE(DecodeExtenderBindingResult(R"({"Error":{}})").ok());
}

}  // namespace
}  // namespace gangpack::server
