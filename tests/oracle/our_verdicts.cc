#include "tests/oracle/our_verdicts.h"

#include <functional>

#include "absl/strings/string_view.h"
#include "core/cluster_state.h"
#include "core/ids.h"
#include "core/node.h"
#include "core/pod.h"
#include "core/pod_rules.h"
#include "core/predicates.h"
#include "core/prepared_pod.h"
#include "core/resources.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/node_codec.h"
#include "k8s/pod_codec.h"
#include "k8s/pod_group_codec.h"

namespace gangpack {
namespace {

// A case as the engine would hold it.
struct World {
  ClusterState cluster{"default-scheduler"};
  PodRules rules;
  // The same, but that the pods that are asked about carry no spread constraints: the rules between
  // pods name only the first that refuses.
  PodRules terms;
};

// Whether a rule of ours refuses the pod on the node.
using Refuses = bool (*)(const World& world, const PodRecord& pod, NodeIndex node);

// Under the name of the plugin that it must agree with.
struct Rule {
  const char* plugin;
  Refuses refuses;
};

bool RefusedBySpread(const World& world, const PodRecord& pod, NodeIndex node) {
  const auto rejection = world.rules.Prepare(pod.pod.uid).Check(node);
  return rejection.has_value() &&
         (rejection->rule == PodRule::kSpreadKey || rejection->rule == PodRule::kSpread);
}

bool RefusedByTerms(const World& world, const PodRecord& pod, NodeIndex node) {
  return !world.terms.Prepare(pod.pod.uid).Allows(node);
}

constexpr Rule kRules[] = {
    {"NodeUnschedulable",
     [](const World& world, const PodRecord& pod, NodeIndex node) {
       return CheckUnschedulable(pod.pod.spec, world.cluster.node(node).object).has_value();
     }},
    {"TaintToleration",
     [](const World& world, const PodRecord& pod, NodeIndex node) {
       return CheckTaints(pod.pod.spec, world.cluster.node(node).object).has_value();
     }},
    {"NodeAffinity",
     [](const World& world, const PodRecord& pod, NodeIndex node) {
       return CheckNodeAffinity(pod.pod.spec, world.cluster.node(node).object).has_value();
     }},
    {"NodePorts",
     [](const World& world, const PodRecord& pod, NodeIndex node) {
       return CheckHostPorts(pod.pod.spec.host_ports, world.cluster.node(node).used_ports)
           .has_value();
     }},
    {"NodeResourcesFit",
     [](const World& world, const PodRecord& pod, NodeIndex node) {
       const ResourceVector free = world.cluster.node(node).free();
       return CheckResources(pod.request, free, world.cluster.resources()).has_value();
     }},
    {"PodTopologySpread", RefusedBySpread},
    {"InterPodAffinity", RefusedByTerms},
};

void ForEach(const k8s::Value& test_case, absl::string_view list, k8s::FaultList* faults,
             const std::function<void(const k8s::Field&)>& visit) {
  const k8s::Value* items = test_case.Find(list);
  if (items == nullptr) return;
  for (const k8s::Value& item : items->items()) visit(k8s::Field(item, faults));
}

}  // namespace

absl::Span<const char* const> ComparedPlugins() {
  static const std::vector<const char*>* const names = [] {
    auto* result = new std::vector<const char*>;
    for (const Rule& rule : kRules) result->push_back(rule.plugin);
    return result;
  }();
  return *names;
}

OurVerdicts Judge(const k8s::Value& test_case) {
  World world;
  k8s::FaultList faults;
  std::vector<NodeIndex> nodes;
  std::vector<const PodRecord*> pending;
  ForEach(test_case, "nodes", &faults, [&](const k8s::Field& object) {
    const Node node = k8s::DecodeNode(object, k8s::ObjectSource::kApiServer).node;
    const NodeIndex index = world.cluster.UpsertNode(node);
    nodes.push_back(index);
    for (PodRules* rules : {&world.rules, &world.terms}) {
      rules->SetNode(index, world.cluster.node(index).object);
    }
  });
  ForEach(test_case, "namespaces", &faults, [&](const k8s::Field& object) {
    const Namespace decoded = k8s::DecodeNamespace(object).object;
    world.rules.SetNamespace(decoded.name, decoded.labels);
    world.terms.SetNamespace(decoded.name, decoded.labels);
  });
  ForEach(test_case, "pods", &faults, [&](const k8s::Field& object) {
    const PodRecord* pod = world.cluster.UpsertPod(k8s::DecodePod(object).pod);
    const NodeIndex node = pod->finished() ? kNoNode : pod->node;
    world.rules.SetPod(pod->pod, node);
    world.terms.SetPod(pod->pod, node);
  });
  ForEach(test_case, "pending", &faults, [&](const k8s::Field& object) {
    pending.push_back(world.cluster.UpsertPod(k8s::DecodePod(object).pod));
    Pod pod = pending.back()->pod;
    world.rules.SetPod(pod, kNoNode);
    pod.spec.topology_spread.clear();
    world.terms.SetPod(pod, kNoNode);
  });
  OurVerdicts verdicts;
  for (const k8s::Fault& fault : faults.faults) verdicts.faults.push_back(fault.ToString());
  if (!verdicts.faults.empty()) return verdicts;
  for (const PodRecord* pod : pending) {
    std::vector<PluginNames>& per_node = verdicts.refused.emplace_back();
    for (const NodeIndex node : nodes) {
      PluginNames& refused = per_node.emplace_back();
      for (const Rule& rule : kRules) {
        if (rule.refuses(world, *pod, node)) refused.insert(rule.plugin);
      }
    }
  }
  return verdicts;
}

}  // namespace gangpack
