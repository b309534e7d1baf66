#include "k8s/container_codec.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Pair;

struct Decoded {
  DecodedContainers containers;
  std::vector<std::string> faults;
};

// `pod` has the members spec and status.
Decoded Decode(const std::string& pod) {
  const Decoding decoding(pod);
  const Field spec = decoding.root().Object("spec");
  const Field status = decoding.root().Object("status");
  DecodedContainers containers = DecodeContainers(spec, status);
  return {std::move(containers), decoding.Faults()};
}

TEST(ContainerCodecTest, ANameOfTwoContainersIsAFaultAlsoAcrossInitContainers) {
  EXPECT_THAT(Decode(R"(
spec:
  initContainers: [{name: a}]
  containers:
  - {name: b}
  - {name: a}
  - {name: b}
)")
                  .faults,
              ElementsAre("f.yaml:6: spec.containers[1].name: `a` is the name of two containers, "
                          "expected another name for each in a pod",
                          "f.yaml:7: spec.containers[2].name: `b` is the name of two containers, "
                          "expected another name for each in a pod"));
  EXPECT_THAT(Decode("spec: {containers: [{name: a}, {name: b}, {}, {}]}").faults, IsEmpty());
}

TEST(ContainerCodecTest, InitContainersComeFirstAndSidecarsAreKnown) {
  const Decoded decoded = Decode(R"(
spec:
  containers:
  - {name: main, restartPolicy: Always}
  initContainers:
  - {name: setup}
  - {name: proxy, restartPolicy: Always}
)");
  ASSERT_EQ(decoded.containers.containers.size(), 3u);
  const auto& containers = decoded.containers.containers;
  EXPECT_EQ(containers[0].name, "setup");
  EXPECT_TRUE(containers[0].init);
  EXPECT_FALSE(containers[0].resources.restartable);
  EXPECT_EQ(containers[1].name, "proxy");
  EXPECT_TRUE(containers[1].resources.restartable);
  EXPECT_EQ(containers[2].name, "main");
  EXPECT_FALSE(containers[2].init);
  EXPECT_FALSE(containers[2].resources.restartable);
  EXPECT_THAT(decoded.faults, IsEmpty());
}

TEST(ContainerCodecTest, AMissingRequestIsTheLimit) {
  const Decoded decoded = Decode(R"(
spec:
  containers:
  - resources: {requests: {cpu: 1, memory: 0}, limits: {cpu: 2, memory: 5, x.io/gpu: 1}}
)");
  EXPECT_THAT(decoded.containers.containers[0].resources.requests,
              ElementsAre(Pair("cpu", 1000), Pair("memory", 0), Pair("x.io/gpu", 1000)));
}

TEST(ContainerCodecTest, TheStatusOfTheSameNameTellsWhatWasGiven) {
  const Decoded decoded = Decode(R"(
spec:
  containers: [{name: a}, {name: b}, {name: c}, {}]
status:
  containerStatuses:
  - {name: b, resources: {requests: {cpu: 2}}, allocatedResources: {cpu: 3}}
  - {name: c, resources: {}}
  - {name: "", resources: {}}
  initContainerStatuses:
  - {name: a, resources: {}}
)");
  const auto& containers = decoded.containers.containers;
  EXPECT_EQ(containers[0].resources.status_requests, std::nullopt);
  EXPECT_THAT(containers[1].resources.status_requests, Optional(ElementsAre(Pair("cpu", 2000))));
  EXPECT_THAT(containers[1].resources.status_allocated, Optional(ElementsAre(Pair("cpu", 3000))));
  EXPECT_THAT(containers[2].resources.status_requests, Optional(IsEmpty()));
  EXPECT_EQ(containers[2].resources.status_allocated, std::nullopt);
  EXPECT_EQ(containers[3].resources.status_requests, std::nullopt);
}

TEST(ContainerCodecTest, HostPortsHaveDefaultsForProtocolAndAddress) {
  const Decoded decoded = Decode(R"(
spec:
  containers:
  - ports:
    - {containerPort: 80}
    - {containerPort: 80, hostPort: 8080}
    - {containerPort: 80, hostPort: 8080, protocol: UDP, hostIP: 10.0.0.1}
)");
  EXPECT_THAT(decoded.containers.host_ports,
              ElementsAre(HostPort{"0.0.0.0", "TCP", 8080}, HostPort{"10.0.0.1", "UDP", 8080}));
  EXPECT_THAT(decoded.faults, IsEmpty());
}

TEST(ContainerCodecTest, ARestartPolicyIsOneOfThree) {
  const auto faults = [](const std::string& policy) {
    return Decode("spec: {initContainers: [{restartPolicy: " + policy + "}]}").faults;
  };
  for (const char* policy : {"Always", "OnFailure", "Never", "''", "null"}) {
    EXPECT_THAT(faults(policy), IsEmpty()) << policy;
  }
  EXPECT_THAT(faults("always"),
              ElementsAre("f.yaml:1: spec.initContainers[0].restartPolicy: `always`, expected "
                          "Always, OnFailure or Never"));
}

TEST(ContainerCodecTest, OnTheHostNetworkEveryPortIsAHostPort) {
  const Decoded decoded = Decode(R"(
spec:
  hostNetwork: true
  containers:
  - ports: [{containerPort: 80}, {containerPort: 81, hostPort: 81}]
)");
  EXPECT_THAT(decoded.containers.host_ports,
              ElementsAre(HostPort{"0.0.0.0", "TCP", 80}, HostPort{"0.0.0.0", "TCP", 81}));
}

TEST(ContainerCodecTest, OnlySidecarsAmongInitContainersHoldPorts) {
  const Decoded decoded = Decode(R"(
spec:
  initContainers:
  - ports: [{hostPort: 1, containerPort: 1}]
  - restartPolicy: Always
    ports: [{hostPort: 2, containerPort: 2}, {hostPort: 3, containerPort: 3}]
  containers:
  - ports: [{hostPort: 3, containerPort: 3}]
)");
  EXPECT_THAT(decoded.containers.host_ports,
              ElementsAre(HostPort{"0.0.0.0", "TCP", 3}, HostPort{"0.0.0.0", "TCP", 2}));
  EXPECT_THAT(decoded.faults, IsEmpty());
}

TEST(ContainerCodecTest, AHostPortTakenTwiceIsAFault) {
  const Decoded decoded = Decode(R"(spec:
  containers:
  - ports: [{hostPort: 80, containerPort: 1}, {hostPort: 80, containerPort: 1, protocol: UDP}]
  - ports:
    - {containerPort: 1, hostIP: 0.0.0.0, hostPort: 80}
)");
  EXPECT_THAT(decoded.faults,
              ElementsAre("f.yaml:5: spec.containers[1].ports[0].hostPort: TCP port 80 of 0.0.0.0 "
                          "is taken twice, expected it once in a pod"));
}

TEST(ContainerCodecTest, PortsAreInRange) {
  const auto faults = [](const std::string& port) {
    return Decode("spec: {containers: [{ports: [" + port + "]}]}").faults.size();
  };
  EXPECT_EQ(faults("{containerPort: 65535, hostPort: 65535}"), 0u);
  EXPECT_EQ(faults("{containerPort: 65536}"), 1u);
  EXPECT_EQ(faults("{containerPort: 1, hostPort: -1}"), 1u);
  EXPECT_EQ(faults("{containerPort: 1, protocol: tcp}"), 1u);
}

TEST(ContainerCodecTest, FaultsOfSeveralContainersAreReportedTogether) {
  const Decoded decoded = Decode(R"(spec:
  containers:
  - name: 5
    resources:
      requests: {cpu: -1}
  - resources: {limits: {gpu: 1}}
)");
  EXPECT_EQ(decoded.faults.size(), 3u);
}

}  // namespace
}  // namespace gangpack::k8s
