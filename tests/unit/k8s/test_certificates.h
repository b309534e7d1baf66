// Certificates made on the spot, for servers and clients of tests.

#ifndef GANGPACK_TESTS_UNIT_K8S_TEST_CERTIFICATES_H_
#define GANGPACK_TESTS_UNIT_K8S_TEST_CERTIFICATES_H_

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace gangpack::k8s {

class TestCertificate {
 public:
  // An authority that signed itself.
  static TestCertificate Authority(const std::string& common_name);
  // `names` as OpenSSL writes them: "IP:127.0.0.1,DNS:api.example".
  struct Subject {
    std::string common_name;
    std::string names;
    int days_valid = 30;  // Negative: expired.
  };
  TestCertificate Sign(const Subject& subject) const;

  std::string certificate_pem() const;
  std::string key_pem() const;
  X509* x509() const { return certificate_.get(); }
  EVP_PKEY* key() const { return key_.get(); }

 private:
  TestCertificate(const Subject& subject, const TestCertificate* issuer);

  std::shared_ptr<X509> certificate_;
  std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_TESTS_UNIT_K8S_TEST_CERTIFICATES_H_
