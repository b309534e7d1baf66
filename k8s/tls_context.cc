#include "k8s/tls_context.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"

namespace gangpack::k8s {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

std::unique_ptr<BIO, Free> Open(const std::string& pem) {
  return std::unique_ptr<BIO, Free>(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

std::unique_ptr<X509, Free> ReadCertificate(BIO* bio) {
  return std::unique_ptr<X509, Free>(PEM_read_bio_X509(bio, nullptr, nullptr, nullptr));
}

// OpenSSL would ask on the terminal.
int NoPassword(char*, int, int, void*) { return 0; }

absl::Status TrustCertificates(const std::string& pem, SSL_CTX* context) {
  const auto bio = Open(pem);
  int count = 0;
  while (const auto certificate = ReadCertificate(bio.get())) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.get()) != 1) break;
    ++count;
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string error = TakeOpensslError();
  if (count > 0 && at_end) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("certificate authority: ", error,
                                                 ", expected PEM blocks of the type CERTIFICATE"));
}

absl::Status ShowCertificate(const TlsOptions& options, SSL_CTX* context) {
  const auto bio = Open(options.certificate_pem);
  auto certificate = ReadCertificate(bio.get());
  if (certificate == nullptr || SSL_CTX_use_certificate(context, certificate.get()) != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("client certificate: ", TakeOpensslError(),
                     ", expected a PEM block of the type CERTIFICATE"));
  }
  while ((certificate = ReadCertificate(bio.get())) != nullptr) {
    SSL_CTX_add1_chain_cert(context, certificate.get());
  }
  ERR_clear_error();
  const auto key_bio = Open(options.key_pem);
  const std::unique_ptr<EVP_PKEY, Free> key(
      PEM_read_bio_PrivateKey(key_bio.get(), nullptr, NoPassword, nullptr));
  if (key == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("client key: ", TakeOpensslError(),
                     ", expected a PEM block with an unencrypted private key"));
  }
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return absl::InvalidArgumentError(absl::StrCat("client key: ", TakeOpensslError(),
                                                   ", expected the key of the client certificate"));
  }
  return absl::OkStatus();
}

bool IsIpAddress(const std::string& name) {
  ASN1_OCTET_STRING* address = a2i_IPADDRESS(name.c_str());
  ASN1_OCTET_STRING_free(address);
  ERR_clear_error();
  return address != nullptr;
}

}  // namespace

std::string TakeOpensslError() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "unknown error";
  const char* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : absl::StrCat("error ", absl::Hex(code));
}

absl::StatusOr<std::shared_ptr<const TlsContext>> TlsContext::Create(const TlsOptions& options) {
  ERR_clear_error();
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  if (context == nullptr) return absl::InternalError(absl::StrCat("TLS: ", TakeOpensslError()));
  const std::shared_ptr<const TlsContext> result(new TlsContext(context));
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (options.insecure_skip_verify) {
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
  } else {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    if (options.ca_pem.empty()) {
      SSL_CTX_set_default_verify_paths(context);
    } else {
      GP_RETURN_IF_ERROR(TrustCertificates(options.ca_pem, context));
    }
  }
  if (!options.certificate_pem.empty()) GP_RETURN_IF_ERROR(ShowCertificate(options, context));
  return result;
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

SSL* TlsContext::NewClient(const std::string& server_name) const {
  SSL* ssl = SSL_new(context_);
  if (ssl == nullptr) return nullptr;
  SSL_set_connect_state(ssl);
  if (IsIpAddress(server_name)) {
    // RFC 6066: an address is no server name.
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), server_name.c_str());
  } else {
    SSL_set_tlsext_host_name(ssl, server_name.c_str());
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    SSL_set1_host(ssl, server_name.c_str());
  }
  return ssl;
}

}  // namespace gangpack::k8s
