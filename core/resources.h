// Amounts of resources: by name at the edges, as dense vectors inside the engine.
//
// Units: cpu in milli-cores, everything else in whole units (bytes, devices, pods), after
// Kubernetes' own rounding up. Cost: every vector operation is linear in the number of resource
// names ever seen (a handful). Not here: how a pod's request follows from its containers
// (pod_request.h), parsing of quantities (k8s/quantity.h).
#ifndef GANGPACK_CORE_RESOURCES_H_
#define GANGPACK_CORE_RESOURCES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"

namespace gangpack {

inline constexpr absl::string_view kResourceCpu = "cpu";
inline constexpr absl::string_view kResourceMemory = "memory";
inline constexpr absl::string_view kResourceEphemeralStorage = "ephemeral-storage";
inline constexpr absl::string_view kResourcePods = "pods";
inline constexpr absl::string_view kHugePagesPrefix = "hugepages-";  // then the size of a page

// Amounts by resource name. Never negative. A name that is absent means 0.
using ResourceAmounts = absl::btree_map<std::string, int64_t>;

// a + b, saturated at INT64_MAX (both are >= 0).
int64_t SaturatingAdd(int64_t a, int64_t b);

// Adds `add` to `*sum`, name by name, saturated.
void AddAmounts(const ResourceAmounts& add, ResourceAmounts* sum);

// Raises `*sum` to `other` where that is larger, name by name.
void MaxAmounts(const ResourceAmounts& other, ResourceAmounts* sum);

// Index of a resource name in a ResourceTable.
using ResourceId = int;
inline constexpr ResourceId kCpuId = 0;
inline constexpr ResourceId kMemoryId = 1;
inline constexpr ResourceId kEphemeralStorageId = 2;
inline constexpr ResourceId kPodsId = 3;

// Amounts indexed by ResourceId; ids beyond the size mean 0.
using ResourceVector = absl::InlinedVector<int64_t, 8>;

// Gives every resource name a small dense id. Ids are never reused. cpu, memory, ephemeral-storage
// and pods are 0 to 3.
class ResourceTable {
 public:
  ResourceTable();

  ResourceId Intern(absl::string_view name);
  const std::string& Name(ResourceId id) const { return names_[static_cast<size_t>(id)]; }
  size_t size() const { return names_.size(); }

  ResourceVector ToVector(const ResourceAmounts& amounts);

 private:
  std::vector<std::string> names_;
  absl::flat_hash_map<std::string, ResourceId> ids_;
};

// The amount of one resource; 0 beyond the size.
int64_t AmountOf(const ResourceVector& v, ResourceId id);

// *sum += add (saturated), and *sum -= subtract (may go below zero only if the caller subtracts
// what it never added).
void AddVector(const ResourceVector& add, ResourceVector* sum);
void SubtractVector(const ResourceVector& subtract, ResourceVector* sum);
void MaxVector(const ResourceVector& other, ResourceVector* sum);

// max(0, allocatable - used) per resource: one over-used resource never makes another less than it
// is.
ResourceVector FreeOf(const ResourceVector& allocatable, const ResourceVector& used);

// True if each requested amount > 0 is at most what is free. A request of 0 always fits.
bool Fits(const ResourceVector& request, const ResourceVector& free);

// How many times `request` fits into `free`; INT64_MAX if it requests nothing at all.
int64_t TimesFits(const ResourceVector& request, const ResourceVector& free);

}  // namespace gangpack

#endif  // GANGPACK_CORE_RESOURCES_H_
