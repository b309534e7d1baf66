// Who holds which domain. A hold is on the physical nodes: domains of different keys that share a
// node exclude each other.
//
// Invariants: (1) a gang holds at most one domain; (2) a domain has at most one holder.
// Ownership: gangs are pointed to; Release before a gang goes.
// Cost: HolderOfNode O(keys in use); HolderOverlapping O(1) for domains of the only key held, else
// O(nodes of the domain x keys). Not here: when a hold begins and ends (gang_life.h).
#ifndef GANGPACK_CORE_RESERVATION_LEDGER_H_
#define GANGPACK_CORE_RESERVATION_LEDGER_H_

#include <vector>

#include "absl/container/btree_map.h"
#include "core/topology_index.h"

namespace gangpack {

struct Gang;

class ReservationLedger {
 public:
  // Nobody may hold the domain.
  void Hold(DomainIndex domain, Gang* gang);
  // Somebody must hold the domain.
  void Release(DomainIndex domain);

  Gang* HolderOf(DomainIndex domain) const;
  // The holder of any domain that the node is in; nullptr if there is none.
  Gang* HolderOfNode(NodeIndex node, const TopologyIndex& topology) const;
  // A gang other than `self` that holds the domain or any of its nodes; nullptr if there is none.
  Gang* HolderOverlapping(DomainIndex domain, const Gang* self,
                          const TopologyIndex& topology) const;

  // Grows with every hold that is taken or ends.
  int64_t changes() const { return changes_; }
  bool empty() const { return holders_.empty(); }
  const absl::btree_map<DomainIndex, Gang*>& holders() const { return holders_; }

 private:
  absl::btree_map<DomainIndex, Gang*> holders_;
  int64_t changes_ = 0;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_RESERVATION_LEDGER_H_
