#include "server/demo/demo_stage.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/status_macros.h"
#include "server/demo/demo_table.h"
#include "server/demo/http_caller.h"

namespace gangpack::server {
namespace {

// kube-scheduler's longest pause between two attempts is below 3 s.
constexpr absl::Duration kQuiet = absl::Seconds(4);
constexpr absl::Duration kMomentMax = absl::Minutes(5);
constexpr absl::Duration kQueryTimeout = absl::Seconds(5);

std::string Counted(const std::vector<PodView>& pods) {
  std::map<PodState, int> counts;
  for (const PodView& pod : pods) ++counts[pod.state];
  std::vector<std::string> parts;
  const auto add = [&](PodState state, const char* what) {
    if (counts[state] > 0) parts.push_back(absl::StrCat(counts[state], what));
  };
  add(PodState::kBound, " bound");
  add(PodState::kWaiting, " with a bind call held open");
  add(PodState::kPending, " pending");
  return parts.empty() ? "none" : absl::StrJoin(parts, ", ");
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
  narrator_.Say("gangpack",
                absl::StrCat("serves filter and prioritize on ", app_->filter_url(), ", bind on ",
                             app_->bind_url(), ", where each call has a connection of its own"));
  return absl::OkStatus();
}

bool DemoStage::Play(const RehearsedAct& act) {
  narrator_.Title(act.title);
  std::string difference;
  bool came = true;
  for (const DemoMoment& moment : act.moments) came = came && Play(moment, &difference);
  app_->AwaitIdle();
  narrator_.LeftOut();
  narrator_.Say("demo", absl::StrCat("pods now: ", Counted(Views().pods),
                                     came ? ", as `gangpack simulate` foretells" : ""));
  if (!came) narrator_.Say("demo", absl::StrCat("NOT AS EXPECTED: ", difference));
  return came;
}

bool DemoStage::Play(const DemoMoment& moment, std::string* difference) {
  std::vector<std::string> faults;
  cluster_.Change([&](ManifestCluster& paper) {
    if (moment.step.has_value()) Happen(*moment.step, paper);
    for (const ManifestObject& object : moment.objects) {
      for (const FieldFault& fault : paper.Apply(object)) {
        faults.push_back(absl::StrCat(fault.path, ": ", fault.message));
      }
    }
  });
  for (const std::string& fault : faults) narrator_.Say("demo", fault);
  return scheduler_.Run([&] { return (*difference = DifferenceFrom(moment.expected)).empty(); },
                        kQuiet, clock_.Now() + kMomentMax) &&
         faults.empty();
}

// The rehearsal has done the same to the same cluster, without faults.
void DemoStage::Happen(const Step& step, ManifestCluster& paper) {
  for (const StepDeletion& deletion : step.deletions) {
    switch (deletion.kind) {
      case StepDeletion::Kind::kPod:
        paper.DeletePod(deletion.name).IgnoreError();
        break;
      case StepDeletion::Kind::kPodGroup:
        paper.DeletePodGroup(deletion.name).IgnoreError();
        break;
      case StepDeletion::Kind::kNode:
        paper.DeleteNode(deletion.name.name).IgnoreError();
        break;
    }
  }
  for (const NamespacedName& pod : step.pause) scheduler_.Pause(pod);
  for (const NamespacedName& pod : step.resume) scheduler_.Resume(pod);
  for (const NamespacedName& pod : step.fail_binding) paper.FailNextBinding(pod);
  for (const auto& [pod, nodes] : step.refuse) {
    for (const std::string& node : nodes) scheduler_.Refuse(pod, node);
  }
}

ServerViews DemoStage::Views() { return {app_->driver().Pods(), app_->driver().Gangs()}; }

// The engine counts a pod as bound from the moment it decides so; here it must really be.
bool DemoStage::IsBound(const PodView& pod) {
  bool bound = false;
  cluster_.Change([&](ManifestCluster& paper) {
    const std::shared_ptr<const PodObject> object = paper.FindPod(pod.pod);
    bound = object != nullptr && object->pod.uid == pod.uid && !object->pod.node_name.empty();
  });
  return bound;
}

// Looks when all that was decided is done and every open bind call is one that the server holds:
// before that, what is there may agree and still change.
std::string DemoStage::DifferenceFrom(const SimulationResult& expected) {
  app_->AwaitIdle();
  const ServerViews views = Views();
  std::string difference = DifferenceOf(views, expected);
  if (!difference.empty()) return difference;
  const auto waiting = std::count_if(views.pods.begin(), views.pods.end(), [](const PodView& pod) {
    return pod.state == PodState::kWaiting;
  });
  if (scheduler_.open_binds() != waiting) return "bind calls are under way";
  for (const PodView& pod : views.pods) {
    if (pod.state == PodState::kBound && !IsBound(pod)) {
      return absl::StrCat("pod ", pod.pod.ToString(), " is not bound in the cluster");
    }
  }
  return "";
}

absl::Status DemoStage::PrintTables() {
  GP_RETURN_IF_ERROR(PrintTable("/v1/pods", &PodTable));
  return PrintTable("/v1/gangs", &GangTable);
}

absl::Status DemoStage::PrintTable(const std::string& path,
                                   absl::StatusOr<std::string> (*table)(const std::string&)) {
  GP_ASSIGN_OR_RETURN(const HttpAnswer answer,
                      HttpCaller(app_->filter_url(), kQueryTimeout).Get(path));
  GP_ASSIGN_OR_RETURN(const std::string text, table(answer.body));
  out_ << "\nGET " << app_->filter_url() << path << "\n" << text << std::flush;
  return absl::OkStatus();
}

}  // namespace gangpack::server
