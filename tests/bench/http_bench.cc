// What a call of the extender costs over HTTP, beside a bare cpp-httplib server that only sends the
// same bodies back. Run:
//   bazel run //tests/bench:http_bench
//   bazel run //tests/bench:http_bench -- --rounds=50 --case=5,000
//
// All servers run at once, each in a process of its own, and take turns in short rounds, so that
// what else the machine does hits all of them. One caller, one call at a time, as kube-scheduler's
// scheduling loop calls. p50 and p99 are medians over the rounds, calls/s is over all of them.
// Figures are printed; nothing here asserts a time.
#include <stdlib.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tests/bench/http_load.h"
#include "tests/bench/http_servers.h"

namespace gangpack::bench {
namespace {

struct Options {
  int rounds = 40;
  int held = 5000;
  std::string only;  // Cases whose title contains it.
};

struct Case {
  std::string title;
  std::string path;
  std::string body;
  int accepted;     // Names in the answer of ours.
  int calls = 200;  // Per round and server.
};

// A Pod as kube-scheduler sends it: a training job's worker, some 3 KB.
std::string PodJson(std::string_view name, std::string_view group) {
  std::string env;
  for (int i = 0; i < 12; ++i) {
    absl::StrAppend(&env, i > 0 ? "," : "", R"({"name":"NCCL_OPTION_)", i,
                    R"(","value":"\u003cdefault-of-the-image\u003e"})");
  }
  std::string labels = R"("app.kubernetes.io/name":"train","app.kubernetes.io/part-of":"llm")";
  if (!group.empty()) {
    absl::StrAppend(&labels, R"(,"scheduling.x-k8s.io/pod-group":")",
                    absl::string_view(group.data(), group.size()), "\"");
  }
  const absl::string_view pod(name.data(), name.size());
  return absl::StrCat(
      R"({"metadata":{"name":")", pod, R"(","namespace":"team-research","uid":"uid-)", pod,
      R"(","resourceVersion":"8812331","creationTimestamp":"2026-01-12T09:30:00Z","labels":{)",
      labels,
      R"(},"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-12T09:29:58Z"},)"
      R"("ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"train","uid":"0d3f",)"
      R"("controller":true,"blockOwnerDeletion":true}]},"spec":{"volumes":[{"name":"data",)"
      R"("persistentVolumeClaim":{"claimName":"datasets","readOnly":true}},{"name":"shm",)"
      R"("emptyDir":{"medium":"Memory","sizeLimit":"64Gi"}}],"containers":[{"name":"worker",)"
      R"("image":"registry.example.com/llm/train:2026.01","command":["python","-m","train"],"env":[)",
      env,
      R"(],"resources":{"limits":{"cpu":"8","memory":"64Gi","nvidia.com/gpu":"2"},"requests":)"
      R"({"cpu":"8","memory":"64Gi","nvidia.com/gpu":"2"}},"volumeMounts":[{"name":"data",)"
      R"("readOnly":true,"mountPath":"/data"},{"name":"shm","mountPath":"/dev/shm"}],)"
      R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)"
      R"("imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Never",)"
      R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":)"
      R"("default","serviceAccount":"default","securityContext":{},"schedulerName":)"
      R"("ome-scheduler","tolerations":[{"key":"nvidia.com/gpu","operator":"Exists","effect":)"
      R"("NoSchedule"},{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":)"
      R"("NoExecute","tolerationSeconds":300}],"priority":1000,"enableServiceLinks":true,)"
      R"("preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","qosClass":)"
      R"("Guaranteed"}})");
}

std::string ArgsBody(std::string_view pod, std::string_view group,
                     const std::vector<std::string>& names) {
  std::string body =
      absl::StrCat(R"({"Pod":)", PodJson(pod, group), R"(,"Nodes":null,"NodeNames":[)");
  for (size_t i = 0; i < names.size(); ++i) {
    absl::StrAppend(&body, i > 0 ? "," : "", "\"", names[i], "\"");
  }
  return body + "]}";
}

std::vector<std::string> FreeNames(const BenchCluster& cluster, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(cluster.FreeNode(i));
  return names;
}

// The member's domain among nodes of no domain, 5,000 in all.
std::vector<std::string> NamesForMember(const BenchCluster& cluster, int gang) {
  std::vector<std::string> names = cluster.DomainNodes(gang);
  for (int i = 0; names.size() < 5000; ++i) names.push_back(cluster.FreeNode(i));
  return names;
}

int CountOf(std::string_view text, std::string_view part) {
  int count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

struct Contender {
  std::string name;
  BenchConnection connection;
  Latencies latencies;
};

void PrintHead() {
  std::printf("%-42s %-14s %9s %9s %9s %7s %7s\n", "case", "server", "p50 us", "p99 us", "calls/s",
              "p50 x", "p99 x");
}

// The factors are those to the first.
void Print(const Case& of, const std::vector<Contender>& contenders) {
  const Latencies& base = contenders[0].latencies;
  for (const Contender& contender : contenders) {
    const Latencies& own = contender.latencies;
    std::printf("%-42s %-14s %9.1f %9.1f %9.0f %7.2f %7.2f\n", of.title.c_str(),
                contender.name.c_str(), own.Percentile(50), own.Percentile(99),
                own.CallsPerSecond(), own.Percentile(50) / base.Percentile(50),
                own.Percentile(99) / base.Percentile(99));
  }
  std::fflush(stdout);
}

void Compete(const Case& of, const Options& options, std::vector<Contender>& contenders) {
  const std::string request = PostRequest(of.path, of.body);
  for (int round = 0; round < options.rounds; ++round) {
    for (Contender& contender : contenders) {
      Latencies warm_up;
      Measure(contender.connection, request, of.calls / 10 + 1, warm_up);
      Measure(contender.connection, request, of.calls, contender.latencies);
    }
  }
  Print(of, contenders);
}

void Check(const Case& of, BenchConnection& connection) {
  const std::string answer(connection.Call(PostRequest(of.path, of.body)));
  if (CountOf(answer, "\"gke-cluster-") != of.accepted) {
    Fail(of.title + ": unexpected answer " + answer.substr(0, 400));
  }
}

std::vector<Case> Cases(const BenchCluster& cluster) {
  const std::vector<std::string> names = FreeNames(cluster, 5000);
  const std::string standalone = ArgsBody("standalone", "", names);
  return {{"filter, 1 name", "/filter", ArgsBody("standalone", "", {names[42]}), 1, 500},
          {"filter, 5,000 names, all accepted", "/filter", standalone, 5000},
          {"filter, 5,000 names, one accepted", "/filter",
           ArgsBody(BenchCluster::MemberName(7, 3), "train-0007", NamesForMember(cluster, 7)), 1},
          {"prioritize, 5,000 names", "/prioritize", standalone, 5000}};
}

// Binds that wait for their gangs, each on a connection of its own.
std::vector<BenchConnection> HoldBinds(const BenchCluster& cluster, const ServerProcess& server,
                                       int count) {
  std::vector<BenchConnection> held;
  BenchConnection filter(server.ports().filter);
  for (int gang = 0; gang < cluster.gangs; ++gang) {
    for (int member = 0; member + 1 < cluster.gang_size; ++member) {
      if (static_cast<int>(held.size()) == count) return held;
      const std::string name = BenchCluster::MemberName(gang, member);
      const std::string answer(
          filter.Call(PostRequest("/filter", ArgsBody(name, "", cluster.DomainNodes(gang)))));
      const size_t begin = answer.find("gke-cluster-gang-");
      if (begin == answer.npos) Fail("a member was not placed: " + answer.substr(0, 400));
      const std::string node = answer.substr(begin, answer.find('"', begin) - begin);
      held.emplace_back(server.ports().bind)
          .Send(PostRequest("/bind",
                            absl::StrCat(R"({"PodName":")", name,
                                         R"(","PodNamespace":"team-research","PodUID":"uid-)", name,
                                         R"(","Node":")", node, "\"}")));
    }
  }
  return held;
}

// Until the server has taken them all in; a bind that was answered at once would never show up.
void AwaitHeld(const ServerProcess& server, size_t count) {
  BenchConnection pages(server.ports().filter);
  for (;;) {
    pages.Send("GET /v1/pods HTTP/1.1\r\nHost: x\r\n\r\n");
    if (CountOf(pages.Receive(), "\"Waiting\"") == static_cast<int>(count)) return;
  }
}

void PrintUse(std::string_view when, const ServerProcess& server) {
  std::printf("%-42.*s resident %.1f MiB, %d threads, %d descriptors\n",
              static_cast<int>(when.size()), when.data(),
              static_cast<double>(server.ResidentBytes()) / (1 << 20),
              static_cast<int>(server.Threads()), static_cast<int>(server.Descriptors()));
}

void BenchHeld(const BenchCluster& cluster, const Options& options, const Case& one_name,
               const ServerProcess& without, const ServerProcess& with) {
  PrintUse("before binds are held", with);
  const std::vector<BenchConnection> held = HoldBinds(cluster, with, options.held);
  AwaitHeld(with, held.size());
  PrintUse(absl::StrCat(held.size(), " binds held"), with);
  std::vector<Contender> contenders;
  contenders.push_back({"without", BenchConnection(without.ports().filter), {}});
  contenders.push_back({"with", BenchConnection(with.ports().filter), {}});
  Case held_case = one_name;
  absl::StrAppend(&held_case.title, ", ", held.size(), " binds held");
  Compete(held_case, options, contenders);
}

int Run(const Options& options) {
  const BenchCluster cluster;
  const ServerProcess echo(&ServeEcho);
  const auto serve = [&cluster](const auto& tell, int stop) { ServeGangpack(cluster, tell, stop); };
  const ServerProcess ours(serve);
  const ServerProcess holding(serve);
  std::printf("echo is process %d, gangpack %d, gangpack with held binds %d\n", echo.pid(),
              ours.pid(), holding.pid());
  PrintHead();
  const std::vector<Case> cases = Cases(cluster);
  for (const Case& of : cases) {
    if (!absl::StrContains(of.title, options.only)) continue;
    std::vector<Contender> contenders;
    contenders.push_back({"echo", BenchConnection(echo.ports().filter), {}});
    contenders.push_back({"gangpack", BenchConnection(ours.ports().filter), {}});
    Check(of, contenders[1].connection);
    Compete(of, options, contenders);
  }
  if (absl::StrContains("held", options.only)) {
    BenchHeld(cluster, options, cases[0], ours, holding);
  }
  return 0;
}

}  // namespace
}  // namespace gangpack::bench

int main(int argc, char** argv) {
  gangpack::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const absl::string_view arg = argv[i];
    const absl::string_view value = arg.substr(std::min(arg.size(), arg.find('=') + 1));
    const bool read = absl::StartsWith(arg, "--rounds=") ? absl::SimpleAtoi(value, &options.rounds)
                      : absl::StartsWith(arg, "--held=") ? absl::SimpleAtoi(value, &options.held)
                                                         : absl::StartsWith(arg, "--case=");
    if (absl::StartsWith(arg, "--case=")) options.only = std::string(value);
    if (!read || options.rounds < 1 || options.held < 0) {
      std::fprintf(stderr, "usage: http_bench [--rounds=N] [--held=N] [--case=PART OF A TITLE]\n");
      return 2;
    }
  }
  rlimit descriptors = {};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = descriptors.rlim_max;
  setrlimit(RLIMIT_NOFILE, &descriptors);
  gangpack::bench::KeepApart(gangpack::bench::Role::kCaller);
  return gangpack::bench::Run(options);
}
