// Domains per topology key: which nodes carry which value of a topology label.
//
// Terms: a domain is a (key, value) pair with its nodes; values are compared whole. An empty value
// is no domain. Invariants: (1) a node is in at most one domain per key; (2) a domain's nodes are
// sorted by node name. Ownership: names are copied. Indexes stay valid for ever: a domain that lost
// its last node keeps its index. Cost: Place and Remove O(nodes of the domain) per key in use;
// lookups O(1). Not here: what is free in a domain (cluster_state.h), who holds it
// (reservation_ledger.h).
#ifndef GANGPACK_CORE_TOPOLOGY_INDEX_H_
#define GANGPACK_CORE_TOPOLOGY_INDEX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/selector.h"

namespace gangpack {

using NodeIndex = int32_t;
inline constexpr NodeIndex kNoNode = -1;
using DomainIndex = int32_t;
inline constexpr DomainIndex kNoDomain = -1;
using TopologyKeyIndex = int32_t;

struct Domain {
  TopologyKeyIndex key = 0;
  std::string name;
  std::vector<NodeIndex> nodes;  // sorted by node name
  int64_t changes = 0;           // grows with every change on its nodes, or of which they are
};

// What changed in the domains of one key since some position; readers catch up at their own pace.
class DomainChangeLog {
 public:
  // A position that makes the next read start afresh.
  static constexpr int64_t kFromStart = -1;

  void Append(DomainIndex domain, size_t domains);
  int64_t end() const { return base_ + static_cast<int64_t>(entries_.size()); }

  // Appends the domains changed since `position` to *changed, with repetitions; false if the log no
  // longer reaches back.
  bool Since(int64_t position, std::vector<DomainIndex>* changed) const;

 private:
  int64_t base_ = 0;
  std::vector<DomainIndex> entries_;
};

class TopologyIndex {
 public:
  // The index of `key`, -1 if it is not in use.
  TopologyKeyIndex FindKey(absl::string_view key) const;
  // Starts to index `key`; the caller then places every node. Returns the existing index if it is
  // in use.
  TopologyKeyIndex AddKey(absl::string_view key);
  size_t keys() const { return keys_.size(); }
  const std::string& KeyName(TopologyKeyIndex key) const { return Key(key).name; }

  // Puts the node where its labels say, for one key. `node_name` decides its place in the domain's
  // order.
  void Place(TopologyKeyIndex key, NodeIndex node, const std::string& node_name,
             const Labels& labels);
  // Takes the node, which is gone, out of its domain, if it is in one.
  void Remove(TopologyKeyIndex key, NodeIndex node);
  // Notes that something changed on the node, for every key.
  void Touch(NodeIndex node);

  DomainIndex DomainOf(TopologyKeyIndex key, NodeIndex node) const;
  DomainIndex FindDomain(TopologyKeyIndex key, absl::string_view name) const;
  const Domain& domain(DomainIndex index) const { return domains_[static_cast<size_t>(index)]; }
  size_t domains() const { return domains_.size(); }

  // Domains of one key by name, also those without nodes.
  const absl::btree_map<std::string, DomainIndex>& DomainsByName(TopologyKeyIndex key) const {
    return Key(key).by_name;
  }
  const DomainChangeLog& Changes(TopologyKeyIndex key) const { return Key(key).changes; }
  // Nodes that carry the key with an empty value, and so are in no domain.
  int64_t EmptyLabels(TopologyKeyIndex key) const { return Key(key).empty_labels; }

 private:
  struct KeyRecord {
    std::string name;
    absl::btree_map<std::string, DomainIndex> by_name;
    std::vector<DomainIndex> of_node;  // by NodeIndex
    std::vector<uint8_t> is_empty;     // by NodeIndex: carries the key with an empty value
    int64_t empty_labels = 0;          // of these, how many
    DomainChangeLog changes;
  };
  const KeyRecord& Key(TopologyKeyIndex key) const { return keys_[static_cast<size_t>(key)]; }
  KeyRecord& Key(TopologyKeyIndex key) { return keys_[static_cast<size_t>(key)]; }
  void NoteChange(DomainIndex domain);
  static void SetEmpty(NodeIndex node, bool empty, KeyRecord* record);

  std::vector<KeyRecord> keys_;
  absl::flat_hash_map<std::string, TopologyKeyIndex> key_ids_;
  std::vector<Domain> domains_;
  std::vector<std::string> node_names_;  // by NodeIndex, for the order within domains
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_TOPOLOGY_INDEX_H_
