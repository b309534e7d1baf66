#include "k8s/kubeconfig_entry.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/fault.h"
#include "k8s/value_json.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kExecExtension = "client.authentication.k8s.io/exec";

std::string Resolve(const EntrySource& source, absl::string_view path) {
  if (absl::StartsWith(path, "/") || source.folder.empty()) return std::string(path);
  return absl::StrCat(source.folder, "/", path);
}

// The PEM text of `key`-data, or else of the file that `key` names. Empty where there is neither.
std::string ReadPem(const Field& parent, const std::string& key, const EntrySource& source) {
  const std::string data_key = key + "-data";
  const absl::string_view data = parent.Text(data_key);
  std::string pem;
  if (!data.empty()) {
    if (!absl::Base64Unescape(data, &pem)) {
      parent.Report(data_key, "bad base64, expected PEM text in base64");
      return "";
    }
  } else if (const absl::string_view path = parent.Text(key); !path.empty()) {
    absl::StatusOr<std::string> text = source.reader(Resolve(source, path));
    if (!text.ok()) {
      parent.Report(key, absl::StrCat(std::string(text.status().message()),
                                      ", expected a file with PEM text"));
      return "";
    }
    pem = *std::move(text);
  } else {
    return "";
  }
  if (!absl::StrContains(pem, "-----BEGIN ")) {
    parent.Report(data.empty() ? key : data_key, "no PEM block in it, expected -----BEGIN ...");
    return "";
  }
  return pem;
}

void DecodeExec(const Field& exec, const EntrySource& source, ClientConfig* config) {
  ExecPlugin plugin;
  plugin.api_version = std::string(exec.Text("apiVersion"));
  const bool is_v1 = plugin.api_version == "client.authentication.k8s.io/v1";
  if (!is_v1 && plugin.api_version != "client.authentication.k8s.io/v1beta1") {
    exec.Report("apiVersion",
                absl::StrCat(Quote(plugin.api_version),
                             ", expected client.authentication.k8s.io/v1 or v1beta1"));
  }
  const absl::string_view command = exec.Text("command");
  if (command.empty()) exec.Report("command", "missing, expected the program to run");
  // A name without a slash is looked for in PATH.
  plugin.command =
      absl::StrContains(command, "/") ? Resolve(source, command) : std::string(command);
  plugin.args = exec.Texts("args");
  const Field env = exec.List("env");
  for (size_t i = 0; i < env.item_count(); ++i) {
    const Field variable = env.ObjectAt(i);
    const absl::string_view name = variable.Text("name");
    if (name.empty()) variable.Report("name", "missing, expected the name of a variable");
    plugin.env.emplace_back(std::string(name), std::string(variable.Text("value")));
  }
  plugin.install_hint = std::string(exec.Text("installHint"));
  plugin.provide_cluster_info = exec.Bool("provideClusterInfo");
  const absl::string_view mode = exec.Text("interactiveMode");
  if (mode == "Always") {
    exec.Report("interactiveMode", "`Always`, expected Never or IfAvailable: there is no terminal");
  } else if ((is_v1 || !mode.empty()) && mode != "Never" && mode != "IfAvailable") {
    exec.Report("interactiveMode", absl::StrCat(mode.empty() ? "missing" : Quote(mode),
                                                ", expected Never or IfAvailable"));
  }
  config->exec = std::move(plugin);
}

}  // namespace

void DecodeCluster(const Field& cluster, const EntrySource& source, ClientConfig* config) {
  const absl::string_view server = cluster.Text("server");
  absl::StatusOr<Url> url = ParseUrl(server);
  if (server.empty()) {
    cluster.Report("server", "missing, expected a URL such as https://10.0.0.1:6443");
  } else if (!url.ok()) {
    cluster.Report("server", std::string(url.status().message()));
  } else {
    config->server = *std::move(url);
  }
  config->tls_server_name = std::string(cluster.Text("tls-server-name"));
  config->insecure_skip_tls_verify = cluster.Bool("insecure-skip-tls-verify");
  config->ca_pem = ReadPem(cluster, "certificate-authority", source);
  if (config->insecure_skip_tls_verify && !config->ca_pem.empty()) {
    cluster.Report("insecure-skip-tls-verify",
                   "true beside a certificate authority, expected one of the two");
  }
  const absl::string_view proxy = cluster.Text("proxy-url");
  if (!proxy.empty()) {
    absl::StatusOr<Url> proxy_url = ParseUrl(proxy);
    if (!proxy_url.ok() || proxy_url->tls) {
      cluster.Report("proxy-url",
                     absl::StrCat(Quote(proxy), ", expected a URL such as http://proxy:3128"));
    } else if (!config->server.tls) {
      cluster.Report("proxy-url", "a proxy for an http server, expected an https server");
    } else {
      config->proxy = *std::move(proxy_url);
    }
  }
  config->exec_cluster = {
      std::string(server), config->tls_server_name, config->insecure_skip_tls_verify,
      config->ca_pem,      std::string(proxy),      ""};
  const Field extensions = cluster.List("extensions");
  for (size_t i = 0; i < extensions.item_count(); ++i) {
    const Field item = extensions.ObjectAt(i);
    const Field extension = item.Any("extension");
    if (item.Text("name") == kExecExtension && extension.exists()) {
      config->exec_cluster.config_json = ToJson(extension.value());
    }
  }
}

void DecodeUser(const Field& user, const EntrySource& source, ClientConfig* config) {
  Pass& pass = config->pass;
  pass.certificate_pem = ReadPem(user, "client-certificate", source);
  pass.key_pem = ReadPem(user, "client-key", source);
  const auto named = [&user](const char* key, const char* data_key) {
    return !user.Text(key).empty() || !user.Text(data_key).empty();
  };
  const bool has_certificate = named("client-certificate", "client-certificate-data");
  const bool has_key = named("client-key", "client-key-data");
  if (has_certificate && !has_key) {
    user.Report("client-key", "missing, expected the key of the client certificate");
  } else if (has_key && !has_certificate) {
    user.Report("client-certificate", "missing, expected the certificate of the client key");
  }
  const absl::string_view token = user.Text("token");
  const absl::string_view token_file = user.Text("tokenFile");
  const absl::string_view username = user.Text("username");
  const absl::string_view password = user.Text("password");
  const bool has_token = !token.empty() || !token_file.empty();
  if (has_token && !username.empty()) {
    user.Report("username", "beside a token, expected one of the two");
  }
  if (username.empty() && !password.empty()) {
    user.Report("username", "missing, expected the user of the password");
  }
  if (!token_file.empty()) {
    config->token_file = Resolve(source, token_file);
  } else if (!token.empty()) {
    pass.authorization = BearerAuthorization(token);
  } else if (!username.empty()) {
    pass.authorization = BasicAuthorization({std::string(username), std::string(password)});
  }
  if (user.Any("auth-provider").exists()) {
    user.Report("auth-provider", "no longer supported by Kubernetes, expected exec");
  }
  if (!user.Text("as").empty()) user.Report("as", "impersonation, expected a user of its own");
  const Field exec = user.Object("exec");
  // As for kubectl, what is written down comes before what a plugin would say.
  if (exec.exists() && !has_token && username.empty()) DecodeExec(exec, source, config);
}

}  // namespace gangpack::k8s
