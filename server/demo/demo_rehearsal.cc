#include "server/demo/demo_rehearsal.h"

#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/object_codec.h"
#include "server/manifest/manifest_reader.h"
#include "server/manifest/other_objects.h"
#include "server/simulate/simulation.h"

namespace gangpack::server {
namespace {

const k8s::OtherObject* StepDocument(const ManifestEntry& entry) {
  const auto* other = std::get_if<k8s::OtherObject>(&entry.decoded.object);
  if (other == nullptr || other->kind != kStepKind) return nullptr;
  return IsOurGroup(other->api_version) ? other : nullptr;
}

class Rehearser {
 public:
  Rehearser(const Policy& policy, DemoRehearsal* rehearsal)
      : simulation_(policy), rehearsal_(*rehearsal) {}

  void Play(const DemoAct& act, std::istream& in) {
    rehearsal_.acts.push_back({act.title, {}});
    const Manifests manifests = ReadManifests(act.paths, in);
    TakeFaults(manifests.faults);
    for (const ManifestEntry& entry : manifests.entries) {
      const std::string& file = manifests.documents[entry.document].file();
      if (const k8s::OtherObject* const step = StepDocument(entry)) {
        PlayStep(*step, file);
      } else if (const auto* other = std::get_if<k8s::OtherObject>(&entry.decoded.object)) {
        k8s::FaultList faults{file, {}};
        others_.Skip(*other, &faults);
        TakeFaults(faults.faults);
      } else {
        Apply(manifests, entry);
      }
    }
    Settle();
  }

  void End() {
    rehearsal_.notes = others_.Notes();
    for (const std::string& note : simulation_.Notes()) rehearsal_.notes.push_back(note);
    if (simulation_.violation().empty()) return;
    rehearsal_.faults.push_back(
        absl::StrCat("invariant violated, a defect of gangpack: ", simulation_.violation()));
  }

 private:
  void PlayStep(const k8s::OtherObject& document, const std::string& file) {
    Settle();
    k8s::FaultList faults{file, {}};
    Step step = DecodeStep(document.value, &faults);
    const k8s::Field root(document.value, &faults);
    constexpr char kExpected[] = "is not played, expected a Step without it, or gangpack simulate";
    if (step.advance.has_value()) root.Report("advance", kExpected);
    if (step.restart) root.Report("restart", kExpected);
    TakeFaults(faults.faults);
    if (!rehearsal_.faults.empty()) return;
    TakeFaults(simulation_.Run(step));
    moment_.step = std::move(step);
    Settle();
  }

  void Apply(const Manifests& manifests, const ManifestEntry& entry) {
    const std::optional<ManifestObject> object = entry.object();
    for (const FieldFault& fault : simulation_.Apply(*object)) {
      rehearsal_.faults.push_back(Locate(manifests, entry, fault).ToString());
    }
    moment_.objects.push_back(*object);
  }

  // Ends the moment, if anything has happened in it.
  void Settle() {
    if (moment_.objects.empty() && !moment_.step.has_value()) return;
    simulation_.Settle();
    moment_.expected = simulation_.Result();
    moment_.expected.trace.clear();
    rehearsal_.acts.back().moments.push_back(std::exchange(moment_, {}));
  }

  void TakeFaults(const std::vector<std::string>& faults) {
    rehearsal_.faults.insert(rehearsal_.faults.end(), faults.begin(), faults.end());
  }
  void TakeFaults(const std::vector<k8s::Fault>& faults) {
    for (const k8s::Fault& fault : faults) rehearsal_.faults.push_back(fault.ToString());
  }

  Simulation simulation_;
  DemoRehearsal& rehearsal_;
  OtherObjects others_;
  DemoMoment moment_;
};

}  // namespace

DemoRehearsal Rehearse(const DemoChapter& chapter, const Policy& policy, std::istream& in) {
  DemoRehearsal rehearsal;
  Rehearser rehearser(policy, &rehearsal);
  for (const DemoAct& act : chapter.acts) rehearser.Play(act, in);
  rehearser.End();
  return rehearsal;
}

}  // namespace gangpack::server
