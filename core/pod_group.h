// A PodGroup (scheduling.x-k8s.io/v1alpha1) as the engine needs it. Value type.
//
// Not here: what is made of it (gang.h); which annotation holds the topology key and which label is
// refused (policy.h).
#ifndef GANGPACK_CORE_POD_GROUP_H_
#define GANGPACK_CORE_POD_GROUP_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "core/ids.h"
#include "core/selector.h"

namespace gangpack {

struct PodGroup {
  NamespacedName name;
  std::string uid;
  absl::Time creation;
  Labels labels;
  Labels annotations;
  std::optional<int64_t> min_member;  // spec.minMember; absent and < 1 are refused with a reason
  std::optional<int64_t> schedule_timeout_seconds;  // absent, 0 and negative mean the default
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_POD_GROUP_H_
