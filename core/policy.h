// Every tunable of the engine in one struct.
#ifndef GANGPACK_CORE_POLICY_H_
#define GANGPACK_CORE_POLICY_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace gangpack {

struct Policy {
  std::string scheduler_name =
      "ome-scheduler";               // pods that name another scheduler are never placed
  std::string default_topology_key;  // for PodGroups without the annotation; empty: none
  std::string topology_key_annotation = "ome.io/topology-key";
  std::string placement_group_label = "ome.io/placement-group";  // its presence refuses the gang
  absl::Duration permit_timeout =
      absl::Seconds(600);                 // for PodGroups without scheduleTimeoutSeconds > 0
  bool standalone_domain_packing = true;  // acts only with a default_topology_key

  // Limits. Reaching packing_states_max is a reason the user sees; the others only bound work or
  // text.
  int64_t packing_states_max = 200000;  // partial plans looked at per domain (packing.h)
  int shapes_max = 256;             // gang shapes whose domains are kept ranked (domain_ranking.h)
  int judged_gangs_per_slice = 64;  // gangs that one call of Engine::Work judges
  int detail_domains_max = 3;       // domains named in one reason
  int detail_nodes_max = 3;         // nodes named per domain in one reason

  // INVALID_ARGUMENT naming the field, its value and what was expected.
  absl::Status Validate() const;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_POLICY_H_
