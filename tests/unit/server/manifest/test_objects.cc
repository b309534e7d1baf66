#include "tests/unit/server/manifest/test_objects.h"

#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "server/manifest/manifest_reader.h"

namespace gangpack::server {

std::vector<ManifestObject> ParseObjects(const std::string& yaml) {
  std::istringstream in(yaml);
  const Manifests manifests = ReadManifests({"-"}, in);
  EXPECT_EQ(manifests.faults, std::vector<std::string>());
  std::vector<ManifestObject> objects;
  for (const ManifestEntry& entry : manifests.entries) objects.push_back(*entry.object());
  return objects;
}

ManifestObject ParseObject(const std::string& yaml) { return ParseObjects(yaml).at(0); }

ManifestObject NodeNamed(const std::string& name, const std::string& cpu,
                         const std::string& fields) {
  return ParseObject(absl::StrCat("apiVersion: v1\nkind: Node\nmetadata: {name: ", name,
                                  "}\nstatus: {capacity: {cpu: ", cpu, "}}\n", fields, "\n"));
}

ManifestObject PodNamed(const std::string& name, const std::string& cpu, const std::string& spec,
                        const std::string& fields) {
  return ParseObject(absl::StrCat("apiVersion: v1\nkind: Pod\nmetadata: {name: ", name,
                                  ", namespace: ns}\nspec: {", spec, spec.empty() ? "" : ", ",
                                  "containers: [{name: c, resources: {requests: {cpu: '", cpu,
                                  "'}}}]}\n", fields, "\n"));
}

}  // namespace gangpack::server
