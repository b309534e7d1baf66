#include "server/doctor/access_rights.h"

#include "absl/strings/str_cat.h"
#include "k8s/resource_type.h"

namespace gangpack::server {
namespace {

constexpr char kNotSynchronised[] =
    "the cluster is never seen as a whole, and every pod is refused";

std::string ResourceOf(const k8s::AccessQuestion& question) {
  return absl::StrCat(question.resource, question.subresource.empty() ? "" : "/",
                      question.subresource);
}

}  // namespace

std::string AccessRight::ToString() const {
  return absl::StrCat(question.verb, " ", question.resource, question.group.empty() ? "" : ".",
                      question.group, question.subresource.empty() ? "" : "/",
                      question.subresource);
}

std::string AccessRight::Rule() const {
  return absl::StrCat("{apiGroups: [\"", question.group, "\"], resources: [", ResourceOf(question),
                      "], verbs: [", question.verb, "]}");
}

std::vector<AccessRight> AccessRights() {
  std::vector<AccessRight> rights;
  for (const k8s::ResourceType type : k8s::kResourceTypes) {
    for (const char* verb : {"list", "watch"}) {
      rights.push_back({{verb, std::string(k8s::ResourceGroup(type)),
                         std::string(k8s::ResourceName(type)), "", ""},
                        true,
                        kNotSynchronised});
    }
  }
  rights.push_back({{"get", "", "pods", "", ""},
                    true,
                    "a pod that may be bound already cannot be looked at, so its bind fails again "
                    "and again"});
  rights.push_back({{"create", "", "pods", "binding", ""}, true, "no pod is ever bound"});
  rights.push_back({{"patch", "", "pods", "", ""},
                    true,
                    "refused members cannot be woken: they wait for kube-scheduler's flush, 5 "
                    "minutes"});
  rights.push_back({{"patch", "", "pods", "status", ""},
                    false,
                    "plans cannot be nominated: each member costs filter calls with all nodes"});
  for (const char* verb : {"create", "patch"}) {
    rights.push_back({{verb, "events.k8s.io", "events", "", ""},
                      false,
                      "kubectl describe podgroup does not show what happens to a gang"});
  }
  return rights;
}

}  // namespace gangpack::server
