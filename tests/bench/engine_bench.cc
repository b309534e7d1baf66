// What the engine costs per call, and how that grows with the cluster. Example:
//   bazel run //tests/bench:engine_bench -- --benchmark_filter=Plan
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "core/engine.h"

namespace gangpack {
namespace {

constexpr int kDomainSize = 18;
constexpr char kKey[] = "nvidia.com/gpu.clique";

// A cluster of `nodes` nodes of 4 GPUs in domains of 18, each with one running pod, and gangs that
// come and go.
class BenchCluster {
 public:
  explicit BenchCluster(int nodes) : engine_(Policy{}), nodes_(nodes) {
    for (int i = 0; i < nodes; ++i) {
      Node node;
      node.name = NodeName(i);
      node.labels = {{kKey, absl::StrFormat("clique-%06d", i / kDomainSize)}, {"zone", "z1"}};
      node.allocatable = {
          {"cpu", 144000}, {"memory", int64_t{960} << 30}, {"pods", 110}, {"nvidia.com/gpu", 4}};
      names_.push_back(node.name);
      engine_.Apply(NodeChanged{std::move(node)}, now_);
    }
    for (int i = 0; i < nodes; ++i) engine_.Apply(PodChanged{RunningPod(i, 1000)}, now_);
    engine_.Apply(Synchronised{}, now_);
    Settle();
  }

  Engine& engine() { return engine_; }
  absl::Time now() const { return now_; }
  int nodes() const { return nodes_; }
  const std::vector<std::string>& names() const { return names_; }

  void Settle() {
    while (engine_.Work(now_)) {
    }
    engine_.DrainEffects();
  }

  // A pod of another scheduler that takes `cpu_milli` of node i.
  Pod RunningPod(int i, int64_t cpu_milli) const {
    Pod pod;
    pod.uid = {absl::StrCat("running-", i)};
    pod.name = {"default", absl::StrCat("running-", i)};
    pod.scheduler_name = "default-scheduler";
    pod.node_name = NodeName(i);
    pod.phase = PodPhase::kRunning;
    pod.spec.request = {{"cpu", cpu_milli}, {"memory", 1 << 30}};
    return pod;
  }

  // A new gang of so many members of 4 GPUs and so much cpu each; returns its number.
  int AddGang(int members = kDomainSize, int64_t cpu_milli = 100000) {
    const int gang = gangs_++;
    PodGroup group;
    group.name = {"team", GangName(gang)};
    group.uid = absl::StrCat("uid-", gang);
    group.annotations = {{"ome.io/topology-key", kKey}};
    group.min_member = members;
    engine_.Apply(PodGroupChanged{std::move(group)}, now_);
    for (int m = 0; m < members; ++m) {
      engine_.Apply(PodChanged{Member(gang, m, cpu_milli)}, now_);
    }
    return gang;
  }

  void RemoveGang(int gang) {
    for (int m = 0; m < kDomainSize; ++m) engine_.Apply(PodGone{MemberUid(gang, m)}, now_);
    engine_.Apply(PodGroupGone{{"team", GangName(gang)}}, now_);
    Settle();
  }

  static PodUid MemberUid(int gang, int member) { return {absl::StrCat("g", gang, "-", member)}; }
  static NamespacedName MemberName(int gang, int member) {
    return {"team", absl::StrCat(GangName(gang), "-", member)};
  }

 private:
  static std::string NodeName(int i) { return absl::StrFormat("node-%07d", i); }
  static std::string GangName(int gang) { return absl::StrCat("gang-", gang); }

  static Pod Member(int gang, int member, int64_t cpu_milli) {
    Pod pod;
    pod.uid = MemberUid(gang, member);
    pod.name = MemberName(gang, member);
    pod.labels = {{std::string(kPodGroupLabel), GangName(gang)}};
    pod.scheduler_name = "ome-scheduler";
    pod.spec.request = {{"cpu", cpu_milli}, {"memory", int64_t{800} << 30}, {"nvidia.com/gpu", 4}};
    return pod;
  }

  Engine engine_;
  absl::Time now_ = absl::FromUnixSeconds(1'700'000'000);
  int nodes_;
  int gangs_ = 0;
  std::vector<std::string> names_;
};

// Built once per size: a cluster of 200,000 nodes takes seconds to load.
BenchCluster& ClusterOf(int64_t nodes) {
  static auto* const clusters = new std::vector<std::unique_ptr<BenchCluster>>();
  for (auto& cluster : *clusters) {
    if (cluster->nodes() == nodes) return *cluster;
  }
  clusters->push_back(std::make_unique<BenchCluster>(static_cast<int>(nodes)));
  return *clusters->back();
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The longest time that one of the pages takes which `page_after` gives.
template <typename PageType, typename PageAfter>
double LongestPage(PageAfter page_after) {
  double longest = 0;
  auto start = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(AllPages([&](const typename PageType::Position& after) {
    start = std::chrono::steady_clock::now();
    PageType page = page_after(after);
    longest = std::max(longest, SecondsSince(start));
    return page;
  }));
  return longest;
}

double LongestHoldOfPods(const Engine& engine) {
  return LongestPage<PodPage>([&](const PodPosition& after) { return engine.PodsAfter(after); });
}

double LongestHoldOfGangs(const Engine& engine) {
  return LongestPage<GangPage>(
      [&](const NamespacedName& after) { return engine.GangsAfter(after); });
}

// Judging and planning one complete gang of 18, after one node changed, for a shape seen before.
void BM_PlanWarm(benchmark::State& state) {
  BenchCluster& cluster = ClusterOf(state.range(0));
  const int first = cluster.AddGang();
  cluster.Settle();
  cluster.RemoveGang(first);
  int64_t cpu = 1000;
  for (auto _ : state) {
    const int gang = cluster.AddGang();
    cluster.engine().Apply(PodChanged{cluster.RunningPod(7, ++cpu)}, cluster.now());
    const auto start = std::chrono::steady_clock::now();
    cluster.engine().Work(cluster.now());
    state.SetIterationTime(SecondsSince(start));
    if (cluster.engine().Reservations().size() != 1)
      state.SkipWithError("the gang was not planned");
    cluster.RemoveGang(gang);
  }
}
BENCHMARK(BM_PlanWarm)
    ->Arg(2000)
    ->Arg(20000)
    ->Arg(200000)
    ->UseManualTime()
    ->Iterations(300)
    ->Unit(benchmark::kMicrosecond);

// The same for a shape never seen: every domain is looked at once.
void BM_PlanCold(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    BenchCluster cluster(static_cast<int>(state.range(0)));
    cluster.AddGang();
    state.ResumeTiming();
    cluster.engine().Work(cluster.now());
  }
}
BENCHMARK(BM_PlanCold)->Arg(2000)->Arg(20000)->Iterations(3)->Unit(benchmark::kMicrosecond);

void BM_ApplyPodChange(benchmark::State& state) {
  BenchCluster& cluster = ClusterOf(state.range(0));
  std::vector<Fact> facts;
  for (int i = 0; i < 1000; ++i) {
    facts.push_back(PodChanged{cluster.RunningPod((i * 7919) % cluster.nodes(), 2000 + i)});
  }
  size_t next = 0;
  int64_t cpu = 3000;
  for (auto _ : state) {
    auto& change = std::get<PodChanged>(facts[next]);
    change.pod.spec.request["cpu"] = ++cpu;
    cluster.engine().Apply(facts[next], cluster.now());
    next = (next + 1) % facts.size();
  }
}
BENCHMARK(BM_ApplyPodChange)->Arg(2000)->Arg(20000)->Arg(200000)->Unit(benchmark::kMicrosecond);

void BM_ApplyNodeChange(benchmark::State& state) {
  BenchCluster& cluster = ClusterOf(state.range(0));
  std::vector<Node> nodes;
  for (int i = 0; i < 1000; ++i) {
    Node node;
    const int n = (i * 7919) % cluster.nodes();
    node.name = cluster.names()[static_cast<size_t>(n)];
    node.labels = {{kKey, absl::StrFormat("clique-%06d", n / kDomainSize)}, {"zone", "z1"}};
    node.allocatable = {
        {"cpu", 144000}, {"memory", int64_t{960} << 30}, {"pods", 110}, {"nvidia.com/gpu", 4}};
    nodes.push_back(std::move(node));
  }
  size_t next = 0;
  for (auto _ : state) {
    nodes[next].allocatable["cpu"] = nodes[next].allocatable["cpu"] == 144000 ? 143000 : 144000;
    cluster.engine().Apply(NodeChanged{nodes[next]}, cluster.now());
    next = (next + 1) % nodes.size();
  }
}
BENCHMARK(BM_ApplyNodeChange)->Arg(2000)->Arg(20000)->Arg(200000)->Unit(benchmark::kMicrosecond);

// The longest that the engine is kept at a time while the page of all pods, or of all gangs, is
// made with 400 gangs of 30, each of another shape, blocked in a cluster of 2,000 nodes. Arguments:
// 1 for pods, 0 for gangs; 1 if a pod came before, which makes the reasons of all gangs out of
// date.
void BM_LongestHoldOfAPage(benchmark::State& state) {
  BenchCluster cluster(2000);
  for (int i = 0; i < 400; ++i) cluster.AddGang(30, 100000 + i);
  cluster.Settle();
  int added = 0;
  for (auto _ : state) {
    if (state.range(1) == 1) {
      // It only takes room, so no gang is tried again for it.
      Pod pod = cluster.RunningPod(7, 10);
      pod.uid = {absl::StrCat("added-", ++added)};
      pod.name.name = pod.uid.value;
      cluster.engine().Apply(PodChanged{std::move(pod)}, cluster.now());
      cluster.Settle();
    }
    const double longest = state.range(0) == 1 ? LongestHoldOfPods(cluster.engine())
                                               : LongestHoldOfGangs(cluster.engine());
    state.SetIterationTime(longest);
  }
}
BENCHMARK(BM_LongestHoldOfAPage)
    ->Args({0, 0})
    ->Args({0, 1})
    ->Args({1, 0})
    ->Args({1, 1})
    ->UseManualTime()
    ->Iterations(10)
    ->Unit(benchmark::kMicrosecond);

// Engine time of a filter call. Arguments: nodes in the cluster, names in the call, 1 for a gang
// member or 0 for a standalone pod while a gang holds a domain.
void BM_Filter(benchmark::State& state) {
  BenchCluster& cluster = ClusterOf(state.range(0));
  const int gang = cluster.AddGang();
  cluster.Settle();
  const bool member = state.range(2) == 1;
  Pod standalone = cluster.RunningPod(0, 1000);
  standalone.uid = {"standalone"};
  standalone.name = {"team", "standalone"};
  standalone.scheduler_name = "ome-scheduler";
  standalone.node_name.clear();
  cluster.engine().Apply(PodChanged{standalone}, cluster.now());
  cluster.Settle();
  const PodUid uid = member ? BenchCluster::MemberUid(gang, 3) : standalone.uid;
  const NamespacedName name = member ? BenchCluster::MemberName(gang, 3) : standalone.name;
  std::vector<absl::string_view> names;
  const size_t stride = cluster.names().size() / static_cast<size_t>(state.range(1));
  for (int64_t i = 0; i < state.range(1); ++i)
    names.push_back(cluster.names()[static_cast<size_t>(i) * stride]);
  for (auto _ : state) {
    benchmark::DoNotOptimize(cluster.engine().Filter({uid, name, names}, cluster.now()));
    cluster.engine().DrainEffects();
  }
  cluster.engine().Apply(PodGone{standalone.uid}, cluster.now());
  cluster.RemoveGang(gang);
}
BENCHMARK(BM_Filter)
    ->Args({20000, 1, 1})
    ->Args({20000, 1, 0})
    ->Args({20000, 5000, 1})
    ->Args({20000, 5000, 0})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace gangpack

BENCHMARK_MAIN();
