#include "k8s/exec_credential.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "k8s/document.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/json_reader.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace gangpack::k8s {
namespace {

constexpr size_t kMaxQuotedErrorBytes = 500;

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

// Nothing where the value is empty, as Go's omitempty.
void Text(const char* key, const std::string& value, Writer* writer) {
  if (value.empty()) return;
  writer->Key(key);
  writer->String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}

void WriteCluster(const ExecCluster& cluster, Writer* writer) {
  writer->Key("cluster");
  writer->StartObject();
  Text("server", cluster.server, writer);
  Text("tls-server-name", cluster.tls_server_name, writer);
  if (cluster.insecure_skip_tls_verify) {
    writer->Key("insecure-skip-tls-verify");
    writer->Bool(true);
  }
  Text("certificate-authority-data", absl::Base64Escape(cluster.ca_pem), writer);
  Text("proxy-url", cluster.proxy_url, writer);
  if (!cluster.config_json.empty()) {
    writer->Key("config");
    writer->RawValue(cluster.config_json.data(), cluster.config_json.size(),
                     rapidjson::kObjectType);
  }
  writer->EndObject();
}

// The last line that says something, since tools print progress before it.
std::string LastLine(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  const size_t newline = text.rfind('\n');
  if (newline != absl::string_view::npos) text.remove_prefix(newline + 1);
  return std::string(text.substr(0, kMaxQuotedErrorBytes));
}

}  // namespace

std::string ExecInfo(const ExecPlugin& plugin, const ExecCluster& cluster) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  writer.StartObject();
  Text("kind", "ExecCredential", &writer);
  Text("apiVersion", plugin.api_version, &writer);
  writer.Key("spec");
  writer.StartObject();
  if (plugin.provide_cluster_info) WriteCluster(cluster, &writer);
  writer.Key("interactive");
  writer.Bool(false);
  writer.EndObject();
  writer.EndObject();
  return buffer.GetString();
}

absl::StatusOr<ExecPass> DecodeExecCredential(const ExecPlugin& plugin, std::string text) {
  FaultList faults;
  faults.file = absl::StrCat("output of ", plugin.command);
  GP_ASSIGN_OR_RETURN(const Documents documents, ReadJson({faults.file, std::move(text)}));
  const Value root_value = documents.roots().empty() ? Value() : documents.roots().front();
  const Field root(root_value, &faults);
  ExecPass result;
  if (root.Text("kind") != "ExecCredential") {
    root.Report("kind", absl::StrCat(Quote(root.Text("kind")), ", expected ExecCredential"));
  } else if (root.Text("apiVersion") != plugin.api_version) {
    root.Report("apiVersion", absl::StrCat(Quote(root.Text("apiVersion")), ", expected ",
                                           plugin.api_version, " as the kubeconfig says"));
  }
  const Field status = root.Object("status");
  const absl::string_view token = status.Text("token");
  if (!token.empty()) result.pass.authorization = BearerAuthorization(token);
  result.pass.certificate_pem = std::string(status.Text("clientCertificateData"));
  result.pass.key_pem = std::string(status.Text("clientKeyData"));
  if (result.pass.certificate_pem.empty() != result.pass.key_pem.empty()) {
    status.Report("clientCertificateData and clientKeyData, expected both or none");
  } else if (token.empty() && result.pass.key_pem.empty()) {
    status.Report("no credentials, expected token, or clientCertificateData and clientKeyData");
  }
  result.expiration = status.Timestamp("expirationTimestamp").value_or(absl::InfiniteFuture());
  if (faults.faults.empty()) return result;
  return absl::InvalidArgumentError(faults.faults.front().ToString());
}

ExecCredentials::ExecCredentials(ExecPlugin plugin, const ExecCluster& cluster, Runner runner)
    : plugin_(std::move(plugin)), info_(ExecInfo(plugin_, cluster)), runner_(std::move(runner)) {}

absl::StatusOr<Pass> ExecCredentials::Get(absl::Time now) {
  absl::MutexLock lock(&mutex_);
  if (now < cached_.expiration - kExpiryMargin) return cached_.pass;
  const absl::StatusOr<ExecPass> fresh = RunPlugin();
  if (!fresh.ok()) {
    return absl::UnauthenticatedError(
        absl::StrCat("credential plugin ", std::string(fresh.status().message())));
  }
  cached_ = *fresh;
  return cached_.pass;
}

bool ExecCredentials::Refused(const Pass& pass) {
  absl::MutexLock lock(&mutex_);
  if (pass == cached_.pass) cached_.expiration = absl::InfinitePast();
  return true;
}

absl::StatusOr<ExecPass> ExecCredentials::RunPlugin() const {
  Command command;
  command.program = plugin_.command;
  command.arguments = plugin_.args;
  command.environment = plugin_.env;
  command.environment.emplace_back("KUBERNETES_EXEC_INFO", info_);
  absl::StatusOr<CommandResult> result = runner_(command);
  if (absl::IsNotFound(result.status()) && !plugin_.install_hint.empty()) {
    return absl::NotFoundError(absl::StrCat(std::string(result.status().message()), "; ",
                                            absl::StripAsciiWhitespace(plugin_.install_hint)));
  }
  GP_RETURN_IF_ERROR(result.status());
  if (result->exit_status != 0) {
    return absl::UnavailableError(absl::StrCat(plugin_.command, " failed with status ",
                                               result->exit_status, ": ",
                                               LastLine(result->errors)));
  }
  return DecodeExecCredential(plugin_, std::move(result->output));
}

}  // namespace gangpack::k8s
