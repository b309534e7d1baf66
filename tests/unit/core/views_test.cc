// The words of states, which users and other programs read.
#include "core/views.h"

#include "gtest/gtest.h"

namespace gangpack {
namespace {

TEST(ViewsTest, PodStatesHaveTheirWords) {
  EXPECT_EQ(ToString(PodState::kPending), "Pending");
  EXPECT_EQ(ToString(PodState::kWaiting), "Waiting");
  EXPECT_EQ(ToString(PodState::kBound), "Bound");
}

TEST(ViewsTest, GangStatesHaveTheirWords) {
  EXPECT_EQ(ToString(GangState::kForming), "Forming");
  EXPECT_EQ(ToString(GangState::kBlocked), "Blocked");
  EXPECT_EQ(ToString(GangState::kPlacing), "Placing");
  EXPECT_EQ(ToString(GangState::kComplete), "Complete");
  EXPECT_EQ(ToString(GangState::kBroken), "Broken");
}

}  // namespace
}  // namespace gangpack
