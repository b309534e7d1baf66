#include "core/answer_book.h"

namespace gangpack {

void AnswerBook::Note(const PodUid& pod, absl::Time ends) {
  Forget(pod);
  ends_.emplace(pod, ends);
  by_end_.emplace(ends, pod);
}

void AnswerBook::Forget(const PodUid& pod) {
  const auto it = ends_.find(pod);
  if (it == ends_.end()) return;
  by_end_.erase({it->second, pod});
  ends_.erase(it);
}

std::optional<PodUid> AnswerBook::Due(absl::Time now) const {
  if (by_end_.empty() || by_end_.begin()->first > now) return std::nullopt;
  return by_end_.begin()->second;
}

absl::Time AnswerBook::NextEnd() const {
  return by_end_.empty() ? absl::InfiniteFuture() : by_end_.begin()->first;
}

}  // namespace gangpack
