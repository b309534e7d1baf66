#include "server/demo/demo_stage.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/status_macros.h"
#include "server/cluster_input.h"
#include "server/demo/http_caller.h"

namespace gangpack::server {
namespace {

// kube-scheduler's longest pause between two attempts is below 3 s.
constexpr absl::Duration kQuiet = absl::Seconds(4);
constexpr absl::Duration kActMax = absl::Seconds(20);
constexpr absl::Duration kClusterMax = absl::Minutes(5);
constexpr absl::Duration kQueryTimeout = absl::Seconds(5);

void Happen(const DemoAct& act, DemoScheduler& scheduler, ManifestCluster& paper) {
  for (const NamespacedName& pod : act.pause) scheduler.Pause(pod);
  for (const NamespacedName& pod : act.resume) scheduler.Resume(pod);
  for (const NamespacedName& pod : act.delete_pods) paper.DeletePod(pod).IgnoreError();
  for (const NamespacedName& group : act.delete_groups) paper.DeletePodGroup(group).IgnoreError();
}

}  // namespace

DemoStage::DemoStage(const Policy& policy, std::ostream* out)
    : policy_(policy),
      out_(*out),
      narrator_(out, &clock_),
      unserved_(std::make_unique<EmbeddedCluster>(policy.scheduler_name, &clock_)),
      cluster_(*unserved_),
      scheduler_(policy.scheduler_name, &cluster_, &clock_,
                 [this](const AttemptOutcome& outcome) { narrator_.Attempt(outcome); }) {}

absl::Status DemoStage::Serve() {
  AppOptions options;
  options.policy = policy_;
  options.on_transition = [this](const GangTransition& transition) {
    narrator_.Transition(transition);
  };
  cluster_.ListAndWatch(
      [](const std::vector<Fact>&) {},
      [this](const std::vector<ClusterEvent>& events) { narrator_.Events(events); });
  GP_ASSIGN_OR_RETURN(app_, App::Start(options, std::move(unserved_), &clock_));
  scheduler_.Connect(app_->filter_url(), app_->bind_url());
  narrator_.Say("gangpack", absl::StrCat("serves filter on ", app_->filter_url(), ", bind on ",
                                         app_->bind_url()));
  return absl::OkStatus();
}

bool DemoStage::Play(const DemoAct& act) {
  narrator_.Title(act.title);
  std::vector<std::string> faults;
  cluster_.Change([&](ManifestCluster& paper) {
    Happen(act, scheduler_, paper);
    std::istringstream manifests(act.manifests);
    if (!act.manifests.empty()) faults = LoadCluster({"-"}, manifests, paper).faults;
  });
  for (const std::string& fault : faults) narrator_.Say("demo", fault);
  std::string missing;
  const bool came = scheduler_.Run([&] { return (missing = MissingOf(act)).empty(); }, kQuiet,
                                   clock_.Now() + kActMax);
  app_->AwaitIdle();
  if (!came) narrator_.Say("demo", absl::StrCat("NOT AS EXPECTED: ", missing));
  return came && faults.empty();
}

bool DemoStage::PlaceEverything() {
  narrator_.Title("kube-scheduler places what there is");
  const bool placed = scheduler_.Run(
      [this] {
        const std::vector<PodView> pods = app_->driver().Pods();
        return std::all_of(pods.begin(), pods.end(),
                           [this](const PodView& pod) { return IsBound(pod); });
      },
      kQuiet, clock_.Now() + kClusterMax);
  app_->AwaitIdle();
  return placed;
}

// The engine counts a pod as bound from the moment it decides so; here it must really be.
bool DemoStage::IsBound(const PodView& pod) {
  bool bound = false;
  cluster_.Change([&](ManifestCluster& paper) {
    const std::shared_ptr<const PodObject> object = paper.FindPod(pod.pod);
    bound = object != nullptr && object->pod.uid == pod.uid && !object->pod.node_name.empty();
  });
  return bound && pod.state == PodState::kBound;
}

// The first thing that is not yet as the act expects it; empty if all is.
std::string DemoStage::MissingOf(const DemoAct& act) {
  const std::vector<PodView> pods = app_->driver().Pods();
  for (const DemoExpectation& expected : act.expected) {
    const auto pod = std::find_if(pods.begin(), pods.end(), [&expected](const PodView& view) {
      return view.pod == expected.pod;
    });
    if (pod == pods.end()) return absl::StrCat(expected.pod.ToString(), " does not exist");
    const bool late = expected.state == PodState::kBound && !IsBound(*pod);
    if (late || pod->state != expected.state ||
        !absl::StrContains(pod->message, expected.message) ||
        !absl::StartsWith(pod->node, expected.node_prefix)) {
      return absl::StrCat(expected.pod.ToString(), " is ", ToString(pod->state), " ", pod->node,
                          " ", pod->message, ", expected ", ToString(expected.state), " ",
                          expected.node_prefix, " ", expected.message);
    }
  }
  return "";
}

absl::Status DemoStage::PrintTables() {
  GP_RETURN_IF_ERROR(PrintTable("/v1/pods", {"pods",
                                             {{"namespace", "NAMESPACE"},
                                              {"name", "POD"},
                                              {"gang", "GANG"},
                                              {"state", "STATE"},
                                              {"node", "NODE"},
                                              {"message", "MESSAGE"}}}));
  return PrintTable("/v1/gangs", {"gangs",
                                  {{"namespace", "NAMESPACE"},
                                   {"name", "GANG"},
                                   {"state", "STATE"},
                                   {"domain", "DOMAIN"},
                                   {"minMember", "MIN-MEMBER"},
                                   {"placed", "PLACED"},
                                   {"message", "MESSAGE"}}});
}

absl::Status DemoStage::PrintTable(const std::string& path, const JsonTableSpec& spec) {
  GP_ASSIGN_OR_RETURN(const HttpAnswer answer,
                      HttpCaller(app_->filter_url(), kQueryTimeout).Get(path));
  GP_ASSIGN_OR_RETURN(const std::string table, JsonTable(answer.body, spec));
  out_ << "\nGET " << app_->filter_url() << path << "\n" << table << std::flush;
  return absl::OkStatus();
}

}  // namespace gangpack::server
