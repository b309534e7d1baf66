// Everything the engine can want done. The caller carries effects out in the order given, per pod,
// and reports back by facts.
#ifndef GANGPACK_CORE_EFFECTS_H_
#define GANGPACK_CORE_EFFECTS_H_

#include <string>
#include <variant>

#include "core/ids.h"
#include "core/reason.h"

namespace gangpack {

// Bind the pod to the node through the API server; idempotent by UID and node. Answered by the fact
// BindingFinished.
struct BindPod {
  PodUid uid;
  NamespacedName pod;
  std::string node;
};

// Answer the held bind call. `error` is empty if the pod is bound; otherwise it is the text for
// kube-scheduler.
struct AnswerCall {
  CallId call = 0;
  std::string error;
};

// What happened that lets a refused pod be tried again.
enum class WakeTrigger {
  kPermit,               // a member of its gang got a node, or the last one did
  kTemplatesComplete,    // the missing members, or the pod itself, became known
  kReservationReleased,  // room came: a hold ended, or nodes or pods changed
  kPodGroupChange,       // its PodGroup came or changed, or it changed its gang
  kDomainFailed,         // its gang failed and starts anew
};

// Make kube-scheduler try this pod again: we refused it, and now it may pass.
struct WakePod {
  PodUid uid;
  NamespacedName pod;
  WakeTrigger trigger = WakeTrigger::kReservationReleased;
};

// Clear a nomination that an earlier run of ours left (its plan cannot be adopted).
struct ClearNomination {
  PodUid uid;
  NamespacedName pod;
};

enum class GangTransitionKind {
  kPinned,    // a domain was chosen, every member planned, the hold taken
  kAdopted,   // as kPinned, in the domain where members already run, or from nominations found at
              // start
  kMoved,     // the plan was remade because the world changed under it; the hold is now on `domain`
  kWaiting,   // a member arrived at Permit
  kComplete,  // minMember members have a node: all waiting ones are being bound, the hold has ended
  kUnwound,   // a member failed after it had a node: hold released, waiting members refused
  kReleased,  // the hold ended without that: its members never came, or are too few now
  // The gang's reason for not proceeding is a new one, told in `text`; its state, by which the kind
  // is named, may be the same as before.
  kForming,
  kBlocked,
  kBroken,
};

enum class ReplanCause {
  kStale,     // pods or nodes changed, or kube-scheduler did not offer the planned node
  kTopology,  // the gang's topology key changed, or the label of a planned node
};

// A plan was made anew for a gang that had one: in the domain it holds, or, as a transition kMoved
// tells too, in another.
struct PlanRemade {
  NamespacedName gang;
  std::string domain;
  ReplanCause cause = ReplanCause::kStale;
};

// One change in a gang's life: for logs, metrics, traces and events on the PodGroup. Counts
// transitions, not calls.
struct GangTransition {
  GangTransitionKind kind = GangTransitionKind::kBlocked;
  NamespacedName gang;
  std::string group_uid;
  std::string topology_key;
  std::string domain;
  std::string text;  // the detailed reason or what happened, in one line

  ReasonCode reason = ReasonCode::kNone;  // kUnwound, kReleased, kForming, kBlocked, kBroken: why
  ReasonCode reason_before = ReasonCode::kNone;  // the last three: what kept it until then
  bool completes = false;                        // kWaiting: with this member the gang is complete
};

using Effect =
    std::variant<BindPod, AnswerCall, WakePod, ClearNomination, PlanRemade, GangTransition>;

}  // namespace gangpack

#endif  // GANGPACK_CORE_EFFECTS_H_
