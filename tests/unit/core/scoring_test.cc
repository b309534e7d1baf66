#include "core/scoring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace gangpack {
namespace {

// A domain of `nodes` of which `in_use` are in use, with `used` of `total` of the scarcest
// resource.
DomainFullness Domain(int64_t nodes, int64_t in_use, int64_t used = 0, int64_t total = 0) {
  return DomainFullness{nodes, in_use, used, total};
}

TEST(ScoreDomainsTest, ABrokenDomainIsPreferredToAnUntouchedOneWhateverTheirSizes) {
  const PackingScores big_broken = ScoreDomains({Domain(100, 1), Domain(1, 0)});
  EXPECT_GT(big_broken.domain[0], big_broken.domain[1]);
  const PackingScores small_broken = ScoreDomains({Domain(100, 0), Domain(1, 1)});
  EXPECT_GT(small_broken.domain[1], small_broken.domain[0]);
}

TEST(ScoreDomainsTest, UnlabelledNodesAreBetweenBrokenAndUntouchedDomains) {
  const PackingScores scores = ScoreDomains({Domain(8, 1), Domain(8, 0)});
  EXPECT_GT(scores.domain[0], scores.unlabelled);
  EXPECT_GT(scores.unlabelled, scores.domain[1]);
}

TEST(ScoreDomainsTest, AnUntouchedDomainIsNoFullerForWhatDaemonSetsUseThere) {
  const PackingScores scores = ScoreDomains({Domain(8, 0, 100, 100), Domain(8, 0, 0, 100)});
  EXPECT_EQ(scores.domain[0], scores.domain[1]);
}

TEST(ScoreDomainsTest, TheLargerShareOfNodesInUseWinsNotTheLargerNumber) {
  const PackingScores scores = ScoreDomains({Domain(18, 6), Domain(2, 1)});
  EXPECT_GT(scores.domain[1], scores.domain[0]);
}

TEST(ScoreDomainsTest, OneNodeMoreInUseIsEnough) {
  const PackingScores scores = ScoreDomains({Domain(18, 6), Domain(18, 7)});
  EXPECT_GT(scores.domain[1], scores.domain[0]);
}

TEST(ScoreDomainsTest, NodesInUseCountBeforeTheScarcestResource) {
  const PackingScores scores = ScoreDomains({Domain(4, 1, 99, 100), Domain(4, 2, 1, 100)});
  EXPECT_GT(scores.domain[1], scores.domain[0]);
}

TEST(ScoreDomainsTest, AtEqualSharesOfNodesTheScarcestResourceDecides) {
  // 1 of 2 nodes and 2 of 4 are equal shares; 3 of 8 GPUs is less than 7 of 16.
  const PackingScores scores = ScoreDomains({Domain(2, 1, 3, 8), Domain(4, 2, 7, 16)});
  EXPECT_GT(scores.domain[1], scores.domain[0]);
}

TEST(ScoreDomainsTest, EquallyFullDomainsGetTheSameScore) {
  const PackingScores scores =
      ScoreDomains({Domain(2, 1, 3, 8), Domain(4, 2, 6, 16), Domain(4, 3, 0, 16)});
  EXPECT_EQ(scores.domain[0], scores.domain[1]);
  EXPECT_EQ(scores.domain[2] - scores.domain[0], kScoreStep);
}

TEST(ScoreDomainsTest, SharesThatAFractionCouldNotTellApartAreToldApart) {
  const int64_t huge = std::numeric_limits<int64_t>::max();
  const PackingScores scores =
      ScoreDomains({Domain(1, 1, huge - 2, huge - 1), Domain(1, 1, huge - 1, huge)});
  EXPECT_EQ(scores.domain[1] - scores.domain[0], kScoreStep);
}

TEST(ScoreDomainsTest, AShareOfNothingIsTheEmptiest) {
  const PackingScores as_empty = ScoreDomains({Domain(1, 1, 0, 0), Domain(1, 1, 0, 8)});
  EXPECT_EQ(as_empty.domain[0], as_empty.domain[1]);
  const PackingScores emptier = ScoreDomains({Domain(1, 1, 0, 0), Domain(1, 1, 1, 8)});
  EXPECT_EQ(emptier.domain[1] - emptier.domain[0], kScoreStep);
}

TEST(ScoreDomainsTest, AnOvercommittedDomainIsFullerThanAFullOne) {
  const PackingScores scores = ScoreDomains({Domain(1, 1, 8, 8), Domain(1, 1, 9, 8)});
  EXPECT_GT(scores.domain[1], scores.domain[0]);
}

TEST(ScoreDomainsTest, EachStepOfTheOrderIsOneScoreStepHoweverMany) {
  std::vector<DomainFullness> domains;
  for (int64_t i = 0; i <= 500; ++i) domains.push_back(Domain(500, i));
  const PackingScores scores = ScoreDomains(domains);
  EXPECT_EQ(scores.domain[0], 0);
  EXPECT_EQ(scores.unlabelled, kScoreStep);
  for (int64_t i = 1; i <= 500; ++i) {
    EXPECT_EQ(scores.domain[static_cast<size_t>(i)], kScoreStep * (i + 1)) << i;
  }
}

TEST(ScoreDomainsTest, AScoreDoesNotDependOnTheOrderTheDomainsAreGivenIn) {
  std::vector<DomainFullness> domains = {Domain(4, 2, 1, 8), Domain(8, 0), Domain(4, 2, 5, 8),
                                         Domain(4, 4, 8, 8), Domain(8, 4, 5, 8)};
  const PackingScores forward = ScoreDomains(domains);
  std::reverse(domains.begin(), domains.end());
  PackingScores backward = ScoreDomains(domains);
  std::reverse(backward.domain.begin(), backward.domain.end());
  EXPECT_EQ(forward.domain, backward.domain);
  EXPECT_EQ(forward.unlabelled, backward.unlabelled);
}

TEST(ScoreDomainsTest, NoDomainLeavesOnlyTheScoreOfUnlabelledNodes) {
  const PackingScores scores = ScoreDomains({});
  EXPECT_TRUE(scores.domain.empty());
  EXPECT_EQ(scores.unlabelled, kScoreStep);
}

// 100 points times the weights of the plugins that score in kube-scheduler's profile.
TEST(ScoreDomainsTest, OneStepOutweighsAllOtherScoringAtTheDefaultWeight) {
  constexpr int64_t kExtenderWeight = 10;
  constexpr int64_t kPluginWeights = 10 + 3 + 2 + 2 + 2 + 2 + 1 + 1;
  EXPECT_GT(kScoreStep * kExtenderWeight * 10, kPluginWeights * 100);
}

}  // namespace
}  // namespace gangpack
