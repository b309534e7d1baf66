#include "core/pod_selections.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/rule_text.h"

namespace gangpack {
namespace {

std::string TextOf(const std::string& namespace_name, const Labels& labels) {
  std::string text;
  AppendCounted(namespace_name, &text);
  for (const auto& [key, value] : labels) {
    AppendCounted(key, &text);
    AppendCounted(value, &text);
  }
  return text;
}

std::string TextOf(const std::vector<SelectionClause>& clauses) {
  std::string text;
  for (const SelectionClause& clause : clauses) AppendText(clause, &text);
  return text;
}

template <typename Record>
int32_t TakeSlot(std::vector<Record>* records, std::vector<int32_t>* unused) {
  if (unused->empty()) {
    records->emplace_back();
    return static_cast<int32_t>(records->size()) - 1;
  }
  const int32_t slot = unused->back();
  unused->pop_back();
  return slot;
}

void EraseValue(int32_t value, std::vector<int32_t>* values) {
  const auto it = std::find(values->begin(), values->end(), value);
  CORE_CHECK(it != values->end());
  *it = values->back();
  values->pop_back();
}

bool NeedsKey(const SelectorRequirement& requirement) {
  return requirement.op == SelectorOperator::kExists || requirement.op == SelectorOperator::kGt ||
         requirement.op == SelectorOperator::kLt;
}

// A number whose bits look random (the finalizer of SplitMix64), so that sets are told apart by the
// exclusive or of their members'.
uint64_t Mark(SelectionIndex selection) {
  uint64_t mark = (static_cast<uint64_t>(selection) + 1) * 0x9e3779b97f4a7c15;
  mark = (mark ^ (mark >> 30)) * 0xbf58476d1ce4e5b9;
  mark = (mark ^ (mark >> 27)) * 0x94d049bb133111eb;
  return mark ^ (mark >> 31);
}

}  // namespace

PodClassIndex PodSelections::AcquireClass(const std::string& namespace_name, const Labels& labels) {
  std::string text = TextOf(namespace_name, labels);
  const auto it = class_ids_.find(text);
  if (it != class_ids_.end()) {
    ++Class(it->second).uses;
    return it->second;
  }
  const PodClassIndex index = TakeSlot(&classes_, &free_classes_);
  class_ids_.emplace(text, index);
  ClassRecord& record = Class(index);
  record.text = std::move(text);
  record.namespace_name = namespace_name;
  record.labels = labels;
  record.uses = 1;
  record.version = ++versions_;
  for (const auto& [key, value] : labels) keys_[key].values[value].classes.insert(index);
  classes_in_namespace_[namespace_name].insert(index);
  FindSelections(index);
  return index;
}

void PodSelections::ReleaseClass(PodClassIndex pod_class) {
  ClassRecord& record = Class(pod_class);
  CORE_CHECK(record.uses > 0);
  if (--record.uses > 0) return;
  for (const SelectionIndex selection : record.selections) {
    Selection(selection).classes.erase(pod_class);
  }
  for (const auto& [key, value] : record.labels) {
    keys_[key].values[value].classes.erase(pod_class);
    DropIfUnused(key, value);
  }
  const auto in_namespace = classes_in_namespace_.find(record.namespace_name);
  in_namespace->second.erase(pod_class);
  if (in_namespace->second.empty()) classes_in_namespace_.erase(in_namespace);
  class_ids_.erase(record.text);
  record = ClassRecord();
  free_classes_.push_back(pod_class);
}

SelectionIndex PodSelections::Acquire(std::vector<SelectionClause> clauses) {
  std::string text = TextOf(clauses);
  const auto it = selection_ids_.find(text);
  if (it != selection_ids_.end()) {
    ++Selection(it->second).uses;
    return it->second;
  }
  const SelectionIndex index = TakeSlot(&selections_, &free_selections_);
  selection_ids_.emplace(text, index);
  SelectionRecord& record = Selection(index);
  record.text = std::move(text);
  record.clauses = std::move(clauses);
  record.uses = 1;
  record.anchor = ChooseAnchor(record.clauses);
  if (std::any_of(record.clauses.begin(), record.clauses.end(),
                  [](const SelectionClause& c) { return c.namespace_selector.has_value(); })) {
    by_namespace_labels_.insert(index);
  }
  File(index, true);
  FindClasses(index);
  return index;
}

void PodSelections::Release(SelectionIndex selection) {
  SelectionRecord& record = Selection(selection);
  CORE_CHECK(record.uses > 0);
  if (--record.uses > 0) return;
  File(selection, false);
  for (const PodClassIndex pod_class : record.classes) {
    EraseValue(selection, &Class(pod_class).selections);
    Class(pod_class).selection_mark ^= Mark(selection);
  }
  by_namespace_labels_.erase(selection);
  selection_ids_.erase(record.text);
  record = SelectionRecord();
  free_selections_.push_back(selection);
}

std::vector<PodSelections::Change> PodSelections::SetNamespace(const std::string& name,
                                                               Labels labels) {
  if (labels == NamespaceLabels(name)) return {};
  if (labels.empty()) {
    namespaces_.erase(name);
  } else {
    namespaces_[name] = std::move(labels);
  }
  std::vector<Change> changes;
  const auto in_namespace = classes_in_namespace_.find(name);
  if (in_namespace == classes_in_namespace_.end()) return changes;
  for (const PodClassIndex pod_class : in_namespace->second) {
    bool changed = false;
    for (const SelectionIndex selection : by_namespace_labels_) {
      const bool selects = Compare(Selection(selection), Class(pod_class));
      if (selects == Selects(selection, pod_class)) continue;
      selects ? Link(selection, pod_class) : Unlink(selection, pod_class);
      changes.push_back({selection, pod_class, selects});
      changed = true;
    }
    if (changed) Class(pod_class).version = ++versions_;
  }
  return changes;
}

const Labels& PodSelections::NamespaceLabels(const std::string& name) const {
  static const Labels kNone;
  const auto it = namespaces_.find(name);
  return it == namespaces_.end() ? kNone : it->second;
}

const PodSelections::LabelRecord* PodSelections::FindLabel(const std::string& key,
                                                           const std::string& value) const {
  const auto of_key = keys_.find(key);
  if (of_key == keys_.end()) return nullptr;
  const auto it = of_key->second.values.find(value);
  return it == of_key->second.values.end() ? nullptr : &it->second;
}

void PodSelections::DropIfUnused(const std::string& key, const std::string& value) {
  const auto of_key = keys_.find(key);
  if (of_key == keys_.end()) return;
  const auto it = of_key->second.values.find(value);
  if (it != of_key->second.values.end() && it->second.empty()) of_key->second.values.erase(it);
  if (of_key->second.values.empty() && of_key->second.shelf.empty()) keys_.erase(of_key);
}

bool PodSelections::Compare(const SelectionRecord& selection, const ClassRecord& pod_class) {
  ++comparisons_;
  return SelectsAll(
      selection.clauses,
      {pod_class.namespace_name, NamespaceLabels(pod_class.namespace_name), pod_class.labels});
}

void PodSelections::Link(SelectionIndex selection, PodClassIndex pod_class) {
  if (Selection(selection).classes.insert(pod_class).second) {
    Class(pod_class).selections.push_back(selection);
    Class(pod_class).selection_mark ^= Mark(selection);
  }
}

void PodSelections::Unlink(SelectionIndex selection, PodClassIndex pod_class) {
  Selection(selection).classes.erase(pod_class);
  EraseValue(selection, &Class(pod_class).selections);
}

void PodSelections::LinkFiled(const Shelf& shelf, PodClassIndex pod_class) {
  const auto link = [&](const Filed& filed) {
    for (const SelectionIndex selection : filed) {
      if (Compare(Selection(selection), Class(pod_class))) Link(selection, pod_class);
    }
  };
  link(shelf.anywhere);
  if (shelf.in_namespace.empty()) return;
  const auto it = shelf.in_namespace.find(Class(pod_class).namespace_name);
  if (it != shelf.in_namespace.end()) link(it->second);
}

void PodSelections::FindSelections(PodClassIndex pod_class) {
  LinkFiled(rest_, pod_class);
  for (const auto& [key, value] : Class(pod_class).labels) {
    const KeyRecord& record = keys_.find(key)->second;
    LinkFiled(record.shelf, pod_class);
    LinkFiled(record.values.find(value)->second.shelf, pod_class);
  }
}

// Compares with the classes that carry the requirement which the fewest carry, or else with those
// of the namespaces, or else with all.
void PodSelections::FindClasses(SelectionIndex selection) {
  const SelectionRecord& record = Selection(selection);
  if (record.anchor.kind == AnchorKind::kNowhere) return;
  std::vector<const absl::btree_set<PodClassIndex>*> best;
  size_t least = classes_.size();
  bool found = false;
  const auto consider = [&](std::vector<const absl::btree_set<PodClassIndex>*> sets) {
    size_t total = 0;
    for (const auto* set : sets) total += set->size();
    if (found && total >= least) return;
    found = true;
    least = total;
    best = std::move(sets);
  };
  for (const SelectionClause& clause : record.clauses) {
    for (const SelectorRequirement& requirement : clause.requirements) {
      if (requirement.op != SelectorOperator::kIn) continue;
      std::vector<const absl::btree_set<PodClassIndex>*> sets;
      for (const std::string& value : requirement.values) {
        const LabelRecord* label = FindLabel(requirement.key, value);
        if (label != nullptr) sets.push_back(&label->classes);
      }
      consider(std::move(sets));
    }
    if (!clause.names_namespaces()) continue;
    std::vector<const absl::btree_set<PodClassIndex>*> sets;
    for (const std::string& name : clause.namespaces) {
      const auto it = classes_in_namespace_.find(name);
      if (it != classes_in_namespace_.end()) sets.push_back(&it->second);
    }
    consider(std::move(sets));
  }
  const auto link = [&](PodClassIndex pod_class) {
    if (Compare(record, Class(pod_class))) Link(selection, pod_class);
  };
  for (const auto* set : best) {
    for (const PodClassIndex pod_class : *set) link(pod_class);
  }
  if (found) return;
  for (size_t i = 0; i < classes_.size(); ++i) {
    if (classes_[i].uses > 0) link(static_cast<PodClassIndex>(i));
  }
}

// What would be compared with a new class that carries the requirement: terms of thousands of gangs
// have some labels in common, and spread over the others in this way.
size_t PodSelections::FiledUnder(const SelectorRequirement& requirement,
                                 const std::vector<std::string>& namespaces) const {
  size_t filed = requirement.values.size();
  for (const std::string& value : requirement.values) {
    const LabelRecord* label = FindLabel(requirement.key, value);
    if (label == nullptr) continue;
    filed += label->shelf.anywhere.size();
    for (const std::string& name : namespaces) {
      const auto it = label->shelf.in_namespace.find(name);
      if (it != label->shelf.in_namespace.end()) filed += it->second.size();
    }
  }
  return filed;
}

PodSelections::Anchor PodSelections::ChooseAnchor(
    const std::vector<SelectionClause>& clauses) const {
  Anchor anchor;
  if (clauses.empty()) return anchor;
  for (const SelectionClause& clause : clauses) {
    if (clause.selects_nothing) return anchor;
    if (clause.names_namespaces()) anchor.namespaces = clause.namespaces;
  }
  anchor.kind = AnchorKind::kNamespace;
  size_t least = 0;
  for (const SelectionClause& clause : clauses) {
    for (const SelectorRequirement& requirement : clause.requirements) {
      if (requirement.op == SelectorOperator::kIn) {
        const size_t filed = FiledUnder(requirement, anchor.namespaces);
        if (anchor.kind == AnchorKind::kLabel && filed >= least) continue;
        least = filed;
        anchor.kind = AnchorKind::kLabel;
        anchor.key = requirement.key;
        anchor.values = requirement.values;
      } else if (NeedsKey(requirement) && anchor.kind == AnchorKind::kNamespace) {
        anchor.kind = AnchorKind::kKey;
        anchor.key = requirement.key;
      }
    }
  }
  return anchor;
}

void PodSelections::FileOn(const std::vector<std::string>& namespaces, SelectionIndex selection,
                           bool add, Shelf* shelf) {
  if (namespaces.empty()) {
    add ? shelf->anywhere.push_back(selection) : EraseValue(selection, &shelf->anywhere);
  }
  for (const std::string& name : namespaces) {
    Filed& filed = shelf->in_namespace[name];
    add ? filed.push_back(selection) : EraseValue(selection, &filed);
    if (filed.empty()) shelf->in_namespace.erase(name);
  }
}

void PodSelections::File(SelectionIndex selection, bool add) {
  const Anchor& anchor = Selection(selection).anchor;
  switch (anchor.kind) {
    case AnchorKind::kNowhere:
      return;
    case AnchorKind::kNamespace:
      FileOn(anchor.namespaces, selection, add, &rest_);
      return;
    case AnchorKind::kKey:
      FileOn(anchor.namespaces, selection, add, &keys_[anchor.key].shelf);
      DropIfUnused(anchor.key, "");
      return;
    case AnchorKind::kLabel:
      for (const std::string& value : anchor.values) {
        FileOn(anchor.namespaces, selection, add, &keys_[anchor.key].values[value].shelf);
        DropIfUnused(anchor.key, value);
      }
      return;
  }
}

}  // namespace gangpack
