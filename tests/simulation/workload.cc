#include "tests/simulation/workload.h"

#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

constexpr int kGangsMax = 9;
constexpr int kSinglesMax = 8;
constexpr char kZone[] = "zone";

template <typename Map>
typename Map::mapped_type Pick(const Map& map, Prng* prng) {
  return std::next(map.begin(), prng->Between(0, static_cast<int>(map.size()) - 1))->second;
}

template <typename Map, typename Wanted>
Map Where(const Map& map, const Wanted& wanted) {
  Map chosen;
  for (const auto& entry : map) {
    if (wanted(entry.second)) chosen.insert(entry);
  }
  return chosen;
}

}  // namespace

void Workload::SetRandomNode(const std::string& name) {
  NodeBuilder node(name);
  if (prng_->Chance(92)) node.Rack(absl::StrCat("r", prng_->Between(1, 3)));
  if (prng_->Chance(92)) node.Label(kZone, absl::StrCat("z", prng_->Between(1, 2)));
  node.Gpus(prng_->Between(1, 3)).CpuMilli(1000 * prng_->Between(2, 5));
  if (prng_->Chance(10)) node.PodSlots(2);
  if (prng_->Chance(8)) node.Cordoned();
  if (prng_->Chance(8)) node.Tainted("maintenance");
  cluster_->Set(node.Build());
}

void Workload::Build() {
  const int count = prng_->Between(4, 9);
  for (int i = 0; i < count; ++i) SetRandomNode(absl::StrCat("n", ++nodes_));
}

Pod Workload::MemberOf(const PodGroup& group, int index, absl::Time now) {
  PodBuilder pod(absl::StrCat(group.name.name, "-", index));
  pod.Uid(NewUid()).Gang(group.name.name).Created(now).Priority(10 * prng_->Between(0, 1));
  pod.Label("gang", group.name.name).Label("role", index == 0 ? "leader" : "worker");
  pod.Gpus(prng_->Chance(25) ? 2 : 1);
  if (prng_->Chance(20)) pod.CpuMilli(1000 * prng_->Between(1, 3));
  if (prng_->Chance(6)) pod.NodeSelector(kRack, absl::StrCat("r", prng_->Between(1, 3)));
  if (prng_->Chance(6)) pod.HostPort(8080);
  if (prng_->Chance(6)) pod.ToleratesEverything();
  if (prng_->Chance(6)) pod.Gates(1);
  if (prng_->Chance(2)) pod.Scheduler("other");
  AddRules(&pod, "gang", group.name.name);
  const std::string key = TopologyKeyOf(group);
  if (index > 0 && group.labels.contains("led")) {
    PodAffinityTerm term = TermFor(key, "gang", group.name.name);
    term.selector->requirements.push_back({"role", SelectorOperator::kIn, {"leader"}});
    pod.Affinity(std::move(term));
  }
  if (group.labels.contains("spread")) {
    pod.AntiAffinity(TermFor(kHostnameLabel, "gang", group.name.name));
  }
  return pod;
}

// Rules toward pods outside the gang, if any: `own` and `value` are a label of the pod's own kind.
void Workload::AddRules(PodBuilder* pod, const std::string& own, const std::string& value) {
  const absl::string_view keys[] = {kHostnameLabel, kRack, kZone};
  const std::string key(keys[prng_->Between(0, 2)]);
  pod->Label("app", absl::StrCat("a", prng_->Between(1, 4)));
  if (prng_->Chance(7)) {
    PodAffinityTerm term = TermFor(key, "app", absl::StrCat("a", prng_->Between(1, 4)));
    if (prng_->Chance(50))
      term.selector->requirements.push_back({own, SelectorOperator::kNotIn, {value}});
    pod->AntiAffinity(std::move(term));
  }
  if (prng_->Chance(3)) pod->Affinity(TermFor(key, "app", absl::StrCat("a", prng_->Between(1, 2))));
  if (prng_->Chance(5)) {
    TopologySpreadConstraint spread =
        SpreadOver(key, "app", absl::StrCat("a", prng_->Between(1, 4)));
    spread.max_skew = prng_->Between(1, 2);
    if (prng_->Chance(20)) spread.min_domains = prng_->Between(1, 3);
    pod->Spread(std::move(spread));
  }
}

std::string Workload::AddGang(absl::Time now) {
  const std::string name = absl::StrCat("g", ++gangs_);
  const int size = prng_->Between(1, 4);
  PodGroupBuilder builder(name, size);
  builder.Uid(NewUid()).Created(now).TopologyKey(prng_->Chance(70) ? "rack" : kZone);
  if (prng_->Chance(5)) builder.TopologyKey(std::nullopt);
  if (prng_->Chance(20)) builder.MinMember(prng_->Between(0, size));
  if (prng_->Chance(50)) builder.TimeoutSeconds(prng_->Between(1, 60));
  if (prng_->Chance(20)) builder.Label("led", "yes");
  if (prng_->Chance(15)) builder.Label("spread", "yes");
  if (prng_->Chance(3)) builder.Label("ome.io/placement-group", "p");
  const PodGroup group = builder.Build();
  const bool pods_first = prng_->Chance(30);
  if (!pods_first) cluster_->Set(group);
  for (int i = 0; i < size; ++i) {
    if (prng_->Chance(90)) cluster_->Set(MemberOf(group, i, now));
  }
  if (pods_first && prng_->Chance(90)) cluster_->Set(group);
  return absl::StrCat("gang ", name, " of ", size);
}

std::string Workload::AddSingle(absl::Time now) {
  PodBuilder pod(absl::StrCat("s", ++singles_));
  pod.Uid(NewUid()).Created(now).Gpus(prng_->Between(0, 2)).CpuMilli(500);
  if (prng_->Chance(10)) pod.Priority(5);
  AddRules(&pod, "single", "yes");
  cluster_->Set(pod.Build());
  return absl::StrCat("single s", singles_);
}

// Another scheduler looks at what is bound only: it knows nothing of holds.
std::string Workload::AddForeign(absl::Time now) {
  const ObjectSet& truth = cluster_->truth();
  if (truth.nodes.empty()) return "no node";
  PodBuilder builder(absl::StrCat("f", ++singles_));
  builder.Uid(NewUid()).Created(now).Scheduler("other").Gpus(1);
  const Node node = Pick(truth.nodes, prng_);
  std::vector<const Pod*> others;
  for (const auto& [uid, pod] : truth.pods) {
    if (pod.node_name == node.name && !IsFinished(pod)) others.push_back(&pod);
  }
  if (!NodeTakes(node, others, builder)) return absl::StrCat(node.name, " is full");
  if (prng_->Chance(20)) {
    builder.Nominated(node.name);
  } else {
    builder.On(node.name);
  }
  cluster_->Set(builder.Build());
  return absl::StrCat("foreign f", singles_, " on ", node.name);
}

std::string Workload::ChangePod(absl::Time now) {
  const ObjectSet& truth = cluster_->truth();
  if (truth.pods.empty()) return "no pod";
  Pod pod = Pick(truth.pods, prng_);
  const std::string name = pod.name.name;
  const int what = prng_->Between(0, 9);
  if (pod.gates > 0) {
    pod.gates = 0;
    cluster_->Set(pod);
    return absl::StrCat("ungate ", name);
  }
  if (what < 3 && !pod.terminating) {
    pod.terminating = true;
    cluster_->Set(pod);
    return absl::StrCat("terminate ", name);
  }
  if (what < 4 && !pod.node_name.empty() && !IsFinished(pod)) {
    pod.phase = prng_->Chance(70) ? PodPhase::kSucceeded : PodPhase::kFailed;
    cluster_->Set(pod);
    return absl::StrCat("finish ", name);
  }
  if (what < 5) {
    pod.labels["note"] = absl::StrCat(prng_->Between(0, 9));
    if (prng_->Chance(10)) {
      pod.labels[kPodGroupLabel] = absl::StrCat("g", prng_->Between(0, gangs_));
    }
    cluster_->Set(pod);
    return absl::StrCat("label ", name);
  }
  if (what < 6 && !IsFinished(pod) && !pod.node_name.empty() && prng_->Chance(30)) {
    pod.labels["resized"] = "yes";
    pod.spec.request[kGpu] = prng_->Between(1, 2);
    cluster_->Set(pod);
    return absl::StrCat("resize ", name);
  }
  cluster_->DeletePod(pod.uid.value);
  // Its controller makes another of the same name.
  const auto group = truth.groups.find(GangOf(pod));
  if (group != truth.groups.end() && prng_->Chance(60)) {
    const int index = name.back() - '0';
    cluster_->Set(MemberOf(group->second, index, now));
    return absl::StrCat("re-create ", name);
  }
  return absl::StrCat("delete ", name);
}

std::string Workload::ChangeGroup(absl::Time now) {
  const ObjectSet& truth = cluster_->truth();
  if (truth.groups.empty()) return "no group";
  PodGroup group = Pick(truth.groups, prng_);
  const int what = prng_->Between(0, 9);
  if (what < 4) {  // the whole gang ends
    for (const auto& [uid, pod] : ObjectSet(truth).pods) {
      if (GangOf(pod) == group.name) cluster_->DeletePod(uid);
    }
    cluster_->DeleteGroup(group.name);
    return absl::StrCat("end of ", group.name.name);
  }
  if (what < 5) {
    cluster_->DeleteGroup(group.name);
    if (prng_->Chance(20)) return absl::StrCat("delete group ", group.name.name);
    group.uid = NewUid();
    group.creation = now;
  } else if (what < 7) {
    group.min_member = prng_->Between(0, 4);
  } else if (what < 8) {
    group.annotations["ome.io/topology-key"] = prng_->Chance(50) ? "rack" : kZone;
  } else if (what < 9) {
    group.schedule_timeout_seconds = prng_->Between(1, 60);
  }
  cluster_->Set(group);
  return absl::StrCat("group ", group.name.name, " ", group.min_member.value_or(-1), " ",
                      TopologyKeyOf(group));
}

std::string Workload::ChangeNode() {
  const ObjectSet& truth = cluster_->truth();
  if (truth.nodes.size() < 4 || (truth.nodes.size() < 9 && prng_->Chance(20))) {
    SetRandomNode(absl::StrCat("n", ++nodes_));
    return absl::StrCat("node n", nodes_);
  }
  Node node = Pick(truth.nodes, prng_);
  const int what = prng_->Between(0, 9);
  if (what < 2) {
    cluster_->DeleteNode(node.name);
    return absl::StrCat("node gone ", node.name);
  }
  if (what < 4) {
    node.unschedulable = !node.unschedulable;
  } else if (what < 5) {
    node.taints.clear();
    if (prng_->Chance(40)) node.taints.push_back({"maintenance", "", TaintEffect::kNoSchedule});
  } else if (what < 6) {
    node.allocatable[kGpu] = prng_->Between(0, 3);
  } else if (what < 8) {
    SetRandomNode(node.name);
    return absl::StrCat("node anew ", node.name);
  } else {
    node.labels[what < 9 ? "rack" : kZone] =
        absl::StrCat(what < 9 ? "r" : "z", prng_->Between(1, 2));
  }
  cluster_->Set(node);
  return absl::StrCat("node change ", node.name, " ", what);
}

std::string Workload::Change(absl::Time now) {
  const ObjectSet& truth = cluster_->truth();
  const auto single = [](const Pod& pod) { return GangOf(pod).name.empty(); };
  const bool crowded = static_cast<int>(Where(truth.pods, single).size()) >= kSinglesMax;
  const int what = prng_->Between(0, 99);
  if (what < 30 && static_cast<int>(truth.groups.size()) < kGangsMax) return AddGang(now);
  if (what < 40 && !crowded) return AddSingle(now);
  if (what < 46 && !crowded) return AddForeign(now);
  if (what < 72) return ChangePod(now);
  if (what < 86) return ChangeGroup(now);
  return ChangeNode();
}

}  // namespace gangpack
