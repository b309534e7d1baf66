#include "server/manifest/manifest_reader.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

class ManifestReaderTest : public testing::Test {
 protected:
  ManifestReaderTest() : folder_(testing::TempDir() + "/manifest_reader") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/dir");
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  Manifests Read(std::vector<std::string> names, const std::string& input = "") {
    for (std::string& name : names) {
      if (name != "-") name = folder_ + "/" + name;
    }
    std::istringstream in(input);
    return ReadManifests(names, in);
  }
  static std::string NodeYaml(const std::string& name) {
    return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\n";
  }
  static std::vector<std::string> Names(const Manifests& manifests) {
    std::vector<std::string> names;
    for (const ManifestEntry& entry : manifests.entries) {
      const auto* node = std::get_if<k8s::DecodedNode>(&entry.decoded.object);
      names.push_back(node == nullptr ? "other" : node->node.name);
    }
    return names;
  }
  const std::string folder_;
};

TEST_F(ManifestReaderTest, ReadsFilesInTheOrderGivenAndDocumentsInTheirs) {
  Write("one.yaml", NodeYaml("c") + NodeYaml("b"));
  Write("two.yaml", NodeYaml("a"));
  EXPECT_EQ(Names(Read({"two.yaml", "one.yaml"})), (std::vector<std::string>{"a", "c", "b"}));
}

TEST_F(ManifestReaderTest, AFolderStandsForItsManifestsInNameOrder) {
  Write("dir/2.yml", NodeYaml("second"));
  Write("dir/1.yaml", NodeYaml("first"));
  Write("dir/3.json", R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"third"}})");
  Write("dir/README.md", "not a manifest: [");
  EXPECT_EQ(Names(Read({"dir"})), (std::vector<std::string>{"first", "second", "third"}));
}

TEST_F(ManifestReaderTest, DashIsStandardInput) {
  Write("one.yaml", NodeYaml("file"));
  EXPECT_EQ(Names(Read({"-", "one.yaml"}, NodeYaml("stdin"))),
            (std::vector<std::string>{"stdin", "file"}));
}

// The memory of a process is a file whose first page cannot be read.
TEST_F(ManifestReaderTest, AFileThatFailsWhileItIsReadIsAFault) {
  std::istringstream in;
  const Manifests manifests = ReadManifests(std::vector<std::string>{"/proc/self/mem"}, in);
  ASSERT_EQ(manifests.faults.size(), 1u);
  EXPECT_EQ(manifests.faults[0],
            "/proc/self/mem:1: cannot be read to its end, expected a readable file");
}

TEST_F(ManifestReaderTest, StandardInputThatFailsWhileItIsReadIsAFault) {
  std::ifstream in("/proc/self/mem", std::ios::binary);
  const Manifests manifests = ReadManifests(std::vector<std::string>{"-"}, in);
  ASSERT_EQ(manifests.faults.size(), 1u);
  EXPECT_EQ(manifests.faults[0], "-:1: cannot be read to its end, expected manifests");
}

TEST_F(ManifestReaderTest, ListsStandForTheirItems) {
  EXPECT_EQ(Names(Read({"-"},
                       "apiVersion: v1\nkind: List\nitems:\n"
                       "- {apiVersion: v1, kind: Node, metadata: {name: a}}\n"
                       "- {apiVersion: v1, kind: Service, metadata: {name: s}}\n")),
            (std::vector<std::string>{"a", "other"}));
}

TEST_F(ManifestReaderTest, ReportsEveryFaultAndKeepsTheRest) {
  Write("bad.yaml", "a: [");
  const Manifests manifests =
      Read({"bad.yaml", "missing.yaml", "-"},
           NodeYaml("a") + NodeYaml("B") + "spec: {unschedulable: maybe}\n");
  ASSERT_EQ(manifests.faults.size(), 4u);
  EXPECT_EQ(manifests.faults[0].rfind(folder_ + "/bad.yaml:", 0), 0u) << manifests.faults[0];
  EXPECT_EQ(manifests.faults[1].rfind(folder_ + "/missing.yaml:1: ", 0), 0u);
  EXPECT_EQ(manifests.faults[2].rfind("-:8: metadata.name: ", 0), 0u) << manifests.faults[2];
  EXPECT_EQ(manifests.faults[3].rfind("-:9: spec.unschedulable: ", 0), 0u);
  EXPECT_EQ(Names(manifests), (std::vector<std::string>{"a"}));
}

TEST_F(ManifestReaderTest, AFolderWithoutManifestsIsAFault) {
  Write("dir/README.md", "no manifest");
  const std::vector<std::string> faults = Read({"dir"}).faults;
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].rfind(folder_ + "/dir:1: has no manifests", 0), 0u) << faults[0];
}

TEST_F(ManifestReaderTest, LocatesAFieldOrItsNearestParent) {
  const Manifests manifests = Read({"-"},
                                   "apiVersion: v1\nkind: List\nitems:\n"
                                   "- apiVersion: v1\n"
                                   "  kind: Pod\n"
                                   "  metadata: {name: p}\n"
                                   "  spec:\n"
                                   "    priority: 1\n");
  ASSERT_EQ(manifests.entries.size(), 1u);
  EXPECT_EQ(Locate(manifests, manifests.entries[0], {"spec.priority", "wrong"}).ToString(),
            "-:8: spec.priority: wrong");
  EXPECT_EQ(Locate(manifests, manifests.entries[0], {"spec.affinity", "wrong"}).line, 7);
  EXPECT_EQ(Locate(manifests, manifests.entries[0], {"status.phase", "wrong"}).line, 4);
}

}  // namespace
}  // namespace gangpack::server
