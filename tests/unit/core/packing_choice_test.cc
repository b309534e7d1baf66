// Which members a plan takes when it cannot or need not take all.
#include "core/packing_choice.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/packing_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;

// Two kinds that nobody depends on; or, if `critical`, the second kind supports the first.
PackingModel TwoKinds(bool critical = false) {
  PackingBuilder builder;
  builder.Kind(3, {1}).Kind(3, {1}).Nodes(1, {1}, {0}).Nodes(1, {9}, {1});
  if (critical) builder.Affinity(0, {1}, 1);
  return BuildPackingModel(builder.problem());
}

TEST(ChooseMembersTest, TakesTheFirstMembersByPreferenceThatSomeCandidateCovers) {
  const PackingModel model = TwoKinds();
  const std::vector<int> by_preference = {0, 1, 0, 1, 0, 1};
  const PackingChoice all = ChooseMembers(model, {{3, 0}, {2, 2}}, by_preference, 3);
  EXPECT_EQ(all.candidate, 1);
  EXPECT_THAT(all.members, ElementsAre(2, 1));
  const PackingChoice one = ChooseMembers(model, {{3, 0}}, by_preference, 3);
  EXPECT_EQ(one.candidate, 0);
  EXPECT_THAT(one.members, ElementsAre(3, 0)) << "whom no candidate has is passed over";
}

TEST(ChooseMembersTest, TheMostPreferredMemberCountsMoreThanAllOthers) {
  const PackingModel model = TwoKinds();
  const PackingChoice choice =
      ChooseMembers(model, {{0, 3}, {1, 1}}, {0, 1, 1, 1, 0, 0}, /*need=*/2);
  EXPECT_EQ(choice.candidate, 1);
  EXPECT_THAT(choice.members, ElementsAre(1, 1));
}

TEST(ChooseMembersTest, OfCandidatesThatCoverTheSameTheFirstIsTaken) {
  const PackingChoice choice = ChooseMembers(TwoKinds(), {{1, 1}, {2, 1}}, {0, 1, 0, 0, 1, 1}, 2);
  EXPECT_EQ(choice.candidate, 0);
}

TEST(ChooseMembersTest, ThereIsNoneWhereNoCandidateHasEnough) {
  const PackingModel model = TwoKinds();
  EXPECT_EQ(ChooseMembers(model, {{1, 1}}, {0, 1, 0, 1, 0, 1}, 2).candidate, 0);
  EXPECT_EQ(ChooseMembers(model, {{1, 1}}, {0, 1, 0, 1, 0, 1}, 3).candidate, -1);
  EXPECT_EQ(ChooseMembers(model, {}, {0, 1, 0, 1, 0, 1}, 1).candidate, -1);
}

TEST(ChooseMembersTest, MembersThatOthersMayNeedAreNotLeftOut) {
  for (const bool critical : {false, true}) {
    const PackingModel model = TwoKinds(critical);
    ASSERT_EQ(model.critical[1] != 0, critical);
    const PackingChoice choice = ChooseMembers(model, {{2, 2}}, {0, 0, 0, 1, 1, 1}, 2);
    EXPECT_EQ(choice.candidate, 0);
    EXPECT_THAT(choice.members, critical ? ElementsAre(0, 2) : ElementsAre(2, 0));
    EXPECT_EQ(ChooseMembers(model, {{2, 2}}, {0, 0, 0, 1, 1, 1}, 1).candidate, critical ? -1 : 0);
  }
}

TEST(LeaveOutTest, DropsMembersFromTheRoomiestNodesUntilTheChosenAreLeft) {
  PackingBuilder builder;
  builder.Kind(6, {1}).Nodes(1, {3}).Nodes(1, {1}).Nodes(1, {2});
  const PackingModel model = BuildPackingModel(builder.problem());
  PackingPlacement placement{{3, 1, 2}, 6};
  LeaveOut(model, {6}, &placement);
  EXPECT_THAT(placement.count, ElementsAre(3, 1, 2)) << "nobody is to be left out";
  LeaveOut(model, {2}, &placement);
  EXPECT_THAT(placement.count, ElementsAre(0, 1, 1));
  EXPECT_EQ(placement.total, 2);
  LeaveOut(model, {0}, &placement);
  EXPECT_THAT(placement.count, ElementsAre(0, 0, 0));
  EXPECT_EQ(placement.total, 0);
}

}  // namespace
}  // namespace gangpack
