// Which of several nodes suits a pod best that must get one.
#include "core/standalone_scores.h"

#include <string>
#include <vector>

#include "core/facts_intake.h"
#include "gtest/gtest.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

struct Choice {
  explicit Choice(Policy policy = Policy()) : state(std::move(policy)) {}
  EngineState state;

  void Tell(const Fact& fact) { TakeIn(&state, fact, absl::UnixEpoch()); }
  // Of these nodes, the best for `pod`.
  std::string Best(const Pod& pod, const std::vector<absl::string_view>& nodes) {
    Tell(PodChanged{pod});
    std::vector<int> positions;
    for (size_t i = 0; i < nodes.size(); ++i) positions.push_back(static_cast<int>(i));
    const int best =
        BestPosition(state, *state.cluster.FindPod(pod.uid), {pod.uid, pod.name, nodes}, positions);
    return std::string(nodes[static_cast<size_t>(best)]);
  }
};

NodeBuilder Machine(const std::string& name) {
  NodeBuilder node(name);
  node.CpuMilli(10000).Amount(kResourceMemory, 1000);
  return node;
}

TEST(BestPositionTest, TheEmptiestOfCpuAndMemoryTogetherAndThenTheFirstByName) {
  Choice choice;
  for (const char* name : {"m", "n", "o"}) choice.Tell(NodeChanged{Machine(name).Build()});
  EXPECT_EQ(choice.Best(PodBuilder("p"), {"o", "n", "m"}), "m");
  choice.Tell(PodChanged{PodBuilder("on-m").CpuMilli(5000).On("m").Build()});
  EXPECT_EQ(choice.Best(PodBuilder("p"), {"o", "n", "m"}), "n");
  choice.Tell(PodChanged{PodBuilder("on-n").Amount(kResourceMemory, 400).On("n").Build()});
  choice.Tell(PodChanged{PodBuilder("on-o").Amount(kResourceMemory, 510).On("o").Build()});
  EXPECT_EQ(choice.Best(PodBuilder("p"), {"o", "m"}), "m") << "50 and 100 percent are more";
}

TEST(BestPositionTest, StandalonePackingComesBeforeThat) {
  Policy policy;
  policy.default_topology_key = std::string(kRack);
  Choice choice(policy);
  choice.Tell(NodeChanged{Machine("broken-1").Rack("broken").Build()});
  choice.Tell(NodeChanged{Machine("whole-1").Rack("whole").Build()});
  choice.Tell(PodChanged{PodBuilder("runs").CpuMilli(5000).On("broken-1").Build()});
  EXPECT_EQ(choice.Best(PodBuilder("p"), {"whole-1", "broken-1"}), "broken-1");
  policy.standalone_domain_packing = false;
  Choice off(policy);
  off.Tell(NodeChanged{Machine("broken-1").Rack("broken").Build()});
  off.Tell(NodeChanged{Machine("whole-1").Rack("whole").Build()});
  off.Tell(PodChanged{PodBuilder("runs").CpuMilli(5000).On("broken-1").Build()});
  EXPECT_EQ(off.Best(PodBuilder("p"), {"whole-1", "broken-1"}), "whole-1");
}

}  // namespace
}  // namespace gangpack
