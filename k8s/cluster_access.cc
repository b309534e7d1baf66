#include "k8s/cluster_access.h"

#include <utility>

#include "core/status_macros.h"
#include "k8s/exec_credential.h"
#include "k8s/subprocess.h"
#include "k8s/tls_context.h"

namespace gangpack::k8s {
namespace {

// A plugin may hand out a client certificate; one of the kubeconfig stays beside its token.
class ExecWithCertificate final : public Credentials {
 public:
  ExecWithCertificate(const ClientConfig& config)
      : certificate_(config.pass), plugin_(*config.exec, config.exec_cluster, RunCommand) {}

  absl::StatusOr<Pass> Get(absl::Time now) override {
    GP_ASSIGN_OR_RETURN(Pass pass, plugin_.Get(now));
    if (pass.certificate_pem.empty()) {
      pass.certificate_pem = certificate_.certificate_pem;
      pass.key_pem = certificate_.key_pem;
    }
    return pass;
  }
  bool Refused(const Pass& pass) override {
    Pass own = pass;
    if (own.certificate_pem == certificate_.certificate_pem) {
      own.certificate_pem.clear();
      own.key_pem.clear();
    }
    return plugin_.Refused(own);
  }

 private:
  const Pass certificate_;
  ExecCredentials plugin_;
};

std::unique_ptr<Credentials> MakeCredentials(const ClientConfig& config) {
  if (config.exec.has_value()) return std::make_unique<ExecWithCertificate>(config);
  if (!config.token_file.empty()) {
    return std::make_unique<TokenFileCredentials>(config.token_file, config.pass, ReadTextFile);
  }
  return std::make_unique<FixedCredentials>(config.pass);
}

}  // namespace

absl::StatusOr<ClusterAccess> OpenClusterAccess(const ClientConfig& config, Clock* clock) {
  if (config.server.tls) {
    // A certificate that cannot be used is to be told now, not with the first call.
    GP_RETURN_IF_ERROR(TlsContext::Create({config.ca_pem, config.insecure_skip_tls_verify,
                                           config.pass.certificate_pem, config.pass.key_pem})
                           .status());
  }
  ClusterAccess access;
  access.credentials = MakeCredentials(config);
  HttpsTransportOptions options;
  options.target = {config.server, config.tls_server_name, config.proxy};
  options.ca_pem = config.ca_pem;
  options.insecure_skip_verify = config.insecure_skip_tls_verify;
  GP_ASSIGN_OR_RETURN(access.transport,
                      HttpsTransport::Create(std::move(options), access.credentials.get(), clock));
  return access;
}

}  // namespace gangpack::k8s
