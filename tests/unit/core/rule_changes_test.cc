#include "core/rule_changes.h"

#include <gtest/gtest.h>

namespace gangpack {
namespace {

TEST(RuleChangeLogTest, ReachesBackAtLeastAsFarAsItPromisesAndNotForEver) {
  RuleChangeLog log;
  const int64_t start = log.end();
  const int64_t appended = static_cast<int64_t>(3 * RuleChangeLog::kKept);
  for (int64_t i = 0; i < appended; ++i) {
    log.Append({i, RuleSide::kAffinity, 0, 0});
    const int64_t kept = static_cast<int64_t>(RuleChangeLog::kKept);
    if (i < kept) continue;
    ASSERT_TRUE(log.Reaches(log.end() - kept));
  }
  EXPECT_EQ(log.end(), appended);
  EXPECT_FALSE(log.Reaches(start));
  EXPECT_EQ(log.At(log.end() - 1).counter, appended - 1);
  EXPECT_EQ(log.At(log.end() - 1000).counter, appended - 1000);
}

TEST(RuleChangeLogTest, NumbersOfCountersAreNeverGivenTwice) {
  RuleChangeLog log;
  const int64_t first = log.NewCounter();
  EXPECT_GT(log.NewCounter(), first);
}

}  // namespace
}  // namespace gangpack
