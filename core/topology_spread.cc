#include "core/topology_spread.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/predicates.h"
#include "core/rule_text.h"
#include "core/selection_clause.h"

namespace gangpack {
namespace {

bool HonorsNodeRules(const TopologySpreadConstraint& constraint, const Pod& owner) {
  return constraint.honor_node_affinity &&
         (!owner.spec.node_selector.empty() || owner.spec.required_node_affinity.has_value());
}

std::string EligibilityText(const TopologySpreadConstraint& constraint, const Pod& owner) {
  std::string text;
  std::vector<std::string> keys;
  for (const TopologySpreadConstraint& other : owner.spec.topology_spread) {
    keys.push_back(other.topology_key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const std::string& key : keys) AppendCounted(key, &text);
  if (HonorsNodeRules(constraint, owner)) {
    text.push_back('n');
    AppendNodeRules(owner.spec, &text);
  }
  if (constraint.honor_taints) {
    AppendTolerations(owner.spec.tolerations, &text);
  }
  return text;
}

}  // namespace

std::vector<CarriedSpread> TopologySpread::Acquire(const Pod& owner) {
  std::vector<CarriedSpread> spread;
  for (const TopologySpreadConstraint& constraint : owner.spec.topology_spread) {
    spread.push_back({AcquireQuery(constraint, owner), constraint.max_skew, constraint.min_domains,
                      SelfMatches(constraint, owner)});
  }
  return spread;
}

void TopologySpread::Release(const std::vector<CarriedSpread>& spread) {
  for (const CarriedSpread& carried : spread) ReleaseQuery(carried.query);
}

SpreadQuery* TopologySpread::AcquireQuery(const TopologySpreadConstraint& constraint,
                                          const Pod& owner) {
  std::string eligibility_text = EligibilityText(constraint, owner);
  SelectionClause clause = ClauseOf(constraint, owner);
  std::string text;
  AppendCounted(constraint.topology_key, &text);
  AppendCounted(eligibility_text, &text);
  AppendText(clause, &text);
  const auto it = queries_.find(text);
  if (it != queries_.end()) {
    ++it->second->uses;
    return it->second.get();
  }
  auto owned = std::make_unique<SpreadQuery>();
  SpreadQuery* query = owned.get();
  query->id = changes_->NewCounter();
  ids_.insert(query->id);
  query->uses = 1;
  query->text = text;
  query->key = values_->AddKey(constraint.topology_key);
  query->eligibility = AcquireEligibility(constraint, owner, std::move(eligibility_text));
  const std::vector<TopologyKeyIndex>& keys = query->eligibility->keys;
  query->key_place =
      static_cast<size_t>(std::find(keys.begin(), keys.end(), query->key) - keys.begin());
  query->selection = selections_->Acquire({std::move(clause)});
  AttachedTo(query->selection).push_back(query);
  queries_.emplace(std::move(text), std::move(owned));
  for (const PodClassIndex pod_class : selections_->ClassesOf(query->selection)) {
    for (const RulePod* pod : pods_->OfClass(pod_class)) CountAt(query, *pod, 1);
  }
  return query;
}

SpreadEligibility* TopologySpread::AcquireEligibility(const TopologySpreadConstraint& constraint,
                                                      const Pod& owner, std::string text) {
  std::unique_ptr<SpreadEligibility>& slot = eligibilities_[std::move(text)];
  if (slot != nullptr) {
    ++slot->uses;
    return slot.get();
  }
  slot = std::make_unique<SpreadEligibility>();
  slot->id = changes_->NewCounter();
  slot->uses = 1;
  for (const TopologySpreadConstraint& other : owner.spec.topology_spread) {
    const TopologyKeyIndex key = values_->AddKey(other.topology_key);
    if (std::find(slot->keys.begin(), slot->keys.end(), key) == slot->keys.end()) {
      slot->keys.push_back(key);
    }
  }
  slot->domains.resize(slot->keys.size());
  slot->honor_node_affinity = HonorsNodeRules(constraint, owner);
  slot->honor_taints = constraint.honor_taints;
  if (slot->honor_node_affinity) {
    slot->node_rules.node_selector = owner.spec.node_selector;
    slot->node_rules.required_node_affinity = owner.spec.required_node_affinity;
  }
  if (slot->honor_taints) slot->node_rules.tolerations = owner.spec.tolerations;
  for (NodeIndex node = 0; node < values_->node_end(); ++node) {
    SetEligible(node, IsEligible(*slot, values_->object(node)), slot.get());
  }
  return slot.get();
}

void TopologySpread::ReleaseQuery(SpreadQuery* query) {
  CORE_CHECK(query->uses > 0);
  if (--query->uses > 0) return;
  std::vector<SpreadQuery*>& attached = AttachedTo(query->selection);
  attached.erase(std::find(attached.begin(), attached.end(), query));
  selections_->Release(query->selection);
  if (--query->eligibility->uses == 0) {
    const auto it =
        std::find_if(eligibilities_.begin(), eligibilities_.end(),
                     [&](const auto& entry) { return entry.second.get() == query->eligibility; });
    eligibilities_.erase(it);
  }
  ids_.erase(query->id);
  queries_.erase(queries_.find(query->text));
}

bool TopologySpread::IsEligible(const SpreadEligibility& eligibility, const Node* object) const {
  ++nodes_evaluated_;
  if (object == nullptr) return false;
  for (const TopologyKeyIndex key : eligibility.keys) {
    if (!object->labels.contains(values_->KeyName(key))) return false;
  }
  if (eligibility.honor_node_affinity &&
      CheckNodeAffinity(eligibility.node_rules, *object).has_value()) {
    return false;
  }
  return !eligibility.honor_taints || !CheckTaints(eligibility.node_rules, *object).has_value();
}

void TopologySpread::SetEligible(NodeIndex node, bool eligible, SpreadEligibility* eligibility) {
  if (eligibility->Has(node) == eligible) return;
  const size_t at = static_cast<size_t>(node);
  if (eligibility->eligible.size() <= at) eligibility->eligible.resize(at + 1, 0);
  eligibility->eligible[at] = eligible ? 1 : 0;
  for (size_t i = 0; i < eligibility->keys.size(); ++i) {
    const TopologyValue value = values_->ValueOf(eligibility->keys[i], node);
    const int32_t change = eligible ? 1 : -1;
    const int32_t now = eligibility->domains[i].Add(value, change);
    if (now == 0 || now == change) {
      changes_->Append({eligibility->id, RuleSide::kSpread, eligibility->keys[i], kNoValue, true});
    }
  }
}

void TopologySpread::Count(const RulePod& pod, int32_t change) {
  if (pod.terminating) return;
  for (const SelectionIndex selection : selections_->SelectionsOf(pod.pod_class)) {
    const size_t at = static_cast<size_t>(selection);
    if (at >= attached_.size()) continue;
    for (SpreadQuery* query : attached_[at]) CountAt(query, pod, change);
  }
}

void TopologySpread::CountAt(SpreadQuery* query, const RulePod& pod, int32_t change) {
  if (pod.terminating || !query->eligibility->Has(pod.node)) return;
  ++counts_changed_;
  const TopologyValue value = values_->ValueOf(query->key, pod.node);
  const int32_t least = query->Least();
  const int32_t now = query->counts.Add(value, change);
  const int32_t old = now - change;
  if (old > 0 && --query->values_with[old] == 0) query->values_with.erase(old);
  if (now > 0) ++query->values_with[now];
  const bool better = change < 0 || query->Least() > least;
  changes_->Append({query->id, RuleSide::kSpread, query->key,
                    query->Least() == least ? value : kNoValue, better});
}

bool TopologySpread::WouldChange(NodeIndex node, const Node* object) const {
  return std::any_of(eligibilities_.begin(), eligibilities_.end(), [&](const auto& entry) {
    return entry.second->Has(node) != IsEligible(*entry.second, object);
  });
}

void TopologySpread::RemoveNode(NodeIndex node) {
  for (const auto& [text, eligibility] : eligibilities_) {
    SetEligible(node, false, eligibility.get());
  }
}

void TopologySpread::AddNode(NodeIndex node) {
  for (const auto& [text, eligibility] : eligibilities_) {
    SetEligible(node, IsEligible(*eligibility, values_->object(node)), eligibility.get());
  }
}

std::vector<SpreadQuery*>& TopologySpread::AttachedTo(SelectionIndex selection) {
  const size_t at = static_cast<size_t>(selection);
  if (attached_.size() <= at) attached_.resize(at + 1);
  return attached_[at];
}

}  // namespace gangpack
