#include "core/gang_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/object_builders.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Numbers of a pod on its own.
struct Numbers {
  int64_t spec = 0;
  int64_t terms = 0;
};

class SpecTableTest : public testing::Test {
 protected:
  Numbers Intern(const Pod& pod) {
    records_.push_back(std::make_unique<PodRecord>());
    records_.back()->pod = pod;
    table_.Intern(records_.back().get());
    return {records_.back()->spec_id, records_.back()->terms_id};
  }
  PodRecord* last() { return records_.back().get(); }

  SpecTable table_;
  std::vector<std::unique_ptr<PodRecord>> records_;
};

TEST_F(SpecTableTest, AlikePodsHaveEqualNumbersWhateverTheirNamesAndLabelsAre) {
  const Numbers one = Intern(PodBuilder("a").CpuMilli(1000).Label("x", "y").Priority(3));
  const Numbers two = Intern(PodBuilder("b").CpuMilli(1000).Namespace("other"));
  EXPECT_EQ(one.spec, two.spec);
  EXPECT_NE(one.spec, 0);
  EXPECT_EQ(one.terms, 0);
  EXPECT_EQ(table_.size(), 1u);
}

TEST_F(SpecTableTest, WhateverLooksAtOneNodeTellsSpecsApart) {
  const std::vector<std::function<void(PodBuilder*)>> changes = {
      [](PodBuilder*) {},
      [](PodBuilder* p) { p->CpuMilli(1000); },
      [](PodBuilder* p) { p->CpuMilli(1001); },
      [](PodBuilder* p) { p->Gpus(1000); },
      [](PodBuilder* p) { p->HostPort(80); },
      [](PodBuilder* p) { p->HostPort(81); },
      [](PodBuilder* p) { p->HostPort(80, "UDP"); },
      [](PodBuilder* p) { p->HostPort(80, "TCP", "10.0.0.1"); },
      [](PodBuilder* p) { p->HostPort(80, ""); },
      [](PodBuilder* p) { p->Amount("0.0.0.0", 80); },
      [](PodBuilder* p) { p->NodeSelector("a", "b"); },
      [](PodBuilder* p) { p->NodeSelector("a", "c"); },
      [](PodBuilder* p) { p->NodeSelector("a:1", "b"); },
      [](PodBuilder* p) { p->NodeAffinity("a", SelectorOperator::kIn, {"b"}); },
      [](PodBuilder* p) { p->NodeAffinity("a", SelectorOperator::kNotIn, {"b"}); },
      [](PodBuilder* p) {
        p->NodeAffinity("a", SelectorOperator::kIn, {"b", "c"});
      },
      [](PodBuilder* p) { p->NodeAffinity("a", SelectorOperator::kIn, {"b,c"}); },
      [](PodBuilder* p) {
        p->NodeAffinity("a", SelectorOperator::kIn, {"b"})
            .NodeAffinity("a", SelectorOperator::kIn, {"b"});
      },
      [](PodBuilder* p) {
        p->Tolerates({"a", TolerationOperator::kEqual, "b", {}});
      },
      [](PodBuilder* p) {
        p->Tolerates({"a", TolerationOperator::kExists, "", {}});
      },
      [](PodBuilder* p) {
        p->Tolerates({"a", TolerationOperator::kEqual, "b", TaintEffect::kNoSchedule});
      },
      [](PodBuilder* p) {
        p->Tolerates({"", TolerationOperator::kExists, "", {}});
      },
  };
  for (const auto& change : changes) {
    PodBuilder pod("p");
    change(&pod);
    Intern(pod);
  }
  EXPECT_EQ(table_.size(), changes.size());
}

TEST_F(SpecTableTest, AnAffinityWithoutTermsIsNotTheSameAsNone) {
  Pod pod = PodBuilder("p").Build();
  const Numbers none = Intern(pod);
  pod.spec.required_node_affinity.emplace();
  EXPECT_NE(Intern(pod).spec, none.spec);
}

TEST_F(SpecTableTest, TermsTowardOtherPodsHaveANumberOfTheirOwn) {
  const Numbers plain = Intern(PodBuilder("a"));
  const Numbers toward = Intern(PodBuilder("b").Affinity(TermFor("rack", "role", "leader")));
  const Numbers away = Intern(PodBuilder("c").AntiAffinity(TermFor("rack", "role", "leader")));
  const Numbers other = Intern(PodBuilder("d").Affinity(TermFor("zone", "role", "leader")));
  EXPECT_EQ(toward.spec, plain.spec);
  EXPECT_EQ(away.spec, plain.spec);
  EXPECT_NE(toward.terms, 0);
  EXPECT_NE(toward.terms, away.terms);
  EXPECT_NE(toward.terms, other.terms);
  EXPECT_EQ(Intern(PodBuilder("e").Affinity(TermFor("rack", "role", "leader"))).terms,
            toward.terms);
}

TEST_F(SpecTableTest, EqualTermsOfPodsInTwoNamespacesAreDifferent) {
  PodBuilder pod("p");
  pod.Affinity(TermFor("rack", "role", "leader"));
  const Numbers one = Intern(pod);
  EXPECT_NE(Intern(pod.Namespace("other")).terms, one.terms);
}

TEST_F(SpecTableTest, AMatchLabelKeyCountsWithTheValueThatThePodHas) {
  PodAffinityTerm term = TermFor("rack", "role", "leader");
  term.match_label_keys = {"revision"};
  const auto terms_with = [&](const PodBuilder& pod) {
    PodBuilder with(pod);
    return Intern(with.Affinity(term)).terms;
  };
  const int64_t one = terms_with(PodBuilder("a").Label("revision", "1"));
  EXPECT_EQ(terms_with(PodBuilder("b").Label("revision", "1").Label("x", "y")), one);
  EXPECT_NE(terms_with(PodBuilder("c").Label("revision", "2")), one);
  EXPECT_NE(terms_with(PodBuilder("d")), one);
}

TEST_F(SpecTableTest, AValueIsNeverTakenForTheNextKey) {
  PodAffinityTerm one_key = TermFor("rack", "role", "leader");
  one_key.match_label_keys = {"a"};
  PodAffinityTerm two_keys = one_key;
  two_keys.match_label_keys = {"a", "b"};
  const Numbers one = Intern(PodBuilder("p").Label("a", "b").Affinity(one_key));
  const Numbers two = Intern(PodBuilder("p").Affinity(two_keys));
  EXPECT_NE(one.terms, two.terms);
}

TEST_F(SpecTableTest, MatchAndMismatchKeysAreToldApart) {
  PodAffinityTerm match = TermFor("rack", "role", "leader");
  PodAffinityTerm mismatch = match;
  match.match_label_keys = {"a"};
  mismatch.mismatch_label_keys = {"a"};
  EXPECT_NE(Intern(PodBuilder("p").Label("a", "1").Affinity(match)).terms,
            Intern(PodBuilder("p").Label("a", "1").Affinity(mismatch)).terms);
  EXPECT_EQ(Intern(PodBuilder("p").Affinity(match)).terms,
            Intern(PodBuilder("p").Affinity(mismatch)).terms)
      << "keys that the pod does not carry select nothing";
}

TEST_F(SpecTableTest, AReleasedPodCarriesNoNumbers) {
  Intern(PodBuilder("a").AntiAffinity(TermFor("rack", "a", "b")));
  table_.Release(last());
  EXPECT_EQ(last()->spec_id, 0);
  EXPECT_EQ(last()->terms_id, 0);
  table_.Release(last());  // nothing to give back
}

class UnusedSpecTest : public SpecTableTest {
 protected:
  // Interns and releases pods with so many specs that no other test uses.
  void UseAndRelease(size_t specs) {
    for (size_t i = 0; i < specs; ++i) {
      Intern(PodBuilder("p").CpuMilli(1000000 + next_++));
      table_.Release(last());
    }
  }
  int64_t next_ = 0;
};

TEST_F(UnusedSpecTest, ANumberThatFellOutOfUseIsKeptUntilThatManyOthersDid) {
  const Numbers first = Intern(PodBuilder("a").CpuMilli(1));
  table_.Release(last());
  UseAndRelease(SpecTable::kUnusedMax - 1);
  EXPECT_EQ(Intern(PodBuilder("b").CpuMilli(1)).spec, first.spec);
  table_.Release(last());
  UseAndRelease(SpecTable::kUnusedMax + 1);
  EXPECT_NE(Intern(PodBuilder("c").CpuMilli(1)).spec, first.spec);
}

TEST_F(UnusedSpecTest, ANumberInUseIsKeptHoweverManyOthersFellOutOfIt) {
  const Numbers first = Intern(PodBuilder("a").CpuMilli(1));
  table_.Release(last());
  Intern(PodBuilder("b").CpuMilli(1));
  UseAndRelease(SpecTable::kUnusedMax * 2 + 1);
  EXPECT_EQ(Intern(PodBuilder("c").CpuMilli(1)).spec, first.spec);
}

TEST_F(UnusedSpecTest, TheTableDoesNotGrowWithThePodsThatCameAndWent) {
  UseAndRelease(SpecTable::kUnusedMax * 3);
  EXPECT_EQ(table_.size(), SpecTable::kUnusedMax);
}

class ShapeTest : public testing::Test {
 protected:
  PodRecord* Pod(const PodBuilder& pod) {
    PodRecord* const record = cluster_.UpsertPod(pod);
    specs_.Intern(record);
    return record;
  }
  GangShape Shape(const std::vector<PodRecord*>& members, int need = 1,
                  const std::vector<const PodRecord*>& placed = {}) {
    return MakeShape(members, placed, need, rack_, cluster_);
  }

  ClusterState cluster_{"ome-scheduler"};
  const TopologyKeyIndex rack_ = cluster_.AddKey("rack");
  SpecTable specs_;
};

TEST_F(ShapeTest, AlikeMembersAreOneKindAndKindsAreInOrderOfPreference) {
  const GangShape shape = Shape({Pod(PodBuilder("big").CpuMilli(2)), Pod(PodBuilder("s1")),
                                 Pod(PodBuilder("s2")), Pod(PodBuilder("big2").CpuMilli(2))},
                                3);
  EXPECT_THAT(shape.kind_of_member, ElementsAre(0, 1, 1, 0));
  ASSERT_EQ(shape.problem.kinds.size(), 2u);
  EXPECT_EQ(shape.problem.kinds[0].demand, 2);
  EXPECT_EQ(AmountOf(shape.problem.kinds[0].request, kCpuId), 2);
  EXPECT_EQ(AmountOf(shape.problem.kinds[1].request, kPodsId), 1);
  EXPECT_EQ(shape.need, 3);
  EXPECT_THAT(shape.problem.nodes, IsEmpty());
}

TEST_F(ShapeTest, KindsOfPlacedSiblingsAloneHaveNoDemand) {
  const GangShape shape =
      Shape({Pod(PodBuilder("a"))}, 1, {Pod(PodBuilder("b")), Pod(PodBuilder("c").CpuMilli(5))});
  EXPECT_THAT(shape.kind_of_placed, ElementsAre(0, 1));
  EXPECT_EQ(shape.problem.kinds[0].demand, 1);
  EXPECT_EQ(shape.problem.kinds[1].demand, 0);
}

TEST_F(ShapeTest, GangsThatDifferInNamesOnlyHaveTheSameSignature) {
  const auto gang = [this](const std::string& prefix) {
    return Shape({Pod(PodBuilder(prefix + "0").Label("job", prefix)),
                  Pod(PodBuilder(prefix + "1").CpuMilli(7))},
                 2)
        .signature;
  };
  EXPECT_EQ(gang("x"), gang("y"));
}

TEST_F(ShapeTest, NeedNumbersSpecsAndKeyTellSignaturesApart) {
  PodRecord* const one = Pod(PodBuilder("1"));
  PodRecord* const two = Pod(PodBuilder("2"));
  PodRecord* const big = Pod(PodBuilder("big").CpuMilli(9));
  const std::string base = Shape({one, two}, 2).signature;
  EXPECT_EQ(Shape({two, one}, 2).signature, base);
  EXPECT_NE(Shape({one, two}, 1).signature, base);
  EXPECT_NE(Shape({one}, 1).signature, Shape({one, two}, 1).signature);
  EXPECT_NE(Shape({one, big}, 2).signature, base);
  EXPECT_NE(MakeShape({one, two}, {}, 2, cluster_.AddKey("zone"), cluster_).signature, base);
}

TEST_F(ShapeTest, WorkersThatNeedTheirLeaderAreARuleFromTheirKindToIts) {
  const GangShape shape =
      Shape({Pod(PodBuilder("leader").Label("role", "leader")),
             Pod(PodBuilder("w0").Affinity(TermFor("rack", "role", "leader"))),
             Pod(PodBuilder("w1").Affinity(TermFor("rack", "role", "leader")))});
  EXPECT_THAT(shape.kind_of_member, ElementsAre(0, 1, 1));
  ASSERT_EQ(shape.problem.rules.size(), 1u);
  const PackingRule& rule = shape.problem.rules[0];
  EXPECT_TRUE(rule.affinity);
  EXPECT_EQ(rule.kind, 1);
  EXPECT_THAT(rule.selects, ElementsAre(1, 0));
  EXPECT_EQ(rule.level, 1);
  EXPECT_THAT(shape.level_keys, ElementsAre("rack"));
  EXPECT_THAT(shape.rule_keys, ElementsAre("rack"));
}

TEST_F(ShapeTest, LabelsThatNoRuleLooksAtDoNotMakeKinds) {
  EXPECT_THAT(Shape({Pod(PodBuilder("a").Label("i", "0")), Pod(PodBuilder("b").Label("i", "1"))})
                  .kind_of_member,
              ElementsAre(0, 0));
}

TEST_F(ShapeTest, AffinityThatSelectsNoSiblingIsARuleOthersSatisfyAndSuchAntiAffinityIsNone) {
  const GangShape shape =
      Shape({Pod(PodBuilder("a").Affinity(TermFor("rack", "app", "db"))),
             Pod(PodBuilder("b").AntiAffinity(TermFor("rack", "app", "x"))), Pod(PodBuilder("c"))});
  EXPECT_THAT(shape.kind_of_member, ElementsAre(0, 1, 2));
  ASSERT_EQ(shape.problem.rules.size(), 1u);
  EXPECT_TRUE(shape.problem.rules[0].affinity);
  EXPECT_EQ(shape.problem.rules[0].kind, 0);
  EXPECT_THAT(shape.problem.rules[0].selects, ElementsAre(0, 0, 0));
}

TEST_F(ShapeTest, ASiblingCountsForAffinityOnlyIfEveryTermSelectsIt) {
  PodBuilder worker("w");
  worker.Affinity(TermFor("rack", "a", "1")).Affinity(TermFor("zone", "b", "1"));
  const GangShape shape = Shape({Pod(PodBuilder("both").Label("a", "1").Label("b", "1")),
                                 Pod(PodBuilder("one").Label("a", "1")), Pod(worker)});
  ASSERT_EQ(shape.problem.rules.size(), 2u);
  for (const PackingRule& rule : shape.problem.rules) {
    EXPECT_EQ(rule.kind, shape.kind_of_member[2]);
    EXPECT_EQ(rule.selects[static_cast<size_t>(shape.kind_of_member[0])], 1);
    EXPECT_EQ(rule.selects[static_cast<size_t>(shape.kind_of_member[1])], 0);
  }
  EXPECT_THAT(shape.rule_keys, ElementsAre("rack", "zone"));
}

TEST_F(ShapeTest, EachAntiAffinityTermIsARuleOfItsOwn) {
  PodBuilder pod("p");
  pod.Label("a", "1").AntiAffinity(TermFor(kHostnameLabel, "a", "1"));
  pod.AntiAffinity(TermFor("rack", "a", "2"));
  const GangShape shape = Shape({Pod(pod), Pod(PodBuilder("q").Label("a", "2"))});
  ASSERT_EQ(shape.problem.rules.size(), 2u);
  EXPECT_FALSE(shape.problem.rules[0].affinity);
  EXPECT_THAT(shape.problem.rules[0].selects, ElementsAre(1, 0));
  EXPECT_THAT(shape.problem.rules[1].selects, ElementsAre(0, 1));
  EXPECT_EQ(shape.problem.rules[0].level, 1);
  EXPECT_EQ(shape.problem.rules[1].level, 2);
}

TEST_F(ShapeTest, APlacedSiblingsAntiAffinityIsARuleToo) {
  const PodRecord* const placed =
      Pod(PodBuilder("p").AntiAffinity(TermFor("rack", "a", "1")).On("n"));
  const GangShape shape = Shape({Pod(PodBuilder("q").Label("a", "1"))}, 1, {placed});
  ASSERT_EQ(shape.problem.rules.size(), 1u);
  EXPECT_EQ(shape.problem.rules[0].kind, shape.kind_of_placed[0]);
}

TEST_F(ShapeTest, NamespaceLabelsDecideWhatANamespaceSelectorSelects) {
  PodAffinityTerm term = TermFor("rack", "a", "1");
  term.namespace_selector.emplace();
  term.namespace_selector->requirements = {{"team", SelectorOperator::kIn, {"x"}}};
  PodRecord* const owner = Pod(PodBuilder("p").Label("a", "1").AntiAffinity(term));
  EXPECT_THAT(Shape({owner}).problem.rules, IsEmpty());
  cluster_.SetNamespace({"ns", {{"team", "x"}}});
  EXPECT_EQ(Shape({owner}).problem.rules.size(), 1u);
  cluster_.RemoveNamespace("ns");
  EXPECT_THAT(Shape({owner}).problem.rules, IsEmpty());
}

TEST_F(ShapeTest, RulesTellSignaturesApart) {
  const auto signature = [this](const std::string& key, const std::string& role) {
    return Shape({Pod(PodBuilder("l" + key + role).Label("role", role)),
                  Pod(PodBuilder("w" + key).Affinity(TermFor(key, "role", "leader")))})
        .signature;
  };
  EXPECT_NE(signature("rack", "leader"), signature("zone", "leader"));
  EXPECT_NE(signature("rack", "leader"), signature("rack", "x"));
}

TEST_F(ShapeTest, KindsWithTheSameHostPortConflict) {
  EXPECT_THAT(
      Shape({Pod(PodBuilder("a")), Pod(PodBuilder("b").HostPort(80))}).problem.node_conflict,
      ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(Shape({Pod(PodBuilder("a"))}).problem.node_conflict, IsEmpty());
  EXPECT_THAT(
      Shape({Pod(PodBuilder("c").HostPort(80)), Pod(PodBuilder("d").HostPort(80).HostPort(81))})
          .problem.node_conflict,
      ElementsAre(1, 1, 1, 1));
}

class ProblemForTest : public ShapeTest {
 protected:
  PackingProblem Problem(const GangShape& shape, const std::vector<NodeIndex>& nodes,
                         const std::vector<FixedSibling>& fixed = {}, bool when_empty = false) {
    return ProblemFor(shape, nodes, fixed, when_empty, cluster_);
  }
  NodeIndex Node(const NodeBuilder& node) { return cluster_.UpsertNode(node); }
};

TEST_F(ProblemForTest, NodesCarryWhatIsFreeAndEmptyOnesAllTheyHave) {
  const NodeIndex node = Node(NodeBuilder("n").CpuMilli(4000));
  Pod(PodBuilder("other").CpuMilli(1000).On("n"));
  const GangShape shape = Shape({Pod(PodBuilder("a").CpuMilli(500))});
  EXPECT_EQ(AmountOf(Problem(shape, {node}).nodes[0].free, kCpuId), 3000);
  EXPECT_EQ(AmountOf(Problem(shape, {node}, {}, true).nodes[0].free, kCpuId), 4000);
  EXPECT_EQ(AmountOf(Problem(shape, {node}, {}, true).nodes[0].free, kPodsId), 110);
}

TEST_F(ProblemForTest, CordonsTaintsAndPortsForbidANodeNowAndNotWhenEmpty) {
  const GangShape shape = Shape(
      {Pod(PodBuilder("a").HostPort(80)), Pod(PodBuilder("b").ToleratesEverything().HostPort(81))});
  Pod(PodBuilder("other").HostPort(80).On("busy"));
  const std::vector<NodeIndex> nodes = {
      Node(NodeBuilder("fine")), Node(NodeBuilder("cordoned").Cordoned()),
      Node(NodeBuilder("tainted").Tainted("x")), Node(NodeBuilder("busy"))};
  const PackingProblem now = Problem(shape, nodes);
  EXPECT_THAT(now.nodes[0].feasible, ElementsAre(1, 1));
  EXPECT_THAT(now.nodes[1].feasible, ElementsAre(0, 1));
  EXPECT_THAT(now.nodes[2].feasible, ElementsAre(0, 1));
  EXPECT_THAT(now.nodes[3].feasible, ElementsAre(0, 1));
  for (const PackingNode& node : Problem(shape, nodes, {}, true).nodes) {
    EXPECT_THAT(node.feasible, ElementsAre(1, 1));
  }
}

TEST_F(ProblemForTest, SelectorsForbidANodeAlsoWhenEmpty) {
  const NodeIndex node = Node(NodeBuilder("n"));
  const GangShape shape = Shape({Pod(PodBuilder("a").NodeSelector("disk", "ssd"))});
  EXPECT_THAT(Problem(shape, {node}).nodes[0].feasible, ElementsAre(0));
  EXPECT_THAT(Problem(shape, {node}, {}, true).nodes[0].feasible, ElementsAre(0));
}

TEST_F(ProblemForTest, NodesWithTheSameValueAreOneGroupAndThoseWithoutTheLabelNone) {
  PodBuilder pod("a");
  pod.Label("a", "1").AntiAffinity(TermFor("switch", "a", "1"));
  const GangShape shape = Shape({Pod(pod)});
  const PackingProblem problem =
      Problem(shape, {Node(NodeBuilder("n0").Label("switch", "s1")),
                      Node(NodeBuilder("n1").Label("switch", "s0")), Node(NodeBuilder("n2")),
                      Node(NodeBuilder("n3").Label("switch", "s1")),
                      Node(NodeBuilder("n4").Label("switch", ""))});
  std::vector<int> groups;
  for (const PackingNode& node : problem.nodes) groups.push_back(node.group[0]);
  EXPECT_THAT(groups, ElementsAre(0, 1, -1, 0, 2));
  EXPECT_EQ(problem.rules[0].level, 1);
}

TEST_F(ProblemForTest, ARuleWhoseGroupsAreTheNodesThemselvesIsOfLevelZero) {
  PodBuilder pod("a");
  pod.Label("a", "1").AntiAffinity(TermFor(kHostnameLabel, "a", "1"));
  const GangShape shape = Shape({Pod(pod)});
  const NodeIndex one = Node(NodeBuilder("n0"));
  const NodeIndex two = Node(NodeBuilder("n1"));
  EXPECT_EQ(Problem(shape, {one, two}).rules[0].level, 0);
  Node(NodeBuilder("n1").Label(kHostnameLabel, "n0"));
  EXPECT_EQ(Problem(shape, {one, two}).rules[0].level, 1);
  cluster_.UpsertNode(gangpack::Node{"n1", {}, {}, false, {}});  // a node without the label
  EXPECT_EQ(Problem(shape, {one, two}).rules[0].level, 1);
}

TEST_F(ProblemForTest, FixedSiblingsCountOnTheirNodesAndTakeRoomOnlyIfItIsNotTakenYet) {
  const NodeIndex here = Node(NodeBuilder("n0").CpuMilli(4000));
  const NodeIndex elsewhere = Node(NodeBuilder("n1").CpuMilli(4000));
  const PodRecord* const bound = Pod(PodBuilder("bound").CpuMilli(1000).On("n0"));
  const PodRecord* const waiting = Pod(PodBuilder("waiting").CpuMilli(1000));
  const GangShape shape = Shape({Pod(PodBuilder("a").CpuMilli(1000))}, 1, {bound, waiting});
  const PackingProblem problem = Problem(shape, {here},
                                         {{shape.kind_of_placed[0], here, false},
                                          {shape.kind_of_placed[1], here, true},
                                          {shape.kind_of_placed[1], elsewhere, true}});
  EXPECT_THAT(problem.nodes[0].placed, ElementsAre(2));
  EXPECT_EQ(AmountOf(problem.nodes[0].free, kCpuId), 2000);
  EXPECT_EQ(AmountOf(problem.nodes[0].free, kPodsId), 108);
}

}  // namespace
}  // namespace gangpack
