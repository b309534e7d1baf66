#include "k8s/api_client.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Gives the answer that it was told, and remembers what it was asked.
class FakeTransport final : public Transport {
 public:
  absl::StatusOr<HttpResponse> Call(const HttpRequest& request) override {
    asked = absl::StrCat(request.method, " ", request.target);
    content_type = request.content_type;
    body = request.body;
    return answer;
  }

  std::unique_ptr<ByteStream> OpenStream(std::string target, absl::Duration silence) override {
    asked = target;
    silence_max = silence;
    return std::make_unique<FakeStream>(this);
  }
  void Shutdown() override {}

  std::string asked;
  std::string content_type;
  std::string body;
  absl::Duration silence_max;
  absl::StatusOr<HttpResponse> answer = HttpResponse{200, "{}", {}};
  std::vector<std::string> pieces;  // Of a stream, which ends with `answer`.

 private:
  class FakeStream final : public ByteStream {
   public:
    explicit FakeStream(FakeTransport* transport) : transport_(transport) {}
    absl::StatusOr<HttpResponse> Run(const StreamSink& sink) override {
      if (transport_->pieces.empty()) return transport_->answer;
      sink.opened();
      for (const std::string& piece : transport_->pieces) {
        if (!sink.received(piece)) return absl::CancelledError("cancelled");
      }
      return transport_->answer;
    }
    void Cancel() override {}

   private:
    FakeTransport* transport_;
  };
};

class ApiClientTest : public testing::Test {
 protected:
  void Answer(int status, std::string body = "{}") {
    transport_.answer = HttpResponse{status, std::move(body), {}};
  }
  // The inputs that a watch hands on, as text.
  std::vector<std::string> Watch(size_t wanted = 100) {
    std::vector<std::string> found;
    const auto stream =
        client_.OpenWatch(ResourceType::kNamespaces, {"1 2", absl::Milliseconds(300'500)});
    client_.Watch(ResourceType::kNamespaces, stream.get(), [&](ReflectorInput input) {
      found.push_back(Told(input));
      return found.size() < wanted;
    });
    return found;
  }
  static std::string Told(const ReflectorInput& input) {
    if (std::holds_alternative<StreamOpened>(input)) return "opened";
    if (const auto* event = std::get_if<WatchEvent>(&input)) {
      return absl::StrCat("event ", event->record.resource_version);
    }
    if (const auto* failed = std::get_if<RequestFailed>(&input)) {
      return absl::StrCat("failed ", failed->failure.code, " ", failed->failure.message);
    }
    const auto& ended = std::get<StreamEnded>(input);
    return absl::StrCat("ended ", static_cast<int>(ended.cause), " ", ended.message);
  }

  FakeTransport transport_;
  ApiClient client_{&transport_};
};

constexpr char kBookmark[] =
    "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":";

TEST_F(ApiClientTest, AnObjectIsReadByNamespaceAndName) {
  Answer(200, R"({"metadata":{"name":"g","namespace":"n","uid":"u"},"spec":{"minMember":2}})");
  const auto record = client_.Get(ResourceType::kPodGroups, {"n", "g", ""});
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(transport_.asked, "GET /apis/scheduling.x-k8s.io/v1alpha1/namespaces/n/podgroups/g");
  EXPECT_EQ(record->identity.uid, "u");
  Answer(200, R"({"metadata":{"name":"x"}})");
  EXPECT_TRUE(client_.Get(ResourceType::kNodes, {"", "x y/z", ""}).ok());
  EXPECT_EQ(transport_.asked, "GET /api/v1/nodes/x%20y%2Fz");
}

TEST_F(ApiClientTest, AnObjectThatCannotBeReadIsLostData) {
  for (const char* body : {"", "{", "{}{}", R"({"metadata":{"name":"x","labels":1}})"}) {
    Answer(200, body);
    EXPECT_EQ(client_.Get(ResourceType::kNodes, {"", "x", ""}).status().code(),
              absl::StatusCode::kDataLoss)
        << body;
  }
}

TEST_F(ApiClientTest, ARefusalCarriesTheServersMessage) {
  Answer(404, R"({"kind":"Status","message":"nodes \"x\" not found","reason":"NotFound"})");
  EXPECT_EQ(client_.Get(ResourceType::kNodes, {"", "x", ""}).status(),
            absl::NotFoundError("nodes \"x\" not found (HTTP 404 NotFound)"));
  transport_.answer = absl::DeadlineExceededError("silent");
  EXPECT_EQ(client_.Get(ResourceType::kNodes, {"", "x", ""}).status(),
            absl::DeadlineExceededError("silent"));
}

TEST_F(ApiClientTest, AListIsAskedForPageByPage) {
  Answer(200, R"({"metadata":{"resourceVersion":"9"},"items":[]})");
  const ReflectorInput page = client_.List(ResourceType::kPods, {500, ""});
  EXPECT_EQ(transport_.asked, "GET /api/v1/pods?limit=500");
  EXPECT_EQ(std::get<ListPage>(page).resource_version, "9");
  client_.List(ResourceType::kPods, {500, "a+b/c="});
  EXPECT_EQ(transport_.asked, "GET /api/v1/pods?limit=500&continue=a%2Bb%2Fc%3D");
}

TEST_F(ApiClientTest, AListThatFailsSaysHow) {
  transport_.answer = HttpResponse{429, "slow down", absl::Seconds(3)};
  const ReflectorInput busy = client_.List(ResourceType::kPods, {500, ""});
  EXPECT_EQ(Told(busy), "failed 429 slow down");
  EXPECT_EQ(std::get<RequestFailed>(busy).failure.retry_after, absl::Seconds(3));
  transport_.answer = absl::UnavailableError("refused");
  EXPECT_EQ(Told(client_.List(ResourceType::kPods, {500, ""})), "failed 0 refused");
  Answer(200, "{}");
  EXPECT_THAT(Told(client_.List(ResourceType::kPods, {500, ""})), HasSubstr("failed 500 list of"));
}

TEST_F(ApiClientTest, AWatchAsksForBookmarksFromAVersionForATime) {
  Watch();
  EXPECT_EQ(transport_.asked,
            "/api/v1/namespaces?watch=true&allowWatchBookmarks=true&resourceVersion=1%202"
            "&timeoutSeconds=300");
  EXPECT_EQ(transport_.silence_max, kWatchSilenceMax);
}

TEST_F(ApiClientTest, AWatchHandsOnItsEventsAndItsEnd) {
  transport_.pieces = {kBookmark, "\"1\"}}}\n", absl::StrCat(kBookmark, "\"2\"}}}\n")};
  EXPECT_THAT(Watch(), ElementsAre("opened", "event 1", "event 2", "ended 0 "));
}

TEST_F(ApiClientTest, AWatchThatEndsInsideAnEventOrWithAnErrorIsBroken) {
  transport_.pieces = {kBookmark};
  EXPECT_THAT(Watch(), ElementsAre("opened", HasSubstr("ended 1 watch of namespaces: the stream")));
  transport_.answer = absl::DeadlineExceededError("nothing came");
  EXPECT_THAT(Watch(), ElementsAre("opened", "ended 1 nothing came"));
}

TEST_F(ApiClientTest, AWatchThatCannotBeUnderstoodIsUnreadable) {
  transport_.pieces = {"hello\n", "more\n"};
  EXPECT_THAT(Watch(), ElementsAre("opened", HasSubstr("ended 2 watch of namespaces:1: bad JSON")));
}

TEST_F(ApiClientTest, AWatchThatIsRefusedHasFailed) {
  Answer(410, "gone");
  EXPECT_THAT(Watch(), ElementsAre("failed 410 gone"));
  transport_.answer = absl::UnavailableError("refused");
  EXPECT_THAT(Watch(), ElementsAre("failed 0 refused"));
}

TEST_F(ApiClientTest, AWatchOfWhichNoMoreIsWantedHandsOnNothingMore) {
  transport_.pieces = {absl::StrCat(kBookmark, "\"1\"}}}\n", kBookmark, "\"2\"}}}\n"), "bad\n"};
  EXPECT_THAT(Watch(2), ElementsAre("opened", "event 1"));
}

TEST_F(ApiClientTest, WritesGoToTheirPathsWithTheirTypes) {
  const ObjectIdentity pod = {"n", "p", "u"};
  EXPECT_TRUE(client_.Bind({pod, "node"}).ok());
  EXPECT_EQ(transport_.asked, "POST /api/v1/namespaces/n/pods/p/binding");
  EXPECT_EQ(transport_.content_type, "application/json");
  EXPECT_THAT(transport_.body, HasSubstr(R"("uid":"u")"));

  EXPECT_TRUE(client_.PatchPodAnnotation(pod, {"k", "v"}).ok());
  EXPECT_EQ(transport_.asked, "PATCH /api/v1/namespaces/n/pods/p");
  EXPECT_EQ(transport_.content_type, "application/merge-patch+json");

  EXPECT_TRUE(client_.PatchNomination({pod, ""}).ok());
  EXPECT_EQ(transport_.asked, "PATCH /api/v1/namespaces/n/pods/p/status");
  EXPECT_EQ(transport_.content_type, "application/merge-patch+json");

  ApiEvent event;
  event.name = "e";
  EXPECT_TRUE(client_.CreateEvent(event).ok());
  EXPECT_EQ(transport_.asked, "POST /apis/events.k8s.io/v1/namespaces/default/events");
  event.regarding.identity.namespace_name = "n";
  EXPECT_TRUE(client_.RepeatEvent(event, {2, absl::UnixEpoch()}).ok());
  EXPECT_EQ(transport_.asked, "PATCH /apis/events.k8s.io/v1/namespaces/n/events/e");
  EXPECT_EQ(transport_.content_type, "application/merge-patch+json");
}

TEST_F(ApiClientTest, AConflictIsAborted) {
  Answer(409, R"({"kind":"Status","message":"already assigned","reason":"Conflict"})");
  EXPECT_EQ(client_.Bind({{"n", "p", "u"}, "node"}).code(), absl::StatusCode::kAborted);
}

TEST_F(ApiClientTest, AnAccessQuestionIsAnsweredWithAReason) {
  Answer(201, R"({"status":{"allowed":false,"reason":"no role"}})");
  const auto answer = client_.MayI({"list", "", "pods", "", ""});
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_FALSE(answer->allowed);
  EXPECT_EQ(answer->reason, "no role");
  Answer(201, R"({"status":{"allowed":true}})");
  EXPECT_TRUE(client_.MayI({"list", "", "pods", "", ""})->allowed);
  Answer(201, R"({"status":{}})");
  EXPECT_EQ(client_.MayI({}).status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(ApiClientTest, TheVersionIsReadWithoutWhatVendorsAdd) {
  Answer(200, R"({"major":"1","minor":"30+","gitVersion":"v1.30.2-gke.1"})");
  const auto version = client_.Version();
  ASSERT_TRUE(version.ok()) << version.status();
  EXPECT_EQ(transport_.asked, "GET /version");
  EXPECT_EQ(version->major, 1);
  EXPECT_EQ(version->minor, 30);
  EXPECT_EQ(version->text, "v1.30.2-gke.1");
  Answer(200, "{}");
  EXPECT_EQ(client_.Version().status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace gangpack::k8s
