#include "server/doctor/cluster_check.h"

#include <iterator>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/api_failure.h"
#include "k8s/list_page.h"
#include "k8s/reflector.h"
#include "k8s/resource_type.h"
#include "server/doctor/access_rights.h"
#include "server/doctor/topology_census.h"

namespace gangpack::server {
namespace {

constexpr int kPageLimit = 500;
constexpr int kListAttempts = 3;  // while pages expire before they are asked for
constexpr int kGone = 410;

std::string Message(const absl::Status& status) { return std::string(status.message()); }

void Append(std::vector<Finding> more, std::vector<Finding>* findings) {
  std::move(more.begin(), more.end(), std::back_inserter(*findings));
}

// All objects of a type, into a copy of `empty`.
template <typename Census>
absl::StatusOr<Census> ListInto(const Census& empty, k8s::ResourceType type, k8s::ApiClient* client,
                                SlowStep* step) {
  for (int attempt = 1;; ++attempt) {
    Census census = empty;
    k8s::ListRequest request{kPageLimit, ""};
    int64_t seen = 0;
    for (;;) {
      k8s::ReflectorInput answer = client->List(type, request);
      if (const auto* failed = std::get_if<k8s::RequestFailed>(&answer)) {
        const bool expired = failed->failure.code == kGone && !request.continue_token.empty();
        if (expired && attempt < kListAttempts) break;
        return k8s::ToStatus(failed->failure);
      }
      const auto& page = std::get<k8s::ListPage>(answer);
      for (const k8s::ApiRecord& record : page.records) census.Add(record);
      seen += static_cast<int64_t>(page.records.size());
      step->Count(seen);
      request.continue_token = page.continue_token;
      if (request.continue_token.empty()) return census;
    }
  }
}

// The message, with the server's name before it unless it begins with that.
std::string Named(const CheckedCluster& cluster, const absl::Status& status) {
  std::string message = Message(status);
  if (absl::StartsWith(message, cluster.server)) return message;
  return absl::StrCat(cluster.server, ": ", message);
}

Finding Unreachable(const CheckedCluster& cluster, const absl::Status& status) {
  const std::string check = "api-server";
  const std::string& server = cluster.server;
  switch (status.code()) {
    case absl::StatusCode::kUnauthenticated:
      return {Severity::kError, check,
              absl::StrCat(server, " does not know who we are: ", Message(status)),
              "nothing else could be checked",
              "renew the credentials of the kubeconfig; `kubectl auth whoami` shows whether they "
              "work"};
    case absl::StatusCode::kPermissionDenied:
      return {Severity::kError, check, absl::StrCat(server, " answers: ", Message(status)),
              "nothing else could be checked",
              "another user of the kubeconfig: every authenticated user may read /version"};
    default:
      return {
          Severity::kError, check,
          absl::StrCat("no usable answer from the API server ", Named(cluster, status)),
          "nothing else could be checked",
          "is that the right server, and can it be reached from here? (clusters[].cluster.server "
          "of the kubeconfig; another --context)"};
  }
}

Finding CheckVersion(const k8s::ServerVersion& version) {
  const bool older = version.major < 1 || (version.major == 1 && version.minor < kServerMinorMin);
  const bool newer = version.major > 1 || (version.major == 1 && version.minor > kServerMinorMax);
  const std::string found = absl::StrCat(version.text,
                                         older   ? ", older than 1."
                                         : newer ? ", newer than 1."
                                                 : "",
                                         older   ? absl::StrCat(kServerMinorMin)
                                         : newer ? absl::StrCat(kServerMinorMax)
                                                 : "");
  if (!older && !newer) return Good("version", found);
  return {
      Severity::kWarning, "version", found,
      absl::StrCat("gangpack is made for Kubernetes 1.", kServerMinorMin, " to 1.", kServerMinorMax,
                   ": how kube-scheduler treats it differs from version to "
                   "version"),
      older ? "upgrade the cluster" : "look for a newer gangpack"};
}

std::vector<Finding> CheckAccess(k8s::ApiClient* client, const ProgressVoice& voice) {
  SlowStep step(voice, "asking for access rights");
  std::vector<Finding> findings;
  const std::vector<AccessRight> rights = AccessRights();
  int64_t asked = 0;
  for (const AccessRight& right : rights) {
    const absl::StatusOr<k8s::AccessAnswer> answer = client->MayI(right.question);
    if (!answer.ok()) {
      findings.push_back({Severity::kWarning, "access",
                          absl::StrCat("could not ask whether we may ", right.ToString(), ": ",
                                       Message(answer.status())),
                          absl::StrCat(rights.size() - static_cast<size_t>(asked), " of ",
                                       rights.size(), " rights are not checked"),
                          "as another user: kubectl auth can-i, for each rule of the chart's "
                          "ClusterRole"});
      return findings;
    }
    step.Count(++asked);
    if (answer->allowed) continue;
    findings.push_back(
        {right.needed ? Severity::kError : Severity::kWarning, "access",
         absl::StrCat("we may not ", right.ToString(), " in the whole cluster",
                      answer->reason.empty() ? "" : absl::StrCat(": ", answer->reason)),
         right.without, absl::StrCat("ClusterRole rules: ", right.Rule())});
  }
  if (findings.empty()) {
    findings.push_back(Good("access", absl::StrCat("all ", rights.size(), " rights are granted")));
  }
  return findings;
}

Finding NotListed(absl::string_view check, const absl::Status& status) {
  return {Severity::kError, std::string(check),
          absl::StrCat(check, " cannot be listed: ", Message(status)),
          "gangpack keeps asking, and refuses every pod until they are", "see access above"};
}

PodGroupCensus CheckPodGroups(k8s::ApiClient* client, const Policy& policy,
                              const ProgressVoice& voice, std::vector<Finding>* findings) {
  SlowStep step(voice, "listing PodGroups");
  const std::string resource = "podgroups.scheduling.x-k8s.io/v1alpha1";
  const PodGroupCensus none(policy);
  absl::StatusOr<PodGroupCensus> groups =
      ListInto(none, k8s::ResourceType::kPodGroups, client, &step);
  if (groups.ok()) {
    findings->push_back(Good("crd", absl::StrCat(resource, " are served")));
    Append(groups->Findings(), findings);
    return *std::move(groups);
  }
  if (absl::IsNotFound(groups.status())) {
    findings->push_back({Severity::kError, "crd", absl::StrCat(resource, " are not served"),
                         "without PodGroups there are no gangs: pods that name one are refused",
                         "kubectl apply -f charts/ome-scheduler/crds/podgroups.yaml"});
  } else {
    findings->push_back(NotListed("podgroups", groups.status()));
  }
  return none;
}

std::optional<int64_t> CheckNodes(k8s::ApiClient* client, const NodeCensus& none,
                                  const ProgressVoice& voice, std::vector<Finding>* findings) {
  SlowStep step(voice, "listing nodes");
  const absl::StatusOr<NodeCensus> nodes = ListInto(none, k8s::ResourceType::kNodes, client, &step);
  if (!nodes.ok()) {
    findings->push_back(NotListed("nodes", nodes.status()));
    return std::nullopt;
  }
  Append(nodes->Findings(), findings);
  return nodes->nodes();
}

absl::StatusOr<k8s::ServerVersion> AskVersion(const CheckedCluster& cluster,
                                              const ProgressVoice& voice) {
  const SlowStep step(voice, absl::StrCat("asking ", cluster.server, " for its version"));
  return cluster.client->Version();
}

}  // namespace

ClusterReport CheckCluster(const CheckedCluster& cluster, const Policy& policy,
                           const ProgressVoice& voice) {
  ClusterReport report;
  const absl::StatusOr<k8s::ServerVersion> version = AskVersion(cluster, voice);
  if (!version.ok()) {
    report.findings.push_back(Unreachable(cluster, version.status()));
    return report;
  }
  report.findings.push_back(Good("api-server", absl::StrCat(cluster.server, " answers")));
  report.findings.push_back(CheckVersion(*version));
  Append(CheckAccess(cluster.client, voice), &report.findings);
  const PodGroupCensus groups = CheckPodGroups(cluster.client, policy, voice, &report.findings);
  report.longest_timeout = groups.longest_timeout();
  report.longest = groups.longest();
  report.nodes =
      CheckNodes(cluster.client, NodeCensus(groups.Keys(), policy), voice, &report.findings);
  return report;
}

}  // namespace gangpack::server
