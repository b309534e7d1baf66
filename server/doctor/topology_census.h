// Counts what a cluster has for gangs: PodGroups that can and cannot work, and the domains of each
// topology key in use. Pure.
//
// Terms: a key is in use if it is the configured one, or one that a PodGroup names. A domain is the
// nodes with one non-empty value of the key.
// Determinism: findings are in the order of keys; first names are the lowest.
#ifndef GANGPACK_SERVER_DOCTOR_TOPOLOGY_CENSUS_H_
#define GANGPACK_SERVER_DOCTOR_TOPOLOGY_CENSUS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/pod_group.h"
#include "core/policy.h"
#include "core/selector.h"
#include "k8s/api_object.h"
#include "server/doctor/finding.h"

namespace gangpack::server {

class PodGroupCensus {
 public:
  explicit PodGroupCensus(const Policy& policy) : policy_(policy) {}

  void Add(const k8s::ApiRecord& record);
  std::vector<Finding> Findings() const;

  // By topology key: the PodGroups that use it. The configured key is always in it.
  std::map<std::string, std::set<std::string>> Keys() const;
  // The longest scheduleTimeoutSeconds and whose it is; zero and empty where none has one.
  absl::Duration longest_timeout() const { return longest_timeout_; }
  const std::string& longest() const { return longest_; }

 private:
  Policy policy_;
  int64_t groups_ = 0;
  std::map<std::string, std::set<std::string>> keys_;
  std::set<std::string> without_key_;
  std::set<std::string> without_min_member_;
  std::set<std::string> in_placement_group_;
  std::map<std::string, std::string> unreadable_;  // by name, why
  absl::Duration longest_timeout_ = absl::ZeroDuration();
  std::string longest_;
};

class NodeCensus {
 public:
  // `keys`: those in use, with the PodGroups that use them.
  NodeCensus(std::map<std::string, std::set<std::string>> keys, const Policy& policy)
      : keys_(std::move(keys)), policy_(policy) {}

  void Add(const k8s::ApiRecord& record);
  std::vector<Finding> Findings() const;
  int64_t nodes() const { return nodes_; }

 private:
  Finding OfKey(const std::string& key, const std::set<std::string>& groups) const;

  std::map<std::string, std::set<std::string>> keys_;
  Policy policy_;
  int64_t nodes_ = 0;
  std::map<std::string, std::string> unreadable_;
  std::map<std::string, std::map<std::string, int64_t>> domains_;  // by key: value, nodes
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_TOPOLOGY_CENSUS_H_
