#include "core/reservation_ledger.h"

#include <gtest/gtest.h>

#include <string>

#include "core/gang.h"

namespace gangpack {
namespace {

// Nodes 0 to 3: racks a, a, b and none; zones east, west, west and west.
class ReservationLedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    rack_ = topology_.AddKey("rack");
    Place(0, {{"rack", "a"}, {"zone", "east"}});
    Place(1, {{"rack", "a"}, {"zone", "west"}});
    Place(2, {{"rack", "b"}, {"zone", "west"}});
    Place(3, {{"zone", "west"}});
  }

  // From now on zones are indexed as well.
  void AddZones() {
    zone_ = topology_.AddKey("zone");
    for (NodeIndex node = 0; node < 4; ++node) {
      topology_.Place(zone_, node, Name(node), labels_[static_cast<size_t>(node)]);
    }
  }

  DomainIndex Rack(const std::string& name) const { return topology_.FindDomain(rack_, name); }
  DomainIndex Zone(const std::string& name) const { return topology_.FindDomain(zone_, name); }

  TopologyIndex topology_;
  ReservationLedger ledger_;
  Gang one_;
  Gang two_;

 private:
  static std::string Name(NodeIndex node) { return "node-" + std::to_string(node); }
  void Place(NodeIndex node, Labels labels) {
    topology_.Place(rack_, node, Name(node), labels);
    labels_.push_back(std::move(labels));
  }

  TopologyKeyIndex rack_ = -1;
  TopologyKeyIndex zone_ = -1;
  std::vector<Labels> labels_;
};

TEST_F(ReservationLedgerTest, AHoldIsOnTheDomainFromHoldToRelease) {
  EXPECT_TRUE(ledger_.empty());
  EXPECT_EQ(ledger_.HolderOf(Rack("a")), nullptr);
  ledger_.Hold(Rack("a"), &one_);
  EXPECT_FALSE(ledger_.empty());
  EXPECT_EQ(ledger_.HolderOf(Rack("a")), &one_);
  EXPECT_EQ(ledger_.HolderOf(Rack("b")), nullptr);
  ledger_.Release(Rack("a"));
  EXPECT_TRUE(ledger_.empty());
  EXPECT_EQ(ledger_.HolderOf(Rack("a")), nullptr);
}

TEST_F(ReservationLedgerTest, EveryNodeOfAHeldDomainIsHeldAndNoOther) {
  ledger_.Hold(Rack("a"), &one_);
  EXPECT_EQ(ledger_.HolderOfNode(0, topology_), &one_);
  EXPECT_EQ(ledger_.HolderOfNode(1, topology_), &one_);
  EXPECT_EQ(ledger_.HolderOfNode(2, topology_), nullptr);
  EXPECT_EQ(ledger_.HolderOfNode(3, topology_), nullptr);
}

TEST_F(ReservationLedgerTest, ANodeIsHeldByWhateverKeyTheHoldIs) {
  AddZones();
  ledger_.Hold(Zone("west"), &one_);
  EXPECT_EQ(ledger_.HolderOfNode(0, topology_), nullptr);
  EXPECT_EQ(ledger_.HolderOfNode(1, topology_), &one_);
  EXPECT_EQ(ledger_.HolderOfNode(2, topology_), &one_);
  EXPECT_EQ(ledger_.HolderOfNode(3, topology_), &one_);
}

TEST_F(ReservationLedgerTest, OnlyOthersHoldsAreInTheWay) {
  ledger_.Hold(Rack("a"), &one_);
  EXPECT_EQ(ledger_.HolderOverlapping(Rack("a"), &one_, topology_), nullptr);
  EXPECT_EQ(ledger_.HolderOverlapping(Rack("a"), &two_, topology_), &one_);
  EXPECT_EQ(ledger_.HolderOverlapping(Rack("b"), &two_, topology_), nullptr);
}

TEST_F(ReservationLedgerTest, DomainsOfDifferentKeysThatShareANodeExcludeEachOther) {
  AddZones();
  ledger_.Hold(Zone("east"), &one_);  // node 0 alone
  EXPECT_EQ(ledger_.HolderOverlapping(Rack("a"), &two_, topology_), &one_);
  EXPECT_EQ(ledger_.HolderOverlapping(Rack("a"), &one_, topology_), nullptr);
  EXPECT_EQ(ledger_.HolderOverlapping(Rack("b"), &two_, topology_), nullptr);
  EXPECT_EQ(ledger_.HolderOverlapping(Zone("west"), &two_, topology_), nullptr);
}

TEST_F(ReservationLedgerTest, DomainsThatShareNoNodeAnyLongerDoNotExcludeEachOther) {
  AddZones();
  ledger_.Hold(Zone("east"), &one_);
  topology_.Place(topology_.FindKey("zone"), 0, "node-0", {{"zone", "west"}});
  EXPECT_EQ(ledger_.HolderOverlapping(Rack("a"), &two_, topology_), nullptr);
  EXPECT_EQ(ledger_.HolderOfNode(0, topology_), nullptr);
}

TEST_F(ReservationLedgerTest, OnesOwnHoldDoesNotHideAnothersUnderAnotherKey) {
  AddZones();
  ledger_.Hold(Rack("a"), &one_);
  ledger_.Hold(Zone("west"), &two_);
  EXPECT_EQ(ledger_.HolderOverlapping(Rack("a"), &one_, topology_), &two_);
}

TEST_F(ReservationLedgerTest, ADomainHasAtMostOneHolder) {
  ledger_.Hold(Rack("a"), &one_);
  EXPECT_DEATH(ledger_.Hold(Rack("a"), &two_), "broken invariant");
  EXPECT_DEATH(ledger_.Release(Rack("b")), "broken invariant");
}

}  // namespace
}  // namespace gangpack
