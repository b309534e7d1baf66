// Known stories through the real driver and executor, and what is counted of them.
#include "server/metrics.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/cluster_writer.h"
#include "server/effect_executor.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using Samples = std::map<std::string, double>;  // by name and labels, as they are printed

// Reads the text format and checks it: every family has HELP and TYPE once, before its samples.
Samples Parse(const std::string& text) {
  Samples samples;
  std::set<std::string> helped;
  std::set<std::string> typed;
  std::string family;
  EXPECT_TRUE(!text.empty() && text.back() == '\n');
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 3));
    if (words[0] == "#") {
      std::set<std::string>& seen = words[1] == "HELP" ? helped : typed;
      EXPECT_TRUE(words[1] == "HELP" || words[1] == "TYPE") << line;
      EXPECT_TRUE(seen.insert(words[2]).second) << line;
      EXPECT_FALSE(words[3].empty()) << line;
      family = words[2];
      continue;
    }
    EXPECT_TRUE(line.rfind(family, 0) == 0) << line << " stands under " << family;
    EXPECT_TRUE(helped.count(family) == 1 && typed.count(family) == 1) << line;
    const size_t space = line.rfind(' ');
    double value = -1;
    EXPECT_TRUE(absl::SimpleAtod(line.substr(space + 1), &value)) << line;
    EXPECT_TRUE(samples.emplace(line.substr(0, space), value).second) << "twice: " << line;
  }
  return samples;
}

// Binds whatever it is told to, unless it was told to refuse.
class PlainWriter final : public ClusterWriter {
 public:
  absl::Status Bind(const BindPod&) override { return bind_status; }
  absl::Status Wake(const WakePod&) override { return absl::OkStatus(); }
  absl::Status Clear(const ClearNomination&) override { return absl::OkStatus(); }

  absl::Status bind_status;  // set while the executor is idle
};

class MetricsTest : public testing::Test {
 protected:
  MetricsTest()
      : executor_({.cluster = &writer_,
                   .calls = &calls_,
                   .on_transition = {},
                   .on_effect = [this](const Effect& effect) { metrics_.Count(effect); },
                   .on_bound = {}}),
        driver_(RackPolicy(), &clock_, &executor_, &metrics_) {
    executor_.Start(&driver_);
  }

  static Policy RackPolicy() {
    Policy policy;
    policy.default_topology_key = "rack";
    return policy;
  }

  // One core and many pod slots.
  static Node NodeIn(const std::string& name, const std::string& rack) {
    Node node;
    node.name = name;
    node.labels["rack"] = rack;
    node.labels["row"] = "x";
    node.allocatable = {{"cpu", 1000}, {"pods", 110}};
    return node;
  }
  static PodGroup Group(const std::string& name, int64_t min_member) {
    PodGroup group;
    group.name = {"ns", name};
    group.uid = "group-" + name;
    group.min_member = min_member;
    return group;
  }
  static Pod Member(const std::string& name, const std::string& group) {
    Pod pod;
    pod.uid.value = "u-" + name;
    pod.name = {"ns", name};
    pod.labels[std::string(kPodGroupLabel)] = group;
    pod.scheduler_name = Policy().scheduler_name;
    pod.spec.request = {{"cpu", 1000}};
    return pod;
  }

  // A wake that is still queued counts for later ones of its pod, so none is left.
  void Tell(const std::vector<Fact>& facts) {
    driver_.Apply(facts);
    executor_.AwaitIdle();
  }
  // Nodes a1 and a2 in rack a, the gang g of two, both members.
  void StartWithGangOfTwo() {
    Tell({NodeChanged{NodeIn("a1", "a")}, NodeChanged{NodeIn("a2", "a")},
          PodGroupChanged{Group("g", 2)}, PodChanged{Member("w-0", "g")},
          PodChanged{Member("w-1", "g")}, Synchronised{}});
  }
  void Filter(const std::string& pod, const std::vector<absl::string_view>& nodes) {
    driver_.Filter({.uid = {"u-" + pod}, .pod = {"ns", pod}, .node_names = nodes});
  }
  void Bind(const std::string& pod, const std::string& node) {
    driver_.Bind({.call = ++last_call_, .uid = {"u-" + pod}, .pod = {"ns", pod}, .node = node});
  }
  // kube-scheduler's bind of a planned member, whatever its node is.
  void BindPlanned(const std::string& pod) {
    for (const ReservationView& hold : driver_.Reservations()) {
      for (const WaiterView& planned : hold.planned) {
        if (planned.pod.name == pod) return Bind(pod, planned.node);
      }
    }
    FAIL() << pod << " is not planned";
  }

  std::string Text() {
    executor_.AwaitIdle();
    return metrics_.Text({.now = clock_.Now(),
                          .synchronised = driver_.synchronised(),
                          .holds = driver_.Reservations(),
                          .watches = watches_,
                          .filter_connections = 3,
                          .bind_connections = 4});
  }
  double Value(const std::string& series) {
    const Samples samples = Parse(Text());
    const auto sample = samples.find(series);
    EXPECT_NE(sample, samples.end()) << series;
    return sample == samples.end() ? -1 : sample->second;
  }
  double Pins(const std::string& result) {
    return Value(absl::StrCat("ome_scheduler_gang_pin_total{result=\"", result, "\"}"));
  }
  double Gates(const std::string& result) {
    return Value(absl::StrCat("ome_scheduler_gang_gate_total{result=\"", result, "\"}"));
  }
  double Activations(const std::string& trigger) {
    return Value(absl::StrCat("ome_scheduler_gang_activation_total{trigger=\"", trigger, "\"}"));
  }
  double Answers(const std::string& result) {
    return Value(absl::StrCat("gangpack_bind_answers_total{result=\"", result, "\"}"));
  }
  double Unwinds() { return Value("ome_scheduler_gang_unwind_total"); }
  double Waiters() { return Value("gangpack_permit_waiters"); }
  double Holds() { return Value("ome_scheduler_pinned_groups"); }

  ManualClock clock_;
  PlainWriter writer_;
  HeldCalls calls_;
  Metrics metrics_;
  EffectExecutor executor_;
  EngineDriver driver_;
  std::vector<WatchHealth> watches_;
  CallId last_call_ = 0;
};

TEST_F(MetricsTest, EverySeriesExistsFromTheStartAtZero) {
  const Samples samples = Parse(Text());
  for (const std::string series :
       {"ome_scheduler_gang_pin_total{result=\"pinned\"}",
        "ome_scheduler_gang_pin_total{result=\"no_fit\"}",
        "ome_scheduler_gang_pin_total{result=\"reserved\"}",
        "ome_scheduler_gang_pin_total{result=\"adopted\"}",
        "ome_scheduler_gang_pin_total{result=\"stale_replan\"}",
        "ome_scheduler_gang_pin_total{result=\"topology_replan\"}",
        "ome_scheduler_gang_gate_total{result=\"wait\"}",
        "ome_scheduler_gang_gate_total{result=\"admit\"}",
        "ome_scheduler_gang_activation_total{trigger=\"permit\"}",
        "ome_scheduler_gang_activation_total{trigger=\"templates_complete\"}",
        "ome_scheduler_gang_activation_total{trigger=\"reservation_released\"}",
        "ome_scheduler_gang_activation_total{trigger=\"podgroup_change\"}",
        "ome_scheduler_gang_activation_total{trigger=\"domain_failed\"}",
        "ome_scheduler_gang_unwind_total",
        "ome_scheduler_pinned_groups",
        "gangpack_holds",
        "gangpack_holds_by_age{age=\"from 1h\"}",
        "gangpack_permit_waiters",
        "gangpack_synchronised",
        "gangpack_bind_answers_total{result=\"bound\"}",
        "gangpack_bind_answers_total{result=\"error\"}",
        "gangpack_request_duration_seconds_count{verb=\"filter\"}",
        "gangpack_request_duration_seconds_count{verb=\"prioritize\"}",
        "gangpack_request_duration_seconds_bucket{verb=\"bind\",le=\"5e-05\"}",
        "gangpack_request_duration_seconds_bucket{verb=\"bind\",le=\"600\"}",
        "gangpack_request_duration_seconds_bucket{verb=\"bind\",le=\"+Inf\"}"}) {
    const auto sample = samples.find(series);
    ASSERT_NE(sample, samples.end()) << series;
    EXPECT_EQ(sample->second, 0) << series;
  }
  EXPECT_EQ(samples.at("gangpack_connections{listener=\"filter\"}"), 3);
  EXPECT_EQ(samples.at("gangpack_connections{listener=\"bind\"}"), 4);
}

TEST_F(MetricsTest, FamiliesAndTheirSeriesAreSorted) {
  std::vector<std::string> families;
  std::vector<std::string> series;  // Of the family that was named last, unless it has buckets.
  bool has_buckets = false;
  std::istringstream lines(Text());
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    if (words[0] == "#" && words[1] == "HELP") {
      families.push_back(words[2]);
      series.clear();
    } else if (words[0] == "#") {
      has_buckets = words[3] == "histogram";
    } else if (!has_buckets) {
      series.push_back(line.substr(0, line.rfind(' ')));
      EXPECT_TRUE(std::is_sorted(series.begin(), series.end())) << line;
    }
  }
  EXPECT_GT(families.size(), 5u);
  EXPECT_TRUE(std::is_sorted(families.begin(), families.end()))
      << ::testing::PrintToString(families);
}

TEST_F(MetricsTest, AGangOfTwoIsPinnedOnceWaitsOnceAndIsAdmittedOnce) {
  StartWithGangOfTwo();
  EXPECT_EQ(Value("gangpack_synchronised"), 1);
  EXPECT_EQ(Holds(), 1);
  for (int i = 0; i < 3; ++i) Filter("w-0", {"a1", "a2"});
  BindPlanned("w-0");
  EXPECT_EQ(Waiters(), 1);
  clock_.Advance(absl::Seconds(5));
  BindPlanned("w-1");
  EXPECT_EQ(Pins("pinned"), 1) << "a transition, not each call";
  EXPECT_EQ(Gates("wait"), 1) << "the last member need not wait";
  EXPECT_EQ(Gates("admit"), 1);
  EXPECT_EQ(Answers("bound"), 2);
  EXPECT_EQ(Answers("error"), 0);
  EXPECT_EQ(Unwinds(), 0);
  EXPECT_EQ(Holds(), 0);
  EXPECT_EQ(Waiters(), 0);
  EXPECT_EQ(Value("gangpack_request_duration_seconds_count{verb=\"filter\"}"), 3);
  EXPECT_EQ(Value("gangpack_request_duration_seconds_count{verb=\"bind\"}"), 2);
  EXPECT_EQ(Value("gangpack_request_duration_seconds_sum{verb=\"bind\"}"), 5);
  EXPECT_EQ(Value("gangpack_request_duration_seconds_bucket{verb=\"bind\",le=\"2.5\"}"), 1);
  EXPECT_EQ(Value("gangpack_request_duration_seconds_bucket{verb=\"bind\",le=\"5\"}"), 2);
}

TEST_F(MetricsTest, APrioritizeIsTimedAndABindWhoseCallerHangsUpToo) {
  StartWithGangOfTwo();
  driver_.Prioritize({.uid = {"u-w-0"}, .pod = {"ns", "w-0"}, .node_names = {}});
  BindPlanned("w-0");
  EXPECT_EQ(Value("gangpack_request_duration_seconds_count{verb=\"bind\"}"), 0);
  driver_.Apply({CallerGone{last_call_}});
  EXPECT_EQ(Value("gangpack_request_duration_seconds_count{verb=\"bind\"}"), 1);
  EXPECT_EQ(Value("gangpack_request_duration_seconds_count{verb=\"prioritize\"}"), 1);
  EXPECT_EQ(Unwinds(), 0) << "a hang-up fails nothing";
}

TEST_F(MetricsTest, MembersThatCameTooEarlyAreActivatedWhenTheTemplatesAreComplete) {
  Tell({NodeChanged{NodeIn("a1", "a")}, NodeChanged{NodeIn("a2", "a")},
        PodGroupChanged{Group("g", 2)}, Synchronised{}, PodChanged{Member("w-0", "g")}});
  Filter("w-0", {"a1", "a2"});
  EXPECT_EQ(Activations("templates_complete"), 0);
  Tell({PodChanged{Member("w-1", "g")}});
  EXPECT_EQ(Activations("templates_complete"), 1);
}

TEST_F(MetricsTest, MembersWithoutAPodGroupAreActivatedByIt) {
  Tell({NodeChanged{NodeIn("a1", "a")}, Synchronised{}, PodChanged{Member("w-0", "g")}});
  Filter("w-0", {"a1"});
  Tell({PodGroupChanged{Group("g", 1)}});
  EXPECT_EQ(Activations("podgroup_change"), 1);
  EXPECT_EQ(Activations("templates_complete"), 0);
}

TEST_F(MetricsTest, AGangWithoutRoomCountsOnceHoweverOftenItIsAskedAbout) {
  Tell({NodeChanged{NodeIn("a1", "a")}, PodGroupChanged{Group("g", 2)},
        PodChanged{Member("w-0", "g")}, PodChanged{Member("w-1", "g")}, Synchronised{}});
  for (int i = 0; i < 3; ++i) Filter("w-0", {"a1"});
  Tell({NodeChanged{NodeIn("b1", "b")}});  // no better
  EXPECT_EQ(Pins("no_fit"), 1);
  EXPECT_EQ(Pins("pinned"), 0);
  Tell({NodeChanged{NodeIn("a2", "a")}});
  EXPECT_EQ(Pins("pinned"), 1);
  EXPECT_EQ(Activations("reservation_released"), 1);
  EXPECT_EQ(Pins("reserved"), 0);
}

TEST_F(MetricsTest, ASecondGangForAHeldDomainIsReservedAndActivatedWhenTheHoldEnds) {
  StartWithGangOfTwo();
  Tell({PodGroupChanged{Group("h", 1)}, PodChanged{Member("x-0", "h")}});
  Filter("x-0", {"a1", "a2"});
  EXPECT_EQ(Pins("reserved"), 1);
  EXPECT_EQ(Pins("no_fit"), 0);
  Tell({PodGone{{"u-w-0"}}});
  EXPECT_EQ(Pins("pinned"), 2);
  EXPECT_EQ(Activations("reservation_released"), 1);
}

TEST_F(MetricsTest, ABindingThatFailsUnwindsTheGang) {
  StartWithGangOfTwo();
  executor_.AwaitIdle();
  writer_.bind_status = absl::FailedPreconditionError("no");
  Filter("w-1", {});  // not offered its node: refused
  BindPlanned("w-0");
  BindPlanned("w-1");
  EXPECT_EQ(Unwinds(), 2) << "each binding failed for itself";
  EXPECT_EQ(Answers("error"), 2);
  EXPECT_EQ(Answers("bound"), 0);
}

TEST_F(MetricsTest, AWaitThatIsOverUnwindsTheGangAndActivatesWhoWasRefused) {
  StartWithGangOfTwo();
  BindPlanned("w-0");
  Filter("w-1", {});  // not offered its node: refused
  clock_.Advance(absl::Seconds(600));
  driver_.Tick();
  EXPECT_EQ(Unwinds(), 1);
  EXPECT_EQ(Answers("error"), 1);
  EXPECT_EQ(Waiters(), 0);
  EXPECT_EQ(Activations("domain_failed"), 1);
  EXPECT_EQ(Value("gangpack_request_duration_seconds_bucket{verb=\"bind\",le=\"300\"}"), 0);
  EXPECT_EQ(Value("gangpack_request_duration_seconds_bucket{verb=\"bind\",le=\"600\"}"), 1);
}

TEST_F(MetricsTest, APlanThatIsRemadeInItsDomainOrAnotherIsAStaleReplan) {
  StartWithGangOfTwo();
  Node cordoned = NodeIn("a1", "a");
  cordoned.unschedulable = true;
  Tell({NodeChanged{NodeIn("a3", "a")}, NodeChanged{cordoned}});
  EXPECT_EQ(Pins("stale_replan"), 1);
  EXPECT_EQ(Holds(), 1);
  Tell({NodeChanged{NodeIn("b1", "b")}, NodeChanged{NodeIn("b2", "b")}, NodeGone{"a2"}});
  EXPECT_EQ(Pins("stale_replan"), 2);
  EXPECT_EQ(Pins("pinned"), 1) << "the first hold alone";
  EXPECT_EQ(Pins("topology_replan"), 0);
}

TEST_F(MetricsTest, APlanIsATopologyReplanWhenANodeIsRelabelledOrTheKeyChanges) {
  StartWithGangOfTwo();
  Tell({NodeChanged{NodeIn("a3", "a")}, NodeChanged{NodeIn("a1", "c")}});
  EXPECT_EQ(Pins("topology_replan"), 1);
  PodGroup other_key = Group("g", 2);
  other_key.annotations[Policy().topology_key_annotation] = "row";
  Tell({PodGroupChanged{other_key}});
  EXPECT_EQ(Pins("topology_replan"), 2);
  EXPECT_EQ(Pins("stale_replan"), 0);
}

TEST_F(MetricsTest, ReplacementsOfRunningMembersAreAdopted) {
  StartWithGangOfTwo();
  BindPlanned("w-0");
  BindPlanned("w-1");
  executor_.AwaitIdle();
  Tell({PodGone{{"u-w-1"}}, PodChanged{Member("w-2", "g")}});
  EXPECT_EQ(Pins("adopted"), 1);
  EXPECT_EQ(Pins("pinned"), 1);
}

TEST_F(MetricsTest, WatchesHaveSeriesOfTheirOwnAsSoonAsThereAreAny) {
  EXPECT_EQ(Text().find("gangpack_watch_"), std::string::npos);
  watches_ = {{"nodes", true, "", clock_.Now(), 1}, {"pods", false, "away", clock_.Now(), 3}};
  clock_.Advance(absl::Milliseconds(1'500));
  EXPECT_EQ(Value("gangpack_watch_synchronised{resource=\"nodes\"}"), 1);
  EXPECT_EQ(Value("gangpack_watch_synchronised{resource=\"pods\"}"), 0);
  EXPECT_EQ(Value("gangpack_watch_lag_seconds{resource=\"pods\"}"), 1.5);
  EXPECT_EQ(Value("gangpack_watch_lists_total{resource=\"pods\"}"), 3);
  watches_[1].lists_total = 4;
  watches_[1].synchronised = true;
  watches_[1].last_contact = clock_.Now();
  EXPECT_EQ(Value("gangpack_watch_lists_total{resource=\"pods\"}"), 4);
  EXPECT_EQ(Value("gangpack_watch_lists_total{resource=\"nodes\"}"), 1);
  EXPECT_EQ(Value("gangpack_watch_synchronised{resource=\"pods\"}"), 1);
  EXPECT_EQ(Value("gangpack_watch_lag_seconds{resource=\"pods\"}"), 0);
}

TEST_F(MetricsTest, HoldsAreSortedByAgeWithTheEdgeInTheOlderBand) {
  StartWithGangOfTwo();
  clock_.Advance(absl::Seconds(10) - absl::Nanoseconds(1));
  EXPECT_EQ(Value("gangpack_holds_by_age{age=\"below 10s\"}"), 1);
  EXPECT_EQ(Value("gangpack_holds_by_age{age=\"10s to 1m\"}"), 0);
  clock_.Advance(absl::Nanoseconds(1));
  EXPECT_EQ(Value("gangpack_holds_by_age{age=\"below 10s\"}"), 0);
  EXPECT_EQ(Value("gangpack_holds_by_age{age=\"10s to 1m\"}"), 1);
  clock_.Advance(absl::Hours(2));
  EXPECT_EQ(Value("gangpack_holds_by_age{age=\"from 1h\"}"), 1);
  EXPECT_EQ(Value("gangpack_holds"), 1);
}

}  // namespace
}  // namespace gangpack::server
