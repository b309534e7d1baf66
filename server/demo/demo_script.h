// What `gangpack demo` plays where no cluster is given: the examples, one chapter each.
//
// Terms: a chapter has a cluster and a server of its own; an act is one thing that is shown in it.
// Not here: the clusters and what happens in them (the manifests and Steps of examples/), how an
// act is played (demo_stage.h).
#ifndef GANGPACK_SERVER_DEMO_DEMO_SCRIPT_H_
#define GANGPACK_SERVER_DEMO_DEMO_SCRIPT_H_

#include <string>
#include <vector>

namespace gangpack::server {

struct DemoAct {
  std::string title;               // what there is to see
  std::vector<std::string> paths;  // FILE, DIR or -: manifests and Steps, in order
};

struct DemoChapter {
  std::string name;
  std::string title;
  std::vector<DemoAct> acts;
};

// `examples` is the folder that holds them.
std::vector<DemoChapter> DemoScript(const std::string& examples);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_DEMO_SCRIPT_H_
