#include "tests/oracle/random_rules.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "tests/oracle/random_values.h"

namespace gangpack {
namespace {

constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

std::string RandomTaintKey(Prng* prng) {
  return Pick<std::string>(prng,
                           {"k1", "k2", "example.com/k1", "node.kubernetes.io/unschedulable"});
}

std::string RandomTaintValue(Prng* prng) {
  return Pick<std::string>(
      prng, {"", "v", "1", "5", "05", "10", "9223372036854775807", "9223372036854775808"});
}

std::string RandomTopologyKey(Prng* prng) {
  return Pick<std::string>(prng, {"zone", "rack", "kubernetes.io/hostname"});
}

JsonTree RandomToleration(Prng* prng) {
  JsonTree toleration = JsonTree::Object();
  const std::string op = Pick<std::string>(prng, {"", "Equal", "Exists", "Exists", "Lt", "Gt"});
  const std::string effect =
      Pick<std::string>(prng, {"", "", "NoSchedule", "NoExecute", "PreferNoSchedule"});
  if (!op.empty()) toleration["operator"] = op;
  if (!effect.empty()) toleration["effect"] = effect;
  if (effect == "NoExecute" && prng->Chance(50)) toleration["tolerationSeconds"] = 10;
  if (op != "Exists" || prng->Chance(70)) toleration["key"] = RandomTaintKey(prng);
  if (op == "Lt" || op == "Gt") {
    toleration["value"] = Pick<std::string>(
        prng, {"0", "1", "5", "-1", "10", "9223372036854775807", "-9223372036854775808"});
  } else if (op != "Exists") {
    toleration["value"] = RandomTaintValue(prng);
  }
  return toleration;
}

JsonTree RandomNodeSelectorTerm(Prng* prng) {
  JsonTree term = JsonTree::Object();
  for (int i = prng->Between(0, 2); i > 0; --i) {
    term["matchExpressions"].Add(RandomNodeRequirement(prng));
  }
  if (prng->Chance(25)) {
    JsonTree field = JsonTree::Object();
    field["key"] = "metadata.name";
    field["operator"] = Pick<std::string>(prng, {"In", "NotIn"});
    field["values"].Add(Pick<std::string>(prng, {"n0", "n1", "n2", "elsewhere"}));
    term["matchFields"].Add(std::move(field));
  }
  return term;
}

JsonTree RandomPodTerm(Prng* prng) {
  JsonTree term = JsonTree::Object();
  term["topologyKey"] = RandomTopologyKey(prng);
  const bool has_selector = prng->Chance(92);
  if (has_selector) term["labelSelector"] = RandomLabelSelector(prng);
  if (prng->Chance(25)) term["namespaces"].Add(Pick<std::string>(prng, {"ns-a", "ns-b", "gone"}));
  if (prng->Chance(25)) {
    JsonTree& selector = term["namespaceSelector"];
    selector = JsonTree::Object();
    if (prng->Chance(40)) selector["matchLabels"]["team"] = Pick<std::string>(prng, {"x", "y"});
    if (prng->Chance(20)) selector["matchLabels"]["kubernetes.io/metadata.name"] = "ns-a";
  }
  if (has_selector && prng->Chance(20)) term["matchLabelKeys"].Add("ver");
  if (has_selector && prng->Chance(20)) term["mismatchLabelKeys"].Add("track");
  return term;
}

}  // namespace

JsonTree RandomTaints(Prng* prng) {
  JsonTree taints = JsonTree::List();
  absl::btree_set<std::pair<std::string, std::string>> taken;
  for (int i = prng->Between(0, 2); i > 0; --i) {
    const std::string key = RandomTaintKey(prng);
    const std::string effect =
        Pick<std::string>(prng, {"NoSchedule", "NoSchedule", "NoExecute", "PreferNoSchedule"});
    if (!taken.insert({key, effect}).second) continue;
    JsonTree taint = JsonTree::Object();
    taint["key"] = key;
    taint["effect"] = effect;
    const std::string value = RandomTaintValue(prng);
    if (!value.empty()) taint["value"] = value;
    taints.Add(std::move(taint));
  }
  return taints;
}

void AddRandomTolerations(Prng* prng, JsonTree* spec) {
  for (int i = prng->Between(0, 3); i > 0; --i) {
    (*spec)["tolerations"].Add(RandomToleration(prng));
  }
}

void AddRandomNodeSelection(Prng* prng, JsonTree* spec) {
  if (prng->Chance(25)) {
    (*spec)["nodeSelector"]["zone"] = Pick<std::string>(prng, {"a", "b", ""});
  }
  if (prng->Chance(10)) {
    (*spec)["nodeSelector"]["kubernetes.io/hostname"] = Pick<std::string>(prng, {"n0", "n1"});
  }
  if (prng->Chance(50)) {
    JsonTree& terms = (*spec)["affinity"]["nodeAffinity"][kRequired]["nodeSelectorTerms"];
    for (int i = prng->Between(1, 2); i > 0; --i) terms.Add(RandomNodeSelectorTerm(prng));
  }
}

void AddRandomPodTerms(Prng* prng, JsonTree* spec) {
  for (const char* kind : {"podAffinity", "podAntiAffinity"}) {
    if (!prng->Chance(35)) continue;
    for (int i = prng->Between(1, 2); i > 0; --i) {
      (*spec)["affinity"][kind][kRequired].Add(RandomPodTerm(prng));
    }
    if (prng->Chance(15)) {
      JsonTree preferred = JsonTree::Object();
      preferred["weight"] = 10;
      preferred["podAffinityTerm"] = RandomPodTerm(prng);
      (*spec)["affinity"][kind][kPreferred].Add(std::move(preferred));
    }
  }
}

void AddRandomSpread(Prng* prng, JsonTree* spec) {
  absl::btree_set<std::pair<std::string, std::string>> taken;
  for (int i = prng->Between(0, 2); i > 0; --i) {
    JsonTree constraint = JsonTree::Object();
    const std::string key = RandomTopologyKey(prng);
    const std::string action = prng->Chance(85) ? "DoNotSchedule" : "ScheduleAnyway";
    if (!taken.insert({key, action}).second) continue;
    constraint["topologyKey"] = key;
    constraint["whenUnsatisfiable"] = action;
    constraint["maxSkew"] = prng->Between(1, 2);
    if (prng->Chance(60)) {
      // Selects so many pods that every domain may have some.
      constraint["labelSelector"]["matchLabels"]["app"] = "web";
    } else if (prng->Chance(80)) {
      constraint["labelSelector"] = RandomLabelSelector(prng);
    }
    if (action == "DoNotSchedule" && prng->Chance(40)) {
      constraint["minDomains"] = prng->Between(1, 4);
    }
    for (const char* policy : {"nodeAffinityPolicy", "nodeTaintsPolicy"}) {
      if (prng->Chance(40)) constraint[policy] = Pick<std::string>(prng, {"Honor", "Ignore"});
    }
    if (constraint.Find("labelSelector") != nullptr && prng->Chance(25)) {
      constraint["matchLabelKeys"].Add("ver");
    }
    (*spec)["topologySpreadConstraints"].Add(std::move(constraint));
  }
}

}  // namespace gangpack
