#include "server/doctor/scheduler_config_command.h"

#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/command_line.h"
#include "tests/unit/server/command_run.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

CommandRun RunWith(const std::vector<std::string>& args) {
  return RunCommandWith(RunSchedulerConfig, args);
}

TEST(SchedulerConfigCommandTest, TheDefaultsAreThoseOfTheDocumentation) {
  const CommandRun ran = RunWith({});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n- schedulerName: ome-scheduler\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n- urlPrefix: http://127.0.0.1:8888\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n- urlPrefix: http://127.0.0.1:8889\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  kubeconfig: /etc/kubernetes/scheduler.conf\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  resourceNamespace: kube-system\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  resourceName: ome-scheduler\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  httpTimeout: 24h\n"));
}

TEST(SchedulerConfigCommandTest, FlagsSetTheValues) {
  const CommandRun ran = RunWith(
      {"--filter-url", "http://localhost:1/x", "--bind-url=http://localhost:2", "--kubeconfig-path",
       "", "--scheduler-name", "mine", "--lease", "l/space", "--permit-timeout", "20h"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n- urlPrefix: http://localhost:1/x\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n- urlPrefix: http://localhost:2\n"));
  EXPECT_THAT(ran.out, Not(HasSubstr("kubeconfig:")));
  EXPECT_THAT(ran.out, HasSubstr("\n- schedulerName: mine\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  resourceNamespace: space\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  resourceName: l\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  httpTimeout: 40h\n"));
}

TEST(SchedulerConfigCommandTest, TheLeaseHasTheSchedulersNameAndItsNamespaceMayBeLeftOut) {
  EXPECT_THAT(RunWith({"--scheduler-name", "mine"}).out, HasSubstr("\n  resourceName: mine\n"));
  const CommandRun ran = RunWith({"--lease", "l"});
  EXPECT_THAT(ran.out, HasSubstr("\n  resourceNamespace: kube-system\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n  resourceName: l\n"));
}

TEST(SchedulerConfigCommandTest, OurOwnConfigurationSaysWhereWeListen) {
  const std::string path = ::testing::TempDir() + "/listen.yaml";
  std::ofstream(path)
      << "apiVersion: gangpack/v1alpha1\nkind: Configuration\nschedulerName: s\n"
         "server: {filter: {listen: '[::1]:7001'}, bind: {listen: '127.0.0.1:7002'}}\n";
  const CommandRun ran = RunWith({"--config", path});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n- schedulerName: s\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n- urlPrefix: \"http://[::1]:7001\"\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n- urlPrefix: http://127.0.0.1:7002\n"));
}

TEST(SchedulerConfigCommandTest, BadValuesAreNamedAndNothingIsPrinted) {
  const auto refused = [](const std::vector<std::string>& args) {
    const CommandRun ran = RunWith(args);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_THAT(refused({"--filter-url", "127.0.0.1:1"}),
              HasSubstr("--filter-url: is \"127.0.0.1:1\""));
  EXPECT_THAT(refused({"--bind-url", "ftp://a"}), HasSubstr("--bind-url: is \"ftp://a\""));
  for (const char* lease : {"", "/n", "l/", "a/b/c", "Upper/n"}) {
    EXPECT_THAT(refused({"--lease", lease}), HasSubstr("expected NAME or NAME/NAMESPACE")) << lease;
  }
  EXPECT_THAT(refused({"more"}), HasSubstr("unexpected argument \"more\""));
  EXPECT_THAT(refused({"--filter-ur", "x"}), HasSubstr("did you mean --filter-url?"));
}

TEST(SchedulerConfigCommandTest, HelpTellsItsUseWithAnExampleAlsoByItsName) {
  const CommandRun ran = RunWith({"--help"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, StartsWith("Usage: gangpack scheduler-config "));
  EXPECT_THAT(ran.out, HasSubstr("\nExample: "));
  EXPECT_THAT(ran.out, HasSubstr("\nExit status: "));
  EXPECT_EQ(RunCommandWith(RunCommandLine, {"help", "scheduler-config"}).out, ran.out);
}

}  // namespace
}  // namespace gangpack::server
