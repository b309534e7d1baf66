#include "server/body_budget.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

constexpr int64_t kFree = BodyBudget::kFreeBytes;

TEST(BodyBudget, TheFirstBytesOfEachBodyCostNothing) {
  BodyBudget budget(0);
  BodyShare first(&budget), second(&budget);
  EXPECT_TRUE(first.Grow(kFree));
  EXPECT_TRUE(second.Grow(kFree));
  EXPECT_FALSE(second.Grow(kFree + 1));
}

TEST(BodyBudget, AllBodiesTogetherHoldTheBudgetAndNoByteMore) {
  BodyBudget budget(10);
  BodyShare first(&budget), second(&budget);
  EXPECT_TRUE(first.Grow(kFree + 4));
  EXPECT_TRUE(second.Grow(kFree + 6));
  EXPECT_EQ(budget.bytes_left(), 0);
  EXPECT_FALSE(first.Grow(kFree + 5));
  EXPECT_TRUE(first.Grow(kFree + 4)) << "it has that";
  EXPECT_EQ(budget.bytes_left(), 0);
}

TEST(BodyBudget, WhatABodyHeldIsLeftOnceItHasGone) {
  BodyBudget budget(10);
  BodyShare first(&budget);
  {
    BodyShare second(&budget);
    ASSERT_TRUE(second.Grow(kFree + 10));
    EXPECT_FALSE(first.Grow(kFree + 1));
  }
  EXPECT_TRUE(first.Grow(kFree + 10));
  first.Release();
  EXPECT_EQ(budget.bytes_left(), 10);
}

TEST(BodyBudget, SharesOfManyThreadsLeaveItAsItWas) {
  BodyBudget budget(1000);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&budget] {
      for (int round = 0; round < 2000; ++round) {
        BodyShare share(&budget);
        for (int64_t bytes = 100; bytes <= 600 && share.Grow(kFree + bytes); bytes += 100) continue;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.bytes_left(), 1000);
}

}  // namespace
}  // namespace gangpack::server
