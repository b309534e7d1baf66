#include "core/prepared_pod.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/btree_map.h"

namespace gangpack {

PreparedPod::PreparedPod(const RulePod* pod, const Sources& sources)
    : pod_(pod), sources_(sources) {
  PrepareSpread();
  PrepareTerms();
  PrepareOthers();
}

TopologyValue PreparedPod::OwnValue(TopologyKeyIndex key, bool counted) const {
  return counted && pod_->node != kNoNode ? sources_.values->ValueOf(key, pod_->node) : kNoValue;
}

void PreparedPod::PrepareSpread() {
  for (const CarriedSpread& carried : pod_->spread) {
    const SpreadQuery& query = *carried.query;
    const bool counted = !pod_->terminating && query.eligibility->Has(pod_->node) &&
                         sources_.selections->Selects(query.selection, pod_->pod_class);
    Spread spread;
    spread.side = {query.key, &query.counts, OwnValue(query.key, counted), nullptr};
    spread.max_skew = carried.max_skew;
    spread.self = carried.self_matches ? 1 : 0;
    if (query.domains() >= carried.min_domains) {
      spread.least = query.Least();
      if (spread.side.own != kNoValue) {
        spread.least = std::min(spread.least, spread.side.Others(spread.side.own));
      }
    }
    spread_.push_back(spread);
  }
}

void PreparedPod::PrepareTerms() {
  if (const TermUnit* unit = pod_->terms.affinity; unit != nullptr) {
    const bool selects_self = sources_.selections->Selects(unit->selection, pod_->pod_class);
    int64_t others = unit->total;
    for (size_t i = 0; i < unit->keys.size(); ++i) {
      const TopologyValue own = OwnValue(unit->keys[i], selects_self);
      if (own != kNoValue) --others;
      affinity_.push_back({unit->keys[i], &unit->selected[i], own, nullptr});
    }
    first_of_its_kind_ = selects_self && others == 0;
  }
  for (const TermUnit* unit : pod_->terms.anti_affinity) {
    const bool selects_self = sources_.selections->Selects(unit->selection, pod_->pod_class);
    own_anti_.push_back({unit->keys[0], &unit->selected[0], OwnValue(unit->keys[0], selects_self),
                         &unit->selected_pods});
  }
}

void PreparedPod::PrepareOthers() {
  absl::btree_map<TopologyKeyIndex, std::vector<Side>> by_key;
  for (const SelectionIndex selection : sources_.selections->SelectionsOf(pod_->pod_class)) {
    for (const TermUnit* unit : sources_.terms->AntiAffinityWith(selection)) {
      if (unit->carriers.nonzero() == 0) continue;
      const std::vector<TermUnit*>& carried = pod_->terms.anti_affinity;
      const bool counted = std::find(carried.begin(), carried.end(), unit) != carried.end();
      by_key[unit->keys[0]].push_back(
          {unit->keys[0], &unit->carriers, OwnValue(unit->keys[0], counted), &unit->carrier_pods});
    }
  }
  for (const auto& [key, sides] : by_key) {
    other_anti_.insert(other_anti_.end(), sides.begin(), sides.end());
    if (sides.size() <= kListedMax) {
      listed_.insert(listed_.end(), sides.begin(), sides.end());
      continue;
    }
    Barred barred;
    barred.key = key;
    for (const Side& side : sides) {
      side.counts->ForEach([&](TopologyValue value, int32_t) {
        if (side.Others(value) == 0) return;
        const size_t at = static_cast<size_t>(value);
        if (barred.values.size() <= at) barred.values.resize(at + 1, 0);
        barred.values[at] = 1;
      });
    }
    barred_.push_back(std::move(barred));
  }
}

std::optional<PodRule> PreparedPod::SpreadRule(NodeIndex node) const {
  for (const Spread& spread : spread_) {
    const TopologyValue value = sources_.values->ValueOf(spread.side.key, node);
    if (value == kNoValue) return PodRule::kSpreadKey;
    if (spread.side.Others(value) + spread.self - spread.least > spread.max_skew) {
      return PodRule::kSpread;
    }
  }
  return std::nullopt;
}

std::optional<PodRule> PreparedPod::AffinityRule(NodeIndex node) const {
  bool found = true;
  for (const Side& side : affinity_) {
    const TopologyValue value = sources_.values->ValueOf(side.key, node);
    if (value == kNoValue) return PodRule::kAffinityKey;
    if (side.Others(value) == 0) found = false;
  }
  if (found || first_of_its_kind_) return std::nullopt;
  return PodRule::kAffinity;
}

bool PreparedPod::AllowsOthers(NodeIndex node) const {
  for (const Side& side : listed_) {
    const TopologyValue value = sources_.values->ValueOf(side.key, node);
    if (value != kNoValue && side.Others(value) > 0) return false;
  }
  for (const Barred& barred : barred_) {
    const TopologyValue value = sources_.values->ValueOf(barred.key, node);
    if (value == kNoValue) continue;
    const size_t at = static_cast<size_t>(value);
    if (at < barred.values.size() && barred.values[at] != 0) return false;
  }
  return true;
}

std::optional<PodRule> PreparedPod::FirstRule(NodeIndex node) const {
  if (const auto rule = SpreadRule(node)) return rule;
  return TermRule(node);
}

std::optional<PodRule> PreparedPod::TermRule(NodeIndex node) const {
  if (const auto rule = AffinityRule(node)) return rule;
  for (const Side& side : own_anti_) {
    const TopologyValue value = sources_.values->ValueOf(side.key, node);
    if (value != kNoValue && side.Others(value) > 0) return PodRule::kAntiAffinity;
  }
  if (!AllowsOthers(node)) return PodRule::kOtherAntiAffinity;
  return std::nullopt;
}

PodRuleRejection PreparedPod::Rejection(PodRule rule, const Side& side, TopologyValue value) const {
  PodRuleRejection rejection;
  rejection.rule = rule;
  rejection.key = sources_.values->KeyName(side.key);
  if (value != kNoValue) rejection.value = sources_.values->ValueName(side.key, value);
  return rejection;
}

std::optional<PodRuleRejection> PreparedPod::CheckSpread(NodeIndex node) const {
  for (const Spread& spread : spread_) {
    const TopologyValue value = sources_.values->ValueOf(spread.side.key, node);
    if (value == kNoValue) return Rejection(PodRule::kSpreadKey, spread.side, value);
    const int32_t count = spread.side.Others(value);
    if (count + spread.self - spread.least <= spread.max_skew) continue;
    PodRuleRejection rejection = Rejection(PodRule::kSpread, spread.side, value);
    rejection.count = count;
    rejection.least = spread.least;
    rejection.max_skew = spread.max_skew;
    return rejection;
  }
  return std::nullopt;
}

std::optional<PodRuleRejection> PreparedPod::CheckAffinity(NodeIndex node) const {
  const Side* unmet = nullptr;
  TopologyValue unmet_value = kNoValue;
  for (const Side& side : affinity_) {
    const TopologyValue value = sources_.values->ValueOf(side.key, node);
    if (value == kNoValue) return Rejection(PodRule::kAffinityKey, side, value);
    if (unmet != nullptr || side.Others(value) > 0) continue;
    unmet = &side;
    unmet_value = value;
  }
  if (unmet == nullptr || first_of_its_kind_) return std::nullopt;
  return Rejection(PodRule::kAffinity, *unmet, unmet_value);
}

std::optional<PodRuleRejection> PreparedPod::CheckOwnAnti(NodeIndex node) const {
  for (const Side& side : own_anti_) {
    const TopologyValue value = sources_.values->ValueOf(side.key, node);
    if (value == kNoValue || side.Others(value) == 0) continue;
    PodRuleRejection rejection = Rejection(PodRule::kAntiAffinity, side, value);
    rejection.pod = side.pods->First(value, pod_)->name;
    return rejection;
  }
  return std::nullopt;
}

// Of all pods whose terms keep this one from the node, the first by name; of its terms, the one
// with the first key by name.
std::optional<PodRuleRejection> PreparedPod::CheckOtherAnti(NodeIndex node) const {
  const Side* first = nullptr;
  const RulePod* owner = nullptr;
  const auto key_name = [&](const Side& side) -> const std::string& {
    return sources_.values->KeyName(side.key);
  };
  for (const Side& side : other_anti_) {
    const TopologyValue value = sources_.values->ValueOf(side.key, node);
    if (value == kNoValue || side.Others(value) == 0) continue;
    const RulePod* pod = side.pods->First(value, pod_);
    if (first == nullptr || std::tie(pod->name, pod->uid, key_name(side)) <
                                std::tie(owner->name, owner->uid, key_name(*first))) {
      first = &side;
      owner = pod;
    }
  }
  if (first == nullptr) return std::nullopt;
  PodRuleRejection rejection =
      Rejection(PodRule::kOtherAntiAffinity, *first, sources_.values->ValueOf(first->key, node));
  rejection.pod = owner->name;
  return rejection;
}

std::optional<PodRuleRejection> PreparedPod::Check(NodeIndex node) const {
  const std::optional<PodRule> rule = FirstRule(node);
  if (!rule.has_value()) return std::nullopt;
  switch (*rule) {
    case PodRule::kSpreadKey:
    case PodRule::kSpread:
      return CheckSpread(node);
    case PodRule::kAffinityKey:
    case PodRule::kAffinity:
      return CheckAffinity(node);
    case PodRule::kAntiAffinity:
      return CheckOwnAnti(node);
    case PodRule::kOtherAntiAffinity:
      break;
  }
  return CheckOtherAnti(node);
}

}  // namespace gangpack
