#include "server/simulate/step.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "k8s/fault.h"
#include "k8s/names.h"
#include "server/simulate/go_duration.h"

namespace gangpack::server {
namespace {

constexpr absl::string_view kFields[] = {"delete", "pause",   "resume", "failBinding",
                                         "refuse", "restart", "advance"};

void CheckFields(const k8s::Field& root) {
  for (size_t i = 0; i < root.member_count(); ++i) {
    const absl::string_view key = root.MemberKey(i);
    if (key == "apiVersion" || key == "kind") continue;
    if (std::find(std::begin(kFields), std::end(kFields), key) == std::end(kFields)) {
      root.Report(key,
                  "no field of a Step, expected delete, pause, resume, failBinding, refuse, "
                  "restart or advance");
    }
  }
}

// The parts of `pod/ns/name` behind the kind; nullopt, and no report, if it does not read so.
std::optional<NamespacedName> ParseNamespaced(absl::string_view kind, absl::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  if (parts.size() != 3 || parts[0] != kind) return std::nullopt;
  if (k8s::CheckDnsLabel(parts[1]) != nullptr || k8s::CheckDnsSubdomain(parts[2]) != nullptr) {
    return std::nullopt;
  }
  return NamespacedName{parts[1], parts[2]};
}

std::optional<NamespacedName> ParsePod(const k8s::Field& place, absl::string_view text) {
  std::optional<NamespacedName> pod = ParseNamespaced("pod", text);
  if (!pod.has_value()) {
    place.Report(absl::StrCat(k8s::Quote(text), ", expected pod/NAMESPACE/NAME"));
  }
  return pod;
}

std::vector<NamespacedName> ParsePods(const k8s::Field& root, absl::string_view key) {
  std::vector<NamespacedName> pods;
  const k8s::Field list = root.List(key);
  for (size_t i = 0; i < list.item_count(); ++i) {
    const k8s::Field item = list.ItemAt(i);
    const std::optional<absl::string_view> text = item.AsText();
    if (!text.has_value()) {
      if (!item.exists()) item.Report("null, expected pod/NAMESPACE/NAME");
      continue;
    }
    if (std::optional<NamespacedName> pod = ParsePod(item, *text)) pods.push_back(*pod);
  }
  return pods;
}

std::optional<StepDeletion> ParseDeletion(absl::string_view text) {
  using Kind = StepDeletion::Kind;
  if (auto pod = ParseNamespaced("pod", text)) return StepDeletion{Kind::kPod, *pod, {}};
  if (auto group = ParseNamespaced("podgroup", text)) {
    return StepDeletion{Kind::kPodGroup, *group, {}};
  }
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  if (parts.size() == 2 && parts[0] == "node" && k8s::CheckDnsSubdomain(parts[1]) == nullptr) {
    return StepDeletion{Kind::kNode, {"", parts[1]}, {}};
  }
  return std::nullopt;
}

std::vector<StepDeletion> ParseDeletions(const k8s::Field& root, const std::string& file) {
  constexpr char kExpected[] = "expected pod/NAMESPACE/NAME, podgroup/NAMESPACE/NAME or node/NAME";
  std::vector<StepDeletion> deletions;
  const k8s::Field list = root.List("delete");
  for (size_t i = 0; i < list.item_count(); ++i) {
    const k8s::Field item = list.ItemAt(i);
    const std::optional<absl::string_view> text = item.AsText();
    if (!text.has_value()) {
      if (!item.exists()) item.Report(absl::StrCat("null, ", kExpected));
      continue;
    }
    std::optional<StepDeletion> deletion = ParseDeletion(*text);
    if (!deletion.has_value()) {
      item.Report(absl::StrCat(k8s::Quote(*text), ", ", kExpected));
      continue;
    }
    deletion->place = {file, item.line(), item.Path(), k8s::Quote(*text)};
    deletions.push_back(*std::move(deletion));
  }
  return deletions;
}

std::vector<std::pair<NamespacedName, std::vector<std::string>>> ParseRefuse(
    const k8s::Field& root) {
  std::vector<std::pair<NamespacedName, std::vector<std::string>>> refuse;
  const k8s::Field map = root.Object("refuse");
  for (size_t i = 0; i < map.member_count(); ++i) {
    const k8s::Field member = map.MemberAt(i);
    const std::optional<NamespacedName> pod = ParsePod(member, map.MemberKey(i));
    const std::vector<std::string> nodes = map.Texts(map.MemberKey(i));
    for (const std::string& node : nodes) {
      if (k8s::CheckDnsSubdomain(node) != nullptr) {
        member.Report(absl::StrCat(k8s::Quote(node), ", expected names of nodes"));
      }
    }
    if (pod.has_value()) refuse.emplace_back(*pod, nodes);
  }
  return refuse;
}

}  // namespace

Step DecodeStep(const k8s::Value& value, k8s::FaultList* faults) {
  const k8s::Field root(value, faults);
  if (const absl::string_view version = root.Text("apiVersion"); version != kStepApiVersion) {
    root.Report("apiVersion", absl::StrCat(k8s::Quote(version), ", expected ", kStepApiVersion));
  }
  CheckFields(root);
  Step step;
  step.deletions = ParseDeletions(root, faults->file);
  step.pause = ParsePods(root, "pause");
  step.resume = ParsePods(root, "resume");
  step.fail_binding = ParsePods(root, "failBinding");
  step.refuse = ParseRefuse(root);
  step.restart = root.Bool("restart");
  if (const std::optional<absl::string_view> text = root.OptionalText("advance")) {
    step.advance = ParseGoDuration(*text);
    if (!step.advance.has_value()) {
      root.Report("advance", absl::StrCat(k8s::Quote(*text),
                                          ", expected a duration such as 30s, 1h30m or 500ms"));
    }
  }
  return step;
}

}  // namespace gangpack::server
