// Which objects of one kind have been handed on, and in which version: what tells a change from a
// repetition, and what has vanished.
//
// Terms: a sweep is one full list. What it does not show has vanished.
// Invariants: one entry per namespace and name. An object that could not be decoded is remembered
// as seen, beside the older state that was handed on, if there was one.
// Determinism: what vanished comes in the order of namespace and name. Cost: logarithmic per
// object. Memory: some 150 bytes per object; the objects themselves are not kept. Not thread-safe.

#ifndef GANGPACK_K8S_KNOWN_OBJECTS_H_
#define GANGPACK_K8S_KNOWN_OBJECTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/btree_map.h"
#include "k8s/api_object.h"

namespace gangpack::k8s {

struct ObjectUpserted {
  ApiObject object;
};
struct ObjectGone {
  ObjectIdentity identity;
};
using ObjectChange = std::variant<ObjectUpserted, ObjectGone>;

// What Observe and Remove find out, in order.
struct Observation {
  std::vector<ObjectChange>* changes;
  std::vector<std::string>* reports;  // One line each.
};

class KnownObjects {
 public:
  // The object exists as `record` says. One of another UID under its name is gone. Without a usable
  // object, the state that was handed on before stays.
  void Observe(ApiRecord record, Observation* observation);

  // No object of that name exists any more.
  void Remove(const ObjectIdentity& identity, std::vector<ObjectChange>* changes);

  void BeginSweep() { ++sweep_; }
  // Removes whatever was not observed since BeginSweep.
  void EndSweep(std::vector<ObjectChange>* changes);
  // Removes everything.
  void Clear(std::vector<ObjectChange>* changes);

  // Objects that exist, including those that could not be decoded.
  size_t size() const { return entries_.size(); }

 private:
  using Key = std::pair<std::string, std::string>;  // Namespace and name.
  struct Entry {
    std::string uid;
    std::string resource_version;
    uint64_t sweep = 0;
    bool handed_on = false;
  };

  absl::btree_map<Key, Entry> entries_;
  uint64_t sweep_ = 0;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_KNOWN_OBJECTS_H_
