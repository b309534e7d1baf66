#include "server/doctor/doctor_command.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/command_line.h"
#include "server/doctor/scheduler_config_command.h"
#include "tests/unit/server/command_run.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The example of README.md, "Configuring kube-scheduler".
constexpr char kDocumented[] = "tests/unit/server/doctor/testdata/readme_scheduler.yaml";

CommandRun RunWith(const std::vector<std::string>& args, const std::string& input = "") {
  return RunCommandWith(RunDoctor, args, input);
}

std::string FileWith(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

std::string Printed(const std::vector<std::string>& args = {}) {
  return RunCommandWith(RunSchedulerConfig, args).out;
}

// A kubeconfig whose server nobody listens at: port 1 is reserved.
std::string Kubeconfig(const std::string& name) {
  return FileWith(name,
                  "apiVersion: v1\nkind: Config\ncurrent-context: here\n"
                  "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]\n"
                  "users: [{name: u, user: {}}]\n"
                  "contexts: [{name: here, context: {cluster: c, user: u}}]\n");
}

TEST(DoctorCommandTest, NothingIsWrongWithWhatSchedulerConfigPrints) {
  const CommandRun ran = RunWith({"--scheduler-config", "-"}, Printed());
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n0 errors, 0 warnings, "));
  EXPECT_THAT(ran.err, HasSubstr("no cluster is checked"));
}

TEST(DoctorCommandTest, NothingIsWrongWithWhatIsDocumented) {
  const CommandRun ran = RunWith({"--scheduler-config", kDocumented});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n0 errors, 0 warnings, "));
}

TEST(DoctorCommandTest, WarningsAloneEndWithZeroAndErrorsWithOne) {
  const std::string head =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
  std::string warned = Printed();
  warned.replace(warned.find("burst: 2000"), 11, "burst: 10  ");
  const CommandRun warning = RunWith({"--scheduler-config", FileWith("warned.yaml", warned)});
  EXPECT_EQ(warning.status, 0) << warning.out;
  EXPECT_THAT(warning.out, HasSubstr("\n0 errors, 1 warning, "));
  EXPECT_THAT(warning.out, HasSubstr("\n  to change: clientConnection: "));
  const CommandRun error = RunWith({"--scheduler-config", FileWith("bad.yaml", head)});
  EXPECT_EQ(error.status, 1);
  EXPECT_THAT(error.out, HasSubstr("\nERROR bind-entry: no entry has a bindVerb\n"));
}

TEST(DoctorCommandTest, OurOwnConfigurationIsWhatTheFileMustGoWith) {
  const std::string path = FileWith("right.yaml", Printed());
  EXPECT_EQ(RunWith({"--scheduler-config", path, "--scheduler-name", "other"}).status, 1);
  EXPECT_EQ(RunWith({"--scheduler-config", path, "--permit-timeout", "24h"}).status, 1);
  EXPECT_EQ(RunWith({"--scheduler-config", path, "--permit-timeout", "23h"}).status, 0);
  EXPECT_EQ(RunWith({"--scheduler-config", path, "--listen-bind", "127.0.0.1:8888"}).status, 1);
  EXPECT_EQ(RunWith({"--scheduler-config", path, "--listen-bind", "127.0.0.1:8889"}).status, 0);
}

TEST(DoctorCommandTest, JsonIsForPrograms) {
  const CommandRun ran = RunWith({"--scheduler-config", "-", "-o", "json"}, Printed());
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, StartsWith("{\"findings\": ["));
  EXPECT_THAT(ran.out, HasSubstr("\"errors\": 0, \"warnings\": 0}\n"));
  EXPECT_EQ(RunWith({"--scheduler-config", "-", "-o", "table"}, Printed()).status, 0);
}

TEST(DoctorCommandTest, AServerThatDoesNotAnswerIsAnErrorInOneLine) {
  const CommandRun ran = RunWith({"--kubeconfig", Kubeconfig("kube1")});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("no usable answer from the API server http://127.0.0.1:1: "));
  EXPECT_THAT(ran.err, HasSubstr("kube-scheduler's configuration is not checked"));
}

TEST(DoctorCommandTest, ClusterAndFileAreCheckedTogether) {
  const CommandRun ran =
      RunWith({"--kubeconfig", Kubeconfig("kube2"), "--scheduler-config", "-"}, Printed());
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("api-server"));
  EXPECT_THAT(ran.out, HasSubstr("bind-timeout"));
  EXPECT_EQ(ran.err, "");
}

TEST(DoctorCommandTest, WithoutFlagsTheClusterIsTheOneOfTheEnvironment) {
  ASSERT_EQ(setenv("KUBECONFIG", Kubeconfig("kube3").c_str(), 1), 0);
  EXPECT_THAT(RunWith({}).out, HasSubstr("http://127.0.0.1:1"));
  EXPECT_THAT(RunWith({"--context", "here"}).out, HasSubstr("http://127.0.0.1:1"));
  EXPECT_THAT(RunWith({"--context", "there"}).err, HasSubstr("there"));
  EXPECT_THAT(RunWith({"--scheduler-config", "-"}, Printed()).out, Not(HasSubstr("api-server")));
  ASSERT_EQ(unsetenv("KUBECONFIG"), 0);
}

TEST(DoctorCommandTest, InputThatCannotBeReadEndsWithTwo) {
  const auto refused = [](const std::vector<std::string>& args, const std::string& input = "") {
    const CommandRun ran = RunWith(args, input);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_THAT(refused({"--scheduler-config", "/nowhere/s.yaml"}), HasSubstr("/nowhere/s.yaml"));
  EXPECT_THAT(refused({"--scheduler-config", "-"}, "apiVersion: v1\nkind: ConfigMap\n"),
              HasSubstr("-:1: apiVersion: `v1`, expected kubescheduler.config.k8s.io/v1"));
  EXPECT_THAT(refused({"--kubeconfig", "/nowhere/k"}), HasSubstr("/nowhere/k"));
  EXPECT_THAT(refused({"--kubeconfig", Kubeconfig("kube4"), "--context", "there"}),
              HasSubstr("there"));
  EXPECT_THAT(refused({"--kubeconfig", ""}), HasSubstr("--kubeconfig: is \"\""));
  EXPECT_THAT(refused({"-o", "yaml"}), HasSubstr("-o: is \"yaml\", expected table or json"));
  EXPECT_THAT(refused({"s.yaml"}), HasSubstr("expected --scheduler-config s.yaml"));
}

TEST(DoctorCommandTest, HelpTellsItsUseWithAnExampleAlsoByItsName) {
  const CommandRun ran = RunWith({"--help"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, StartsWith("Usage: gangpack doctor "));
  EXPECT_THAT(ran.out, HasSubstr("\nExample: "));
  EXPECT_THAT(ran.out, HasSubstr("\nExit status: "));
  EXPECT_EQ(RunCommandWith(RunCommandLine, {"help", "doctor"}).out, ran.out);
}

}  // namespace
}  // namespace gangpack::server
