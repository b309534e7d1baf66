#include "server/configuration.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;

constexpr char kHead[] = "apiVersion: gangpack/v1alpha1\nkind: Configuration\n";

std::string FaultOf(const std::string& text) {
  const absl::StatusOr<Policy> policy = ParseConfiguration("c.yaml", text);
  return policy.ok() ? "" : std::string(policy.status().message());
}

TEST(ConfigurationTest, WhatIsAbsentKeepsItsDefault) {
  const absl::StatusOr<Policy> policy = ParseConfiguration("c.yaml", kHead);
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_EQ(policy->scheduler_name, "ome-scheduler");
  EXPECT_EQ(policy->permit_timeout, absl::Seconds(600));
  EXPECT_TRUE(policy->standalone_domain_packing);
}

TEST(ConfigurationTest, EveryFieldIsTaken) {
  const absl::StatusOr<Policy> policy = ParseConfiguration(
      "c.yaml", absl::StrCat(kHead,
                             "schedulerName: mine\ntopologyKey: rack\n"
                             "podGroupTopologyKeyAnnotation: a/b\n"
                             "unsupportedPlacementGroupLabel: c/d\n"
                             "defaultPermitTimeoutSeconds: 30\nstandaloneDomainPacking: false\n"
                             "packingStatesMax: 7\n"));
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_EQ(policy->scheduler_name, "mine");
  EXPECT_EQ(policy->default_topology_key, "rack");
  EXPECT_EQ(policy->topology_key_annotation, "a/b");
  EXPECT_EQ(policy->placement_group_label, "c/d");
  EXPECT_EQ(policy->permit_timeout, absl::Seconds(30));
  EXPECT_FALSE(policy->standalone_domain_packing);
  EXPECT_EQ(policy->packing_states_max, 7);
}

TEST(ConfigurationTest, UnknownFieldIsAFaultWithItsLine) {
  EXPECT_THAT(FaultOf(absl::StrCat(kHead, "topologykey: rack\n")),
              HasSubstr("c.yaml:3: topologykey: no field of a configuration, expected one of "));
}

TEST(ConfigurationTest, AllFaultsAreReportedTogether) {
  const std::string fault =
      FaultOf(absl::StrCat(kHead, "schedulerName: \"\"\nstandaloneDomainPacking: 3\n"));
  EXPECT_THAT(fault, HasSubstr("c.yaml:3: schedulerName: is empty"));
  EXPECT_THAT(fault, HasSubstr("c.yaml:4: standaloneDomainPacking: "));
}

TEST(ConfigurationTest, TimeoutOfOneSecondIsTakenAndZeroIsAFault) {
  EXPECT_EQ(FaultOf(absl::StrCat(kHead, "defaultPermitTimeoutSeconds: 1\n")), "");
  EXPECT_THAT(FaultOf(absl::StrCat(kHead, "defaultPermitTimeoutSeconds: 0\n")),
              HasSubstr("c.yaml:3: defaultPermitTimeoutSeconds: "));
}

TEST(ConfigurationTest, AnotherVersionOrKindOrNoDocumentIsAFault) {
  EXPECT_THAT(FaultOf("apiVersion: gangpack/v2\nkind: Configuration\n"),
              HasSubstr("c.yaml:1: apiVersion: "));
  EXPECT_THAT(FaultOf("apiVersion: gangpack/v1alpha1\n"), HasSubstr("kind: is missing"));
  EXPECT_THAT(FaultOf(""), HasSubstr("has 0 documents, expected one configuration"));
  EXPECT_THAT(FaultOf("[]"), HasSubstr("c.yaml:1: "));
}

TEST(ConfigurationTest, FileThatCannotBeReadIsNamed) {
  const absl::StatusOr<Policy> policy = ReadConfiguration("no/such/file.yaml");
  ASSERT_FALSE(policy.ok());
  EXPECT_THAT(std::string(policy.status().message()), HasSubstr("no/such/file.yaml"));
}

}  // namespace
}  // namespace gangpack::server
