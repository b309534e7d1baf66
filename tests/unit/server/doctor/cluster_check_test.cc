#include "server/doctor/cluster_check.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/transport.h"
#include "tests/unit/server/doctor/finding_list.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Answer = absl::StatusOr<k8s::HttpResponse>;

constexpr char kPodGroups[] = "/apis/scheduling.x-k8s.io/v1alpha1/podgroups?limit=500";
constexpr char kNodes[] = "/api/v1/nodes?limit=500";
constexpr char kReview[] = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

Answer Ok(const std::string& body) { return k8s::HttpResponse{200, body, {}}; }
Answer Refused(int code) { return k8s::HttpResponse{code, "", {}}; }

std::string ListOf(const std::string& kind, const std::string& items,
                   const std::string& next = "") {
  return absl::StrCat("{\"kind\": \"", kind, "List\", \"metadata\": {\"resourceVersion\": \"7\"",
                      next.empty() ? "" : absl::StrCat(", \"continue\": \"", next, "\""),
                      "}, \"items\": [", items, "]}");
}

std::string NodeJson(const std::string& name) {
  return absl::StrCat("{\"metadata\": {\"name\": \"", name, "\", \"uid\": \"u-", name,
                      "\", \"resourceVersion\": \"1\", \"labels\": {\"rack\": \"r1\"}}}");
}

std::string Version(const std::string& major, const std::string& minor) {
  return absl::StrCat("{\"major\": \"", major, "\", \"minor\": \"", minor,
                      "\", \"gitVersion\": \"v", major, ".", minor, ".0\"}");
}

constexpr char kPodGroup[] =
    R"({"metadata": {"name": "g", "namespace": "ns", "uid": "u", "resourceVersion": "1",
        "annotations": {"ome.io/topology-key": "rack"}},
        "spec": {"minMember": 2, "scheduleTimeoutSeconds": 900}})";

// An API server with everything in order, but for the answers that a test puts in.
class PlayedServer final : public k8s::Transport {
 public:
  PlayedServer() {
    answers["/version"] = Ok(Version("1", "36"));
    answers[kPodGroups] = Ok(ListOf("PodGroup", kPodGroup));
    answers[kNodes] = Ok(ListOf("Node", NodeJson("n1")));
  }

  Answer Call(const k8s::HttpRequest& request) override {
    calls.push_back(request.target);
    methods.push_back(request.method);
    if (request.target == kReview) return review(request.body);
    const auto found = answers.find(request.target);
    return found == answers.end() ? Refused(404) : found->second;
  }
  std::unique_ptr<k8s::ByteStream> OpenStream(std::string, absl::Duration) override {
    return nullptr;
  }
  void Shutdown() override {}

  std::map<std::string, Answer> answers;  // by target
  std::function<Answer(const std::string& body)> review = [](const std::string&) {
    return Ok(R"({"status": {"allowed": true}})");
  };
  std::vector<std::string> calls;    // their targets
  std::vector<std::string> methods;  // of the same
};

ClusterReport Check(PlayedServer* server) {
  k8s::ApiClient client(server);
  ProgressVoice voice;
  voice.patience = std::chrono::hours(1);
  voice.say = [](const std::string& line) { ADD_FAILURE() << line; };
  return CheckCluster({&client, "https://server:6443"}, Policy(), voice);
}

TEST(ClusterCheckTest, NothingIsWrongWhereAllIsInOrder) {
  PlayedServer server;
  const ClusterReport report = Check(&server);
  EXPECT_THAT(Wrong(report.findings), IsEmpty());
  EXPECT_EQ(report.nodes, 1);
  EXPECT_EQ(report.longest_timeout, absl::Seconds(900));
  EXPECT_EQ(report.longest, "ns/g");
  for (const char* check : {"api-server", "version", "access", "crd", "podgroups", "nodes"}) {
    EXPECT_THAT(Of(report.findings, check), SizeIs(1)) << check;
  }
  EXPECT_THAT(Of(report.findings, "topology").at(0).found, HasSubstr("1 domain of 1 node"));
}

TEST(ClusterCheckTest, AServerThatDoesNotAnswerIsAskedNothingElse) {
  PlayedServer server;
  server.answers["/version"] = absl::UnavailableError("https://server:6443: Connection refused");
  const ClusterReport report = Check(&server);
  EXPECT_THAT(Wrong(report.findings),
              ElementsAre("error api-server: no usable answer from the API server "
                          "https://server:6443: Connection refused"));
  EXPECT_THAT(server.calls, ElementsAre("/version"));
  EXPECT_EQ(report.nodes, std::nullopt);
}

TEST(ClusterCheckTest, CredentialsThatAreRefusedAreToldApart) {
  PlayedServer server;
  server.answers["/version"] = Refused(401);
  EXPECT_THAT(Wrong(Check(&server).findings),
              ElementsAre(HasSubstr("https://server:6443 does not know who we are")));
  server.answers["/version"] = Refused(403);
  EXPECT_THAT(Wrong(Check(&server).findings), ElementsAre(HasSubstr("(HTTP 403)")));
}

TEST(ClusterCheckTest, SomethingElseThanAnApiServerIsNamedWithItsAddress) {
  PlayedServer server;
  server.answers["/version"] = Ok("<html>");
  EXPECT_THAT(Wrong(Check(&server).findings),
              ElementsAre(HasSubstr("no usable answer from the API server https://server:6443: ")));
}

TEST(ClusterCheckTest, VersionsOutsideTheRangeAreAWarning) {
  PlayedServer server;
  const auto with = [&](const std::string& major, const std::string& minor) {
    server.answers["/version"] = Ok(Version(major, minor));
    return Wrong(Check(&server).findings);
  };
  EXPECT_THAT(with("1", "29"), ElementsAre("warning version: v1.29.0, older than 1.30"));
  EXPECT_THAT(with("1", "30"), IsEmpty());
  EXPECT_THAT(with("1", "37+"), IsEmpty());
  EXPECT_THAT(with("1", "38"), ElementsAre("warning version: v1.38.0, newer than 1.37"));
  EXPECT_THAT(with("2", "30"), ElementsAre("warning version: v2.30.0, newer than 1.37"));
}

TEST(ClusterCheckTest, AMissingRightSaysWhichAndHowToGrantIt) {
  PlayedServer server;
  server.review = [](const std::string& body) {
    return Ok(absl::StrContains(body, "binding")
                  ? R"({"status": {"allowed": false, "reason": "no rule"}})"
                  : R"({"status": {"allowed": true}})");
  };
  const std::vector<Finding> access = Of(Check(&server).findings, "access");
  EXPECT_THAT(Wrong(access),
              ElementsAre("error access: we may not create pods/binding in the whole "
                          "cluster: no rule"));
  EXPECT_THAT(access[0].change, HasSubstr("resources: [pods/binding], verbs: [create]"));
}

TEST(ClusterCheckTest, ARightThatIsOnlyUsefulIsAWarning) {
  PlayedServer server;
  server.review = [](const std::string& body) {
    return Ok(absl::StrContains(body, "\"status\"") ? R"({"status": {"allowed": false}})"
                                                    : R"({"status": {"allowed": true}})");
  };
  EXPECT_THAT(Wrong(Check(&server).findings),
              ElementsAre("warning access: we may not patch pods/status in the whole cluster"));
}

TEST(ClusterCheckTest, RightsThatCannotBeAskedForAreNotTakenForGranted) {
  PlayedServer server;
  server.review = [](const std::string&) { return Refused(403); };
  const std::vector<Finding> access = Of(Check(&server).findings, "access");
  EXPECT_THAT(
      Wrong(access),
      ElementsAre(HasSubstr("warning access: could not ask whether we may list namespaces")));
  EXPECT_EQ(access[0].why, "14 of 14 rights are not checked");
}

TEST(ClusterCheckTest, PodGroupsThatAreNotServedAreAnErrorWithWhatToApply) {
  PlayedServer server;
  server.answers[kPodGroups] = Refused(404);
  const ClusterReport report = Check(&server);
  EXPECT_THAT(Wrong(report.findings),
              ElementsAre("error crd: podgroups.scheduling.x-k8s.io/v1alpha1 "
                          "are not served"));
  EXPECT_THAT(Of(report.findings, "crd")[0].change, HasSubstr("kubectl apply -f "));
  EXPECT_EQ(report.nodes, 1) << "nodes are looked at all the same";
  EXPECT_EQ(report.longest, "");
}

TEST(ClusterCheckTest, ListsThatAreRefusedAreErrors) {
  PlayedServer server;
  server.answers[kPodGroups] = Refused(403);
  server.answers[kNodes] = Refused(403);
  const ClusterReport report = Check(&server);
  EXPECT_THAT(Wrong(report.findings),
              ElementsAre(HasSubstr("error podgroups: podgroups cannot be listed: "),
                          HasSubstr("error nodes: nodes cannot be listed: ")));
  EXPECT_EQ(report.nodes, std::nullopt);
}

TEST(ClusterCheckTest, ListsAreReadToTheirLastPage) {
  PlayedServer server;
  server.answers[kNodes] = Ok(ListOf("Node", NodeJson("n1"), "next"));
  server.answers[absl::StrCat(kNodes, "&continue=next")] = Ok(ListOf("Node", NodeJson("n2")));
  EXPECT_EQ(Check(&server).nodes, 2);
}

TEST(ClusterCheckTest, AListWhosePageExpiredBeginsAnewButNotForEver) {
  PlayedServer server;
  server.answers[kNodes] = Ok(ListOf("Node", NodeJson("n1"), "next"));
  server.answers[absl::StrCat(kNodes, "&continue=next")] = Refused(410);
  const ClusterReport report = Check(&server);
  EXPECT_THAT(Wrong(report.findings),
              ElementsAre(HasSubstr("error nodes: nodes cannot be listed")));
  EXPECT_EQ(std::count(server.calls.begin(), server.calls.end(), kNodes), 3);
}

TEST(ClusterCheckTest, NothingIsCountedTwiceAfterAPageExpired) {
  // The second page is there at the second try alone.
  class ExpiringOnce final : public k8s::Transport {
   public:
    Answer Call(const k8s::HttpRequest& request) override {
      const bool second = request.target == absl::StrCat(kNodes, "&continue=next");
      if (second && !expired_) {
        expired_ = true;
        return Refused(410);
      }
      if (second) return Ok(ListOf("Node", NodeJson("n2")));
      if (request.target == kNodes) return Ok(ListOf("Node", NodeJson("n1"), "next"));
      return rest_.Call(request);
    }
    std::unique_ptr<k8s::ByteStream> OpenStream(std::string, absl::Duration) override {
      return nullptr;
    }
    void Shutdown() override {}

   private:
    bool expired_ = false;
    PlayedServer rest_;
  };
  ExpiringOnce server;
  k8s::ApiClient client(&server);
  const ProgressVoice voice = {std::chrono::hours(1), [](const std::string&) {}};
  const ClusterReport report = CheckCluster({&client, "https://server"}, Policy(), voice);
  EXPECT_EQ(report.nodes, 2);
  EXPECT_THAT(Wrong(report.findings), IsEmpty());
}

TEST(ClusterCheckTest, NothingIsWritten) {
  PlayedServer server;
  Check(&server);
  for (size_t i = 0; i < server.calls.size(); ++i) {
    EXPECT_EQ(server.methods[i], server.calls[i] == kReview ? "POST" : "GET") << server.calls[i];
  }
}

}  // namespace
}  // namespace gangpack::server
