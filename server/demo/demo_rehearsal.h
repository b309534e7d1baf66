// Reads what a chapter plays and simulates it, so that it is known what a real server must come to.
//
// Terms: a moment is what happens at once: objects that are applied, or one Step.
// Invariant: the moments of a chapter in order are its input as `gangpack simulate` reads it.
// Errors: faults in the format of `gangpack simulate`; where there is one, the chapter is not to be
// played. A Step that lets time pass or restarts the extender is one: real time does not jump.
// Determinism: that of the simulation. Not here: playing it (demo_stage.h).
#ifndef GANGPACK_SERVER_DEMO_DEMO_REHEARSAL_H_
#define GANGPACK_SERVER_DEMO_DEMO_REHEARSAL_H_

#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "core/policy.h"
#include "server/demo/demo_script.h"
#include "server/manifest/manifest_object.h"
#include "server/simulate/simulation_result.h"
#include "server/simulate/step.h"

namespace gangpack::server {

struct DemoMoment {
  std::vector<ManifestObject> objects;
  std::optional<Step> step;   // then there are no objects
  SimulationResult expected;  // once the simulated cluster has settled; without the trace
};

struct RehearsedAct {
  std::string title;
  std::vector<DemoMoment> moments;
};

struct DemoRehearsal {
  std::vector<RehearsedAct> acts;
  std::vector<std::string> faults;  // FILE:LINE: FIELD.PATH: what is wrong, what was expected
  std::vector<std::string> notes;   // what was read but is not used, one line each
};

// `policy` must have passed Validate(); `in` is what the path `-` stands for.
DemoRehearsal Rehearse(const DemoChapter& chapter, const Policy& policy, std::istream& in);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DEMO_DEMO_REHEARSAL_H_
