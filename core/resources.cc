#include "core/resources.h"

#include <algorithm>
#include <limits>

namespace gangpack {

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

void AddAmounts(const ResourceAmounts& add, ResourceAmounts* sum) {
  for (const auto& [name, amount] : add) {
    int64_t& total = (*sum)[name];
    total = SaturatingAdd(total, amount);
  }
}

void MaxAmounts(const ResourceAmounts& other, ResourceAmounts* sum) {
  for (const auto& [name, amount] : other) {
    int64_t& total = (*sum)[name];
    total = std::max(total, amount);
  }
}

ResourceTable::ResourceTable() {
  for (absl::string_view name :
       {kResourceCpu, kResourceMemory, kResourceEphemeralStorage, kResourcePods}) {
    Intern(name);
  }
}

ResourceId ResourceTable::Intern(absl::string_view name) {
  auto it = ids_.find(name);
  if (it != ids_.end()) return it->second;
  const ResourceId id = static_cast<ResourceId>(names_.size());
  names_.emplace_back(name);
  ids_.emplace(names_.back(), id);
  return id;
}

ResourceVector ResourceTable::ToVector(const ResourceAmounts& amounts) {
  ResourceVector v;
  for (const auto& [name, amount] : amounts) {
    const size_t id = static_cast<size_t>(Intern(name));
    if (v.size() <= id) v.resize(id + 1, 0);
    v[id] = amount;
  }
  return v;
}

int64_t AmountOf(const ResourceVector& v, ResourceId id) {
  return static_cast<size_t>(id) < v.size() ? v[static_cast<size_t>(id)] : 0;
}

void AddVector(const ResourceVector& add, ResourceVector* sum) {
  if (sum->size() < add.size()) sum->resize(add.size(), 0);
  for (size_t i = 0; i < add.size(); ++i) (*sum)[i] = SaturatingAdd((*sum)[i], add[i]);
}

void SubtractVector(const ResourceVector& subtract, ResourceVector* sum) {
  if (sum->size() < subtract.size()) sum->resize(subtract.size(), 0);
  for (size_t i = 0; i < subtract.size(); ++i) (*sum)[i] -= subtract[i];
}

void MaxVector(const ResourceVector& other, ResourceVector* sum) {
  if (sum->size() < other.size()) sum->resize(other.size(), 0);
  for (size_t i = 0; i < other.size(); ++i) (*sum)[i] = std::max((*sum)[i], other[i]);
}

ResourceVector FreeOf(const ResourceVector& allocatable, const ResourceVector& used) {
  ResourceVector free = allocatable;
  for (size_t i = 0; i < free.size() && i < used.size(); ++i) {
    free[i] = std::max<int64_t>(0, free[i] - used[i]);
  }
  return free;
}

bool Fits(const ResourceVector& request, const ResourceVector& free) {
  for (size_t i = 0; i < request.size(); ++i) {
    if (request[i] > 0 && request[i] > AmountOf(free, static_cast<ResourceId>(i))) return false;
  }
  return true;
}

int64_t TimesFits(const ResourceVector& request, const ResourceVector& free) {
  int64_t times = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < request.size(); ++i) {
    if (request[i] <= 0) continue;
    times = std::min(times, AmountOf(free, static_cast<ResourceId>(i)) / request[i]);
  }
  return times;
}

}  // namespace gangpack
