#include "server/doctor/scheduler_config_text.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/doctor/scheduler_config.h"
#include "server/doctor/scheduler_config_check.h"
#include "tests/unit/server/doctor/finding_list.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

SchedulerConfigValues SomeValues() {
  return {"ome-scheduler", "http://127.0.0.1:8888", "http://127.0.0.1:8889", "/etc/s.conf",
          "ome-scheduler", "kube-system",           absl::Seconds(600)};
}

SchedulerConfig ReadBack(const SchedulerConfigValues& values) {
  const auto config = ReadSchedulerConfig({"printed", SchedulerConfigText(values)});
  EXPECT_TRUE(config.ok()) << config.status();
  return config.value_or(SchedulerConfig());
}

TEST(SchedulerConfigTextTest, NothingIsWrongWithIt) {
  for (const absl::Duration timeout : {absl::Seconds(1), absl::Hours(12), absl::Hours(1000)}) {
    SchedulerConfigValues values = SomeValues();
    values.gang_timeout = timeout;
    SchedulerNeeds needs;
    needs.configuration.policy.permit_timeout = timeout;
    needs.nodes = 5000;
    EXPECT_THAT(Wrong(CheckSchedulerConfig(ReadBack(values), needs)), IsEmpty()) << timeout;
  }
}

TEST(SchedulerConfigTextTest, ItHasTheValues) {
  SchedulerConfigValues values = SomeValues();
  values.scheduler_name = "mine";
  values.filter_url = "http://[::1]:1";
  values.bind_url = "http://[::1]:2/b";
  values.lease_name = "lease";
  values.lease_namespace = "space";
  const SchedulerConfig config = ReadBack(values);
  EXPECT_EQ(config.profiles.at(0).name, "mine");
  EXPECT_EQ(config.extenders.at(0).url_prefix, "http://[::1]:1");
  EXPECT_EQ(config.extenders.at(1).url_prefix, "http://[::1]:2/b");
  EXPECT_EQ(config.lease_name, "lease");
  EXPECT_EQ(config.lease_namespace, "space");
}

TEST(SchedulerConfigTextTest, NamesThatYamlTakesForSomethingElseAreQuoted) {
  for (const char* name : {"true", "on", "7", "a: b", "-", "a#b", "\"q\"", "a\\b", "a:"}) {
    SchedulerConfigValues values = SomeValues();
    values.scheduler_name = name;
    EXPECT_EQ(ReadBack(values).profiles.at(0).name, name);
  }
}

TEST(SchedulerConfigTextTest, WithoutAKubeconfigTheServiceAccountIsUsed) {
  SchedulerConfigValues values = SomeValues();
  EXPECT_THAT(SchedulerConfigText(values), HasSubstr("\n  kubeconfig: /etc/s.conf\n  qps: 1000"));
  values.kubeconfig_path = "";
  EXPECT_THAT(SchedulerConfigText(values), Not(HasSubstr("kubeconfig:")));
}

TEST(SchedulerConfigTextTest, NothingOfTheTemplateIsLeft) {
  EXPECT_THAT(SchedulerConfigText(SomeValues()), Not(HasSubstr("@")));
}

}  // namespace
}  // namespace gangpack::server
