#include "core/topology_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/support/prng.h"

namespace gangpack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TopologyIndexTest : public testing::Test {
 protected:
  void Place(NodeIndex node, const std::string& name, const std::string& rack) {
    index_.Place(rack_, node, name, {{"rack", rack}});
  }
  std::vector<NodeIndex> NodesOf(const std::string& rack) const {
    const DomainIndex domain = index_.FindDomain(rack_, rack);
    return domain == kNoDomain ? std::vector<NodeIndex>{} : index_.domain(domain).nodes;
  }
  // The racks that changed since `position`, in the order in which they did.
  std::vector<std::string> ChangedSince(int64_t position) const {
    std::vector<DomainIndex> changed;
    EXPECT_TRUE(index_.Changes(rack_).Since(position, &changed));
    std::vector<std::string> names;
    for (const DomainIndex domain : changed) names.push_back(index_.domain(domain).name);
    return names;
  }
  int64_t Now() const { return index_.Changes(rack_).end(); }

  TopologyIndex index_;
  const TopologyKeyIndex rack_ = index_.AddKey("rack");
};

TEST_F(TopologyIndexTest, AKeyKeepsItsIndexAndAnUnknownOneHasNone) {
  EXPECT_EQ(index_.FindKey("rack"), rack_);
  EXPECT_EQ(index_.AddKey("rack"), rack_);
  EXPECT_EQ(index_.FindKey("zone"), -1);
  const TopologyKeyIndex zone = index_.AddKey("zone");
  EXPECT_NE(zone, rack_);
  EXPECT_EQ(index_.keys(), 2u);
  EXPECT_EQ(index_.KeyName(zone), "zone");
}

TEST_F(TopologyIndexTest, ADomainIsTheNodesWithTheSameValue) {
  Place(0, "n0", "a");
  Place(1, "n1", "b");
  Place(2, "n2", "a");
  EXPECT_THAT(NodesOf("a"), ElementsAre(0, 2));
  EXPECT_THAT(NodesOf("b"), ElementsAre(1));
  EXPECT_EQ(index_.DomainOf(rack_, 0), index_.FindDomain(rack_, "a"));
  EXPECT_EQ(index_.domain(index_.DomainOf(rack_, 1)).name, "b");
  EXPECT_EQ(index_.domain(index_.DomainOf(rack_, 1)).key, rack_);
}

TEST_F(TopologyIndexTest, ValuesAreComparedWhole) {
  Place(0, "n0", "rack-1");
  Place(1, "n1", "rack-10");
  Place(2, "n2", "Rack-1");
  EXPECT_THAT(NodesOf("rack-1"), ElementsAre(0));
  EXPECT_THAT(NodesOf("rack-10"), ElementsAre(1));
  EXPECT_EQ(index_.FindDomain(rack_, "rack"), kNoDomain);
}

TEST_F(TopologyIndexTest, NodesThatCarryTheKeyWithAnEmptyValueAreCounted) {
  EXPECT_EQ(index_.EmptyLabels(rack_), 0);
  index_.Place(rack_, 0, "n0", {});
  Place(1, "n1", "a");
  EXPECT_EQ(index_.EmptyLabels(rack_), 0);
  Place(1, "n1", "");
  Place(2, "n2", "");
  Place(2, "n2", "");
  EXPECT_EQ(index_.EmptyLabels(rack_), 2);
  index_.Place(rack_, 1, "n1", {});
  EXPECT_EQ(index_.EmptyLabels(rack_), 1);
  index_.Remove(rack_, 2);
  EXPECT_EQ(index_.EmptyLabels(rack_), 0);
}

TEST_F(TopologyIndexTest, ADomainsChangesGrowWithWhatHappensOnItsNodesAndNoOthers) {
  Place(0, "n0", "a");
  Place(1, "n1", "b");
  const auto changes = [this](const char* rack) {
    return index_.domain(index_.FindDomain(rack_, rack)).changes;
  };
  const int64_t a = changes("a");
  const int64_t b = changes("b");
  index_.Touch(0);
  EXPECT_GT(changes("a"), a);
  EXPECT_EQ(changes("b"), b);
  const int64_t touched = changes("a");
  Place(0, "n0", "b");
  EXPECT_GT(changes("a"), touched);
  EXPECT_GT(changes("b"), b);
}

TEST_F(TopologyIndexTest, NoLabelAndAnEmptyValueAreNoDomain) {
  index_.Place(rack_, 0, "n0", {});
  Place(1, "n1", "");
  EXPECT_EQ(index_.DomainOf(rack_, 0), kNoDomain);
  EXPECT_EQ(index_.DomainOf(rack_, 1), kNoDomain);
  EXPECT_THAT(index_.DomainsByName(rack_), IsEmpty());
}

TEST_F(TopologyIndexTest, ANodeNeverPlacedIsInNoDomain) {
  EXPECT_EQ(index_.DomainOf(rack_, 7), kNoDomain);
}

TEST_F(TopologyIndexTest, TheSameValueOfAnotherKeyIsAnotherDomain) {
  const TopologyKeyIndex zone = index_.AddKey("zone");
  const Labels labels = {{"rack", "x"}, {"zone", "x"}};
  index_.Place(rack_, 0, "n0", labels);
  index_.Place(zone, 0, "n0", labels);
  EXPECT_NE(index_.DomainOf(rack_, 0), index_.DomainOf(zone, 0));
  EXPECT_EQ(index_.domain(index_.DomainOf(zone, 0)).key, zone);
}

TEST_F(TopologyIndexTest, NodesOfADomainAreSortedByNameNotByArrival) {
  Place(0, "n9", "a");
  Place(1, "n10", "a");
  Place(2, "n1", "a");
  EXPECT_THAT(NodesOf("a"), ElementsAre(2, 1, 0));
}

TEST_F(TopologyIndexTest, ARelabelledNodeLeavesItsDomain) {
  Place(0, "n0", "a");
  Place(1, "n1", "a");
  Place(0, "n0", "b");
  EXPECT_THAT(NodesOf("a"), ElementsAre(1));
  EXPECT_THAT(NodesOf("b"), ElementsAre(0));
  index_.Place(rack_, 0, "n0", {{"other", "b"}});
  EXPECT_THAT(NodesOf("b"), IsEmpty());
  EXPECT_EQ(index_.DomainOf(rack_, 0), kNoDomain);
}

TEST_F(TopologyIndexTest, PlacingANodeWhereItIsChangesNothing) {
  Place(0, "n0", "a");
  const int64_t before = Now();
  Place(0, "n0", "a");
  EXPECT_THAT(NodesOf("a"), ElementsAre(0));
  EXPECT_THAT(ChangedSince(before), IsEmpty());
}

TEST_F(TopologyIndexTest, ADomainKeepsItsIndexWhileItHasNoNodes) {
  Place(0, "n0", "a");
  const DomainIndex domain = index_.FindDomain(rack_, "a");
  index_.Remove(rack_, 0);
  index_.Remove(rack_, 0);
  EXPECT_THAT(index_.domain(domain).nodes, IsEmpty());
  Place(1, "n1", "a");
  EXPECT_EQ(index_.FindDomain(rack_, "a"), domain);
  EXPECT_EQ(index_.domains(), 1u);
}

TEST_F(TopologyIndexTest, AMoveChangesBothDomainsAndNoThird) {
  Place(0, "n0", "a");
  Place(1, "n1", "c");
  const int64_t before = Now();
  Place(0, "n0", "b");
  EXPECT_THAT(ChangedSince(before), ElementsAre("a", "b"));
}

TEST_F(TopologyIndexTest, ARemovalChangesTheDomain) {
  Place(0, "n0", "a");
  const int64_t before = Now();
  index_.Remove(rack_, 0);
  EXPECT_THAT(ChangedSince(before), ElementsAre("a"));
}

TEST_F(TopologyIndexTest, ATouchChangesTheNodesDomainOfEveryKeyAndNoOther) {
  const TopologyKeyIndex zone = index_.AddKey("zone");
  index_.Place(zone, 0, "n0", {{"zone", "east"}});
  Place(0, "n0", "a");
  Place(1, "n1", "b");
  const int64_t rack_before = Now();
  const int64_t zone_before = index_.Changes(zone).end();
  index_.Touch(1);  // in no zone
  index_.Touch(0);
  index_.Touch(9);  // in nothing
  EXPECT_THAT(ChangedSince(rack_before), ElementsAre("b", "a"));
  EXPECT_EQ(index_.Changes(zone).end(), zone_before + 1);
}

TEST(DomainChangeLogTest, AReaderGetsWhatCameSinceItsPosition) {
  DomainChangeLog log;
  EXPECT_EQ(log.end(), 0);
  log.Append(5, 1);
  log.Append(6, 1);
  std::vector<DomainIndex> changed = {1};
  EXPECT_TRUE(log.Since(1, &changed));
  EXPECT_THAT(changed, ElementsAre(1, 6));
  changed.clear();
  EXPECT_TRUE(log.Since(log.end(), &changed));
  EXPECT_THAT(changed, IsEmpty());
}

TEST(DomainChangeLogTest, FromTheStartAlwaysMeansAfresh) {
  DomainChangeLog log;
  std::vector<DomainIndex> changed;
  EXPECT_FALSE(log.Since(DomainChangeLog::kFromStart, &changed));
  log.Append(5, 1);
  EXPECT_FALSE(log.Since(DomainChangeLog::kFromStart, &changed));
  EXPECT_THAT(changed, IsEmpty());
}

// Appends `entries` changes of a log with so many domains and returns the oldest position that can
// be read.
int64_t OldestReadable(int entries, size_t domains, DomainChangeLog* log) {
  for (int i = 0; i < entries; ++i) log->Append(i % 7, domains);
  std::vector<DomainIndex> changed;
  int64_t oldest = 0;
  while (!log->Since(oldest, &changed)) ++oldest;
  EXPECT_EQ(static_cast<int64_t>(changed.size()), log->end() - oldest);
  for (size_t i = 0; i < changed.size(); ++i) {
    EXPECT_EQ(changed[i], (oldest + static_cast<int64_t>(i)) % 7);
  }
  return oldest;
}

TEST(DomainChangeLogTest, ALogThatGrewTooLongIsCutInHalfAndPositionsStayValid) {
  DomainChangeLog full;
  EXPECT_EQ(OldestReadable(1024, 3, &full), 0);
  EXPECT_EQ(full.end(), 1024);
  DomainChangeLog cut;
  EXPECT_EQ(OldestReadable(1025, 3, &cut), 512);
  EXPECT_EQ(cut.end(), 1025);
}

TEST(DomainChangeLogTest, ALogOfManyDomainsIsCutAtFourTimesTheirNumber) {
  DomainChangeLog full;
  EXPECT_EQ(OldestReadable(4000, 1000, &full), 0);
  DomainChangeLog cut;
  EXPECT_EQ(OldestReadable(4001, 1000, &cut), 2000);
}

// The index as text against what a plain look at all nodes gives.
class RandomTopologyTest : public testing::TestWithParam<uint64_t> {
 protected:
  using NodeLabels = std::map<int, std::optional<Labels>>;  // nullopt: removed

  static std::string Name(int node) { return absl::StrCat("n", node * 7 % 11); }

  // Domains with nodes, by key and value, their nodes by name.
  static std::map<std::string, std::vector<std::string>> Rescan(const NodeLabels& nodes,
                                                                const TopologyIndex& index) {
    std::map<std::string, std::set<std::string>> sets;
    for (const auto& [node, labels] : nodes) {
      if (!labels.has_value()) continue;
      for (size_t key = 0; key < index.keys(); ++key) {
        const std::string& name = index.KeyName(static_cast<TopologyKeyIndex>(key));
        const auto label = labels->find(name);
        if (label == labels->end() || label->second.empty()) continue;
        sets[absl::StrCat(name, "=", label->second)].insert(Name(node));
      }
    }
    std::map<std::string, std::vector<std::string>> domains;
    for (const auto& [name, set] : sets) domains[name].assign(set.begin(), set.end());
    return domains;
  }

  static std::map<std::string, std::vector<std::string>> Indexed(const TopologyIndex& index) {
    std::map<std::string, std::vector<std::string>> domains;
    for (size_t key = 0; key < index.keys(); ++key) {
      const TopologyKeyIndex key_index = static_cast<TopologyKeyIndex>(key);
      for (const auto& [value, domain] : index.DomainsByName(key_index)) {
        for (const NodeIndex node : index.domain(domain).nodes) {
          EXPECT_EQ(index.DomainOf(key_index, node), domain);
          domains[absl::StrCat(index.KeyName(key_index), "=", value)].push_back(Name(node));
        }
      }
    }
    return domains;
  }
};

TEST_P(RandomTopologyTest, AfterEveryChangeItEqualsAPlainRescan) {
  Prng prng(GetParam());
  TopologyIndex index;
  index.AddKey("rack");
  NodeLabels nodes;
  for (int step = 0; step < 3000; ++step) {
    SCOPED_TRACE(absl::StrCat("seed ", GetParam(), " step ", step));
    const int node = prng.Between(0, 10);
    if (step == 1000) {
      const TopologyKeyIndex zone = index.AddKey("zone");
      for (const auto& [n, labels] : nodes) {
        if (labels.has_value()) index.Place(zone, n, Name(n), *labels);
      }
    }
    std::optional<Labels> labels;
    if (!prng.Chance(25)) {
      labels.emplace();
      for (const char* key : {"rack", "zone"}) {
        if (prng.Chance(80))
          (*labels)[key] = prng.Chance(10) ? "" : std::to_string(prng.Between(0, 3));
      }
    }
    for (size_t key = 0; key < index.keys(); ++key) {
      const TopologyKeyIndex key_index = static_cast<TopologyKeyIndex>(key);
      if (labels.has_value()) {
        index.Place(key_index, node, Name(node), *labels);
      } else {
        index.Remove(key_index, node);
      }
    }
    nodes[node] = labels;
    ASSERT_EQ(Indexed(index), Rescan(nodes, index));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTopologyTest, testing::Range<uint64_t>(1, 6));

}  // namespace
}  // namespace gangpack
