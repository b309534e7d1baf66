// All that the engine knows, and the small operations every part of it uses.
//
// Not here: the rules. Facts come in through facts_intake.h, gangs are judged in gang_judge.h,
// plans made in gang_plan.h, a gang's life (hold, permit, completion, failure) is in gang_life.h,
// calls are answered in member_calls.h and single_pods.h.
#ifndef GANGPACK_CORE_ENGINE_STATE_H_
#define GANGPACK_CORE_ENGINE_STATE_H_

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/time/time.h"
#include "core/answer_book.h"
#include "core/cluster_state.h"
#include "core/domain_ranking.h"
#include "core/effects.h"
#include "core/gang.h"
#include "core/gang_shape.h"
#include "core/permit_book.h"
#include "core/policy.h"
#include "core/reservation_ledger.h"

namespace gangpack {

struct EngineState {
  explicit EngineState(Policy p);
  EngineState(const EngineState&) = delete;
  EngineState& operator=(const EngineState&) = delete;

  const Policy policy;
  ClusterState cluster;
  SpecTable specs;
  ReservationLedger ledger;
  PermitBook permits;
  bool synchronised = false;

  absl::btree_map<NamespacedName, std::unique_ptr<Gang>> gangs;
  std::deque<Gang*> marked;  // to be judged, in the order they were marked
  absl::btree_set<Gang*, GangOrder>
      wanting;  // complete and without a plan, in the order between gangs
  absl::btree_set<std::pair<absl::Time, NamespacedName>> deadlines;  // of holds

  // Pods that are placed one by one (standalone ones, surplus members) and were refused since they
  // last were woken.
  absl::btree_map<PodUid, Reason> refused_singles;
  // Of those that were refused for a rule between pods, what that depended on; some of them have
  // been woken or placed since.
  absl::btree_map<PodUid, RuleWatch> rule_watches;
  PodUid rule_wakes_next;           // where the next slice of WakeByRules begins
  int64_t rule_wakes_begun = 0;     // improvements of the rules when its first slice began
  int64_t rule_wakes_done = 0;      // and those that all watches have been looked at for
  int64_t rule_changes_marked = 0;  // changes of the rules that plans have been marked for
  AnswerBook answers;               // of pods placed one by one
  // Of holds that ended, or changed, since refused singles were looked at.
  std::vector<NodeIndex> released_nodes;
  absl::btree_set<PodUid> asked_unknown;  // asked about too early: before the watch showed them

  absl::flat_hash_map<std::string, std::unique_ptr<DomainRanking>> rankings;  // by shape signature
  std::deque<std::string> ranking_order;  // oldest first, for eviction

  std::vector<Effect> effects;
  int64_t plans_made = 0;
  int64_t sequence = 0;  // of facts
  int64_t releases = 0;  // holds that ended

  // Grows with everything after which a blocked gang may fit.
  int64_t Improvements() const { return cluster.improvements() + releases; }
  PackingLimits Limits() const;

  // The gang whose label the pod carries; nullptr if it carries none.
  Gang* GangOf(const Pod& pod) const;
  // The gang, made if there is none.
  Gang* GangFor(const NamespacedName& name);

  void Mark(Gang* gang);
  // Marks the gangs that hold the node.
  void MarkHolders(NodeIndex node);
  // Takes the gang out of `wanting`; needed before anything changes that GangOrder looks at.
  void Unwant(Gang* gang);
  void Want(Gang* gang);

  void Emit(Effect effect) { effects.push_back(std::move(effect)); }
  GangTransition TransitionOf(GangTransitionKind kind, const Gang& gang, DomainIndex domain,
                              std::string text) const;
  void EmitTransition(GangTransitionKind kind, const Gang& gang, DomainIndex domain,
                      std::string text);
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_ENGINE_STATE_H_
