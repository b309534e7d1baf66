#include "core/pod_term_index.h"

#include <algorithm>
#include <tuple>

#include "core/check.h"
#include "core/rule_text.h"

namespace gangpack {

bool PodsByValue::Less::operator()(const Entry& a, const Entry& b) const {
  if (a.first != b.first) return a.first < b.first;
  return std::tie(a.second->name, a.second->uid) < std::tie(b.second->name, b.second->uid);
}

const RulePod* PodsByValue::First(TopologyValue value, const RulePod* besides) const {
  auto it = pods_.lower_bound(value);
  if (it != pods_.end() && it->first == value && it->second == besides) ++it;
  return it != pods_.end() && it->first == value ? it->second : nullptr;
}

CarriedTerms PodTermIndex::Acquire(const Pod& owner) {
  CarriedTerms terms;
  std::vector<SelectionClause> clauses;
  std::vector<std::string> keys;
  for (const PodAffinityTerm& term : owner.spec.required_affinity) {
    clauses.push_back(ClauseOf(term, owner));
    keys.push_back(term.topology_key);
  }
  if (!clauses.empty()) terms.affinity = AcquireUnit(true, std::move(clauses), keys);
  for (const PodAffinityTerm& term : owner.spec.required_anti_affinity) {
    TermUnit* unit = AcquireUnit(false, {ClauseOf(term, owner)}, {term.topology_key});
    if (std::find(terms.anti_affinity.begin(), terms.anti_affinity.end(), unit) ==
        terms.anti_affinity.end()) {
      terms.anti_affinity.push_back(unit);
    } else {
      ReleaseUnit(unit);
    }
  }
  return terms;
}

void PodTermIndex::Release(const CarriedTerms& terms) {
  if (terms.affinity != nullptr) ReleaseUnit(terms.affinity);
  for (TermUnit* unit : terms.anti_affinity) ReleaseUnit(unit);
}

TermUnit* PodTermIndex::AcquireUnit(bool affinity, std::vector<SelectionClause> clauses,
                                    const std::vector<std::string>& keys) {
  std::string text(affinity ? "a" : "x");
  for (const std::string& key : keys) AppendCounted(key, &text);
  for (const SelectionClause& clause : clauses) AppendText(clause, &text);
  const auto it = by_text_.find(text);
  if (it != by_text_.end()) {
    ++it->second->uses;
    return it->second.get();
  }
  auto owned = std::make_unique<TermUnit>();
  TermUnit* unit = owned.get();
  unit->id = changes_->NewCounter();
  unit->affinity = affinity;
  unit->uses = 1;
  unit->text = text;
  unit->selection = selections_->Acquire(std::move(clauses));
  for (const std::string& key : keys) {
    const TopologyKeyIndex index = values_->AddKey(key);
    if (std::find(unit->keys.begin(), unit->keys.end(), index) == unit->keys.end()) {
      unit->keys.push_back(index);
    }
  }
  unit->selected.resize(unit->keys.size());
  Attached& attached = AttachedTo(unit->selection);
  (affinity ? attached.affinity : attached.anti_affinity).push_back(unit);
  by_text_.emplace(std::move(text), std::move(owned));
  by_id_.emplace(unit->id, unit);
  for (const PodClassIndex pod_class : selections_->ClassesOf(unit->selection)) {
    for (const RulePod* pod : pods_->OfClass(pod_class)) CountAt(unit, *pod, 1);
  }
  return unit;
}

void PodTermIndex::ReleaseUnit(TermUnit* unit) {
  CORE_CHECK(unit->uses > 0);
  if (--unit->uses > 0) return;
  CORE_CHECK(unit->carriers.nonzero() == 0);
  Attached& attached = AttachedTo(unit->selection);
  std::vector<TermUnit*>& list = unit->affinity ? attached.affinity : attached.anti_affinity;
  list.erase(std::find(list.begin(), list.end(), unit));
  selections_->Release(unit->selection);
  by_id_.erase(unit->id);
  by_text_.erase(by_text_.find(unit->text));
}

PodTermIndex::Attached& PodTermIndex::AttachedTo(SelectionIndex selection) {
  const size_t at = static_cast<size_t>(selection);
  if (attached_.size() <= at) attached_.resize(at + 1);
  return attached_[at];
}

void PodTermIndex::Count(const RulePod& pod, int32_t change) {
  for (const SelectionIndex selection : selections_->SelectionsOf(pod.pod_class)) {
    CountSelected(selection, pod, change);
  }
  for (TermUnit* unit : pod.terms.anti_affinity) CountCarrier(unit, pod, change);
}

void PodTermIndex::CountSelected(SelectionIndex selection, const RulePod& pod, int32_t change) {
  const size_t at = static_cast<size_t>(selection);
  if (at >= attached_.size()) return;
  for (TermUnit* unit : attached_[at].affinity) CountAt(unit, pod, change);
  for (TermUnit* unit : attached_[at].anti_affinity) CountAt(unit, pod, change);
}

void PodTermIndex::CountAt(TermUnit* unit, const RulePod& pod, int32_t change) {
  const RuleSide side = unit->affinity ? RuleSide::kAffinity : RuleSide::kSelected;
  const bool were_any = unit->total > 0;
  for (size_t i = 0; i < unit->keys.size(); ++i) {
    const TopologyValue value = values_->ValueOf(unit->keys[i], pod.node);
    if (value == kNoValue) continue;
    ++counts_changed_;
    unit->total += change;
    const int32_t now = unit->selected[i].Add(value, change);
    if (now == 0 || now == change) {
      // One more pod helps whoever needs it near, one less whoever shuns it.
      changes_->Append({unit->id, side, unit->keys[i], value, unit->affinity == (now > 0)});
    }
    if (unit->affinity) continue;
    change > 0 ? unit->selected_pods.Insert(value, &pod) : unit->selected_pods.Erase(value, &pod);
  }
  // The first pod of its kind may go anywhere, the next ones may not.
  if (unit->affinity && were_any != (unit->total > 0)) {
    changes_->Append({unit->id, side, unit->keys[0], kNoValue, unit->total == 0});
  }
}

void PodTermIndex::CountCarrier(TermUnit* unit, const RulePod& pod, int32_t change) {
  const TopologyValue value = values_->ValueOf(unit->keys[0], pod.node);
  if (value == kNoValue) return;
  ++counts_changed_;
  const int32_t now = unit->carriers.Add(value, change);
  if (now == 0 || now == change) {
    changes_->Append({unit->id, RuleSide::kCarriers, unit->keys[0], value, now == 0});
  }
  change > 0 ? unit->carrier_pods.Insert(value, &pod) : unit->carrier_pods.Erase(value, &pod);
}

const std::vector<TermUnit*>& PodTermIndex::AntiAffinityWith(SelectionIndex selection) const {
  static const std::vector<TermUnit*> kNone;
  const size_t at = static_cast<size_t>(selection);
  return at < attached_.size() ? attached_[at].anti_affinity : kNone;
}

const TermUnit* PodTermIndex::Find(int64_t id) const {
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? nullptr : it->second;
}

}  // namespace gangpack
