#include "tests/unit/k8s/test_certificates.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace gangpack::k8s {
namespace {

constexpr long kSecondsOfDay = 24 * 60 * 60;

long NextSerial() {
  static long serial = 0;
  return ++serial;
}

void AddExtension(int nid, const std::string& value, X509* issuer, X509* certificate) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

template <typename Write>
std::string ToPem(Write write) {
  BIO* bio = BIO_new(BIO_s_mem());
  write(bio);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  std::string pem(bytes, static_cast<size_t>(size));
  BIO_free(bio);
  return pem;
}

}  // namespace

TestCertificate TestCertificate::Authority(const std::string& common_name) {
  return TestCertificate({common_name, ""}, nullptr);
}

TestCertificate TestCertificate::Sign(const Subject& subject) const {
  return TestCertificate(subject, this);
}

TestCertificate::TestCertificate(const Subject& subject, const TestCertificate* issuer)
    : certificate_(X509_new(), X509_free), key_(EVP_EC_gen("P-256"), EVP_PKEY_free) {
  X509* certificate = certificate_.get();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), NextSerial());
  X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * kSecondsOfDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate), subject.days_valid * kSecondsOfDay);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(subject.common_name.c_str()),
                             -1, -1, 0);
  X509* issuing = issuer == nullptr ? certificate : issuer->x509();
  X509_set_issuer_name(certificate, X509_get_subject_name(issuing));
  X509_set_pubkey(certificate, key_.get());
  AddExtension(NID_basic_constraints, issuer == nullptr ? "critical,CA:TRUE" : "CA:FALSE", issuing,
               certificate);
  if (!subject.names.empty()) {
    AddExtension(NID_subject_alt_name, subject.names, issuing, certificate);
  }
  X509_sign(certificate, issuer == nullptr ? key_.get() : issuer->key(), EVP_sha256());
}

std::string TestCertificate::certificate_pem() const {
  return ToPem([this](BIO* bio) { PEM_write_bio_X509(bio, certificate_.get()); });
}

std::string TestCertificate::key_pem() const {
  return ToPem([this](BIO* bio) {
    PEM_write_bio_PrivateKey(bio, key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
}

}  // namespace gangpack::k8s
