#include "server/doctor/timeout_check.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/doctor/finding_list.h"
#include "tests/unit/server/doctor/right_config.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Finding> Check(const SchedulerConfig& config, const SchedulerNeeds& needs = {}) {
  std::vector<Finding> findings;
  CheckTimeouts({config.extenders[0], config.extenders[1]}, needs, &findings);
  return findings;
}

std::vector<Finding> WithFilter(absl::Duration timeout) {
  SchedulerConfig config = RightConfig();
  config.extenders[0].http_timeout = timeout;
  return Check(config);
}

std::vector<Finding> WithBind(absl::Duration timeout, const SchedulerNeeds& needs = {}) {
  SchedulerConfig config = RightConfig();
  config.extenders[1].http_timeout = timeout;
  return Check(config, needs);
}

TEST(TimeoutCheckTest, AFilterTimeoutIsFromOneSecondToTheDefault) {
  EXPECT_THAT(Wrong(WithFilter(absl::Seconds(1))), IsEmpty());
  EXPECT_THAT(Wrong(WithFilter(absl::Seconds(5))), IsEmpty());
  EXPECT_THAT(Wrong(WithFilter(absl::Milliseconds(999))),
              ElementsAre("warning filter-timeout: extenders[0].httpTimeout is 999ms"));
  EXPECT_THAT(Wrong(WithFilter(absl::Milliseconds(5001))),
              ElementsAre("warning filter-timeout: extenders[0].httpTimeout is 5.001s"));
}

TEST(TimeoutCheckTest, AFilterCallWithoutATimeoutIsAnError) {
  const std::vector<Finding> findings = WithFilter(absl::InfiniteDuration());
  EXPECT_THAT(Wrong(findings),
              ElementsAre("error filter-timeout: extenders[0].httpTimeout is none"));
  EXPECT_EQ(findings[0].change, "extenders[0].httpTimeout: 2s");
}

TEST(TimeoutCheckTest, TheDefaultWillDoForFilterAndNotForBind) {
  SchedulerConfig config = RightConfig();
  for (SchedulerExtender& extender : config.extenders) {
    extender.http_timeout = kDefaultExtenderTimeout;
    extender.timeout_is_default = true;
  }
  const std::vector<Finding> findings = Check(config);
  EXPECT_THAT(Wrong(findings),
              ElementsAre("error bind-timeout: extenders[1].httpTimeout is 5s, the default; gangs "
                          "wait up to 10m"));
  EXPECT_THAT(findings[1].why, HasSubstr("hangs up after 5s"));
  EXPECT_EQ(findings[1].change, "extenders[1].httpTimeout: 24h");
}

TEST(TimeoutCheckTest, ABindOutlastsTheDefaultGangTimeout) {
  const absl::Duration gang = absl::Seconds(600);
  EXPECT_EQ(WithBind(gang)[1].severity, Severity::kError);
  EXPECT_EQ(WithBind(gang + absl::Nanoseconds(1))[1].severity, Severity::kWarning);
  EXPECT_EQ(WithBind(gang + kBindTimeoutMargin - absl::Nanoseconds(1))[1].severity,
            Severity::kWarning);
  EXPECT_EQ(WithBind(gang + kBindTimeoutMargin)[1].severity, Severity::kOk);
  EXPECT_EQ(WithBind(absl::InfiniteDuration())[1].severity, Severity::kOk);
}

TEST(TimeoutCheckTest, ABindOutlastsTheLongestPodGroup) {
  SchedulerNeeds needs;
  needs.group = "ns/slow";
  needs.group_timeout = absl::Hours(24);
  const std::vector<Finding> findings = WithBind(absl::Hours(24), needs);
  EXPECT_THAT(Wrong(findings), ElementsAre("error bind-timeout: extenders[1].httpTimeout is 24h; "
                                           "PodGroup ns/slow waits up to 24h"));
  EXPECT_EQ(findings[1].change, "extenders[1].httpTimeout: 48h");
  EXPECT_EQ(WithBind(absl::Hours(48), needs)[1].severity, Severity::kOk);
  needs.group_timeout = absl::Seconds(1);
  EXPECT_THAT(WithBind(absl::Hours(24), needs)[1].found, HasSubstr("gangs wait up to 10m"));
}

TEST(TimeoutCheckTest, AGangThatWaitsForEverNeedsABindWithoutATimeout) {
  SchedulerNeeds needs;
  needs.group = "ns/endless";
  needs.group_timeout = absl::Seconds(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(WithBind(absl::Hours(24), needs)[1].change, "extenders[1].httpTimeout: -1s");
  EXPECT_EQ(WithBind(absl::InfiniteDuration(), needs)[1].severity, Severity::kOk);
}

TEST(TimeoutCheckTest, TheBindTimeoutIsTwiceTheGangsButAtLeastADay) {
  EXPECT_EQ(BindTimeoutFor(absl::Hours(12)), "24h");
  EXPECT_EQ(BindTimeoutFor(absl::Hours(12) + absl::Seconds(1)), "24h0m2s");
  EXPECT_EQ(BindTimeoutFor(absl::Hours(24 * 365 * 100)), "1752000h");
  EXPECT_EQ(BindTimeoutFor(absl::Hours(24 * 365 * 100) + absl::Seconds(1)), "-1s");
}

TEST(TimeoutCheckTest, DurationsAreWrittenWithoutTheirZeros) {
  EXPECT_EQ(ShortDuration(absl::Hours(24)), "24h");
  EXPECT_EQ(ShortDuration(absl::Minutes(90)), "1h30m");
  EXPECT_EQ(ShortDuration(absl::Minutes(10)), "10m");
  EXPECT_EQ(ShortDuration(absl::Seconds(90)), "1m30s");
  EXPECT_EQ(ShortDuration(absl::Seconds(3610)), "1h0m10s");
  EXPECT_EQ(ShortDuration(absl::ZeroDuration()), "0s");
  EXPECT_EQ(ShortDuration(absl::InfiniteDuration()), "none");
}

}  // namespace
}  // namespace gangpack::server
