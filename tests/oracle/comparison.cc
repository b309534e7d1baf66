#include "tests/oracle/comparison.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/json_reader.h"
#include "tests/oracle/gang_plan.h"
#include "tests/oracle/our_verdicts.h"

namespace gangpack {
namespace {

std::string NameAt(const k8s::Value& test_case, absl::string_view list, size_t index) {
  const k8s::Value* metadata = test_case.Find(list)->items()[index].Find("metadata");
  const k8s::Value* name = metadata == nullptr ? nullptr : metadata->Find("name");
  return name == nullptr ? absl::StrCat(list, " ", index) : std::string(name->text());
}

void ComparePair(const PluginNames& ours, const PluginNames& theirs, const std::string& where,
                 std::vector<Disagreement>* disagreements) {
  for (const std::string plugin : ComparedPlugins()) {
    if (ours.contains(plugin) == theirs.contains(plugin)) continue;
    disagreements->push_back(
        {plugin, absl::StrCat(where, ": kube-scheduler ",
                              theirs.contains(plugin) ? "refuses, we accept" : "accepts, we refuse",
                              " by ", plugin)});
  }
}

// `form` says which objects these are.
void CompareObjects(const k8s::Value& objects, absl::string_view form, const k8s::Value& refused,
                    std::vector<Disagreement>* disagreements) {
  const OurVerdicts ours = Judge(objects);
  for (const std::string& fault : ours.faults) {
    disagreements->push_back({kDecoding, absl::StrCat(form, ": ", fault)});
  }
  for (size_t pod = 0; pod < ours.refused.size(); ++pod) {
    for (size_t node = 0; node < ours.refused[pod].size(); ++node) {
      PluginNames theirs;
      for (const k8s::Value& plugin : refused.items()[pod].items()[node].items()) {
        theirs.emplace(plugin.text());
      }
      const std::string where = absl::StrCat(form, ": ", NameAt(objects, "pending", pod), " on ",
                                             NameAt(objects, "nodes", node));
      ComparePair(ours.refused[pod][node], theirs, where, disagreements);
    }
  }
}

void ComparePlan(const k8s::Value& question, const k8s::Value& refused,
                 std::vector<Disagreement>* disagreements) {
  const auto plan = question.Find("plan")->items();
  const size_t members = question.Find("pending")->items().size();
  if (plan.size() != members) {
    disagreements->push_back(
        {"plan-size", absl::StrCat("a plan for ", plan.size(), " of ", members, " members")});
  }
  for (size_t i = 0; i < plan.size(); ++i) {
    for (const k8s::Value& plugin : refused.items()[i].items()) {
      const std::string name(plugin.text());
      disagreements->push_back({absl::StrCat("plan-", name),
                                absl::StrCat("planned: ", std::string(plan[i].Find("pod")->text()),
                                             " on ", std::string(plan[i].Find("node")->text()),
                                             ": kube-scheduler refuses by ", name)});
    }
  }
}

k8s::Documents Parse(const std::string& text) {
  auto documents = k8s::ReadJson({"case", text});
  if (!documents.ok()) {
    std::fprintf(stderr, "%s\n", std::string(documents.status().message()).c_str());
    std::exit(2);
  }
  return *std::move(documents);
}

}  // namespace

std::string QuestionOf(const JsonTree& test_case) {
  if (test_case.Find("groups") == nullptr) return test_case.ToString();
  JsonTree question = test_case;
  const k8s::Documents documents = Parse(test_case.ToString());
  if (std::optional<JsonTree> plan = PlanGang(documents.roots()[0])) {
    question["plan"] = *std::move(plan);
  }
  return question.ToString();
}

Comparison Compare(const std::string& question, const k8s::Value& answer) {
  Comparison comparison;
  if (const k8s::Value* invalid = answer.Find("invalid")) {
    for (const k8s::Value& complaint : invalid->items()) {
      comparison.complaints.emplace_back(complaint.text());
    }
    return comparison;
  }
  comparison.valid = true;
  const k8s::Documents documents = Parse(question);
  const k8s::Value& objects = documents.roots()[0];
  if (objects.Find("plan") != nullptr) {
    comparison.planned = true;
    ComparePlan(objects, *answer.Find("planRefused"), &comparison.disagreements);
    return comparison;
  }
  const k8s::Value& refused = *answer.Find("refused");
  CompareObjects(objects, "as created", refused, &comparison.disagreements);
  if (const k8s::Value* stored = answer.Find("stored")) {
    CompareObjects(*stored, "as stored", refused, &comparison.disagreements);
  }
  return comparison;
}

}  // namespace gangpack
