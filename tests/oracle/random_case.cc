#include "tests/oracle/random_case.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/policy.h"
#include "tests/oracle/random_containers.h"
#include "tests/oracle/random_rules.h"
#include "tests/oracle/random_values.h"
#include "tests/support/prng.h"

namespace gangpack {
namespace {

constexpr const char* kGangName = "gang";
constexpr const char* kGangNamespace = "ns-a";

// Whether gangs are made in clusters whose other pods carry rules toward them, and with members
// that carry rules toward others than siblings.
constexpr bool kGangsMeetRulesBetweenPods = false;

// What the pods and nodes of a case have; with everything at once, hardly a pod would fit anywhere.
struct Features {
  bool resources = false;
  bool ports = false;
  bool taints = false;
  bool node_selection = false;
  bool pod_terms = false;
  bool spread = false;
};

Features RandomFeatures(Prng* prng) {
  return {prng->Chance(50), prng->Chance(35), prng->Chance(40),
          prng->Chance(40), prng->Chance(40), prng->Chance(35)};
}

JsonTree RandomNode(Prng* prng, const Features& features, int index) {
  JsonTree node = JsonTree::Object();
  const std::string name = absl::StrCat("n", index);
  node["metadata"]["name"] = name;
  node["metadata"]["labels"] = RandomNodeLabels(prng, name);
  node["spec"] = JsonTree::Object();
  if (features.taints) node["spec"]["taints"] = RandomTaints(prng);
  if (prng->Chance(10)) node["spec"]["unschedulable"] = true;
  JsonTree& allocatable = node["status"]["allocatable"];
  allocatable = JsonTree::Object();
  if (features.resources) {
    allocatable = RandomAllocatable(prng);
  } else {
    allocatable["pods"] = "110";
  }
  return node;
}

JsonTree RandomPod(Prng* prng, const Features& features, const std::string& name, bool bound) {
  JsonTree pod = JsonTree::Object();
  JsonTree& metadata = pod["metadata"];
  metadata["name"] = name;
  metadata["namespace"] = Pick<std::string>(prng, {"ns-a", "ns-a", "ns-b"});
  metadata["uid"] = absl::StrCat("uid-", name);
  metadata["labels"] = RandomPodLabels(prng);
  pod["spec"] = JsonTree::Object();
  AddRandomContainers(prng, {features.resources, features.ports, bound}, &pod);
  JsonTree& spec = pod["spec"];
  if (features.taints || prng->Chance(10)) AddRandomTolerations(prng, &spec);
  if (features.node_selection && prng->Chance(70)) AddRandomNodeSelection(prng, &spec);
  if (features.pod_terms && prng->Chance(70)) AddRandomPodTerms(prng, &spec);
  if (features.spread && prng->Chance(70)) AddRandomSpread(prng, &spec);
  return pod;
}

JsonTree RandomBoundPod(Prng* prng, const Features& features, int index, int node_count) {
  JsonTree pod = RandomPod(prng, features, absl::StrCat("b", index), true);
  // Now and then a node that is not there.
  pod["spec"]["nodeName"] =
      absl::StrCat("n", prng->Between(0, prng->Chance(3) ? node_count : node_count - 1));
  pod["status"]["phase"] = Pick<std::string>(
      prng, {"Running", "Running", "Running", "Running", "Pending", "Succeeded", "Failed"});
  if (prng->Chance(15)) {
    pod["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z";
    pod["metadata"]["deletionGracePeriodSeconds"] = 30;
  }
  return pod;
}

JsonTree RandomNamespace(Prng* prng, const std::string& name) {
  JsonTree object = JsonTree::Object();
  object["metadata"]["name"] = name;
  object["metadata"]["labels"]["kubernetes.io/metadata.name"] = name;
  if (prng->Chance(75)) {
    object["metadata"]["labels"]["team"] = Pick<std::string>(prng, {"x", "y"});
  }
  return object;
}

struct ClusterShape {
  int nodes_max = 4;
  int pods_max = 6;
};

constexpr ClusterShape kLarger = {9, 20};

// Everything but what is to be placed.
JsonTree RandomCluster(Prng* prng, const Features& features, const ClusterShape& shape) {
  JsonTree result = JsonTree::Object();
  for (const char* list : {"nodes", "namespaces", "pods", "pending"}) {
    result[list] = JsonTree::List();
  }
  const int node_count = prng->Between(1, shape.nodes_max);
  for (int i = 0; i < node_count; ++i) result["nodes"].Add(RandomNode(prng, features, i));
  for (const char* name : {"ns-a", "ns-b"}) result["namespaces"].Add(RandomNamespace(prng, name));
  for (int i = prng->Between(0, shape.pods_max); i > 0; --i) {
    result["pods"].Add(RandomBoundPod(prng, features, i, node_count));
  }
  return result;
}

JsonTree RandomPodGroup(Prng* prng, int min_member) {
  JsonTree group = JsonTree::Object();
  JsonTree& metadata = group["metadata"];
  metadata["name"] = kGangName;
  metadata["namespace"] = kGangNamespace;
  metadata["uid"] = "uid-of-gang";
  metadata["annotations"]["ome.io/topology-key"] =
      Pick<std::string>(prng, {"zone", "zone", "rack"});
  group["spec"]["minMember"] = min_member;
  return group;
}

// A term that selects all members with that role.
JsonTree TermTowardRole(const char* role, const char* topology_key) {
  JsonTree term = JsonTree::Object();
  term["labelSelector"]["matchLabels"]["role"] = role;
  term["topologyKey"] = topology_key;
  return term;
}

// What the members of a role have in common.
JsonTree RandomMember(Prng* prng, const Features& features, const std::string& role) {
  JsonTree pod = RandomPod(prng, features, role, false);
  JsonTree& labels = pod["metadata"]["labels"];
  labels["scheduling.x-k8s.io/pod-group"] = kGangName;
  labels["role"] = role;
  pod["metadata"]["namespace"] = kGangNamespace;
  pod["spec"]["schedulerName"] = Policy().scheduler_name;
  JsonTree& affinity = pod["spec"]["affinity"];
  constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  if (role == "worker" && prng->Chance(50)) {
    affinity["podAffinity"][kRequired].Add(TermTowardRole("leader", "zone"));
  }
  if (prng->Chance(30)) {
    affinity["podAntiAffinity"][kRequired].Add(
        TermTowardRole(role.c_str(), "kubernetes.io/hostname"));
  }
  return pod;
}

}  // namespace

JsonTree RandomCase(uint64_t seed) {
  Prng prng(seed);
  const Features features = RandomFeatures(&prng);
  const bool larger = prng.Chance(features.spread ? 50 : 10);
  JsonTree result = RandomCluster(&prng, features, larger ? kLarger : ClusterShape{});
  for (int i = prng.Between(1, 3); i > 0; --i) {
    result["pending"].Add(RandomPod(&prng, features, absl::StrCat("p", i), false));
  }
  return result;
}

JsonTree RandomGangCase(uint64_t seed) {
  Prng prng(seed);
  Features features = RandomFeatures(&prng);
  features.pod_terms &= kGangsMeetRulesBetweenPods;
  features.spread &= kGangsMeetRulesBetweenPods;
  JsonTree result = RandomCluster(&prng, features, {6, 6});
  const int size = prng.Between(2, 5);
  const JsonTree leader = RandomMember(&prng, features, "leader");
  const JsonTree worker = RandomMember(&prng, features, "worker");
  for (int i = 0; i < size; ++i) {
    JsonTree member = i == 0 ? leader : worker;
    const std::string name = absl::StrCat("w", i);
    member["metadata"]["name"] = name;
    member["metadata"]["uid"] = absl::StrCat("uid-", name);
    result["pending"].Add(std::move(member));
  }
  result["groups"].Add(RandomPodGroup(&prng, size));
  return result;
}

}  // namespace gangpack
