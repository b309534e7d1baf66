#include "tests/simulation/reference_fit.h"

#include <algorithm>
#include <map>

#include "core/predicates.h"
#include "core/sibling_terms.h"
#include "tests/support/reference_packer.h"

namespace gangpack {

ReferenceFit::ReferenceFit(const ObjectSet& objects, const std::string& key,
                           const std::string& domain)
    : objects_(objects) {
  for (const auto& [name, node] : objects.nodes) {
    if (LabelOf(objects, name, key) == domain) nodes_.push_back(&node);
  }
}

PackingNode ReferenceFit::MakeNode(const Node& node, const std::vector<const Pod*>& pods) {
  ResourceAmounts used;
  std::vector<HostPort> ports;
  for (const auto& [uid, pod] : objects_.pods) {
    const bool nominated = pod.node_name.empty() && pod.scheduler_name != "ome-scheduler" &&
                           pod.nominated_node_name == node.name;
    if (IsFinished(pod) || (pod.node_name != node.name && !nominated)) continue;
    AddAmounts(pod.spec.request, &used);
    AddAmounts({{std::string(kResourcePods), 1}}, &used);
    ports.insert(ports.end(), pod.spec.host_ports.begin(), pod.spec.host_ports.end());
  }
  PackingNode made;
  ResourceAmounts free;
  for (const auto& [resource, amount] : node.allocatable) {
    free[resource] = std::max<int64_t>(0, amount - used[resource]);
  }
  made.free = table_.ToVector(free);
  for (const Pod* pod : pods) {
    made.feasible.push_back(!CheckNodeObject(pod->spec, node) &&
                            !CheckHostPorts(pod->spec.host_ports, ports));
    made.placed.push_back(0);
  }
  return made;
}

int ReferenceFit::LevelFor(const std::string& topology_key, PackingProblem* problem) {
  const auto known = std::find(level_keys_.begin(), level_keys_.end(), topology_key);
  if (known != level_keys_.end()) return static_cast<int>(known - level_keys_.begin()) + 1;
  level_keys_.push_back(topology_key);
  std::map<std::string, int> groups;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const std::string value = LabelOf(objects_, nodes_[i]->name, topology_key);
    const int group =
        value.empty() ? -1
                      : groups.try_emplace(value, static_cast<int>(groups.size())).first->second;
    problem->nodes[i].group.push_back(group);
  }
  return static_cast<int>(level_keys_.size());
}

void ReferenceFit::AddRules(const std::vector<const Pod*>& pods, PackingProblem* problem) {
  for (size_t owner = 0; owner < pods.size(); ++owner) {
    const PodSpec& spec = pods[owner]->spec;
    for (const bool affinity : {true, false}) {
      for (const PodAffinityTerm& term :
           affinity ? spec.required_affinity : spec.required_anti_affinity) {
        PackingRule rule{affinity, static_cast<int>(owner), {}, 0};
        for (const Pod* other : pods) {
          rule.selects.push_back(TermSelects(term, *pods[owner], *other, {}) ? 1 : 0);
        }
        // Nobody in the gang: the rule is about pods outside it.
        if (std::count(rule.selects.begin(), rule.selects.end(), 1) == 0) continue;
        rule.level = LevelFor(term.topology_key, problem);
        problem->rules.push_back(rule);
      }
    }
  }
}

void ReferenceFit::DropWhoNeedPending() {
  const auto selects = [](const Pod* owner, const std::vector<const Pod*>& others) {
    return std::any_of(others.begin(), others.end(), [owner](const Pod* other) {
      const std::vector<PodAffinityTerm>& terms = owner->spec.required_affinity;
      return !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](const auto& term) {
        return TermSelects(term, *owner, *other, {});
      });
    });
  };
  const auto needs_pending = [&](const Pod* member) {
    return selects(member, pending_) && !selects(member, members_) && !selects(member, placed_);
  };
  for (;;) {
    const auto found = std::find_if(members_.begin(), members_.end(), needs_pending);
    if (found == members_.end()) return;
    pending_.push_back(*found);
    members_.erase(found);
  }
}

int ReferenceFit::MostPlaced() {
  DropWhoNeedPending();
  PackingProblem problem;
  std::vector<const Pod*> pods = members_;
  pods.insert(pods.end(), placed_.begin(), placed_.end());
  std::vector<int> kind_of_member;
  for (size_t i = 0; i < pods.size(); ++i) {
    ResourceAmounts request = pods[i]->spec.request;
    request[std::string(kResourcePods)] = 1;
    problem.kinds.push_back({i < members_.size() ? 1 : 0, table_.ToVector(request)});
    if (i < members_.size()) kind_of_member.push_back(static_cast<int>(i));
  }
  for (const Node* node : nodes_) problem.nodes.push_back(MakeNode(*node, pods));
  for (size_t i = members_.size(); i < pods.size(); ++i) {
    for (size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n]->name == pods[i]->node_name) problem.nodes[n].placed[i] = 1;
    }
  }
  AddRules(pods, &problem);
  problem.node_conflict.assign(pods.size() * pods.size(), 0);
  for (size_t a = 0; a < pods.size(); ++a) {
    for (size_t b = 0; b < pods.size(); ++b) {
      if (a == b) continue;
      const bool conflict =
          CheckHostPorts(pods[a]->spec.host_ports, pods[b]->spec.host_ports).has_value();
      problem.node_conflict[a * pods.size() + b] = conflict ? 1 : 0;
    }
  }
  return ReferencePacker(problem, kind_of_member).MostPlaced();
}

}  // namespace gangpack
