#include "tests/oracle/gang_plan.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/engine.h"
#include "core/facts.h"
#include "core/policy.h"
#include "core/views.h"
#include "k8s/field.h"
#include "k8s/node_codec.h"
#include "k8s/pod_codec.h"
#include "k8s/pod_group_codec.h"

namespace gangpack {

std::optional<JsonTree> PlanGang(const k8s::Value& test_case) {
  const absl::Time now = absl::UnixEpoch() + absl::Hours(24);
  Engine engine{Policy()};
  k8s::FaultList faults;
  const auto tell = [&](absl::string_view list, auto fact_of) {
    const k8s::Value* items = test_case.Find(list);
    if (items == nullptr) return;
    for (const k8s::Value& item : items->items()) {
      engine.Apply(fact_of(k8s::Field(item, &faults)), now);
    }
  };
  const auto pod = [](const k8s::Field& object) -> Fact {
    return PodChanged{k8s::DecodePod(object).pod};
  };
  tell("namespaces", [](const k8s::Field& object) -> Fact {
    return NamespaceChanged{k8s::DecodeNamespace(object).object};
  });
  tell("groups", [](const k8s::Field& object) -> Fact {
    return PodGroupChanged{k8s::DecodePodGroup(object).group};
  });
  tell("pods", pod);
  tell("pending", pod);
  tell("nodes", [](const k8s::Field& object) -> Fact {
    return NodeChanged{k8s::DecodeNode(object, k8s::ObjectSource::kApiServer).node};
  });
  engine.Apply(Synchronised{}, now);
  while (engine.Work(now)) {
  }
  const std::vector<ReservationView> reservations = engine.Reservations();
  if (!faults.faults.empty() || reservations.empty()) return std::nullopt;
  JsonTree plan = JsonTree::List();
  for (const WaiterView& member : reservations[0].planned) {
    JsonTree& placement = plan.Add(JsonTree::Object());
    placement["pod"] = absl::StrCat(member.pod.namespace_name, "/", member.pod.name);
    placement["node"] = member.node;
  }
  return plan;
}

}  // namespace gangpack
