#include "core/topology_values.h"

#include <utility>

namespace gangpack {

TopologyKeyIndex TopologyValues::AddKey(absl::string_view key) {
  const auto [it, inserted] =
      key_ids_.try_emplace(std::string(key), static_cast<TopologyKeyIndex>(keys_.size()));
  if (!inserted) return it->second;
  KeyRecord record;
  record.name = std::string(key);
  for (NodeIndex node = 0; node < node_end(); ++node) {
    if (object(node) != nullptr) Assign(node, object(node), &record);
  }
  keys_.push_back(std::move(record));
  return it->second;
}

TopologyKeyIndex TopologyValues::FindKey(absl::string_view key) const {
  const auto it = key_ids_.find(key);
  return it == key_ids_.end() ? -1 : it->second;
}

bool TopologyValues::WouldChange(NodeIndex node, const Node* object) const {
  for (size_t i = 0; i < keys_.size(); ++i) {
    const KeyRecord& record = keys_[i];
    const TopologyValue value = ValueOf(static_cast<TopologyKeyIndex>(i), node);
    const std::string* label = nullptr;
    if (object != nullptr) {
      const auto it = object->labels.find(record.name);
      if (it != object->labels.end()) label = &it->second;
    }
    if ((label == nullptr) != (value == kNoValue)) return true;
    if (label != nullptr && record.names[static_cast<size_t>(value)] != *label) return true;
  }
  return false;
}

void TopologyValues::SetNode(NodeIndex node, const Node* object) {
  const size_t at = static_cast<size_t>(node);
  if (objects_.size() <= at) objects_.resize(at + 1, nullptr);
  objects_[at] = object;
  for (KeyRecord& record : keys_) Assign(node, object, &record);
}

void TopologyValues::Assign(NodeIndex node, const Node* object, KeyRecord* record) {
  const size_t at = static_cast<size_t>(node);
  if (record->of_node.size() <= at) {
    record->of_node.resize(at + 1, kNoValue);
    record->position.resize(at + 1, 0);
  }
  TopologyValue value = kNoValue;
  if (object != nullptr) {
    const auto label = object->labels.find(record->name);
    if (label != object->labels.end()) {
      const auto [it, inserted] = record->values.try_emplace(
          label->second, static_cast<TopologyValue>(record->names.size()));
      if (inserted) {
        record->names.push_back(label->second);
        record->nodes.emplace_back();
      }
      value = it->second;
    }
  }
  const TopologyValue old = record->of_node[at];
  if (old == value) return;
  if (old != kNoValue) {
    std::vector<NodeIndex>& nodes = record->nodes[static_cast<size_t>(old)];
    const int32_t hole = record->position[at];
    nodes[static_cast<size_t>(hole)] = nodes.back();
    record->position[static_cast<size_t>(nodes.back())] = hole;
    nodes.pop_back();
  }
  record->of_node[at] = value;
  if (value == kNoValue) return;
  std::vector<NodeIndex>& nodes = record->nodes[static_cast<size_t>(value)];
  record->position[at] = static_cast<int32_t>(nodes.size());
  nodes.push_back(node);
}

}  // namespace gangpack
