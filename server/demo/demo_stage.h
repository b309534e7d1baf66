// A real server, kube-scheduler and a narrator on one cluster, for acts to be played on.
//
// Ownership: `out` must outlive it. Thread-safety: none; it has threads of its own.
// Not here: what is played (demo_story.h).
#ifndef GANGPACK_SERVER_DEMO_DEMO_STAGE_H_
#define GANGPACK_SERVER_DEMO_DEMO_STAGE_H_

#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "core/policy.h"
#include "core/views.h"
#include "k8s/clock.h"
#include "server/app.h"
#include "server/demo/demo_scheduler.h"
#include "server/demo/demo_story.h"
#include "server/demo/json_table.h"
#include "server/demo/narrator.h"
#include "server/embedded_cluster.h"

namespace gangpack::server {

class DemoStage {
 public:
  // `policy` must have passed Validate().
  DemoStage(const Policy& policy, std::ostream* out);

  EmbeddedCluster& cluster() { return cluster_; }

  // Starts the server; from then on what happens is told. Before it, the cluster may be filled in
  // silence. Errors: those of App::Start.
  absl::Status Serve();

  // After Serve. True if it came to what the act expects, in time.
  bool Play(const DemoAct& act);

  // After Serve. True if every pod of ours was bound; false once nothing happens any more.
  bool PlaceEverything();

  // After Serve. Pods and gangs as the server gives them over HTTP.
  absl::Status PrintTables();

 private:
  std::string MissingOf(const DemoAct& act);
  bool IsBound(const PodView& pod);
  absl::Status PrintTable(const std::string& path, const JsonTableSpec& spec);

  k8s::SystemClock clock_;
  const Policy policy_;
  std::ostream& out_;
  Narrator narrator_;
  std::unique_ptr<EmbeddedCluster> unserved_;  // until the app owns it
  EmbeddedCluster& cluster_;
  DemoScheduler scheduler_;
  std::unique_ptr<App> app_;  // ends first: it answers the binds that the scheduler has open
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_DEMO_STAGE_H_
