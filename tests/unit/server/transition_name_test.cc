#include "server/transition_name.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(TransitionNameTest, EveryKindHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const GangTransitionKind kind :
       {GangTransitionKind::kPinned, GangTransitionKind::kAdopted, GangTransitionKind::kMoved,
        GangTransitionKind::kWaiting, GangTransitionKind::kComplete, GangTransitionKind::kUnwound,
        GangTransitionKind::kReleased, GangTransitionKind::kForming, GangTransitionKind::kBlocked,
        GangTransitionKind::kBroken}) {
    names.insert(std::string(TransitionName(kind)));
  }
  EXPECT_EQ(names.size(), 10u);
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace gangpack::server
