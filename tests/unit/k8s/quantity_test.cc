#include "k8s/quantity.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/data_rows.h"

namespace gangpack::k8s {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Quantity Parsed(absl::string_view text) {
  const absl::StatusOr<Quantity> quantity = Quantity::Parse(text);
  EXPECT_TRUE(quantity.ok()) << text << ": " << quantity.status();
  return quantity.value_or(Quantity());
}

// The table was printed by k8s.io/apimachinery v0.36.3: text, whole units and thousandths, both
// rounded away from zero with exact decimal arithmetic and capped to int64.
TEST(QuantityTest, AgreesWithApimachinery) {
  const auto rows = ReadDataRows("quantities.tsv");
  ASSERT_GT(rows.size(), 900u);
  for (const std::vector<std::string>& row : rows) {
    const absl::StatusOr<Quantity> quantity = Quantity::Parse(row[0]);
    if (row[1] == "bad") {
      EXPECT_FALSE(quantity.ok()) << row[0];
      continue;
    }
    ASSERT_TRUE(quantity.ok()) << row[0];
    EXPECT_EQ(std::to_string(quantity->ValueRoundedUp()), row[1]) << row[0];
    EXPECT_EQ(std::to_string(quantity->MilliValue()), row[2]) << row[0];
  }
}

TEST(QuantityTest, RoundsUpAwayFromZero) {
  EXPECT_EQ(Parsed("999m").ValueRoundedUp(), 1);
  EXPECT_EQ(Parsed("1000m").ValueRoundedUp(), 1);
  EXPECT_EQ(Parsed("1001m").ValueRoundedUp(), 2);
  EXPECT_EQ(Parsed("-1001m").ValueRoundedUp(), -2);
  EXPECT_EQ(Parsed("1n").MilliValue(), 1);
  EXPECT_EQ(Parsed("0.1Ki").ValueRoundedUp(), 103);
}

TEST(QuantityTest, WhatIsFinerThanNanoCountsAsOneNanoMore) {
  EXPECT_EQ(Parsed("1.000000000").ValueRoundedUp(), 1);
  EXPECT_EQ(Parsed("1.0000000000000000000001").ValueRoundedUp(), 2);
  EXPECT_EQ(Parsed("1e-30").MilliValue(), 1);
  EXPECT_EQ(Parsed("0e-30").MilliValue(), 0);
}

TEST(QuantityTest, IsCappedAtTheLargestInt64) {
  EXPECT_EQ(Parsed("9223372036854775806").ValueRoundedUp(), kMax - 1);
  EXPECT_FALSE(Parsed("9223372036854775807").ValueIsCapped());
  EXPECT_TRUE(Parsed("9223372036854775808").ValueIsCapped());
  EXPECT_TRUE(Parsed("-9223372036854775808").ValueIsCapped());
  EXPECT_EQ(Parsed("9223372036854775808").ValueRoundedUp(), kMax);
  EXPECT_FALSE(Parsed("9223372036854775807m").MilliValueIsCapped());
  EXPECT_TRUE(Parsed("9223372036854775808m").MilliValueIsCapped());
  EXPECT_EQ(Parsed("9223372036854775808m").MilliValue(), kMax);
}

TEST(QuantityTest, AnExponentBeyondAllBoundsIsCappedOrRoundedAndTakesNoTime) {
  EXPECT_EQ(Parsed("1e2147483647").ValueRoundedUp(), kMax);
  EXPECT_EQ(Parsed("1e-2147483648").ValueRoundedUp(), 1);
  EXPECT_EQ(Parsed("0e2147483647").ValueRoundedUp(), 0);
  EXPECT_FALSE(Quantity::Parse("1e9223372036854775808").ok());
}

TEST(QuantityTest, ManyDigitsAreExact) {
  EXPECT_EQ(Parsed(std::string(100000, '9')).ValueRoundedUp(), kMax);
  EXPECT_EQ(Parsed("0." + std::string(100000, '9') + "Ki").ValueRoundedUp(), 1024);
  EXPECT_EQ(Parsed("1." + std::string(100000, '0') + "1").MilliValue(), 1001);
  EXPECT_EQ(Parsed("1." + std::string(100000, '0') + "Gi").ValueRoundedUp(), int64_t{1} << 30);
}

TEST(QuantityTest, SignIsThatOfTheNumber) {
  EXPECT_EQ(Parsed("-1n").sign(), -1);
  EXPECT_EQ(Parsed("-0").sign(), 0);
  EXPECT_EQ(Parsed("1n").sign(), 1);
}

TEST(QuantityTest, RefusalQuotesTheTextAndSaysWhatIsExpected) {
  EXPECT_EQ(Quantity::Parse("1Gib").status().message(),
            "`1Gib` is no quantity, expected a number such as 500m, 2, 1.5Gi or 1e3");
}

}  // namespace
}  // namespace gangpack::k8s
