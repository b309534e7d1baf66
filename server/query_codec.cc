#include "server/query_codec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/views.h"
#include "server/json_slice.h"

namespace gangpack::server {
namespace {

class JsonObject {
 public:
  JsonObject& Add(std::string_view key, std::string_view value) {
    Key(key);
    AppendJsonString(text_, value);
    return *this;
  }
  JsonObject& Add(std::string_view key, int64_t value) {
    Key(key);
    text_ += std::to_string(value);
    return *this;
  }
  JsonObject& AddJson(std::string_view key, std::string_view json) {
    Key(key);
    text_ += json;
    return *this;
  }
  std::string Text() const { return text_ + "}"; }

 private:
  void Key(std::string_view key) {
    if (text_.size() > 1) text_ += ", ";
    AppendJsonString(text_, key);
    text_ += ": ";
  }

  std::string text_ = "{";
};

std::string_view View(absl::string_view text) { return {text.data(), text.size()}; }

template <typename T>
std::string JsonList(const std::vector<T>& items, std::string (*item_json)(const T&),
                     std::string_view separator) {
  std::string text = "[";
  for (const T& item : items) {
    if (text.size() > 1) text += separator;
    text += item_json(item);
  }
  text += "]";
  return text;
}

template <typename T>
std::string Document(std::string_view key, const std::vector<T>& items,
                     std::string (*item_json)(const T&)) {
  return JsonObject().AddJson(key, JsonList(items, item_json, ",\n ")).Text() + "\n";
}

std::string WaiterJson(const WaiterView& waiter) {
  return JsonObject()
      .Add("namespace", waiter.pod.namespace_name)
      .Add("name", waiter.pod.name)
      .Add("node", waiter.node)
      .Add("since", TimeText(waiter.since))
      .Add("ends", TimeText(waiter.ends))
      .Text();
}

}  // namespace

std::string TimeText(absl::Time time) {
  if (time == absl::InfiniteFuture() || time == absl::InfinitePast()) return "";
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", time, absl::UTCTimeZone());
}

std::string PodJson(const PodView& pod) {
  return JsonObject()
      .Add("namespace", pod.pod.namespace_name)
      .Add("name", pod.pod.name)
      .Add("gang", pod.gang)
      .Add("state", View(ToString(pod.state)))
      .Add("node", pod.node)
      .Add("message", pod.message)
      .Text();
}

std::string GangJson(const GangView& gang) {
  return JsonObject()
      .Add("namespace", gang.gang.namespace_name)
      .Add("name", gang.gang.name)
      .Add("state", View(ToString(gang.state)))
      .Add("topologyKey", gang.topology_key)
      .Add("domain", gang.domain)
      .Add("minMember", gang.min_member)
      .Add("members", gang.members)
      .Add("placed", gang.placed)
      .Add("need", gang.need)
      .Add("message", gang.message)
      .Text();
}

std::string DomainJson(const DomainView& domain) {
  return JsonObject()
      .Add("topologyKey", domain.topology_key)
      .Add("name", domain.name)
      .Add("nodes", domain.nodes)
      .Add("heldBy", domain.held_by)
      .Text();
}

std::string ReservationJson(const ReservationView& reservation) {
  return JsonObject()
      .Add("topologyKey", reservation.topology_key)
      .Add("domain", reservation.domain)
      .Add("gang", reservation.gang.ToString())
      .Add("owner", reservation.group_uid)
      .Add("planNumber", reservation.plan_number)
      .Add("since", TimeText(reservation.since))
      .Add("ends", TimeText(reservation.ends))
      .AddJson("waiters", JsonList(reservation.waiters, &WaiterJson, ", "))
      .AddJson("planned", JsonList(reservation.planned, &WaiterJson, ", "))
      .Text();
}

std::string PodsJson(const std::vector<PodView>& pods) { return Document("pods", pods, &PodJson); }

std::string GangsJson(const std::vector<GangView>& gangs) {
  return Document("gangs", gangs, &GangJson);
}

std::string DomainsJson(const std::vector<DomainView>& domains) {
  return Document("domains", domains, &DomainJson);
}

std::string ReservationsJson(const std::vector<ReservationView>& reservations) {
  return Document("reservations", reservations, &ReservationJson);
}

}  // namespace gangpack::server
