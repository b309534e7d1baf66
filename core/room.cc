#include "core/room.h"

#include <algorithm>
#include <cstddef>

#include "core/resources.h"

namespace gangpack {
namespace {

bool IsPlaced(const PackingProblem& problem, size_t kind) {
  return std::any_of(problem.nodes.begin(), problem.nodes.end(), [kind](const PackingNode& node) {
    return kind < node.placed.size() && node.placed[kind] > 0;
  });
}

// A term that selects only its own pod repels nobody.
bool MembersRepel(const PackingProblem& problem) {
  for (const PackingRule& rule : problem.rules) {
    if (rule.affinity) continue;
    for (size_t k = 0; k < rule.selects.size(); ++k) {
      if (!rule.selects[k]) continue;
      const bool is_lone_self = static_cast<int>(k) == rule.kind && problem.kinds[k].demand == 1;
      if (!is_lone_self || IsPlaced(problem, k)) return true;
    }
  }
  return false;
}

int64_t RoomOf(const PackingProblem& problem, const PackingNode& node, bool repel) {
  const ResourceVector* only = nullptr;
  ResourceVector largest;
  int fitting = 0;
  for (size_t k = 0; k < problem.kinds.size(); ++k) {
    const PackingKind& kind = problem.kinds[k];
    if (kind.demand <= 0 || !node.feasible[k] || !Fits(kind.request, node.free)) continue;
    if (repel) return 1;
    if (++fitting == 1) {
      only = &kind.request;
      continue;
    }
    if (fitting == 2) largest = *only;
    MaxVector(kind.request, &largest);
  }
  if (fitting == 0) return 0;
  return TimesFits(fitting == 1 ? *only : largest, node.free);
}

}  // namespace

int64_t NodeRoom(const PackingProblem& problem, const PackingNode& node) {
  return RoomOf(problem, node, MembersRepel(problem));
}

std::vector<int64_t> NodeRooms(const PackingProblem& problem) {
  const bool repel = MembersRepel(problem);
  std::vector<int64_t> rooms;
  rooms.reserve(problem.nodes.size());
  for (const PackingNode& node : problem.nodes) rooms.push_back(RoomOf(problem, node, repel));
  return rooms;
}

int64_t DomainRoom(const PackingProblem& problem) {
  const bool repel = MembersRepel(problem);
  int64_t sum = 0;
  for (const PackingNode& node : problem.nodes) {
    sum = SaturatingAdd(sum, RoomOf(problem, node, repel));
  }
  return sum;
}

}  // namespace gangpack
