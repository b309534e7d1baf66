// The whole server around an API server that the test plays: pods in, bindings out.
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/clock.h"
#include "server/app.h"
#include "server/kubernetes/kubernetes_cluster.h"
#include "tests/unit/server/kubernetes/scripted_transport.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kBound[] = R"({"Error":""})";
constexpr char kPods[] = "/api/v1/pods";

std::string PodJson(const std::string& name) {
  return absl::StrCat(R"({"metadata":{"namespace":"ns","name":")", name, R"(","uid":"u-)", name,
                      R"(","resourceVersion":"3","labels":{"scheduling.x-k8s.io/pod-group":"g"}},)",
                      R"("spec":{"schedulerName":"ome-scheduler","containers":[{"name":"c",)",
                      R"("resources":{"requests":{"cpu":"1"}}}]}})");
}
std::string NodeJson(const std::string& name) {
  return absl::StrCat(
      R"({"metadata":{"name":")", name, R"(","uid":"u-)", name,
      R"(","labels":{"rack":"a"}},"status":{"allocatable":{"cpu":"1","pods":"10"}}})");
}

// Lists what it was given, and binds whatever it is told to.
class KubernetesAppTest : public testing::Test {
 protected:
  KubernetesAppTest() {
    lists_ = {
        {"/api/v1/nodes", {NodeJson("a1"), NodeJson("a2")}},
        {kPods, {PodJson("w-0"), PodJson("w-1")}},
        {"/api/v1/namespaces", {R"({"metadata":{"name":"ns","uid":"u-ns"}})"}},
        {"/apis/scheduling.x-k8s.io/v1alpha1/podgroups",
         {R"({"metadata":{"namespace":"ns","name":"g","uid":"u-g"},"spec":{"minMember":2}})"}}};
    transport_.SetHandler([this](const k8s::HttpRequest& request) { return Answer(request); });
  }
  ~KubernetesAppTest() override { app_.reset(); }

  k8s::HttpResponse Answer(const k8s::HttpRequest& request) {
    const MutexLock lock(&mutex_);
    if (request.method != "GET") return {201, "{}", {}};
    const auto found = lists_.find(request.target.substr(0, request.target.find('?')));
    if (found == lists_.end()) return {404, "", {}};
    if (forbidden_ == found->first) {
      return {403, R"({"kind":"Status","reason":"Forbidden","message":"pods is forbidden"})", {}};
    }
    return {200,
            absl::StrCat(R"({"metadata":{"resourceVersion":"5"},"items":[)",
                         absl::StrJoin(found->second, ","), "]}"),
            {}};
  }

  void Start() {
    KubernetesCluster::Options options;
    options.watches.backoff = {absl::Milliseconds(1), absl::Milliseconds(1), absl::Seconds(10)};
    AppOptions app_options;
    app_options.policy.default_topology_key = "rack";
    app_options.effect_lanes = 4;
    auto app = App::Start(
        app_options, std::make_unique<KubernetesCluster>(options, &transport_, &clock_), &clock_);
    ASSERT_TRUE(app.ok()) << app.status();
    app_ = *std::move(app);
  }

  RawAnswer Get(const std::string& path) { return RawHttpClient(app_->filter_port()).Get(path); }

  bool Comes(const std::string& path, const std::string& text) {
    const absl::Time end = absl::Now() + absl::Seconds(30);
    while (Get(path).body.find(text) == std::string::npos) {
      if (absl::Now() > end) return false;
      std::this_thread::yield();
    }
    return true;
  }

  RawHttpClient Bind(const std::string& pod, const std::string& node) {
    RawHttpClient client(app_->bind_port());
    EXPECT_TRUE(client.Send(PostText(
        "/bind", absl::StrCat(R"({"PodName":")", pod, R"(","PodNamespace":"ns","PodUID":"u-)", pod,
                              R"(","Node":")", node, R"("})"))));
    return client;
  }

  std::string Filter(const std::string& pod) {
    return RawHttpClient(app_->filter_port())
        .Post("/filter",
              absl::StrCat(R"({"Pod":)", PodJson(pod), R"(,"Nodes":null,"NodeNames":["a1","a2"]})"))
        .body;
  }

  size_t Bindings() {
    size_t bindings = 0;
    for (const std::string& call : transport_.Calls()) {
      if (absl::StrContains(call, "/binding")) ++bindings;
    }
    return bindings;
  }

  k8s::SystemClock clock_;
  Mutex mutex_;
  std::map<std::string, std::vector<std::string>> lists_ ABSL_GUARDED_BY(mutex_);
  std::string forbidden_ ABSL_GUARDED_BY(mutex_);
  ScriptedTransport transport_;
  std::unique_ptr<App> app_;
};

TEST_F(KubernetesAppTest, AGangOfTwoIsBoundThroughTheApiServerWhenBothWait) {
  Start();
  ASSERT_TRUE(Comes("/readyz", "ok"));
  EXPECT_THAT(Filter("w-0"), HasSubstr(R"("NodeNames":["a)"));
  RawHttpClient first = Bind("w-0", "a1");
  ASSERT_TRUE(Comes("/v1/pods", "\"Waiting\""));
  EXPECT_EQ(Bindings(), 0u) << "nothing is bound alone";
  RawHttpClient second = Bind("w-1", "a2");
  EXPECT_EQ(first.Receive().body, kBound);
  EXPECT_EQ(second.Receive().body, kBound);
  EXPECT_EQ(Bindings(), 2u);
  EXPECT_THAT(transport_.Calls(),
              Contains(AllOf(StartsWith("POST /api/v1/namespaces/ns/pods/w-0/binding "),
                             HasSubstr(R"("uid":"u-w-0")"), HasSubstr(R"("name":"a1")"))));
}

TEST_F(KubernetesAppTest, NothingIsDecidedWhileAWatchIsForbiddenAndReadyzSaysWhich) {
  {
    const MutexLock lock(&mutex_);
    forbidden_ = kPods;
  }
  Start();
  ASSERT_TRUE(Comes("/readyz", "pods is forbidden"));
  const RawAnswer answer = Get("/readyz");
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, HasSubstr("pods: pods is forbidden"));
  EXPECT_THAT(Filter("w-0"), HasSubstr("FailedAndUnresolvableNodes"));
  EXPECT_THAT(Get("/metrics").body,
              HasSubstr("gangpack_watch_synchronised{resource=\"pods\"} 0\n"));
  {
    const MutexLock lock(&mutex_);
    forbidden_ = "";
  }
  EXPECT_TRUE(Comes("/readyz", "ok"));
  EXPECT_EQ(Get("/readyz").status, 200);
  const std::string metrics = Get("/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("gangpack_watch_synchronised{resource=\"pods\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("gangpack_watch_lists_total{resource=\"nodes\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("gangpack_watch_lag_seconds{resource=\"nodes\"} "));
}

TEST_F(KubernetesAppTest, APodThatTheWatchHasNotShownIsKnownFromItsOwnCall) {
  {
    const MutexLock lock(&mutex_);
    lists_[kPods] = {PodJson("w-0")};
  }
  Start();
  ASSERT_TRUE(Comes("/readyz", "ok"));
  EXPECT_THAT(Filter("w-1"), HasSubstr(R"("NodeNames":["a)"));
  EXPECT_TRUE(Comes("/v1/pods", "w-1"));
}

TEST_F(KubernetesAppTest, APodThatTheWatchHasShownGoneIsNotKnownFromItsCall) {
  Start();
  ASSERT_TRUE(Comes("/readyz", "ok"));
  transport_.Feed(kPods,
                  absl::StrCat(R"({"type":"DELETED","object":)",
                               R"({"metadata":{"namespace":"ns","name":"w-1","uid":"u-w-1",)",
                               R"("resourceVersion":"9"}}})", "\n"));
  const absl::Time end = absl::Now() + absl::Seconds(30);
  while (absl::StrContains(Get("/v1/pods").body, "w-1") && absl::Now() < end) {
    std::this_thread::yield();
  }
  EXPECT_THAT(Filter("w-1"), HasSubstr(R"("NodeNames":[])"));
  EXPECT_FALSE(absl::StrContains(Get("/v1/pods").body, "w-1"));
}

TEST_F(KubernetesAppTest, AStandalonePodsBindingThatWasMadeWithoutAnAnswerIsSuccess) {
  {
    const MutexLock lock(&mutex_);
    lists_[kPods] = {};
  }
  transport_.SetHandler([this](const k8s::HttpRequest& request) -> ScriptedTransport::Answer {
    if (absl::StrContains(request.target, "/binding")) {
      return absl::UnavailableError("connection closed");
    }
    if (request.target == "/api/v1/namespaces/ns/pods/s") {
      return k8s::HttpResponse{
          200,
          R"({"metadata":{"namespace":"ns","name":"s","uid":"u-s"},"spec":{"nodeName":"a1"}})",
          {}};
    }
    return Answer(request);
  });
  Start();
  ASSERT_TRUE(Comes("/readyz", "ok"));
  transport_.Feed(kPods, absl::StrCat(R"({"type":"ADDED","object":{"metadata":{"namespace":"ns",)",
                                      R"("name":"s","uid":"u-s","resourceVersion":"9"},"spec":)",
                                      R"({"schedulerName":"ome-scheduler"}}})", "\n"));
  ASSERT_TRUE(Comes("/v1/pods", R"("name": "s")"));
  EXPECT_EQ(Bind("s", "a1").Receive().body, kBound);
}

TEST_F(KubernetesAppTest, StopIsPromptWhileTheApiServerDoesNotAnswer) {
  transport_.SetHandler([](const k8s::HttpRequest&) -> ScriptedTransport::Answer {
    return absl::UnavailableError("connection refused");
  });
  Start();
  ASSERT_TRUE(Comes("/readyz", "connection refused"));
  const absl::Time begin = absl::Now();
  app_->Stop();
  EXPECT_LT(absl::Now() - begin, absl::Seconds(20));
}

}  // namespace
}  // namespace gangpack::server
