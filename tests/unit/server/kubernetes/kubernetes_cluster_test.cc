// The watches of a cluster, and the whole server around them, with the API server played by the
// test.
#include "server/kubernetes/kubernetes_cluster.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/kubernetes/scripted_transport.h"

namespace gangpack::server {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr char kNodes[] = "/api/v1/nodes";
constexpr char kPods[] = "/api/v1/pods";
constexpr char kGroups[] = "/apis/scheduling.x-k8s.io/v1alpha1/podgroups";
constexpr char kSpaces[] = "/api/v1/namespaces";

k8s::HttpResponse List(const std::vector<std::string>& items) {
  return {200,
          absl::StrCat(R"({"metadata":{"resourceVersion":"5"},"items":[)",
                       absl::StrJoin(items, ","), "]}"),
          {}};
}
k8s::HttpResponse Refused(int code, const std::string& reason) {
  return {code,
          absl::StrCat(R"({"kind":"Status","reason":")", reason, R"(","message":"told so"})"),
          {}};
}

std::string PodJson(const std::string& name) {
  return absl::StrCat(R"({"metadata":{"namespace":"ns","name":")", name, R"(","uid":"u-)", name,
                      R"(","resourceVersion":"3"},"spec":{"schedulerName":"ome-scheduler",)",
                      R"("containers":[{"name":"c"}]}})");
}

class Sink final : public FactSink {
 public:
  void Apply(const std::vector<Fact>& facts) override {
    const MutexLock lock(&mutex_);
    for (const Fact& fact : facts) {
      if (std::holds_alternative<Synchronised>(fact)) {
        synchronised_after_ = static_cast<int>(count_);
        ++synchronised_;
      } else {
        ++count_;
      }
    }
    changed_.SignalAll();
  }
  bool AwaitSynchronised() {
    const MutexLock lock(&mutex_);
    return changed_.WaitFor(&mutex_, std::chrono::seconds(30), [&] {
      mutex_.AssertHeld();
      return synchronised_ > 0;
    });
  }
  bool AwaitFacts(size_t count) {
    const MutexLock lock(&mutex_);
    return changed_.WaitFor(&mutex_, std::chrono::seconds(30), [&] {
      mutex_.AssertHeld();
      return count_ >= count;
    });
  }
  int synchronised() {
    const MutexLock lock(&mutex_);
    return synchronised_;
  }
  // Facts that came before.
  int synchronised_after() {
    const MutexLock lock(&mutex_);
    return synchronised_after_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  size_t count_ ABSL_GUARDED_BY(mutex_) = 0;
  int synchronised_ ABSL_GUARDED_BY(mutex_) = 0;
  int synchronised_after_ ABSL_GUARDED_BY(mutex_) = -1;
};

class KubernetesClusterTest : public testing::Test {
 protected:
  KubernetesClusterTest() {
    answers_ = {{kNodes, List({R"({"metadata":{"name":"n1","uid":"u-n1"}})"})},
                {kPods, List({PodJson("p")})},
                {kGroups, List({})},
                {kSpaces, List({R"({"metadata":{"name":"ns","uid":"u-ns"}})"})}};
    transport_.SetHandler([this](const k8s::HttpRequest& request) {
      const MutexLock lock(&mutex_);
      const auto found = answers_.find(request.target.substr(0, request.target.find('?')));
      return found == answers_.end() ? Refused(404, "NotFound") : found->second;
    });
  }

  void SetAnswer(const std::string& path, k8s::HttpResponse answer) {
    const MutexLock lock(&mutex_);
    answers_[path] = std::move(answer);
  }

  void Start() {
    KubernetesCluster::Options options;
    options.watches.backoff = {absl::Milliseconds(1), absl::Milliseconds(1), absl::Seconds(10)};
    options.watches.absent_retry = absl::Milliseconds(1);
    cluster_ = std::make_unique<KubernetesCluster>(options, &transport_, &clock_);
    cluster_->Start(&sink_);
  }

  WatchHealth Health(const std::string& resource) {
    for (const WatchHealth& watch : cluster_->Watches()) {
      if (watch.resource == resource) return watch;
    }
    ADD_FAILURE() << "no watch of " << resource;
    return {};
  }

  k8s::SystemClock clock_;
  Mutex mutex_;
  std::map<std::string, k8s::HttpResponse> answers_ ABSL_GUARDED_BY(mutex_);
  ScriptedTransport transport_;
  Sink sink_;
  std::unique_ptr<KubernetesCluster> cluster_;
};

TEST_F(KubernetesClusterTest, SynchronisedComesOnceBehindAllFourLists) {
  Start();
  ASSERT_TRUE(sink_.AwaitSynchronised());
  EXPECT_EQ(sink_.synchronised_after(), 3);
  for (const WatchHealth& watch : cluster_->Watches()) EXPECT_TRUE(watch.synchronised);
  std::vector<std::string> resources;
  for (const WatchHealth& watch : cluster_->Watches()) resources.push_back(watch.resource);
  EXPECT_THAT(resources, UnorderedElementsAre("namespaces", "nodes", "podgroups", "pods"));
  cluster_->Stop();
  EXPECT_EQ(sink_.synchronised(), 1);
}

TEST_F(KubernetesClusterTest, PodGroupsThatAreNotServedCountAsListedAndAreAskedForAgain) {
  SetAnswer(kGroups, Refused(404, "NotFound"));
  Start();
  ASSERT_TRUE(sink_.AwaitSynchronised());
  EXPECT_TRUE(Health("podgroups").synchronised);
  SetAnswer(kGroups, List({R"({"metadata":{"namespace":"ns","name":"g","uid":"u-g"},"spec":{}})"}));
  EXPECT_TRUE(sink_.AwaitFacts(4)) << "the CustomResourceDefinition has come";
  EXPECT_EQ(sink_.synchronised(), 1);
}

TEST_F(KubernetesClusterTest, PodGroupsThatAreForbiddenKeepEverythingWaiting) {
  SetAnswer(kGroups, Refused(403, "Forbidden"));
  Start();
  ASSERT_TRUE(sink_.AwaitFacts(3));
  ASSERT_TRUE(transport_.AwaitCalls(10)) << "it is tried again";
  EXPECT_EQ(sink_.synchronised(), 0);
  const WatchHealth health = Health("podgroups");
  EXPECT_FALSE(health.synchronised);
  EXPECT_EQ(health.trouble, "told so (HTTP 403 Forbidden)");
  SetAnswer(kGroups, List({}));
  EXPECT_TRUE(sink_.AwaitSynchronised()) << "the permission was given";
}

TEST_F(KubernetesClusterTest, NodesThatAreNotServedAreNoEmptyCluster) {
  SetAnswer(kNodes, Refused(404, "NotFound"));
  Start();
  ASSERT_TRUE(sink_.AwaitFacts(2));
  ASSERT_TRUE(transport_.AwaitCalls(10));
  EXPECT_EQ(sink_.synchronised(), 0);
  EXPECT_FALSE(Health("nodes").synchronised);
}

TEST_F(KubernetesClusterTest, StopEndsAllWatchesWithoutTheServersHelp) {
  Start();
  for (const char* const path : {kNodes, kPods, kGroups, kSpaces}) {
    ASSERT_TRUE(transport_.AwaitStreams(path, 1));
  }
  cluster_->Stop();
  EXPECT_EQ(transport_.Streams().size(), 4u);
}

TEST_F(KubernetesClusterTest, APodOfACallIsTakenInUnlessItCannotBeRead) {
  Start();
  ASSERT_TRUE(sink_.AwaitSynchronised());
  const auto unknown = [] { return true; };
  EXPECT_FALSE(cluster_->Offer("{", unknown));
  EXPECT_FALSE(cluster_->Offer(R"({"metadata":{"labels":3}})", unknown));
  EXPECT_TRUE(cluster_->Offer(PodJson("q"), unknown));
  EXPECT_TRUE(sink_.AwaitFacts(4));
}

TEST_F(KubernetesClusterTest, ATransitionOfAGangIsAnEventOnItsPodGroup) {
  Start();
  GangTransition transition;
  transition.kind = GangTransitionKind::kPinned;
  transition.gang = {"ns", "g"};
  transition.group_uid = "u-g";
  transition.text = "all of it";
  ASSERT_TRUE(sink_.AwaitSynchronised());
  cluster_->Record(transition);
  ASSERT_TRUE(transport_.AwaitCalls(5));
  EXPECT_THAT(transport_.Calls(), Contains(HasSubstr(R"("note":"all of it")")));
}

}  // namespace
}  // namespace gangpack::server
