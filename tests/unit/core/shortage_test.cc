#include "core/shortage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/explain.h"
#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kWords[] = "no domain has room for gang ns/g: ";

class ShortageTest : public testing::Test {
 protected:
  explicit ShortageTest(const Policy& policy = Policy()) : state_(policy) {
    gang_.name = {"ns", "g"};
    gang_.summary.key = state_.cluster.AddKey("rack");
    other_.name = {"ns", "other"};
  }

  void AddNode(const NodeBuilder& node) { state_.cluster.UpsertNode(node); }

  // Members that request so many GPUs each, all of which are needed.
  void SetMembers(const std::vector<int64_t>& gpus) {
    members_.clear();
    for (const int64_t amount : gpus) {
      members_.push_back(
          state_.cluster.UpsertPod(PodBuilder(absl::StrCat("w-", members_.size())).Gpus(amount)));
      state_.specs.Intern(members_.back());
    }
  }
  GangShape Shape() const {
    return MakeShape(members_, {}, static_cast<int>(members_.size()), gang_.summary.key,
                     state_.cluster);
  }
  Reason NoDomain() {
    DomainRanking ranking(Shape(), &state_.cluster);
    ranking.CatchUp(state_.Limits());
    return WhyNoDomain(state_, gang_, ranking);
  }
  DomainIndex Rack(const std::string& name) const {
    return state_.cluster.topology().FindDomain(gang_.summary.key, name);
  }
  Reason TooSmall(const std::string& rack, int need) {
    const GangShape shape = Shape();
    const PackingProblem problem = ProblemFor(
        shape, state_.cluster.topology().domain(Rack(rack)).nodes, {}, false, state_.cluster);
    return WhyDomainTooSmall(state_, gang_, ReasonCode::kAdoptedDomainTooSmall, Rack(rack), need,
                             shape, problem);
  }
  void OtherHolds(DomainIndex domain) {
    other_.plan.emplace();
    other_.plan->domain = domain;
    state_.ledger.Hold(domain, &other_);
  }

  void BlockerOn(const std::string& node, int64_t gpus) {
    state_.cluster.UpsertPod(PodBuilder(absl::StrCat("blocker-", node)).Gpus(gpus).On(node));
  }

  EngineState state_;
  Gang gang_;
  Gang other_;
  std::vector<PodRecord*> members_;
};

TEST_F(ShortageTest, NodesThatNoMemberCanUseAreNamedWithWhatStopsThem) {
  AddNode(NodeBuilder("node-1").Rack("a").Gpus(8));
  AddNode(NodeBuilder("node-3").Rack("a").Gpus(8).Cordoned());
  AddNode(NodeBuilder("node-7").Rack("a").Gpus(8));
  BlockerOn("node-7", 4);
  SetMembers({8, 8});
  EXPECT_EQ(DetailedText(NoDomain()),
            absl::StrCat(kWords, "domain a: room for 1 of 2 (node-3 cordoned, node-7 short of ",
                         "nvidia.com/gpu: needs 8, free 4)"));
}

TEST_F(ShortageTest, ANodeThatHoldsAtLeastOneMemberIsNotNamed) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(8));
  BlockerOn("n1", 6);
  SetMembers({3, 2});  // the second fits
  EXPECT_EQ(DetailedText(NoDomain()), absl::StrCat(kWords, "domain a: room for 1 of 2"));
  SetMembers({4, 3});
  EXPECT_EQ(DetailedText(NoDomain()),
            absl::StrCat(kWords, "domain a: room for 0 of 2 (n1 short of ",
                         "nvidia.com/gpu: needs 4, free 2)"));
}

TEST_F(ShortageTest, EachRuleOfANodeIsTold) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(1).Tainted("gpu", "broken"));
  AddNode(NodeBuilder("n2").Rack("a").Gpus(1).Label("disk", "hdd"));
  AddNode(NodeBuilder("n3").Rack("a").Gpus(1).Label("disk", "ssd"));
  state_.cluster.UpsertPod(PodBuilder("web").HostPort(80).On("n3"));
  members_ = {state_.cluster.UpsertPod(PodBuilder("w").HostPort(80).NodeSelector("disk", "ssd"))};
  state_.specs.Intern(members_[0]);
  EXPECT_EQ(DetailedText(NoDomain()),
            absl::StrCat(kWords, "domain a: room for 0 of 1 (n1 tainted gpu=broken:NoSchedule, ",
                         "n2 not selected by the pod's node selector or affinity, ",
                         "n3 has host port TCP/80 in use)"));
}

TEST_F(ShortageTest, DomainsAreListedBestFirstAndNodesUpToTheirLimits) {
  for (const char* rack : {"a", "b", "c", "d"}) {
    for (int i = 0; i < 6; ++i) {
      AddNode(NodeBuilder(absl::StrCat(rack, i)).Rack(rack).Gpus(1).Cordoned(i > 0 || *rack > 'c'));
    }
  }
  BlockerOn("a0", 1);
  SetMembers({1, 1});
  const Reason reason = NoDomain();
  ASSERT_EQ(reason.domains.size(), 3u);
  EXPECT_EQ(reason.domains[0].domain, "b");
  EXPECT_EQ(reason.domains[1].domain, "c");
  EXPECT_EQ(reason.domains[2].domain, "a");
  EXPECT_EQ(reason.domains_more, 1);
  EXPECT_EQ(reason.domains[0].room, 1);
  EXPECT_EQ(reason.domains[2].room, 0);
  EXPECT_EQ(reason.domains[2].of, 2);
  ASSERT_EQ(reason.domains[2].nodes.size(), 3u);
  EXPECT_EQ(reason.domains[2].nodes[0].node, "a0");
  EXPECT_EQ(reason.domains[2].nodes_more, 3);
}

TEST_F(ShortageTest, AGangThatNoEmptyDomainCouldHoldIsToldTheLargest) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(4));
  AddNode(NodeBuilder("n2").Rack("b").Gpus(3));
  BlockerOn("n1", 4);
  SetMembers({1, 1, 1, 1, 1, 1});
  EXPECT_EQ(DetailedText(NoDomain()),
            absl::StrCat(kWords, "largest domain a has room for 4 of 6 when empty"));
  AddNode(NodeBuilder("n1").Rack("a").Gpus(6));
  EXPECT_FALSE(NoDomain().when_empty);
}

TEST_F(ShortageTest, WhenEmptyCordonedAndTaintedNodesCountAndAreNamed) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(2).Cordoned());
  AddNode(NodeBuilder("n2").Rack("a").Gpus(2).Tainted("x"));
  AddNode(NodeBuilder("n3").Rack("a").Gpus(0));
  SetMembers({1, 1, 1, 1, 1});
  EXPECT_EQ(DetailedText(NoDomain()),
            absl::StrCat(kWords, "largest domain a has room for 4 of 5 when empty (n1 cordoned, ",
                         "n2 tainted x:NoSchedule, n3 short of nvidia.com/gpu: needs 1, free 0)"));
}

TEST_F(ShortageTest, AKeyThatNoNodeCarriesIsNamed) {
  AddNode(NodeBuilder("n1").Gpus(8));
  SetMembers({1});
  EXPECT_EQ(DetailedText(NoDomain()), absl::StrCat(kWords, "no node carries label rack"));
}

TEST_F(ShortageTest, FittingDomainsThatOthersHoldAreToldWithTheirHolders) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(2));
  AddNode(NodeBuilder("n2").Rack("b").Gpus(1));
  SetMembers({1, 1});
  OtherHolds(Rack("a"));
  const Reason reason = NoDomain();
  EXPECT_EQ(reason.code, ReasonCode::kEveryDomainReserved);
  EXPECT_EQ(DetailedText(reason),
            absl::StrCat(kWords, "every fitting domain is reserved for a forming gang: a held by ",
                         "ns/other"));
}

TEST_F(ShortageTest, ADomainIsHeldAlsoThroughAnotherKey) {
  AddNode(NodeBuilder("n1").Rack("a").Label("zone", "z").Gpus(2));
  SetMembers({1, 1});
  const TopologyKeyIndex zone = state_.cluster.AddKey("zone");
  OtherHolds(state_.cluster.topology().FindDomain(zone, "z"));
  EXPECT_EQ(DetailedText(NoDomain()),
            absl::StrCat(kWords, "every fitting domain is reserved for a forming gang: a shares ",
                         "nodes with z held by ns/other"));
}

TEST_F(ShortageTest, AHeldDomainThatDoesNotFitIsNotAReasonToWaitForItsHolder) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(1));
  SetMembers({1, 1});
  OtherHolds(Rack("a"));
  EXPECT_EQ(NoDomain().code, ReasonCode::kNoDomainHasRoom);
}

TEST_F(ShortageTest, HoldersAreListedUpToTheLimitOfDomains) {
  std::vector<std::pair<DomainIndex, const Gang*>> held;
  for (const char* rack : {"a", "b", "c", "d", "e"}) {
    AddNode(NodeBuilder(rack).Rack(rack));
    held.emplace_back(Rack(rack), &other_);
  }
  OtherHolds(Rack("a"));
  const Reason all = WhyReserved(state_, gang_, {held.begin(), held.begin() + 3});
  EXPECT_EQ(all.holders.size(), 3u);
  EXPECT_EQ(all.domains_more, 0);
  const Reason some = WhyReserved(state_, gang_, held);
  EXPECT_EQ(some.holders.size(), 3u);
  EXPECT_EQ(some.domains_more, 2);
}

TEST_F(ShortageTest, WhereThereIsNoDomainALabelThatIsEmptyIsToldFromOneThatLacks) {
  AddNode(NodeBuilder("n1").Gpus(2));
  SetMembers({1});
  EXPECT_EQ(DetailedText(NoDomain()), absl::StrCat(kWords, "no node carries label rack"));
  AddNode(NodeBuilder("n2").Rack("").Gpus(2));
  EXPECT_EQ(
      DetailedText(NoDomain()),
      absl::StrCat(kWords, "label rack is empty on 1 node, and no node carries a value of it"));
}

TEST_F(ShortageTest, ADomainThatIsTooSmallTellsItsRoomForTheNeed) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(2));
  AddNode(NodeBuilder("n2").Rack("a").Gpus(2).Cordoned());
  SetMembers({1, 1, 1});
  EXPECT_EQ(DetailedText(TooSmall("a", 3)),
            "adopted domain a cannot fit remaining gang members ns/g: domain a: room for 2 of 3 "
            "(n2 cordoned)");
  EXPECT_FALSE(TooSmall("a", 3).search_limit_reached);
}

TEST_F(ShortageTest, RoomIsNeverToldAsMoreThanTheNeed) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(3));
  SetMembers({1, 1, 1});
  EXPECT_EQ(TooSmall("a", 2).domains[0].room, 2);
}

TEST_F(ShortageTest, AFittingDomainThatNobodyHoldsWasGivenUpByTheSearch) {
  AddNode(NodeBuilder("n1").Rack("a").Gpus(2));
  SetMembers({1, 1});
  EXPECT_EQ(
      DetailedText(NoDomain()),
      absl::StrCat(kWords, "the search was cut off at packing_states_max, so a fit may ", "exist"));
}

// Members that do not fit three nodes of 9 at once, which nobody sees without a search.
class LimitedShortageTest : public ShortageTest {
 protected:
  static Policy LeastLimits() {
    Policy policy;
    policy.packing_states_max = 1;
    policy.detail_domains_max = 1;
    return policy;
  }
  LimitedShortageTest() : ShortageTest(LeastLimits()) {
    for (int i = 0; i < 3; ++i) {
      AddNode(NodeBuilder(absl::StrCat("hard-", i)).Rack("hard").Gpus(9));
    }
    SetMembers({8, 8, 4, 3, 3});
  }
};

TEST_F(LimitedShortageTest, AReachedLimitIsToldAlsoOfADomainThatIsNotListed) {
  EXPECT_TRUE(NoDomain().search_limit_reached);
  EXPECT_TRUE(TooSmall("hard", 5).search_limit_reached);
  // Large enough when empty and four of them fit: as good as the other one, and first by name.
  AddNode(NodeBuilder("easy-0").Rack("easy").Gpus(26));
  BlockerOn("easy-0", 4);
  const Reason reason = NoDomain();
  ASSERT_EQ(reason.domains.size(), 1u);
  EXPECT_EQ(reason.domains[0].domain, "easy");
  EXPECT_EQ(reason.domains_more, 1);
  EXPECT_TRUE(reason.search_limit_reached);
}

TEST_F(LimitedShortageTest, WithoutTheSearchNoLimitIsTold) {
  for (int i = 0; i < 3; ++i) {
    AddNode(NodeBuilder(absl::StrCat("hard-", i)).Rack("hard").Gpus(7));
  }
  EXPECT_FALSE(NoDomain().search_limit_reached);
}

}  // namespace
}  // namespace gangpack
