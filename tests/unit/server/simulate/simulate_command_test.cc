#include "server/simulate/simulate_command.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"
#include "server/slow_step.h"
#include "tests/unit/server/command_run.h"

namespace gangpack::server {
namespace {

constexpr char kNode[] =
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {capacity: {cpu: 1}}\n";
constexpr char kPod[] =
    "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
    "spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n";

using Ran = CommandRun;

Ran RunWith(std::vector<std::string> args, const std::string& input) {
  args.push_back("-");
  return RunCommandWith(RunSimulate, args, input);
}

TEST(SimulateCommandTest, RunsAndExitsWithZero) {
  const Ran ran = RunWith({"-o", "json"}, std::string(kNode) + kPod);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("\"state\": \"Bound\", \"node\": \"n1\""), std::string::npos) << ran.out;
  EXPECT_EQ(ran.err, "");
}

TEST(SimulateCommandTest, NothingToSimulateIsNoFault) { EXPECT_EQ(RunWith({}, "").status, 0); }

TEST(SimulateCommandTest, FailIfPendingExitsWithOneOnlyIfAPodIsNotBound) {
  EXPECT_EQ(RunWith({"--fail-if-pending"}, std::string(kNode) + kPod).status, 0);
  EXPECT_EQ(RunWith({"--fail-if-pending"}, kPod).status, 1);
  EXPECT_EQ(RunWith({}, kPod).status, 0);
}

TEST(SimulateCommandTest, BadInputExitsWithTwoOneLinePerFaultAndNothingOnOut) {
  const Ran ran = RunWith({}, std::string(kNode) +
                                  "spec: {unschedulable: 3}\n"
                                  "---\napiVersion: gangpack/v1alpha1\nkind: Step\nwat: 1\n");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  std::istringstream lines(ran.err);
  std::string first;
  std::string second;
  std::string third;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_EQ(first.rfind("-:6: spec.unschedulable: ", 0), 0u) << first;
  EXPECT_EQ(second.rfind("-:10: wat: ", 0), 0u) << second;
  EXPECT_FALSE(std::getline(lines, third)) << third;
}

TEST(SimulateCommandTest, WhatTheApiServerRefusesIsBadInputToo) {
  std::string changed = kPod;
  changed.replace(changed.find("cpu: 1"), 6, "cpu: 2");
  const Ran immutable = RunWith({}, std::string(kPod) + changed);
  EXPECT_EQ(immutable.status, 2);
  EXPECT_EQ(immutable.out, "");
  EXPECT_EQ(immutable.err.rfind("-:10: spec.containers: is immutable", 0), 0u) << immutable.err;
}

TEST(SimulateCommandTest, WrongUsageExitsWithTwo) {
  const Ran ran = RunWith({"--bogus"}, kPod);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("--bogus"), std::string::npos);
}

TEST(SimulateCommandTest, HelpShowsAnExample) {
  const Ran ran = RunWith({"--help"}, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("Example"), std::string::npos);
  EXPECT_NE(ran.out.find("kubectl get nodes,namespaces,pods,podgroups.scheduling.x-k8s.io -A"),
            std::string::npos)
      << "all that is read, or the gangs that run would have no PodGroup";
}

TEST(SimulateCommandTest, NotesWhatItLeavesOut) {
  const Ran noted =
      RunWith({}, std::string(kNode) +
                      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: q}\nspec:\n"
                      "  schedulerName: other\n"
                      "  volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]\n"
                      "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n");
  EXPECT_EQ(noted.status, 0);
  EXPECT_NE(noted.err.find("note: 1 object of other kinds skipped: 1 Service of v1\n"),
            std::string::npos);
  EXPECT_NE(noted.err.find("volumes of 1 pod "), std::string::npos);
  EXPECT_NE(noted.err.find("scheduler other"), std::string::npos);
  EXPECT_EQ(noted.out.find(" q "), std::string::npos) << noted.out;
}

TEST(SimulateCommandTest, AKindThatMustBeAStepIsBadInput) {
  const Ran ran = RunWith({},
                          "apiVersion: gangpack/v1alpha1\nkind: step\nadvance: 30s\n"
                          "---\napiVersion: v1\nkind: Step\n"
                          "---\napiVersion: gangpack/v2\nkind: Step\n");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err,
            "-:2: kind: `step`, expected Step\n"
            "-:5: apiVersion: `v1`, expected gangpack/v1alpha1 for a Step\n"
            "-:8: apiVersion: `gangpack/v2`, expected gangpack/v1alpha1\n");
}

Ran RunSteps(const std::vector<std::string>& advances) {
  std::string input;
  for (const std::string& advance : advances) {
    input += "---\napiVersion: gangpack/v1alpha1\nkind: Step\nadvance: " + advance + "\n";
  }
  return RunWith({}, input);
}

TEST(SimulateCommandTest, TenYearsAreSimulatedAndNoNanosecondMore) {
  for (const std::vector<std::string>& enough :
       {std::vector<std::string>{"87600h"}, {"87599h", "1h", "0s"}}) {
    const Ran ran = RunSteps(enough);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "TIME  87600h0m0s\n");
  }
  EXPECT_EQ(RunSteps({"87600h0m0.000000001s"}).err,
            "-:4: advance: `87600h0m0.000000001s`, expected at most 87600h in all Steps "
            "together\n");
  const Ran more = RunSteps({"87600h", "1ns"});
  EXPECT_EQ(more.status, 2);
  EXPECT_EQ(more.out, "");
  EXPECT_EQ(more.err, "-:8: advance: `1ns`, expected at most 87600h in all Steps together\n");
  EXPECT_EQ(RunSteps({"2540400h", "2540400h"}).status, 2);
}

// Ends once it was said that reading takes long.
class PatientBuffer final : public std::streambuf {
 public:
  explicit PatientBuffer(absl::Notification* said) : said_(said) {}

 protected:
  int_type underflow() override {
    said_->WaitForNotification();
    return traits_type::eof();
  }

 private:
  absl::Notification* const said_;
};

TEST(SimulateCommandTest, WhatTakesLongIsSaid) {
  std::string first;
  absl::Notification said;
  const ProgressVoice voice = {std::chrono::milliseconds(1), [&](const std::string& line) {
                                 if (said.HasBeenNotified()) return;
                                 first = line;
                                 said.Notify();
                               }};
  PatientBuffer buffer(&said);
  std::istream in(&buffer);
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(RunSimulate({"-"}, in, out, err, voice), 0);
  EXPECT_EQ(first, "reading the input takes long");
}

// The stream aborts in the middle of reading, as a broken CORE_CHECK would.
class AbortingBuffer final : public std::streambuf {
 protected:
  int_type underflow() override { std::abort(); }
};

TEST(SimulateCommandDeathTest, AnAbortBecomesExitStatusThreeWithHowToReport) {
  EXPECT_EXIT(
      {
        AbortingBuffer buffer;
        std::istream in(&buffer);
        std::ostringstream out;
        std::ostringstream err;
        RunSimulate({"-"}, in, out, err);
      },
      testing::ExitedWithCode(3), "please report it");
}

TEST(SimulateCommandTest, TheSignalHandlerIsGoneAfterwards) {
  RunWith({}, "");
  const auto handler = std::signal(SIGABRT, SIG_DFL);
  EXPECT_EQ(handler, SIG_DFL);
}

}  // namespace
}  // namespace gangpack::server
