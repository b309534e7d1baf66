#include "server/doctor/topology_census.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/explain.h"
#include "core/gang.h"
#include "k8s/fault.h"
#include "k8s/node_codec.h"
#include "k8s/pod_group_codec.h"

namespace gangpack::server {
namespace {

constexpr size_t kNamesShown = 3;

// "a, b, c and 4 more"
std::string FirstOf(const std::set<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() == kNamesShown) break;
    shown.push_back(name);
  }
  const size_t more = names.size() - shown.size();
  return absl::StrCat(absl::StrJoin(shown, ", "),
                      more == 0 ? "" : absl::StrCat(" and ", more, " more"));
}

std::string NameOf(const k8s::ApiRecord& record) {
  const k8s::ObjectIdentity& identity = record.identity;
  return identity.namespace_name.empty()
             ? identity.name
             : absl::StrCat(identity.namespace_name, "/", identity.name);
}

void AddUnreadable(const std::map<std::string, std::string>& unreadable, absl::string_view kind,
                   std::vector<Finding>* findings) {
  if (unreadable.empty()) return;
  std::set<std::string> names;
  for (const auto& [name, fault] : unreadable) names.insert(name);
  findings->push_back(
      {Severity::kWarning, absl::AsciiStrToLower(absl::StrCat(kind, "s")),
       absl::StrCat(Counted(static_cast<int64_t>(names.size()), kind),
                    " cannot be read: ", FirstOf(names)),
       absl::StrCat("they do not exist for gangpack; the first: ", unreadable.begin()->second),
       "correct what is named there"});
}

}  // namespace

void PodGroupCensus::Add(const k8s::ApiRecord& record) {
  ++groups_;
  const std::string name = NameOf(record);
  if (!record.object.has_value()) {
    unreadable_[name] = record.fault;
    return;
  }
  const PodGroup& group = std::get<k8s::DecodedPodGroup>(*record.object).group;
  const std::string key = TopologyKeyOf(group, policy_);
  if (key.empty()) {
    without_key_.insert(name);
  } else {
    keys_[key].insert(name);
  }
  if (group.min_member.value_or(0) < 1) without_min_member_.insert(name);
  if (group.labels.contains(policy_.placement_group_label)) in_placement_group_.insert(name);
  const absl::Duration timeout = absl::Seconds(group.schedule_timeout_seconds.value_or(0));
  if (timeout > longest_timeout_ || (timeout == longest_timeout_ && name < longest_)) {
    longest_timeout_ = timeout;
    longest_ = name;
  }
}

std::map<std::string, std::set<std::string>> PodGroupCensus::Keys() const {
  std::map<std::string, std::set<std::string>> keys = keys_;
  if (!policy_.default_topology_key.empty()) keys[policy_.default_topology_key];
  return keys;
}

std::vector<Finding> PodGroupCensus::Findings() const {
  std::vector<Finding> findings;
  const auto cannot_work = [&](const std::set<std::string>& names, const std::string& what,
                               const std::string& change) {
    if (names.empty()) return;
    findings.push_back({Severity::kWarning, "podgroups",
                        absl::StrCat(Counted(static_cast<int64_t>(names.size()), "PodGroup"), " ",
                                     what, ": ", FirstOf(names)),
                        "their pods are refused, with that reason", change});
  };
  cannot_work(without_min_member_, "without a positive minMember",
              "spec.minMember: as many pods as must run at once");
  cannot_work(without_key_, "without a topology key",
              absl::StrCat("metadata.annotations: {", policy_.topology_key_annotation,
                           ": LABEL}; or topologyKey in gangpack's configuration, for all"));
  cannot_work(in_placement_group_, absl::StrCat("with the label ", policy_.placement_group_label),
              "remove the label: placement groups are not supported");
  AddUnreadable(unreadable_, "PodGroup", &findings);
  if (!findings.empty()) return findings;
  findings.push_back(Good("podgroups", groups_ == 0 ? "there are none yet"
                                       : groups_ == 1
                                           ? "the only one can work"
                                           : absl::StrCat("all ", groups_, " can work")));
  return findings;
}

void NodeCensus::Add(const k8s::ApiRecord& record) {
  ++nodes_;
  if (!record.object.has_value()) {
    unreadable_[NameOf(record)] = record.fault;
    return;
  }
  const Labels& labels = std::get<k8s::DecodedNode>(*record.object).node.labels;
  for (const auto& [key, groups] : keys_) {
    const auto label = labels.find(key);
    if (label != labels.end() && !label->second.empty()) ++domains_[key][label->second];
  }
}

Finding NodeCensus::OfKey(const std::string& key, const std::set<std::string>& groups) const {
  const std::string check = "topology";
  const bool configured = key == policy_.default_topology_key;
  const std::string whose =
      configured
          ? std::string("the configured topologyKey")
          : absl::StrCat("used by ", Counted(static_cast<int64_t>(groups.size()), "PodGroup"));
  const auto found = domains_.find(key);
  if (found == domains_.end()) {
    return {configured ? Severity::kError : Severity::kWarning, check,
            absl::StrCat("no node has the label ", k8s::Quote(key), ", ", whose),
            absl::StrCat("no domain can hold a gang that uses it",
                         groups.empty() ? "" : absl::StrCat(": ", FirstOf(groups))),
            absl::StrCat("kubectl label node NODE ", key,
                         "=DOMAIN, for the nodes of each domain; or another key")};
  }
  int64_t labelled = 0;
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t most = 0;
  for (const auto& [domain, nodes] : found->second) {
    labelled += nodes;
    least = std::min(least, nodes);
    most = std::max(most, nodes);
  }
  const std::string size =
      least == most ? Counted(most, "node") : absl::StrCat(least, " to ", Counted(most, "node"));
  return Good(check, absl::StrCat(key, ", ", whose, ": ",
                                  Counted(static_cast<int64_t>(found->second.size()), "domain"),
                                  " of ", size, "; ", nodes_ - labelled, " of ",
                                  Counted(nodes_, "node"), " without"));
}

std::vector<Finding> NodeCensus::Findings() const {
  std::vector<Finding> findings;
  if (nodes_ == 0) {
    findings.push_back(
        {Severity::kWarning, "nodes", "there are none", "no pod can be placed", "add nodes"});
  }
  AddUnreadable(unreadable_, "node", &findings);
  if (findings.empty()) {
    findings.push_back(Good("nodes", Counted(nodes_, "node")));
  }
  if (keys_.empty()) {
    findings.push_back(Good("topology", absl::StrCat("no key is in use: each PodGroup has to name "
                                                     "one in its annotation ",
                                                     policy_.topology_key_annotation)));
  }
  for (const auto& [key, groups] : keys_) {
    if (nodes_ > 0) findings.push_back(OfKey(key, groups));
  }
  return findings;
}

}  // namespace gangpack::server
