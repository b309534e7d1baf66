#include "core/reservation_ledger.h"

#include "core/check.h"

namespace gangpack {

void ReservationLedger::Hold(DomainIndex domain, Gang* gang) {
  const bool added = holders_.emplace(domain, gang).second;
  CORE_CHECK(added);
  ++changes_;
}

void ReservationLedger::Release(DomainIndex domain) {
  const bool held = holders_.erase(domain) > 0;
  CORE_CHECK(held);
  ++changes_;
}

Gang* ReservationLedger::HolderOf(DomainIndex domain) const {
  auto it = holders_.find(domain);
  return it == holders_.end() ? nullptr : it->second;
}

Gang* ReservationLedger::HolderOfNode(NodeIndex node, const TopologyIndex& topology) const {
  if (holders_.empty()) return nullptr;
  for (size_t key = 0; key < topology.keys(); ++key) {
    const DomainIndex domain = topology.DomainOf(static_cast<TopologyKeyIndex>(key), node);
    if (domain == kNoDomain) continue;
    if (Gang* holder = HolderOf(domain); holder != nullptr) return holder;
  }
  return nullptr;
}

Gang* ReservationLedger::HolderOverlapping(DomainIndex domain, const Gang* self,
                                           const TopologyIndex& topology) const {
  if (holders_.empty()) return nullptr;
  if (Gang* holder = HolderOf(domain); holder != nullptr && holder != self) return holder;
  if (topology.keys() < 2) return nullptr;
  for (const NodeIndex node : topology.domain(domain).nodes) {
    for (size_t key = 0; key < topology.keys(); ++key) {
      const DomainIndex other = topology.DomainOf(static_cast<TopologyKeyIndex>(key), node);
      if (other == kNoDomain || other == domain) continue;
      if (Gang* holder = HolderOf(other); holder != nullptr && holder != self) return holder;
    }
  }
  return nullptr;
}

}  // namespace gangpack
