#include "core/awaited_siblings.h"

#include <algorithm>

#include "core/sibling_terms.h"

namespace gangpack {
namespace {

bool Selects(const PodRecord& pod, const PodRecord& other, const ClusterState& cluster) {
  return AffinitySelects(pod.pod, other.pod,
                         cluster.NamespaceLabels(other.pod.name.namespace_name));
}

}  // namespace

const PodRecord* SiblingNeeded(const PodRecord& pod, const std::vector<const PodRecord*>& others,
                               const std::vector<const PodRecord*>& unplaced,
                               const ClusterState& cluster) {
  if (pod.pod.spec.required_affinity.empty()) return nullptr;
  const auto selected = [&](const PodRecord* other) { return Selects(pod, *other, cluster); };
  const auto needed = std::find_if(unplaced.begin(), unplaced.end(), selected);
  if (needed == unplaced.end() || Selects(pod, pod, cluster)) return nullptr;
  return std::any_of(others.begin(), others.end(), selected) ? nullptr : *needed;
}

std::vector<AwaitedSibling> TakeOutAwaiting(const std::vector<const PodRecord*>& placed,
                                            std::vector<const PodRecord*> pending,
                                            const ClusterState& cluster,
                                            std::vector<PodRecord*>* eligible) {
  std::vector<AwaitedSibling> awaiting;
  for (size_t before = 0; before != pending.size();) {
    before = pending.size();
    std::vector<const PodRecord*> others = placed;
    others.insert(others.end(), eligible->begin(), eligible->end());
    std::vector<PodRecord*> kept;
    const std::vector<const PodRecord*> unplaced = pending;
    for (PodRecord* const member : *eligible) {
      const PodRecord* const sibling = SiblingNeeded(*member, others, unplaced, cluster);
      if (sibling == nullptr) {
        kept.push_back(member);
      } else {
        awaiting.push_back({member, sibling});
        pending.push_back(member);
      }
    }
    *eligible = std::move(kept);
  }
  return awaiting;
}

}  // namespace gangpack
