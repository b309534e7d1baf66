// Where pods without a node are counted by the rules between pods.
#include "core/expectations.h"

#include "core/facts_intake.h"
#include "gtest/gtest.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

// Nodes a-1 to a-3, pods p and q, and gang g with g-0 and g-1 planned on a-1 and a-2.
struct ExpectationsTest : testing::Test {
  EngineState state{Policy()};
  const absl::Time now = absl::UnixEpoch() + absl::Hours(24);

  ExpectationsTest() {
    for (const char* name : {"a-1", "a-2", "a-3"}) {
      Tell(NodeChanged{NodeBuilder(name).Rack("a").Gpus(1).Build()});
    }
    Tell(PodGroupChanged{PodGroupBuilder("g", 2).Build()});
    for (const char* name : {"g-0", "g-1"}) Tell(PodChanged{PodBuilder(name).Gang("g").Build()});
    for (const char* name : {"p", "q"}) Tell(PodChanged{PodBuilder(name).Build()});
  }
  void Tell(const Fact& fact) { TakeIn(&state, fact, now); }
  PodRecord* pod(const std::string& name) { return state.cluster.FindPod({"uid-" + name}); }
  NodeIndex node(absl::string_view name) { return state.cluster.FindNode(name); }
  NodeIndex Counted(const std::string& name) {
    return state.cluster.rules().Find({"uid-" + name})->node;
  }
  Gang* gang() { return state.gangs.at({"ns", "g"}).get(); }
  void PlanGang(const std::string& first, const std::string& second) {
    gang()->plan.emplace();
    if (!first.empty()) gang()->plan->nodes[{"uid-g-0"}] = node(first);
    if (!second.empty()) gang()->plan->nodes[{"uid-g-1"}] = node(second);
  }
};

TEST_F(ExpectationsTest, AnAnsweredPodCountsOnItsNodeUntilItComesBack) {
  ExpectAnswered(&state, pod("p"), node("a-1"), now);
  EXPECT_EQ(Counted("p"), node("a-1"));
  EXPECT_EQ(Counted("q"), kNoNode);
  ForgetAnswer(&state, pod("q"));
  EXPECT_EQ(Counted("p"), node("a-1"));
  ForgetAnswer(&state, pod("p"));
  EXPECT_EQ(Counted("p"), kNoNode);
}

TEST_F(ExpectationsTest, OrUntilItsTimeIsOver) {
  ExpectAnswered(&state, pod("p"), node("a-1"), now);
  EndDueAnswers(&state, now + state.policy.answer_timeout - absl::Nanoseconds(1));
  EXPECT_EQ(Counted("p"), node("a-1"));
  EndDueAnswers(&state, now + state.policy.answer_timeout);
  EXPECT_EQ(Counted("p"), kNoNode);
  EXPECT_EQ(state.answers.size(), 0u);
}

TEST_F(ExpectationsTest, APodThatIsBoundFinishedOrGoneIsExpectedNoLonger) {
  for (const char* name : {"p", "q"}) ExpectAnswered(&state, pod(name), node("a-1"), now);
  Tell(PodChanged{PodBuilder("p").On("a-2").Build()});
  EXPECT_EQ(Counted("p"), node("a-2"));
  EXPECT_EQ(pod("p")->expected, kNoNode);
  Tell(PodGone{{"uid-q"}});
  EXPECT_EQ(state.answers.size(), 0u);
}

TEST_F(ExpectationsTest, PlannedMembersCountWhereTheyArePlannedAndAPlanReplacesAnother) {
  ExpectAnswered(&state, pod("g-0"), node("a-3"), now);
  PlanGang("a-1", "a-2");
  ExpectPlan(&state, *gang(), nullptr);
  EXPECT_EQ(Counted("g-0"), node("a-1"));
  EXPECT_EQ(Counted("g-1"), node("a-2"));
  EXPECT_EQ(state.answers.size(), 0u) << "the plan says where it goes now";
  const Plan before = *gang()->plan;
  PlanGang("a-3", "");
  ExpectPlan(&state, *gang(), &before);
  EXPECT_EQ(Counted("g-0"), node("a-3"));
  EXPECT_EQ(Counted("g-1"), kNoNode);
  ExpectNoLonger(&state, *gang()->plan);
  EXPECT_EQ(Counted("g-0"), kNoNode);
}

TEST_F(ExpectationsTest, ALiftedPlanCountsOnlyWhoWaitsAndComesBackAsItWas) {
  PlanGang("a-1", "a-2");
  ExpectPlan(&state, *gang(), nullptr);
  state.permits.Arrive({"uid-g-0"}, Waiter{1, node("a-1"), now});
  {
    const LiftedPlan lifted(&state, *gang()->plan, LiftedPlan::Which::kNotWaiting);
    EXPECT_EQ(Counted("g-0"), node("a-1"));
    EXPECT_EQ(Counted("g-1"), kNoNode);
  }
  EXPECT_EQ(Counted("g-1"), node("a-2"));
  const LiftedPlan lifted(&state, *gang()->plan, LiftedPlan::Which::kAll);
  EXPECT_EQ(Counted("g-0"), kNoNode);
}

}  // namespace
}  // namespace gangpack
