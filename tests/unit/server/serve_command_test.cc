#include "server/serve_command.h"

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/child_process.h"
#include "tests/unit/server/command_run.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kManifests[] = R"(
kind: List
apiVersion: v1
items:
- {apiVersion: v1, kind: Node, metadata: {name: a1, labels: {rack: a}}, status: {capacity: {cpu: "8"}}}
- {apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {namespace: ns, name: g},
   spec: {minMember: 3}}
- {apiVersion: v1, kind: Pod, metadata: {namespace: ns, name: w-0, uid: u-w-0, labels: {scheduling.x-k8s.io/pod-group: g}},
   spec: {containers: [{name: c}]}}
- {apiVersion: v1, kind: Pod, metadata: {namespace: ns, name: w-1, uid: u-w-1, labels: {scheduling.x-k8s.io/pod-group: g}},
   spec: {containers: [{name: c}]}}
- {apiVersion: v1, kind: Pod, metadata: {namespace: ns, name: w-2, uid: u-w-2, labels: {scheduling.x-k8s.io/pod-group: g}},
   spec: {containers: [{name: c}]}}
)";

using Ran = CommandRun;

Ran RunWith(const std::vector<std::string>& args, const std::string& input = "") {
  return RunCommandWith(RunServe, args, input);
}

TEST(ServeCommandTest, HelpExplainsWithAnExample) {
  const Ran ran = RunWith({"--help"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("Usage: gangpack serve"));
  EXPECT_THAT(ran.out, HasSubstr("Example:"));
  EXPECT_EQ(ran.err, "");
}

TEST(ServeCommandTest, BadFlagsExitWithTwoAndAHint) {
  for (const auto& [args, expected] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, "no cluster is named, expected one of --kubeconfig, --in-cluster and --cluster"},
           {{"--in-cluster", "--cluster", "-"}, "more than one cluster is named"},
           {{"--in-cluster", "--kubeconfig", "k"}, "more than one cluster is named"},
           {{"--kubeconfig", "k", "--cluster", "-"}, "more than one cluster is named"},
           {{"--kubeconfig", ""}, "--kubeconfig: is \"\", expected a file"},
           {{"--cluster", "-", "--context", "c"}, "--context: goes with --kubeconfig only"},
           {{"--kubeconfig", "k", "more"}, "unexpected argument \"more\""},
           {{"--clutser", "x"}, "did you mean --cluster?"},
           {{"--cluster"}, "--cluster: is missing, expected a value"},
           {{"--cluster", "-", "--permit-timeout", "soon"}, "a duration such as 600s"},
           {{"--cluster", "-", "--permit-timeout", "0s"}, "--permit-timeout: is \"0s\""},
           {{"--cluster", "-", "--listen", "8888"}, "--listen: is \"8888\", expected ADDRESS:PORT"},
           {{"--cluster", "-", "--listen-bind", "0.0.0.0:1"}, "--listen-bind: is \"0.0.0.0:1\""},
           {{"--cluster", "-", "--listen", "10.1.2.3:0"}, "TLS is not supported yet"}}) {
    const Ran ran = RunWith(args);
    EXPECT_EQ(ran.status, 2) << expected;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, StartsWith("gangpack serve: "));
    EXPECT_THAT(ran.err, HasSubstr(expected));
    EXPECT_THAT(ran.err, HasSubstr("(see gangpack serve --help)"));
  }
}

TEST(ServeCommandTest, AnApiServerThatIsNotWellNamedExitsWithTwoAndOneLine) {
  const Ran missing = RunWith({"--kubeconfig", "no/such/file"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(missing.err, "gangpack serve: no/such/file: No such file or directory\n");

  const std::string path = absl::StrCat(testing::TempDir(), "/kubeconfig");
  std::ofstream(path) << "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                         "contexts: [{name: c, context: {cluster: k}}]\n";
  const Ran incomplete = RunWith({"--kubeconfig", path});
  EXPECT_EQ(incomplete.status, 2);
  EXPECT_EQ(incomplete.err, absl::StrCat("gangpack serve: ", path,
                                         ": clusters: no cluster has the name `k`, expected one "
                                         "that has\n"));

  const Ran context = RunWith({"--kubeconfig", path, "--context", "other"});
  EXPECT_EQ(context.status, 2);
  EXPECT_THAT(context.err, HasSubstr("no context has the name `other`"));
}

TEST(ServeCommandTest, BadManifestsExitWithTwoOneLinePerFaultAndNothingOnOut) {
  const Ran ran = RunWith({"--cluster", "-", "no/such/file.yaml"},
                          "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
                          "spec: {unschedulable: perhaps}\n");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, StartsWith("-:4: spec.unschedulable: "));
  EXPECT_THAT(ran.err, HasSubstr("\nno/such/file.yaml:1: "));
}

// The program itself, around kManifests.
class ServedTest : public testing::Test {
 protected:
  ServedTest() : server_({GangpackProgram(), "serve", "--cluster", "-", "--topology-key", "rack"}) {
    server_.WriteInput(kManifests);
    server_.CloseInput();
    filter_port_ = PortOf("listening filter http://127.0.0.1:");
    bind_port_ = PortOf("listening bind http://127.0.0.1:");
  }

  int PortOf(absl::string_view prefix) {
    const std::string line = server_.ReadLine();
    absl::string_view rest = line;
    int port = 0;
    EXPECT_TRUE(absl::ConsumePrefix(&rest, prefix) && absl::SimpleAtoi(rest, &port)) << line;
    return port;
  }

  RawHttpClient Bind(const std::string& pod) {
    RawHttpClient client(bind_port_);
    EXPECT_TRUE(client.Send(PostText(
        "/bind", absl::StrCat(R"({"PodName":")", pod, R"(","PodNamespace":"ns","PodUID":"u-)", pod,
                              R"(","Node":"a1"})"))));
    return client;
  }

  // Waits until so many pods wait at Permit.
  void AwaitWaiting(size_t pods) {
    const absl::Time end = absl::Now() + absl::Seconds(30);
    for (;;) {
      const std::string body = RawHttpClient(filter_port_).Get("/v1/pods").body;
      size_t waiting = 0;
      for (size_t at = 0; (at = body.find("\"Waiting\"", at)) != std::string::npos; ++at) ++waiting;
      if (waiting == pods) return;
      ASSERT_LT(absl::Now(), end) << body;
    }
  }

  // The signal ends it well and in time.
  void ExpectStopsOn(int signal) {
    const absl::Time begin = absl::Now();
    server_.Signal(signal);
    EXPECT_EQ(server_.Wait(), 0);
    EXPECT_LT(absl::Now() - begin, absl::Seconds(2));
    EXPECT_EQ(server_.ReadRest(), "") << "there are two lines on standard output, and no more";
  }

  ChildProcess server_;
  int filter_port_ = 0;
  int bind_port_ = 0;
};

TEST_F(ServedTest, AnswersFilterAndBindsAGangAsAWhole) {
  RawHttpClient filter(filter_port_);
  EXPECT_THAT(
      filter
          .Post("/filter", R"({"Pod":{"metadata":{"name":"w-0","namespace":"ns","uid":"u-w-0"}},)"
                           R"("Nodes":null,"NodeNames":["a1"]})")
          .body,
      HasSubstr(R"("NodeNames":["a1"])"));
  RawHttpClient first = Bind("w-0");
  RawHttpClient second = Bind("w-1");
  AwaitWaiting(2);
  RawHttpClient third = Bind("w-2");
  for (RawHttpClient* client : {&first, &second, &third}) {
    EXPECT_EQ(client->Receive().body, R"({"Error":""})");
  }
  ExpectStopsOn(SIGTERM);
}

TEST_F(ServedTest, OnSigtermHeldBindsAreAnsweredWithAnError) {
  RawHttpClient first = Bind("w-0");
  RawHttpClient second = Bind("w-1");
  AwaitWaiting(2);
  ExpectStopsOn(SIGTERM);
  for (RawHttpClient* client : {&first, &second}) {
    const RawAnswer answer = client->Receive();
    EXPECT_EQ(answer.status, 200);
    EXPECT_THAT(answer.body, HasSubstr("stopping"));
    EXPECT_TRUE(client->SeesEnd());
  }
}

TEST_F(ServedTest, OnSigintItStopsToo) { ExpectStopsOn(SIGINT); }

TEST_F(ServedTest, CallersThatHangUpOrSendHalfARequestDoNotKeepItFromStopping) {
  RawHttpClient gone = Bind("w-0");
  AwaitWaiting(1);
  gone.Reset();
  AwaitWaiting(0);
  RawHttpClient half(bind_port_);
  ASSERT_TRUE(half.Send("POST /bind HTTP/1.1\r\nContent-Le"));
  RawHttpClient half_body(filter_port_);
  ASSERT_TRUE(half_body.Send("POST /filter HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"));
  RawHttpClient idle(filter_port_);
  EXPECT_EQ(idle.Get("/healthz").status, 200);
  ExpectStopsOn(SIGTERM);
}

TEST(ServeProgramTest, APortThatIsTakenExitsWithOne) {
  ChildProcess first({GangpackProgram(), "serve", "--cluster", "-"});
  first.CloseInput();
  const std::string line = first.ReadLine();
  const std::string address = line.substr(line.rfind('/') + 1);
  ChildProcess second({GangpackProgram(), "serve", "--cluster", "-", "--listen", address});
  second.CloseInput();
  EXPECT_EQ(second.ReadRest(), "");
  EXPECT_EQ(second.Wait(), 1);
}

TEST(ServeProgramTest, WhereItsAddressesCannotBePrintedItDoesNotServe) {
  ChildProcess lost(
      {"/bin/sh", "-c", "exec " + GangpackProgram() + " serve --cluster - >/dev/full"});
  lost.CloseInput();
  EXPECT_EQ(lost.Wait(), 1);
}

TEST(ServeConfigurationTest, TheFileSaysWhatTheListenersTakeAndFlagsOverrideIt) {
  const std::string path = ::testing::TempDir() + "/serve.yaml";
  std::ofstream(path) << "apiVersion: gangpack/v1alpha1\nkind: Configuration\ntopologyKey: rack\n"
                         "server: {filter: {listen: '127.0.0.1:1'}, bind: {listen: '[::1]:0', "
                         "bodyBytesMax: 1024}, }\n";
  ChildProcess server({GangpackProgram(), "serve", "--cluster", "-", "--config", path, "--listen",
                       "127.0.0.1:0", "--listen-bind", "127.0.0.1:0"});
  server.WriteInput(kManifests);
  server.CloseInput();
  const std::string filter = server.ReadLine();
  const std::string bind = server.ReadLine();
  absl::string_view rest = bind;
  int port = 0;
  ASSERT_TRUE(absl::ConsumePrefix(&rest, "listening bind http://127.0.0.1:") &&
              absl::SimpleAtoi(rest, &port))
      << filter << bind;
  EXPECT_EQ(RawHttpClient(port).Post("/bind", std::string(1025, ' ')).status, 413);
  EXPECT_EQ(RawHttpClient(port).Post("/bind", std::string(1024, ' ')).status, 400);
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
}

TEST(ServeCommandTest, AConfigurationThatIsWrongExitsWithTwoAndSaysWhere) {
  const std::string path = ::testing::TempDir() + "/wrong.yaml";
  std::ofstream(path) << "apiVersion: gangpack/v1alpha1\nkind: Configuration\n"
                         "server: {filter: {connectionsMax: -3}}\n";
  const Ran ran = RunWith({"--cluster", "-", "--config", path});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("wrong.yaml:3: server.filter.connectionsMax: `-3`, expected "));
  EXPECT_THAT(RunWith({"--cluster", "-", "--v", "x"}).err, HasSubstr("--v: is \"x\""));
}

}  // namespace
}  // namespace gangpack::server
