// Which domains can hold a gang of one shape, best first; kept up to date as domains change.
//
// Terms: room as in room.h; a domain fits all if a plan exists for every member, fits need if one
// exists for `need` of them. Only for gangs without placed siblings: those have one domain only
// (gang_plan.h). Determinism: least room first, ties by domain name. Cost: CatchUp O(changed
// domains x packing of one domain); a first call or a log that was cut looks at every domain of the
// key. Choosing is O(domains held by others + log D).
// Not here: holds (reservation_ledger.h), the plan itself (packing.h).
#ifndef GANGPACK_CORE_DOMAIN_RANKING_H_
#define GANGPACK_CORE_DOMAIN_RANKING_H_

#include <cstdint>
#include <vector>

#include "absl/container/btree_set.h"
#include "core/cluster_state.h"
#include "core/gang_shape.h"
#include "core/packing.h"

namespace gangpack {

// Whether all and whether `need` of the members fit is settled within `limits`. If need do not,
// most_placed is shown to users only, so the search for it is short: for large mixed gangs it may
// be less than the maximum.
struct RoomAnswer {
  int most_placed = 0;
  bool fits_all = false;
  bool limit_reached = false;  // by the search that says whether need fit
  bool at_least = false;       // by the other one only: more than most_placed may fit, but not need
};
RoomAnswer EvaluateFor(int need, const PackingProblem& problem, PackingLimits limits);

// What is known of one domain for one shape.
struct DomainFit {
  int64_t room = 0;  // as ranked and shown: at least need where need of the members fit
  int most = 0;      // members that fit at once now, as EvaluateFor tells
  // And with nothing running there, cordons and taints not counted; 0 where need of them fit now.
  int most_when_empty = 0;
  bool limit_reached = false;  // the search behind `most` was cut off
  bool limit_reached_when_empty = false;
  bool at_least = false;  // `most` is shown, and more may fit, though not need
  bool at_least_when_empty = false;
};

class DomainRanking {
 public:
  // `cluster` must outlive the ranking.
  DomainRanking(GangShape shape, const ClusterState* cluster);

  // Takes the shape as made now, of a gang with the same signature: what pods outside the gang do
  // to it may have changed.
  void Renew(GangShape shape);

  // Looks again at the domains that changed since the last call. Returns how many were looked at.
  int CatchUp(const PackingLimits& limits);

  // Grows whenever CatchUp finds anything changed.
  int64_t version() const { return version_; }

  struct ByRoom {
    const TopologyIndex* topology;
    bool operator()(const std::pair<int64_t, DomainIndex>& a,
                    const std::pair<int64_t, DomainIndex>& b) const;
  };
  using Ranked = absl::btree_set<std::pair<int64_t, DomainIndex>, ByRoom>;

  const Ranked& fits_all() const { return fits_all_; }  // least room first
  const Ranked& fits_need() const {
    return fits_need_;
  }  // least room first; without those that fit all
  // Domains that do not fit need, the ones that lack least first (keys are -most).
  const Ranked& short_now() const { return short_now_; }
  // Of these, by what they could hold when empty (keys are -most_when_empty).
  const Ranked& short_when_empty() const { return short_when_empty_; }

  const DomainFit& fit(DomainIndex domain) const;
  const GangShape& shape() const { return shape_; }

 private:
  void Look(DomainIndex domain, const PackingLimits& limits);
  void Forget(DomainIndex domain);

  GangShape shape_;
  const ClusterState* cluster_;
  void AddDifferences(const OutsideDifferences& differences);

  int64_t position_ = -1;               // in the log of changed domains; -1: look at every one
  std::vector<DomainIndex> differing_;  // where what pods outside do has changed
  int64_t version_ = 0;
  std::vector<DomainFit> fits_;  // by DomainIndex
  std::vector<uint8_t> known_;   // by DomainIndex: is in one of the sets
  Ranked fits_all_;
  Ranked fits_need_;
  Ranked short_now_;
  Ranked short_when_empty_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_DOMAIN_RANKING_H_
