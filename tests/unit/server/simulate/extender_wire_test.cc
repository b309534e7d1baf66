#include "server/simulate/extender_wire.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/extender_args.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;

using Texts = std::map<std::string, std::string>;
using Scores = std::map<std::string, int64_t>;

HttpAnswer Ok(const std::string& body) { return {.status = 200, .body = body}; }

PodObject Pending() {
  PodObject object;
  object.pod.name = {"ns", "p"};
  object.pod.uid = PodUid{"u-p"};
  object.pod.scheduler_name = "ome-scheduler";
  object.resource_version = 7;
  return object;
}

TEST(ExtenderWireTest, FilterCarriesThePodAndTheNamesOfTheNodes) {
  EXPECT_EQ(FilterBody(Pending(), {"b", "a"}),
            R"({"Pod":{"metadata":{"name":"p","namespace":"ns","uid":"u-p","resourceVersion":"7"},)"
            R"("spec":{"schedulerName":"ome-scheduler"},"status":{"phase":"Pending"}},)"
            R"("Nodes":null,"NodeNames":["b","a"]})");
}

TEST(ExtenderWireTest, LabelsAnnotationsAndTheNominatedNodeAreThereWhereThePodHasThem) {
  PodObject object = Pending();
  object.pod.labels["l"] = "1";
  object.pod.labels["m"] = "2";
  object.annotations["a"] = "3";
  object.pod.nominated_node_name = "n1";
  EXPECT_EQ(FilterBody(object, {}),
            R"({"Pod":{"metadata":{"name":"p","namespace":"ns","uid":"u-p","resourceVersion":"7",)"
            R"("labels":{"l":"1","m":"2"},"annotations":{"a":"3"}},)"
            R"("spec":{"schedulerName":"ome-scheduler"},)"
            R"("status":{"phase":"Pending","nominatedNodeName":"n1"}},)"
            R"("Nodes":null,"NodeNames":[]})");
}

TEST(ExtenderWireTest, TheServerReadsWhatFilterCarriesWhateverIsInTheTexts) {
  PodObject object = Pending();
  object.annotations["note"] = "<&>\"\n\\\x01}";
  const std::string body = FilterBody(object, {"a\"b", "c"});
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(body);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_EQ(args->pod.name, "p");
  EXPECT_EQ(args->pod.namespace_name, "ns");
  EXPECT_EQ(args->pod.uid, "u-p");
  EXPECT_THAT(std::string(args->pod.raw),
              HasSubstr(R"("annotations":{"note":"\u003c\u0026\u003e\"\n\\\u0001}"})"));
  ASSERT_TRUE(args->node_names.has_value());
  EXPECT_EQ(*args->node_names, (NodeNames{"a\"b", "c"}));
  EXPECT_FALSE(args->nodes.has_value());
}

TEST(ExtenderWireTest, NodesThatPassKeepTheirOrderAndBothKindsOfRefusalAreKept) {
  const ExtenderFilterAnswer answer =
      ReadFilterAnswer(Ok(R"({"NodeNames":["b","a"],"FailedNodes":{"c":"full"},)"
                          R"("FailedAndUnresolvableNodes":{"d":"held"},"Error":""})"));
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.passed, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(answer.refused, (Texts{{"c", "full"}, {"d", "held"}}));
}

TEST(ExtenderWireTest, AFilterAnswerWithoutNamesPassesNoNode) {
  const ExtenderFilterAnswer answer = ReadFilterAnswer(Ok("{}"));
  EXPECT_EQ(answer.error, "");
  EXPECT_TRUE(answer.passed.empty());
  EXPECT_TRUE(answer.refused.empty());
}

TEST(ExtenderWireTest, AFilterAnswerThatCannotBeUsedIsOneWithAnErrorAndNoNode) {
  EXPECT_EQ(ReadFilterAnswer(Ok(R"({"NodeNames":null,"Error":"not yet"})")).error, "not yet");
  const std::string good = R"({"NodeNames":["a"]})";
  EXPECT_EQ(ReadFilterAnswer(Ok(good)).passed, std::vector<std::string>{"a"});
  const ExtenderFilterAnswer failed = ReadFilterAnswer({.status = 500, .body = good});
  EXPECT_EQ(failed.error, "failed filter with extender, code 500");
  EXPECT_TRUE(failed.passed.empty());
  for (const char* body : {"", "[]", "{", R"({"NodeNames":3})"}) {
    const ExtenderFilterAnswer answer = ReadFilterAnswer(Ok(body));
    EXPECT_NE(answer.error, "") << body;
    EXPECT_TRUE(answer.passed.empty()) << body;
  }
}

TEST(ExtenderWireTest, ScoresAreReadByNode) {
  EXPECT_EQ(ReadPrioritizeAnswer(Ok(R"([{"Host":"a","Score":10},{"Host":"b","Score":0}])")),
            (Scores{{"a", 10}, {"b", 0}}));
}

TEST(ExtenderWireTest, WherePrioritizeFailsThereAreNoScores) {
  const std::string good = R"([{"Host":"a","Score":10}])";
  EXPECT_EQ(ReadPrioritizeAnswer(Ok(good)), (Scores{{"a", 10}}));
  EXPECT_EQ(ReadPrioritizeAnswer({.status = 503, .body = good}), Scores());
  for (const char* body : {"", "{}", R"([{"Host":"a","Score":1.5}])"}) {
    EXPECT_EQ(ReadPrioritizeAnswer(Ok(body)), Scores()) << body;
  }
}

TEST(ExtenderWireTest, BindNamesThePodItsUidAndTheNode) {
  EXPECT_EQ(BindBody({7, PodUid{"u-p"}, {"ns", "p"}, "n\"1"}),
            R"({"PodName":"p","PodNamespace":"ns","PodUID":"u-p","Node":"n\"1"})");
}

TEST(ExtenderWireTest, APodIsBoundOnlyWhereTheAnswerIsOkAndWithoutAnError) {
  EXPECT_EQ(ReadBindAnswer(Ok(R"({"Error":""})")), "");
  EXPECT_EQ(ReadBindAnswer(Ok(R"({"Error":"gang ns/g unwound"})")), "gang ns/g unwound");
  EXPECT_EQ(ReadBindAnswer({.status = 503, .body = R"({"Error":""})"}),
            "failed bind with extender, code 503");
  for (const char* body : {"", "[]", R"({"Error":3})"}) {
    EXPECT_NE(ReadBindAnswer(Ok(body)), "") << body;
  }
}

}  // namespace
}  // namespace gangpack::server
