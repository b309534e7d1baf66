#include "core/domain_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/support/object_builders.h"
#include "tests/unit/core/random_cluster.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr PackingLimits kNoLimit{1000000};

class DomainRankingTest : public testing::Test {
 protected:
  void AddNode(const std::string& name, const std::string& rack, int64_t gpus) {
    cluster_.UpsertNode(NodeBuilder(name).Rack(rack).Gpus(gpus));
  }
  PodRecord* Member(const std::string& name, int64_t gpus) {
    PodRecord* const record = cluster_.UpsertPod(PodBuilder(name).Gpus(gpus));
    specs_.Intern(record);
    return record;
  }
  // A gang of so many members with one GPU each, of which `need` are needed.
  GangShape OneGpuEach(int members, int need) {
    std::vector<PodRecord*> records;
    for (int i = 0; i < members; ++i) records.push_back(Member(absl::StrCat("w-", i), 1));
    return MakeShape(records, {}, need, rack_, cluster_);
  }
  std::vector<std::pair<int64_t, std::string>> Named(const DomainRanking::Ranked& ranked) const {
    std::vector<std::pair<int64_t, std::string>> named;
    for (const auto& [key, domain] : ranked) {
      named.emplace_back(key, cluster_.topology().domain(domain).name);
    }
    return named;
  }
  const DomainFit& FitOf(const DomainRanking& ranking, const std::string& rack) const {
    return ranking.fit(cluster_.topology().FindDomain(rack_, rack));
  }

  ClusterState cluster_{"ome-scheduler"};
  const TopologyKeyIndex rack_ = cluster_.AddKey("rack");
  SpecTable specs_;
};

TEST_F(DomainRankingTest, LeastRoomIsFirstAndTiesGoToTheLowestName) {
  AddNode("n0", "big", 4);
  AddNode("n1", "tie-b", 2);
  AddNode("n2", "tie-a", 2);
  AddNode("n3", "mid", 3);
  DomainRanking ranking(OneGpuEach(2, 2), &cluster_);
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 4);
  EXPECT_THAT(Named(ranking.fits_all()),
              ElementsAre(Pair(2, "tie-a"), Pair(2, "tie-b"), Pair(3, "mid"), Pair(4, "big")));
  EXPECT_THAT(ranking.fits_need(), IsEmpty());
  EXPECT_THAT(ranking.short_now(), IsEmpty());
}

TEST_F(DomainRankingTest, ADomainFitsAllOrNeedOrIsShort) {
  AddNode("n0", "four", 4);
  AddNode("n1", "three", 3);
  AddNode("n2", "two", 2);
  AddNode("n3", "one", 1);
  DomainRanking ranking(OneGpuEach(4, 3), &cluster_);
  ranking.CatchUp(kNoLimit);
  EXPECT_THAT(Named(ranking.fits_all()), ElementsAre(Pair(4, "four")));
  EXPECT_THAT(Named(ranking.fits_need()), ElementsAre(Pair(3, "three")));
  EXPECT_THAT(Named(ranking.short_now()), ElementsAre(Pair(-2, "two"), Pair(-1, "one")));
  EXPECT_EQ(FitOf(ranking, "four").most, 4);
  EXPECT_EQ(FitOf(ranking, "two").most, 2);
}

TEST_F(DomainRankingTest, ShortDomainsAreAlsoRankedByWhatTheyHoldWhenEmpty) {
  AddNode("n0", "busy", 8);
  AddNode("n1", "small", 2);
  cluster_.UpsertNode(NodeBuilder("n2").Rack("cordoned").Gpus(3).Cordoned());
  cluster_.UpsertPod(PodBuilder("other").Gpus(7).On("n0"));
  DomainRanking ranking(OneGpuEach(4, 4), &cluster_);
  ranking.CatchUp(kNoLimit);
  EXPECT_THAT(Named(ranking.short_now()),
              ElementsAre(Pair(-2, "small"), Pair(-1, "busy"), Pair(0, "cordoned")));
  EXPECT_THAT(Named(ranking.short_when_empty()),
              ElementsAre(Pair(-4, "busy"), Pair(-3, "cordoned"), Pair(-2, "small")));
}

TEST_F(DomainRankingTest, MixedSizesThatFitWithLessRoomThanNeedHaveRoomNeed) {
  // Sized by its largest member the domain counts for 2; the three fit exactly.
  cluster_.UpsertNode(NodeBuilder("n0").Rack("a").CpuMilli(5000));
  std::vector<PodRecord*> members;
  for (const int64_t cpu : {2500, 1250, 1250}) {
    members.push_back(
        cluster_.UpsertPod(PodBuilder(absl::StrCat("m", members.size())).CpuMilli(cpu)));
    specs_.Intern(members.back());
  }
  DomainRanking ranking(MakeShape(members, {}, 3, rack_, cluster_), &cluster_);
  ranking.CatchUp(kNoLimit);
  EXPECT_THAT(Named(ranking.fits_all()), ElementsAre(Pair(3, "a")));
  cluster_.UpsertNode(NodeBuilder("n0").Rack("a").CpuMilli(4999));
  ranking.CatchUp(kNoLimit);
  EXPECT_THAT(ranking.fits_all(), IsEmpty());
}

TEST_F(DomainRankingTest, ADomainWithoutNodesIsInNoSet) {
  AddNode("n0", "a", 2);
  AddNode("n1", "b", 1);
  DomainRanking ranking(OneGpuEach(2, 2), &cluster_);
  ranking.CatchUp(kNoLimit);
  cluster_.RemoveNode("n0");
  cluster_.UpsertNode(NodeBuilder("n1").Gpus(1));
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 2);
  EXPECT_THAT(ranking.fits_all(), IsEmpty());
  EXPECT_THAT(ranking.short_now(), IsEmpty());
  EXPECT_THAT(ranking.short_when_empty(), IsEmpty());
  EXPECT_EQ(FitOf(ranking, "a").most, 0);
  AddNode("n9", "a", 5);
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 1);
  EXPECT_THAT(Named(ranking.fits_all()), ElementsAre(Pair(5, "a")));
}

// Nobody sees without a search that these do not fit three nodes of 9 at once.
constexpr int64_t kHardToPack[] = {8, 8, 4, 3, 3};

TEST_F(DomainRankingTest, AReachedLimitIsKnownOfTheDomainItWasReachedIn) {
  for (const char* name : {"n0", "n1", "n2"}) AddNode(name, "hard", 9);
  AddNode("n3", "easy", 26);
  std::vector<PodRecord*> members;
  for (const int64_t gpus : kHardToPack) {
    members.push_back(Member(absl::StrCat("m", members.size()), gpus));
  }
  const GangShape shape = MakeShape(members, {}, 5, rack_, cluster_);
  DomainRanking searched(shape, &cluster_);
  searched.CatchUp(kNoLimit);
  EXPECT_THAT(Named(searched.fits_all()), ElementsAre(Pair(5, "easy")));
  EXPECT_FALSE(FitOf(searched, "hard").limit_reached);
  EXPECT_FALSE(FitOf(searched, "hard").limit_reached_when_empty);
  EXPECT_EQ(FitOf(searched, "hard").most, 4);
  DomainRanking cut(shape, &cluster_);
  cut.CatchUp(PackingLimits{1});
  EXPECT_THAT(Named(cut.fits_all()), ElementsAre(Pair(5, "easy")));
  EXPECT_TRUE(FitOf(cut, "hard").limit_reached);
  EXPECT_TRUE(FitOf(cut, "hard").limit_reached_when_empty);
  EXPECT_FALSE(FitOf(cut, "easy").limit_reached);
}

// One more member that fits nowhere settles at once that not all fit, but not how many of the
// others do.
TEST_F(DomainRankingTest, ANumberThatIsOnlyShownIsCountedAsFarAsItsOwnLimitGoes) {
  for (const char* name : {"n0", "n1", "n2"}) AddNode(name, "hard", 9);
  std::vector<PodRecord*> members;
  for (const int64_t gpus : kHardToPack) {
    members.push_back(Member(absl::StrCat("m", members.size()), gpus));
  }
  members.push_back(Member("giant", 30));
  const GangShape shape = MakeShape(members, {}, 6, rack_, cluster_);
  for (const int64_t shown : {1, 2000}) {
    PackingLimits limits;
    limits.shown_states_max = shown;
    DomainRanking ranking(shape, &cluster_);
    ranking.CatchUp(limits);
    const DomainFit& fit = FitOf(ranking, "hard");
    EXPECT_EQ(fit.most, 4);
    EXPECT_EQ(fit.at_least, shown == 1) << "five might fit, as far as this was counted";
    EXPECT_EQ(fit.at_least_when_empty, shown == 1);
    EXPECT_FALSE(fit.limit_reached);
  }
}

// Counted work.

class CatchUpTest : public DomainRankingTest, public testing::WithParamInterface<int> {
 protected:
  CatchUpTest() {
    for (int i = 0; i < GetParam(); ++i) {
      AddNode(absl::StrCat("n", i), absl::StrCat("rack-", i), 2);
    }
  }
};

TEST_P(CatchUpTest, TheFirstLooksAtEveryDomainAndTheNextAtNone) {
  DomainRanking ranking(OneGpuEach(2, 2), &cluster_);
  EXPECT_EQ(ranking.CatchUp(kNoLimit), GetParam());
  const int64_t version = ranking.version();
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 0);
  EXPECT_EQ(ranking.version(), version);
}

TEST_P(CatchUpTest, LooksAtExactlyTheChangedDomainsHoweverManyThereAre) {
  DomainRanking ranking(OneGpuEach(2, 2), &cluster_);
  ranking.CatchUp(kNoLimit);
  const int64_t version = ranking.version();
  // Many changes in one domain are one look.
  for (int i = 0; i < 20; ++i) cluster_.UpsertPod(PodBuilder(absl::StrCat("p", i)).On("n0"));
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 1);
  EXPECT_GT(ranking.version(), version);
  cluster_.UpsertNode(NodeBuilder("n1").Rack("rack-1").Gpus(1));
  cluster_.RemovePod({"uid-p0"});
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 2);
  cluster_.UpsertNode(NodeBuilder("n2").Rack("rack-3").Gpus(2));  // leaves rack-2
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 2);
  cluster_.UpsertNode(NodeBuilder("new").Rack("rack-new").Gpus(2));
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 1);
  cluster_.RemoveNode("new");
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 1);
}

TEST_P(CatchUpTest, WhatChangesNoDomainIsNotLookedAt) {
  DomainRanking ranking(OneGpuEach(2, 2), &cluster_);
  PodBuilder bound("bound");
  cluster_.UpsertPod(bound.On("n0"));
  ranking.CatchUp(kNoLimit);
  cluster_.UpsertPod(bound.Label("a", "b"));                      // uses the same
  cluster_.UpsertPod(PodBuilder("pending"));                      // uses nothing
  cluster_.UpsertNode(NodeBuilder("n0").Rack("rack-0").Gpus(2));  // a heartbeat
  cluster_.UpsertNode(NodeBuilder("unlabelled").Gpus(8));         // in no domain
  cluster_.UpsertPod(PodBuilder("q").On("unlabelled"));
  cluster_.AddKey("zone");
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 0);
}

TEST_P(CatchUpTest, AReaderThatFellBehindTheLogLooksAtEveryDomainOnce) {
  DomainRanking ranking(OneGpuEach(2, 2), &cluster_);
  ranking.CatchUp(kNoLimit);
  for (int i = 0; i < 2000; ++i) {
    cluster_.UpsertPod(PodBuilder("p").On("n0"));
    cluster_.RemovePod({"uid-p"});
  }
  EXPECT_EQ(ranking.CatchUp(kNoLimit), GetParam() > 1000 ? 1 : GetParam());
  cluster_.UpsertPod(PodBuilder("p").On("n0"));
  EXPECT_EQ(ranking.CatchUp(kNoLimit), 1);
}

INSTANTIATE_TEST_SUITE_P(Domains, CatchUpTest, testing::Values(4, 40, 1100));

// What a ranking knows, in words.
std::string Describe(const DomainRanking& ranking, const ClusterState& cluster) {
  std::string text;
  const auto append = [&](const char* name, const DomainRanking::Ranked& ranked) {
    absl::StrAppend(&text, name, ":");
    for (const auto& [key, domain] : ranked) {
      const DomainFit& fit = ranking.fit(domain);
      absl::StrAppend(&text, " ", key, "/", cluster.topology().domain(domain).name, "(", fit.room,
                      " ", fit.most, " ", fit.most_when_empty, " ", fit.limit_reached,
                      fit.limit_reached_when_empty, ")");
    }
    absl::StrAppend(&text, "\n");
  };
  append("fits all", ranking.fits_all());
  append("fits need", ranking.fits_need());
  append("short now", ranking.short_now());
  append("short when empty", ranking.short_when_empty());
  return text;
}

class RandomRankingTest : public testing::TestWithParam<uint64_t> {
 protected:
  RandomRankingTest() {
    cluster_.AddKey("rack");
    cluster_.AddKey("zone");
    PodBuilder leader("leader");
    leader.Namespace("gang").CpuMilli(1500).Label("role", "leader");
    PodBuilder worker("worker");
    worker.Namespace("gang").Gpus(1).CpuMilli(500);
    PodBuilder near("near");
    near.Namespace("gang").CpuMilli(500).Affinity(TermFor(kHostnameLabel, "role", "leader"));
    PodBuilder apart("apart");
    apart.Namespace("gang").Label("role", "apart");
    apart.AntiAffinity(TermFor(kHostnameLabel, "role", "apart")).ToleratesEverything();
    AddShape({worker, worker, worker}, 2, "rack");
    AddShape({leader, worker, worker}, 3, "rack");
    AddShape({leader, near, worker}, 3, "zone");
    AddShape({apart, apart, worker}, 2, "zone");
  }

  void AddShape(const std::vector<PodBuilder>& members, int need, const std::string& key) {
    std::vector<PodRecord*> records;
    for (PodBuilder member : members) {
      records.push_back(cluster_.UpsertPod(member.Uid(absl::StrCat("gang-", count_++))));
      specs_.Intern(records.back());
    }
    shapes_.push_back(MakeShape(records, {}, need, cluster_.topology().FindKey(key), cluster_));
    often_.push_back(std::make_unique<DomainRanking>(shapes_.back(), &cluster_));
    seldom_.push_back(std::make_unique<DomainRanking>(shapes_.back(), &cluster_));
  }

  // True if the log no longer reaches back to about where it was 3000 steps ago.
  bool LogWasCut(TopologyKeyIndex key) const {
    const DomainChangeLog& log = cluster_.topology().Changes(key);
    std::vector<DomainIndex> changed;
    return !log.Since(log.end() - 1500, &changed);
  }

  ClusterState cluster_{"ome-scheduler"};
  SpecTable specs_;
  int count_ = 0;
  std::vector<GangShape> shapes_;
  std::vector<std::unique_ptr<DomainRanking>> often_;
  std::vector<std::unique_ptr<DomainRanking>> seldom_;  // so seldom that the log was cut
};

TEST_P(RandomRankingTest, AfterCatchingUpItEqualsOneBuiltAfresh) {
  RandomCluster world(GetParam());
  for (int step = 1; step <= 6000; ++step) {
    SCOPED_TRACE(absl::StrCat("seed ", GetParam(), " step ", step));
    world.Step(&cluster_);
    const size_t shape = static_cast<size_t>(step) % shapes_.size();
    const bool seldom = step % 3000 < 4;
    if (!seldom && !world.prng().Chance(50)) continue;
    DomainRanking afresh(shapes_[shape], &cluster_);
    afresh.CatchUp(kNoLimit);
    const std::string expected = Describe(afresh, cluster_);
    often_[shape]->CatchUp(kNoLimit);
    ASSERT_EQ(Describe(*often_[shape], cluster_), expected);
    if (!seldom) continue;
    EXPECT_TRUE(step < 100 || LogWasCut(shapes_[shape].key));
    seldom_[shape]->CatchUp(kNoLimit);
    ASSERT_EQ(Describe(*seldom_[shape], cluster_), expected);
  }
}

TEST_P(RandomRankingTest, EveryDomainWithNodesIsRankedOnce) {
  RandomCluster world(GetParam());
  for (int step = 1; step <= 1000; ++step) {
    world.Step(&cluster_);
    DomainRanking& ranking = *often_[0];
    ranking.CatchUp(kNoLimit);
    size_t with_nodes = 0;
    const TopologyIndex& topology = cluster_.topology();
    for (const auto& [name, domain] : topology.DomainsByName(topology.FindKey("rack"))) {
      with_nodes += topology.domain(domain).nodes.empty() ? 0 : 1;
    }
    ASSERT_EQ(ranking.fits_all().size() + ranking.fits_need().size() + ranking.short_now().size(),
              with_nodes);
    ASSERT_EQ(ranking.short_when_empty().size(), ranking.short_now().size());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRankingTest, testing::Range<uint64_t>(1, 5));

}  // namespace
}  // namespace gangpack
