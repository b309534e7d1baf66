// What `gangpack demo` plays where no cluster is given: a small cluster, and acts that show one
// rule each.
//
// Not here: how an act is played (demo_command.h).
#ifndef GANGPACK_SERVER_DEMO_DEMO_STORY_H_
#define GANGPACK_SERVER_DEMO_DEMO_STORY_H_

#include <string>
#include <vector>

#include "core/ids.h"
#include "core/views.h"

namespace gangpack::server {

// How a pod must be for an act to be over.
struct DemoExpectation {
  NamespacedName pod;
  PodState state = PodState::kBound;
  std::string message;      // its message has this in it
  std::string node_prefix;  // its node's name begins like this
};

// Happens in the order of the fields.
struct DemoAct {
  std::string title;
  std::vector<NamespacedName> pause = {};   // kube-scheduler does not try these pods ...
  std::vector<NamespacedName> resume = {};  // ... until they are resumed
  std::vector<NamespacedName> delete_pods = {};
  std::vector<NamespacedName> delete_groups = {};
  std::string manifests = "";  // YAML
  std::vector<DemoExpectation> expected = {};
};

// The topology key of the story's nodes.
inline constexpr char kDemoTopologyKey[] = "nvidia.com/gpu.clique";

std::vector<DemoAct> DemoStory();

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_DEMO_STORY_H_
