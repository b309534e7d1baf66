#include "tests/unit/server/extender_world.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/extender_codec.h"

namespace gangpack::server {
namespace {

constexpr std::string_view kNamespace = "ns";

NamespacedName Named(std::string_view name) { return {std::string(kNamespace), std::string(name)}; }

}  // namespace

absl::Time ManualClock::Now() {
  const MutexLock lock(&mutex_);
  return now_;
}

void ManualClock::Advance(absl::Duration by) {
  const MutexLock lock(&mutex_);
  now_ += by;
}

Policy ExtenderWorld::PolicyWithRacks() {
  Policy policy;
  policy.default_topology_key = "rack";
  return policy;
}

ExtenderWorld::ExtenderWorld(Policy policy)
    : driver(std::move(policy), &clock, this), executor_([this] { CarryOutAll(); }) {}

ExtenderWorld::~ExtenderWorld() {
  {
    const MutexLock lock(&mutex_);
    ending_ = true;
    changed_.SignalAll();
  }
  executor_.join();
}

void ExtenderWorld::AddNode(std::string_view name, std::string_view rack) {
  Node node;
  node.name = name;
  node.labels["rack"] = rack;
  node.allocatable = {{"cpu", 8000}, {"pods", 110}};
  driver.Apply({NodeChanged{std::move(node)}});
}

void ExtenderWorld::AddGroup(std::string_view name, int64_t min_member) {
  PodGroup group;
  group.name = Named(name);
  group.uid = "group-" + std::string(name);
  group.creation = clock.Now();
  group.min_member = min_member;
  driver.Apply({PodGroupChanged{std::move(group)}});
}

void ExtenderWorld::AddPod(std::string_view name, std::string_view group) {
  Pod pod;
  pod.uid.value = "u-" + std::string(name);
  pod.name = Named(name);
  if (!group.empty()) pod.labels[std::string(kPodGroupLabel)] = group;
  pod.scheduler_name = Policy().scheduler_name;
  pod.creation = clock.Now();
  pod.spec.request = {{"cpu", 1000}};
  driver.Apply({PodChanged{std::move(pod)}});
}

void ExtenderWorld::Synchronise() { driver.Apply({Synchronised{}}); }

std::vector<std::string> ExtenderWorld::Bindings() {
  const MutexLock lock(&mutex_);
  return bindings_;
}

void ExtenderWorld::FailNextBinding(std::string_view error) {
  const MutexLock lock(&mutex_);
  next_error_ = error;
}

std::string ExtenderWorld::ArgsBody(std::string_view pod,
                                    const std::vector<std::string>& node_names) {
  const std::string name(pod);
  const std::string raw =
      R"({"metadata":{"name":")" + name + R"(","namespace":"ns","uid":"u-)" + name + R"("}})";
  ExtenderArgs args;
  args.pod.raw = raw;
  args.node_names.emplace(node_names.begin(), node_names.end());
  return EncodeExtenderArgs(args);
}

std::string ExtenderWorld::BindBody(std::string_view pod, std::string_view node) {
  const std::string uid = "u-" + std::string(pod);
  ExtenderBindingArgs args;
  args.pod_name = pod;
  args.pod_namespace = kNamespace;
  args.pod_uid = uid;
  args.node = node;
  return EncodeExtenderBindingArgs(args);
}

void ExtenderWorld::Push(std::vector<Effect> effects) {
  const MutexLock lock(&mutex_);
  for (Effect& effect : effects) queue_.push_back(std::move(effect));
  changed_.SignalAll();
}

void ExtenderWorld::CarryOutAll() {
  for (;;) {
    std::optional<Effect> effect;
    {
      const MutexLock lock(&mutex_);
      changed_.Wait(&mutex_, [this] {
        mutex_.AssertHeld();
        return ending_ || !queue_.empty();
      });
      if (queue_.empty()) return;
      effect = std::move(queue_.front());
      queue_.pop_front();
    }
    CarryOut(*effect);
  }
}

void ExtenderWorld::CarryOut(const Effect& effect) {
  if (const auto* bind = std::get_if<BindPod>(&effect)) {
    driver.Apply({BindingFinished{bind->uid, Bind(*bind)}});
  } else if (const auto* answer = std::get_if<AnswerCall>(&effect)) {
    calls.Answer(*answer);
  }
}

std::string ExtenderWorld::Bind(const BindPod& bind) {
  const MutexLock lock(&mutex_);
  if (!next_error_.empty()) return std::exchange(next_error_, "");
  bindings_.push_back(bind.pod.name + " on " + bind.node);
  return "";
}

}  // namespace gangpack::server
