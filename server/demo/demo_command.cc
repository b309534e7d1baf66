#include "server/demo/demo_command.h"

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/policy.h"
#include "core/status_macros.h"
#include "server/cluster_input.h"
#include "server/demo/demo_stage.h"
#include "server/demo/demo_story.h"
#include "server/flag_set.h"

namespace gangpack::server {
namespace {

constexpr int kExitNotPlaced = 1;
constexpr int kExitBadInput = 2;

constexpr char kHelp[] = R"(Usage: gangpack demo [flags] [--cluster FILE|DIR|- ...]

Starts the server on this machine, plays kube-scheduler against it over HTTP, and tells what happens:
gangs that form, domains that are chosen and reserved, bind calls that are held open, and why a pod
waits. Without --cluster it plays a story of six acts, in a few seconds.

  --cluster FILE|DIR|-               a cluster to schedule instead of the story; may be repeated
  --config FILE                      configuration (YAML, examples/configuration.yaml); flags
                                     override it
  --topology-key KEY                 topology key of gangs that name none (default none; of the
                                     story nvidia.com/gpu.clique)
  --scheduler-name NAME              pods that name another scheduler are left alone
                                     (default ome-scheduler)
  --permit-timeout DURATION          how long a member waits for its gang where the PodGroup does
                                     not say (default 600s)
  --standalone-domain-packing=BOOL   fill domains that are in use first (default true; acts with
                                     --topology-key only)
  --help                             this text

Example: gangpack demo --cluster examples/ome-qwen3

Exit status: 0 what should be placed was placed (of a cluster: every pod of ours), 1 it was not, 2 bad
input.
)";

constexpr char kTryNext[] = R"(
Try next, from the root of the repository:
  bazel-bin/server/gangpack simulate examples/ome-qwen3
  bazel-bin/server/gangpack simulate --trace examples/cannot-fit
  bazel-bin/server/gangpack demo --cluster examples/statefulset-and-lws
  bazel-bin/server/gangpack serve --cluster examples/ome-qwen3 --listen 127.0.0.1:8888 &
  curl -s --retry 5 --retry-connrefused http://127.0.0.1:8888/v1/gangs; kill $!
)";

struct DemoFlags {
  Policy policy;
  std::vector<std::string> cluster;
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
  flags.AddSwitch("help", &parsed.help);
  flags.AddSwitch("h", &parsed.help);
  GP_ASSIGN_OR_RETURN(const std::vector<std::string> more, flags.Parse(args));
  if (parsed.help) return parsed;
  if (!more.empty() && parsed.cluster.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected argument \"", more[0], "\", expected --cluster ", more[0]));
  }
  parsed.cluster.insert(parsed.cluster.end(), more.begin(), more.end());
  if (parsed.cluster.empty() && parsed.policy.default_topology_key.empty()) {
    parsed.policy.default_topology_key = kDemoTopologyKey;
  }
  GP_RETURN_IF_ERROR(parsed.policy.Validate());
  return parsed;
}

int CannotServe(const absl::Status& status, std::ostream& err) {
  err << "gangpack demo: " << status.message() << "\n";
  return kExitNotPlaced;
}

int Finish(DemoStage& stage, bool placed, std::ostream& out, std::ostream& err) {
  if (const absl::Status status = stage.PrintTables(); !status.ok())
    return CannotServe(status, err);
  out << kTryNext;
  if (!placed) err << "gangpack demo: not everything was placed that should be\n";
  return placed ? 0 : kExitNotPlaced;
}

int PlayStory(const DemoFlags& flags, std::ostream& out, std::ostream& err) {
  DemoStage stage(flags.policy, &out);
  if (const absl::Status status = stage.Serve(); !status.ok()) return CannotServe(status, err);
  bool placed = true;
  for (const DemoAct& act : DemoStory()) placed = placed && stage.Play(act);
  return Finish(stage, placed, out, err);
}

int PlayCluster(const DemoFlags& flags, std::istream& in, std::ostream& out, std::ostream& err) {
  DemoStage stage(flags.policy, &out);
  ClusterInput input;
  stage.cluster().Change(
      [&](ManifestCluster& paper) { input = LoadCluster(flags.cluster, in, paper); });
  for (const std::string& fault : input.faults) err << fault << "\n";
  if (!input.faults.empty()) return kExitBadInput;
  for (const std::string& note : input.notes) err << "note: " << note << "\n";
  if (const absl::Status status = stage.Serve(); !status.ok()) return CannotServe(status, err);
  return Finish(stage, stage.PlaceEverything(), out, err);
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
  return flags->cluster.empty() ? PlayStory(*flags, out, err) : PlayCluster(*flags, in, out, err);
}

}  // namespace gangpack::server
