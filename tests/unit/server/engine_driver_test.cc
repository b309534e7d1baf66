#include "server/engine_driver.h"

#include <atomic>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/string_view.h"
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

TEST(EngineDriverTest, ListsAreWholeThoughAPageHoldsOneObject) {
  Policy policy;
  policy.default_topology_key = "rack";
  policy.views_per_slice = 1;
  policy.judged_gangs_per_slice = 1;
  ExtenderWorld world(policy);
  for (const char* node : {"a1", "b1"}) world.AddNode(node, std::string_view(node, 1));
  for (const char* gang : {"g", "h", "i"}) {
    world.AddGroup(gang, 1);
    world.AddPod(gang, gang);
  }
  world.Synchronise();
  const std::vector<PodView> pods = world.driver.Pods();
  ASSERT_EQ(pods.size(), 3u);
  EXPECT_EQ(pods[0].pod.name, "g");
  EXPECT_EQ(pods[2].pod.name, "i");
  EXPECT_EQ(world.driver.Gangs().size(), 3u);
  EXPECT_EQ(world.driver.Domains().size(), 2u);
  EXPECT_EQ(world.driver.Reservations().size(), 2u);
}

// A page is asked for again and again while calls come: each gets its turn.
TEST(EngineDriverTest, CallsAndListsFromManyThreadsAllComeToAnEnd) {
  ExtenderWorld world;
  BeginAWait(world);
  std::vector<std::thread> threads;
  std::atomic<int> listed = 0;
  for (int reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) listed += static_cast<int>(world.driver.Pods().size());
    });
  }
  int accepted = 0;
  for (int i = 0; i < 50; ++i) {
    const std::vector<absl::string_view> nodes = {"a1", "a2"};
    const FilterRequest request{{"u-w-1"}, {"ns", "w-1"}, nodes};
    accepted += static_cast<int>(world.driver.Filter(request).accepted.size());
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(accepted, 50);
  EXPECT_EQ(listed, 2 * 50 * 2);
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
