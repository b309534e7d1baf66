#include "server/doctor/profile_check.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "k8s/fault.h"

namespace gangpack::server {
namespace {

constexpr int64_t kSampledAtLeast = 100;  // nodes
constexpr int64_t kAllNodes = 100;        // percent
constexpr int64_t kExampleNodes = 1000;   // where no cluster was seen

// Plugins whose answers we rely on: what they refuse is not checked by anybody else.
constexpr PluginAt kNeededPlugins[] = {
    {"preEnqueue", "SchedulingGates"}, {"filter", "NodeUnschedulable"},
    {"preFilter", "NodePorts"},        {"preFilter", "NodeResourcesFit"},
    {"preFilter", "VolumeBinding"},    {"filter", "NodeName"},
    {"filter", "TaintToleration"},     {"filter", "NodeAffinity"},
    {"filter", "NodePorts"},           {"filter", "NodeResourcesFit"},
    {"filter", "VolumeRestrictions"},  {"filter", "NodeVolumeLimits"},
    {"filter", "VolumeBinding"},       {"filter", "VolumeZone"}};

// Those of kube-scheduler's own that are PostFilter plugins.
constexpr absl::string_view kPostFilters[] = {"DefaultPreemption", "DynamicResources"};

std::string NamesOf(const std::vector<SchedulerProfile>& profiles) {
  return absl::StrJoin(profiles, ", ", [](std::string* out, const SchedulerProfile& profile) {
    absl::StrAppend(out, k8s::Quote(profile.name));
  });
}

const SchedulerProfile* OurProfile(const SchedulerConfig& config, const SchedulerNeeds& needs) {
  for (const SchedulerProfile& profile : config.profiles) {
    if (profile.name == needs.configuration.policy.scheduler_name) return &profile;
  }
  return nullptr;
}

Finding CheckOurProfile(const SchedulerProfile* ours, const SchedulerConfig& config,
                        const SchedulerNeeds& needs) {
  if (ours != nullptr) {
    return Good("profile", absl::StrCat(ours->path, " is ", k8s::Quote(ours->name)));
  }
  const std::string& name = needs.configuration.policy.scheduler_name;
  return {
      Severity::kError, "profile",
      absl::StrCat("no profile is named ", k8s::Quote(name), ", but ", NamesOf(config.profiles)),
      "gangpack places only pods that name its scheduler, and kube-scheduler takes up only "
      "pods that name one of its profiles",
      absl::StrCat("profiles[].schedulerName: ", name,
                   "; or schedulerName in gangpack's own configuration")};
}

void CheckOtherProfiles(const SchedulerProfile* ours, const SchedulerConfig& config,
                        std::vector<Finding>* findings) {
  for (const SchedulerProfile& profile : config.profiles) {
    if (&profile == ours) continue;
    findings->push_back(
        {Severity::kWarning, "other-profiles",
         absl::StrCat(profile.path, " is ", k8s::Quote(profile.name), ", which is not ours"),
         "extenders belong to the process: its pods depend on gangpack for filter and bind too, "
         "which knows them as another scheduler's and keeps no rule for them",
         absl::StrCat("move ", profile.path, " to a kube-scheduler without our extenders")});
  }
}

Finding CheckSampling(const SchedulerProfile& ours, const SchedulerConfig& config,
                      const SchedulerNeeds& needs) {
  const bool own = ours.percentage_of_nodes_to_score.has_value();
  const int64_t percentage =
      ours.percentage_of_nodes_to_score.value_or(config.percentage_of_nodes_to_score);
  const std::string field =
      absl::StrCat(own ? absl::StrCat(ours.path, ".") : "", "percentageOfNodesToScore");
  const std::string found =
      absl::StrCat(field, percentage == 0 ? " is not set" : absl::StrCat(" is ", percentage));
  const std::string change = absl::StrCat(field, ": ", kAllNodes);
  if (percentage == kAllNodes) return Good("node-sampling", found);
  if (percentage < 0 || percentage > kAllNodes) {
    return {Severity::kError, "node-sampling", found,
            "kube-scheduler demands 0 to 100 and does not start", change};
  }
  const int64_t nodes = needs.nodes.value_or(kExampleNodes);
  const int64_t offered = NodesOffered({nodes, percentage});
  if (offered == nodes) {
    return {Severity::kWarning, "node-sampling", found,
            absl::StrCat("all ", nodes,
                         " nodes are offered to us today, but no longer all of "
                         "them once there are more than ",
                         kSampledAtLeast),
            change};
  }
  return {Severity::kError, "node-sampling", found,
          absl::StrCat("of ", nodes, " nodes", needs.nodes.has_value() ? "" : ", for example,",
                       " that would do for a pod we are offered ", offered,
                       ", a part that changes from pod to pod: planned nodes are missing from it, "
                       "and gangs are planned again and again"),
          change};
}

Finding CheckPreemption(const SchedulerProfile& ours) {
  if (!Runs(ours, {"postFilter", "DefaultPreemption"})) {
    return Good("preemption", "DefaultPreemption is off");
  }
  return {Severity::kWarning, "preemption", "DefaultPreemption is on",
          "at each refusal it clears the nominations that carry a gang's plan, so that members are "
          "placed by filter calls alone, which is slower; and it evicts without asking us whether "
          "the gang then fits",
          absl::StrCat(ours.path, ".plugins.multiPoint.disabled: [{name: DefaultPreemption}]")};
}

Finding CheckPostFilters(const SchedulerProfile& ours) {
  bool left = false;
  for (const absl::string_view plugin : kPostFilters) {
    left = left || Runs(ours, {"postFilter", plugin});
  }
  const auto point = ours.plugins.find("postFilter");
  left = left || (point != ours.plugins.end() && !point->second.enabled.empty());
  if (left) return Good("post-filter", "a PostFilter plugin is left");
  return {Severity::kError, "post-filter", "no PostFilter plugin is left",
          "from 1.35 on kube-scheduler then clears the nominations that carry a gang's plan at "
          "each refusal",
          absl::StrCat(ours.path,
                       ".plugins.multiPoint.disabled: [{name: DefaultPreemption}], and nothing "
                       "under postFilter.disabled")};
}

Finding CheckNeededPlugins(const SchedulerProfile& ours) {
  std::vector<std::string> missing;
  for (const PluginAt& needed : kNeededPlugins) {
    if (!Runs(ours, needed))
      missing.push_back(absl::StrCat(needed.plugin, " (", needed.point, ")"));
  }
  if (missing.empty()) return Good("needed-plugins", "kube-scheduler's own node rules are on");
  return {Severity::kError, "needed-plugins",
          absl::StrCat("off in ", ours.path, ": ", absl::StrJoin(missing, ", ")),
          "what they refuse is placed all the same, or binds fail at the API server or kubelet",
          absl::StrCat("remove them, or \"*\", from ", ours.path,
                       ".plugins: the disabled of multiPoint, preEnqueue, preFilter and filter")};
}

// InterPodAffinity and PodTopologySpread: their filters off, their scores on.
Finding CheckRulesBetweenPods(const SchedulerProfile& ours, absl::string_view plugin) {
  const std::string check = "rules-between-pods";
  const bool filters = Runs(ours, {"filter", plugin});
  const bool prefilters = Runs(ours, {"preFilter", plugin});
  const bool scores = Runs(ours, {"score", plugin}) && Runs(ours, {"preScore", plugin});
  const std::string change = absl::StrCat(
      ours.path, ".plugins: preFilter.disabled and filter.disabled: [{name: ", plugin, "}]");
  if (filters) {
    return {Severity::kError, check, absl::StrCat(plugin, "'s filter is on"),
            "it refuses a member that needs a sibling which is not placed yet, on every node: we "
            "are not asked, nothing wakes the member for 5 minutes, and the gang waits for it",
            change};
  }
  if (prefilters) {
    return {Severity::kWarning, check, absl::StrCat(plugin, "'s preFilter is on, its filter off"),
            "it looks at every pod of the cluster for each pod, for nothing", change};
  }
  if (!scores && !Disables(ours, {"score", plugin}) && !Disables(ours, {"preScore", plugin})) {
    return {Severity::kWarning, check, absl::StrCat(plugin, " is off as a whole"),
            "preferred rules (preferredDuringScheduling..., ScheduleAnyway) count no longer",
            absl::StrCat(change, ", and not under multiPoint.disabled")};
  }
  return Good(check, absl::StrCat(plugin, "'s filter is off", scores ? ", its score on" : ""));
}

}  // namespace

int64_t NodesOffered(const NodeSampling& sampling) {
  if (sampling.nodes < kSampledAtLeast || sampling.percentage >= kAllNodes) return sampling.nodes;
  int64_t percentage = sampling.percentage;
  if (percentage == 0) percentage = std::max<int64_t>(50 - sampling.nodes / 125, 5);
  return std::max(sampling.nodes * percentage / 100, kSampledAtLeast);
}

std::vector<Finding> CheckProfiles(const SchedulerConfig& config, const SchedulerNeeds& needs) {
  std::vector<Finding> findings;
  const SchedulerProfile* const ours = OurProfile(config, needs);
  findings.push_back(CheckOurProfile(ours, config, needs));
  if (ours == nullptr) return findings;
  CheckOtherProfiles(ours, config, &findings);
  findings.push_back(CheckSampling(*ours, config, needs));
  findings.push_back(CheckPreemption(*ours));
  findings.push_back(CheckPostFilters(*ours));
  findings.push_back(CheckNeededPlugins(*ours));
  findings.push_back(CheckRulesBetweenPods(*ours, "InterPodAffinity"));
  findings.push_back(CheckRulesBetweenPods(*ours, "PodTopologySpread"));
  return findings;
}

}  // namespace gangpack::server
