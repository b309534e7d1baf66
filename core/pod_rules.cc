#include "core/pod_rules.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace gangpack {

PodRules::PodRules()
    : terms_(&selections_, &values_, &pods_, &changes_),
      spread_(&selections_, &values_, &pods_, &changes_) {}

void PodRules::Count(RulePod* pod) {
  if (pod->node == kNoNode) return;
  pods_.Place(pod);
  terms_.Count(*pod, 1);
  spread_.Count(*pod, 1);
}

void PodRules::Uncount(RulePod* pod) {
  if (pod->node == kNoNode) return;
  terms_.Count(*pod, -1);
  spread_.Count(*pod, -1);
  pods_.Displace(pod);
}

bool PodRules::SetPod(const Pod& pod, NodeIndex node) {
  RulePod* known = pods_.Find(pod.uid);
  if (known == nullptr) {
    known = pods_.Insert(pod.uid);
    known->name = pod.name;
    known->terminating = pod.terminating;
    known->pod_class = selections_.AcquireClass(pod.name.namespace_name, pod.labels);
    known->terms = terms_.Acquire(pod);
    known->spread = spread_.Acquire(pod);
    known->node = node;
    Count(known);
    return true;
  }
  // The new is acquired before the old is released, so that what stays keeps its numbers.
  const PodClassIndex pod_class = selections_.AcquireClass(pod.name.namespace_name, pod.labels);
  CarriedTerms terms = terms_.Acquire(pod);
  std::vector<CarriedSpread> spread = spread_.Acquire(pod);
  const bool changed = pod_class != known->pod_class || node != known->node ||
                       pod.terminating != known->terminating || terms != known->terms ||
                       spread != known->spread;
  if (changed) {
    Uncount(known);
    std::swap(known->terms, terms);
    std::swap(known->spread, spread);
    known->node = node;
    known->terminating = pod.terminating;
    const PodClassIndex old = std::exchange(known->pod_class, pod_class);
    Count(known);
    selections_.ReleaseClass(old);
  } else {
    selections_.ReleaseClass(pod_class);
  }
  terms_.Release(terms);
  spread_.Release(spread);
  return changed;
}

void PodRules::RemovePod(const PodUid& uid) {
  RulePod* pod = pods_.Find(uid);
  if (pod == nullptr) return;
  Uncount(pod);
  terms_.Release(pod->terms);
  spread_.Release(pod->spread);
  selections_.ReleaseClass(pod->pod_class);
  pods_.Erase(uid);
}

void PodRules::ChangeNode(NodeIndex node, const Node* object) {
  if (!values_.WouldChange(node, object) && !spread_.WouldChange(node, object)) {
    values_.SetNode(node, object);
    return;
  }
  const std::vector<RulePod*>& pods = pods_.OnNode(node);
  for (const RulePod* pod : pods) {
    terms_.Count(*pod, -1);
    spread_.Count(*pod, -1);
  }
  spread_.RemoveNode(node);
  values_.SetNode(node, object);
  spread_.AddNode(node);
  for (const RulePod* pod : pods) {
    terms_.Count(*pod, 1);
    spread_.Count(*pod, 1);
  }
}

void PodRules::SetNamespace(const std::string& name, const Labels& labels) {
  for (const PodSelections::Change& change : selections_.SetNamespace(name, labels)) {
    for (const RulePod* pod : pods_.OfClass(change.pod_class)) {
      terms_.CountSelected(change.selection, *pod, change.selects ? 1 : -1);
    }
  }
}

bool PodRules::Concern(const PodUid& uid) const {
  const RulePod* pod = pods_.Find(uid);
  CORE_CHECK(pod != nullptr);
  return pod->terms != CarriedTerms{} || !pod->spread.empty() ||
         !selections_.SelectionsOf(pod->pod_class).empty();
}

PreparedPod PodRules::Prepare(const PodUid& uid) const {
  const RulePod* pod = pods_.Find(uid);
  CORE_CHECK(pod != nullptr);
  return PreparedPod(pod, {&selections_, &values_, &terms_});
}

RuleWatch PodRules::Watch(absl::Span<const PodUid> uids) const {
  RuleWatch watch;
  watch.position = changes_.end();
  for (const PodUid& uid : uids) {
    const RulePod* pod = pods_.Find(uid);
    CORE_CHECK(pod != nullptr);
    watch.classes.push_back({pod->pod_class, selections_.ClassVersion(pod->pod_class)});
    if (pod->terms.affinity != nullptr) watch.own_terms.push_back(pod->terms.affinity->id);
    for (const TermUnit* unit : pod->terms.anti_affinity) watch.own_terms.push_back(unit->id);
    for (const CarriedSpread& carried : pod->spread) {
      watch.own_queries.push_back(carried.query->id);
      watch.own_domains.push_back(carried.query->eligibility->id);
    }
    for (const SelectionIndex selection : selections_.SelectionsOf(pod->pod_class)) {
      for (const TermUnit* unit : terms_.AntiAffinityWith(selection)) {
        watch.others.insert(unit->id);
      }
    }
  }
  return watch;
}

bool PodRules::IsOther(const RuleWatch& watch, int64_t unit) const {
  if (watch.others.contains(unit)) return true;
  // A unit that is not known and gone came and went in between, and keeps no pod from anything.
  const TermUnit* found = terms_.Find(unit);
  return found != nullptr &&
         std::any_of(watch.classes.begin(), watch.classes.end(),
                     [&](const RuleWatch::Class& known) {
                       return selections_.Selects(found->selection, known.pod_class);
                     });
}

RuleStaleness PodRules::CatchUp(RuleWatch* watch) const {
  RuleStaleness staleness;
  staleness.everything = !changes_.Reaches(watch->position);
  for (const RuleWatch::Class& known : watch->classes) {
    if (selections_.ClassVersion(known.pod_class) != known.version) staleness.everything = true;
  }
  for (const int64_t unit : watch->own_terms) {
    if (terms_.Find(unit) == nullptr) staleness.everything = true;
  }
  for (const int64_t query : watch->own_queries) {
    if (!spread_.Has(query)) staleness.everything = true;
  }
  if (staleness.everything) return staleness;
  const auto has = [](const std::vector<int64_t>& ids, int64_t id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  for (; watch->position < changes_.end(); ++watch->position) {
    const RuleChange& change = changes_.At(watch->position);
    bool concerned = false;
    if (change.side == RuleSide::kCarriers) {
      concerned = IsOther(*watch, change.counter);
      if (concerned) watch->others.insert(change.counter);
    } else if (change.side == RuleSide::kSpread) {
      concerned =
          has(watch->own_queries, change.counter) || has(watch->own_domains, change.counter);
    } else {
      concerned = has(watch->own_terms, change.counter);
    }
    if (!concerned) continue;
    if (change.value == kNoValue) staleness.everything = true;
    staleness.changes.push_back(change);
  }
  if (staleness.everything) staleness.changes.clear();
  return staleness;
}

}  // namespace gangpack
