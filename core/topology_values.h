// Topology labels of nodes as small integers: per key in use, which value each node carries.
//
// Terms. Value: of one key's label; an empty value is a value like any other here, as it is for
// kube-scheduler's rules between pods (for domains it is none: topology_index.h). A node that does
// not exist carries no value.
// Invariant: a node is in `NodesWith` of the value it carries and of no other.
// Ownership: node objects stay with the caller; a pointer must be valid until the node is set again
// or removed. Numbers of keys and values stay valid for ever.
// Cost: SetNode O(keys x log labels); AddKey O(nodes) the first time; look-ups O(1).
// Not here: what is counted per value (value_counts.h).
#ifndef GANGPACK_CORE_TOPOLOGY_VALUES_H_
#define GANGPACK_CORE_TOPOLOGY_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/node.h"
#include "core/topology_index.h"

namespace gangpack {

using TopologyValue = int32_t;
inline constexpr TopologyValue kNoValue = -1;

class TopologyValues {
 public:
  // The number of `key`, which is indexed from now on.
  TopologyKeyIndex AddKey(absl::string_view key);
  // -1 if it is not indexed.
  TopologyKeyIndex FindKey(absl::string_view key) const;
  size_t keys() const { return keys_.size(); }
  const std::string& KeyName(TopologyKeyIndex key) const { return Key(key).name; }

  // Whether SetNode with `object` (null: the node is gone) would change a value that is in use.
  bool WouldChange(NodeIndex node, const Node* object) const;
  void SetNode(NodeIndex node, const Node* object);

  // Null if the node does not exist.
  const Node* object(NodeIndex node) const {
    const size_t at = static_cast<size_t>(node);
    return node >= 0 && at < objects_.size() ? objects_[at] : nullptr;
  }
  // One more than the greatest index of a node that was ever set.
  NodeIndex node_end() const { return static_cast<NodeIndex>(objects_.size()); }

  TopologyValue ValueOf(TopologyKeyIndex key, NodeIndex node) const {
    const std::vector<TopologyValue>& of_node = Key(key).of_node;
    const size_t at = static_cast<size_t>(node);
    return node >= 0 && at < of_node.size() ? of_node[at] : kNoValue;
  }
  const std::string& ValueName(TopologyKeyIndex key, TopologyValue value) const {
    return Key(key).names[static_cast<size_t>(value)];
  }
  // In no order.
  const std::vector<NodeIndex>& NodesWith(TopologyKeyIndex key, TopologyValue value) const {
    return Key(key).nodes[static_cast<size_t>(value)];
  }

 private:
  struct KeyRecord {
    std::string name;
    absl::flat_hash_map<std::string, TopologyValue> values;
    std::vector<std::string> names;             // by value
    std::vector<std::vector<NodeIndex>> nodes;  // by value
    std::vector<TopologyValue> of_node;
    std::vector<int32_t> position;  // of a node within `nodes` of its value
  };
  const KeyRecord& Key(TopologyKeyIndex key) const { return keys_[static_cast<size_t>(key)]; }
  static void Assign(NodeIndex node, const Node* object, KeyRecord* record);

  std::vector<KeyRecord> keys_;
  absl::flat_hash_map<std::string, TopologyKeyIndex> key_ids_;
  std::vector<const Node*> objects_;  // by NodeIndex
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_TOPOLOGY_VALUES_H_
