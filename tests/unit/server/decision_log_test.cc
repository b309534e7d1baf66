#include "server/decision_log.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DecisionLogTest : public testing::Test {
 protected:
  DecisionLog Log(int verbosity) {
    return DecisionLog(
        [this](LogSeverity severity, const std::string& line) {
          lines_.push_back(absl::StrCat(severity == LogSeverity::kWarning ? "W " : "", line));
        },
        verbosity, &clock_);
  }

  static GangTransition Transition(GangTransitionKind kind, const std::string& text) {
    GangTransition transition;
    transition.kind = kind;
    transition.gang = {"ns", "g"};
    transition.topology_key = "rack";
    transition.domain = "a";
    transition.text = text;
    return transition;
  }
  static GangTransition Blocked(const std::string& gang, ReasonCode reason) {
    GangTransition transition;
    transition.gang = {"ns", gang};
    transition.text = "why";
    transition.reason = reason;
    return transition;
  }

  ManualClock clock_;
  std::vector<std::string> lines_;
};

TEST_F(DecisionLogTest, EachDecisionIsOneLineOfKeysAndValues) {
  DecisionLog log = Log(0);
  for (const GangTransitionKind kind :
       {GangTransitionKind::kPinned, GangTransitionKind::kAdopted, GangTransitionKind::kMoved,
        GangTransitionKind::kComplete}) {
    log.OnTransition(Transition(kind, "holds a"));
  }
  for (const GangTransitionKind kind :
       {GangTransitionKind::kUnwound, GangTransitionKind::kReleased}) {
    log.OnTransition(Transition(kind, "w-0 was deleted"));
  }
  EXPECT_THAT(
      lines_,
      ElementsAre("event=hold_taken gang=ns/g topology_key=rack domain=a detail=\"holds a\"",
                  "event=hold_adopted gang=ns/g topology_key=rack domain=a "
                  "detail=\"holds a\"",
                  "event=hold_moved gang=ns/g topology_key=rack domain=a detail=\"holds a\"",
                  "event=gang_complete gang=ns/g topology_key=rack domain=a "
                  "detail=\"holds a\"",
                  "event=gang_unwound gang=ns/g topology_key=rack domain=a "
                  "reason=\"w-0 was deleted\"",
                  "event=hold_released gang=ns/g topology_key=rack domain=a "
                  "reason=\"w-0 was deleted\""));
}

TEST_F(DecisionLogTest, CallsAreLoggedOnlyWhereAskedFor) {
  const std::vector<absl::string_view> nodes = {"n1", "n2"};
  FilterDecision decision;
  decision.accepted = {1};
  const auto say_all = [&](int verbosity) {
    DecisionLog log = Log(verbosity);
    log.OnTransition(Transition(GangTransitionKind::kWaiting, "w-0"));
    log.OnBound({{"u"}, {"ns", "w-0"}, "n1"}, absl::OkStatus());
    log.OnFilter({.uid = {"u"}, .pod = {"ns", "w-0"}, .node_names = nodes}, decision,
                 absl::Microseconds(1500));
    return std::exchange(lines_, {});
  };
  EXPECT_THAT(say_all(0), IsEmpty());
  const std::string waits = "event=member_waits gang=ns/g topology_key=rack domain=a detail=w-0";
  const std::string bound = "event=bound pod=ns/w-0 node=n1";
  EXPECT_THAT(say_all(1), ElementsAre(waits, bound));
  EXPECT_THAT(say_all(2),
              ElementsAre(waits, bound, "event=filter pod=ns/w-0 offered=2 accepted=1 took=1.5ms"));
}

TEST_F(DecisionLogTest, ABindThatFailedIsAWarningWithItsError) {
  Log(0).OnBound({{"u"}, {"ns", "w-0"}, "n1"}, absl::FailedPreconditionError("pod is gone"));
  EXPECT_THAT(lines_, ElementsAre("W event=bind_failed pod=ns/w-0 node=n1 error=\"pod is gone\""));
}

TEST_F(DecisionLogTest, ANewReasonIsLoggedByTheStateOfItsGang) {
  DecisionLog log = Log(0);
  GangTransition forming = Blocked("g", ReasonCode::kMembersMissing);
  forming.kind = GangTransitionKind::kForming;
  GangTransition broken = Blocked("g", ReasonCode::kMultipleDomains);
  broken.kind = GangTransitionKind::kBroken;
  for (const GangTransition& transition : {forming, broken, forming}) log.OnTransition(transition);
  EXPECT_THAT(lines_, ElementsAre("event=gang_forming gang=ns/g reason=why",
                                  "event=gang_broken gang=ns/g reason=why"));
}

TEST_F(DecisionLogTest, TheSameReasonOfAGangComesOnceAMinuteWithTheNumberLeftOut) {
  DecisionLog log = Log(0);
  const GangTransition blocked = Blocked("g", ReasonCode::kNoDomainHasRoom);
  for (int i = 0; i < 3; ++i) log.OnTransition(blocked);
  clock_.Advance(DecisionLog::kBlockedEvery - absl::Nanoseconds(1));
  log.OnTransition(blocked);
  EXPECT_THAT(lines_, ElementsAre("event=gang_blocked gang=ns/g reason=why"));
  clock_.Advance(absl::Nanoseconds(1));
  log.OnTransition(blocked);
  clock_.Advance(DecisionLog::kBlockedEvery);
  log.OnTransition(blocked);
  EXPECT_THAT(lines_, ElementsAre("event=gang_blocked gang=ns/g reason=why",
                                  "event=gang_blocked gang=ns/g reason=why suppressed=3",
                                  "event=gang_blocked gang=ns/g reason=why"));
}

TEST_F(DecisionLogTest, AnotherReasonOrGangIsNotKeptBack) {
  DecisionLog log = Log(0);
  log.OnTransition(Blocked("g", ReasonCode::kNoDomainHasRoom));
  log.OnTransition(Blocked("g", ReasonCode::kEveryDomainReserved));
  log.OnTransition(Blocked("h", ReasonCode::kNoDomainHasRoom));
  log.OnTransition(Blocked("g", ReasonCode::kNoDomainHasRoom));
  EXPECT_EQ(lines_.size(), 3u);
}

TEST_F(DecisionLogTest, WhatWasLeftOutLongAgoIsNotCounted) {
  DecisionLog log = Log(0);
  const GangTransition blocked = Blocked("g", ReasonCode::kNoDomainHasRoom);
  for (int i = 0; i < 2; ++i) log.OnTransition(blocked);
  clock_.Advance(DecisionLog::kForgottenAfter + absl::Nanoseconds(1));
  log.OnTransition(blocked);
  EXPECT_THAT(lines_, ElementsAre("event=gang_blocked gang=ns/g reason=why",
                                  "event=gang_blocked gang=ns/g reason=why"));
}

TEST_F(DecisionLogTest, EventsOfTheProcessAreLinesToo) {
  Log(0).Event("start", {{"version", "0.1.0"}, {"topology_key", ""}});
  EXPECT_THAT(lines_, ElementsAre("event=start version=0.1.0 topology_key=\"\""));
}

TEST(LogValueTest, WhatCouldBeTakenForMoreThanOneValueIsQuoted) {
  EXPECT_EQ(LogValue("ns/g-0.x:1"), "ns/g-0.x:1");
  EXPECT_EQ(LogValue(""), "\"\"");
  EXPECT_EQ(LogValue("a b"), "\"a b\"");
  EXPECT_EQ(LogValue("a=b"), "\"a=b\"");
  EXPECT_EQ(LogValue("say \"x\\\""), "\"say \\\"x\\\\\\\"\"");
  EXPECT_EQ(LogValue("a\nevent=start"), "\"a\\nevent=start\"");
  EXPECT_EQ(LogValue("\t\x1b[0m"), "\"\\t\\x1b[0m\"");
}

}  // namespace
}  // namespace gangpack::server
