// Whether a plan still stands.
#include "core/plan_fit.h"

#include <functional>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/object_builders.h"
#include "tests/unit/core/planning.h"

namespace gangpack {
namespace {

TEST(PlanStillFitsTest, OnlyChangesOfItsNodesItsMembersAndItsKeyBreakAPlan) {
  const NodeBuilder node_1 = NodeBuilder("a-1").Rack("a").Gpus(1);
  const NodeBuilder node_3 = NodeBuilder("a-3").Rack("a").Gpus(1);
  struct Case {
    const char* what;
    std::function<void(Planned*)> change;
    bool fits;
  };
  const std::vector<Case> cases = {
      {"nothing", [](Planned*) {}, true},
      {"free node cordoned", [&](Planned* p) { p->Set(NodeBuilder(node_3).Cordoned()); }, true},
      {"planned node cordoned", [&](Planned* p) { p->Set(NodeBuilder(node_1).Cordoned()); }, false},
      {"another label", [&](Planned* p) { p->Set(NodeBuilder(node_1).Label("x", "y")); }, true},
      {"in another rack", [&](Planned* p) { p->Set(NodeBuilder(node_1).Rack("b")); }, false},
      {"node gone", [](Planned* p) { TakeIn(&p->state, NodeGone{"a-1"}, p->now); }, false},
      {"free node used", [](Planned* p) { p->Occupy("a-3"); }, true},
      {"planned node used", [](Planned* p) { p->Occupy("a-1"); }, false},
      {"one member more", [](Planned* p) { p->Set(Member("g-2").Build()); }, true},
      {"member gone", [](Planned* p) { TakeIn(&p->state, PodGone{{"uid-g-1"}}, p->now); }, false},
      {"member gated", [](Planned* p) { p->Set(Member("g-1").Gates(1).Build()); }, false},
      {"member in h", [](Planned* p) { p->Set(Member("g-1", "h").Build()); }, false},
      {"member bound", [](Planned* p) { p->Set(Member("g-1").On("a-2").Build()); }, false},
      {"key", [](Planned* p) { p->Set(PodGroupBuilder("g", 2).TopologyKey("k")); }, false},
  };
  for (const Case& c : cases) {
    for (const bool waiting : {false, true}) {
      Planned planned;
      if (waiting) planned.Arrive("g-0");
      c.change(&planned);
      EXPECT_EQ(planned.StillFits(), c.fits) << c.what << ", g-0 waiting: " << waiting;
    }
  }
}

TEST(PlanStillFitsTest, MembersOnOneNodeMustHaveRoomThereTogether) {
  for (const int64_t gpus : {2, 3}) {
    Planning planning;
    planning.AddRack("a", 1, gpus);
    planning.AddGang("g", 2);
    planning.Pin();
    EXPECT_TRUE(planning.StillFits());
    planning.Occupy("a-1");
    EXPECT_EQ(planning.StillFits(), gpus == 3);
  }
}

TEST(PlanStillFitsTest, TheRulesBetweenSiblingsMustBeKept) {
  LeaderAndWorker planning;
  planning.Pin();
  EXPECT_TRUE(planning.StillFits());
  planning.Set(LeaderAndWorker::Behind("a-2", "s2"));
  EXPECT_FALSE(planning.StillFits());
  planning.Set(LeaderAndWorker::Behind("a-1", "s2"));
  EXPECT_TRUE(planning.StillFits());
}

TEST(PlanStillFitsTest, AMemberThatComesToRepelItsSiblingOnOneNodeBreaksThePlan) {
  Planning planning;
  planning.AddRack("a", 1, 2);
  planning.AddGang("g", 2);
  planning.Pin();
  EXPECT_TRUE(planning.StillFits());
  planning.Set(Member("g-1").Label("app", "x").Build());
  planning.Set(Member("g-0").AntiAffinity(TermFor(kHostnameLabel, "app", "x")).Build());
  EXPECT_FALSE(planning.StillFits());
}

}  // namespace
}  // namespace gangpack
