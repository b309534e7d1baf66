#include "tests/unit/core/random_pod_rules.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace gangpack {

RandomPodRules::RandomPodRules(uint64_t seed) : prng_(seed) {
  for (int i = 0; i < 6; ++i) ChangeNode();
  for (int i = 0; i < 3; ++i) ChangeNamespace();
  for (int i = 0; i < 10; ++i) ChangePod();
}

RandomPodRules::Change RandomPodRules::Step() {
  const int kind = prng_.Between(0, 9);
  if (kind < 2) return ChangeNode();
  if (kind < 3) return ChangeNamespace();
  return ChangePod();
}

std::string RandomPodRules::Pick(const std::vector<std::string>& from) {
  return from[static_cast<size_t>(prng_.Between(0, static_cast<int>(from.size()) - 1))];
}

LabelSelector RandomPodRules::RandomSelector(const std::string& key,
                                             const std::vector<std::string>& values) {
  LabelSelector selector;
  switch (prng_.Between(0, 7)) {
    case 0:
      break;
    case 1:
      selector.requirements.push_back({key, SelectorOperator::kNotIn, {Pick(values)}});
      break;
    case 2:
      selector.requirements.push_back({key, SelectorOperator::kExists, {}});
      break;
    case 3:
      selector.requirements.push_back({key, SelectorOperator::kDoesNotExist, {}});
      break;
    case 4:
      selector.requirements.push_back({key, SelectorOperator::kIn, {Pick(values), Pick(values)}});
      break;
    default:
      selector.requirements.push_back({key, SelectorOperator::kIn, {Pick(values)}});
      break;
  }
  if (prng_.Chance(20)) {
    selector.requirements.push_back({"rev", SelectorOperator::kIn, {Pick({"1", "2"})}});
  }
  return selector;
}

PodAffinityTerm RandomPodRules::RandomTerm() {
  PodAffinityTerm term;
  term.topology_key = Pick({"rack", "rack", "zone", "host"});
  if (!prng_.Chance(3)) term.selector = RandomSelector("app", {"1", "2", "3"});
  if (prng_.Chance(20)) term.namespaces.push_back(Pick({"n1", "n2", "n3"}));
  if (prng_.Chance(10)) term.namespaces.push_back(Pick({"n1", "n2", "n3"}));
  if (prng_.Chance(30)) {
    term.namespace_selector =
        prng_.Chance(30) ? LabelSelector{} : RandomSelector("team", {"a", "b"});
  }
  if (prng_.Chance(10)) term.match_label_keys.push_back("rev");
  if (prng_.Chance(10)) term.mismatch_label_keys.push_back("app");
  return term;
}

TopologySpreadConstraint RandomPodRules::RandomConstraint(const std::string& key) {
  TopologySpreadConstraint constraint;
  constraint.topology_key = key;
  constraint.max_skew = prng_.Between(1, 2);
  if (prng_.Chance(30)) constraint.min_domains = prng_.Between(1, 3);
  if (!prng_.Chance(3)) constraint.selector = RandomSelector("app", {"1", "2", "3"});
  if (prng_.Chance(20)) constraint.match_label_keys.push_back("rev");
  constraint.honor_node_affinity = !prng_.Chance(30);
  constraint.honor_taints = prng_.Chance(30);
  return constraint;
}

PodSpec RandomPodRules::RandomSpec() {
  PodSpec spec;
  const int affinity = prng_.Chance(40) ? prng_.Between(1, 2) : 0;
  for (int i = 0; i < affinity; ++i) spec.required_affinity.push_back(RandomTerm());
  const int anti_affinity = prng_.Chance(40) ? prng_.Between(1, 2) : 0;
  for (int i = 0; i < anti_affinity; ++i) spec.required_anti_affinity.push_back(RandomTerm());
  const int spread = prng_.Chance(40) ? prng_.Between(1, 2) : 0;
  if (spread > 0) spec.topology_spread.push_back(RandomConstraint(Pick({"rack", "host"})));
  if (spread > 1) spec.topology_spread.push_back(RandomConstraint("zone"));
  if (prng_.Chance(20)) spec.node_selector["pool"] = Pick({"x", "y"});
  if (prng_.Chance(10)) {
    spec.required_node_affinity = std::vector<NodeSelectorTerm>{
        {{{"pool", SelectorOperator::kNotIn, {Pick({"x", "y"})}}}, {}}};
  }
  if (prng_.Chance(20)) spec.tolerations.push_back({"busy", TolerationOperator::kExists, "", {}});
  return spec;
}

Labels RandomPodRules::RandomPodLabels() {
  Labels labels;
  if (!prng_.Chance(15)) labels["app"] = Pick({"1", "2", "3"});
  if (!prng_.Chance(30)) labels["rev"] = Pick({"1", "2"});
  return labels;
}

RandomPodRules::Change RandomPodRules::ChangePod() {
  const std::string uid = absl::StrCat("uid-", prng_.Between(1, kPods));
  const auto it = cluster_.pods.find(uid);
  if (it != cluster_.pods.end() && prng_.Chance(20)) {
    rules_.RemovePod({uid});
    cluster_.pods.erase(it);
    return {kNoNode, uid};
  }
  const bool is_new = it == cluster_.pods.end();
  ReferenceCluster::PlacedPod& placed = cluster_.pods[uid];
  Change change;
  if (is_new) {
    placed.pod.uid = {uid};
    placed.pod.name = {Pick({"n1", "n1", "n2", "n3"}),
                       absl::StrCat("p", prng_.Between(1, 99), uid)};
  }
  if (is_new || prng_.Chance(10)) {
    placed.pod.labels = RandomPodLabels();
    placed.pod.spec = RandomSpec();
    change.uid = uid;
  }
  placed.pod.terminating = prng_.Chance(10);
  placed.node = prng_.Chance(30) ? kNoNode : prng_.Between(0, kNodes - 1);
  rules_.SetPod(placed.pod, placed.node);
  return change;
}

RandomPodRules::Change RandomPodRules::ChangeNode() {
  const NodeIndex index = prng_.Between(0, kNodes - 1);
  if (cluster_.nodes.count(index) > 0 && prng_.Chance(20)) {
    rules_.RemoveNode(index);
    cluster_.nodes.erase(index);
    return {index, ""};
  }
  Node& node = cluster_.nodes[index];
  node.name = absl::StrCat("node-", index);
  node.labels = {{"host", node.name}};
  if (!prng_.Chance(15)) node.labels["rack"] = Pick({"a", "b", "c", ""});
  if (!prng_.Chance(15)) node.labels["zone"] = Pick({"a", "b"});
  if (!prng_.Chance(30)) node.labels["pool"] = Pick({"x", "y"});
  node.taints.clear();
  if (prng_.Chance(20)) node.taints.push_back({"busy", "", TaintEffect::kNoSchedule});
  rules_.SetNode(index, node);
  return {index, ""};
}

RandomPodRules::Change RandomPodRules::ChangeNamespace() {
  const std::string name = Pick({"n1", "n2", "n3"});
  if (prng_.Chance(30)) {
    cluster_.namespaces.erase(name);
    rules_.RemoveNamespace(name);
    return {};
  }
  Labels& labels = cluster_.namespaces[name];
  labels = {{"team", Pick({"a", "b"})}};
  rules_.SetNamespace(name, labels);
  return {};
}

}  // namespace gangpack
