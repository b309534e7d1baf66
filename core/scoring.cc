#include "core/scoring.h"

#include <algorithm>
#include <cstddef>

#include "absl/numeric/int128.h"

namespace gangpack {
namespace {

struct Share {
  int64_t part = 0;
  int64_t whole = 1;
};

// A share of nothing is no share: it compares as 0, so that the order stays total.
Share MakeShare(int64_t part, int64_t whole) {
  return whole > 0 ? Share{part, whole} : Share{0, 1};
}

// -1, 0 or 1.
int Compare(const Share& a, const Share& b) {
  const absl::int128 left = absl::int128(a.part) * b.whole;
  const absl::int128 right = absl::int128(b.part) * a.whole;
  if (left == right) return 0;
  return left < right ? -1 : 1;
}

int CompareFullness(const DomainFullness& a, const DomainFullness& b) {
  const int by_nodes =
      Compare(MakeShare(a.nodes_in_use, a.nodes), MakeShare(b.nodes_in_use, b.nodes));
  if (by_nodes != 0) return by_nodes;
  return Compare(MakeShare(a.scarcest_used, a.scarcest_total),
                 MakeShare(b.scarcest_used, b.scarcest_total));
}

}  // namespace

PackingScores ScoreDomains(const std::vector<DomainFullness>& domains) {
  PackingScores scores;
  scores.domain.assign(domains.size(), 0);
  scores.unlabelled = kScoreStep;

  std::vector<size_t> broken;
  for (size_t i = 0; i < domains.size(); ++i) {
    if (domains[i].nodes_in_use > 0) broken.push_back(i);
  }
  std::sort(broken.begin(), broken.end(), [&domains](size_t a, size_t b) {
    const int order = CompareFullness(domains[a], domains[b]);
    return order != 0 ? order < 0 : a < b;
  });
  int64_t score = scores.unlabelled;
  for (size_t rank = 0; rank < broken.size(); ++rank) {
    const bool as_full_as_last =
        rank > 0 && CompareFullness(domains[broken[rank - 1]], domains[broken[rank]]) == 0;
    if (!as_full_as_last) score += kScoreStep;
    scores.domain[broken[rank]] = score;
  }
  return scores;
}

}  // namespace gangpack
