#include "core/resources.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace gangpack {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(SaturatingAddTest, ReachesTheLimitExactlyAndStaysThereBeyondIt) {
  EXPECT_EQ(SaturatingAdd(kMax - 1, 1), kMax);
  EXPECT_EQ(SaturatingAdd(kMax, 1), kMax);
  EXPECT_EQ(SaturatingAdd(kMax, kMax), kMax);
  EXPECT_EQ(SaturatingAdd(kMax - 2, 1), kMax - 1);
}

TEST(AmountsTest, AddCountsAnAbsentNameAsZero) {
  ResourceAmounts sum = {{"cpu", 1}, {"memory", 2}};
  AddAmounts({{"cpu", 10}, {"nvidia.com/gpu", 4}}, &sum);
  EXPECT_EQ(sum, (ResourceAmounts{{"cpu", 11}, {"memory", 2}, {"nvidia.com/gpu", 4}}));
}

TEST(AmountsTest, AddSaturates) {
  ResourceAmounts sum = {{"memory", kMax}};
  AddAmounts({{"memory", 1}}, &sum);
  EXPECT_EQ(sum["memory"], kMax);
}

TEST(AmountsTest, MaxTakesTheLargerPerName) {
  ResourceAmounts sum = {{"cpu", 3}, {"memory", 2}};
  MaxAmounts({{"cpu", 2}, {"memory", 5}, {"nvidia.com/gpu", 1}}, &sum);
  EXPECT_EQ(sum, (ResourceAmounts{{"cpu", 3}, {"memory", 5}, {"nvidia.com/gpu", 1}}));
}

TEST(ResourceTableTest, TheCommonResourcesHaveTheirFixedIds) {
  ResourceTable table;
  EXPECT_EQ(table.Intern("cpu"), kCpuId);
  EXPECT_EQ(table.Intern("memory"), kMemoryId);
  EXPECT_EQ(table.Intern("ephemeral-storage"), kEphemeralStorageId);
  EXPECT_EQ(table.Intern("pods"), kPodsId);
  EXPECT_EQ(table.size(), 4u);
}

TEST(ResourceTableTest, ANameKeepsItsIdAndIdsGrowByOne) {
  ResourceTable table;
  const ResourceId gpu = table.Intern("nvidia.com/gpu");
  EXPECT_EQ(gpu, 4);
  EXPECT_EQ(table.Intern("hugepages-2Mi"), 5);
  EXPECT_EQ(table.Intern("nvidia.com/gpu"), gpu);
  EXPECT_EQ(table.Name(gpu), "nvidia.com/gpu");
  EXPECT_EQ(table.size(), 6u);
}

TEST(ResourceTableTest, AVectorHoldsEachAmountAtItsId) {
  ResourceTable table;
  const ResourceVector v = table.ToVector({{"cpu", 1500}, {"nvidia.com/gpu", 8}});
  EXPECT_EQ(AmountOf(v, kCpuId), 1500);
  EXPECT_EQ(AmountOf(v, kMemoryId), 0);
  EXPECT_EQ(AmountOf(v, table.Intern("nvidia.com/gpu")), 8);
}

TEST(ResourceVectorTest, AnIdBeyondTheSizeMeansZero) {
  const ResourceVector v = {5};
  EXPECT_EQ(AmountOf(v, kCpuId), 5);
  EXPECT_EQ(AmountOf(v, kMemoryId), 0);
  EXPECT_EQ(AmountOf(v, 100), 0);
}

TEST(ResourceVectorTest, AddGrowsTheSumAndSaturates) {
  ResourceVector sum = {kMax};
  AddVector({1, 2}, &sum);
  EXPECT_EQ(sum, (ResourceVector{kMax, 2}));
}

TEST(ResourceVectorTest, SubtractUndoesAdd) {
  ResourceVector sum = {7};
  AddVector({1, 2, 3}, &sum);
  SubtractVector({1, 2, 3}, &sum);
  EXPECT_EQ(sum, (ResourceVector{7, 0, 0}));
}

TEST(ResourceVectorTest, MaxTakesTheLargerPerResource) {
  ResourceVector sum = {3, 2};
  MaxVector({2, 5, 1}, &sum);
  EXPECT_EQ(sum, (ResourceVector{3, 5, 1}));
}

TEST(FreeOfTest, AnOverusedResourceIsZeroAndTakesNothingFromTheOthers) {
  EXPECT_EQ(FreeOf({1000, 10, 4}, {400, 10, 8}), (ResourceVector{600, 0, 0}));
}

TEST(FreeOfTest, AResourceInUseThatTheNodeNoLongerHasIsNotFree) {
  const ResourceVector free = FreeOf({1000}, {400, 7});
  EXPECT_EQ(AmountOf(free, 0), 600);
  EXPECT_EQ(AmountOf(free, 1), 0);
}

TEST(FitsTest, ExactlyWhatIsFreeFitsAndOneMoreDoesNot) {
  EXPECT_TRUE(Fits({600, 10}, {600, 10}));
  EXPECT_FALSE(Fits({601, 10}, {600, 10}));
  EXPECT_FALSE(Fits({600, 11}, {600, 10}));
}

TEST(FitsTest, ARequestOfZeroFitsWhereNothingIsFree) {
  EXPECT_TRUE(Fits({0, 0}, {0, 0}));
  EXPECT_TRUE(Fits({}, {}));
  EXPECT_TRUE(Fits({0, 5}, {-1, 5}));
}

TEST(FitsTest, AResourceTheNodeDoesNotHaveFitsOnlyARequestOfZero) {
  EXPECT_TRUE(Fits({1, 0, 0, 0, 0}, {1}));
  EXPECT_FALSE(Fits({1, 0, 0, 0, 1}, {1}));
}

TEST(TimesFitsTest, TheScarcestRequestedResourceDecides) {
  EXPECT_EQ(TimesFits({2, 3}, {10, 9}), 3);
  EXPECT_EQ(TimesFits({2, 3}, {5, 9}), 2);
  EXPECT_EQ(TimesFits({2, 3}, {5, 2}), 0);
}

TEST(TimesFitsTest, AResourceThatIsNotRequestedDoesNotCount) {
  EXPECT_EQ(TimesFits({2, 0}, {8, 0}), 4);
}

TEST(TimesFitsTest, ARequestForNothingFitsWithoutEnd) {
  EXPECT_EQ(TimesFits({}, {1}), kMax);
  EXPECT_EQ(TimesFits({0, 0}, {1, 1}), kMax);
}

}  // namespace
}  // namespace gangpack
