#include "server/doctor/topology_census.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/doctor/finding_list.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

k8s::ApiRecord GroupRecord(const std::string& name) {
  k8s::DecodedPodGroup decoded;
  decoded.group.name = {"ns", name};
  decoded.group.min_member = 1;
  decoded.group.annotations["ome.io/topology-key"] = "rack";
  k8s::ApiRecord record;
  record.identity = {"ns", name, "u"};
  record.object = decoded;
  return record;
}

PodGroup& GroupOf(k8s::ApiRecord& record) {
  return std::get<k8s::DecodedPodGroup>(*record.object).group;
}

k8s::ApiRecord NodeRecord(const std::string& name, const Labels& labels) {
  k8s::DecodedNode decoded;
  decoded.node.name = name;
  decoded.node.labels = labels;
  k8s::ApiRecord record;
  record.identity = {"", name, "u"};
  record.object = decoded;
  return record;
}

k8s::ApiRecord Unreadable(const k8s::ObjectIdentity& identity) {
  k8s::ApiRecord record;
  record.identity = identity;
  record.fault = "spec is a list";
  return record;
}

Policy WithKey(const std::string& key) {
  Policy policy;
  policy.default_topology_key = key;
  return policy;
}

TEST(PodGroupCensusTest, NothingIsWrongWithGroupsThatCanWork) {
  PodGroupCensus census{Policy()};
  EXPECT_EQ(census.Findings().at(0).found, "there are none yet");
  census.Add(GroupRecord("a"));
  EXPECT_EQ(census.Findings().at(0).found, "the only one can work");
  census.Add(GroupRecord("b"));
  EXPECT_EQ(census.Findings().at(0).found, "all 2 can work");
  EXPECT_THAT(Wrong(census.Findings()), IsEmpty());
}

TEST(PodGroupCensusTest, MinMemberMustBePositive) {
  PodGroupCensus census{Policy()};
  k8s::ApiRecord record = GroupRecord("absent");
  GroupOf(record).min_member.reset();
  census.Add(record);
  record = GroupRecord("zero");
  GroupOf(record).min_member = 0;
  census.Add(record);
  census.Add(GroupRecord("one"));
  EXPECT_THAT(Wrong(census.Findings()),
              ElementsAre("warning podgroups: 2 PodGroups without a positive minMember: ns/absent, "
                          "ns/zero"));
}

TEST(PodGroupCensusTest, AKeyComesFromTheAnnotationOrFromTheConfiguration) {
  k8s::ApiRecord without = GroupRecord("plain");
  GroupOf(without).annotations.clear();
  PodGroupCensus none{Policy()};
  none.Add(without);
  EXPECT_THAT(Wrong(none.Findings()),
              ElementsAre("warning podgroups: 1 PodGroup without a topology key: ns/plain"));
  EXPECT_THAT(none.Keys(), IsEmpty());
  PodGroupCensus configured(WithKey("zone"));
  configured.Add(without);
  configured.Add(GroupRecord("named"));
  EXPECT_THAT(Wrong(configured.Findings()), IsEmpty());
  EXPECT_THAT(configured.Keys(), ElementsAre(testing::Pair("rack", ElementsAre("ns/named")),
                                             testing::Pair("zone", ElementsAre("ns/plain"))));
}

TEST(PodGroupCensusTest, TheConfiguredKeyIsInUseWithoutAnyGroup) {
  EXPECT_THAT(PodGroupCensus(WithKey("zone")).Keys(),
              ElementsAre(testing::Pair("zone", IsEmpty())));
}

TEST(PodGroupCensusTest, PlacementGroupsAreNamed) {
  PodGroupCensus census{Policy()};
  k8s::ApiRecord record = GroupRecord("partner");
  GroupOf(record).labels["ome.io/placement-group"] = "";
  census.Add(record);
  EXPECT_THAT(Wrong(census.Findings()), ElementsAre("warning podgroups: 1 PodGroup with the label "
                                                    "ome.io/placement-group: ns/partner"));
}

TEST(PodGroupCensusTest, WhatCannotBeReadIsNamedWithItsFault) {
  PodGroupCensus census{Policy()};
  census.Add(Unreadable({"ns", "odd", "u"}));
  const std::vector<Finding> findings = census.Findings();
  EXPECT_THAT(Wrong(findings), ElementsAre("warning podgroups: 1 PodGroup cannot be read: ns/odd"));
  EXPECT_THAT(findings[0].why, HasSubstr("spec is a list"));
}

TEST(PodGroupCensusTest, ThreeNamesAreShown) {
  PodGroupCensus three{Policy()};
  PodGroupCensus four{Policy()};
  for (const char* name : {"d", "c", "b", "a"}) {
    k8s::ApiRecord record = GroupRecord(name);
    GroupOf(record).min_member = -1;
    four.Add(record);
    if (std::string(name) != "d") three.Add(record);
  }
  EXPECT_THAT(Wrong(three.Findings()), ElementsAre(HasSubstr(": ns/a, ns/b, ns/c")));
  EXPECT_THAT(Wrong(four.Findings()), ElementsAre(HasSubstr(": ns/a, ns/b, ns/c and 1 more")));
}

TEST(PodGroupCensusTest, TheLongestTimeoutIsKeptWithTheLowestName) {
  PodGroupCensus census{Policy()};
  k8s::ApiRecord negative = GroupRecord("negative");
  GroupOf(negative).schedule_timeout_seconds = -5;
  census.Add(negative);
  EXPECT_EQ(census.longest_timeout(), absl::ZeroDuration());
  EXPECT_EQ(census.longest(), "");
  for (const auto& [name, seconds] :
       {std::pair<const char*, int64_t>("b", 70), {"a", 70}, {"c", 69}}) {
    k8s::ApiRecord record = GroupRecord(name);
    GroupOf(record).schedule_timeout_seconds = seconds;
    census.Add(record);
  }
  EXPECT_EQ(census.longest_timeout(), absl::Seconds(70));
  EXPECT_EQ(census.longest(), "ns/a");
}

TEST(NodeCensusTest, DomainsAreCountedWithTheirSizes) {
  NodeCensus census({{"rack", {"ns/a"}}}, Policy());
  census.Add(NodeRecord("n1", {{"rack", "r1"}}));
  census.Add(NodeRecord("n2", {{"rack", "r1"}}));
  census.Add(NodeRecord("n3", {{"rack", "r2"}}));
  census.Add(NodeRecord("n4", {{"rack", ""}}));
  census.Add(NodeRecord("n5", {}));
  const std::vector<Finding> findings = census.Findings();
  EXPECT_THAT(Wrong(findings), IsEmpty());
  EXPECT_EQ(Of(findings, "nodes").at(0).found, "5 nodes");
  EXPECT_EQ(Of(findings, "topology").at(0).found,
            "rack, used by 1 PodGroup: 2 domains of 1 to 2 nodes; 2 of 5 nodes without");
  EXPECT_EQ(census.nodes(), 5);
}

TEST(NodeCensusTest, DomainsOfOneSizeHaveOneNumber) {
  NodeCensus census({{"rack", {}}}, WithKey("rack"));
  census.Add(NodeRecord("n1", {{"rack", "r1"}}));
  EXPECT_EQ(Of(census.Findings(), "topology").at(0).found,
            "rack, the configured topologyKey: 1 domain of 1 node; 0 of 1 node without");
}

TEST(NodeCensusTest, AKeyThatNoNodeHasIsAnErrorWhereItIsTheConfiguredOne) {
  NodeCensus census({{"zone", {}}, {"rcak", {"ns/a"}}}, WithKey("zone"));
  census.Add(NodeRecord("n1", {{"rack", "r1"}}));
  const std::vector<Finding> findings = census.Findings();
  EXPECT_THAT(Wrong(findings),
              ElementsAre("warning topology: no node has the label `rcak`, used by 1 PodGroup",
                          "error topology: no node has the label `zone`, the configured "
                          "topologyKey"));
  EXPECT_THAT(Of(findings, "topology")[0].why, HasSubstr(": ns/a"));
}

TEST(NodeCensusTest, WithoutAnyKeyEachPodGroupHasToNameOne) {
  NodeCensus census({}, Policy());
  census.Add(NodeRecord("n1", {}));
  EXPECT_THAT(Wrong(census.Findings()), IsEmpty());
  EXPECT_THAT(Of(census.Findings(), "topology").at(0).found, HasSubstr("ome.io/topology-key"));
}

TEST(NodeCensusTest, AClusterWithoutNodesIsAWarningAlone) {
  EXPECT_THAT(Wrong(NodeCensus({{"zone", {}}}, WithKey("zone")).Findings()),
              ElementsAre("warning nodes: there are none"));
}

TEST(NodeCensusTest, NodesThatCannotBeReadAreNamed) {
  NodeCensus census({}, Policy());
  census.Add(Unreadable({"", "odd", "u"}));
  EXPECT_THAT(Wrong(census.Findings()), ElementsAre("warning nodes: 1 node cannot be read: odd"));
  EXPECT_THAT(Of(census.Findings(), "nodes"), SizeIs(1));
}

}  // namespace
}  // namespace gangpack::server
