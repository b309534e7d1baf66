#include "k8s/tls_context.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/test_certificates.h"

namespace gangpack::k8s {
namespace {

using ::testing::StartsWith;

class TlsContextTest : public testing::Test {
 protected:
  TlsContextTest()
      : authority_(TestCertificate::Authority("a")), client_(authority_.Sign({"c", ""})) {}

  static TlsOptions Trusting(const std::string& ca_pem) { return {ca_pem, false, "", ""}; }
  static std::string ErrorOf(const TlsOptions& options) {
    const absl::Status status = TlsContext::Create(options).status();
    EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  }

  TestCertificate authority_;
  TestCertificate client_;
};

TEST_F(TlsContextTest, ABundleOfAuthoritiesAndACertificateWithItsChainAreRead) {
  const TestCertificate other = TestCertificate::Authority("b");
  const std::string bundle = authority_.certificate_pem() + other.certificate_pem();
  EXPECT_EQ(ErrorOf({bundle, false, client_.certificate_pem() + authority_.certificate_pem(),
                     client_.key_pem()}),
            "");
  EXPECT_EQ(ErrorOf({}), "");
}

TEST_F(TlsContextTest, AnAuthorityThatCannotBeReadIsRefused) {
  EXPECT_THAT(ErrorOf(Trusting("nonsense")), StartsWith("certificate authority: no start line"));
  std::string broken = authority_.certificate_pem();
  broken[60] = '*';
  EXPECT_THAT(ErrorOf(Trusting(broken)), StartsWith("certificate authority: "));
  EXPECT_THAT(ErrorOf(Trusting(authority_.certificate_pem() + broken)),
              StartsWith("certificate authority: "));
}

TEST_F(TlsContextTest, AnAuthorityIsNotReadWhereNobodyIsVerified) {
  EXPECT_EQ(ErrorOf({"nonsense", /*insecure_skip_verify=*/true, "", ""}), "");
}

TEST_F(TlsContextTest, AClientCertificateNeedsItsOwnKey) {
  EXPECT_THAT(ErrorOf({"", false, "nonsense", client_.key_pem()}),
              StartsWith("client certificate: "));
  EXPECT_THAT(ErrorOf({"", false, client_.certificate_pem(), "nonsense"}),
              StartsWith("client key: "));
  EXPECT_THAT(ErrorOf({"", false, client_.certificate_pem(), authority_.key_pem()}),
              StartsWith("client key: key values mismatch"));
}

}  // namespace
}  // namespace gangpack::k8s
