// Objects for tests of the cluster on paper, read from YAML as a user writes it.
#ifndef GANGPACK_TESTS_UNIT_SERVER_MANIFEST_TEST_OBJECTS_H_
#define GANGPACK_TESTS_UNIT_SERVER_MANIFEST_TEST_OBJECTS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "k8s/clock.h"
#include "server/manifest/manifest_object.h"

namespace gangpack::server {

class TestClock final : public k8s::Clock {
 public:
  absl::Time Now() override { return now; }
  void Advance(absl::Duration duration) { now += duration; }
  absl::Time now = absl::FromUnixSeconds(1'000'000'000);
};

// The objects of a YAML text; the test fails if it has faults.
std::vector<ManifestObject> ParseObjects(const std::string& yaml);
ManifestObject ParseObject(const std::string& yaml);

// `fields` are further ones in flow style, such as `spec: {unschedulable: true}`.
ManifestObject NodeNamed(const std::string& name, const std::string& cpu = "4",
                         const std::string& fields = "");
// A pod of namespace `ns` that requests `cpu`; `spec` are further lines of its spec in flow style.
ManifestObject PodNamed(const std::string& name, const std::string& cpu = "1",
                        const std::string& spec = "", const std::string& fields = "");

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_MANIFEST_TEST_OBJECTS_H_
