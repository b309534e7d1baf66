#include "server/configuration.h"

#include <chrono>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;

constexpr char kHead[] = "apiVersion: gangpack/v1alpha1\nkind: Configuration\n";

std::string FaultOf(const std::string& text) {
  const absl::StatusOr<Configuration> configuration = ParseConfiguration("c.yaml", text);
  return configuration.ok() ? "" : std::string(configuration.status().message());
}

TEST(ConfigurationTest, WhatIsAbsentKeepsItsDefault) {
  const absl::StatusOr<Configuration> configuration = ParseConfiguration("c.yaml", kHead);
  ASSERT_TRUE(configuration.ok()) << configuration.status();
  EXPECT_EQ(configuration->policy.scheduler_name, "ome-scheduler");
  EXPECT_EQ(configuration->policy.permit_timeout, absl::Seconds(600));
  EXPECT_TRUE(configuration->policy.standalone_domain_packing);
}

TEST(ConfigurationTest, EveryFieldIsTaken) {
  const absl::StatusOr<Configuration> configuration = ParseConfiguration(
      "c.yaml", absl::StrCat(kHead,
                             "schedulerName: mine\ntopologyKey: rack\n"
                             "podGroupTopologyKeyAnnotation: a/b\n"
                             "unsupportedPlacementGroupLabel: c/d\n"
                             "defaultPermitTimeoutSeconds: 30\nstandaloneDomainPacking: false\n"
                             "packingStatesMax: 7\n"));
  ASSERT_TRUE(configuration.ok()) << configuration.status();
  EXPECT_EQ(configuration->policy.scheduler_name, "mine");
  EXPECT_EQ(configuration->policy.default_topology_key, "rack");
  EXPECT_EQ(configuration->policy.topology_key_annotation, "a/b");
  EXPECT_EQ(configuration->policy.placement_group_label, "c/d");
  EXPECT_EQ(configuration->policy.permit_timeout, absl::Seconds(30));
  EXPECT_FALSE(configuration->policy.standalone_domain_packing);
  EXPECT_EQ(configuration->policy.packing_states_max, 7);
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

TEST(ConfigurationTest, EveryFieldOfTheServerIsTakenPerListener) {
  const absl::StatusOr<Configuration> configuration = ParseConfiguration(
      "c.yaml",
      absl::StrCat(kHead,
                   "server:\n"
                   "  filter: {listen: '127.0.0.1:81', connectionsMax: 2, bodyBytesMax: 4096,\n"
                   "    idleTimeoutSeconds: 3, requestTimeoutSeconds: 4, writeTimeoutSeconds: 5,\n"
                   "    threadIdleTimeoutSeconds: 6, threadStackBytes: 1048577,\n"
                   "    headTimeoutSeconds: 7, bodiesBytesMax: 8192}\n"
                   "  bind: {listen: '[::1]:82', connectionsMax: 7}\n"));
  ASSERT_TRUE(configuration.ok()) << configuration.status();
  const HttpListenerOptions& filter = configuration->http.filter;
  EXPECT_EQ(filter.address, "127.0.0.1");
  EXPECT_EQ(filter.port, 81);
  EXPECT_EQ(filter.connections_max, 2u);
  EXPECT_EQ(filter.body_bytes_max, 4096);
  EXPECT_EQ(filter.bodies_bytes_max, 8192);
  EXPECT_EQ(filter.idle_timeout, std::chrono::seconds(3));
  EXPECT_EQ(filter.head_timeout, std::chrono::seconds(7));
  EXPECT_EQ(filter.request_timeout, std::chrono::seconds(4));
  EXPECT_EQ(filter.write_timeout, std::chrono::seconds(5));
  EXPECT_EQ(filter.thread_idle_timeout, std::chrono::seconds(6));
  EXPECT_EQ(filter.thread_stack_bytes, 1048577u);
  const HttpListenerOptions& bind = configuration->http.bind;
  EXPECT_EQ(bind.address, "::1");
  EXPECT_EQ(bind.port, 82);
  EXPECT_EQ(bind.connections_max, 7u);
  EXPECT_EQ(bind.body_bytes_max, HttpServerOptions().bind.body_bytes_max) << "its own default";
}

TEST(ConfigurationTest, FaultsOfTheServerHaveLineAndPath) {
  const std::string fault = FaultOf(absl::StrCat(kHead,
                                                 "server:\n"
                                                 "  filter:\n"
                                                 "    connectionsMax: 0\n"
                                                 "    bodyBytesMax: -1\n"
                                                 "    idleTimeoutSeconds: 99999999999\n"
                                                 "    listen: 10.0.0.1:80\n"
                                                 "    bodyMax: 1\n"
                                                 "  bind: 7\n"));
  EXPECT_THAT(fault, HasSubstr("c.yaml:5: server.filter.connectionsMax: `0`, expected a whole "
                               "number from 1 to 65536"));
  EXPECT_THAT(fault, HasSubstr("c.yaml:6: server.filter.bodyBytesMax: `-1`, expected "));
  EXPECT_THAT(fault, HasSubstr("c.yaml:7: server.filter.idleTimeoutSeconds: "));
  EXPECT_THAT(fault, HasSubstr("c.yaml:8: server.filter.listen: "));
  EXPECT_THAT(fault, HasSubstr("c.yaml:9: server.filter.bodyMax: no field of a configuration, "
                               "expected one of listen, connectionsMax, "));
  EXPECT_THAT(fault, HasSubstr("c.yaml:10: server.bind: "));
}

TEST(ConfigurationTest, TheEdgesOfARangeAreTakenAndWhatIsBeyondIsAFault) {
  const auto fault_of = [](const std::string& field) {
    return FaultOf(absl::StrCat(kHead, "server: {bind: {", field, "}}\n"));
  };
  EXPECT_EQ(fault_of("bodyBytesMax: 1024"), "");
  EXPECT_NE(fault_of("bodyBytesMax: 1023"), "");
  EXPECT_EQ(fault_of("bodyBytesMax: 1073741824"), "");
  EXPECT_NE(fault_of("bodyBytesMax: 1073741825"), "");
  EXPECT_EQ(fault_of("idleTimeoutSeconds: 86400"), "");
  EXPECT_NE(fault_of("idleTimeoutSeconds: 86401"), "");
  EXPECT_NE(fault_of("idleTimeoutSeconds: 1.5"), "");
  EXPECT_NE(fault_of("idleTimeoutSeconds: '3'"), "") << "a text is no number";
}

TEST(ConfigurationTest, KeysOfLabelsMustBeSuchAsKubernetesTakes) {
  for (const char* key : {"rack", "nvidia.com/gpu.clique", "a_b-c.d", "x.y/Z"}) {
    EXPECT_EQ(FaultOf(absl::StrCat(kHead, "topologyKey: ", key, "\n")), "") << key;
  }
  for (const char* key : {"a b", "/a", "a/", "a/b/c", "-a", "Nvidia.com/x", "a..b/c", "r%ck"}) {
    EXPECT_THAT(FaultOf(absl::StrCat(kHead, "topologyKey: '", key, "'\n")),
                HasSubstr("expected a label's key such as example.com/rack"))
        << key;
  }
  EXPECT_EQ(FaultOf(absl::StrCat(kHead, "topologyKey: ''\n")), "");
  EXPECT_EQ(FaultOf(absl::StrCat(kHead, "topologyKey: ", std::string(63, 'a'), "\n")), "");
  EXPECT_NE(FaultOf(absl::StrCat(kHead, "topologyKey: ", std::string(64, 'a'), "\n")), "");
  EXPECT_THAT(FaultOf(absl::StrCat(kHead, "schedulerName: my scheduler\n")),
              HasSubstr("expected a name without white space"));
}

TEST(ConfigurationTest, AnotherVersionOrKindOrNoDocumentIsAFault) {
  EXPECT_THAT(FaultOf("apiVersion: gangpack/v2\nkind: Configuration\n"),
              HasSubstr("c.yaml:1: apiVersion: "));
  EXPECT_THAT(FaultOf("apiVersion: gangpack/v1alpha1\n"), HasSubstr("kind: is missing"));
  EXPECT_THAT(FaultOf(""), HasSubstr("has 0 documents, expected one configuration"));
  EXPECT_THAT(FaultOf("[]"), HasSubstr("c.yaml:1: "));
}

TEST(ConfigurationTest, FileThatCannotBeReadIsNamed) {
  const absl::StatusOr<Configuration> configuration = ReadConfiguration("no/such/file.yaml");
  ASSERT_FALSE(configuration.ok());
  EXPECT_THAT(std::string(configuration.status().message()), HasSubstr("no/such/file.yaml"));
}

}  // namespace
}  // namespace gangpack::server
