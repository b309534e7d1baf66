#include "core/value_counts.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/prng.h"

namespace gangpack {
namespace {

TEST(ValueCountsTest, CountsPerValueAndNoneForValuesNeverSeen) {
  ValueCounts counts;
  EXPECT_EQ(counts.At(0), 0);
  EXPECT_EQ(counts.Add(7, 1), 1);
  EXPECT_EQ(counts.Add(7, 2), 3);
  EXPECT_EQ(counts.At(7), 3);
  EXPECT_EQ(counts.At(6), 0);
  EXPECT_EQ(counts.At(1'000'000), 0);
  EXPECT_EQ(counts.At(kNoValue), 0);
  EXPECT_EQ(counts.nonzero(), 1);
  EXPECT_EQ(counts.Add(7, -3), 0);
  EXPECT_EQ(counts.nonzero(), 0);
}

TEST(ValueCountsTest, StaysRightWhileItGrowsDenseAndSparseAgain) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Prng prng(seed);
    ValueCounts counts;
    std::map<TopologyValue, int32_t> expected;
    for (int step = 0; step < 600; ++step) {
      // Values crowd together, spread out and go away again.
      const int most = step < 200 ? 20 : 2'000;
      const bool take = step > 400 || prng.Chance(30);
      if (take && !expected.empty()) {
        auto it = expected.begin();
        std::advance(it, prng.Between(0, static_cast<int>(expected.size()) - 1));
        EXPECT_EQ(counts.Add(it->first, -1), it->second - 1);
        if (--it->second == 0) expected.erase(it);
      } else if (!take) {
        const TopologyValue value = prng.Between(0, most);
        EXPECT_EQ(counts.Add(value, 1), ++expected[value]);
      }
      ASSERT_EQ(counts.nonzero(), static_cast<int32_t>(expected.size()));
    }
    std::map<TopologyValue, int32_t> seen;
    counts.ForEach([&](TopologyValue value, int32_t count) { seen[value] = count; });
    EXPECT_EQ(seen, expected);
    for (const auto& [value, count] : expected) EXPECT_EQ(counts.At(value), count);
  }
}

}  // namespace
}  // namespace gangpack
