#include "server/kubernetes/pod_writer.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/kubernetes/scripted_transport.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Answer = ScriptedTransport::Answer;

constexpr char kPost[] = "POST /api/v1/namespaces/ns/pods/w-0/binding";
constexpr char kGet[] = "GET /api/v1/namespaces/ns/pods/w-0";

Answer Status(int code) { return k8s::HttpResponse{code, absl::StrCat("status ", code), {}}; }
Answer Later(int code, absl::Duration after) {
  return k8s::HttpResponse{code, absl::StrCat("status ", code), after};
}
Answer Lost() { return absl::UnavailableError("connection closed"); }
Answer PodJson(const std::string& uid, const std::string& spec, const std::string& meta = "") {
  return k8s::HttpResponse{200,
                           absl::StrCat(R"({"metadata":{"namespace":"ns","name":"w-0","uid":")",
                                        uid, R"(","resourceVersion":"7")", meta, R"(},"spec":{)",
                                        spec, R"("containers":[{"name":"c"}]}})"),
                           {}};
}

// Stands still, but for what is waited for.
class WaitedClock final : public k8s::Clock {
 public:
  absl::Time Now() override { return now_; }
  void Pass(absl::Duration duration) { now_ += duration; }

 private:
  absl::Time now_ = absl::FromUnixSeconds(1'700'000'000);
};

class PodWriterTest : public testing::Test {
 protected:
  PodWriterTest()
      : writer_(PodWriter::Options(), &client_, &clock_, [this](absl::Duration duration) {
          waits_.push_back(duration);
          clock_.Pass(duration);
          return !stopping_;
        }) {}

  absl::Status Bind() { return writer_.Bind({{"u-0"}, {"ns", "w-0"}, "n1"}); }
  absl::Status Wake() { return writer_.Wake({{"u-0"}, {"ns", "w-0"}, WakeTrigger::kPermit}); }

  ScriptedTransport transport_;
  k8s::ApiClient client_{&transport_};
  WaitedClock clock_;
  std::vector<absl::Duration> waits_;
  bool stopping_ = false;
  PodWriter writer_;
};

// What the server answers, what comes of it, and what was sent.
struct BindRow {
  const char* name;
  std::vector<Answer> answers;
  absl::StatusCode code;
  std::string error;              // a part of it
  std::vector<std::string> sent;  // how each call begins
};

class BindTableTest : public PodWriterTest, public testing::WithParamInterface<BindRow> {};

TEST_P(BindTableTest, EndsAsTheTableSays) {
  const BindRow& row = GetParam();
  for (const Answer& answer : row.answers) transport_.Script(answer);
  transport_.SetHandler([](const k8s::HttpRequest& request) {
    ADD_FAILURE() << "not expected: " << request.method << " " << request.target;
    return Status(404);
  });
  const absl::Status status = Bind();
  EXPECT_EQ(status.code(), row.code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(row.error));
  const std::vector<std::string> calls = transport_.Calls();
  ASSERT_EQ(calls.size(), row.sent.size());
  for (size_t i = 0; i < calls.size(); ++i) EXPECT_THAT(calls[i], StartsWith(row.sent[i]));
}

const std::vector<std::string> kAskedOnce = {kPost, kGet};
const std::vector<std::string> kTwice = {kPost, kGet, kPost};

INSTANTIATE_TEST_SUITE_P(
    All, BindTableTest,
    testing::Values(
        BindRow{"Created", {Status(201)}, absl::StatusCode::kOk, "", {kPost}},
        BindRow{"NoPermission", {Status(403)}, absl::StatusCode::kPermissionDenied, "403", {kPost}},
        BindRow{"PodIsGone", {Status(404)}, absl::StatusCode::kNotFound, "404", {kPost}},
        BindRow{"BoundAsWantedAlready",
                {Status(409), PodJson("u-0", R"("nodeName":"n1",)")},
                absl::StatusCode::kOk,
                "",
                kAskedOnce},
        BindRow{"BoundElsewhere",
                {Status(409), PodJson("u-0", R"("nodeName":"n2",)")},
                absl::StatusCode::kAborted,
                "pod ns/w-0 is bound to node n2 already",
                kAskedOnce},
        BindRow{"AnotherPodOfThatName",
                {Status(409), PodJson("u-9", R"("nodeName":"n1",)")},
                absl::StatusCode::kAborted,
                "created anew",
                kAskedOnce},
        BindRow{"BeingDeleted",
                {Status(409), PodJson("u-0", "", R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")")},
                absl::StatusCode::kAborted,
                "being deleted",
                kAskedOnce},
        BindRow{"Gated",
                {Status(409), PodJson("u-0", R"("schedulingGates":[{"name":"g"}],)")},
                absl::StatusCode::kAborted,
                "scheduling gates",
                kAskedOnce},
        BindRow{"AnswerLostButItWorked",
                {Lost(), PodJson("u-0", R"("nodeName":"n1",)")},
                absl::StatusCode::kOk,
                "",
                kAskedOnce},
        BindRow{"AnswerLostAndItDidNot",
                {Lost(), PodJson("u-0", ""), Status(201)},
                absl::StatusCode::kOk,
                "",
                kTwice},
        BindRow{"AnswerLostAndThePodIsGone",
                {Lost(), Status(404)},
                absl::StatusCode::kAborted,
                "was deleted",
                kAskedOnce},
        BindRow{"ServerErrorThenWell",
                {Status(500), PodJson("u-0", ""), Status(201)},
                absl::StatusCode::kOk,
                "",
                kTwice},
        BindRow{"TimeOut",
                {Status(504), PodJson("u-0", R"("nodeName":"n1",)")},
                absl::StatusCode::kOk,
                "",
                kAskedOnce},
        BindRow{"NeitherCouldBeAsked",
                {Lost(), Lost(), Lost(), Lost(), Status(201)},
                absl::StatusCode::kOk,
                "",
                {kPost, kGet, kPost, kGet, kPost}},
        BindRow{"TooManyRequestsIsNoReasonToLook",
                {Status(429), Status(201)},
                absl::StatusCode::kOk,
                "",
                {kPost, kPost}}),
    [](const testing::TestParamInfo<BindRow>& info) { return info.param.name; });

TEST_F(PodWriterTest, ABindingNamesThePodsUidAndTheNode) {
  transport_.Script(Status(201));
  ASSERT_TRUE(Bind().ok());
  EXPECT_THAT(transport_.Calls().front(),
              AllOf(HasSubstr(R"("uid":"u-0")"), HasSubstr(R"("name":"n1")")));
}

TEST_F(PodWriterTest, RetryAfterIsWaitedFor) {
  transport_.Script(Later(429, absl::Seconds(7)));
  transport_.Script(Later(503, absl::Seconds(9)));
  transport_.Script(PodJson("u-0", ""));
  transport_.Script(Status(201));
  EXPECT_TRUE(Bind().ok());
  EXPECT_THAT(waits_, ElementsAre(absl::Seconds(7), absl::Seconds(9)));
}

TEST_F(PodWriterTest, ARetryAfterWithoutMeasureIsCut) {
  transport_.Script(Later(429, absl::Seconds(31)));
  transport_.Script(Status(201));
  EXPECT_TRUE(Bind().ok());
  EXPECT_THAT(waits_, ElementsAre(absl::Seconds(30)));
}

TEST_F(PodWriterTest, DelaysGrowAndTriesEndAfterAMinute) {
  transport_.SetHandler([](const k8s::HttpRequest&) { return Lost(); });
  EXPECT_EQ(Bind().code(), absl::StatusCode::kUnavailable);
  ASSERT_GE(waits_.size(), 6u);
  EXPECT_EQ(waits_[0], absl::Milliseconds(200));
  EXPECT_EQ(waits_[1], absl::Milliseconds(400));
  EXPECT_EQ(waits_.back(), absl::Seconds(5));
  absl::Duration total;
  for (const absl::Duration wait : waits_) total += wait;
  EXPECT_LE(total, absl::Minutes(1));
  EXPECT_GT(total + absl::Seconds(5), absl::Minutes(1)) << "the next wait was too much";
}

TEST_F(PodWriterTest, StoppingEndsTheTries) {
  transport_.SetHandler([](const k8s::HttpRequest&) { return Lost(); });
  stopping_ = true;
  EXPECT_EQ(Bind().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(waits_.size(), 1u);
}

TEST_F(PodWriterTest, AWakeIsOnePatchWithTheUidAndAValueThatChanges) {
  transport_.Script(Status(200));
  transport_.Script(Status(200));
  EXPECT_TRUE(Wake().ok());
  clock_.Pass(absl::Microseconds(1));
  EXPECT_TRUE(Wake().ok());
  const std::vector<std::string> calls = transport_.Calls();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_THAT(calls, Each(AllOf(StartsWith("PATCH /api/v1/namespaces/ns/pods/w-0 "),
                                HasSubstr(R"("uid":"u-0")"), HasSubstr("gangpack.io/wake"))));
  EXPECT_NE(calls[0], calls[1]);
}

TEST_F(PodWriterTest, AWakeOfAPodThatIsGoneOrAnotherOneIsDone) {
  for (const int code : {404, 409, 422}) {
    transport_.Script(Status(code));
    EXPECT_TRUE(Wake().ok()) << code;
  }
  EXPECT_EQ(transport_.Calls().size(), 3u);
}

TEST_F(PodWriterTest, AWakeThatIsNotAnsweredIsTriedAgain) {
  transport_.Script(Lost());
  transport_.Script(Status(429));
  transport_.Script(Status(200));
  EXPECT_TRUE(Wake().ok());
  EXPECT_EQ(transport_.Calls().size(), 3u);
}

TEST_F(PodWriterTest, AForbiddenWakeIsAnErrorAtOnce) {
  transport_.Script(Status(403));
  EXPECT_EQ(Wake().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(waits_, IsEmpty());
}

TEST_F(PodWriterTest, ClearingANominationPatchesTheStatus) {
  transport_.Script(Status(200));
  EXPECT_TRUE(writer_.Clear({{"u-0"}, {"ns", "w-0"}}).ok());
  EXPECT_THAT(transport_.Calls(),
              ElementsAre(AllOf(StartsWith("PATCH /api/v1/namespaces/ns/pods/w-0/status "),
                                HasSubstr(R"("uid":"u-0")"),
                                EndsWith(R"("status":{"nominatedNodeName":null}})"))));
}

}  // namespace
}  // namespace gangpack::server
