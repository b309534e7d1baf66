#include "server/simulate/simulate_command.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "server/manifest/manifest_reader.h"
#include "server/manifest/other_objects.h"
#include "server/simulate/report.h"
#include "server/simulate/simulate_flags.h"
#include "server/simulate/simulation.h"
#include "server/simulate/step.h"

namespace gangpack::server {
namespace {

constexpr int kExitPending = 1;
constexpr int kExitBadInput = 2;
constexpr int kExitDefect = 3;

// Far above any timeout, and little enough to be gone through.
constexpr absl::Duration kSimulatedTimeMax = absl::Hours(10 * 365 * 24);

// Said after the line that tells which invariant it was.
constexpr char kHowToReport[] =
    "gangpack simulate: this is a defect of gangpack; please report it with the line above, the "
    "input files and the flags\n";

// A broken CORE_CHECK has printed its line and aborts: only what is safe in a signal handler is
// left to do.
void ExitOnAbort(int) {
  const ssize_t ignored = write(STDERR_FILENO, kHowToReport, sizeof(kHowToReport) - 1);
  (void)ignored;
  _exit(kExitDefect);
}

class AbortBecomesExit {
 public:
  AbortBecomesExit() : before_(std::signal(SIGABRT, ExitOnAbort)) {}
  ~AbortBecomesExit() {
    if (before_ != SIG_ERR) std::signal(SIGABRT, before_);
  }
  AbortBecomesExit(const AbortBecomesExit&) = delete;
  AbortBecomesExit& operator=(const AbortBecomesExit&) = delete;

 private:
  void (*const before_)(int);
};

// One document of the input, in order; what is neither is skipped.
struct InputItem {
  std::optional<ManifestObject> object;
  std::optional<Step> step;
  const ManifestEntry* entry = nullptr;
};

// What was read but not used, by what it was.
struct Ignored {
  OtherObjects objects;
  int pods_with_volumes = 0;
  int pods_with_claims = 0;
  std::map<std::string, int> pending_of_scheduler;
};

std::string Counted(int count, absl::string_view one, absl::string_view many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

void CountIgnored(const k8s::DecodedPod& pod, const Policy& policy, Ignored* ignored) {
  if (pod.has_volumes) ++ignored->pods_with_volumes;
  if (pod.has_device_claims) ++ignored->pods_with_claims;
  const std::string& scheduler = pod.pod.scheduler_name;
  const bool finished = pod.pod.phase == PodPhase::kSucceeded || pod.pod.phase == PodPhase::kFailed;
  if (!scheduler.empty() && scheduler != policy.scheduler_name && pod.pod.node_name.empty() &&
      !finished) {
    ++ignored->pending_of_scheduler[scheduler];
  }
}

void PrintIgnored(const Ignored& ignored, std::ostream& err) {
  for (const std::string& note : ignored.objects.Notes()) err << "note: " << note << "\n";
  if (ignored.pods_with_volumes > 0) {
    err << "note: the volumes of " << Counted(ignored.pods_with_volumes, "pod", "pods")
        << " are ignored; a cluster may refuse nodes because of them\n";
  }
  if (ignored.pods_with_claims > 0) {
    err << "note: the device claims of " << Counted(ignored.pods_with_claims, "pod", "pods")
        << " are ignored; a cluster may refuse nodes because of them\n";
  }
  for (const auto& [scheduler, count] : ignored.pending_of_scheduler) {
    err << "note: " << Counted(count, "pod", "pods") << " without a node "
        << (count == 1 ? "names" : "name") << " the scheduler " << scheduler << " and "
        << (count == 1 ? "is" : "are") << " not placed\n";
  }
}

// Reads a Step that does not take the time of all Steps, `*time`, past what is simulated.
Step TakeStep(const k8s::OtherObject& object, absl::Duration* time, k8s::FaultList* faults) {
  Step step = DecodeStep(object.value, faults);
  if (!step.advance.has_value()) return step;
  *time += *step.advance;
  if (*time > kSimulatedTimeMax) {
    const k8s::Field root(object.value, faults);
    root.Report("advance",
                absl::StrCat(k8s::Quote(root.Text("advance")), ", expected at most ",
                             absl::ToInt64Hours(kSimulatedTimeMax), "h in all Steps together"));
    *time = absl::ZeroDuration();  // what follows may be right
  }
  return step;
}

// Sorts the documents into objects and Steps; what a Step has wrong goes to `faults`.
std::vector<InputItem> SortInput(const Manifests& manifests, const Policy& policy, Ignored* ignored,
                                 std::vector<std::string>* faults) {
  std::vector<InputItem> items;
  absl::Duration time;
  for (const ManifestEntry& entry : manifests.entries) {
    InputItem item;
    item.entry = &entry;
    item.object = entry.object();
    const auto* other = std::get_if<k8s::OtherObject>(&entry.decoded.object);
    if (other != nullptr) {
      k8s::FaultList list{manifests.documents[entry.document].file(), {}};
      const bool is_step = other->kind == kStepKind && IsOurGroup(other->api_version);
      if (is_step) item.step = TakeStep(*other, &time, &list);
      if (!is_step) ignored->objects.Skip(*other, &list);
      for (const k8s::Fault& fault : list.faults) faults->push_back(fault.ToString());
      if (!is_step) continue;
    }
    if (item.object.has_value()) {
      if (const auto* pod = std::get_if<k8s::DecodedPod>(&*item.object)) {
        CountIgnored(*pod, policy, ignored);
      }
    }
    items.push_back(std::move(item));
  }
  return items;
}

// Runs the input to its end, unless an invariant is violated. What the cluster refuses goes to
// `faults`.
void Play(const Manifests& manifests, const std::vector<InputItem>& items, Simulation* simulation,
          std::vector<std::string>* faults) {
  for (const InputItem& item : items) {
    if (!simulation->violation().empty()) return;
    if (item.step.has_value()) {
      for (const k8s::Fault& fault : simulation->Run(*item.step)) {
        faults->push_back(fault.ToString());
      }
    } else {
      for (const FieldFault& fault : simulation->Apply(*item.object)) {
        faults->push_back(Locate(manifests, *item.entry, fault).ToString());
      }
    }
  }
  simulation->Settle();
}

int Refuse(const std::vector<std::string>& faults, std::ostream& err) {
  for (const std::string& fault : faults) err << fault << "\n";
  return kExitBadInput;
}

Manifests Read(const SimulateFlags& flags, std::istream& in, const ProgressVoice& voice) {
  const SlowStep step(voice, "reading the input");
  return ReadManifests(flags.paths, in);
}

int Simulate(const SimulateFlags& flags, std::istream& in, std::ostream& out, std::ostream& err,
             const ProgressVoice& voice) {
  const Manifests manifests = Read(flags, in, voice);
  std::vector<std::string> faults = manifests.faults;
  Ignored ignored;
  const std::vector<InputItem> items = SortInput(manifests, flags.policy, &ignored, &faults);
  if (!faults.empty()) return Refuse(faults, err);
  Simulation simulation(flags.policy);
  {
    SlowStep step(voice, "trying to schedule pods");
    simulation.OnAttempt([&step](int64_t attempts) { step.Count(attempts); });
    Play(manifests, items, &simulation, &faults);
    simulation.OnAttempt(nullptr);
  }
  if (!simulation.violation().empty()) {
    err << "gangpack simulate: invariant violated: " << simulation.violation() << "\n"
        << kHowToReport;
    return kExitDefect;
  }
  if (!faults.empty()) return Refuse(faults, err);
  PrintIgnored(ignored, err);
  for (const std::string& note : simulation.Notes()) err << "note: " << note << "\n";
  const SimulationResult result = simulation.Result();
  const ReportOptions options{.trace = flags.trace};
  out << (flags.output == OutputFormat::kJson ? JsonReport(result, options)
                                              : TableReport(result, options));
  const bool pending = std::any_of(result.pods.begin(), result.pods.end(), [](const auto& pod) {
    return pod.view.state != PodState::kBound;
  });
  return flags.fail_if_pending && pending ? kExitPending : 0;
}

}  // namespace

int RunSimulate(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
                std::ostream& err, const ProgressVoice& voice) {
  const absl::StatusOr<SimulateFlags> flags = ParseSimulateFlags(args);
  if (!flags.ok()) {
    err << "gangpack simulate: " << flags.status().message() << " (see gangpack simulate --help)\n";
    return kExitBadInput;
  }
  if (flags->help) {
    out << SimulateHelp();
    return 0;
  }
  const AbortBecomesExit abort_becomes_exit;
  return Simulate(*flags, in, out, err, voice);
}

}  // namespace gangpack::server
