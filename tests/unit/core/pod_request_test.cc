#include "core/pod_request.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/exact_amounts.h"
#include "core/resources.h"
#include "tests/unit/core/case_table.h"

namespace gangpack {
namespace {

ContainerResources Container(const ResourceAmounts& requests) {
  ContainerResources container;
  container.requests = Exactly(requests);
  return container;
}

ContainerResources Sidecar(const ResourceAmounts& requests) {
  ContainerResources container = Container(requests);
  container.restartable = true;
  return container;
}

// What is absent and what is 0 mean the same.
ResourceAmounts WithoutZeros(const ResourceAmounts& amounts) {
  ResourceAmounts result;
  for (const auto& [name, amount] : amounts) {
    if (amount != 0) result[name] = amount;
  }
  return result;
}

ResourceAmounts RequestOf(const PodResources& resources) {
  return WithoutZeros(ComputePodRequest(resources));
}

TEST(PodRequestTest, APodWithoutRequestsRequestsNothing) {
  EXPECT_TRUE(RequestOf(PodResources{}).empty());
}

TEST(PodRequestTest, ContainersRunTogetherSoTheirRequestsAddUp) {
  PodResources pod;
  pod.containers = {Container({{"cpu", 500}, {"nvidia.com/gpu", 4}}), Container({{"cpu", 250}})};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 750}, {"nvidia.com/gpu", 4}}));
}

TEST(PodRequestTest, TheSumIsRoundedUpAndNotItsParts) {
  ContainerResources half;
  half.requests = {{"memory", 500}};
  PodResources pod;
  pod.containers = {half, half};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"memory", 1}}));
  pod.overhead = {{"memory", 1}};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"memory", 2}}));
}

TEST(PodRequestTest, AnInitContainerCountsOnlyWhereItNeedsMoreThanTheContainers) {
  PodResources pod;
  pod.containers = {Container({{"cpu", 500}, {"memory", 500}})};
  pod.init_containers = {Container({{"cpu", 500}, {"memory", 501}})};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 500}, {"memory", 501}}));
}

TEST(PodRequestTest, InitContainersRunOneAfterTheOther) {
  PodResources pod;
  pod.init_containers = {Container({{"cpu", 300}}), Container({{"cpu", 200}, {"memory", 1}})};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 300}, {"memory", 1}}));
}

TEST(PodRequestTest, ASidecarRunsBesideTheContainers) {
  PodResources pod;
  pod.init_containers = {Sidecar({{"cpu", 100}})};
  pod.containers = {Container({{"cpu", 500}})};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 600}}));
}

TEST(PodRequestTest, ASidecarCountsForTheInitContainersAfterItAndNotForThoseBefore) {
  PodResources pod;
  pod.containers = {Container({{"cpu", 1}})};
  pod.init_containers = {Container({{"cpu", 500}}), Sidecar({{"cpu", 100}})};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 500}}));
  std::swap(pod.init_containers[0], pod.init_containers[1]);
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 600}}));
}

TEST(PodRequestTest, OverheadIsAddedToThePeakEvenIfThatIsAnInitContainers) {
  PodResources pod;
  pod.init_containers = {Container({{"cpu", 500}})};
  pod.containers = {Container({{"cpu", 100}})};
  pod.overhead = Exactly({{"cpu", 20}, {"memory", 3}});
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 520}, {"memory", 3}}));
}

TEST(PodRequestTest, APodLevelRequestReplacesTheContainersEvenIfItIsLess) {
  PodResources pod;
  pod.containers = {Container({{"cpu", 500}, {"memory", 7}, {"hugepages-2Mi", 8}})};
  pod.pod_level_requests = Exactly({{"cpu", 300}, {"hugepages-2Mi", 4}});
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 300}, {"memory", 7}, {"hugepages-2Mi", 4}}));
}

TEST(PodRequestTest, PodLevelRequestsExistForCpuMemoryAndHugePagesOnly) {
  PodResources pod;
  pod.containers = {Container({{"nvidia.com/gpu", 2}, {"ephemeral-storage", 5}})};
  pod.pod_level_requests = Exactly({{"nvidia.com/gpu", 1}, {"ephemeral-storage", 9}});
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"nvidia.com/gpu", 2}, {"ephemeral-storage", 5}}));
}

TEST(PodRequestTest, OverheadIsAddedToPodLevelRequests) {
  PodResources pod;
  pod.pod_level_requests = Exactly({{"cpu", 300}});
  pod.overhead = Exactly({{"cpu", 20}});
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 320}}));
}

TEST(PodRequestTest, DuringAResizeTheLargestOfAskedAllocatedAndInEffectCounts) {
  ContainerResources container = Container({{"cpu", 3}, {"memory", 1}, {"nvidia.com/gpu", 1}});
  container.status_requests = Exactly({{"cpu", 2}, {"memory", 5}, {"nvidia.com/gpu", 1}});
  container.status_allocated = Exactly({{"cpu", 1}, {"memory", 4}, {"nvidia.com/gpu", 2}});
  PodResources pod;
  pod.containers = {container};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 3}, {"memory", 5}, {"nvidia.com/gpu", 2}}));
}

TEST(PodRequestTest, WhatAnInfeasibleResizeAsksForDoesNotCount) {
  ContainerResources container = Container({{"cpu", 900}});
  container.status_requests = Exactly({{"cpu", 200}});
  container.status_allocated = Exactly({{"cpu", 300}});
  PodResources pod;
  pod.containers = {container};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 900}}));
  pod.resize_infeasible = true;
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 300}}));
}

TEST(PodRequestTest, WithoutResourcesInItsStatusAContainersSpecCountsAlone) {
  ContainerResources container = Container({{"cpu", 100}});
  container.status_allocated = Exactly({{"cpu", 300}});
  PodResources pod;
  pod.containers = {container};
  pod.resize_infeasible = true;
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 100}}));
}

TEST(PodRequestTest, TheStatusCountsForSidecarsAndNotForOtherInitContainers) {
  ContainerResources init = Container({{"cpu", 100}});
  init.status_requests = Exactly({{"cpu", 900}});
  PodResources pod;
  pod.init_containers = {init};
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 100}}));
  pod.init_containers[0].restartable = true;
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 900}}));
}

TEST(PodRequestTest, APodLevelResizeCountsItsLargestPart) {
  PodResources pod;
  pod.pod_level_requests = Exactly({{"cpu", 100}, {"memory", 5}});
  pod.pod_level_status_allocated = Exactly({{"cpu", 300}});
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 100}, {"memory", 5}}));
  pod.pod_level_status_requests = Exactly({{"cpu", 200}});
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 300}, {"memory", 5}}));
  pod.resize_infeasible = true;
  EXPECT_EQ(RequestOf(pod), (ResourceAmounts{{"cpu", 300}}));
}

// REQUESTS^IN STATUS!ALLOCATED, after a star for a sidecar.
ContainerResources ParseContainer(absl::string_view text) {
  ContainerResources container;
  if (!text.empty() && text[0] == '*') {
    container.restartable = true;
    text.remove_prefix(1);
  }
  const std::vector<std::string> by_allocated = absl::StrSplit(text, '!');
  if (by_allocated.size() > 1) container.status_allocated = Exactly(ParseAmounts(by_allocated[1]));
  const std::vector<std::string> by_status = absl::StrSplit(by_allocated[0], '^');
  if (by_status.size() > 1) container.status_requests = Exactly(ParseAmounts(by_status[1]));
  container.requests = Exactly(ParseAmounts(by_status[0]));
  return container;
}

std::optional<ExactAmounts> ParseOptionalAmounts(absl::string_view text) {
  if (text == "-") return std::nullopt;
  return Exactly(ParseAmounts(text));
}

TEST(PodRequestTest, EveryCaseOfTheTableIsAnsweredAsKubernetesAnswersIt) {
  for (const TableCase& c : ReadCases("pod_requests.txt", 8)) {
    PodResources pod;
    for (const std::string& text : ParseList(c.fields[0], ';')) {
      pod.init_containers.push_back(ParseContainer(text));
    }
    // A pod has at least one container, so the empty text is one without requests.
    for (absl::string_view text : absl::StrSplit(c.fields[1], ';')) {
      pod.containers.push_back(ParseContainer(text));
    }
    pod.overhead = Exactly(ParseAmounts(c.fields[2]));
    pod.pod_level_requests = ParseOptionalAmounts(c.fields[3]);
    pod.pod_level_status_requests = ParseOptionalAmounts(c.fields[4]);
    pod.pod_level_status_allocated = ParseOptionalAmounts(c.fields[5]);
    pod.resize_infeasible = c.fields[6] == "1";
    EXPECT_EQ(RequestOf(pod), ParseAmounts(c.fields[7])) << c.line;
  }
}

}  // namespace
}  // namespace gangpack
