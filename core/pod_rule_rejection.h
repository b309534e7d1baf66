// Which rule between pods keeps a pod from a node, with what a person needs to act on it.
//
// Not here: the rules (prepared_pod.h), the words (explain.h).
#ifndef GANGPACK_CORE_POD_RULE_REJECTION_H_
#define GANGPACK_CORE_POD_RULE_REJECTION_H_

#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.h"

namespace gangpack {

enum class PodRule {
  kSpreadKey,          // the node lacks the key of a spread constraint
  kSpread,             // one more pod there would exceed maxSkew
  kAffinityKey,        // the node lacks the key of an affinity term
  kAffinity,           // no placed pod in the node's value that the affinity terms select
  kAntiAffinity,       // `pod` is there, and a term of this pod selects it
  kOtherAntiAffinity,  // `pod` is there, and a term of its selects this pod
};

struct PodRuleRejection {
  PodRule rule = PodRule::kSpread;
  std::string key;
  std::string value;                  // of the node; empty where it lacks the key
  std::optional<NamespacedName> pod;  // the first by namespace and name
  // kSpread: pods counted in the value, the least in any domain, and the constraint's maxSkew.
  int32_t count = 0;
  int32_t least = 0;
  int32_t max_skew = 0;

  friend bool operator==(const PodRuleRejection&, const PodRuleRejection&) = default;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_POD_RULE_REJECTION_H_
