#include "core/rule_pods.h"

#include "core/check.h"

namespace gangpack {
namespace {

void Append(RulePod* pod, int32_t list, size_t RulePod::*position,
            std::vector<std::vector<RulePod*>>* lists) {
  const size_t at = static_cast<size_t>(list);
  if (lists->size() <= at) lists->resize(at + 1);
  pod->*position = (*lists)[at].size();
  (*lists)[at].push_back(pod);
}

void TakeOut(RulePod* pod, int32_t list, size_t RulePod::*position,
             std::vector<std::vector<RulePod*>>* lists) {
  std::vector<RulePod*>& pods = (*lists)[static_cast<size_t>(list)];
  CORE_CHECK(pods[pod->*position] == pod);
  pods[pod->*position] = pods.back();
  pods.back()->*position = pod->*position;
  pods.pop_back();
}

const std::vector<RulePod*>& ListAt(int32_t list, const std::vector<std::vector<RulePod*>>& lists) {
  static const std::vector<RulePod*> kNone;
  const size_t at = static_cast<size_t>(list);
  return list >= 0 && at < lists.size() ? lists[at] : kNone;
}

}  // namespace

RulePod* RulePods::Find(const PodUid& uid) const {
  const auto it = by_uid_.find(uid);
  return it == by_uid_.end() ? nullptr : it->second.get();
}

RulePod* RulePods::Insert(const PodUid& uid) {
  const auto [it, inserted] = by_uid_.try_emplace(uid, std::make_unique<RulePod>());
  CORE_CHECK(inserted);
  it->second->uid = uid;
  return it->second.get();
}

void RulePods::Erase(const PodUid& uid) { by_uid_.erase(uid); }

void RulePods::Place(RulePod* pod) {
  Append(pod, pod->pod_class, &RulePod::class_position, &of_class_);
  Append(pod, pod->node, &RulePod::node_position, &on_node_);
}

void RulePods::Displace(RulePod* pod) {
  TakeOut(pod, pod->pod_class, &RulePod::class_position, &of_class_);
  TakeOut(pod, pod->node, &RulePod::node_position, &on_node_);
}

const std::vector<RulePod*>& RulePods::OfClass(PodClassIndex pod_class) const {
  return ListAt(pod_class, of_class_);
}

const std::vector<RulePod*>& RulePods::OnNode(NodeIndex node) const {
  return ListAt(node, on_node_);
}

}  // namespace gangpack
