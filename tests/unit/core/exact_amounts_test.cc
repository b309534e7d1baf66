#include "core/exact_amounts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "core/resources.h"

namespace gangpack {
namespace {

TEST(ExactAmountsTest, WholeUnitsAreRoundedUpAndThousandthsOfCoresAreKept) {
  EXPECT_EQ(RoundedUp({{"cpu", 1}, {"memory", 1000}, {"nvidia.com/gpu", 1001}}),
            (ResourceAmounts{{"cpu", 1}, {"memory", 1}, {"nvidia.com/gpu", 2}}));
  EXPECT_EQ(RoundedUp({{"memory", 0}}), (ResourceAmounts{{"memory", 0}}));
}

TEST(ExactAmountsTest, ASumIsRoundedOnce) {
  ExactAmounts sum = {{"memory", 1500}};
  AddAmounts({{"memory", 500}, {"cpu", 7}}, &sum);
  EXPECT_EQ(RoundedUp(sum), (ResourceAmounts{{"cpu", 7}, {"memory", 2}}));
  AddAmounts({{"memory", 1}}, &sum);
  EXPECT_EQ(RoundedUp(sum).at("memory"), 3);
}

TEST(ExactAmountsTest, TheLargerIsKeptNameByName) {
  ExactAmounts largest = {{"cpu", 5}, {"memory", 1}};
  MaxAmounts({{"cpu", 4}, {"memory", 2}, {"x.io/y", 3}}, &largest);
  EXPECT_EQ(largest, (ExactAmounts{{"cpu", 5}, {"memory", 2}, {"x.io/y", 3}}));
}

TEST(ExactAmountsTest, EveryAmountOfTheEngineComesBackAndMoreStopsAtTheLargest) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const ResourceAmounts amounts = {{"cpu", kMax}, {"memory", kMax}, {"pods", 3}};
  EXPECT_EQ(RoundedUp(Exactly(amounts)), amounts);
  ExactAmounts twice = Exactly(amounts);
  AddAmounts(Exactly(amounts), &twice);
  EXPECT_EQ(RoundedUp(twice), (ResourceAmounts{{"cpu", kMax}, {"memory", kMax}, {"pods", 6}}));
}

}  // namespace
}  // namespace gangpack
