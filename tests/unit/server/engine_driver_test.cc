#include "server/engine_driver.h"

#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

// One of two members waits at Permit.
void BeginAWait(ExtenderWorld& world) {
  world.AddNode("a1", "a");
  world.AddNode("a2", "a");
  world.AddGroup("g", 2);
  world.AddPod("w-0", "g");
  world.AddPod("w-1", "g");
  world.Synchronise();
  world.driver.Bind({.call = 1, .uid = {"u-w-0"}, .pod = {"ns", "w-0"}, .node = "a1"});
}

TEST(EngineDriverTest, TheDeadlineListenerIsToldEachNewDeadline) {
  ExtenderWorld world;
  std::vector<absl::Time> told;
  world.driver.SetDeadlineListener([&told](absl::Time deadline) { told.push_back(deadline); });
  EXPECT_TRUE(told.empty()) << "nothing is due, which is what the listener starts from";
  BeginAWait(world);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), world.clock.Now() + Policy().permit_timeout);
  const size_t before = told.size();
  world.driver.Apply({});
  EXPECT_EQ(told.size(), before) << "the deadline has not moved";
  world.clock.Advance(Policy().permit_timeout);
  world.driver.Tick();
  EXPECT_GT(told.size(), before);
  EXPECT_GT(told.back(), world.clock.Now());
  world.driver.SetDeadlineListener(nullptr);
}

TEST(EngineDriverTest, ALateListenerIsToldTheDeadlineThatStands) {
  ExtenderWorld world;
  BeginAWait(world);
  std::vector<absl::Time> told;
  world.driver.SetDeadlineListener([&told](absl::Time deadline) { told.push_back(deadline); });
  EXPECT_EQ(told, std::vector<absl::Time>{world.driver.NextDeadline()});
  world.driver.SetDeadlineListener(nullptr);
  world.driver.Apply({PodGone{{"u-w-0"}}, PodGone{{"u-w-1"}}});
  EXPECT_EQ(told.size(), 1u) << "it listens no more";
}

TEST(EngineDriverTest, TimeNeverRunsBackwardsForTheEngine) {
  ExtenderWorld world;
  BeginAWait(world);
  const absl::Time deadline = world.driver.NextDeadline();
  world.clock.Advance(-absl::Hours(1));
  world.driver.Bind({.call = 2, .uid = {"u-w-0"}, .pod = {"ns", "w-0"}, .node = "a1"});
  EXPECT_GE(world.driver.NextDeadline(), deadline);
}

}  // namespace
}  // namespace gangpack::server
