#include "k8s/exec_credential.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

using ::testing::HasSubstr;

constexpr absl::Time kStart = absl::UnixEpoch();

ExecPlugin Plugin() {
  ExecPlugin plugin;
  plugin.api_version = "client.authentication.k8s.io/v1";
  plugin.command = "login";
  plugin.args = {"get-token", "--cluster"};
  plugin.env = {{"PROFILE", "dev"}};
  plugin.install_hint = "brew install login\n";
  return plugin;
}

std::string Credential(const std::string& status,
                       const std::string& version = "client.authentication.k8s.io/v1") {
  return absl::StrCat(R"({"kind":"ExecCredential","apiVersion":")", version, R"(","status":)",
                      status, "}");
}

std::string Fault(const std::string& text) {
  return std::string(DecodeExecCredential(Plugin(), text).status().message());
}

TEST(ExecCredentialTest, ATokenACertificateAndTheirExpirationAreRead) {
  const auto pass = DecodeExecCredential(
      Plugin(), Credential(R"({"token":"t","clientCertificateData":"c","clientKeyData":"k",)"
                           R"("expirationTimestamp":"1970-01-01T01:00:00Z"})"));
  ASSERT_TRUE(pass.ok()) << pass.status();
  EXPECT_EQ(pass->pass, (Pass{"Bearer t", "c", "k"}));
  EXPECT_EQ(pass->expiration, kStart + absl::Hours(1));
  EXPECT_EQ(DecodeExecCredential(Plugin(), Credential(R"({"token":"t"})"))->expiration,
            absl::InfiniteFuture());
}

TEST(ExecCredentialTest, WhatIsNoCredentialIsRefusedWithItsField) {
  EXPECT_THAT(Fault("hello"), HasSubstr("output of login:1: bad JSON"));
  EXPECT_THAT(Fault("{}"), HasSubstr("kind: ``, expected ExecCredential"));
  EXPECT_THAT(Fault(Credential(R"({"token":"t"})", "client.authentication.k8s.io/v1beta1")),
              HasSubstr("apiVersion: `client.authentication.k8s.io/v1beta1`, expected "
                        "client.authentication.k8s.io/v1 as the kubeconfig says"));
  EXPECT_THAT(Fault(Credential("{}")), HasSubstr("status: no credentials, expected token"));
  EXPECT_THAT(Fault(Credential(R"({"token":"t","clientKeyData":"k"})")),
              HasSubstr("expected both or none"));
  EXPECT_THAT(Fault(Credential(R"({"token":"t","expirationTimestamp":"soon"})")),
              HasSubstr("status.expirationTimestamp: `soon`, expected a time"));
}

TEST(ExecCredentialTest, ThePluginIsToldAboutTheClusterWhereThatIsAskedFor) {
  ExecPlugin plugin = Plugin();
  const ExecCluster cluster = {"https://h", "name", true, "PEM", "http://p", R"({"a":1})"};
  EXPECT_EQ(ExecInfo(plugin, cluster),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"interactive":false}})");
  plugin.provide_cluster_info = true;
  EXPECT_EQ(ExecInfo(plugin, cluster),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"cluster":{"server":"https://h","tls-server-name":"name",)"
            R"("insecure-skip-tls-verify":true,"certificate-authority-data":"UEVN",)"
            R"("proxy-url":"http://p","config":{"a":1}},"interactive":false}})");
}

class ExecCredentialsTest : public testing::Test {
 protected:
  ExecCredentialsTest()
      : credentials_(Plugin(), {}, [this](const Command& command) {
          ++runs_;
          command_ = command;
          return result_;
        }) {}

  void Answer(const std::string& status) { result_ = CommandResult{0, Credential(status), ""}; }
  std::string Authorization(absl::Time now) {
    const auto pass = credentials_.Get(now);
    return pass.ok() ? pass->authorization : std::string(pass.status().message());
  }

  absl::StatusOr<CommandResult> result_ = CommandResult{};
  Command command_;
  int runs_ = 0;
  ExecCredentials credentials_;
};

TEST_F(ExecCredentialsTest, ThePluginRunsWithItsArgumentsAndEnvironment) {
  Answer(R"({"token":"t"})");
  EXPECT_EQ(Authorization(kStart), "Bearer t");
  EXPECT_EQ(command_.program, "login");
  EXPECT_EQ(command_.arguments, Plugin().args);
  ASSERT_EQ(command_.environment.size(), 2u);
  EXPECT_EQ(command_.environment[0], std::make_pair(std::string("PROFILE"), std::string("dev")));
  EXPECT_EQ(command_.environment[1].first, "KUBERNETES_EXEC_INFO");
  EXPECT_THAT(command_.environment[1].second, HasSubstr("ExecCredential"));
}

TEST_F(ExecCredentialsTest, APassIsKeptUntilJustBeforeItExpires) {
  Answer(R"({"token":"one","expirationTimestamp":"1970-01-01T01:00:00Z"})");
  EXPECT_EQ(Authorization(kStart), "Bearer one");
  Answer(R"({"token":"two"})");
  const absl::Time renewal = kStart + absl::Hours(1) - kExpiryMargin;
  EXPECT_EQ(Authorization(renewal - absl::Nanoseconds(1)), "Bearer one");
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(Authorization(renewal), "Bearer two");
  EXPECT_EQ(Authorization(renewal + absl::Hours(10'000)), "Bearer two");
  EXPECT_EQ(runs_, 2);
}

TEST_F(ExecCredentialsTest, ARefusedPassIsNotUsedAgain) {
  Answer(R"({"token":"one"})");
  const auto one = credentials_.Get(kStart);
  Answer(R"({"token":"two"})");
  EXPECT_TRUE(credentials_.Refused(*one));
  EXPECT_EQ(Authorization(kStart), "Bearer two");
  credentials_.Refused(*one);  // Late: another one is in use.
  EXPECT_EQ(Authorization(kStart), "Bearer two");
  EXPECT_EQ(runs_, 2);
}

TEST_F(ExecCredentialsTest, AFailureIsToldWithTheLastLineOfThePlugin) {
  result_ = CommandResult{1, "", "fetching\nexpired: log in again\n"};
  EXPECT_EQ(credentials_.Get(kStart).status(),
            absl::UnauthenticatedError(
                "credential plugin login failed with status 1: expired: log in again"));
  Answer(R"({"token":"t"})");
  EXPECT_EQ(Authorization(kStart), "Bearer t");
}

TEST_F(ExecCredentialsTest, AnAbsentPluginComesWithItsHint) {
  result_ = absl::NotFoundError("login: No such file or directory");
  EXPECT_EQ(Authorization(kStart),
            "credential plugin login: No such file or directory; brew install login");
}

}  // namespace
}  // namespace gangpack::k8s
