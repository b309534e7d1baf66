#include "server/doctor/scheduler_config.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kHead[] =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

absl::StatusOr<SchedulerConfig> Read(const std::string& rest) {
  return ReadSchedulerConfig({"s.yaml", absl::StrCat(kHead, rest)});
}

std::string FaultOf(const std::string& text) {
  return std::string(ReadSchedulerConfig({"s.yaml", text}).status().message());
}

TEST(SchedulerConfigTest, WhatIsLeftOutIsWhatKubeSchedulerTakesForIt) {
  const auto config = Read("extenders: [{}]\n");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->percentage_of_nodes_to_score, 0);
  EXPECT_EQ(config->pod_initial_backoff_seconds, 1);
  EXPECT_EQ(config->pod_max_backoff_seconds, 10);
  EXPECT_EQ(config->client_qps, 50);
  EXPECT_EQ(config->client_burst, 100);
  EXPECT_TRUE(config->leader_elect);
  EXPECT_EQ(config->lease_name, "kube-scheduler");
  EXPECT_EQ(config->lease_namespace, "kube-system");
  ASSERT_EQ(config->profiles.size(), 1u);
  EXPECT_EQ(config->profiles[0].name, "default-scheduler");
  EXPECT_EQ(config->profiles[0].percentage_of_nodes_to_score, std::nullopt);
  ASSERT_EQ(config->extenders.size(), 1u);
  EXPECT_EQ(config->extenders[0].http_timeout, absl::Seconds(5));
  EXPECT_TRUE(config->extenders[0].timeout_is_default);
  EXPECT_FALSE(config->extenders[0].node_cache_capable);
}

TEST(SchedulerConfigTest, EveryFieldIsRead) {
  const auto config = Read(R"(
percentageOfNodesToScore: 40
podInitialBackoffSeconds: 3
podMaxBackoffSeconds: 4
clientConnection: {qps: 12.5, burst: 6}
leaderElection: {leaderElect: false, resourceName: l, resourceNamespace: space}
extenders:
- {urlPrefix: "http://a:1", filterVerb: f, prioritizeVerb: p, preemptVerb: e, bindVerb: b, weight: 7,
   enableHTTPS: true, tlsConfig: {insecure: true}, nodeCacheCapable: true, ignorable: true,
   httpTimeout: 1m30s, managedResources: [{name: x.com/y}]}
profiles:
- schedulerName: s
  percentageOfNodesToScore: 0
  plugins:
    filter: {enabled: [{name: A, weight: 2}], disabled: [{name: "*"}]}
)");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->percentage_of_nodes_to_score, 40);
  EXPECT_EQ(config->pod_initial_backoff_seconds, 3);
  EXPECT_EQ(config->pod_max_backoff_seconds, 4);
  EXPECT_EQ(config->client_qps, 12.5);
  EXPECT_EQ(config->client_burst, 6);
  EXPECT_FALSE(config->leader_elect);
  EXPECT_EQ(config->lease_name, "l");
  EXPECT_EQ(config->lease_namespace, "space");
  const SchedulerExtender& extender = config->extenders.at(0);
  EXPECT_EQ(extender.path, "extenders[0]");
  EXPECT_EQ(extender.url_prefix, "http://a:1");
  EXPECT_EQ(extender.filter_verb, "f");
  EXPECT_EQ(extender.prioritize_verb, "p");
  EXPECT_EQ(extender.preempt_verb, "e");
  EXPECT_EQ(extender.bind_verb, "b");
  EXPECT_EQ(extender.weight, 7);
  EXPECT_TRUE(extender.enable_https);
  EXPECT_TRUE(extender.has_tls_config);
  EXPECT_TRUE(extender.node_cache_capable);
  EXPECT_TRUE(extender.ignorable);
  EXPECT_EQ(extender.http_timeout, absl::Seconds(90));
  EXPECT_FALSE(extender.timeout_is_default);
  EXPECT_THAT(extender.managed_resources, ElementsAre("x.com/y"));
  const SchedulerProfile& profile = config->profiles.at(0);
  EXPECT_EQ(profile.path, "profiles[0]");
  EXPECT_EQ(profile.name, "s");
  EXPECT_EQ(profile.percentage_of_nodes_to_score, 0);
  EXPECT_THAT(profile.plugins.at("filter").enabled, ElementsAre("A"));
  EXPECT_THAT(profile.plugins.at("filter").disabled, ElementsAre("*"));
}

TEST(SchedulerConfigTest, ATimeoutOfZeroIsTheDefaultAndANegativeOneIsNone) {
  const auto config =
      Read("extenders: [{httpTimeout: 0s}, {httpTimeout: -1s}, {httpTimeout: 1ns}]");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->extenders[0].http_timeout, absl::Seconds(5));
  EXPECT_TRUE(config->extenders[0].timeout_is_default);
  EXPECT_EQ(config->extenders[1].http_timeout, absl::InfiniteDuration());
  EXPECT_FALSE(config->extenders[1].timeout_is_default);
  EXPECT_EQ(config->extenders[2].http_timeout, absl::Nanoseconds(1));
}

TEST(SchedulerConfigTest, AClientRateOfZeroIsTheDefaultAndANegativeOneIsKept) {
  const auto zero = Read("clientConnection: {qps: 0, burst: 0}");
  ASSERT_TRUE(zero.ok()) << zero.status();
  EXPECT_EQ(zero->client_qps, 50);
  EXPECT_EQ(zero->client_burst, 100);
  const auto none = Read("clientConnection: {qps: -1}");
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_EQ(none->client_qps, -1);
}

TEST(SchedulerConfigTest, AnotherVersionOrKindIsAFaultWithItsLine) {
  EXPECT_EQ(FaultOf("apiVersion: kubescheduler.config.k8s.io/v1beta3\n"
                    "kind: KubeSchedulerConfiguration\n"),
            "s.yaml:1: apiVersion: `kubescheduler.config.k8s.io/v1beta3`, expected "
            "kubescheduler.config.k8s.io/v1, the only one of Kubernetes 1.30 to 1.37");
  EXPECT_THAT(
      FaultOf("apiVersion: kubescheduler.config.k8s.io/v1\nkind: ConfigMap\n"),
      HasSubstr("s.yaml:2: kind: `ConfigMap`, expected KubeSchedulerConfiguration (the text "
                "under one of its keys)"));
  EXPECT_THAT(FaultOf("profiles: []\n"), HasSubstr("apiVersion: is missing"));
  EXPECT_THAT(FaultOf("profiles: []\n"), HasSubstr("kind: is missing"));
}

TEST(SchedulerConfigTest, ValuesThatCannotBeReadAreFaultsAllAtOnce) {
  const std::string faults = FaultOf(absl::StrCat(
      kHead, "clientConnection: {qps: many}\nextenders:\n- httpTimeout: 5\n- httpTimeout: soon\n"));
  EXPECT_THAT(faults, HasSubstr("s.yaml:3: clientConnection.qps: is a string, expected a number"));
  EXPECT_THAT(faults, HasSubstr("s.yaml:5: extenders[0].httpTimeout: "));
  EXPECT_THAT(faults,
              HasSubstr("s.yaml:6: extenders[1].httpTimeout: `soon`, expected a duration such as"));
}

TEST(SchedulerConfigTest, OneDocumentIsExpected) {
  EXPECT_THAT(FaultOf(""), HasSubstr("has 0 documents"));
  EXPECT_THAT(FaultOf(absl::StrCat(kHead, "---\n", kHead)), HasSubstr("has 2 documents"));
  EXPECT_NE(FaultOf("- a\n"), "");
}

TEST(SchedulerConfigTest, UnknownFieldsAreLeftToKubeScheduler) {
  EXPECT_TRUE(Read("parallelism: 16\nnews: {of: 1.40}\n").ok());
}

TEST(SchedulerConfigTest, ADefaultPluginRunsUnlessItIsDisabled) {
  SchedulerProfile profile;
  const PluginAt filter{"filter", "A"};
  EXPECT_TRUE(Runs(profile, filter));
  profile.plugins["filter"].disabled = {"B"};
  EXPECT_TRUE(Runs(profile, filter));
  profile.plugins["filter"].disabled = {"A"};
  EXPECT_FALSE(Runs(profile, filter));
  EXPECT_TRUE(Runs(profile, {"score", "A"}));
  profile.plugins["filter"].disabled = {"*"};
  EXPECT_FALSE(Runs(profile, filter));
}

TEST(SchedulerConfigTest, WhatIsEnabledByNameAtThePointRunsThere) {
  SchedulerProfile profile;
  profile.plugins["filter"] = {{"A"}, {"*"}};
  profile.plugins["multiPoint"].disabled = {"*"};
  EXPECT_TRUE(Runs(profile, {"filter", "A"}));
  EXPECT_FALSE(Runs(profile, {"filter", "B"}));
  EXPECT_FALSE(Runs(profile, {"score", "A"}));
}

TEST(SchedulerConfigTest, MultiPointDisablesEverywhereUnlessItEnablesByName) {
  SchedulerProfile profile;
  profile.plugins["multiPoint"].disabled = {"A"};
  EXPECT_FALSE(Runs(profile, {"filter", "A"}));
  EXPECT_TRUE(Runs(profile, {"filter", "B"}));
  profile.plugins["multiPoint"] = {{"A"}, {"*"}};
  EXPECT_TRUE(Runs(profile, {"filter", "A"}));
  EXPECT_FALSE(Runs(profile, {"filter", "B"}));
  profile.plugins["filter"].disabled = {"A"};
  EXPECT_FALSE(Runs(profile, {"filter", "A"}));
}

}  // namespace
}  // namespace gangpack::server
