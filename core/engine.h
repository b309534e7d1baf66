// The gang and domain engine: facts and calls in, decisions and effects out. The only facade of
// core/.
//
// Terms: semantics are those of the words in core/README.md. `now` is the caller's clock, read once
// per call, never less than at the call before. Ownership: everything is copied in and out; nothing
// returned points into the engine. Thread-safety: none; the caller (server/engine_driver)
// serialises. Errors: none. "It does not fit" is a decision with a Reason; input that cannot be
// used leaves a gang Pending with one. Determinism: the same calls in the same order with the same
// times give the same bytes out. Cost: Apply O(log cluster + members of the gang); Filter O(names)
// + judging of gangs that changed; see Work.
#ifndef GANGPACK_CORE_ENGINE_H_
#define GANGPACK_CORE_ENGINE_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/calls.h"
#include "core/effects.h"
#include "core/facts.h"
#include "core/policy.h"
#include "core/views.h"

namespace gangpack {

class Engine {
 public:
  // `policy` must have passed Validate().
  explicit Engine(Policy policy);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Takes a fact in. What depends on it is marked, not judged: see Work.
  void Apply(const Fact& fact, absl::Time now);

  // Judges marked gangs, in the order between gangs, at most Policy::judged_gangs_per_slice of
  // them; true if more are left. Call it after a batch of facts, until it returns false.
  bool Work(absl::Time now);

  // Ends waits and holds that are due. Call it when NextDeadline() has come.
  void Tick(absl::Time now);
  absl::Time NextDeadline() const;  // absl::InfiniteFuture() if nothing is due ever

  FilterDecision Filter(const FilterRequest& request, absl::Time now);

  // A score per offered node, aligned with node_names (scoring.h); all 0 for gang members and where
  // packing is off.
  std::vector<int64_t> Prioritize(const FilterRequest& request, absl::Time now);

  // The permit wait. The answer always comes as an AnswerCall effect with request.call, at once or
  // later.
  void Bind(const BindRequest& request, absl::Time now);

  // Moves out the effects emitted since the last call, in order.
  std::vector<Effect> DrainEffects();

  bool synchronised() const;

  // The views (views.h) after a position, in pages: what one page costs is bounded
  // (engine_views.h), so that a caller with a lock can release it in between.
  PodPage PodsAfter(const PodPosition& after) const;
  GangPage GangsAfter(const NamespacedName& after) const;
  DomainPage DomainsAfter(const DomainPosition& after) const;
  ReservationPage ReservationsAfter(const DomainPosition& after) const;

  // All pages of them at once.
  std::vector<PodView> Pods() const;    // pods of ours that are not finished, by namespace and name
  std::vector<GangView> Gangs() const;  // every PodGroup that exists or that a pod names
  std::vector<DomainView> Domains() const;  // of every topology key in use, by key and name
  std::vector<ReservationView> Reservations() const;  // by key and domain

  // INTERNAL naming the first broken invariant (invariants.h): a defect of ours. Cost: O(cluster).
  absl::Status CheckInvariants() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_ENGINE_H_
