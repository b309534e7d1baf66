#include "server/doctor/extender_check.h"

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/doctor/finding_list.h"
#include "tests/unit/server/doctor/right_config.h"

namespace gangpack::server {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What is found where one thing is not as it should be.
std::vector<Finding> Changed(const std::function<void(SchedulerConfig*)>& change) {
  SchedulerConfig config = RightConfig();
  change(&config);
  return CheckExtenders(config, {});
}

std::vector<Finding> WithFilter(const std::function<void(SchedulerExtender*)>& change) {
  return Changed([&](SchedulerConfig* config) { change(&config->extenders[0]); });
}

std::vector<Finding> WithBind(const std::function<void(SchedulerExtender*)>& change) {
  return Changed([&](SchedulerConfig* config) { change(&config->extenders[1]); });
}

TEST(ExtenderCheckTest, NothingIsWrongWithTwoEntriesInEitherOrder) {
  EXPECT_THAT(Wrong(CheckExtenders(RightConfig(), {})), IsEmpty());
  EXPECT_THAT(Wrong(Changed([](SchedulerConfig* config) {
                std::swap(config->extenders[0], config->extenders[1]);
              })),
              IsEmpty());
}

TEST(ExtenderCheckTest, AFilterEntryMustBeThere) {
  EXPECT_THAT(Wrong(Changed([](SchedulerConfig* config) {
                config->extenders.erase(config->extenders.begin());
              })),
              ElementsAre("error filter-entry: no entry has a filterVerb"));
}

TEST(ExtenderCheckTest, ABindEntryMustBeThere) {
  EXPECT_THAT(Wrong(Changed([](SchedulerConfig* config) { config->extenders.pop_back(); })),
              ElementsAre("error bind-entry: no entry has a bindVerb"));
}

TEST(ExtenderCheckTest, NoEntryAtAllIsTwoErrors) {
  EXPECT_THAT(Wrong(Changed([](SchedulerConfig* config) { config->extenders.clear(); })),
              SizeIs(2));
}

TEST(ExtenderCheckTest, TwoBindEntriesAreAnError) {
  EXPECT_THAT(
      Wrong(Changed([](SchedulerConfig* config) {
        config->extenders.push_back(config->extenders[1]);
        config->extenders[2].path = "extenders[2]";
      })),
      ElementsAre("error bind-entry: 2 entries have a bindVerb: extenders[1], extenders[2]"));
}

TEST(ExtenderCheckTest, OneEntryForBothIsAnErrorAndItsTimeoutIsNotJudged) {
  EXPECT_THAT(Wrong(Changed([](SchedulerConfig* config) {
                config->extenders.pop_back();
                config->extenders[0].bind_verb = "bind";
              })),
              ElementsAre("error bind-entry: extenders[0] has both filterVerb and bindVerb"));
}

TEST(ExtenderCheckTest, AnotherFilterEntryIsAWarningAndOursIsTheOneBesideBind) {
  const std::vector<Finding> findings = Changed([](SchedulerConfig* config) {
    SchedulerExtender other;
    other.path = "extenders[9]";
    other.url_prefix = "http://other:1";
    other.filter_verb = "sieve";
    config->extenders.insert(config->extenders.begin(), other);
  });
  EXPECT_THAT(Wrong(findings), ElementsAre("warning filter-entry: 2 entries have a filterVerb: "
                                           "extenders[9], extenders[0]"));
}

TEST(ExtenderCheckTest, AnEntryThatNeitherFiltersNorBindsIsNotOurs) {
  EXPECT_THAT(Wrong(Changed([](SchedulerConfig* config) {
                config->extenders.emplace_back();
                config->extenders.back().prioritize_verb = "rank";
              })),
              IsEmpty());
}

TEST(ExtenderCheckTest, AnAddressIsAUrlWithItsScheme) {
  EXPECT_THAT(
      Wrong(WithFilter([](auto* entry) { entry->url_prefix = "127.0.0.1:8888"; })),
      ElementsAre("error address: extenders[0].urlPrefix is `127.0.0.1:8888`, expected a URL "
                  "such as http://127.0.0.1:8888"));
  EXPECT_THAT(Wrong(WithBind([](auto* entry) { entry->url_prefix = "http://127.0.0.1:0"; })),
              ElementsAre(HasSubstr("error address: extenders[1].urlPrefix is ")));
  EXPECT_THAT(
      Wrong(WithFilter([](auto* entry) { entry->url_prefix = "http://127.0.0.1:8888/f/"; })),
      IsEmpty());
}

TEST(ExtenderCheckTest, TheTwoAddressesDiffer) {
  for (const char* prefix : {"http://127.0.0.1:8889", "http://127.0.0.1:8889/f"}) {
    EXPECT_THAT(Wrong(WithFilter([&](auto* entry) { entry->url_prefix = prefix; })),
                ElementsAre("error address: both entries call 127.0.0.1:8889"));
  }
}

TEST(ExtenderCheckTest, AddressesAreOfLoopbackAndPlain) {
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->url_prefix = "https://127.0.0.1:8888"; })),
              ElementsAre("error address: extenders[0].urlPrefix is `https://127.0.0.1:8888`"));
  for (const char* prefix : {"http://10.0.0.1:8888", "https://gangpack.svc:8888"}) {
    EXPECT_THAT(Wrong(WithFilter([&](auto* entry) { entry->url_prefix = prefix; })),
                ElementsAre(HasSubstr("warning address: extenders[0].urlPrefix is ")));
  }
  for (const char* prefix : {"http://localhost:8888", "http://[::1]:8888"}) {
    EXPECT_THAT(Wrong(WithFilter([&](auto* entry) { entry->url_prefix = prefix; })), IsEmpty());
  }
}

TEST(ExtenderCheckTest, PortsAreThoseOfOurConfigurationWhereItHasAny) {
  SchedulerNeeds needs;
  needs.configuration.http.filter.port = 8888;
  needs.configuration.http.bind.port = 8889;
  EXPECT_THAT(Wrong(CheckExtenders(RightConfig(), needs)), IsEmpty());
  needs.configuration.http.bind.port = 9000;
  const std::vector<Finding> findings = CheckExtenders(RightConfig(), needs);
  EXPECT_THAT(Wrong(findings),
              ElementsAre("error address: extenders[1].urlPrefix has port 8889, and "
                          "our configuration listens on 9000"));
  EXPECT_THAT(Of(findings, "address")[0].change, HasSubstr("\"listening bind\""));
}

TEST(ExtenderCheckTest, TlsFieldsWithHttpAreAWarning) {
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->enable_https = true; })),
              ElementsAre("warning tls: extenders[0].enableHTTPS is set, and urlPrefix says http"));
  EXPECT_THAT(Wrong(WithBind([](auto* entry) { entry->has_tls_config = true; })),
              ElementsAre("warning tls: extenders[1].tlsConfig is set, and urlPrefix says http"));
  EXPECT_THAT(Of(WithBind([](auto* entry) {
                   entry->url_prefix = "https://proxy:1";
                   entry->enable_https = true;
                 }),
                 "tls"),
              IsEmpty());
}

TEST(ExtenderCheckTest, VerbsAreThoseThatAreServed) {
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->filter_verb = "predicates"; })),
              ElementsAre("error verbs: extenders[0].filterVerb is `predicates`"));
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->prioritize_verb = "xprioritize"; })),
              ElementsAre("error verbs: extenders[0].prioritizeVerb is `xprioritize`"));
  EXPECT_THAT(Wrong(WithBind([](auto* entry) { entry->bind_verb = "Bind"; })),
              ElementsAre("error verbs: extenders[1].bindVerb is `Bind`"));
  EXPECT_THAT(Wrong(WithBind([](auto* entry) { entry->bind_verb = "v1/bind"; })), IsEmpty());
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->preempt_verb = "preempt"; })),
              ElementsAre("warning verbs: extenders[0].preemptVerb is `preempt`"));
}

TEST(ExtenderCheckTest, AWeightIsAboveZero) {
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->weight = 0; })),
              ElementsAre("error prioritize: extenders[0].weight is 0"));
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->weight = 1; })), IsEmpty());
}

TEST(ExtenderCheckTest, PrioritizeMattersWherePackingIsOn) {
  SchedulerConfig config = RightConfig();
  config.extenders[0].prioritize_verb = "";
  config.extenders[0].weight = 0;
  SchedulerNeeds needs;
  EXPECT_THAT(Wrong(CheckExtenders(config, needs)),
              ElementsAre("warning prioritize: extenders[0] has no prioritizeVerb"));
  needs.configuration.policy.standalone_domain_packing = false;
  EXPECT_THAT(Wrong(CheckExtenders(config, needs)), IsEmpty());
}

TEST(ExtenderCheckTest, OnlyTheFilterEntryMustBeNodeCacheCapable) {
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->node_cache_capable = false; })),
              ElementsAre("error node-cache: extenders[0].nodeCacheCapable is not true"));
  EXPECT_THAT(Wrong(WithBind([](auto* entry) { entry->node_cache_capable = false; })), IsEmpty());
}

TEST(ExtenderCheckTest, NeitherEntryIsIgnorable) {
  EXPECT_THAT(Wrong(WithFilter([](auto* entry) { entry->ignorable = true; })),
              ElementsAre("error ignorable: extenders[0].ignorable is true"));
  const std::vector<Finding> bind = WithBind([](auto* entry) { entry->ignorable = true; });
  EXPECT_THAT(Wrong(bind), ElementsAre("error ignorable: extenders[1].ignorable is true"));
  EXPECT_THAT(Of(bind, "ignorable")[0].why, HasSubstr("a gang member then runs alone"));
}

TEST(ExtenderCheckTest, NeitherEntryManagesResources) {
  for (const size_t i : {0, 1}) {
    const std::vector<Finding> findings = Changed([&](SchedulerConfig* config) {
      config->extenders[i].managed_resources = {"nvidia.com/gpu"};
    });
    EXPECT_THAT(Wrong(findings), SizeIs(1));
    EXPECT_THAT(Wrong(findings), Contains(HasSubstr("managedResources names nvidia.com/gpu")));
  }
}

TEST(ExtenderCheckTest, TimeoutsAreJudgedWhereThereAreTwoEntries) {
  EXPECT_THAT(Wrong(WithBind([](auto* entry) { entry->http_timeout = absl::Seconds(600); })),
              ElementsAre(HasSubstr("error bind-timeout: ")));
}

TEST(ExtenderCheckTest, WhatIsWrongSaysWhyAndWhatToWrite) {
  for (const Finding& finding : CheckExtenders(SchedulerConfig{}, {})) {
    EXPECT_NE(finding.why, "") << finding.check;
    EXPECT_NE(finding.change, "") << finding.check;
  }
}

}  // namespace
}  // namespace gangpack::server
