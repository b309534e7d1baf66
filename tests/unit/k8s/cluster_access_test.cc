#include "k8s/cluster_access.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/api_test_server.h"
#include "tests/unit/k8s/test_certificates.h"

namespace gangpack::k8s {
namespace {

class ClusterAccessTest : public testing::Test {
 protected:
  ClusterAccessTest()
      : authority_(TestCertificate::Authority("authority")),
        server_(authority_.Sign({"server", "IP:127.0.0.1"}), authority_) {
    config_.server.host = "127.0.0.1";
    config_.server.port = server_.port();
    config_.ca_pem = authority_.certificate_pem();
  }

  HttpResponse Call(const std::string& target) {
    const absl::StatusOr<ClusterAccess> access = OpenClusterAccess(config_, &clock_);
    EXPECT_TRUE(access.ok()) << access.status();
    HttpRequest request;
    request.target = target;
    const absl::StatusOr<HttpResponse> response = access->transport->Call(request);
    EXPECT_TRUE(response.ok()) << response.status();
    return response.value_or(HttpResponse{});
  }

  SystemClock clock_;
  TestCertificate authority_;
  ApiTestServer server_;
  ClientConfig config_;
};

TEST_F(ClusterAccessTest, ATokenIsShown) {
  config_.pass.authorization = "Bearer good";
  EXPECT_EQ(Call("/secret").status, 200);
}

TEST_F(ClusterAccessTest, ATokenOfAFileIsShown) {
  config_.token_file = absl::StrCat(std::getenv("TEST_TMPDIR"), "/token");
  std::ofstream(config_.token_file) << "good\n";
  EXPECT_EQ(Call("/secret").status, 200);
}

TEST_F(ClusterAccessTest, APluginIsRunAndTheCertificateOfTheUserStays) {
  const TestCertificate client = authority_.Sign({"somebody", ""});
  config_.pass = {"", client.certificate_pem(), client.key_pem()};
  ExecPlugin plugin;
  plugin.api_version = "client.authentication.k8s.io/v1";
  plugin.command = "sh";
  plugin.args = {"-c",
                 R"(printf '{"kind":"ExecCredential","apiVersion":"%s","status":{"token":"%s"}}' )"
                 R"(client.authentication.k8s.io/v1 "$TOKEN")"};
  plugin.env = {{"TOKEN", "good"}};
  config_.exec = plugin;
  EXPECT_EQ(Call("/secret").status, 200);
  EXPECT_EQ(Call("/who").body, "somebody");
}

TEST_F(ClusterAccessTest, ACertificateThatCannotBeUsedIsToldAtOnce) {
  config_.pass.certificate_pem = "-----BEGIN NONSENSE";
  EXPECT_EQ(OpenClusterAccess(config_, &clock_).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace gangpack::k8s
