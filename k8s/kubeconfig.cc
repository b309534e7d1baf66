#include "k8s/kubeconfig.h"

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/status_macros.h"
#include "k8s/document.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/kubeconfig_entry.h"
#include "k8s/yaml_reader.h"

namespace gangpack::k8s {
namespace {

// One file that was read.
struct Loaded {
  Documents documents;
  FaultList faults;
  std::string folder;

  // An empty file says nothing.
  Value root() const { return documents.roots().empty() ? Value() : documents.roots().front(); }
};

using Files = std::vector<std::unique_ptr<Loaded>>;

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

absl::StatusOr<std::unique_ptr<Loaded>> Load(const std::string& path, const FileReader& reader) {
  GP_ASSIGN_OR_RETURN(std::string text, reader(path));
  GP_ASSIGN_OR_RETURN(Documents documents, ReadYamlOrJson({path, std::move(text)}));
  return std::unique_ptr<Loaded>(
      new Loaded{std::move(documents), FaultList{path, {}}, FolderOf(path)});
}

struct Listing {
  const char* list;  // "clusters"
  const char* key;   // "cluster"
};
constexpr Listing kClusters = {"clusters", "cluster"};
constexpr Listing kUsers = {"users", "user"};
constexpr Listing kContexts = {"contexts", "context"};

// Calls `use` with the entry of that name in the first file that has it. False where none has.
template <typename Use>
bool WithEntry(const Files& files, const Listing& listing, absl::string_view name, Use use) {
  for (const std::unique_ptr<Loaded>& file : files) {
    const Value root_value = file->root();
    const Field root(root_value, &file->faults);
    const Field list = root.List(listing.list);
    for (size_t i = 0; i < list.item_count(); ++i) {
      const Field item = list.ObjectAt(i);
      if (!item.exists() || item.Text("name") != name) continue;
      const Field entry = item.Object(listing.key);
      use(entry, *file);
      return true;
    }
  }
  return false;
}

absl::Status FirstFault(const Files& files) {
  for (const std::unique_ptr<Loaded>& file : files) {
    if (!file->faults.faults.empty()) {
      return absl::InvalidArgumentError(file->faults.faults.front().ToString());
    }
  }
  return absl::OkStatus();
}

std::string CurrentContext(const Files& files) {
  for (const std::unique_ptr<Loaded>& file : files) {
    const Value root_value = file->root();
    const Field root(root_value, &file->faults);
    const absl::string_view context = root.Text("current-context");
    if (!context.empty()) return std::string(context);
  }
  return "";
}

std::string Names(const Files& files) {
  return absl::StrJoin(files, ":", [](std::string* out, const std::unique_ptr<Loaded>& file) {
    out->append(file->faults.file);
  });
}

absl::StatusOr<ClientConfig> ChooseContext(const Files& files, const std::string& asked,
                                           const FileReader& reader) {
  ClientConfig config;
  config.context = asked.empty() ? CurrentContext(files) : asked;
  GP_RETURN_IF_ERROR(FirstFault(files));
  if (config.context.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(Names(files), ": current-context: missing, expected the name of a context"));
  }
  std::string cluster;
  std::string user;
  const bool has_context =
      WithEntry(files, kContexts, config.context, [&](const Field& context, const Loaded&) {
        cluster = std::string(context.Text("cluster"));
        user = std::string(context.Text("user"));
        config.namespace_name = std::string(context.Text("namespace"));
        if (cluster.empty()) {
          context.Report("cluster", "missing, expected the name of a cluster");
        }
      });
  GP_RETURN_IF_ERROR(FirstFault(files));
  const auto absent = [&files](const Listing& listing, const std::string& name) {
    return absl::InvalidArgumentError(absl::StrCat(Names(files), ": ", listing.list, ": no ",
                                                   listing.key, " has the name ", Quote(name),
                                                   ", expected one that has"));
  };
  if (!has_context) return absent(kContexts, config.context);
  const bool has_cluster =
      WithEntry(files, kClusters, cluster, [&](const Field& entry, const Loaded& file) {
        DecodeCluster(entry, {file.folder, reader}, &config);
      });
  if (!has_cluster) return absent(kClusters, cluster);
  const bool has_user =
      user.empty() || WithEntry(files, kUsers, user, [&](const Field& entry, const Loaded& file) {
        DecodeUser(entry, {file.folder, reader}, &config);
      });
  if (!has_user) return absent(kUsers, user);
  GP_RETURN_IF_ERROR(FirstFault(files));
  return config;
}

absl::StatusOr<ClientConfig> InClusterConfig(const ConfigSources& sources,
                                             const FileReader& reader) {
  const auto path = [](const char* file) { return absl::StrCat(kServiceAccountFolder, "/", file); };
  ClientConfig config;
  config.server.host = sources.service_host;
  if (!absl::SimpleAtoi(sources.service_port, &config.server.port) || config.server.port < 1 ||
      config.server.port > 65535) {
    return absl::InvalidArgumentError(
        absl::StrCat("KUBERNETES_SERVICE_PORT: ", Quote(sources.service_port),
                     ", expected a port from 1 to 65535"));
  }
  config.token_file = path("token");
  absl::StatusOr<std::string> ca = reader(path("ca.crt"));
  if (!ca.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat(std::string(ca.status().message()),
                     ", expected the certificate authority of the pod's service account"));
  }
  config.ca_pem = *std::move(ca);
  config.namespace_name = reader(path("namespace")).value_or("");
  return config;
}

}  // namespace

ConfigSources EnvironmentSources() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  ConfigSources sources;
  sources.kubeconfig_variable = variable("KUBECONFIG");
  sources.home = variable("HOME");
  sources.service_host = variable("KUBERNETES_SERVICE_HOST");
  sources.service_port = variable("KUBERNETES_SERVICE_PORT");
  return sources;
}

absl::StatusOr<ClientConfig> LoadClientConfig(const ConfigSources& sources,
                                              const FileReader& reader) {
  std::vector<std::string> paths;
  if (!sources.file.empty()) {
    paths = {sources.file};
  } else if (!sources.kubeconfig_variable.empty()) {
    paths = absl::StrSplit(sources.kubeconfig_variable, ':', absl::SkipEmpty());
  } else if (!sources.home.empty()) {
    paths = {absl::StrCat(sources.home, "/.kube/config")};
  }
  Files files;
  for (const std::string& path : paths) {
    absl::StatusOr<std::unique_ptr<Loaded>> file = Load(path, reader);
    if (file.ok()) {
      files.push_back(*std::move(file));
    } else if (!absl::IsNotFound(file.status()) || !sources.file.empty()) {
      return absl::InvalidArgumentError(file.status().message());
    }
  }
  if (!files.empty()) return ChooseContext(files, sources.context, reader);
  if (!sources.service_host.empty()) return InClusterConfig(sources, reader);
  return absl::FailedPreconditionError(absl::StrCat(
      paths.empty() ? "no kubeconfig" : absl::StrJoin(paths, ":"),
      paths.empty() ? "" : ": no such file",
      ", expected --kubeconfig, KUBECONFIG, ~/.kube/config, or a pod with a service account"));
}

}  // namespace gangpack::k8s
