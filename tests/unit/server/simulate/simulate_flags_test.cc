#include "server/simulate/simulate_flags.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using Args = std::vector<std::string>;

SimulateFlags Parse(const Args& args) {
  const auto flags = ParseSimulateFlags(args);
  EXPECT_TRUE(flags.ok()) << flags.status();
  return flags.ok() ? *flags : SimulateFlags();
}

TEST(SimulateFlagsTest, DefaultsAreThoseOfTheScheduler) {
  const SimulateFlags flags = Parse({"f.yaml"});
  EXPECT_EQ(flags.output, OutputFormat::kTable);
  EXPECT_EQ(flags.policy.scheduler_name, "ome-scheduler");
  EXPECT_EQ(flags.policy.default_topology_key, "");
  EXPECT_EQ(flags.policy.permit_timeout, absl::Seconds(600));
  EXPECT_TRUE(flags.policy.standalone_domain_packing);
  EXPECT_FALSE(flags.trace);
  EXPECT_FALSE(flags.fail_if_pending);
  EXPECT_EQ(flags.paths, Args({"f.yaml"}));
}

TEST(SimulateFlagsTest, ReadsEveryFlagInEitherForm) {
  const SimulateFlags flags =
      Parse({"a", "-o", "json", "--topology-key=rack", "--scheduler-name", "s",
             "--standalone-domain-packing=false", "--permit-timeout=1m", "--trace", "b",
             "--fail-if-pending", "-", "--", "--c"});
  EXPECT_EQ(flags.output, OutputFormat::kJson);
  EXPECT_EQ(flags.policy.default_topology_key, "rack");
  EXPECT_EQ(flags.policy.scheduler_name, "s");
  EXPECT_FALSE(flags.policy.standalone_domain_packing);
  EXPECT_EQ(flags.policy.permit_timeout, absl::Minutes(1));
  EXPECT_TRUE(flags.trace);
  EXPECT_TRUE(flags.fail_if_pending);
  EXPECT_EQ(flags.paths, Args({"a", "b", "-", "--c"}));
}

TEST(SimulateFlagsTest, RefusesWhatItDoesNotKnow) {
  for (const Args& args :
       {Args{}, Args{"--bogus", "f"}, Args{"-o", "xml", "f"}, Args{"f", "-o"},
        Args{"--permit-timeout=600", "f"}, Args{"--permit-timeout=0s", "f"},
        Args{"--trace=maybe", "f"}, Args{"--scheduler-name=", "f"}, Args{"--config", "c", "f"}}) {
    EXPECT_FALSE(ParseSimulateFlags(args).ok());
  }
}

TEST(SimulateFlagsTest, NamesTheFlagAsItWasTyped) {
  const auto error = [](const Args& args) {
    return std::string(ParseSimulateFlags(args).status().message());
  };
  EXPECT_EQ(error({"-o", "xml", "f"}), "-o: is \"xml\", expected table or json");
  EXPECT_EQ(error({"--o=xml", "f"}), "--o: is \"xml\", expected table or json");
  EXPECT_EQ(error({"--output", "xml", "f"}), "--output: is \"xml\", expected table or json");
  EXPECT_EQ(error({"--permit-timeout", "0s", "f"}),
            "--permit-timeout: is \"0s\", expected a duration such as 600s, above 0 and at most "
            "876000h");
  EXPECT_EQ(error({"--scheduler-name", "", "f"}), "--scheduler-name: is empty, expected a name");
}

TEST(SimulateFlagsTest, HelpNeedsNothingToRead) {
  EXPECT_TRUE(Parse({"--help"}).help);
  EXPECT_TRUE(Parse({"-h"}).help);
}

}  // namespace
}  // namespace gangpack::server
