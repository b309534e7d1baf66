#include "server/configuration_fields.h"

#include <chrono>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "k8s/fault.h"
#include "server/http_listener.h"

namespace gangpack::server {
namespace {

constexpr int64_t kDaySeconds = int64_t{24} * 3600;
constexpr int64_t kYearSeconds = 365 * kDaySeconds;
constexpr size_t kLabelNameMax = 63;
constexpr size_t kLabelPrefixMax = 253;

template <typename T>
void VisitNumber(const FieldText& field, const FieldRange& range, T* value,
                 ConfigurationVisitor* visitor) {
  auto number = static_cast<int64_t>(*value);
  visitor->Number(field, range, &number);
  *value = static_cast<T>(number);
}

// Limits on the engine's work, as core/policy.h explains them.
void VisitLimits(Policy* policy, ConfigurationVisitor* visitor) {
  visitor->Number({"packingStatesMax",
                   "The search for a plan is cut off after so many partial plans per domain; the "
                   "reason then\nsays so."},
                  {1, int64_t{1'000'000'000'000}}, &policy->packing_states_max);
  visitor->Number(
      {"shownStatesMax",
       "The same for how many members fit where the gang does not, which is only shown: "
       "past it\nthe reason says \"at least\"."},
      {1, int64_t{1'000'000'000'000}}, &policy->shown_states_max);
  VisitNumber({"backtrackMembersMax",
               "Gangs of more members are searched node by node rather than member by member."},
              {1, 100'000}, &policy->backtrack_members_max, visitor);
  VisitNumber({"lighterTriesMax", "Tries with the lightest members before the exact search."},
              {1, 100'000}, &policy->lighter_tries_max, visitor);
  VisitNumber({"stateComparisonsMax", "Larger partial plans that each one is compared with."},
              {1, 100'000}, &policy->state_comparisons_max, visitor);
  VisitNumber(
      {"judgedGangsPerSlice", "Gangs that are judged before others may use the engine in between."},
      {1, 1'000'000}, &policy->judged_gangs_per_slice, visitor);
  VisitNumber({"viewsPerSlice", "Objects that are listed for a page, likewise."}, {1, 1'000'000},
              &policy->views_per_slice, visitor);
  VisitNumber({"shapesMax",
               "Gang shapes whose domains are kept ranked; one more is ranked afresh each time."},
              {1, 1'000'000}, &policy->shapes_max, visitor);
  VisitNumber({"askedUnknownMax",
               "Pods asked about before the watch showed them that are woken when it does."},
              {1, 10'000'000}, &policy->asked_unknown_max, visitor);
}

void VisitPolicy(Policy* policy, ConfigurationVisitor* visitor) {
  visitor->Name({"schedulerName", "Pods that name another scheduler are left alone."},
                NameKind::kName, &policy->scheduler_name);
  visitor->Name({"topologyKey",
                 "The topology key of gangs whose PodGroup names none; empty: such gangs are "
                 "refused with\na reason."},
                NameKind::kLabelKeyOrEmpty, &policy->default_topology_key);
  visitor->Name(
      {"podGroupTopologyKeyAnnotation", "The PodGroup annotation that names the topology key."},
      NameKind::kLabelKey, &policy->topology_key_annotation);
  visitor->Name({"unsupportedPlacementGroupLabel",
                 "A PodGroup or pod with this label is refused with a reason."},
                NameKind::kLabelKey, &policy->placement_group_label);
  visitor->Seconds({"defaultPermitTimeoutSeconds",
                    "Seconds that a member waits for its gang where the PodGroup has no\n"
                    "scheduleTimeoutSeconds above 0."},
                   {1, 100 * kYearSeconds}, &policy->permit_timeout);
  visitor->Switch({"standaloneDomainPacking",
                   "Standalone pods fill domains that are in use first; acts with a topologyKey "
                   "only."},
                  &policy->standalone_domain_packing);
  visitor->Seconds(
      {"answerTimeoutSeconds",
       "Seconds that a pod with rules toward other pods counts on the one node that it "
       "was\nanswered with, if its bind call does not come."},
      {1, 100 * kYearSeconds}, &policy->answer_timeout);
  VisitLimits(policy, visitor);
}

void VisitSeconds(const FieldText& field, const FieldRange& range, std::chrono::milliseconds* value,
                  ConfigurationVisitor* visitor) {
  absl::Duration duration = absl::FromChrono(*value);
  visitor->Seconds(field, range, &duration);
  *value = absl::ToChronoMilliseconds(duration);
}

void VisitListener(HttpListenerOptions* options, ConfigurationVisitor* visitor) {
  ListenAddress address{options->address, options->port};
  visitor->Address(
      {"listen", "ADDRESS:PORT on this machine; port 0 is any free one, and printed at start."},
      &address);
  options->address = std::move(address.address);
  options->port = address.port;
  VisitNumber(
      {"connectionsMax",
       "Connections served at once; past that the longest idle one is closed, first of those "
       "that\nnever sent a whole request; if all are busy the new one is answered 503."},
      {1, 65'536}, &options->connections_max, visitor);
  VisitNumber({"bodyBytesMax", "Bytes of the largest body that is read; a larger one is 413."},
              {1'024, int64_t{1} << 30}, &options->body_bytes_max, visitor);
  VisitNumber({"bodiesBytesMax",
               "Bytes of all bodies at once, of each without its first MiB; past that a request is "
               "503.\nIt is bodyBytesMax at least."},
              {1'024, int64_t{1} << 40}, &options->bodies_bytes_max, visitor);
  VisitSeconds({"idleTimeoutSeconds",
                "Seconds without a request until a connection is closed. kube-scheduler closes "
                "its own\nafter 90: stay above that."},
               {1, kDaySeconds}, &options->idle_timeout, visitor);
  VisitSeconds({"headTimeoutSeconds",
                "Seconds for the head of a request to arrive once it has begun; else it is 408."},
               {1, 3'600}, &options->head_timeout, visitor);
  VisitSeconds({"requestTimeoutSeconds",
                "Seconds for a whole request to arrive once it has begun; else it is 408."},
               {1, 3'600}, &options->request_timeout, visitor);
  VisitSeconds({"writeTimeoutSeconds", "Seconds for the caller to take an answer."}, {1, 3'600},
               &options->write_timeout, visitor);
  VisitSeconds({"threadIdleTimeoutSeconds", "Seconds until a thread without a connection ends."},
               {1, 3'600}, &options->thread_idle_timeout, visitor);
  VisitNumber({"threadStackBytes",
               "Bytes of stack of each thread that serves a connection. Plans are made on it."},
              {512 * 1024, int64_t{1} << 30}, &options->thread_stack_bytes, visitor);
}

bool IsAlphanumeric(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) != 0; }

// Alphanumeric at both ends, and `inner` between.
bool IsLabelPart(absl::string_view part, absl::string_view inner) {
  if (part.empty() || !IsAlphanumeric(part.front()) || !IsAlphanumeric(part.back())) return false;
  for (const char c : part) {
    if (!IsAlphanumeric(c) && !absl::StrContains(inner, c)) return false;
  }
  return true;
}

bool IsLabelKey(absl::string_view key) {
  const std::vector<absl::string_view> parts = absl::StrSplit(key, '/');
  if (parts.size() > 2) return false;
  if (parts.size() == 2) {
    if (parts[0].size() > kLabelPrefixMax) return false;
    for (const absl::string_view label : absl::StrSplit(parts[0], '.')) {
      if (!IsLabelPart(label, "-") || absl::AsciiStrToLower(label) != label) return false;
    }
  }
  return parts.back().size() <= kLabelNameMax && IsLabelPart(parts.back(), "-_.");
}

}  // namespace

void VisitConfiguration(Configuration* configuration, ConfigurationVisitor* visitor) {
  VisitPolicy(&configuration->policy, visitor);
  const auto listeners = [&] {
    visitor->Object({"filter",
                     "The listener of filter, prioritize, the pages and /metrics. Bodies hold the "
                     "names of all\nnodes, or with nodeCacheCapable: false the whole nodes."},
                    [&] { VisitListener(&configuration->http.filter, visitor); });
    visitor->Object({"bind",
                     "The listener of bind. Each member that waits for its gang is a connection "
                     "of it."},
                    [&] { VisitListener(&configuration->http.bind, visitor); });
  };
  visitor->Object({"server", "What gangpack serve listens on."}, listeners);
  visitor->Object({"kubernetes", "How gangpack serve uses the API server."}, [&] {
    VisitNumber(
        {"writesMax",
         "Bindings, and other writes to pods, under way at once. The writes of one pod never "
         "overtake\neach other."},
        {1, 256}, &configuration->kubernetes.writes_max, visitor);
  });
}

std::optional<std::string> FaultOfName(NameKind kind, absl::string_view name) {
  if (name.empty()) {
    if (kind == NameKind::kLabelKeyOrEmpty) return std::nullopt;
    return std::string("is empty, expected a name");
  }
  if (kind == NameKind::kName) {
    for (const char c : name) {
      if (absl::ascii_isgraph(static_cast<unsigned char>(c)) != 0) continue;
      return absl::StrCat(k8s::Quote(name), ", expected a name without white space");
    }
    return std::nullopt;
  }
  if (IsLabelKey(name)) return std::nullopt;
  return absl::StrCat(k8s::Quote(name), ", expected a label's key such as example.com/rack");
}

}  // namespace gangpack::server
