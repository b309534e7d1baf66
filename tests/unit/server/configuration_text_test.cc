#include "server/configuration_text.h"

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/configuration.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;

std::string TextOf(const Configuration& configuration) {
  const absl::StatusOr<std::string> text = ConfigurationText(configuration);
  EXPECT_TRUE(text.ok()) << text.status();
  return text.ok() ? *text : "";
}

std::string FaultOf(const Configuration& configuration) {
  return std::string(ConfigurationText(configuration).status().message());
}

// Every field other than its default, each value its own.
Configuration Changed() {
  Configuration configuration;
  Policy& policy = configuration.policy;
  policy.scheduler_name = "true";  // a text that YAML would take for something else
  policy.default_topology_key = "nvidia.com/gpu.clique";
  policy.topology_key_annotation = "9";
  policy.placement_group_label = "c/d";
  policy.permit_timeout = absl::Seconds(30);
  policy.standalone_domain_packing = false;
  policy.packing_states_max = 7;
  configuration.http.filter = {.address = "127.0.0.2",
                               .port = 81,
                               .connections_max = 11,
                               .body_bytes_max = 4096,
                               .bodies_bytes_max = 5000,
                               .idle_timeout = std::chrono::seconds(3),
                               .request_timeout = std::chrono::seconds(4),
                               .write_timeout = std::chrono::seconds(5),
                               .thread_idle_timeout = std::chrono::seconds(6),
                               .thread_stack_bytes = 1 << 21};
  configuration.http.bind = {.address = "::1",
                             .port = 82,
                             .connections_max = 12,
                             .body_bytes_max = 8192,
                             .bodies_bytes_max = 9000,
                             .idle_timeout = std::chrono::seconds(13),
                             .request_timeout = std::chrono::seconds(14),
                             .write_timeout = std::chrono::seconds(15),
                             .thread_idle_timeout = std::chrono::seconds(16),
                             .thread_stack_bytes = 1 << 22};
  return configuration;
}

void ExpectSame(const HttpListenerOptions& a, const HttpListenerOptions& b) {
  EXPECT_EQ(a.address, b.address);
  EXPECT_EQ(a.port, b.port);
  EXPECT_EQ(a.connections_max, b.connections_max);
  EXPECT_EQ(a.body_bytes_max, b.body_bytes_max);
  EXPECT_EQ(a.bodies_bytes_max, b.bodies_bytes_max);
  EXPECT_EQ(a.idle_timeout, b.idle_timeout);
  EXPECT_EQ(a.request_timeout, b.request_timeout);
  EXPECT_EQ(a.write_timeout, b.write_timeout);
  EXPECT_EQ(a.thread_idle_timeout, b.thread_idle_timeout);
  EXPECT_EQ(a.thread_stack_bytes, b.thread_stack_bytes);
}

TEST(ConfigurationTextTest, WhatIsWrittenIsReadBackTheSame) {
  const Configuration written = Changed();
  const absl::StatusOr<Configuration> read = ParseConfiguration("c.yaml", TextOf(written));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->policy.scheduler_name, written.policy.scheduler_name);
  EXPECT_EQ(read->policy.default_topology_key, written.policy.default_topology_key);
  EXPECT_EQ(read->policy.topology_key_annotation, written.policy.topology_key_annotation);
  EXPECT_EQ(read->policy.placement_group_label, written.policy.placement_group_label);
  EXPECT_EQ(read->policy.permit_timeout, written.policy.permit_timeout);
  EXPECT_EQ(read->policy.standalone_domain_packing, written.policy.standalone_domain_packing);
  EXPECT_EQ(read->policy.packing_states_max, written.policy.packing_states_max);
  ExpectSame(read->http.filter, written.http.filter);
  ExpectSame(read->http.bind, written.http.bind);
  EXPECT_EQ(TextOf(*read), TextOf(written));
}

TEST(ConfigurationTextTest, TheDefaultsAreReadBackTheSame) {
  const std::string text = TextOf(Configuration());
  const absl::StatusOr<Configuration> read = ParseConfiguration("c.yaml", text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(TextOf(*read), text);
  ExpectSame(read->http.bind, HttpServerOptions().bind);
}

TEST(ConfigurationTextTest, OddTextsAreQuotedSoThatTheyStayTexts) {
  for (const char* name : {"null", "NO", "12", "1e3", "a:", "a#b", "\"q\"", "b\\c", "'", "-", "~",
                           "{}", "*x", "!y", "0x1f"}) {
    Configuration configuration;
    configuration.policy.scheduler_name = name;
    const absl::StatusOr<Configuration> read = ParseConfiguration("c.yaml", TextOf(configuration));
    ASSERT_TRUE(read.ok()) << name << ": " << read.status();
    EXPECT_EQ(read->policy.scheduler_name, name);
  }
}

TEST(ConfigurationTextTest, EachFieldHasACommentAndItsDefault) {
  Configuration configuration;
  configuration.policy.permit_timeout = absl::Seconds(30);
  configuration.http.bind.connections_max = 9;
  const std::string text = TextOf(configuration);
  EXPECT_THAT(text, HasSubstr("# Seconds that a member waits for its gang where the PodGroup has "
                              "no\n# scheduleTimeoutSeconds above 0.\n# Default: 600\n"
                              "defaultPermitTimeoutSeconds: 30\n"));
  EXPECT_THAT(text, HasSubstr("    # Default: 8192\n    connectionsMax: 9\n"));
  std::istringstream lines(text);
  std::string before;
  for (std::string line; std::getline(lines, line); before = line) {
    if (line.rfind("apiVersion", 0) == 0 || line.rfind("kind", 0) == 0) continue;
    EXPECT_TRUE(line.find('#') != std::string::npos || before.find('#') != std::string::npos)
        << line;
    EXPECT_LE(line.size(), 100u);
  }
}

TEST(ConfigurationTextTest, WhatNoFileCanSayIsAFault) {
  Configuration part;
  part.policy.permit_timeout = absl::Milliseconds(1500);
  EXPECT_EQ(FaultOf(part), "defaultPermitTimeoutSeconds: 1.5s, expected whole seconds");
  Configuration endless;
  endless.policy.permit_timeout = absl::InfiniteDuration();
  EXPECT_THAT(FaultOf(endless), HasSubstr("defaultPermitTimeoutSeconds: "));
  Configuration none;
  none.http.bind.connections_max = 0;
  EXPECT_EQ(FaultOf(none),
            "server.bind.connectionsMax: 0, expected a whole number from 1 to 65536");
  Configuration nameless;
  nameless.policy.scheduler_name = "";
  EXPECT_EQ(FaultOf(nameless), "schedulerName: is empty, expected a name");
}

TEST(ConfigurationTextTest, TheExampleShowsEveryFieldAtItsDefault) {
  std::ifstream file("examples/configuration.yaml");
  std::ostringstream example;
  example << file.rdbuf();
  EXPECT_EQ(example.str(), TextOf(Configuration()))
      << "write it anew: gangpack config > examples/configuration.yaml";
}

}  // namespace
}  // namespace gangpack::server
