// A small deterministic world around an Engine, for tests that state one rule each.
//
// It keeps the objects, tells every change to the engine, lets it work until it has nothing left,
// and checks the invariants after each step. It plays the callers (filter and bind) and carries out
// effects at once, or holds bindings back if told to. Names without a namespace are of `ns`.
// Determinism: nothing but the calls made decides what happens; the clock moves only when told to.
// Not here: random worlds (tests/simulation).
#ifndef GANGPACK_TESTS_SUPPORT_ENGINE_WORLD_H_
#define GANGPACK_TESTS_SUPPORT_ENGINE_WORLD_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/engine.h"

namespace gangpack {

class EngineWorld {
 public:
  // A new engine that is synchronised, at the Unix epoch plus one day.
  explicit EngineWorld(Policy policy = Policy());

  Engine& engine() { return engine_; }
  absl::Time now() const { return now_; }

  // Moves the clock and lets the engine do what is due at the new time.
  void Advance(absl::Duration duration);

  // An object as it is from now on. For a pod: what Build() of tests/support/object_builders.h
  // gives; a pod that is bound stays bound.
  void Set(const Node& node);
  void Set(const Pod& pod);
  void Set(const PodGroup& group);
  void DeleteNode(absl::string_view name);
  void DeletePod(absl::string_view name);
  void DeleteGroup(absl::string_view name);
  // One fact that no object stands behind.
  void Tell(const Fact& fact);

  // Between these, facts are told but the engine does not work: they are one batch.
  void BeginBatch() { batch_ = true; }
  void EndBatch();

  // Nodes RACK-1 to RACK-count with that many GPUs each.
  void AddRack(absl::string_view rack, int count, int64_t gpus = 1);
  // Pods NAME-first to NAME-(last) of the gang, one GPU each.
  void AddMembers(absl::string_view gang, int first, int last);
  // A PodGroup with minMember = size, and its members NAME-0 to NAME-(size - 1).
  void AddGang(absl::string_view gang, int size);
  // A bound standalone pod that uses so many GPUs of the node, from another scheduler.
  void Occupy(absl::string_view node, int64_t gpus);

  // The nodes that filter accepts, joined by ","; or, if there is none, "refused: " and the texts,
  // joined by "; ". Without `nodes` all nodes are offered, by name.
  std::string Filter(absl::string_view pod);
  std::string Filter(absl::string_view pod, const std::vector<std::string>& nodes);
  // Whole decision, for tests of its form.
  FilterDecision Decide(absl::string_view pod, const std::vector<std::string>& nodes);
  std::vector<int64_t> Prioritize(absl::string_view pod, const std::vector<std::string>& nodes);

  CallId Bind(absl::string_view pod, absl::string_view node);
  // As kube-scheduler does: filter with all nodes, then bind on the first accepted one. Returns the
  // call, 0 if the pod was refused.
  CallId Schedule(absl::string_view pod);
  // Schedules NAME-first to NAME-last in turn; returns the call of the last.
  CallId ScheduleMembers(absl::string_view gang, int first, int last);
  void HangUp(CallId call);

  // "held", "bound", or the text of the error.
  std::string AnswerTo(CallId call) const;
  // How often the call was answered.
  int AnswersTo(CallId call) const;

  // While true, BindPod effects wait for FinishBinding; otherwise they succeed at once.
  void HoldBindings(bool hold) { hold_bindings_ = hold; }
  // The result of a binding that is held back; an empty error binds the pod.
  void FinishBinding(absl::string_view pod, absl::string_view error);

  // The node that the pod is bound to, empty if it is not.
  std::string NodeOf(absl::string_view pod) const;
  // Pods woken, bindings ("pod@node"), nominations cleared, and transitions ("Pinned gang domain")
  // since the last call, in order.
  std::vector<std::string> TakeWoken();
  std::vector<std::string> TakeBindings();
  std::vector<std::string> TakeCleared();
  std::vector<std::string> TakeTransitions();

  // Views by name; a default one if there is none.
  GangView ViewOf(absl::string_view gang);
  PodView PodViewOf(absl::string_view pod);
  // "domain:gang" of every hold, joined by ",".
  std::string Holds();

  // An engine with empty memory that is told all objects, nodes last, and then synchronised.
  // Held bindings are forgotten.
  void Restart(bool synchronise = true);
  void Synchronise() { Tell(Synchronised{}); }

 private:
  void Settle();
  void CarryOut(const Effect& effect);
  PodUid UidOf(absl::string_view name) const;

  Policy policy_;
  Engine engine_;
  absl::Time now_;
  bool batch_ = false;
  bool hold_bindings_ = false;
  CallId calls_ = 0;
  std::map<std::string, Node> nodes_;
  std::map<std::string, Pod> pods_;  // by name within `ns`, or namespace/name
  std::map<std::string, PodGroup> groups_;
  std::map<std::string, std::string> bindings_;  // held back: pod to node
  std::map<CallId, std::vector<std::string>> answers_;
  std::vector<std::string> woken_, bound_, cleared_, transitions_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SUPPORT_ENGINE_WORLD_H_
