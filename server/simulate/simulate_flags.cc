#include "server/simulate/simulate_flags.h"

#include "core/status_macros.h"
#include "server/flag_set.h"

namespace gangpack::server {
namespace {

constexpr char kHelp[] = R"(Usage: gangpack simulate [flags] FILE|DIR|- ...

Shows what the scheduler would do with a cluster that exists on paper only. Reads Nodes, Pods,
PodGroups and Namespaces from YAML or JSON, such as kubectl prints them; runs the engine, a model of
kube-scheduler and a kubelet in virtual time; prints where every pod ends up and why.
Volumes and device claims are ignored. Documents of kind Step (apiVersion gangpack/v1alpha1) say what
happens meanwhile: delete, pause, resume, failBinding, refuse, restart, advance.

  -o table|json                      how to print the result (default table)
  --config FILE                      configuration (YAML, examples/configuration.yaml); flags
                                     override it
  --topology-key KEY                 topology key of gangs that name none (default none)
  --scheduler-name NAME              pods that name another scheduler are left alone
                                     (default ome-scheduler)
  --standalone-domain-packing=BOOL   fill domains that are in use first (default true; acts with
                                     --topology-key only)
  --permit-timeout DURATION          how long a member waits for its gang where the PodGroup does
                                     not say (default 600s)
  --trace                            print each decision, in order, before the result
  --fail-if-pending                  exit with 1 if a pod of ours is not bound in the end
  --help                             this text

A FILE is read to its end; of a DIR, its files *.yaml, *.yml and *.json in name order; - is standard
input.

Example: does the gang in gang.yaml fit into the cluster as it is?
  kubectl get nodes,namespaces,pods,podgroups.scheduling.x-k8s.io -A -o yaml > cluster.yaml
  gangpack simulate --topology-key nvidia.com/gpu.clique cluster.yaml gang.yaml

Exit status: 0 it ran, 1 a pod is not bound (--fail-if-pending), 2 bad input, 3 a defect of gangpack.
)";

}  // namespace

absl::StatusOr<SimulateFlags> ParseSimulateFlags(absl::Span<const std::string> args) {
  SimulateFlags flags;
  FlagSet set;
  set.AddOutputFormat("o", &flags.output);
  set.AddOutputFormat("output", &flags.output);
  set.AddSwitch("help", &flags.help);
  set.AddSwitch("h", &flags.help);
  set.AddSwitch("trace", &flags.trace);
  set.AddSwitch("fail-if-pending", &flags.fail_if_pending);
  AddPolicyFlags(&set, &flags.policy);
  GP_ASSIGN_OR_RETURN(flags.paths, set.Parse(args));
  if (flags.help) return flags;
  if (flags.paths.empty()) {
    return absl::InvalidArgumentError("nothing to read, expected a file, a folder or -");
  }
  GP_RETURN_IF_ERROR(flags.policy.Validate());
  return flags;
}

absl::string_view SimulateHelp() { return kHelp; }

}  // namespace gangpack::server
