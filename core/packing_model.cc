#include "core/packing_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/check.h"
#include "core/room.h"

namespace gangpack {
namespace {

void FillResources(const PackingProblem& problem, PackingModel* model) {
  std::vector<ResourceId> used;
  for (int k : model->problem_kind) {
    const ResourceVector& request = problem.kinds[static_cast<size_t>(k)].request;
    for (size_t r = 0; r < request.size(); ++r) {
      if (request[r] > 0) used.push_back(static_cast<ResourceId>(r));
    }
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  model->resources = static_cast<int>(used.size());
  for (int k : model->problem_kind) {
    const ResourceVector& request = problem.kinds[static_cast<size_t>(k)].request;
    for (ResourceId r : used) model->request.push_back(std::max<int64_t>(0, AmountOf(request, r)));
  }
  model->free.reserve(PackingModel::Offset(model->nodes, model->resources));
  for (const PackingNode& node : problem.nodes) {
    for (ResourceId r : used) model->free.push_back(std::max<int64_t>(0, AmountOf(node.free, r)));
  }
}

// A spread resource is one more column of requests and of what is free.
void AddSpreadResources(const std::vector<SpreadResource>& added, PackingModel* model) {
  if (added.empty()) return;
  const int columns = model->resources + static_cast<int>(added.size());
  const auto widen = [&](int rows, const auto& extra, std::vector<int64_t>* table) {
    std::vector<int64_t> wide;
    wide.reserve(PackingModel::Offset(rows, columns));
    for (int row = 0; row < rows; ++row) {
      const auto begin =
          table->begin() + static_cast<std::ptrdiff_t>(PackingModel::Offset(row, model->resources));
      wide.insert(wide.end(), begin, begin + model->resources);
      for (const SpreadResource& resource : added) wide.push_back(extra(resource, row));
    }
    *table = std::move(wide);
  };
  widen(
      model->kinds,
      [](const SpreadResource& r, int kind) { return r.taken_by[static_cast<size_t>(kind)]; },
      &model->request);
  widen(
      model->nodes,
      [](const SpreadResource& r, int node) { return r.free[static_cast<size_t>(node)]; },
      &model->free);
  model->resources = columns;
}

int ResourceCap(const PackingModel& model, int node, int kind) {
  int64_t cap = model.demand[static_cast<size_t>(kind)];
  const int64_t* request = model.Request(kind);
  const int64_t* free = model.Free(node);
  for (int r = 0; r < model.resources; ++r) {
    // The product decides without a division where it cannot overflow and the demand fits.
    if (request[r] <= 0) continue;
    int64_t wanted = 0;
    if (__builtin_mul_overflow(request[r], cap, &wanted) || wanted > free[r]) {
      cap = free[r] / request[r];
    }
  }
  return static_cast<int>(cap);
}

// One per group of any level: a second one on the same node would share that group.
bool RepelsItselfOn(const PackingModel& model, int node, int kind) {
  const size_t cell = PackingModel::Offset(kind, model.kinds) + static_cast<size_t>(kind);
  for (const PackingLevel& level : model.rules.levels) {
    if (level.apart.empty() || level.group[static_cast<size_t>(node)] < 0) continue;
    if (level.apart[cell]) return true;
  }
  return false;
}

void FillCaps(const PackingProblem& problem, const std::vector<uint8_t>& blocked,
              PackingModel* model) {
  model->cap.resize(PackingModel::Offset(model->nodes, model->kinds), 0);
  for (int n = 0; n < model->nodes; ++n) {
    const PackingNode& node = problem.nodes[static_cast<size_t>(n)];
    CORE_CHECK(node.feasible.size() == problem.kinds.size());
    for (int k = 0; k < model->kinds; ++k) {
      const size_t cell = model->Cell(n, k);
      if (!node.feasible[static_cast<size_t>(model->problem_kind[static_cast<size_t>(k)])])
        continue;
      if (!model->rules.blocked.empty() && model->rules.blocked[cell]) continue;
      if (!blocked.empty() && blocked[cell]) continue;
      int cap = ResourceCap(*model, n, k);
      if (cap > 1 && RepelsItselfOn(*model, n, k)) cap = 1;
      model->cap[cell] = cap;
    }
  }
}

void MarkKinds(PackingModel* model) {
  const size_t kinds = static_cast<size_t>(model->kinds);
  model->critical.assign(kinds, 0);
  model->marked.assign(kinds, 0);
  for (const PackingClause& clause : model->rules.clauses) {
    for (size_t k = 0; k < kinds; ++k) {
      if (clause.supporter[k]) model->critical[k] = 1;
      if (clause.owner[k] && (clause.level > 0 || clause.first_group)) model->marked[k] = 1;
    }
  }
  for (const SpreadBound& bound : model->spread) {
    for (size_t k = 0; k < kinds; ++k) {
      if (bound.capped[k] || bound.filling[k]) model->critical[k] = 1;
    }
  }
  for (size_t level = 1; level < model->rules.levels.size(); ++level) {
    const std::vector<uint8_t>& apart = model->rules.levels[level].apart;
    for (size_t cell = 0; cell < apart.size(); ++cell) {
      if (apart[cell]) model->marked[cell / kinds] = 1;
    }
  }
}

bool PairsHold(const PackingModel& model, const std::vector<uint8_t>& apart, const int* counts) {
  for (int a = 0; a < model.kinds; ++a) {
    if (counts[a] == 0) continue;
    const uint8_t* row = apart.data() + PackingModel::Offset(a, model.kinds);
    if (row[a] && counts[a] > 1) return false;
    for (int b = a + 1; b < model.kinds; ++b) {
      if (row[b] && counts[b] > 0) return false;
    }
  }
  return true;
}

bool AnyOf(const std::vector<uint8_t>& kinds, const int* counts) {
  for (size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k] && counts[k] > 0) return true;
  }
  return false;
}

}  // namespace

int PackingModel::TotalDemand() const { return std::accumulate(demand.begin(), demand.end(), 0); }

PackingModel BuildPackingModel(const PackingProblem& problem, const SpreadFrame& frame) {
  PackingModel model;
  model.nodes = static_cast<int>(problem.nodes.size());
  for (size_t k = 0; k < problem.kinds.size(); ++k) {
    if (problem.kinds[k].demand <= 0) continue;
    model.problem_kind.push_back(static_cast<int>(k));
    model.demand.push_back(problem.kinds[k].demand);
  }
  model.kinds = static_cast<int>(model.problem_kind.size());
  FillResources(problem, &model);
  model.rules = ReducePackingRules(problem, model.problem_kind);
  SpreadReduction spread = ReduceSpread(problem, model.problem_kind, frame);
  model.spread = std::move(spread.bounds);
  AddSpreadResources(spread.resources, &model);
  FillCaps(problem, spread.blocked, &model);
  MarkKinds(&model);
  model.room = NodeRooms(problem);
  model.order.resize(static_cast<size_t>(model.nodes));
  std::iota(model.order.begin(), model.order.end(), 0);
  std::stable_sort(model.order.begin(), model.order.end(), [&model](int a, int b) {
    return model.room[static_cast<size_t>(a)] < model.room[static_cast<size_t>(b)];
  });
  return model;
}

bool SatisfiesRules(const PackingModel& model, const PackingPlacement& placement) {
  std::vector<std::vector<int>> in_group;  // per level: groups x kinds
  for (const PackingLevel& level : model.rules.levels) {
    std::vector<int>& counts =
        in_group.emplace_back(PackingModel::Offset(level.groups, model.kinds));
    for (int n = 0; n < model.nodes; ++n) {
      const int group = level.group[static_cast<size_t>(n)];
      for (int k = 0; group >= 0 && k < model.kinds; ++k) {
        counts[model.Cell(group, k)] += placement.count[model.Cell(n, k)];
      }
    }
    for (int group = 0; group < level.groups && !level.apart.empty(); ++group) {
      if (!PairsHold(model, level.apart, counts.data() + model.Cell(group, 0))) return false;
    }
  }
  for (const PackingClause& clause : model.rules.clauses) {
    const std::vector<int>& counts = in_group[static_cast<size_t>(clause.level)];
    int without = 0;  // groups whose owners have no supporter
    for (size_t group = 0; group < clause.satisfied.size(); ++group) {
      const int* here = counts.data() + model.Cell(static_cast<int>(group), 0);
      if (clause.satisfied[group] || !AnyOf(clause.owner, here)) continue;
      if (!AnyOf(clause.supporter, here)) ++without;
    }
    if (without > (clause.first_group ? 1 : 0)) return false;
  }
  return KeepsSpread(model, placement);
}

bool KeepsSpread(const PackingModel& model, const PackingPlacement& placement) {
  for (const SpreadBound& bound : model.spread) {
    std::vector<int> capped(static_cast<size_t>(bound.groups), 0);
    std::vector<int> filling(static_cast<size_t>(bound.groups), 0);
    for (int n = 0; n < model.nodes; ++n) {
      const int group = bound.group[static_cast<size_t>(n)];
      for (int k = 0; group >= 0 && k < model.kinds; ++k) {
        const int count = placement.count[model.Cell(n, k)];
        if (bound.capped[static_cast<size_t>(k)]) capped[static_cast<size_t>(group)] += count;
        if (bound.filling[static_cast<size_t>(k)]) filling[static_cast<size_t>(group)] += count;
      }
    }
    for (size_t g = 0; g < capped.size(); ++g) {
      if (capped[g] > bound.most[g] || filling[g] < bound.least[g]) return false;
    }
  }
  return true;
}

}  // namespace gangpack
