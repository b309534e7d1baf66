#include "server/doctor/extender_check.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "k8s/fault.h"
#include "k8s/url.h"
#include "server/doctor/timeout_check.h"
#include "server/listen_address.h"

namespace gangpack::server {
namespace {

struct OurEntries {
  const SchedulerExtender* filter = nullptr;
  const SchedulerExtender* bind = nullptr;
  std::vector<std::string> filters;  // paths of all entries with a filter verb
  std::vector<std::string> binds;

  bool apart() const { return filter != nullptr && bind != nullptr && filter != bind; }
};

struct RuleInput {
  const OurEntries& ours;
  const SchedulerNeeds& needs;
  std::vector<Finding>* findings;

  void Add(Finding finding) const { findings->push_back(std::move(finding)); }
};

// Only with its scheme: without one kube-scheduler's calls fail.
absl::StatusOr<k8s::Url> PrefixOf(const SchedulerExtender& entry) {
  if (!absl::StrContains(entry.url_prefix, "://")) {
    return absl::InvalidArgumentError(absl::StrCat(
        k8s::Quote(entry.url_prefix), ", expected a URL such as http://127.0.0.1:8888"));
  }
  return k8s::ParseUrl(entry.url_prefix);
}

bool SameHost(const SchedulerExtender& a, const SchedulerExtender& b) {
  const absl::StatusOr<k8s::Url> left = PrefixOf(a);
  const absl::StatusOr<k8s::Url> right = PrefixOf(b);
  return left.ok() && right.ok() && left->host == right->host;
}

OurEntries FindOurs(const SchedulerConfig& config) {
  OurEntries ours;
  for (const SchedulerExtender& entry : config.extenders) {
    if (entry.bind_verb.empty()) continue;
    ours.binds.push_back(entry.path);
    if (ours.bind == nullptr) ours.bind = &entry;
  }
  bool same_host = false;
  for (const SchedulerExtender& entry : config.extenders) {
    if (entry.filter_verb.empty()) continue;
    ours.filters.push_back(entry.path);
    const bool beside_bind = ours.bind != nullptr && SameHost(entry, *ours.bind);
    if (ours.filter == nullptr || (beside_bind && !same_host)) ours.filter = &entry;
    same_host = same_host || beside_bind;
  }
  return ours;
}

std::vector<const SchedulerExtender*> Distinct(const OurEntries& ours) {
  std::vector<const SchedulerExtender*> entries;
  if (ours.filter != nullptr) entries.push_back(ours.filter);
  if (ours.bind != nullptr && ours.bind != ours.filter) entries.push_back(ours.bind);
  return entries;
}

void CheckFilterEntry(const RuleInput& in) {
  if (in.ours.filter == nullptr) {
    in.Add({Severity::kError, "filter-entry", "no entry has a filterVerb",
            "we are never asked where a pod may go, so gangs are not kept together",
            "extenders: an entry as gangpack scheduler-config prints it, with filterVerb: filter"});
  } else if (in.ours.filters.size() > 1) {
    in.Add({Severity::kWarning, "filter-entry",
            absl::StrCat(in.ours.filters.size(),
                         " entries have a filterVerb: ", absl::StrJoin(in.ours.filters, ", ")),
            "they are asked one after the other, each for what the one before left: a node that "
            "another one refuses cannot be used by our plan, which does not know of it",
            "run a kube-scheduler of its own for gangpack, with our two entries alone"});
  } else {
    in.Add(Good("filter-entry", in.ours.filter->path));
  }
}

void CheckBindEntry(const RuleInput& in) {
  if (in.ours.bind == nullptr) {
    in.Add(
        {Severity::kError, "bind-entry", "no entry has a bindVerb",
         "kube-scheduler binds each pod by itself, so members run before their gang is complete",
         "extenders: a second entry as gangpack scheduler-config prints it, with bindVerb: bind"});
  } else if (in.ours.binds.size() > 1) {
    in.Add({Severity::kError, "bind-entry",
            absl::StrCat(in.ours.binds.size(),
                         " entries have a bindVerb: ", absl::StrJoin(in.ours.binds, ", ")),
            "kube-scheduler allows one only and does not start",
            "remove bindVerb from all entries but the one of gangpack"});
  } else if (in.ours.filter == in.ours.bind) {
    in.Add({Severity::kError, "bind-entry",
            absl::StrCat(in.ours.bind->path, " has both filterVerb and bindVerb"),
            "an entry has one httpTimeout: a filter call needs a short one, since it holds up the "
            "only scheduling loop, and a bind is held until the gang is complete",
            "two entries, as gangpack scheduler-config prints them: one with filterVerb and "
            "prioritizeVerb, one with bindVerb alone"});
  } else {
    in.Add(Good("bind-entry", in.ours.bind->path));
  }
}

// What is wrong with one address; false if it is right.
bool CheckPrefix(const RuleInput& in, const SchedulerExtender& entry) {
  const absl::StatusOr<k8s::Url> url = PrefixOf(entry);
  const std::string change =
      absl::StrCat(entry.path, ".urlPrefix: the one that gangpack serve prints as \"listening ",
                   &entry == in.ours.filter ? "filter" : "bind", "\"");
  if (!url.ok()) {
    in.Add({Severity::kError, "address",
            absl::StrCat(entry.path, ".urlPrefix is ", std::string(url.status().message())),
            "every call of kube-scheduler fails", change});
    return true;
  }
  const bool loopback = ParseListenAddress(url->Authority()).ok();
  if (!loopback) {
    in.Add({Severity::kWarning, "address",
            absl::StrCat(entry.path, ".urlPrefix is ", k8s::Quote(entry.url_prefix),
                         ", which is another host"),
            "gangpack serve listens on loopback only, since whoever reaches it can have pods "
            "bound: there has to be a proxy of yours in between",
            absl::StrCat("run gangpack in the pod of kube-scheduler; ", change)});
    return true;
  }
  if (url->tls) {
    in.Add({Severity::kError, "address",
            absl::StrCat(entry.path, ".urlPrefix is ", k8s::Quote(entry.url_prefix)),
            "gangpack serve speaks plain http: every call of kube-scheduler fails",
            absl::StrCat(entry.path, ".urlPrefix: http://", url->Authority(), url->path)});
    return true;
  }
  const Configuration& configuration = in.needs.configuration;
  const int port =
      &entry == in.ours.filter ? configuration.http.filter.port : configuration.http.bind.port;
  if (port != 0 && port != url->port) {
    in.Add({Severity::kError, "address",
            absl::StrCat(entry.path, ".urlPrefix has port ", url->port,
                         ", and our configuration listens on ", port),
            "every call of kube-scheduler fails", change});
    return true;
  }
  return false;
}

void CheckAddresses(const RuleInput& in) {
  bool wrong = false;
  std::vector<std::string> good;
  for (const SchedulerExtender* entry : Distinct(in.ours)) {
    wrong = CheckPrefix(in, *entry) || wrong;
    good.push_back(entry->url_prefix);
  }
  if (!in.ours.apart()) return;
  const absl::StatusOr<k8s::Url> filter = PrefixOf(*in.ours.filter);
  const absl::StatusOr<k8s::Url> bind = PrefixOf(*in.ours.bind);
  if (filter.ok() && bind.ok() && filter->Authority() == bind->Authority()) {
    in.Add({Severity::kError, "address", absl::StrCat("both entries call ", filter->Authority()),
            "filter and bind have a port each, so that waiting binds cannot keep filter calls out; "
            "the calls of one of them are answered 404",
            absl::StrCat(in.ours.filter->path, ".urlPrefix and ", in.ours.bind->path,
                         ".urlPrefix: the two that gangpack serve prints")});
  } else if (!wrong) {
    in.Add(Good("address", absl::StrJoin(good, " and ")));
  }
}

void CheckTls(const RuleInput& in) {
  for (const SchedulerExtender* entry : Distinct(in.ours)) {
    const absl::StatusOr<k8s::Url> url = PrefixOf(*entry);
    if (!url.ok() || url->tls || (!entry->enable_https && !entry->has_tls_config)) continue;
    const absl::string_view field = entry->enable_https ? ".enableHTTPS" : ".tlsConfig";
    in.Add({Severity::kWarning, "tls",
            absl::StrCat(entry->path, field, " is set, and urlPrefix says http"),
            "urlPrefix alone decides: the calls are not encrypted",
            absl::StrCat("remove ", entry->path, field)});
  }
}

bool Serves(absl::string_view verb, absl::string_view served) {
  return verb == served || absl::EndsWith(verb, absl::StrCat("/", served));
}

void CheckVerbs(const RuleInput& in) {
  struct Verb {
    const SchedulerExtender* entry;
    absl::string_view field;
    absl::string_view verb;
    absl::string_view served;
  };
  std::vector<Verb> verbs;
  if (const SchedulerExtender* filter = in.ours.filter) {
    verbs.push_back({filter, "filterVerb", filter->filter_verb, "filter"});
    verbs.push_back({filter, "prioritizeVerb", filter->prioritize_verb, "prioritize"});
  }
  if (in.ours.bind != nullptr) {
    verbs.push_back({in.ours.bind, "bindVerb", in.ours.bind->bind_verb, "bind"});
  }
  for (const Verb& verb : verbs) {
    if (verb.verb.empty() || Serves(verb.verb, verb.served)) continue;
    in.Add({Severity::kError, "verbs",
            absl::StrCat(verb.entry->path, ".", verb.field, " is ", k8s::Quote(verb.verb)),
            "gangpack answers 404 to that, and the call fails",
            absl::StrCat(verb.entry->path, ".", verb.field, ": ", verb.served)});
  }
  for (const SchedulerExtender* entry : Distinct(in.ours)) {
    if (entry->preempt_verb.empty()) continue;
    in.Add({Severity::kWarning, "verbs",
            absl::StrCat(entry->path, ".preemptVerb is ", k8s::Quote(entry->preempt_verb)),
            "gangpack does not serve it: each preemption would fail",
            absl::StrCat("remove ", entry->path, ".preemptVerb")});
  }
}

void CheckPrioritize(const RuleInput& in) {
  const SchedulerExtender* const filter = in.ours.filter;
  if (filter == nullptr) return;
  if (filter->prioritize_verb.empty()) {
    if (!in.needs.configuration.policy.standalone_domain_packing) return;
    in.Add({Severity::kWarning, "prioritize", absl::StrCat(filter->path, " has no prioritizeVerb"),
            "standaloneDomainPacking is on, but standalone pods are not steered away from whole "
            "domains",
            absl::StrCat(filter->path, ": prioritizeVerb: prioritize and weight: 10")});
  } else if (filter->weight <= 0) {
    in.Add({Severity::kError, "prioritize",
            absl::StrCat(filter->path, ".weight is ", filter->weight),
            "with a prioritizeVerb kube-scheduler demands a weight above 0, and does not start",
            absl::StrCat(filter->path, ".weight: 10")});
  } else {
    in.Add(Good("prioritize", absl::StrCat("weight ", filter->weight)));
  }
}

void CheckNodeCache(const RuleInput& in) {
  if (in.ours.filter == nullptr) return;
  if (in.ours.filter->node_cache_capable) {
    in.Add(Good("node-cache", "nodeCacheCapable: names of nodes are sent"));
    return;
  }
  in.Add({Severity::kError, "node-cache",
          absl::StrCat(in.ours.filter->path, ".nodeCacheCapable is not true"),
          "each call carries every node as a whole, megabytes on large clusters, and from 1.33 on "
          "kube-scheduler then scores the nodes as if they were empty (kubernetes#141781)",
          absl::StrCat(in.ours.filter->path, ".nodeCacheCapable: true")});
}

void CheckIgnorable(const RuleInput& in) {
  bool wrong = false;
  for (const SchedulerExtender* entry : Distinct(in.ours)) {
    if (!entry->ignorable) continue;
    wrong = true;
    in.Add({Severity::kError, "ignorable", absl::StrCat(entry->path, ".ignorable is true"),
            entry == in.ours.bind
                ? "when we refuse or are away, kube-scheduler binds the pod itself: a gang member "
                  "then runs alone"
                : "when we are away, pods are placed without us, also on nodes held for a gang",
            absl::StrCat(entry->path, ".ignorable: false")});
  }
  if (!wrong && in.ours.filter != nullptr && in.ours.bind != nullptr) {
    in.Add(Good("ignorable", "neither entry is"));
  }
}

void CheckManagedResources(const RuleInput& in) {
  for (const SchedulerExtender* entry : Distinct(in.ours)) {
    if (entry->managed_resources.empty()) continue;
    in.Add({Severity::kError, "managed-resources",
            absl::StrCat(entry->path, ".managedResources names ",
                         absl::StrJoin(entry->managed_resources, ", ")),
            "we are asked only for pods that request one of them, and kube-scheduler places or "
            "binds the others by itself, such as a gang's leader without a GPU",
            absl::StrCat("remove ", entry->path, ".managedResources")});
  }
}

}  // namespace

std::vector<Finding> CheckExtenders(const SchedulerConfig& config, const SchedulerNeeds& needs) {
  const OurEntries ours = FindOurs(config);
  std::vector<Finding> findings;
  const RuleInput in{ours, needs, &findings};
  CheckFilterEntry(in);
  CheckBindEntry(in);
  CheckAddresses(in);
  CheckTls(in);
  CheckVerbs(in);
  if (ours.apart()) CheckTimeouts({*ours.filter, *ours.bind}, needs, &findings);
  CheckNodeCache(in);
  CheckIgnorable(in);
  CheckManagedResources(in);
  CheckPrioritize(in);
  return findings;
}

}  // namespace gangpack::server
