#include "server/simulate/report.h"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "server/json_slice.h"
#include "server/query_codec.h"
#include "server/simulate/go_duration.h"
#include "server/text_table.h"

namespace gangpack::server {
namespace {

// One object on one line.
class JsonLine {
 public:
  JsonLine& Add(std::string_view key, absl::string_view text) {
    Key(key);
    AppendJsonString(json_, {text.data(), text.size()});
    return *this;
  }
  std::string Take() { return std::move(json_) + "}"; }

 private:
  void Key(std::string_view key) {
    if (json_.size() > 1) json_ += ", ";
    AppendJsonString(json_, key);
    json_ += ": ";
  }
  std::string json_ = "{";
};

std::string JsonList(absl::string_view name, const std::vector<std::string>& lines) {
  if (lines.empty()) return absl::StrCat("  \"", name, "\": []");
  std::string json = absl::StrCat("  \"", name, "\": [\n");
  for (size_t i = 0; i < lines.size(); ++i) {
    absl::StrAppend(&json, "    ", lines[i], i + 1 < lines.size() ? ",\n" : "\n");
  }
  return json + "  ]";
}

template <typename T, typename Line>
std::vector<std::string> Lines(const std::vector<T>& list, Line line) {
  std::vector<std::string> lines;
  for (const T& item : list) lines.push_back(line(item));
  return lines;
}

std::string JsonOf(const SimulatedPod& pod) {
  std::string json = PodJson(pod.view);
  json.pop_back();
  return absl::StrCat(json, ", \"attempts\": ", pod.attempts, "}");
}

std::string JsonOf(const GangView& gang) { return GangJson(gang); }

std::string JsonOf(const DomainView& domain) { return DomainJson(domain); }

std::string JsonOf(const TraceEntry& entry) {
  return JsonLine()
      .Add("time", FormatGoDuration(entry.time))
      .Add("event", entry.event)
      .Add("object", entry.object)
      .Add("node", entry.node)
      .Add("domain", entry.domain)
      .Add("message", entry.message)
      .Take();
}

template <typename T, typename MakeRow>
std::string Table(const TextRow& header, const std::vector<T>& list, MakeRow make_row) {
  std::vector<TextRow> rows;
  for (const T& item : list) rows.push_back(make_row(item));
  const std::string table = TextTable(header, rows);
  return table.empty() ? "" : absl::StrCat("\n", table);
}

std::string TraceTable(const std::vector<TraceEntry>& trace) {
  return Table({"AT", "EVENT", "OBJECT", "NODE", "DOMAIN", "MESSAGE"}, trace,
               [](const TraceEntry& entry) -> TextRow {
                 return {FormatGoDuration(entry.time),
                         entry.event,
                         entry.object,
                         entry.node,
                         entry.domain,
                         entry.message};
               });
}

}  // namespace

std::string JsonReport(const SimulationResult& result, const ReportOptions& options) {
  std::string json = "{\n";
  const auto line_of = [](const auto& item) { return JsonOf(item); };
  if (options.trace) absl::StrAppend(&json, JsonList("trace", Lines(result.trace, line_of)), ",\n");
  absl::StrAppend(&json, "  \"time\": \"", FormatGoDuration(result.time), "\",\n",
                  JsonList("pods", Lines(result.pods, line_of)), ",\n",
                  JsonList("gangs", Lines(result.gangs, line_of)), ",\n",
                  JsonList("domains", Lines(result.domains, line_of)), "\n}\n");
  return json;
}

std::string TableReport(const SimulationResult& result, const ReportOptions& options) {
  std::string text;
  if (options.trace && !result.trace.empty()) {
    text = TraceTable(result.trace).substr(1) + "\n";
  }
  absl::StrAppend(&text, "TIME  ", FormatGoDuration(result.time), "\n");
  absl::StrAppend(&text, Table({"NAMESPACE", "POD", "GANG", "STATE", "NODE", "ATTEMPTS", "MESSAGE"},
                               result.pods, [](const SimulatedPod& pod) -> TextRow {
                                 const PodView& view = pod.view;
                                 return {view.pod.namespace_name,
                                         view.pod.name,
                                         view.gang,
                                         std::string(ToString(view.state)),
                                         view.node,
                                         absl::StrCat(pod.attempts),
                                         view.message};
                               }));
  absl::StrAppend(&text, Table({"NAMESPACE", "GANG", "STATE", "TOPOLOGY-KEY", "DOMAIN",
                                "MIN-MEMBER", "MEMBERS", "PLACED", "NEED", "MESSAGE"},
                               result.gangs, [](const GangView& gang) -> TextRow {
                                 return {gang.gang.namespace_name,
                                         gang.gang.name,
                                         std::string(ToString(gang.state)),
                                         gang.topology_key,
                                         gang.domain,
                                         absl::StrCat(gang.min_member),
                                         absl::StrCat(gang.members),
                                         absl::StrCat(gang.placed),
                                         absl::StrCat(gang.need),
                                         gang.message};
                               }));
  absl::StrAppend(
      &text,
      Table({"TOPOLOGY-KEY", "DOMAIN", "NODES", "HELD-BY"}, result.domains,
            [](const DomainView& domain) -> TextRow {
              return {domain.topology_key, domain.name, absl::StrCat(domain.nodes), domain.held_by};
            }));
  return text;
}

}  // namespace gangpack::server
