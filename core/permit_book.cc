#include "core/permit_book.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace gangpack {

void PermitBook::Arrive(const PodUid& pod, Waiter waiter) {
  CORE_CHECK(!bindings_.contains(pod));
  const bool added = waiters_.emplace(pod, waiter).second;
  CORE_CHECK(added);
  pod_of_call_[waiter.call] = pod;
}

const Waiter* PermitBook::FindWaiter(const PodUid& pod) const {
  auto it = waiters_.find(pod);
  return it == waiters_.end() ? nullptr : &it->second;
}

Waiter PermitBook::Leave(const PodUid& pod) {
  auto it = waiters_.find(pod);
  CORE_CHECK(it != waiters_.end());
  const Waiter waiter = it->second;
  waiters_.erase(it);
  pod_of_call_.erase(waiter.call);
  return waiter;
}

void PermitBook::StartBinding(const PodUid& pod, NodeIndex node, CallId call) {
  CORE_CHECK(!waiters_.contains(pod));
  bindings_[pod].node = node;
  if (call != 0) JoinBinding(pod, call);
}

NodeIndex PermitBook::BindingNode(const PodUid& pod) const {
  auto it = bindings_.find(pod);
  return it == bindings_.end() ? kNoNode : it->second.node;
}

void PermitBook::JoinBinding(const PodUid& pod, CallId call) {
  auto it = bindings_.find(pod);
  CORE_CHECK(it != bindings_.end());
  it->second.calls.push_back(call);
  pod_of_call_[call] = pod;
}

std::vector<CallId> PermitBook::FinishBinding(const PodUid& pod) {
  auto it = bindings_.find(pod);
  if (it == bindings_.end()) return {};
  std::vector<CallId> calls = std::move(it->second.calls);
  bindings_.erase(it);
  for (const CallId call : calls) pod_of_call_.erase(call);
  return calls;
}

const PodUid* PermitBook::WaiterOfCall(CallId call) const {
  auto it = pod_of_call_.find(call);
  if (it == pod_of_call_.end() || !waiters_.contains(it->second)) return nullptr;
  return &it->second;
}

void PermitBook::DropBindingCall(CallId call) {
  auto it = pod_of_call_.find(call);
  if (it == pod_of_call_.end()) return;
  auto binding = bindings_.find(it->second);
  if (binding == bindings_.end()) return;
  std::vector<CallId>& calls = binding->second.calls;
  calls.erase(std::remove(calls.begin(), calls.end(), call), calls.end());
  pod_of_call_.erase(it);
}

}  // namespace gangpack
