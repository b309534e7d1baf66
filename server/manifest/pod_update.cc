#include "server/manifest/pod_update.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/selector.h"

namespace gangpack::server {
namespace {

using Container = k8s::DecodedPod::Container;

// Rules are compared as text, which also is what the fault shows. Equal text means equal rules.
std::string Words(const SelectorRequirement& requirement) {
  static constexpr const char* kOperators[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
  return absl::StrCat(requirement.key, " ", kOperators[static_cast<size_t>(requirement.op)], " [",
                      absl::StrJoin(requirement.values, ","), "]");
}

std::string Words(const std::vector<SelectorRequirement>& requirements) {
  std::vector<std::string> words;
  for (const SelectorRequirement& requirement : requirements) words.push_back(Words(requirement));
  return absl::StrCat("{", absl::StrJoin(words, "; "), "}");
}

std::string Words(const NodeSelectorTerm& term) {
  return absl::StrCat(Words(term.match_expressions), Words(term.match_fields));
}

std::string Words(const std::optional<std::vector<NodeSelectorTerm>>& terms) {
  if (!terms.has_value()) return "none";
  std::vector<std::string> words;
  for (const NodeSelectorTerm& term : *terms) words.push_back(Words(term));
  return absl::StrCat("[", absl::StrJoin(words, " or "), "]");
}

std::string Words(const std::optional<LabelSelector>& selector) {
  return selector.has_value() ? Words(selector->requirements) : "none";
}

std::string Words(const std::vector<PodAffinityTerm>& terms) {
  std::string words = "[";
  for (const PodAffinityTerm& term : terms) {
    absl::StrAppend(&words, "(", term.topology_key, " ", Words(term.selector), " in [",
                    absl::StrJoin(term.namespaces, ","), "] ", Words(term.namespace_selector),
                    " match [", absl::StrJoin(term.match_label_keys, ","), "] mismatch [",
                    absl::StrJoin(term.mismatch_label_keys, ","), "])");
  }
  return words + "]";
}

std::string Words(const Toleration& toleration) {
  static constexpr const char* kOperators[] = {"Equal", "Exists", "Lt", "Gt"};
  static constexpr const char* kEffects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  return absl::StrCat(
      toleration.key, " ", kOperators[static_cast<size_t>(toleration.op)], " ", toleration.value,
      ":", toleration.effect.has_value() ? kEffects[static_cast<size_t>(*toleration.effect)] : "");
}

std::string Words(const Container& container) {
  std::vector<std::string> words;
  for (const auto& [name, amount] : container.requests) {
    if (amount != 0) words.push_back(absl::StrCat(name, "=", amount));
  }
  return absl::StrCat(container.init ? "init " : "", container.name, "(", absl::StrJoin(words, " "),
                      ")");
}

std::string Words(const std::vector<Container>& containers) {
  std::vector<std::string> words;
  for (const Container& container : containers) words.push_back(Words(container));
  return absl::StrJoin(words, ", ");
}

std::string Words(std::vector<HostPort> ports) {
  std::vector<std::string> words;
  for (const HostPort& port : ports) {
    words.push_back(absl::StrCat(port.host_ip, ":", port.port, "/", port.protocol));
  }
  std::sort(words.begin(), words.end());
  return absl::StrJoin(words, ", ");
}

std::string Words(const Labels& labels) {
  return absl::StrJoin(labels, ",", absl::PairFormatter("="));
}

class Comparison {
 public:
  void Same(const std::string& path, const std::string& was, const std::string& is) {
    if (was == is) return;
    Fault(path, absl::StrCat("is immutable: ", Shown(is), ", expected ", Shown(was)));
  }
  void Fault(const std::string& path, const std::string& message) {
    faults_.push_back(FieldFault{path, message});
  }
  std::vector<FieldFault> Take() { return std::move(faults_); }

 private:
  static std::string Shown(const std::string& words) { return words.empty() ? "none" : words; }
  std::vector<FieldFault> faults_;
};

// Admission adds these to every pod, so a hand-written manifest lacks what a dump of it has.
bool AddedByAdmission(const Toleration& toleration) {
  return toleration.key == "node.kubernetes.io/not-ready" ||
         toleration.key == "node.kubernetes.io/unreachable";
}

void CheckTolerations(const PodSpec& was, const PodSpec& is, Comparison* comparison) {
  std::vector<std::string> kept;
  for (const Toleration& toleration : is.tolerations) kept.push_back(Words(toleration));
  for (const Toleration& toleration : was.tolerations) {
    const std::string words = Words(toleration);
    if (AddedByAdmission(toleration) || std::find(kept.begin(), kept.end(), words) != kept.end()) {
      continue;
    }
    comparison->Fault("spec.tolerations",
                      absl::StrCat("lacks \"", words, "\", expected only additions"));
  }
}

bool OnlyAdds(const Labels& was, const Labels& is) {
  return std::all_of(was.begin(), was.end(), [&is](const auto& entry) {
    const auto found = is.find(entry.first);
    return found != is.end() && found->second == entry.second;
  });
}

bool StartsWith(const std::vector<SelectorRequirement>& list,
                const std::vector<SelectorRequirement>& begin) {
  return list.size() >= begin.size() &&
         std::equal(begin.begin(), begin.end(), list.begin(),
                    [](const auto& a, const auto& b) { return Words(a) == Words(b); });
}

// While gated: no affinity may become any; an affinity may only get requirements within its terms.
bool OnlyNarrows(const PodSpec& was, const PodSpec& is) {
  if (!was.required_node_affinity.has_value()) return true;
  if (!is.required_node_affinity.has_value()) return false;
  const auto& before = *was.required_node_affinity;
  const auto& after = *is.required_node_affinity;
  return std::equal(before.begin(), before.end(), after.begin(), after.end(),
                    [](const NodeSelectorTerm& a, const NodeSelectorTerm& b) {
                      return StartsWith(b.match_expressions, a.match_expressions) &&
                             StartsWith(b.match_fields, a.match_fields);
                    });
}

void CheckNodeRules(const PodObject& pod, const PodSpec& is, Comparison* comparison) {
  const PodSpec& was = pod.pod.spec;
  const bool gated = !pod.gates.empty();
  if (!gated) {
    comparison->Same("spec.nodeSelector", Words(was.node_selector), Words(is.node_selector));
    comparison->Same("spec.affinity.nodeAffinity", Words(was.required_node_affinity),
                     Words(is.required_node_affinity));
    return;
  }
  if (!OnlyAdds(was.node_selector, is.node_selector)) {
    comparison->Fault("spec.nodeSelector", "may only be added to while the pod is gated");
  }
  if (!OnlyNarrows(was, is)) {
    comparison->Fault("spec.affinity.nodeAffinity",
                      "may only get more requirements while the pod is gated");
  }
}

void CheckGates(const PodObject& pod, const k8s::DecodedPod& manifest, Comparison* comparison) {
  for (const std::string& gate : manifest.gates) {
    if (std::find(pod.gates.begin(), pod.gates.end(), gate) == pod.gates.end()) {
      comparison->Fault("spec.schedulingGates",
                        absl::StrCat("adds \"", gate, "\", expected only removals"));
    }
  }
}

}  // namespace

std::vector<FieldFault> CheckPodUpdate(const PodObject& pod, const k8s::DecodedPod& manifest) {
  Comparison comparison;
  const Pod& was = pod.pod;
  const Pod& is = manifest.pod;
  const auto same_if_stated = [&](const char* path, const std::string& before,
                                  const std::string& stated) {
    if (!stated.empty()) comparison.Same(path, before, stated);
  };
  same_if_stated("metadata.uid", was.uid.value, is.uid.value);
  same_if_stated("spec.schedulerName", was.scheduler_name, is.scheduler_name);
  if (!was.node_name.empty()) same_if_stated("spec.nodeName", was.node_name, is.node_name);
  comparison.Same("spec.priority", absl::StrCat(was.priority), absl::StrCat(is.priority));
  comparison.Same("spec.containers", Words(pod.containers), Words(manifest.containers));
  comparison.Same("spec.containers.ports", Words(was.spec.host_ports), Words(is.spec.host_ports));
  comparison.Same("spec.affinity.podAffinity", Words(was.spec.required_affinity),
                  Words(is.spec.required_affinity));
  comparison.Same("spec.affinity.podAntiAffinity", Words(was.spec.required_anti_affinity),
                  Words(is.spec.required_anti_affinity));
  CheckNodeRules(pod, is.spec, &comparison);
  CheckTolerations(was.spec, is.spec, &comparison);
  CheckGates(pod, manifest, &comparison);
  return comparison.Take();
}

}  // namespace gangpack::server
