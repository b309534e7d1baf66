// Pods that were answered with one node and have not come back: until their bind call, a next
// filter call, or a deadline.
//
// The rules between pods count them on that node meanwhile (ClusterState::Expect), since the bind
// of a pod is seen late. Cost: O(log answers). Not here: who is answered with one node
// (single_pods.h).
#ifndef GANGPACK_CORE_ANSWER_BOOK_H_
#define GANGPACK_CORE_ANSWER_BOOK_H_

#include <optional>
#include <utility>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/time/time.h"
#include "core/ids.h"

namespace gangpack {

class AnswerBook {
 public:
  void Note(const PodUid& pod, absl::Time ends);
  // Nothing happens if there is no answer.
  void Forget(const PodUid& pod);
  bool Has(const PodUid& pod) const { return ends_.contains(pod); }
  size_t size() const { return ends_.size(); }

  // The earliest answer to end by `now`.
  std::optional<PodUid> Due(absl::Time now) const;
  // InfiniteFuture without answers.
  absl::Time NextEnd() const;

 private:
  absl::flat_hash_map<PodUid, absl::Time> ends_;
  absl::btree_set<std::pair<absl::Time, PodUid>> by_end_;
};

}  // namespace gangpack

#endif  // GANGPACK_CORE_ANSWER_BOOK_H_
