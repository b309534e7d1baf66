#include "core/gang_shape.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/predicates.h"
#include "core/rule_text.h"
#include "core/selection_clause.h"

namespace gangpack {
namespace {

std::string SpecText(const PodSpec& spec) {
  std::string text = "s";
  for (const auto& [name, amount] : spec.request) {
    AppendCounted(name, &text);
    absl::StrAppend(&text, amount, ";");
  }
  absl::StrAppend(&text, "|");
  for (const HostPort& port : spec.host_ports) {
    AppendCounted(port.host_ip, &text);
    AppendCounted(port.protocol, &text);
    absl::StrAppend(&text, port.port, ";");
  }
  AppendNodeRules(spec, &text);
  AppendTolerations(spec.tolerations, &text);
  return text;
}

// What each term selects, with the owner's values in it.
std::vector<SelectionClause> ClausesOf(const std::vector<PodAffinityTerm>& terms,
                                       const Pod& owner) {
  std::vector<SelectionClause> clauses;
  for (const PodAffinityTerm& term : terms) clauses.push_back(ClauseOf(term, owner));
  return clauses;
}

// All rules that the pod carries toward other pods, with what they select.
std::string TermsText(const Pod& pod) {
  std::string text = "t";
  for (const std::vector<PodAffinityTerm>* terms :
       {&pod.spec.required_affinity, &pod.spec.required_anti_affinity}) {
    absl::StrAppend(&text, "/", terms->size(), ";");
    for (const PodAffinityTerm& term : *terms) {
      AppendCounted(term.topology_key, &text);
      AppendText(ClauseOf(term, pod), &text);
    }
  }
  for (const TopologySpreadConstraint& spread : pod.spec.topology_spread) {
    absl::StrAppend(&text, "/", spread.max_skew, ";", spread.min_domains, ";",
                    spread.honor_node_affinity, spread.honor_taints, SelfMatches(spread, pod));
    AppendCounted(spread.topology_key, &text);
    AppendText(ClauseOf(spread, pod), &text);
  }
  return text;
}

SelectionSubject SubjectOf(const Pod& pod, const ClusterState& cluster) {
  return {pod.name.namespace_name, cluster.NamespaceLabels(pod.name.namespace_name), pod.labels};
}

// One rule as its owners carry it, before kinds are known.
struct OwnedRule {
  int64_t terms_id = 0;
  bool affinity = false;
  std::string topology_key;
  std::vector<uint8_t> selects;  // per pod: members, then placed
};

void AppendRulesOf(const PodRecord& owner, const std::vector<const PodRecord*>& pods,
                   const ClusterState& cluster, std::vector<OwnedRule>* rules) {
  const PodSpec& spec = owner.pod.spec;
  std::vector<uint8_t> by_affinity(pods.size(), 0);
  const std::vector<SelectionClause> affinity = ClausesOf(spec.required_affinity, owner.pod);
  for (size_t i = 0; i < pods.size() && !affinity.empty(); ++i) {
    by_affinity[i] = SelectsAll(affinity, SubjectOf(pods[i]->pod, cluster));
  }
  for (const PodAffinityTerm& term : spec.required_affinity) {
    rules->push_back({owner.terms_id, true, term.topology_key, by_affinity});
  }
  for (const PodAffinityTerm& term : spec.required_anti_affinity) {
    OwnedRule rule{owner.terms_id, false, term.topology_key, std::vector<uint8_t>(pods.size(), 0)};
    const SelectionClause clause = ClauseOf(term, owner.pod);
    bool selects_any = false;
    for (size_t i = 0; i < pods.size(); ++i) {
      rule.selects[i] = Selects(clause, SubjectOf(pods[i]->pod, cluster));
      selects_any = selects_any || rule.selects[i] != 0;
    }
    if (selects_any) rules->push_back(std::move(rule));
  }
}

std::vector<OwnedRule> CollectRules(const std::vector<const PodRecord*>& pods,
                                    const ClusterState& cluster) {
  std::vector<OwnedRule> rules;
  absl::flat_hash_set<int64_t> seen;
  for (const PodRecord* pod : pods) {
    if (pod->terms_id != 0 && seen.insert(pod->terms_id).second) {
      AppendRulesOf(*pod, pods, cluster, &rules);
    }
  }
  return rules;
}

// What the pods that are not the gang's see in the pod: which of their rules select it.
uint64_t SeenAs(const PodRecord& pod, const PodRules& rules) {
  const RulePod* const known = rules.Find(pod.pod.uid);
  return known == nullptr ? 0 : rules.selections().SelectionMark(known->pod_class);
}

// Numbers the kinds in order of first appearance; `terms_of_kind` tells whose rules each kind
// carries.
std::vector<int> NumberKinds(const std::vector<const PodRecord*>& pods,
                             const std::vector<OwnedRule>& rules, size_t members,
                             const PodRules& pod_rules, GangShape* shape,
                             std::vector<int64_t>* terms_of_kind, std::vector<size_t>* sample) {
  std::vector<int> kind_of_pod;
  kind_of_pod.reserve(pods.size());
  absl::flat_hash_map<std::string, int> kinds;
  for (size_t i = 0; i < pods.size(); ++i) {
    std::string text = absl::StrCat(pods[i]->spec_id, "/", pods[i]->terms_id, "/",
                                    SeenAs(*pods[i], pod_rules), "/");
    for (const OwnedRule& rule : rules) text.push_back(rule.selects[i] != 0 ? '1' : '0');
    auto [it, added] = kinds.try_emplace(std::move(text), static_cast<int>(kinds.size()));
    if (added) {
      shape->problem.kinds.push_back(PackingKind{0, pods[i]->request});
      shape->specs.push_back(pods[i]->pod.spec);
      shape->speakers.push_back(i < members ? pods[i]->pod.uid : PodUid{});
      terms_of_kind->push_back(pods[i]->terms_id);
      sample->push_back(i);
    }
    if (i < members) ++shape->problem.kinds[static_cast<size_t>(it->second)].demand;
    kind_of_pod.push_back(it->second);
  }
  return kind_of_pod;
}

int LevelFor(const std::string& topology_key, GangShape* shape) {
  auto& keys = shape->level_keys;
  auto it = std::find(keys.begin(), keys.end(), topology_key);
  if (it == keys.end()) it = keys.insert(keys.end(), topology_key);
  return static_cast<int>(it - keys.begin()) + 1;
}

void AddPackingRules(const std::vector<OwnedRule>& rules, const std::vector<int64_t>& terms_of_kind,
                     const std::vector<size_t>& sample, GangShape* shape) {
  for (const OwnedRule& owned : rules) {
    for (size_t kind = 0; kind < terms_of_kind.size(); ++kind) {
      if (terms_of_kind[kind] != owned.terms_id) continue;
      PackingRule rule{
          owned.affinity, static_cast<int>(kind), {}, LevelFor(owned.topology_key, shape)};
      for (const size_t pod : sample) rule.selects.push_back(owned.selects[pod]);
      shape->problem.rules.push_back(std::move(rule));
      shape->rule_keys.push_back(owned.topology_key);
    }
  }
}

void AddSpread(const PodRules& rules, GangShape* shape) {
  for (const OutsideRules::Spread& outside : shape->outside.spread) {
    PackingSpread spread;
    spread.level = LevelFor(rules.values().KeyName(outside.key), shape);
    spread.bound = outside.bound;
    spread.counted = outside.counted;
    spread.max_skew = outside.max_skew;
    shape->problem.spread.push_back(std::move(spread));
  }
}

void AddPortConflicts(GangShape* shape) {
  const size_t kinds = shape->specs.size();
  std::vector<uint8_t> conflict(kinds * kinds, 0);
  bool any = false;
  for (size_t a = 0; a < kinds; ++a) {
    for (size_t b = 0; b < kinds; ++b) {
      if (!CheckHostPorts(shape->specs[a].host_ports, shape->specs[b].host_ports)) continue;
      conflict[a * kinds + b] = 1;
      any = true;
    }
  }
  if (any) shape->problem.node_conflict = std::move(conflict);
}

std::string Signature(const GangShape& shape, const std::vector<int64_t>& spec_ids) {
  std::string text = absl::StrCat("k", shape.key, "n", shape.need);
  for (size_t kind = 0; kind < spec_ids.size(); ++kind) {
    absl::StrAppend(&text, ";", spec_ids[kind], "x", shape.problem.kinds[kind].demand);
  }
  for (size_t i = 0; i < shape.problem.rules.size(); ++i) {
    const PackingRule& rule = shape.problem.rules[i];
    absl::StrAppend(&text, rule.affinity ? "|+" : "|-", rule.kind, "@", shape.rule_keys[i], ":");
    for (const uint8_t selected : rule.selects) text.push_back(selected != 0 ? '1' : '0');
  }
  for (const PackingSpread& spread : shape.problem.spread) {
    absl::StrAppend(&text, "|s", spread.max_skew, "@",
                    shape.level_keys[static_cast<size_t>(spread.level - 1)], ":");
    for (size_t kind = 0; kind < spread.bound.size(); ++kind) {
      absl::StrAppend(&text, spread.bound[kind] + 2 * spread.counted[kind]);
    }
  }
  return text;
}

// True if no two of the nodes have the same value of `label` and none lacks it: groups then are the
// nodes themselves.
bool OneNodePerGroup(const std::string& label, absl::Span<const NodeIndex> nodes,
                     const ClusterState& cluster) {
  absl::flat_hash_set<absl::string_view> seen;
  for (const NodeIndex node : nodes) {
    const Labels& labels = cluster.node(node).object.labels;
    auto it = labels.find(label);
    if (it == labels.end() || !seen.insert(it->second).second) return false;
  }
  return true;
}

// Gives every level its groups and moves rules whose groups are single nodes to level 0.
void AddGroups(const GangShape& shape, absl::Span<const NodeIndex> nodes,
               const ClusterState& cluster, PackingProblem* problem) {
  for (size_t level = 0; level < shape.level_keys.size(); ++level) {
    const std::string& key = shape.level_keys[level];
    const bool node_level = OneNodePerGroup(key, nodes, cluster);
    absl::flat_hash_map<absl::string_view, int> groups;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const Labels& labels = cluster.node(nodes[i]).object.labels;
      auto it = labels.find(key);
      int group = -1;
      if (it != labels.end()) {
        group = groups.try_emplace(it->second, static_cast<int>(groups.size())).first->second;
      }
      problem->nodes[i].group.push_back(group);
    }
    if (!node_level) continue;
    for (PackingRule& rule : problem->rules) {
      if (rule.level == static_cast<int>(level) + 1) rule.level = 0;
    }
    for (PackingSpread& spread : problem->spread) {
      if (spread.level == static_cast<int>(level) + 1) spread.level = 0;
    }
  }
}

// With nothing there, nothing is counted; what a member needs of pods outside the gang is taken as
// given, since it is not the domain that lacks it.
void SatisfyFromOutside(size_t nodes, PackingProblem* problem) {
  problem->spread.clear();
  for (PackingRule& rule : problem->rules) {
    const bool own = std::find(rule.selects.begin(), rule.selects.end(), 1) != rule.selects.end();
    if (rule.affinity && !own) rule.outside.assign(nodes, 1);
  }
}

bool Feasible(const PodSpec& spec, const NodeRecord& node, bool when_empty) {
  if (when_empty) return !CheckNodeAffinity(spec, node.object);
  return !CheckNodeObject(spec, node.object) && !CheckHostPorts(spec.host_ports, node.used_ports);
}

}  // namespace

int64_t SpecTable::Acquire(std::string text) {
  auto [it, added] = entries_.try_emplace(std::move(text));
  if (added) {
    it->second.id = next_id_++;
    texts_.emplace(it->second.id, it->first);
  }
  ++it->second.uses;
  return it->second.id;
}

void SpecTable::Drop(int64_t id) {
  if (id == 0) return;
  auto text = texts_.find(id);
  CORE_CHECK(text != texts_.end());
  if (--entries_.at(text->second).uses > 0) return;
  unused_.push_back(id);
  if (unused_.size() <= kUnusedMax) return;
  const auto oldest = texts_.find(unused_.front());
  unused_.pop_front();
  if (oldest == texts_.end() || entries_.at(oldest->second).uses > 0) return;
  entries_.erase(oldest->second);
  texts_.erase(oldest);
}

void SpecTable::Intern(PodRecord* record) {
  const Pod& pod = record->pod;
  record->spec_id = Acquire(SpecText(pod.spec));
  const bool terms = !pod.spec.required_affinity.empty() ||
                     !pod.spec.required_anti_affinity.empty() || !pod.spec.topology_spread.empty();
  record->terms_id = terms ? Acquire(TermsText(pod)) : 0;
}

void SpecTable::Release(PodRecord* record) {
  Drop(record->spec_id);
  Drop(record->terms_id);
  record->spec_id = 0;
  record->terms_id = 0;
}

GangShape MakeShape(absl::Span<PodRecord* const> members, absl::Span<const PodRecord* const> placed,
                    int need, TopologyKeyIndex key, const ClusterState& cluster) {
  GangShape shape;
  shape.key = key;
  shape.need = need;
  std::vector<const PodRecord*> pods(members.begin(), members.end());
  pods.insert(pods.end(), placed.begin(), placed.end());
  const std::vector<OwnedRule> rules = CollectRules(pods, cluster);
  std::vector<int64_t> terms_of_kind;
  std::vector<size_t> sample;
  const std::vector<int> kinds =
      NumberKinds(pods, rules, members.size(), cluster.rules(), &shape, &terms_of_kind, &sample);
  const auto placed_begin = kinds.begin() + static_cast<int64_t>(members.size());
  shape.kind_of_member.assign(kinds.begin(), placed_begin);
  shape.kind_of_placed.assign(placed_begin, kinds.end());
  AddPackingRules(rules, terms_of_kind, sample, &shape);
  AddPortConflicts(&shape);
  shape.outside = OutsideRulesOf(shape.speakers, cluster.rules());
  AddSpread(cluster.rules(), &shape);
  std::vector<int64_t> spec_ids;
  for (const size_t pod : sample) spec_ids.push_back(pods[pod]->spec_id);
  shape.signature = Signature(shape, spec_ids);
  return shape;
}

PackingProblem ProblemFor(const GangShape& shape, absl::Span<const NodeIndex> nodes,
                          absl::Span<const FixedSibling> fixed, bool when_empty,
                          const ClusterState& cluster) {
  PackingProblem problem = shape.problem;
  const size_t kinds = problem.kinds.size();
  absl::flat_hash_map<NodeIndex, size_t> position;
  problem.nodes.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const NodeRecord& node = cluster.node(nodes[i]);
    PackingNode packing_node;
    packing_node.free = when_empty ? node.allocatable : node.free();
    packing_node.placed.assign(kinds, 0);
    for (const PodSpec& spec : shape.specs) {
      packing_node.feasible.push_back(Feasible(spec, node, when_empty) ? 1 : 0);
    }
    if (!fixed.empty()) position.emplace(nodes[i], i);
    problem.nodes.push_back(std::move(packing_node));
  }
  for (const FixedSibling& sibling : fixed) {
    auto it = position.find(sibling.node);
    if (it == position.end()) continue;
    PackingNode& node = problem.nodes[it->second];
    ++node.placed[static_cast<size_t>(sibling.kind)];
    if (sibling.uses_free) {
      node.free = FreeOf(node.free, problem.kinds[static_cast<size_t>(sibling.kind)].request);
    }
  }
  if (when_empty) {
    SatisfyFromOutside(nodes.size(), &problem);
  } else {
    AddOutsideRules(shape.outside, nodes, shape.rule_keys, cluster.rules().values(), &problem);
  }
  AddGroups(shape, nodes, cluster, &problem);
  return problem;
}

}  // namespace gangpack
