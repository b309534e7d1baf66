#include "tests/simulation/reference_fit.h"

#include <algorithm>
#include <map>

#include "core/predicates.h"
#include "core/selection_clause.h"
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
                            !CheckHostPorts(pod->spec.host_ports, ports) &&
                            !Repelled(*pod, node.name));
    made.placed.push_back(0);
  }
  return made;
}

// A term of either keeps the pod from the node that an outsider is near.
bool ReferenceFit::Repelled(const Pod& pod, const std::string& node) const {
  const auto repels = [&](const Pod& owner, const Pod& other, const Pod& outsider) {
    const std::vector<PodAffinityTerm>& terms = owner.spec.required_anti_affinity;
    return std::any_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
      const std::string group = LabelOf(objects_, node, term.topology_key);
      return !group.empty() && group == LabelOf(objects_, outsider.node_name, term.topology_key) &&
             TermSelects(term, owner, other, {});
    });
  };
  return std::any_of(outsiders_.begin(), outsiders_.end(), [&](const Pod* outsider) {
    return repels(pod, *outsider, *outsider) || repels(*outsider, pod, *outsider);
  });
}

bool ReferenceFit::SelectedByAll(const Pod& owner, const Pod& other) const {
  const std::vector<PodAffinityTerm>& terms = owner.spec.required_affinity;
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](const auto& term) {
    return TermSelects(term, owner, other, {});
  });
}

void ReferenceFit::AddOutsiders(size_t owner, const PodAffinityTerm& term,
                                PackingRule* rule) const {
  const Pod& pod = owner < members_.size() ? *members_[owner] : *placed_[owner - members_.size()];
  rule->outside.assign(nodes_.size(), 0);
  for (const Pod* outsider : outsiders_) {
    const std::string group = LabelOf(objects_, outsider->node_name, term.topology_key);
    if (group.empty() || !SelectedByAll(pod, *outsider)) continue;
    rule->selected_elsewhere = true;
    for (size_t n = 0; n < nodes_.size(); ++n) {
      if (LabelOf(objects_, nodes_[n]->name, term.topology_key) == group) rule->outside[n] = 1;
    }
  }
}

// By the words of the Kubernetes documentation, node by node and pod by pod.
void ReferenceFit::AddSpread(const std::vector<const Pod*>& pods, PackingProblem* problem) {
  for (size_t owner = 0; owner < members_.size(); ++owner) {
    const PodSpec& spec = pods[owner]->spec;
    const auto eligible = [&](const Node& node, const TopologySpreadConstraint& constraint) {
      const bool keys =
          std::all_of(spec.topology_spread.begin(), spec.topology_spread.end(),
                      [&](const auto& other) { return node.labels.contains(other.topology_key); });
      return keys && (!constraint.honor_node_affinity || !CheckNodeAffinity(spec, node)) &&
             (!constraint.honor_taints || !CheckTaints(spec, node));
    };
    for (const TopologySpreadConstraint& constraint : spec.topology_spread) {
      const auto counted = [&](const Pod& pod) {
        return !pod.terminating && pod.name.namespace_name == pods[owner]->name.namespace_name &&
               Selects(ClauseOf(constraint, *pods[owner]),
                       {pod.name.namespace_name, {}, pod.labels});
      };
      std::map<std::string, int> counts;  // of domains
      for (const auto& [name, node] : objects_.nodes) {
        if (eligible(node, constraint)) counts[node.labels.at(constraint.topology_key)];
      }
      for (const std::vector<const Pod*>* there : {&outsiders_, &placed_}) {
        for (const Pod* pod : *there) {
          const auto node = objects_.nodes.find(pod->node_name);
          if (node == objects_.nodes.end() || !eligible(node->second, constraint)) continue;
          if (counted(*pod)) ++counts[node->second.labels.at(constraint.topology_key)];
        }
      }
      PackingSpread spread;
      spread.level = LevelFor(constraint.topology_key, problem);
      spread.max_skew = constraint.max_skew;
      spread.bound.assign(pods.size(), 0);
      spread.bound[owner] = 1;
      for (const Pod* pod : pods) spread.counted.push_back(counted(*pod) ? 1 : 0);
      std::map<std::string, int> outside = counts;
      for (size_t n = 0; n < nodes_.size(); ++n) {
        const auto label = nodes_[n]->labels.find(constraint.topology_key);
        const bool labelled = label != nodes_[n]->labels.end();
        if (!labelled) problem->nodes[n].feasible[owner] = 0;
        spread.eligible.push_back(eligible(*nodes_[n], constraint) ? 1 : 0);
        spread.base.push_back(labelled && counts.contains(label->second) ? counts[label->second]
                                                                         : 0);
        if (spread.eligible.back() != 0) outside.erase(label->second);
      }
      for (const auto& [value, count] : outside) {
        spread.least_outside = std::min(spread.least_outside, count);
      }
      spread.least_is_zero = static_cast<int>(counts.size()) < constraint.min_domains;
      problem->spread.push_back(std::move(spread));
    }
  }
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
        if (affinity) AddOutsiders(owner, term, &rule);
        rule.level = LevelFor(term.topology_key, problem);
        problem->rules.push_back(rule);
      }
    }
  }
}

void ReferenceFit::DropWhoNeedPending() {
  const auto selects = [this](const Pod* owner, const std::vector<const Pod*>& others) {
    return std::any_of(others.begin(), others.end(),
                       [&](const Pod* other) { return SelectedByAll(*owner, *other); });
  };
  const auto needs_pending = [&](const Pod* member) {
    return selects(member, pending_) && !selects(member, members_) && !selects(member, placed_) &&
           !selects(member, outsiders_);
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
  AddSpread(pods, &problem);
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
