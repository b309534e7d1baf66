#include "core/packing_choice.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"

namespace gangpack {
namespace {

// True if the candidate can be cut down to exactly `need` members that include `chosen`.
bool Covers(const PackingModel& model, const std::vector<int>& candidate,
            const std::vector<int>& chosen, int need) {
  int64_t least = 0;
  int64_t most = 0;
  for (size_t k = 0; k < candidate.size(); ++k) {
    if (candidate[k] < chosen[k]) return false;
    least += model.critical[k] ? candidate[k] : chosen[k];
    most += candidate[k];
  }
  return least <= need && need <= most;
}

}  // namespace

PackingChoice ChooseMembers(const PackingModel& model, const std::vector<std::vector<int>>& counts,
                            const std::vector<int>& kind_of_member, int need) {
  PackingChoice choice;
  choice.members.resize(static_cast<size_t>(model.kinds), 0);
  std::vector<int> covering;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (Covers(model, counts[i], choice.members, need)) covering.push_back(static_cast<int>(i));
  }
  if (covering.empty()) return choice;
  std::vector<int> still;
  for (int kind : kind_of_member) {
    int& count = choice.members[static_cast<size_t>(kind)];
    ++count;
    still.clear();
    for (int i : covering) {
      if (Covers(model, counts[static_cast<size_t>(i)], choice.members, need)) still.push_back(i);
    }
    if (still.empty()) {
      --count;
    } else {
      covering.swap(still);
    }
  }
  choice.candidate = covering.front();
  return choice;
}

void LeaveOut(const PackingModel& model, const std::vector<int>& members,
              PackingPlacement* placement) {
  for (int k = 0; k < model.kinds; ++k) {
    int surplus = -members[static_cast<size_t>(k)];
    for (int n = 0; n < model.nodes; ++n) surplus += placement->count[model.Cell(n, k)];
    CORE_CHECK(surplus >= 0);
    CORE_CHECK(surplus == 0 || !model.critical[static_cast<size_t>(k)]);
    for (auto node = model.order.rbegin(); node != model.order.rend() && surplus > 0; ++node) {
      int& count = placement->count[model.Cell(*node, k)];
      const int dropped = std::min(surplus, count);
      count -= dropped;
      surplus -= dropped;
      placement->total -= dropped;
    }
  }
}

}  // namespace gangpack
