#include "server/doctor/scheduler_config.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "k8s/document.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/yaml_reader.h"
#include "server/simulate/go_duration.h"

namespace gangpack::server {
namespace {

constexpr int64_t kInt32Min = std::numeric_limits<int32_t>::min();
constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

void ReadHead(const k8s::Field& root) {
  const absl::string_view version = root.Text("apiVersion");
  if (version != kSchedulerConfigApiVersion) {
    root.Report("apiVersion", absl::StrCat(version.empty() ? "is missing" : k8s::Quote(version),
                                           ", expected ", kSchedulerConfigApiVersion,
                                           ", the only one of Kubernetes 1.30 to 1.37"));
  }
  const absl::string_view kind = root.Text("kind");
  if (kind != kSchedulerConfigKind) {
    root.Report("kind",
                absl::StrCat(kind.empty() ? "is missing" : k8s::Quote(kind), ", expected ",
                             kSchedulerConfigKind,
                             kind == "ConfigMap" ? " (the text under one of its keys)" : ""));
  }
}

void ReadTimeout(const k8s::Field& object, SchedulerExtender* extender) {
  const std::optional<absl::string_view> text = object.OptionalText("httpTimeout");
  if (!text.has_value()) return;
  absl::string_view digits = *text;
  const bool negative = absl::ConsumePrefix(&digits, "-");
  if (!negative) absl::ConsumePrefix(&digits, "+");
  const std::optional<absl::Duration> duration = ParseGoDuration(digits);
  if (!duration.has_value()) {
    object.Report("httpTimeout",
                  absl::StrCat(k8s::Quote(*text), ", expected a duration such as 2s or 24h"));
    return;
  }
  if (*duration == absl::ZeroDuration()) return;  // the default
  extender->timeout_is_default = false;
  extender->http_timeout = negative ? absl::InfiniteDuration() : *duration;
}

SchedulerExtender ReadExtender(const k8s::Field& object) {
  SchedulerExtender extender;
  extender.path = object.Path();
  extender.url_prefix = std::string(object.Text("urlPrefix"));
  extender.filter_verb = std::string(object.Text("filterVerb"));
  extender.prioritize_verb = std::string(object.Text("prioritizeVerb"));
  extender.preempt_verb = std::string(object.Text("preemptVerb"));
  extender.bind_verb = std::string(object.Text("bindVerb"));
  extender.weight = object.Int("weight", kInt64Min, kInt64Max).value_or(0);
  extender.enable_https = object.Bool("enableHTTPS");
  extender.has_tls_config = object.Object("tlsConfig").exists();
  extender.node_cache_capable = object.Bool("nodeCacheCapable");
  extender.ignorable = object.Bool("ignorable");
  const k8s::Field resources = object.List("managedResources");
  for (size_t i = 0; i < resources.item_count(); ++i) {
    const k8s::Field resource = resources.ObjectAt(i);
    extender.managed_resources.emplace_back(resource.Text("name"));
  }
  ReadTimeout(object, &extender);
  return extender;
}

std::vector<std::string> ReadPluginNames(const k8s::Field& point, absl::string_view key) {
  std::vector<std::string> names;
  const k8s::Field plugins = point.List(key);
  for (size_t i = 0; i < plugins.item_count(); ++i) {
    const k8s::Field plugin = plugins.ObjectAt(i);
    names.emplace_back(plugin.Text("name"));
  }
  return names;
}

SchedulerProfile ReadProfile(const k8s::Field& object) {
  SchedulerProfile profile;
  profile.path = object.Path();
  if (const auto name = object.OptionalText("schedulerName")) profile.name = std::string(*name);
  profile.percentage_of_nodes_to_score =
      object.Int("percentageOfNodesToScore", kInt32Min, kInt32Max);
  const k8s::Field plugins = object.Object("plugins");
  for (size_t i = 0; i < plugins.member_count(); ++i) {
    const absl::string_view key = plugins.MemberKey(i);
    const k8s::Field point = plugins.Object(key);
    profile.plugins[std::string(key)] = {ReadPluginNames(point, "enabled"),
                                         ReadPluginNames(point, "disabled")};
  }
  return profile;
}

void ReadClientConnection(const k8s::Field& object, SchedulerConfig* config) {
  const k8s::Field qps = object.Any("qps");
  double number = 0;
  if (qps.exists()) {
    if (qps.value().kind() != k8s::ValueKind::kNumber ||
        !absl::SimpleAtod(qps.value().text(), &number)) {
      object.Report("qps", absl::StrCat("is ", k8s::KindName(qps.value().kind()),
                                        ", expected a number such as 1000"));
    } else if (number != 0) {
      config->client_qps = number;
    }
  }
  const int64_t burst = object.Int("burst", kInt32Min, kInt32Max).value_or(0);
  if (burst != 0) config->client_burst = burst;
}

void ReadLeaderElection(const k8s::Field& object, SchedulerConfig* config) {
  if (object.Any("leaderElect").exists()) config->leader_elect = object.Bool("leaderElect");
  const absl::string_view name = object.Text("resourceName");
  if (!name.empty()) config->lease_name = std::string(name);
  const absl::string_view space = object.Text("resourceNamespace");
  if (!space.empty()) config->lease_namespace = std::string(space);
}

SchedulerConfig ReadRoot(const k8s::Field& root) {
  SchedulerConfig config;
  ReadHead(root);
  const k8s::Field extenders = root.List("extenders");
  for (size_t i = 0; i < extenders.item_count(); ++i) {
    config.extenders.push_back(ReadExtender(extenders.ObjectAt(i)));
  }
  const k8s::Field profiles = root.List("profiles");
  for (size_t i = 0; i < profiles.item_count(); ++i) {
    config.profiles.push_back(ReadProfile(profiles.ObjectAt(i)));
  }
  if (config.profiles.empty()) {
    config.profiles.emplace_back();
    config.profiles[0].path = "profiles[0]";
  }
  config.percentage_of_nodes_to_score =
      root.Int("percentageOfNodesToScore", kInt32Min, kInt32Max).value_or(0);
  config.pod_initial_backoff_seconds = root.Int("podInitialBackoffSeconds", kInt64Min, kInt64Max)
                                           .value_or(config.pod_initial_backoff_seconds);
  config.pod_max_backoff_seconds = root.Int("podMaxBackoffSeconds", kInt64Min, kInt64Max)
                                       .value_or(config.pod_max_backoff_seconds);
  ReadClientConnection(root.Object("clientConnection"), &config);
  ReadLeaderElection(root.Object("leaderElection"), &config);
  return config;
}

bool Has(const std::vector<std::string>& names, absl::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const PluginSet& PointOf(const SchedulerProfile& profile, absl::string_view point) {
  static const auto* const kNone = new PluginSet;
  const auto found = profile.plugins.find(std::string(point));
  return found == profile.plugins.end() ? *kNone : found->second;
}

}  // namespace

absl::StatusOr<SchedulerConfig> ReadSchedulerConfig(k8s::TextSource source) {
  const std::string file = source.file;
  absl::StatusOr<k8s::Documents> documents = k8s::ReadYamlOrJson(std::move(source));
  if (!documents.ok()) return documents.status();
  if (documents->roots().size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat(file, ":1: has ", documents->roots().size(),
                                                   " documents, expected one ",
                                                   kSchedulerConfigKind));
  }
  k8s::FaultList faults{file, {}};
  const k8s::Field root(documents->roots()[0], &faults);
  SchedulerConfig config;
  if (root.IsObject()) config = ReadRoot(root);
  if (faults.faults.empty()) return config;
  std::vector<std::string> lines;
  for (const k8s::Fault& fault : faults.faults) lines.push_back(fault.ToString());
  return absl::InvalidArgumentError(absl::StrJoin(lines, "\n"));
}

bool Disables(const SchedulerProfile& profile, const PluginAt& which) {
  const PluginSet& point = PointOf(profile, which.point);
  return Has(point.disabled, which.plugin) || Has(point.disabled, "*");
}

bool Runs(const SchedulerProfile& profile, const PluginAt& which) {
  // What an extension point enables by name runs, whatever else is disabled there.
  if (Has(PointOf(profile, which.point).enabled, which.plugin)) return true;
  if (Disables(profile, which)) return false;
  return Has(PointOf(profile, "multiPoint").enabled, which.plugin) ||
         !Disables(profile, {"multiPoint", which.plugin});
}

}  // namespace gangpack::server
