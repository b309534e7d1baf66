#include "core/explain.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/resources.h"

namespace gangpack {
namespace {

// kube-scheduler passes messages as format strings.
std::string WithoutPercent(std::string text) {
  std::replace(text.begin(), text.end(), '%', '_');
  return text;
}

std::string AndMore(int64_t count, absl::string_view noun) {
  return absl::StrCat("and ", Counted(count, absl::StrCat("more ", noun)));
}

// In kube-scheduler's own words, which users know.
std::string PodRuleWords(PodRule rule) {
  switch (rule) {
    case PodRule::kSpreadKey:
      return "node(s) didn't match pod topology spread constraints (missing required label)";
    case PodRule::kSpread:
      return "node(s) didn't match pod topology spread constraints";
    case PodRule::kAffinityKey:
    case PodRule::kAffinity:
      return "node(s) didn't match pod affinity rules";
    case PodRule::kAntiAffinity:
      return "node(s) didn't match pod anti-affinity rules";
    case PodRule::kOtherAntiAffinity:
      return "node(s) didn't satisfy existing pods anti-affinity rules";
  }
  return "";
}

std::string Words(const Reason& r) {
  const std::string gang = r.gang.ToString();
  const std::string pod = r.pod.ToString();
  switch (r.code) {
    case ReasonCode::kNone:
      return "";
    case ReasonCode::kNoDomainHasRoom:
      return absl::StrCat("no domain has room for gang ", gang);
    case ReasonCode::kEveryDomainReserved:
      return absl::StrCat("no domain has room for gang ", gang,
                          ": every fitting domain is reserved for a forming gang");
    case ReasonCode::kPodGroupNotResolvable:
      return absl::StrCat("PodGroup ", gang, " not resolvable yet");
    case ReasonCode::kNoTopologyKey:
      return absl::StrCat("PodGroup ", gang, " must declare ", r.topology_key,
                          " or the scheduler must configure topologyKey");
    case ReasonCode::kMembersMissing:
      return absl::StrCat("waiting for all PodGroup member templates for ", gang);
    case ReasonCode::kSiblingNotPlaced:
      return absl::StrCat("waiting for gang sibling ", pod, " to be placed");
    case ReasonCode::kPinnedDomainTooSmall:
      return absl::StrCat("pinned domain ", r.domain, " cannot fit all remaining gang members ",
                          gang);
    case ReasonCode::kAdoptedDomainTooSmall:
      return absl::StrCat("adopted domain ", r.domain, " cannot fit remaining gang members ", gang);
    case ReasonCode::kNoNodeForMember:
      return absl::StrCat("pinned domain ", r.domain, " has no node feasible for gang member ",
                          pod);
    case ReasonCode::kMultipleDomains:
      return absl::StrCat("gang ", gang, " already has members in multiple topology domains");
    case ReasonCode::kNodeReserved:
      return "node is reserved for a forming gang";
    case ReasonCode::kNodeNotInDomain:
      if (r.domain.empty()) return absl::StrCat("node has no value of label ", r.topology_key);
      return absl::StrCat("node not in gang's pinned domain ", r.domain);
    case ReasonCode::kSiblingFailed:
      return absl::StrCat("gang ", gang, " unwound after a member failed to schedule");
    case ReasonCode::kMinMemberNotPositive:
      return absl::StrCat("PodGroup ", gang, " must declare a positive minMember");
    case ReasonCode::kPlacementGroup:
      return "partner placement groups are not supported";
    case ReasonCode::kNotSynchronised:
      return "the scheduler has not read the whole cluster yet";
    case ReasonCode::kPodUnknown:
      return absl::StrCat("pod ", pod, " is not known yet");
    case ReasonCode::kPodNotPlaceable:
      return absl::StrCat("pod ", pod, " is not to be placed", r.note.empty() ? "" : ": ", r.note);
    case ReasonCode::kSurplusMember:
      return absl::StrCat("gang ", gang, " places the members it needs first");
    case ReasonCode::kNodeNotPlanned:
      return absl::StrCat("node is not the one planned for this member of gang ", gang);
    case ReasonCode::kNodeUnknown:
      return absl::StrCat("node ", r.note, r.note.empty() ? "" : " ", "is not known yet");
    case ReasonCode::kNoRoomBesideBindings:
      return "node has no room beside the bindings and nominations under way";
    case ReasonCode::kAgainstPodRule:
      return PodRuleWords(r.rule->rule);
    case ReasonCode::kNodeNotChosen:
      return "node was not chosen for a pod with rules between pods";
  }
  return "";
}

// As Kubernetes writes quantities: cores or milli-cores, bytes with a binary suffix where one
// divides them.
std::string AmountText(absl::string_view resource, int64_t amount) {
  if (resource == kResourceCpu) {
    return amount % 1000 == 0 ? absl::StrCat(amount / 1000) : absl::StrCat(amount, "m");
  }
  const bool bytes = resource == kResourceMemory || resource == kResourceEphemeralStorage ||
                     absl::StartsWith(resource, kHugePagesPrefix);
  if (!bytes || amount == 0) return absl::StrCat(amount);
  absl::string_view suffix = "";
  for (const absl::string_view next : {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}) {
    if (amount % 1024 != 0) break;
    amount /= 1024;
    suffix = next;
  }
  return absl::StrCat(amount, suffix);
}

std::string DescribeNode(const NodeShortage& shortage) {
  const NodeRejection& r = shortage.rejection;
  switch (r.rule) {
    case NodeRule::kUnschedulable:
      return absl::StrCat(shortage.node, " cordoned");
    case NodeRule::kTaint:
      return absl::StrCat(shortage.node, " tainted ", r.subject);
    case NodeRule::kNodeAffinity:
      return absl::StrCat(shortage.node, " not selected by the pod's node selector or affinity");
    case NodeRule::kResource:
      return absl::StrCat(shortage.node, " short of ", r.subject, ": needs ",
                          AmountText(r.subject, r.requested), ", free ",
                          AmountText(r.subject, r.free));
    case NodeRule::kHostPort:
      return absl::StrCat(shortage.node, " has host port ", r.subject, " in use");
    case NodeRule::kSiblings:
      return absl::StrCat(shortage.node, " excluded by affinity or anti-affinity between members");
    case NodeRule::kWaiting:
      return absl::StrCat(shortage.node, " taken by members that wait");
    case NodeRule::kPodRule:
      return absl::StrCat(shortage.node, ": ", r.subject);
  }
  return shortage.node;
}

std::string DescribeDomain(const DomainShortage& shortage, bool when_empty) {
  const std::string room = absl::StrCat("room for ", shortage.at_least ? "at least " : "",
                                        shortage.room, " of ", shortage.of);
  std::string text =
      when_empty ? absl::StrCat("largest domain ", shortage.domain, " has ", room, " when empty")
                 : absl::StrCat("domain ", shortage.domain, ": ", room);
  if (shortage.nodes.empty()) return text;
  std::vector<std::string> nodes;
  for (const NodeShortage& node : shortage.nodes) nodes.push_back(DescribeNode(node));
  if (shortage.nodes_more > 0) nodes.push_back(AndMore(shortage.nodes_more, "node"));
  return absl::StrCat(text, " (", absl::StrJoin(nodes, ", "), ")");
}

void AppendMembers(const Reason& r, std::vector<std::string>* clauses) {
  if (r.code == ReasonCode::kMembersMissing) {
    std::string text = absl::StrCat(r.have, " of ", r.want, " members exist");
    if (r.gated > 0) absl::StrAppend(&text, ", ", r.gated, " gated");
    for (const SchedulerMembers& other : r.other_schedulers) {
      absl::StrAppend(&text, ", ", other.members, other.members == 1 ? " names" : " name",
                      " scheduler ", other.scheduler.empty() ? "\"\"" : other.scheduler);
    }
    clauses->push_back(std::move(text));
  } else if (r.code == ReasonCode::kPodGroupNotResolvable) {
    clauses->push_back(absl::StrCat(r.have, r.have == 1 ? " pod names it" : " pods name it",
                                    ", but it does not exist"));
  } else if (r.code == ReasonCode::kMinMemberNotPositive) {
    clauses->push_back(r.min_member_absent
                           ? "spec.minMember is absent, expected at least 1"
                           : absl::StrCat("spec.minMember is ", r.have, ", expected at least 1"));
  }
}

std::string DescribeLost(const Reason& r) {
  std::vector<std::string> nodes;
  for (const LostMembers& lost : r.lost) {
    nodes.push_back(absl::StrCat(lost.members, " lost with node ", lost.node));
  }
  if (r.lost_more > 0) nodes.push_back(AndMore(r.lost_more, "node"));
  return absl::StrJoin(nodes, ", ");
}

std::vector<std::string> Clauses(const Reason& r) {
  std::vector<std::string> clauses;
  AppendMembers(r, &clauses);
  if (!r.lost.empty()) clauses.push_back(DescribeLost(r));
  for (const DomainHolder& holder : r.holders) {
    clauses.push_back(holder.held.empty() ? absl::StrCat(holder.domain, " held by ", holder.gang)
                                          : absl::StrCat(holder.domain, " shares nodes with ",
                                                         holder.held, " held by ", holder.gang));
  }
  for (const DomainShortage& domain : r.domains)
    clauses.push_back(DescribeDomain(domain, r.when_empty));
  if (r.code == ReasonCode::kNoDomainHasRoom && r.domains.empty() && !r.search_limit_reached) {
    clauses.push_back(r.empty_labels > 0 ? absl::StrCat("label ", r.topology_key, " is empty on ",
                                                        Counted(r.empty_labels, "node"),
                                                        ", and no node carries a value of it")
                                         : absl::StrCat("no node carries label ", r.topology_key));
  }
  if (r.domains_more > 0 && !r.when_empty) {
    clauses.push_back(AndMore(r.domains_more, "domain"));
  }
  if (r.search_limit_reached) {
    clauses.push_back("the search was cut off at packing_states_max, so a fit may exist");
  }
  if (r.rule.has_value()) {
    clauses.push_back(absl::StrCat(r.note, ": ", DescribePodRule(*r.rule)));
  }
  const bool said =  // in the words themselves
      r.code == ReasonCode::kPodNotPlaceable || r.code == ReasonCode::kNodeUnknown ||
      r.rule.has_value();
  if (!r.note.empty() && !said) clauses.push_back(r.note);
  return clauses;
}

}  // namespace

std::string Counted(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

std::string DescribePodRule(const PodRuleRejection& r) {
  switch (r.rule) {
    case PodRule::kSpreadKey:
    case PodRule::kAffinityKey:
      return absl::StrCat("without label ", r.key);
    case PodRule::kSpread:
      return absl::StrCat(r.key, "=", r.value, " has ", r.count,
                          " of the pods spread, the least is ", r.least, ", maxSkew ", r.max_skew);
    case PodRule::kAffinity:
      return absl::StrCat("no pod that its affinity selects in ", r.key, "=", r.value);
    case PodRule::kAntiAffinity:
      return absl::StrCat("its anti-affinity shuns ", r.pod->ToString(), " in ", r.key, "=",
                          r.value);
    case PodRule::kOtherAntiAffinity:
      return absl::StrCat("the anti-affinity of ", r.pod->ToString(), " in ", r.key, "=", r.value,
                          " shuns it");
  }
  return "";
}

std::string Text(const Reason& reason) { return WithoutPercent(Words(reason)); }

std::string DetailedText(const Reason& reason) {
  const std::vector<std::string> clauses = Clauses(reason);
  if (clauses.empty()) return Text(reason);
  const std::string words = Words(reason);
  return WithoutPercent(
      absl::StrCat(words, words.empty() ? "" : ": ", absl::StrJoin(clauses, "; ")));
}

std::string Describe(const NodeShortage& shortage) {
  return WithoutPercent(DescribeNode(shortage));
}

}  // namespace gangpack
