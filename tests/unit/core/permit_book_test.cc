#include "core/permit_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const PodUid kPod{"uid-a"};
const PodUid kOther{"uid-b"};

Waiter WaiterOf(CallId call, NodeIndex node = 3) {
  return Waiter{call, node, absl::FromUnixSeconds(100)};
}

TEST(PermitBookTest, AMemberWaitsFromItsArrivalUntilItLeaves) {
  PermitBook book;
  EXPECT_EQ(book.FindWaiter(kPod), nullptr);
  book.Arrive(kPod, WaiterOf(7));
  ASSERT_NE(book.FindWaiter(kPod), nullptr);
  EXPECT_EQ(book.FindWaiter(kPod)->node, 3);
  EXPECT_EQ(book.FindWaiter(kPod)->since, absl::FromUnixSeconds(100));
  EXPECT_EQ(book.FindWaiter(kOther), nullptr);
  EXPECT_EQ(book.Leave(kPod).call, 7u);
  EXPECT_EQ(book.FindWaiter(kPod), nullptr);
  EXPECT_TRUE(book.waiters().empty());
}

TEST(PermitBookTest, ACallLeadsToTheWaiterItBelongsToAndToNoOther) {
  PermitBook book;
  book.Arrive(kPod, WaiterOf(7));
  book.Arrive(kOther, WaiterOf(8));
  ASSERT_NE(book.WaiterOfCall(7), nullptr);
  EXPECT_EQ(*book.WaiterOfCall(7), kPod);
  EXPECT_EQ(*book.WaiterOfCall(8), kOther);
  EXPECT_EQ(book.WaiterOfCall(9), nullptr);
  book.Leave(kPod);
  EXPECT_EQ(book.WaiterOfCall(7), nullptr);
  EXPECT_EQ(*book.WaiterOfCall(8), kOther);
}

TEST(PermitBookTest, AMemberThatLeftMayArriveAgainWithAnotherCall) {
  PermitBook book;
  book.Arrive(kPod, WaiterOf(7));
  book.Leave(kPod);
  book.Arrive(kPod, WaiterOf(8));
  EXPECT_EQ(book.WaiterOfCall(7), nullptr);
  EXPECT_EQ(*book.WaiterOfCall(8), kPod);
}

TEST(PermitBookTest, AllCallsThatWaitForABindingAreAnsweredTogetherInTheOrderTheyCame) {
  PermitBook book;
  EXPECT_EQ(book.BindingNode(kPod), kNoNode);
  book.StartBinding(kPod, 3, 9);
  book.JoinBinding(kPod, 4);
  EXPECT_EQ(book.BindingNode(kPod), 3);
  EXPECT_EQ(book.BindingNode(kOther), kNoNode);
  EXPECT_THAT(book.FinishBinding(kPod), ElementsAre(9, 4));
  EXPECT_EQ(book.BindingNode(kPod), kNoNode);
  EXPECT_THAT(book.FinishBinding(kPod), IsEmpty());
}

TEST(PermitBookTest, ABindingWithoutACallIsUnderWayAllTheSame) {
  PermitBook book;
  book.StartBinding(kPod, 3, 0);
  EXPECT_EQ(book.BindingNode(kPod), 3);
  EXPECT_THAT(book.FinishBinding(kPod), IsEmpty());
  EXPECT_EQ(book.BindingNode(kPod), kNoNode);
}

TEST(PermitBookTest, ACallThatWaitsForABindingIsNoWaiter) {
  PermitBook book;
  book.StartBinding(kPod, 3, 9);
  EXPECT_EQ(book.WaiterOfCall(9), nullptr);
}

TEST(PermitBookTest, ADroppedCallIsNotAnsweredAndTheOthersAre) {
  PermitBook book;
  book.StartBinding(kPod, 3, 9);
  book.JoinBinding(kPod, 10);
  book.DropBindingCall(9);
  book.DropBindingCall(9);
  EXPECT_EQ(book.BindingNode(kPod), 3);
  EXPECT_THAT(book.FinishBinding(kPod), ElementsAre(10));
}

TEST(PermitBookTest, DroppingACallLeavesWaitersAlone) {
  PermitBook book;
  book.Arrive(kPod, WaiterOf(7));
  book.DropBindingCall(7);
  book.DropBindingCall(8);
  ASSERT_NE(book.WaiterOfCall(7), nullptr);
  EXPECT_EQ(book.Leave(kPod).call, 7u);
}

TEST(PermitBookTest, TheNodeOfABindingIsThatOfItsLastStart) {
  PermitBook book;
  book.StartBinding(kPod, 3, 9);
  book.StartBinding(kPod, 4, 10);
  EXPECT_EQ(book.BindingNode(kPod), 4);
  EXPECT_THAT(book.FinishBinding(kPod), ElementsAre(9, 10));
}

TEST(PermitBookDeathTest, APodWaitsOrIsBeingBoundNeverBoth) {
  PermitBook waiting;
  waiting.Arrive(kPod, WaiterOf(7));
  EXPECT_DEATH(waiting.StartBinding(kPod, 3, 8), "broken invariant");
  EXPECT_DEATH(waiting.Arrive(kPod, WaiterOf(8)), "broken invariant");
  PermitBook binding;
  binding.StartBinding(kPod, 3, 8);
  EXPECT_DEATH(binding.Arrive(kPod, WaiterOf(9)), "broken invariant");
}

TEST(PermitBookDeathTest, NobodyLeavesOrJoinsWithoutAPlaceInTheBook) {
  PermitBook book;
  EXPECT_DEATH(book.Leave(kPod), "broken invariant");
  EXPECT_DEATH(book.JoinBinding(kPod, 1), "broken invariant");
}

}  // namespace
}  // namespace gangpack
