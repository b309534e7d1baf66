#include "server/kubernetes/gang_event.h"

#include "k8s/object_codec.h"

namespace gangpack::server {
namespace {

struct Kind {
  const char* reason;  // nullptr: nothing is told
  const char* action;
  bool warning;
};

Kind KindOf(const GangTransition& transition) {
  switch (transition.kind) {
    case GangTransitionKind::kPinned:
      return {"GangPinned", "Reserve", false};
    case GangTransitionKind::kAdopted:
      return {"GangAdopted", "Reserve", false};
    case GangTransitionKind::kMoved:
      return {"GangMoved", "Reserve", false};
    case GangTransitionKind::kComplete:
      return {"GangComplete", "Bind", false};
    case GangTransitionKind::kUnwound:
      return {"GangUnwound", "Release", true};
    case GangTransitionKind::kReleased:
      return {"GangReleased", "Release", false};
    case GangTransitionKind::kBlocked:
      return {"GangBlocked", "Schedule", true};
    case GangTransitionKind::kBroken:
      return {"GangBroken", "Schedule", true};
    case GangTransitionKind::kForming:
    case GangTransitionKind::kWaiting:
      break;
  }
  return {nullptr, nullptr, false};
}

}  // namespace

std::optional<EventNote> EventOf(const GangTransition& transition) {
  const Kind kind = KindOf(transition);
  if (kind.reason == nullptr || transition.group_uid.empty()) return std::nullopt;
  EventNote note;
  note.regarding = {std::string(k8s::kPodGroupApiVersion),
                    "PodGroup",
                    {transition.gang.namespace_name, transition.gang.name, transition.group_uid}};
  note.warning = kind.warning;
  note.reason = kind.reason;
  note.action = kind.action;
  note.note = transition.text;
  return note;
}

}  // namespace gangpack::server
