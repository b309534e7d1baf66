// Whether members fit a domain at once, computed afresh from objects by trying everything.
//
// It shares no code with gang_shape, domain_ranking and packing. Only for a few members and nodes.
#ifndef GANGPACK_TESTS_SIMULATION_REFERENCE_FIT_H_
#define GANGPACK_TESTS_SIMULATION_REFERENCE_FIT_H_

#include <string>
#include <vector>

#include "core/packing.h"
#include "core/resources.h"
#include "tests/simulation/simulated_cluster.h"

namespace gangpack {

class ReferenceFit {
 public:
  // `objects` must outlive this.
  ReferenceFit(const ObjectSet& objects, const std::string& key, const std::string& domain);

  void AddMember(const Pod& pod) { members_.push_back(&pod); }
  // Cannot be placed; members that need it cannot be either.
  void AddPending(const Pod& pod) { pending_.push_back(&pod); }
  void AddPlaced(const Pod& pod) { placed_.push_back(&pod); }
  // Has a node, anywhere, and is not of the gang; finished pods are not to be added.
  void AddOutsider(const Pod& pod) { outsiders_.push_back(&pod); }

  // The most members that fit at once.
  int MostPlaced();

 private:
  // Members whose required affinity only pending siblings satisfy become pending.
  void DropWhoNeedPending();
  PackingNode MakeNode(const Node& node, const std::vector<const Pod*>& pods);
  void AddRules(const std::vector<const Pod*>& pods, PackingProblem* problem);
  void AddOutsiders(size_t owner, const PodAffinityTerm& term, PackingRule* rule) const;
  void AddSpread(const std::vector<const Pod*>& pods, PackingProblem* problem);
  bool Repelled(const Pod& pod, const std::string& node) const;
  bool SelectedByAll(const Pod& owner, const Pod& other) const;
  int LevelFor(const std::string& topology_key, PackingProblem* problem);

  const ObjectSet& objects_;
  std::vector<const Node*> nodes_;
  std::vector<const Pod*> members_;
  std::vector<const Pod*> placed_;
  std::vector<const Pod*> pending_;
  std::vector<const Pod*> outsiders_;
  std::vector<std::string> level_keys_;
  ResourceTable table_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SIMULATION_REFERENCE_FIT_H_
