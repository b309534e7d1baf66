#include "server/demo/demo_story.h"

#include "absl/strings/str_cat.h"

namespace gangpack::server {
namespace {

constexpr char kOmeNamespace[] = "qwen3-multi-node";
constexpr char kOmeGang[] = "qwen3-multi-node-engine-0";
constexpr char kNamespace[] = "train";
constexpr char kNoRoom[] = "no domain has room for gang";

NamespacedName OmePod(const std::string& runner) {
  return {kOmeNamespace, absl::StrCat(kOmeGang, "-", runner, "-0")};
}

NamespacedName TrainPod(const std::string& gang, int index) {
  return {kNamespace, absl::StrCat(gang, "-", index)};
}

std::string NodesYaml(const std::string& clique, int nodes) {
  std::string yaml;
  for (int i = 0; i < nodes; ++i) {
    absl::StrAppend(&yaml, R"(---
apiVersion: v1
kind: Node
metadata: {name: )",
                    clique, "-", i, R"(, labels: {nvidia.com/gpu.clique: )", clique, R"(}}
status: {capacity: {cpu: "64", memory: 512Gi, nvidia.com/gpu: "4", pods: "110"}}
)");
  }
  return yaml;
}

std::string GroupYaml(const NamespacedName& group, int min_member) {
  return absl::StrCat(R"(---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata: {namespace: )",
                      group.namespace_name, ", name: ", group.name, R"(}
spec: {minMember: )",
                      min_member, R"(}
)");
}

std::string OmePodYaml(const std::string& runner) {
  const NamespacedName pod = OmePod(runner);
  std::string yaml = absl::StrCat(R"(---
apiVersion: v1
kind: Pod
metadata:
  namespace: )",
                                  pod.namespace_name, R"(
  name: )",
                                  pod.name, R"(
  labels:
    component: engine
    ome.io/inferenceservice: qwen3-multi-node
    ome.io/instance-index: "0"
    ome.io/managed-by: OMENative
    ome.io/pod-ordinal: "0"
    ome.io/runner: )",
                                  runner, R"(
    scheduling.x-k8s.io/pod-group: )",
                                  kOmeGang, R"(
spec:
  containers:
  - name: ome-container
    resources: {limits: {cpu: "16", memory: 128Gi, nvidia.com/gpu: "4"}}
  readinessGates: [{conditionType: ome.io/serving}]
)");
  if (runner == "worker") {
    absl::StrAppend(&yaml, R"(  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: nvidia.com/gpu.clique
        labelSelector:
          matchLabels:
            component: engine
            ome.io/inferenceservice: qwen3-multi-node
            ome.io/instance-index: "0"
            ome.io/runner: leader
)");
  }
  return yaml;
}

// Members that take a whole node each.
std::string TrainGangYaml(const std::string& gang, int members) {
  std::string yaml = GroupYaml({kNamespace, gang}, members);
  for (int i = 0; i < members; ++i) {
    absl::StrAppend(&yaml, R"(---
apiVersion: v1
kind: Pod
metadata:
  namespace: train
  name: )",
                    TrainPod(gang, i).name, R"(
  labels: {scheduling.x-k8s.io/pod-group: )",
                    gang, R"(}
spec:
  containers:
  - {name: trainer, resources: {limits: {cpu: "32", nvidia.com/gpu: "4"}}}
)");
  }
  return yaml;
}

std::string CollectorYaml() {
  return R"(---
apiVersion: v1
kind: Pod
metadata: {namespace: train, name: collector}
spec:
  nodeSelector: {nvidia.com/gpu.clique: clique-a}
  containers:
  - {name: collector, resources: {requests: {cpu: "1"}}}
)";
}

std::vector<DemoExpectation> AllBound(const std::string& gang, int members,
                                      const std::string& clique) {
  std::vector<DemoExpectation> expected;
  for (int i = 0; i < members; ++i) {
    expected.push_back({TrainPod(gang, i), PodState::kBound, "", clique});
  }
  return expected;
}

std::vector<DemoExpectation> AllPending(const std::string& gang, int members,
                                        const std::string& message) {
  std::vector<DemoExpectation> expected;
  for (int i = 0; i < members; ++i) {
    expected.push_back({TrainPod(gang, i), PodState::kPending, message, ""});
  }
  return expected;
}

std::vector<DemoExpectation> Together(std::vector<DemoExpectation> all,
                                      const std::vector<DemoExpectation>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<DemoAct> ActsOfTheFirstGang() {
  const NamespacedName leader = OmePod("leader");
  const NamespacedName worker = OmePod("worker");
  const NamespacedName collector = {kNamespace, "collector"};
  return {
      {.title = "Three cliques of 2, 3 and 4 nodes with 4 GPUs each. A gang of 2 forms: its leader "
                "exists, its worker does not",
       .manifests = absl::StrCat(NodesYaml("clique-a", 2), NodesYaml("clique-b", 3),
                                 NodesYaml("clique-c", 4), GroupYaml({kOmeNamespace, kOmeGang}, 2),
                                 OmePodYaml("leader")),
       .expected = {{leader, PodState::kPending, "waiting for all PodGroup member templates", ""}}},
      {.title =
           "The worker is created, but kube-scheduler is slow to try it: the leader's bind call "
           "is held open",
       .pause = {worker},
       .manifests = OmePodYaml("worker"),
       .expected = {{leader, PodState::kWaiting, "", "clique-a"}}},
      {.title = "Meanwhile clique-a is reserved: another gang goes elsewhere, a single pod that "
                "wants to go there waits",
       .manifests = absl::StrCat(TrainGangYaml("small", 2), CollectorYaml()),
       .expected =
           Together(AllBound("small", 2, "clique-b"),
                    {{leader, PodState::kWaiting, "", "clique-a"},
                     {collector, PodState::kPending, "node is reserved for a forming gang", ""}})},
      {.title = "kube-scheduler tries the worker: the gang is complete and bound as a whole, and "
                "the single pod follows",
       .resume = {worker},
       .expected = {{leader, PodState::kBound, "", "clique-a"},
                    {worker, PodState::kBound, "", "clique-a"},
                    {collector, PodState::kBound, "", "clique-a"}}},
  };
}

}  // namespace

std::vector<DemoAct> DemoStory() {
  std::vector<DemoAct> acts = ActsOfTheFirstGang();
  acts.push_back({.title = "Two gangs of 4 and one of 5: only clique-c has 4 nodes, and none has 5",
                  .manifests = absl::StrCat(TrainGangYaml("first", 4), TrainGangYaml("second", 4),
                                            TrainGangYaml("too-big", 5)),
                  .expected = Together(
                      Together(AllBound("first", 4, "clique-c"), AllPending("second", 4, kNoRoom)),
                      AllPending("too-big", 5, "has room for 4 of 5 when empty"))});
  DemoAct last = {.title = "The first gang finishes: the second is woken and takes its place",
                  .delete_groups = {{kNamespace, "first"}},
                  .expected = Together(AllBound("second", 4, "clique-c"),
                                       AllPending("too-big", 5, "has room for 4 of 5 when empty"))};
  for (int i = 0; i < 4; ++i) last.delete_pods.push_back(TrainPod("first", i));
  acts.push_back(last);
  return acts;
}

}  // namespace gangpack::server
