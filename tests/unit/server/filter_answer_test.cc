#include "server/filter_answer.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/calls.h"
#include "core/reason.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/extender_args.h"
#include "server/extender_codec.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;

auto Refusal(std::string_view node, std::string_view reason) {
  return AllOf(Field(&NodeRefusal::node, node), Field(&NodeRefusal::reason, reason));
}

ExtenderArgs Offering(NodeNames names) {
  ExtenderArgs args;
  args.node_names = std::move(names);
  return args;
}

FilterDecision::Refusal Refused(std::vector<int> nodes, bool all_others, ReasonCode code) {
  Reason reason;
  reason.code = code;
  reason.gang = {"ns", "g"};
  reason.domain = "rack-a";
  return {std::move(nodes), all_others, std::move(reason)};
}

// The answer as kube-scheduler reads it. The text must outlive what is read.
ExtenderFilterResult Read(const std::string& text) {
  absl::StatusOr<ExtenderFilterResult> result = DecodeExtenderFilterResult(text);
  EXPECT_TRUE(result.ok()) << text;
  return *std::move(result);
}

TEST(FilterAnswer, AcceptedNodesComeBackByName) {
  const ExtenderArgs args = Offering({"n1", "n2", "n3"});
  FilterDecision decision;
  decision.accepted = {0, 2};
  decision.refusals = {Refused({1}, false, ReasonCode::kNodeReserved)};
  const std::string text = FilterAnswer(args, decision);
  const ExtenderFilterResult result = Read(text);
  EXPECT_THAT(result.node_names, Optional(ElementsAre("n1", "n3")));
  EXPECT_FALSE(result.nodes.has_value());
  EXPECT_THAT(result.failed_nodes, IsEmpty());
  EXPECT_THAT(result.failed_and_unresolvable_nodes,
              ElementsAre(Refusal("n2", "node is reserved for a forming gang")));
  EXPECT_EQ(result.error, "");
}

TEST(FilterAnswer, NodesComeBackWholeWhereTheyCameWhole) {
  ExtenderArgs args;
  args.nodes = {{.name = "n1", .raw = R"({"metadata":{"name":"n1"}})"},
                {.name = "n2", .raw = R"({"metadata":{"name":"n2"}, "x":2})"}};
  FilterDecision decision;
  decision.accepted = {1};
  const std::string text = FilterAnswer(args, decision);
  const ExtenderFilterResult result = Read(text);
  EXPECT_FALSE(result.node_names.has_value());
  EXPECT_THAT(
      result.nodes,
      Optional(ElementsAre(Field(&ExtenderNode::raw, R"({"metadata":{"name":"n2"}, "x":2})"))));
}

TEST(FilterAnswer, OneReasonForAllNodesIsOneEntry) {
  const ExtenderArgs args = Offering({"n1", "n2", "n3"});
  FilterDecision decision;
  decision.refusals = {Refused({}, true, ReasonCode::kNoDomainHasRoom)};
  const std::string text = FilterAnswer(args, decision);
  const ExtenderFilterResult result = Read(text);
  EXPECT_THAT(result.node_names, Optional(IsEmpty()));
  EXPECT_THAT(result.failed_and_unresolvable_nodes,
              ElementsAre(Refusal("n1", "no domain has room for gang ns/g")));
}

TEST(FilterAnswer, TheReasonOfAllOthersIsGivenOnANodeThatHasNone) {
  const ExtenderArgs args = Offering({"n1", "n2", "n3"});
  FilterDecision decision;
  decision.refusals = {Refused({}, true, ReasonCode::kNodeNotInDomain),
                       Refused({0}, false, ReasonCode::kNodeReserved)};
  const std::string text = FilterAnswer(args, decision);
  EXPECT_THAT(Read(text).failed_and_unresolvable_nodes,
              ElementsAre(Refusal("n1", "node is reserved for a forming gang"),
                          Refusal("n2", "node not in gang's pinned domain rack-a")));
}

TEST(FilterAnswer, TheReasonOfAllOthersIsLeftOutWhereANodeIsAccepted) {
  const ExtenderArgs args = Offering({"n1", "n2"});
  FilterDecision decision;
  decision.accepted = {1};
  decision.refusals = {Refused({}, true, ReasonCode::kNodeNotInDomain)};
  const std::string text = FilterAnswer(args, decision);
  const ExtenderFilterResult result = Read(text);
  EXPECT_THAT(result.node_names, Optional(ElementsAre("n2")));
  EXPECT_THAT(result.failed_and_unresolvable_nodes, IsEmpty());
}

TEST(FilterAnswer, WithoutAnyNodeThereIsNothingToRefuse) {
  FilterDecision decision;
  decision.refusals = {Refused({}, true, ReasonCode::kNoDomainHasRoom)};
  EXPECT_EQ(FilterAnswer(ExtenderArgs(), decision),
            R"({"Nodes":null,"NodeNames":[],"FailedNodes":null,)"
            R"("FailedAndUnresolvableNodes":null,"Error":""})");
}

TEST(FilterAnswer, NamesAndReasonsAreEscaped) {
  const ExtenderArgs args = Offering({"a\"<b", "n2"});
  FilterDecision decision;
  decision.accepted = {0};
  decision.refusals = {Refused({1}, false, ReasonCode::kNodeNotInDomain)};
  decision.refusals[0].reason.domain = "a&b";
  EXPECT_EQ(FilterAnswer(args, decision),
            R"({"Nodes":null,"NodeNames":["a\"\u003cb"],"FailedNodes":null,)"
            R"("FailedAndUnresolvableNodes":{"n2":"node not in gang's pinned domain a\u0026b"},)"
            R"("Error":""})");
}

TEST(PrioritizeAnswer, EachOfferedNodeHasItsScoreInTheOrderOfTheCall) {
  EXPECT_EQ(PrioritizeAnswer(Offering({"n2", "n1"}), {10, -3}),
            R"([{"Host":"n2","Score":10},{"Host":"n1","Score":-3}])");
  ExtenderArgs whole;
  whole.nodes.emplace().push_back({.name = "n1", .raw = "{}"});
  EXPECT_EQ(PrioritizeAnswer(whole, {0}), R"([{"Host":"n1","Score":0}])");
  EXPECT_EQ(PrioritizeAnswer(ExtenderArgs(), {}), "[]");
}

}  // namespace
}  // namespace gangpack::server
