#include "server/flag_set.h"

#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Parsed {
  std::string text = "default";
  bool yes = false;
  absl::Duration duration;
  std::vector<std::string> operands;
  std::string error;
};

Parsed Parse(const std::vector<std::string>& args) {
  Parsed parsed;
  FlagSet flags;
  flags.AddText("text", &parsed.text);
  flags.AddSwitch("yes", &parsed.yes);
  flags.AddDuration("duration", absl::Hours(2), &parsed.duration);
  flags.Add("never", [](const std::string& value) {
    return BadFlagValue("never", value, "something else");
  });
  const absl::StatusOr<std::vector<std::string>> operands = flags.Parse(args);
  if (operands.ok()) parsed.operands = *operands;
  if (!operands.ok()) parsed.error = std::string(operands.status().message());
  return parsed;
}

TEST(FlagSetTest, AValueStandsBehindTheEqualsSignOrIsTheNextArgument) {
  EXPECT_EQ(Parse({"--text=a=b"}).text, "a=b");
  EXPECT_EQ(Parse({"-text", "--yes"}).text, "--yes");
  EXPECT_EQ(Parse({"--text="}).text, "");
  EXPECT_EQ(Parse({}).text, "default");
  EXPECT_EQ(Parse({"--text", "a", "--text", "b"}).text, "b");
  EXPECT_EQ(Parse({"--text"}).error, "--text: is missing, expected a value");
}

TEST(FlagSetTest, ASwitchNeverTakesTheNextArgument) {
  const Parsed parsed = Parse({"--yes", "false"});
  EXPECT_TRUE(parsed.yes);
  EXPECT_THAT(parsed.operands, ElementsAre("false"));
  EXPECT_FALSE(Parse({"--yes", "--yes=false"}).yes);
  EXPECT_TRUE(Parse({"--yes=1"}).yes);
  EXPECT_EQ(Parse({"--yes=maybe"}).error, "--yes: is \"maybe\", expected true or false");
}

TEST(FlagSetTest, FlagsMayStandAnywhereBeforeTwoDashes) {
  const Parsed parsed = Parse({"a", "--yes", "-", "--", "--text", "b"});
  EXPECT_TRUE(parsed.yes);
  EXPECT_THAT(parsed.operands, ElementsAre("a", "-", "--text", "b"));
  EXPECT_THAT(Parse({"--"}).operands, IsEmpty());
}

TEST(FlagSetTest, DurationsAreWrittenAsGoWritesThem) {
  EXPECT_EQ(Parse({"--duration=1h30m"}).duration, absl::Minutes(90));
  EXPECT_EQ(Parse({"--duration", "600"}).error,
            "--duration: is \"600\", expected a duration such as 600s, above 0 and at most 2h");
}

TEST(FlagSetTest, ADurationIsAboveZeroAndAtMostItsGreatest) {
  EXPECT_EQ(Parse({"--duration=1ns"}).duration, absl::Nanoseconds(1));
  EXPECT_EQ(Parse({"--duration=0s"}).error,
            "--duration: is \"0s\", expected a duration such as 600s, above 0 and at most 2h");
  EXPECT_EQ(Parse({"--duration=2h"}).duration, absl::Hours(2));
  EXPECT_THAT(Parse({"--duration=2h0m0.000000001s"}).error, HasSubstr("at most 2h"));
}

TEST(FlagSetTest, ErrorsNameTheFlagAsItWasTyped) {
  EXPECT_EQ(Parse({"-never", "x"}).error, "-never: is \"x\", expected something else");
  EXPECT_EQ(Parse({"--never=x"}).error, "--never: is \"x\", expected something else");
  EXPECT_EQ(Parse({"-yes=2"}).error, "-yes: is \"2\", expected true or false");
  EXPECT_EQ(Parse({"-text"}).error, "-text: is missing, expected a value");
}

TEST(FlagSetTest, AnUnknownFlagNamesTheOneThatMayBeMeant) {
  EXPECT_EQ(Parse({"--txet=1"}).error,
            "unknown flag \"--txet=1\", expected one of those in --help (did you mean --text?)");
  EXPECT_EQ(Parse({"--nothing-like-it"}).error,
            "unknown flag \"--nothing-like-it\", expected one of those in --help");
}

TEST(FlagSetTest, ASetterMayRefuse) {
  EXPECT_EQ(Parse({"--never", "x"}).error, "--never: is \"x\", expected something else");
}

TEST(FlagSetTest, PolicyFlagsReachThePolicy) {
  Policy policy;
  FlagSet flags;
  AddPolicyFlags(&flags, &policy);
  ASSERT_TRUE(flags
                  .Parse({"--topology-key", "rack", "--scheduler-name", "mine", "--permit-timeout",
                          "30s", "--standalone-domain-packing=false"})
                  .ok());
  EXPECT_EQ(policy.default_topology_key, "rack");
  EXPECT_EQ(policy.scheduler_name, "mine");
  EXPECT_EQ(policy.permit_timeout, absl::Seconds(30));
  EXPECT_FALSE(policy.standalone_domain_packing);
}

TEST(FlagSetTest, PolicyFlagsTakeWhatTheConfigurationTakes) {
  const auto error = [](const std::vector<std::string>& args) {
    Policy policy;
    FlagSet flags;
    AddPolicyFlags(&flags, &policy);
    return std::string(flags.Parse(args).status().message());
  };
  EXPECT_EQ(error({"--topology-key="}), "") << "none";
  EXPECT_EQ(error({"--topology-key=a/b/c"}),
            "--topology-key: `a/b/c`, expected a label's key such as example.com/rack");
  EXPECT_EQ(error({"-scheduler-name", ""}), "-scheduler-name: is empty, expected a name");
  EXPECT_EQ(error({"--scheduler-name=a b"}),
            "--scheduler-name: `a b`, expected a name without white space");
  EXPECT_EQ(error({"--permit-timeout=876000h"}), "");
  EXPECT_THAT(error({"--permit-timeout=876000h1s"}), HasSubstr("at most 876000h"));
}

TEST(FlagSetTest, WhatIsWrongInTheConfigurationNamesItsField) {
  const std::string path = ::testing::TempDir() + "/wrong.yaml";
  std::ofstream(path) << "apiVersion: gangpack/v1alpha1\nkind: Configuration\n"
                         "defaultPermitTimeoutSeconds: 0\n";
  Policy policy;
  FlagSet flags;
  AddPolicyFlags(&flags, &policy);
  EXPECT_THAT(std::string(flags.Parse({"--config", path}).status().message()),
              HasSubstr(path + ":3: defaultPermitTimeoutSeconds: "));
}

TEST(FlagSetTest, AFlagOverridesTheConfigurationWhereverItStands) {
  const std::string path = ::testing::TempDir() + "/configuration.yaml";
  std::ofstream(path) << "apiVersion: gangpack/v1alpha1\nkind: Configuration\n"
                         "topologyKey: rack\nschedulerName: theirs\n";
  Policy policy;
  FlagSet flags;
  AddPolicyFlags(&flags, &policy);
  ASSERT_TRUE(flags.Parse({"--scheduler-name=mine", "--config", path}).ok());
  EXPECT_EQ(policy.scheduler_name, "mine");
  EXPECT_EQ(policy.default_topology_key, "rack");
}

TEST(NearestTest, TwoLettersMayDifferButNotTheWholeWord) {
  EXPECT_EQ(Nearest("srve", {"simulate", "serve"}), "serve");
  EXPECT_EQ(Nearest("sevre", {"simulate", "serve"}), "serve");
  EXPECT_EQ(Nearest("srv", {"simulate", "serve"}), "serve");
  EXPECT_EQ(Nearest("sv", {"simulate", "serve"}), "");
  EXPECT_EQ(Nearest("x", {"-h"}), "");
}

}  // namespace
}  // namespace gangpack::server
