// A real server, kube-scheduler and a narrator on one cluster, for acts to be played on.
//
// Ownership: `out` must outlive it. Thread-safety: none; it has threads of its own.
// Not here: what is played, and what must come of it (demo_rehearsal.h).
#ifndef GANGPACK_SERVER_DEMO_DEMO_STAGE_H_
#define GANGPACK_SERVER_DEMO_DEMO_STAGE_H_

#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/policy.h"
#include "core/views.h"
#include "k8s/clock.h"
#include "server/app.h"
#include "server/demo/agreement.h"
#include "server/demo/demo_rehearsal.h"
#include "server/demo/demo_scheduler.h"
#include "server/demo/narrator.h"
#include "server/embedded_cluster.h"

namespace gangpack::server {

class DemoStage {
 public:
  // `policy` must have passed Validate().
  DemoStage(const Policy& policy, std::ostream* out);

  // Starts the server; from then on what happens is told. Errors: those of App::Start.
  absl::Status Serve();

  // After Serve, with every act of the rehearsal in turn. True if it came to what the rehearsal
  // came to; false, having told what differs, once nothing happens any more.
  bool Play(const RehearsedAct& act);

  // After Serve. Pods and gangs as the server gives them over HTTP.
  absl::Status PrintTables();

  ServerViews Views();

 private:
  bool Play(const DemoMoment& moment, std::string* difference);
  void Happen(const Step& step, ManifestCluster& paper);
  std::string DifferenceFrom(const SimulationResult& expected);
  bool IsBound(const PodView& pod);
  absl::Status PrintTable(const std::string& path,
                          absl::StatusOr<std::string> (*table)(const std::string&));

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
