// A small cluster for tests of the extender: the real engine behind the real driver, an API server
// that binds whatever it is told to, and effects carried out on a thread of their own, as in the
// program.
#ifndef GANGPACK_TESTS_UNIT_SERVER_EXTENDER_WORLD_H_
#define GANGPACK_TESTS_UNIT_SERVER_EXTENDER_WORLD_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/effects.h"
#include "core/facts.h"
#include "k8s/clock.h"
#include "server/engine_driver.h"
#include "server/held_calls.h"
#include "server/mutex.h"

namespace gangpack::server {

// Time stands still unless a test moves it.
class ManualClock final : public k8s::Clock {
 public:
  absl::Time Now() override;
  void Advance(absl::Duration by);

 private:
  Mutex mutex_;
  absl::Time now_ ABSL_GUARDED_BY(mutex_) = absl::FromUnixSeconds(1'800'000'000);
};

class ExtenderWorld final : private EffectSink {
 public:
  explicit ExtenderWorld(Policy policy = PolicyWithRacks());
  ~ExtenderWorld() override;

  ManualClock clock;
  HeldCalls calls;
  EngineDriver driver;

  // A node with 8 cores and 110 pod slots, labelled rack=RACK.
  void AddNode(std::string_view name, std::string_view rack);
  void AddGroup(std::string_view name, int64_t min_member);
  // A pod ns/NAME with UID "u-NAME" that asks for one core; of no gang if `group` is empty.
  void AddPod(std::string_view name, std::string_view group);
  void Synchronise();

  // "NAME on NODE", in the order of the bindings.
  std::vector<std::string> Bindings();
  // The next binding of this pod is refused with this text.
  void FailNextBinding(std::string_view error);

  // The bodies that kube-scheduler would send.
  static std::string ArgsBody(std::string_view pod, const std::vector<std::string>& node_names);
  static std::string BindBody(std::string_view pod, std::string_view node);

 private:
  static Policy PolicyWithRacks();
  void Push(std::vector<Effect> effects) override;
  void CarryOutAll();
  void CarryOut(const Effect& effect);
  std::string Bind(const BindPod& bind);

  Mutex mutex_;
  CondVar changed_;
  std::deque<Effect> queue_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> bindings_ ABSL_GUARDED_BY(mutex_);
  std::string next_error_ ABSL_GUARDED_BY(mutex_);
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread executor_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_EXTENDER_WORLD_H_
