// Which selections select which classes of pods, kept as both come and go.
//
// Terms. Class: one namespace with one set of labels (rule_pods.h). Selection: a conjunction of
// clauses (selection_clause.h). Anchor: something that a selection requires of every class it
// selects (a label with one of some values, a label's key, a namespace) and is filed under; a new
// class is compared with the selections filed under what it has, not with all. Invariant: a
// selection is in SelectionsOf(class) if and only if it selects the class with the namespace labels
// known. Classes and selections are counted: each Acquire needs one Release; a number is used again
// after the last. Cost: a new class O(labels + selections filed under its labels); a new selection
// O(classes with its rarest required label); known ones one look-up of their text; a namespace's
// labels O(its classes x selections with a namespaceSelector).
// Not here: pods, nodes and counts (pod_term_index.h, topology_spread.h).
#ifndef GANGPACK_CORE_POD_SELECTIONS_H_
#define GANGPACK_CORE_POD_SELECTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "core/pod.h"
#include "core/rule_pods.h"
#include "core/selection_clause.h"

namespace gangpack {

using SelectionIndex = int32_t;

class PodSelections {
 public:
  PodClassIndex AcquireClass(const std::string& namespace_name, const Labels& labels);
  void ReleaseClass(PodClassIndex pod_class);

  SelectionIndex Acquire(std::vector<SelectionClause> clauses);
  void Release(SelectionIndex selection);

  // In no order.
  const std::vector<SelectionIndex>& SelectionsOf(PodClassIndex pod_class) const {
    return classes_[static_cast<size_t>(pod_class)].selections;
  }
  const absl::btree_set<PodClassIndex>& ClassesOf(SelectionIndex selection) const {
    return selections_[static_cast<size_t>(selection)].classes;
  }
  bool Selects(SelectionIndex selection, PodClassIndex pod_class) const {
    return ClassesOf(selection).contains(pod_class);
  }

  struct Change {
    SelectionIndex selection = 0;
    PodClassIndex pod_class = kNoPodClass;
    bool selects = false;  // from now on
  };
  // Sets the labels of a namespace (none: it is not known). Returns what follows from it.
  std::vector<Change> SetNamespace(const std::string& name, Labels labels);

  // Another number when SetNamespace changes what selects the class, or the index is that of
  // another class.
  int64_t ClassVersion(PodClassIndex pod_class) const {
    return classes_[static_cast<size_t>(pod_class)].version;
  }

  // Equal for classes that the same selections select; numbers differ otherwise, but for a
  // collision of 64-bit hashes.
  uint64_t SelectionMark(PodClassIndex pod_class) const {
    return classes_[static_cast<size_t>(pod_class)].selection_mark;
  }

  // How often a selection was compared with a class: work done, for tests.
  int64_t comparisons() const { return comparisons_; }
  // Label keys that a class carries or a selection is filed under.
  size_t keys() const { return keys_.size(); }

 private:
  using Filed = std::vector<SelectionIndex>;
  // Selections filed under one thing: without regard to the namespace, and for one namespace.
  struct Shelf {
    Filed anywhere;
    absl::flat_hash_map<std::string, Filed> in_namespace;
    bool empty() const { return anywhere.empty() && in_namespace.empty(); }
  };
  struct LabelRecord {
    absl::btree_set<PodClassIndex> classes;  // that carry the label
    Shelf shelf;
    bool empty() const { return classes.empty() && shelf.empty(); }
  };
  struct KeyRecord {
    absl::flat_hash_map<std::string, LabelRecord> values;
    Shelf shelf;
  };
  struct ClassRecord {
    std::string text;
    std::string namespace_name;
    Labels labels;
    Filed selections;
    int64_t uses = 0;
    int64_t version = 0;
    uint64_t selection_mark = 0;
  };
  enum class AnchorKind { kNowhere, kLabel, kKey, kNamespace };
  struct Anchor {
    AnchorKind kind = AnchorKind::kNowhere;
    std::string key;
    std::vector<std::string> values;      // kLabel
    std::vector<std::string> namespaces;  // empty: anywhere
  };
  struct SelectionRecord {
    std::string text;
    std::vector<SelectionClause> clauses;
    Anchor anchor;
    absl::btree_set<PodClassIndex> classes;
    int64_t uses = 0;
  };

  ClassRecord& Class(PodClassIndex index) { return classes_[static_cast<size_t>(index)]; }
  SelectionRecord& Selection(SelectionIndex index) {
    return selections_[static_cast<size_t>(index)];
  }
  const Labels& NamespaceLabels(const std::string& name) const;
  const LabelRecord* FindLabel(const std::string& key, const std::string& value) const;
  void DropIfUnused(const std::string& key, const std::string& value);
  bool Compare(const SelectionRecord& selection, const ClassRecord& pod_class);
  void Link(SelectionIndex selection, PodClassIndex pod_class);
  void Unlink(SelectionIndex selection, PodClassIndex pod_class);
  void LinkFiled(const Shelf& shelf, PodClassIndex pod_class);
  void FindSelections(PodClassIndex pod_class);
  void FindClasses(SelectionIndex selection);
  Anchor ChooseAnchor(const std::vector<SelectionClause>& clauses) const;
  size_t FiledUnder(const SelectorRequirement& requirement,
                    const std::vector<std::string>& namespaces) const;
  void File(SelectionIndex selection, bool add);
  static void FileOn(const std::vector<std::string>& namespaces, SelectionIndex selection, bool add,
                     Shelf* shelf);

  std::vector<ClassRecord> classes_;
  std::vector<PodClassIndex> free_classes_;
  absl::flat_hash_map<std::string, PodClassIndex> class_ids_;
  std::vector<SelectionRecord> selections_;
  std::vector<SelectionIndex> free_selections_;
  absl::flat_hash_map<std::string, SelectionIndex> selection_ids_;
  absl::flat_hash_map<std::string, KeyRecord> keys_;
  Shelf rest_;
  absl::flat_hash_map<std::string, absl::btree_set<PodClassIndex>> classes_in_namespace_;
  absl::flat_hash_map<std::string, Labels> namespaces_;
  absl::btree_set<SelectionIndex> by_namespace_labels_;  // have a clause with a namespaceSelector
  int64_t comparisons_ = 0;
  int64_t versions_ = 0;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_POD_SELECTIONS_H_
