// The objects of a simulated API server, and watches that tell the engine of their changes late.
//
// Terms: truth is what the API server has, seen is what the engine was told. Each kind of object
// has its own watch, which keeps the order of its changes; watches run independently. Not here: who
// changes objects (random_world.h), who schedules pods (simulated_scheduler.h).
#ifndef GANGPACK_TESTS_SIMULATION_SIMULATED_CLUSTER_H_
#define GANGPACK_TESTS_SIMULATION_SIMULATED_CLUSTER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/facts.h"

namespace gangpack {

struct ObjectSet {
  std::map<std::string, Node> nodes;
  std::map<std::string, Pod> pods;  // by UID
  std::map<NamespacedName, PodGroup> groups;
};

bool IsFinished(const Pod& pod);
// Not being deleted and not finished.
bool IsLive(const Pod& pod);
// The PodGroup that the pod's label names; an empty name if it has none.
NamespacedName GangOf(const Pod& pod);
std::string TopologyKeyOf(const PodGroup& group);
// The value of the label; empty if the node does not exist or has none.
std::string LabelOf(const ObjectSet& objects, const std::string& node, const std::string& label);

// True if `pod` may run on `node` beside `others`, by the rules that look at the node alone.
bool NodeTakes(const Node& node, const std::vector<const Pod*>& others, const Pod& pod);

class SimulatedCluster {
 public:
  static constexpr int kWatches = 3;

  void Set(const Node& node);
  void Set(const Pod& pod);
  void Set(const PodGroup& group);
  void DeleteNode(const std::string& name);
  void DeletePod(const std::string& uid);
  void DeleteGroup(const NamespacedName& name);

  const ObjectSet& truth() const { return truth_; }
  const ObjectSet& seen() const { return seen_; }

  bool HasNews(int watch) const { return !watches_[watch].empty(); }
  bool HasNews() const { return HasNews(0) || HasNews(1) || HasNews(2); }
  // The next change of one watch; it counts as seen.
  Fact NextNews(int watch);
  // Everything there is, in an order of its own; the watches then have no news.
  std::vector<Fact> ListAll();

  // Pods that changed since the last call, for kube-scheduler, whose own caches are quick.
  std::vector<std::string> TakeChangedPods();
  // True if something happened since the last call after which a pod that kube-scheduler's own
  // filters refused may pass.
  bool TakeHint();

 private:
  void See(const Fact& fact);

  ObjectSet truth_;
  ObjectSet seen_;
  std::deque<Fact> watches_[kWatches];
  std::vector<std::string> changed_pods_;
  bool hint_ = false;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SIMULATION_SIMULATED_CLUSTER_H_
