// Random worlds: what must hold whatever happens, and that everything is placed in the end.
#include "tests/simulation/random_world.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace gangpack {
namespace {

constexpr int kSteps = 1500;

// Set to run that seed alone, and print its trace.
constexpr char kSeedVariable[] = "GANGPACK_SEED";

void RunSeed(uint64_t seed, bool print) {
  RandomWorld world(seed);
  world.Run(kSteps);
  if (world.failure().empty()) world.Settle();
  if (print) printf("%s", world.trace().c_str());
  ASSERT_EQ(world.failure(), "")
      << "To see it again:\n  bazel test //tests/simulation:random_world_test --test_env="
      << kSeedVariable << "=" << seed << " --test_sharding_strategy=disabled --test_output=all";
  EXPECT_GT(world.bound(), 0) << "nothing happened";
}

class RandomWorlds : public testing::TestWithParam<int> {};

TEST_P(RandomWorlds, NothingForbiddenHappensAndEverythingThatFitsIsPlacedInTheEnd) {
  constexpr int kSeedsEach = 10;
  const char* const only = getenv(kSeedVariable);
  if (only != nullptr) {
    if (GetParam() == 0) RunSeed(strtoull(only, nullptr, 10), true);
    return;
  }
  for (int i = 0; i < kSeedsEach; ++i) {
    RunSeed(static_cast<uint64_t>(GetParam() * kSeedsEach + i + 1), false);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWorlds, testing::Range(0, 120));

}  // namespace
}  // namespace gangpack
