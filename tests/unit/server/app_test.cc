// The whole server over real sockets, around a cluster from manifests.
#include "server/app.h"

#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/cluster_input.h"
#include "server/embedded_cluster.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kBound[] = R"({"Error":""})";

// Two nodes of one rack, and a gang of two that needs both.
constexpr char kManifests[] = R"(
kind: List
apiVersion: v1
items:
- {apiVersion: v1, kind: Node, metadata: {name: a1, labels: {rack: a}}, status: {capacity: {cpu: "1"}}}
- {apiVersion: v1, kind: Node, metadata: {name: a2, labels: {rack: a}}, status: {capacity: {cpu: "1"}}}
- {apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {namespace: ns, name: g},
   spec: {minMember: 2}}
- {apiVersion: v1, kind: Pod, metadata: {namespace: ns, name: w-0, uid: u-w-0, labels: {scheduling.x-k8s.io/pod-group: g}},
   spec: {containers: [{name: c, resources: {requests: {cpu: "1"}}}]}}
- {apiVersion: v1, kind: Pod, metadata: {namespace: ns, name: w-1, uid: u-w-1, labels: {scheduling.x-k8s.io/pod-group: g}},
   spec: {containers: [{name: c, resources: {requests: {cpu: "1"}}}]}}
)";

class AppTest : public testing::Test {
 protected:
  void Start(absl::Duration permit_timeout = absl::Minutes(10)) {
    auto cluster = std::make_unique<EmbeddedCluster>("ome-scheduler", &clock_);
    std::istringstream in(kManifests);
    cluster->Change([&](ManifestCluster& paper) {
      EXPECT_THAT(LoadCluster({"-"}, in, paper).faults, ElementsAre());
    });
    cluster_ = cluster.get();
    AppOptions options;
    options.policy.default_topology_key = "rack";
    options.policy.permit_timeout = permit_timeout;
    options.on_transition = [this](const GangTransition& transition) {
      const MutexLock lock(&mutex_);
      transitions_.push_back(transition.kind);
    };
    auto app = App::Start(options, std::move(cluster), &clock_);
    ASSERT_TRUE(app.ok()) << app.status();
    app_ = *std::move(app);
  }

  // The call is sent; its answer may come later.
  RawHttpClient Bind(const std::string& pod, const std::string& node) {
    RawHttpClient client(app_->bind_port());
    EXPECT_TRUE(client.Send(PostText(
        "/bind", absl::StrCat(R"({"PodName":")", pod, R"(","PodNamespace":"ns","PodUID":"u-)", pod,
                              R"(","Node":")", node, R"("})"))));
    return client;
  }

  std::string Get(const std::string& path) {
    return RawHttpClient(app_->filter_port()).Get(path).body;
  }

  // True once /v1/pods has the text, or the state of the pod is as it says.
  bool PodsCome(const std::string& text) {
    const absl::Time end = absl::Now() + absl::Seconds(30);
    while (Get("/v1/pods").find(text) == std::string::npos) {
      if (absl::Now() > end) return false;
      std::this_thread::yield();
    }
    return true;
  }

  std::string NodeOf(const std::string& pod) {
    std::string node;
    cluster_->Change([&](ManifestCluster& paper) {
      node = paper.FindPod({"ns", pod})->pod.node_name;
    });
    return node;
  }

  k8s::SystemClock clock_;
  Mutex mutex_;
  std::vector<GangTransitionKind> transitions_;
  EmbeddedCluster* cluster_ = nullptr;  // The app owns it.
  std::unique_ptr<App> app_;
};

TEST_F(AppTest, ItServesWhatTheClusterHasFromTheFirstCallOn) {
  Start();
  EXPECT_EQ(app_->filter_url(), absl::StrCat("http://127.0.0.1:", app_->filter_port()));
  EXPECT_EQ(app_->bind_url(), absl::StrCat("http://127.0.0.1:", app_->bind_port()));
  EXPECT_EQ(RawHttpClient(app_->filter_port()).Get("/readyz").status, 200);
  EXPECT_THAT(Get("/v1/gangs"), HasSubstr("\"name\": \"g\""));
}

TEST_F(AppTest, AHeldBindIsAnsweredWhenTheGangIsCompleteAndItsPodIsBound) {
  Start();
  RawHttpClient first = Bind("w-0", "a1");
  ASSERT_TRUE(PodsCome("\"Waiting\"")) << Get("/v1/pods");
  EXPECT_EQ(NodeOf("w-0"), "") << "nothing is bound alone";
  RawHttpClient second = Bind("w-1", "a2");
  EXPECT_EQ(first.Receive().body, kBound);
  EXPECT_EQ(second.Receive().body, kBound);
  EXPECT_EQ(NodeOf("w-0"), "a1");
  EXPECT_EQ(NodeOf("w-1"), "a2");
  app_->Stop();
  EXPECT_THAT(transitions_,
              ElementsAre(GangTransitionKind::kPinned, GangTransitionKind::kWaiting,
                          GangTransitionKind::kWaiting, GangTransitionKind::kComplete));
}

TEST_F(AppTest, MetricsAreAPageOfTheFilterListenerInPrometheusTextFormat) {
  Start();
  RawHttpClient first = Bind("w-0", "a1");
  ASSERT_TRUE(PodsCome("\"Waiting\""));
  app_->AwaitIdle();
  const RawAnswer answer = RawHttpClient(app_->filter_port()).Get("/metrics");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(answer.body, HasSubstr("\ngangpack_synchronised 1\n"));
  EXPECT_THAT(answer.body, HasSubstr("\ngangpack_permit_waiters 1\n"));
  EXPECT_THAT(answer.body, HasSubstr("\ngangpack_connections{listener=\"bind\"} 1\n"));
  EXPECT_THAT(answer.body, HasSubstr("\nome_scheduler_gang_pin_total{result=\"pinned\"} 1\n"));
  EXPECT_EQ(RawHttpClient(app_->bind_port()).Get("/metrics").status, 404);
}

TEST_F(AppTest, ACallerThatHangsUpWaitsNoMoreAndMayComeBack) {
  Start();
  RawHttpClient first = Bind("w-0", "a1");
  ASSERT_TRUE(PodsCome("\"Waiting\""));
  first.HangUp();
  const absl::Time end = absl::Now() + absl::Seconds(30);
  while (Get("/v1/pods").find("\"Waiting\"") != std::string::npos && absl::Now() < end) {
    std::this_thread::yield();
  }
  EXPECT_EQ(Get("/v1/pods").find("\"Waiting\""), std::string::npos);
  RawHttpClient again = Bind("w-0", "a1");
  RawHttpClient second = Bind("w-1", "a2");
  EXPECT_EQ(again.Receive().body, kBound);
  EXPECT_EQ(second.Receive().body, kBound);
}

TEST_F(AppTest, AWaitEndsWithAnErrorWhenItsTimeIsOver) {
  Start(absl::Milliseconds(50));
  const RawAnswer answer = Bind("w-0", "a1").Receive();
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("gang ns/g"));
  EXPECT_EQ(NodeOf("w-0"), "");
}

TEST_F(AppTest, AChangeOfTheClusterReachesTheEngine) {
  Start();
  RawHttpClient first = Bind("w-0", "a1");
  ASSERT_TRUE(PodsCome("\"Waiting\""));
  cluster_->Change([](ManifestCluster& paper) {
    EXPECT_TRUE(paper.DeletePod({"ns", "w-0"}).ok());
  });
  EXPECT_THAT(first.Receive().body, HasSubstr("gang ns/g")) << "the pod is gone, so is its wait";
  EXPECT_EQ(Get("/v1/pods").find("w-0"), std::string::npos);
}

TEST_F(AppTest, StopAnswersHeldBindsWithAnErrorAtOnceAndMayBeRepeated) {
  Start();
  RawHttpClient held = Bind("w-0", "a1");
  ASSERT_TRUE(PodsCome("\"Waiting\""));
  const absl::Time begin = absl::Now();
  app_->Stop();
  EXPECT_LT(absl::Now() - begin, absl::Seconds(2));
  const RawAnswer answer = held.Receive();
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("stopping"));
  EXPECT_EQ(NodeOf("w-0"), "");
  app_->Stop();
}

TEST_F(AppTest, APortThatIsTakenIsAnError) {
  Start();
  AppOptions options;
  options.http.bind.port = app_->bind_port();
  const auto other =
      App::Start(options, std::make_unique<EmbeddedCluster>("ome-scheduler", &clock_), &clock_);
  EXPECT_EQ(other.status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace gangpack::server
