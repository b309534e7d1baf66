// How long the rules between pods take on a large cluster: 20,000 nodes in 1,000 racks and 3 zones,
// 140,000 placed pods of 10,000 workloads, of which half carry a required term.
//
// Run: bazel run -c opt //tests/bench:pod_rules_bench
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/pod_rules.h"

namespace gangpack {
namespace {

constexpr int kNodes = 20'000;
constexpr int kRacks = 1'000;
constexpr int kPods = 140'000;
constexpr int kWorkloads = 10'000;
constexpr int kNames = 5'000;
constexpr int kNamespaces = 50;

PodAffinityTerm Term(const std::string& key, const std::string& app) {
  PodAffinityTerm term;
  term.topology_key = key;
  term.selector = LabelSelector{
      {{"app", SelectorOperator::kIn, {app}}, {"role", SelectorOperator::kIn, {"server"}}}};
  return term;
}

// Of the workloads, a quarter repel each other per host, an eighth want to be together in a rack,
// and an eighth are spread over zones and repel each other per rack.
Pod MakePod(int i) {
  const int workload = i % kWorkloads;
  const std::string app = absl::StrCat("app-", workload);
  Pod pod;
  pod.uid = {absl::StrCat("11111111-2222-3333-4444-", 100'000'000 + i)};
  pod.name = {absl::StrCat("team-", workload % kNamespaces), absl::StrCat(app, "-", i)};
  pod.labels = {{"app", app},
                {"role", "server"},
                {"team", absl::StrCat("team-", workload % kNamespaces)},
                {"pod-template-hash", absl::StrCat("hash-", workload)},
                {"statefulset.kubernetes.io/pod-name", pod.name.name},
                {"apps.kubernetes.io/pod-index", absl::StrCat(i / kWorkloads)}};
  switch (workload % 8) {
    case 0:
    case 1:
      pod.spec.required_anti_affinity.push_back(Term("kubernetes.io/hostname", app));
      break;
    case 2:
      pod.spec.required_affinity.push_back(Term("rack", app));
      break;
    case 3: {
      pod.spec.required_anti_affinity.push_back(Term("rack", app));
      TopologySpreadConstraint constraint;
      constraint.topology_key = "zone";
      constraint.max_skew = 3;
      constraint.selector = LabelSelector{{{"app", SelectorOperator::kIn, {app}}}};
      pod.spec.topology_spread.push_back(constraint);
      break;
    }
    default:
      break;
  }
  return pod;
}

struct LoadedCluster {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  PodRules rules;
};

NodeIndex NodeOf(int pod) { return static_cast<NodeIndex>((int64_t{pod} * 7919) % kNodes); }

std::unique_ptr<LoadedCluster> Objects() {
  auto cluster = std::make_unique<LoadedCluster>();
  for (int i = 0; i < kNodes; ++i) {
    Node node;
    node.name = absl::StrCat("node-", i);
    node.labels = {{"kubernetes.io/hostname", node.name},
                   {"rack", absl::StrCat("rack-", i % kRacks)},
                   {"zone", absl::StrCat("zone-", i % 3)}};
    cluster->nodes.push_back(std::move(node));
  }
  for (int i = 0; i < kPods; ++i) cluster->pods.push_back(MakePod(i));
  return cluster;
}

void Load(LoadedCluster* cluster) {
  for (int i = 0; i < kNodes; ++i)
    cluster->rules.SetNode(i, cluster->nodes[static_cast<size_t>(i)]);
  for (int i = 0; i < kPods; ++i) {
    cluster->rules.SetPod(cluster->pods[static_cast<size_t>(i)], NodeOf(i));
  }
}

LoadedCluster& Shared() {
  static LoadedCluster* const cluster = [] {
    std::unique_ptr<LoadedCluster> made = Objects();
    Load(made.get());
    return made.release();
  }();
  return *cluster;
}

void BM_Load(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    std::unique_ptr<LoadedCluster> cluster = Objects();
    state.ResumeTiming();
    Load(cluster.get());
    state.PauseTiming();
    cluster.reset();
    state.ResumeTiming();
  }
}
BENCHMARK(BM_Load)->Unit(benchmark::kMillisecond)->Iterations(3);

// The argument is the workload: 0 repels per host, 2 wants a rack, 3 is spread, 4 has no rule.
void BM_Check5000Names(benchmark::State& state) {
  LoadedCluster& cluster = Shared();
  Pod pod = MakePod(static_cast<int>(state.range(0)));
  pod.uid = {"waiting"};
  pod.name.name = "waiting";
  cluster.rules.SetPod(pod, kNoNode);
  int64_t allowed = 0;
  for (auto _ : state) {
    const PreparedPod prepared = cluster.rules.Prepare(pod.uid);
    allowed = 0;
    for (NodeIndex node = 0; node < kNames; ++node) allowed += prepared.Allows(node) ? 1 : 0;
    benchmark::DoNotOptimize(allowed);
  }
  state.counters["allowed"] = static_cast<double>(allowed);
  cluster.rules.RemovePod(pod.uid);
}
BENCHMARK(BM_Check5000Names)->Arg(0)->Arg(2)->Arg(3)->Arg(4)->Unit(benchmark::kMicrosecond);

// With the reason of each node that is refused.
void BM_Explain5000Names(benchmark::State& state) {
  LoadedCluster& cluster = Shared();
  Pod pod = MakePod(static_cast<int>(state.range(0)));
  pod.uid = {"waiting"};
  cluster.rules.SetPod(pod, kNoNode);
  for (auto _ : state) {
    const PreparedPod prepared = cluster.rules.Prepare(pod.uid);
    for (NodeIndex node = 0; node < kNames; ++node) benchmark::DoNotOptimize(prepared.Check(node));
  }
  cluster.rules.RemovePod(pod.uid);
}
BENCHMARK(BM_Explain5000Names)->Arg(0)->Arg(2)->Arg(3)->Unit(benchmark::kMicrosecond);

void BM_AddAndRemovePod(benchmark::State& state) {
  LoadedCluster& cluster = Shared();
  Pod pod = MakePod(static_cast<int>(state.range(0)));
  pod.uid = {"added"};
  pod.name.name = "added";
  for (auto _ : state) {
    cluster.rules.SetPod(pod, 17);
    cluster.rules.RemovePod(pod.uid);
  }
}
BENCHMARK(BM_AddAndRemovePod)->Arg(0)->Arg(2)->Arg(3)->Arg(4)->Unit(benchmark::kMicrosecond);

// A pod that moves, all else as it was.
void BM_MovePod(benchmark::State& state) {
  LoadedCluster& cluster = Shared();
  const Pod& pod = cluster.pods[static_cast<size_t>(state.range(0))];
  NodeIndex node = NodeOf(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    node ^= 1;
    cluster.rules.SetPod(pod, node);
  }
  cluster.rules.SetPod(pod, NodeOf(static_cast<int>(state.range(0))));
}
BENCHMARK(BM_MovePod)->Arg(0)->Arg(3)->Unit(benchmark::kMicrosecond);

void BM_SetNodeUnchanged(benchmark::State& state) {
  LoadedCluster& cluster = Shared();
  for (auto _ : state) cluster.rules.SetNode(17, cluster.nodes[17]);
}
BENCHMARK(BM_SetNodeUnchanged)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace gangpack

BENCHMARK_MAIN();
