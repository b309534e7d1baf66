// Packing against an exhaustive reference on small random clusters. One seed is one cluster;
// `--seed=N` replays one.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/packing.h"
#include "gtest/gtest.h"
#include "tests/support/reference_packer.h"
#include "tests/unit/core/random_packing.h"

namespace gangpack {
namespace {

constexpr int kBlocks = 12;
constexpr int kClustersPerBlock = 2000;
int64_t replayed_seed = -1;

void CheckPlan(const PackingProblem& problem, const std::vector<int>& kind_of_member,
               const ReferencePacker& reference, int need) {
  SCOPED_TRACE("need " + std::to_string(need));
  bool exists = false;
  const std::vector<int> expected = reference.FirstSet(need, &exists);
  const PackingPlan plan = PlanPacking(problem, kind_of_member, need, PackingLimits());
  EXPECT_FALSE(plan.limit_reached);
  ASSERT_EQ(plan.found, exists);
  ASSERT_EQ(plan.node_of_member.size(), kind_of_member.size());
  std::vector<int> chosen;
  for (size_t i = 0; i < kind_of_member.size(); ++i) {
    if (plan.node_of_member[i] >= 0) chosen.push_back(static_cast<int>(i));
  }
  EXPECT_EQ(chosen, expected);
  std::string why;
  EXPECT_TRUE(AssignmentIsValid(problem, kind_of_member, plan.node_of_member, &why)) << why;
}

void CheckEnough(const PackingProblem& problem, int members, int most, int enough) {
  SCOPED_TRACE("enough " + std::to_string(enough));
  PackingLimits limits;
  limits.enough = enough;
  const PackingAnswer answer = EvaluatePacking(problem, limits);
  EXPECT_FALSE(answer.limit_reached);
  EXPECT_EQ(answer.fits_all, most == members);
  EXPECT_EQ(answer.most_placed >= enough, most >= enough);
  EXPECT_LE(answer.most_placed, most);
}

void CheckCluster(int64_t seed, bool with_spread) {
  SCOPED_TRACE("replay: bazel test //tests/unit/core:packing_random_test --test_arg=--seed=" +
               std::to_string(seed));
  const RandomPacking random = with_spread ? MakeRandomSpreadPacking(static_cast<uint64_t>(seed))
                                           : MakeRandomPacking(static_cast<uint64_t>(seed));
  const PackingProblem& problem = random.problem;
  const std::vector<int>& kind_of_member = random.kind_of_member;
  const ReferencePacker reference(problem, kind_of_member);
  const PackingAnswer answer = EvaluatePacking(problem, PackingLimits());
  EXPECT_FALSE(answer.limit_reached);
  EXPECT_EQ(answer.most_placed, reference.MostPlaced());
  EXPECT_EQ(answer.fits_all, reference.MostPlaced() == random.members());
  for (int enough = 1; enough <= random.members(); ++enough) {
    CheckEnough(problem, random.members(), reference.MostPlaced(), enough);
  }
  for (int need = 0; need <= random.members() + 1; ++need) {
    CheckPlan(problem, kind_of_member, reference, need);
  }
}

class PackingRandomTest : public testing::TestWithParam<int> {};

void CheckBlock(int block, bool with_spread) {
  if (replayed_seed >= 0) {
    if (block == 0) CheckCluster(replayed_seed, with_spread);
    return;
  }
  for (int i = 0; i < kClustersPerBlock; ++i) {
    CheckCluster(int64_t{block} * kClustersPerBlock + i, with_spread);
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(PackingRandomTest, AgreesWithTheReferenceOnEveryCluster) { CheckBlock(GetParam(), false); }

TEST_P(PackingRandomTest, AgreesWithTheReferenceUnderSpread) { CheckBlock(GetParam(), true); }

INSTANTIATE_TEST_SUITE_P(Blocks, PackingRandomTest, testing::Range(0, kBlocks));

}  // namespace
}  // namespace gangpack

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::string flag = "--seed=";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind(flag, 0) == 0) {
      gangpack::replayed_seed = std::strtoll(argument.c_str() + flag.size(), nullptr, 10);
    }
  }
  return RUN_ALL_TESTS();
}
