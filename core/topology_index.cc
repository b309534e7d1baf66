#include "core/topology_index.h"

#include <algorithm>

namespace gangpack {
namespace {

// The log is cut when it is this many times longer than the number of domains: by then starting
// afresh is cheaper.
constexpr size_t kLogLengthPerDomain = 4;
constexpr size_t kLogLengthMin = 1024;

}  // namespace

void DomainChangeLog::Append(DomainIndex domain, size_t domains) {
  if (entries_.size() >= std::max(kLogLengthMin, kLogLengthPerDomain * domains)) {
    const size_t drop = entries_.size() / 2;
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<int64_t>(drop));
    base_ += static_cast<int64_t>(drop);
  }
  entries_.push_back(domain);
}

bool DomainChangeLog::Since(int64_t position, std::vector<DomainIndex>* changed) const {
  if (position < base_) return false;
  changed->insert(changed->end(), entries_.begin() + (position - base_), entries_.end());
  return true;
}

TopologyKeyIndex TopologyIndex::FindKey(absl::string_view key) const {
  auto it = key_ids_.find(key);
  return it == key_ids_.end() ? -1 : it->second;
}

TopologyKeyIndex TopologyIndex::AddKey(absl::string_view key) {
  const TopologyKeyIndex existing = FindKey(key);
  if (existing >= 0) return existing;
  const TopologyKeyIndex index = static_cast<TopologyKeyIndex>(keys_.size());
  keys_.emplace_back();
  keys_.back().name = std::string(key);
  key_ids_.emplace(std::string(key), index);
  return index;
}

void TopologyIndex::Place(TopologyKeyIndex key, NodeIndex node, const std::string& node_name,
                          const Labels& labels) {
  KeyRecord& record = Key(key);
  const size_t n = static_cast<size_t>(node);
  if (record.of_node.size() <= n) record.of_node.resize(n + 1, kNoDomain);
  if (node_names_.size() <= n) node_names_.resize(n + 1);
  if (node_names_[n] != node_name) node_names_[n] = node_name;
  auto label = labels.find(record.name);
  const bool labelled = label != labels.end() && !label->second.empty();
  const DomainIndex old = record.of_node[n];
  if (old != kNoDomain && labelled && domain(old).name == label->second) return;
  Remove(key, node);
  SetEmpty(node, label != labels.end() && !labelled, &record);
  if (!labelled) return;
  auto [it, added] =
      record.by_name.try_emplace(label->second, static_cast<DomainIndex>(domains_.size()));
  if (added) domains_.push_back(Domain{key, label->second, {}});
  std::vector<NodeIndex>& nodes = domains_[static_cast<size_t>(it->second)].nodes;
  auto place = std::lower_bound(nodes.begin(), nodes.end(), node_name,
                                [this](NodeIndex a, const std::string& name) {
                                  return node_names_[static_cast<size_t>(a)] < name;
                                });
  nodes.insert(place, node);
  record.of_node[n] = it->second;
  NoteChange(it->second);
}

void TopologyIndex::NoteChange(DomainIndex index) {
  Domain& domain = domains_[static_cast<size_t>(index)];
  ++domain.changes;
  KeyRecord& record = Key(domain.key);
  record.changes.Append(index, record.by_name.size());
}

void TopologyIndex::SetEmpty(NodeIndex node, bool empty, KeyRecord* record) {
  const size_t n = static_cast<size_t>(node);
  if (record->is_empty.size() <= n) record->is_empty.resize(n + 1, 0);
  record->empty_labels += (empty ? 1 : 0) - record->is_empty[n];
  record->is_empty[n] = empty ? 1 : 0;
}

void TopologyIndex::Remove(TopologyKeyIndex key, NodeIndex node) {
  KeyRecord& record = Key(key);
  SetEmpty(node, false, &record);
  const DomainIndex old = DomainOf(key, node);
  if (old == kNoDomain) return;
  std::vector<NodeIndex>& nodes = domains_[static_cast<size_t>(old)].nodes;
  nodes.erase(std::find(nodes.begin(), nodes.end(), node));
  record.of_node[static_cast<size_t>(node)] = kNoDomain;
  NoteChange(old);
}

void TopologyIndex::Touch(NodeIndex node) {
  for (size_t key = 0; key < keys_.size(); ++key) {
    const DomainIndex index = DomainOf(static_cast<TopologyKeyIndex>(key), node);
    if (index != kNoDomain) NoteChange(index);
  }
}

DomainIndex TopologyIndex::DomainOf(TopologyKeyIndex key, NodeIndex node) const {
  const std::vector<DomainIndex>& of_node = Key(key).of_node;
  return static_cast<size_t>(node) < of_node.size() ? of_node[static_cast<size_t>(node)]
                                                    : kNoDomain;
}

DomainIndex TopologyIndex::FindDomain(TopologyKeyIndex key, absl::string_view name) const {
  const auto& by_name = Key(key).by_name;
  auto it = by_name.find(name);
  return it == by_name.end() ? kNoDomain : it->second;
}

}  // namespace gangpack
