#include "server/embedded_cluster.h"

#include <sstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/cluster_input.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;

std::string PodYaml(const std::string& name) {
  return absl::StrCat("---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: ", name,
                      ", uid: u-", name, "}\nspec: {containers: [{name: c}]}\n");
}

void Load(EmbeddedCluster& cluster, const std::string& yaml) {
  std::istringstream in(yaml);
  cluster.Change([&](ManifestCluster& paper) {
    EXPECT_THAT(LoadCluster({"-"}, in, paper).faults, ElementsAre());
  });
}

std::vector<std::string> NamesOf(const std::vector<Fact>& facts) {
  std::vector<std::string> names;
  for (const Fact& fact : facts) {
    if (const auto* pod = std::get_if<PodChanged>(&fact)) names.push_back(pod->pod.name.name);
  }
  return names;
}

std::string NameOf(const ClusterEvent& event) {
  return std::get<Change<PodObject>>(event).after->pod.name.name;
}

TEST(EmbeddedClusterTest, WhatWasThereIsListedAndWhatComesIsWatched) {
  ManualClock clock;
  EmbeddedCluster cluster("ome-scheduler", &clock);
  Load(cluster, PodYaml("old"));
  std::vector<std::string> listed;
  std::vector<std::string> watched;
  cluster.ListAndWatch([&](const std::vector<Fact>& facts) { listed = NamesOf(facts); },
                       [&](const std::vector<ClusterEvent>& events) {
                         for (const ClusterEvent& event : events) watched.push_back(NameOf(event));
                       });
  EXPECT_THAT(listed, ElementsAre("old"));
  EXPECT_THAT(watched, ElementsAre());
  Load(cluster, PodYaml("new"));
  EXPECT_THAT(watched, ElementsAre("new"));
}

// Counts what the engine is told before and after it is told that this was all.
struct CountingSink : FactSink {
  void Apply(const std::vector<Fact>& facts) override {
    for (const Fact& fact : facts) {
      const bool end = std::holds_alternative<Synchronised>(fact);
      ends += end ? 1 : 0;
      before += !end && ends == 0 ? 1 : 0;
      after += !end && ends > 0 ? 1 : 0;
    }
  }
  int before = 0;
  int after = 0;
  int ends = 0;
};

TEST(EmbeddedClusterTest, HoweverMuchThereIsTheEngineIsToldOnceThatItWasAll) {
  for (const int pods : {0, 1, 1000, 1001, 2000}) {
    ManualClock clock;
    EmbeddedCluster cluster("ome-scheduler", &clock);
    std::string yaml;
    for (int i = 0; i < pods; ++i) absl::StrAppend(&yaml, PodYaml(absl::StrCat("p", i)), "---\n");
    if (pods > 0) Load(cluster, yaml);
    CountingSink sink;
    cluster.Start(&sink);
    EXPECT_EQ(sink.before, pods);
    EXPECT_EQ(sink.after, 0);
    EXPECT_EQ(sink.ends, 1);
    Load(cluster, PodYaml("new"));
    EXPECT_EQ(sink.after, 1);
  }
}

TEST(EmbeddedClusterTest, EveryWriteIsToldToEveryWatch) {
  ManualClock clock;
  EmbeddedCluster cluster("ome-scheduler", &clock);
  Load(cluster, PodYaml("p"));
  int first = 0;
  int second = 0;
  for (int* count : {&first, &second}) {
    cluster.ListAndWatch([](const std::vector<Fact>&) {},
                         [count](const std::vector<ClusterEvent>& events) {
                           *count += static_cast<int>(events.size());
                         });
  }
  EXPECT_TRUE(cluster.Wake({{"u-p"}, {"ns", "p"}}).ok());
  EXPECT_EQ(first, 1);
  EXPECT_TRUE(cluster.Clear({{"u-p"}, {"ns", "p"}}).ok());
  EXPECT_EQ(first, 2);
  EXPECT_TRUE(cluster.Bind({{"u-p"}, {"ns", "p"}, "n1"}).ok());
  EXPECT_EQ(first, 3);
  EXPECT_FALSE(cluster.Bind({{"u-p"}, {"ns", "p"}, "n2"}).ok());
  EXPECT_EQ(first, 3);
  EXPECT_EQ(second, 3);
}

TEST(EmbeddedClusterTest, ChangesOfManyThreadsComeInTheOrderOfTheirVersions) {
  ManualClock clock;
  EmbeddedCluster cluster("ome-scheduler", &clock);
  Load(cluster, PodYaml("p"));
  std::vector<int64_t> versions;
  cluster.ListAndWatch(
      [](const std::vector<Fact>&) {},
      [&](const std::vector<ClusterEvent>& events) {
        for (const ClusterEvent& event : events) {
          versions.push_back(std::get<Change<PodObject>>(event).after->resource_version);
        }
      });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&cluster] {
      for (int k = 0; k < 50; ++k) cluster.Wake({{"u-p"}, {"ns", "p"}}).IgnoreError();
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(versions.size(), 200u);
  for (size_t i = 1; i < versions.size(); ++i) EXPECT_EQ(versions[i], versions[i - 1] + 1);
}

}  // namespace
}  // namespace gangpack::server
