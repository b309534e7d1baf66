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
      absl::Seconds(600);  // for PodGroups without scheduleTimeoutSeconds > 0
  // A pod whose place matters to rules between pods is expected on the one node it was answered
  // with for this long; its bind call comes later than that only where volumes take longer.
  absl::Duration answer_timeout = absl::Seconds(60);
  bool standalone_domain_packing = true;  // acts only with a default_topology_key

  // Limits on work. Slices: what is left over comes next, and nobody is told.
  int judged_gangs_per_slice = 64;  // gangs that one slice of Engine::Work or one Page judges
  int views_per_slice = 256;        // objects that one Page looks at
  int shapes_max = 256;  // gang shapes whose domains are kept ranked (domain_ranking.h); beyond it
                         // the oldest is ranked afresh when it is asked for, and nobody is told

  // Limits on the search for a plan (packing.h), each per domain.
  // Partial plans looked at. Reached: the reason says that a fit may exist.
  int64_t packing_states_max = 200000;
  // The same for the number of members that fit where need of them do not, which is only shown:
  // enough to be exact for gangs of some 30 members. Reached: "room for at least N of M".
  int64_t shown_states_max = 2000;
  // Members that a search in depth places at most, tries with the lightest members, and larger
  // states that a state is compared with. Reached: only the way to the same answer is another, and
  // a longer one, which packing_states_max bounds.
  int backtrack_members_max = 64;
  int lighter_tries_max = 8;
  int state_comparisons_max = 64;

  // Pods asked about before the watch showed them that are remembered so that they can be woken.
  // Reached: the detail of the refusal says that nothing wakes the pod.
  int asked_unknown_max = 10000;

  // Limits on text. Reached: "and N more".
  int detail_domains_max = 3;  // domains named in one reason
  int detail_nodes_max = 3;    // nodes named per domain, or lost nodes, in one reason

  // INVALID_ARGUMENT naming the field, its value and what was expected.
  absl::Status Validate() const;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_POLICY_H_
