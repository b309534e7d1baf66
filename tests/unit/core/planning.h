// A state alone, for tests of planning: it is not synchronised, so that facts are judged by nobody.
#ifndef GANGPACK_TESTS_UNIT_CORE_PLANNING_H_
#define GANGPACK_TESTS_UNIT_CORE_PLANNING_H_

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/explain.h"
#include "core/facts_intake.h"
#include "core/gang_life.h"
#include "core/gang_plan.h"
#include "core/plan_fit.h"
#include "tests/support/object_builders.h"

namespace gangpack {

inline PodBuilder Member(absl::string_view name, absl::string_view gang = "g") {
  return PodBuilder(name).Gang(gang).Gpus(1);
}

struct Planning {
  EngineState state{Policy()};
  absl::Time now = absl::UnixEpoch() + absl::Hours(24);

  void Set(const Node& node) { TakeIn(&state, NodeChanged{node}, now); }
  void Set(const Pod& pod) { TakeIn(&state, PodChanged{pod}, now); }
  void Set(const PodGroup& group) { TakeIn(&state, PodGroupChanged{group}, now); }
  void AddRack(absl::string_view rack, int count, int64_t gpus = 1) {
    for (int i = 1; i <= count; ++i) {
      Set(NodeBuilder(absl::StrCat(rack, "-", i)).Rack(rack).Gpus(gpus).Build());
    }
  }
  // With members GANG-0 to GANG-(members - 1), as many as it needs if not told.
  void AddGang(absl::string_view gang, int min_member, int members = -1) {
    Set(PodGroupBuilder(gang, min_member).Build());
    for (int i = 0; i < (members < 0 ? min_member : members); ++i) {
      Set(Member(absl::StrCat(gang, "-", i), gang).Build());
    }
  }
  void Occupy(absl::string_view node) {
    Set(PodBuilder(absl::StrCat("on-", node)).Gpus(1).On(node).Build());
  }

  // The gang with a summary of what is true now.
  Gang* gang(const std::string& name = "g") {
    Gang* const gang = state.gangs.at({"ns", name}).get();
    gang->summary = Summarize(*gang, state.cluster, state.policy);
    return gang;
  }
  PodRecord* pod(absl::string_view name) {
    return state.cluster.FindPod(PodUid{absl::StrCat("uid-", name)});
  }
  NodeIndex node(absl::string_view name) { return state.cluster.FindNode(name); }

  std::string Show(const std::optional<Plan>& plan) {
    if (!plan.has_value()) return "none";
    std::string text = state.cluster.topology().domain(plan->domain).name + ":";
    for (const auto& [uid, node] : plan->nodes) {
      absl::StrAppend(&text, " ", state.cluster.FindPod(uid)->pod.name.name, "@",
                      state.cluster.node(node).object.name);
    }
    return text;
  }
  // "DOMAIN: POD@NODE ..." by name, or the text of the reason.
  std::string Choose(const std::string& name = "g") {
    const PlanChoice choice = ChoosePlan(&state, gang(name));
    return choice.plan.has_value() ? Show(choice.plan) : Text(choice.reason);
  }
  void Pin(const std::string& name = "g") {
    Gang* const chosen = gang(name);
    TakeHold(&state, chosen, ChoosePlan(&state, chosen).plan.value(), GangTransitionKind::kPinned,
             now);
  }
  void Arrive(absl::string_view name) {
    Gang* const of = gang();
    ArriveAtPermit(&state, of, pod(name), Waiter{1, of->plan->nodes.at(pod(name)->pod.uid), now},
                   now);
  }
  bool StillFits() { return PlanStillFits(&state, *gang()); }
  std::string Replan() { return Show(ReplanInHeldDomain(&state, *gang(), nullptr)); }
  std::string ReplanWith(absl::string_view member, const std::vector<NodeIndex>& nodes) {
    const MemberRestriction restriction{pod(member), nodes};
    return Show(ReplanInHeldDomain(&state, *gang(), &restriction));
  }
  std::string WaitsFor(const Plan& plan, absl::string_view member) {
    const PodRecord* const sibling = SiblingToWaitFor(state, plan, pod(member)->pod.uid);
    return sibling == nullptr ? "" : sibling->pod.name.name;
  }
};

// Gang g of two on a-1 and a-2 of a rack of three.
struct Planned : Planning {
  Planned() {
    AddRack("a", 3);
    AddGang("g", 2);
    Pin();
  }
};

// A worker that needs its leader behind the same switch, planned as leader@a-1 worker@a-2.
struct LeaderAndWorker : Planning {
  LeaderAndWorker() {
    for (const char* name : {"a-1", "a-2"}) Set(Behind(name, "s1"));
    Set(PodGroupBuilder("g", 2).Build());
    Set(Member("leader").Label("role", "leader").Build());
    Set(Member("worker").Affinity(TermFor("switch", "role", "leader")).Build());
  }
  static Node Behind(absl::string_view node, absl::string_view value) {
    return NodeBuilder(node).Rack("a").Gpus(1).Label("switch", value).Build();
  }
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_UNIT_CORE_PLANNING_H_
