#include "server/demo/demo_command.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/policy.h"
#include "core/status_macros.h"
#include "server/demo/demo_rehearsal.h"
#include "server/demo/demo_script.h"
#include "server/demo/demo_stage.h"
#include "server/flag_set.h"
#include "server/text_table.h"

namespace gangpack::server {
namespace {

constexpr int kExitNotAsExpected = 1;
constexpr int kExitBadInput = 2;

constexpr char kHelp[] = R"(Usage: gangpack demo [flags] [--cluster FILE|DIR|- ...]

Starts the server on this machine, plays kube-scheduler against it over HTTP, and tells what happens:
gangs that form, domains that are chosen and reserved, bind calls that are held open, and why a pod
waits. Without --cluster it plays the examples of this repository, each on a cluster and a server of
its own, in a few seconds. What must come of it is simulated beforehand, as gangpack simulate does.

  --cluster FILE|DIR|-               a cluster to play instead of the examples; may be repeated. Steps
                                     in it are played, but for advance and restart
  --examples DIR                     where the examples are (default examples)
  --config FILE                      configuration (YAML, examples/configuration.yaml); flags
                                     override it
  --topology-key KEY                 topology key of gangs that name none (default none)
  --scheduler-name NAME              pods that name another scheduler are left alone
                                     (default ome-scheduler)
  --permit-timeout DURATION          how long a member waits for its gang where the PodGroup does
                                     not say (default 600s)
  --standalone-domain-packing=BOOL   fill domains that are in use first (default true; acts with
                                     --topology-key only)
  --help                             this text

Example: gangpack demo --cluster examples/ome-qwen3

Exit status: 0 every pod and gang came to what was simulated, be it bound or waiting for a reason;
1 something else came of it, or it could not serve; 2 bad input.
)";

constexpr char kLegend[] =
    R"(A line says how long after the start who does what: kube-scheduler, which is played here, gangpack,
which is real and called over HTTP, the cluster, and the demo itself.

)";

constexpr char kTryNext[] = R"(
Try next, from the root of the repository:
  bazel-bin/server/gangpack simulate examples/ome-qwen3
  bazel-bin/server/gangpack simulate --trace examples/cannot-fit examples/cannot-fit/what-if
  bazel-bin/server/gangpack demo --cluster examples/statefulset-and-lws
  bazel-bin/server/gangpack serve --cluster examples/ome-qwen3 --listen 127.0.0.1:8888 &
  curl -s --retry 5 --retry-connrefused http://127.0.0.1:8888/v1/gangs; kill $!
)";

struct DemoFlags {
  Policy policy;
  std::vector<std::string> cluster;
  std::string examples = "examples";
  bool help = false;
};

absl::StatusOr<DemoFlags> ParseDemoFlags(absl::Span<const std::string> args) {
  DemoFlags parsed;
  FlagSet flags;
  AddPolicyFlags(&flags, &parsed.policy);
  flags.Add("cluster", [&parsed](const std::string& value) {
    parsed.cluster.push_back(value);
    return absl::OkStatus();
  });
  flags.AddText("examples", &parsed.examples);
  flags.AddSwitch("help", &parsed.help);
  flags.AddSwitch("h", &parsed.help);
  GP_ASSIGN_OR_RETURN(const std::vector<std::string> more, flags.Parse(args));
  if (parsed.help) return parsed;
  if (!more.empty() && parsed.cluster.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected argument \"", more[0], "\", expected --cluster ", more[0]));
  }
  parsed.cluster.insert(parsed.cluster.end(), more.begin(), more.end());
  GP_RETURN_IF_ERROR(parsed.policy.Validate());
  std::error_code error;
  if (parsed.cluster.empty() && !std::filesystem::is_directory(parsed.examples, error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no folder \"", parsed.examples,
                     "\" here, expected the examples of the repository: run it from the "
                     "repository's root, or say --examples DIR"));
  }
  return parsed;
}

std::vector<DemoChapter> ChaptersOf(const DemoFlags& flags) {
  if (flags.cluster.empty()) return DemoScript(flags.examples);
  return {{"cluster",
           "The cluster as it is given",
           {{"kube-scheduler places what there is", flags.cluster}}}};
}

// A row of the table of what came of all chapters.
TextRow OutcomeOf(const DemoChapter& chapter, const ServerViews& views, bool came) {
  const auto bound = std::count_if(views.pods.begin(), views.pods.end(), [](const PodView& pod) {
    return pod.state == PodState::kBound;
  });
  const auto complete =
      std::count_if(views.gangs.begin(), views.gangs.end(),
                    [](const GangView& gang) { return gang.state == GangState::kComplete; });
  return {chapter.name, absl::StrCat(complete, " of ", views.gangs.size()),
          absl::StrCat(bound, " of ", views.pods.size()),
          came ? "as simulated" : "NOT AS SIMULATED"};
}

struct Played {
  bool came = true;  // to what was rehearsed
  ServerViews views;
};

absl::StatusOr<Played> PlayChapter(const DemoRehearsal& rehearsal, const Policy& policy,
                                   std::ostream& out) {
  DemoStage stage(policy, &out);
  GP_RETURN_IF_ERROR(stage.Serve());
  bool came = true;
  for (const RehearsedAct& act : rehearsal.acts) came = came && stage.Play(act);
  GP_RETURN_IF_ERROR(stage.PrintTables());
  return Played{came, stage.Views()};
}

int Play(const std::vector<DemoChapter>& chapters, const std::vector<DemoRehearsal>& rehearsals,
         const Policy& policy, std::ostream& out, std::ostream& err) {
  std::vector<TextRow> table;
  bool came = true;
  out << kLegend;
  for (size_t i = 0; i < chapters.size(); ++i) {
    out << (i == 0 ? "" : "\n\n") << "==== " << chapters[i].title << " (" << chapters[i].name
        << ")\n";
    const absl::StatusOr<Played> played = PlayChapter(rehearsals[i], policy, out);
    if (!played.ok()) {
      err << "gangpack demo: " << played.status().message() << "\n";
      return kExitNotAsExpected;
    }
    table.push_back(OutcomeOf(chapters[i], played->views, played->came));
    came = came && played->came;
  }
  out << "\n\n==== What came of it\n"
      << TextTable({"CHAPTER", "COMPLETE-GANGS", "BOUND-PODS", "OUTCOME"}, table) << kTryNext;
  if (!came) err << "gangpack demo: it did not come to what gangpack simulate says\n";
  return came ? 0 : kExitNotAsExpected;
}

}  // namespace

int RunDemo(absl::Span<const std::string> args, std::istream& in, std::ostream& out,
            std::ostream& err) {
  const absl::StatusOr<DemoFlags> flags = ParseDemoFlags(args);
  if (!flags.ok()) {
    err << "gangpack demo: " << flags.status().message() << " (see gangpack demo --help)\n";
    return kExitBadInput;
  }
  if (flags->help) {
    out << kHelp;
    return 0;
  }
  const std::vector<DemoChapter> chapters = ChaptersOf(*flags);
  std::vector<DemoRehearsal> rehearsals;
  bool faultless = true;
  for (const DemoChapter& chapter : chapters) {
    rehearsals.push_back(Rehearse(chapter, flags->policy, in));
    for (const std::string& fault : rehearsals.back().faults) err << fault << "\n";
    faultless = faultless && rehearsals.back().faults.empty();
  }
  if (!faultless) return kExitBadInput;
  for (const DemoRehearsal& rehearsal : rehearsals) {
    for (const std::string& note : rehearsal.notes) err << "note: " << note << "\n";
  }
  return Play(chapters, rehearsals, flags->policy, out, err);
}

}  // namespace gangpack::server
