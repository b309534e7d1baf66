#include "server/config_command.h"

#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/command_run.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Ran = CommandRun;

Ran RunWith(const std::vector<std::string>& args) { return RunCommandWith(RunConfig, args); }

std::string FileWith(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

TEST(ConfigCommandTest, FlagsStandOverTheFileAndTheFileOverTheDefaults) {
  const std::string path = FileWith("over.yaml",
                                    "apiVersion: gangpack/v1alpha1\nkind: Configuration\n"
                                    "topologyKey: rack\nschedulerName: theirs\n"
                                    "server: {bind: {listen: '127.0.0.1:1', connectionsMax: 5}}\n");
  const Ran ran = RunWith({"--config", path, "--scheduler-name", "mine", "--permit-timeout", "1m",
                           "--listen", "[::1]:8888", "--listen-bind", "127.0.0.1:2"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\nschedulerName: mine\n"));
  EXPECT_THAT(ran.out, HasSubstr("\ntopologyKey: rack\n"));
  EXPECT_THAT(ran.out, HasSubstr("\ndefaultPermitTimeoutSeconds: 60\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n    listen: \"[::1]:8888\"\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n    listen: \"127.0.0.1:2\"\n"));
  EXPECT_THAT(ran.out, HasSubstr("\n    connectionsMax: 5\n"));
  EXPECT_THAT(ran.out, HasSubstr("\nunsupportedPlacementGroupLabel: ome.io/placement-group\n"));
  const Ran again = RunWith({"--config", FileWith("again.yaml", ran.out)});
  EXPECT_EQ(again.out, ran.out) << "what it prints is taken, and stays the same";
}

TEST(ConfigCommandTest, FaultsSayWhereAndEndWithTwo) {
  const std::string path =
      FileWith("bad.yaml", "apiVersion: gangpack/v1alpha1\nkind: Configuration\nserver: {a: 1}\n");
  const Ran ran = RunWith({"--config", path});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("bad.yaml:3: server.a: no field of a configuration"));
  EXPECT_THAT(RunWith({"--permit-timeout", "10ms"}).err, HasSubstr("expected whole seconds"));
  EXPECT_THAT(RunWith({"--topology-key", "a b"}).err,
              HasSubstr("--topology-key: `a b`, expected a label's key"));
  EXPECT_THAT(RunWith({"c.yaml"}).err, HasSubstr("expected --config c.yaml"));
  EXPECT_EQ(RunWith({"--nope"}).status, 2);
}

TEST(ConfigCommandTest, HelpTellsItsUseWithAnExample) {
  const Ran ran = RunWith({"--help"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, StartsWith("Usage: gangpack config "));
  EXPECT_THAT(ran.out, HasSubstr("\nExample: "));
}

}  // namespace
}  // namespace gangpack::server
