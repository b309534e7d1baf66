#include "tests/oracle/random_containers.h"

#include <cstdint>
#include <string>

#include "absl/container/btree_set.h"
#include "absl/strings/str_cat.h"
#include "tests/oracle/random_values.h"

namespace gangpack {
namespace {

constexpr int64_t kCpuUnit = 250;
constexpr int64_t kMemoryUnit = 1024;
constexpr int64_t kHugePage = 2 << 20;

struct Scale {
  int64_t cpu_unit = kCpuUnit;
  int64_t memory_unit = kMemoryUnit;
};

// Requests, or limits that stand for them, or both.
void AddBurstable(Prng* prng, const std::string& name, int64_t amount, int64_t unit,
                  JsonTree* resources) {
  const bool milli = name == "cpu";
  const auto spell = [&](int64_t value) {
    return milli ? SpellMilli(prng, value) : SpellWhole(prng, value);
  };
  const int form = prng->Between(0, 9);
  if (form != 0) (*resources)["requests"][name] = spell(amount);
  if (form == 0) (*resources)["limits"][name] = spell(amount);
  if (form == 1) (*resources)["limits"][name] = spell(amount + unit);
}

// Of what cannot be overcommitted, the limit is the request.
void AddExact(Prng* prng, const std::string& name, int64_t amount, JsonTree* resources) {
  const std::string text = absl::StrCat(amount);
  if (prng->Chance(60)) (*resources)["requests"][name] = text;
  (*resources)["limits"][name] = text;
}

JsonTree RandomResources(Prng* prng, const Scale& scale) {
  JsonTree resources = JsonTree::Object();
  bool has_base = false;
  if (prng->Chance(70)) {
    AddBurstable(prng, "cpu", AroundMultiple(prng, scale.cpu_unit, 5), scale.cpu_unit, &resources);
    has_base = true;
  }
  if (prng->Chance(70)) {
    AddBurstable(prng, "memory", AroundMultiple(prng, scale.memory_unit, 5), scale.memory_unit,
                 &resources);
    has_base = true;
  }
  if (prng->Chance(15)) {
    AddBurstable(prng, "ephemeral-storage", AroundMultiple(prng, kMemoryUnit, 5), kMemoryUnit,
                 &resources);
  }
  if (prng->Chance(30)) AddExact(prng, "nvidia.com/gpu", prng->Between(0, 4), &resources);
  if (prng->Chance(10)) AddExact(prng, "example.com/dev", prng->Between(0, 2), &resources);
  if (prng->Chance(5)) AddExact(prng, "kubernetes.io/batch", prng->Between(0, 2), &resources);
  if (has_base && prng->Chance(8)) {
    AddExact(prng, "hugepages-2Mi", kHugePage * prng->Between(1, 2), &resources);
  }
  return resources;
}

JsonTree RandomPorts(Prng* prng, bool host_network, absl::btree_set<std::string>* taken) {
  JsonTree ports = JsonTree::List();
  for (int i = prng->Between(0, 2); i > 0; --i) {
    const int number = prng->Between(80, 82);
    const std::string ip =
        Pick<std::string>(prng, {"", "", "0.0.0.0", "127.0.0.1", "10.0.0.1", "::"});
    const std::string protocol = Pick<std::string>(prng, {"", "TCP", "UDP", "SCTP"});
    const std::string key = absl::StrCat(number, "/", protocol.empty() ? "TCP" : protocol, "/",
                                         ip.empty() ? "0.0.0.0" : ip);
    if (!taken->insert(key).second) continue;
    JsonTree port = JsonTree::Object();
    port["containerPort"] = number;
    if (prng->Chance(75))
      port["hostPort"] = host_network ? number : number + prng->Between(0, 1) * 100;
    if (!ip.empty()) port["hostIP"] = ip;
    if (!protocol.empty()) port["protocol"] = protocol;
    ports.Add(std::move(port));
  }
  return ports;
}

// What the kubelet has allocated and applied to a container of these resources, which may differ
// from what is asked for while it is resized.
JsonTree RandomContainerStatus(Prng* prng, const std::string& name, const JsonTree* resources) {
  JsonTree status = JsonTree::Object();
  status["name"] = name;
  const auto amounts = [&] {
    JsonTree result = JsonTree::Object();
    const JsonTree* requests = resources == nullptr ? nullptr : resources->Find("requests");
    for (const char* resource : {"cpu", "memory"}) {
      const bool asked = requests != nullptr && requests->Find(resource) != nullptr;
      if (!prng->Chance(asked ? 90 : 10)) continue;
      result[resource] = std::string(resource) == "cpu"
                             ? SpellMilli(prng, AroundMultiple(prng, kCpuUnit, 5))
                             : SpellWhole(prng, AroundMultiple(prng, kMemoryUnit, 5));
    }
    return result;
  };
  if (prng->Chance(70)) {
    status["resources"] = JsonTree::Object();
    if (prng->Chance(90)) status["resources"]["requests"] = amounts();
  }
  if (prng->Chance(60)) status["allocatedResources"] = amounts();
  return status;
}

void AddResizeConditions(Prng* prng, JsonTree* status) {
  for (int i = prng->Between(0, 2); i > 0; --i) {
    JsonTree condition = JsonTree::Object();
    condition["type"] =
        Pick<std::string>(prng, {"PodResizePending", "PodResizeInProgress", "Ready"});
    condition["status"] = "True";
    condition["reason"] = Pick<std::string>(prng, {"Infeasible", "Deferred", "Other"});
    (*status)["conditions"].Add(std::move(condition));
  }
}

// For all containers together. They replace the containers' sums, which must not be larger.
void AddPodLevelResources(Prng* prng, bool bound, JsonTree* pod) {
  JsonTree resources = JsonTree::Object();
  const auto cpu = [&] { return SpellMilli(prng, 1000 + AroundMultiple(prng, kCpuUnit, 8)); };
  const auto memory = [&] { return SpellWhole(prng, 4096 + AroundMultiple(prng, kMemoryUnit, 8)); };
  const char* part = prng->Chance(80) ? "requests" : "limits";
  if (prng->Chance(70)) resources[part]["cpu"] = cpu();
  if (prng->Chance(70)) resources[part]["memory"] = memory();
  (*pod)["spec"]["resources"] = std::move(resources);
  if (!bound || !prng->Chance(50)) return;
  JsonTree& status = (*pod)["status"];
  if (prng->Chance(80)) {
    status["resources"] = JsonTree::Object();
    if (prng->Chance(80)) status["resources"]["requests"]["cpu"] = cpu();
    if (prng->Chance(80)) status["resources"]["requests"]["memory"] = memory();
  }
  if (prng->Chance(50)) status["allocatedResources"]["cpu"] = cpu();
}

}  // namespace

JsonTree RandomAllocatable(Prng* prng) {
  JsonTree allocatable = JsonTree::Object();
  if (prng->Chance(95)) {
    allocatable["cpu"] = SpellMilli(prng, AroundMultiple(prng, kCpuUnit, 24));
  }
  if (prng->Chance(95)) {
    allocatable["memory"] = SpellWhole(prng, AroundMultiple(prng, kMemoryUnit, 24));
  }
  if (prng->Chance(80)) {
    allocatable["ephemeral-storage"] = SpellWhole(prng, AroundMultiple(prng, kMemoryUnit, 12));
  }
  if (prng->Chance(95)) allocatable["pods"] = std::to_string(prng->Between(0, 8));
  if (prng->Chance(75)) allocatable["nvidia.com/gpu"] = std::to_string(prng->Between(0, 8));
  if (prng->Chance(50)) allocatable["example.com/dev"] = std::to_string(prng->Between(0, 3));
  if (prng->Chance(50)) allocatable["kubernetes.io/batch"] = std::to_string(prng->Between(0, 3));
  if (prng->Chance(50)) {
    allocatable["hugepages-2Mi"] = absl::StrCat(kHugePage * prng->Between(0, 3));
  }
  return allocatable;
}

void AddRandomContainers(Prng* prng, const ContainerFeatures& features, JsonTree* pod) {
  const bool pod_level = features.resources && prng->Chance(15);
  // So small that pod-level requests are above their sum.
  const Scale scale = pod_level ? Scale{25, 100} : Scale{};
  const bool host_network = features.ports && prng->Chance(15);
  absl::btree_set<std::string> taken;
  const bool resized = features.bound && features.resources && prng->Chance(30);
  for (const bool init : {true, false}) {
    const int count = init ? prng->Between(-2, 2) : prng->Between(1, 2);
    for (int i = 0; i < count; ++i) {
      JsonTree container = JsonTree::Object();
      const std::string name = absl::StrCat(init ? "init-" : "main-", i);
      container["name"] = name;
      container["image"] = "image";
      if (init && prng->Chance(40)) container["restartPolicy"] = "Always";
      if (features.resources) container["resources"] = RandomResources(prng, scale);
      if (features.ports) container["ports"] = RandomPorts(prng, host_network, &taken);
      if (resized && prng->Chance(80)) {
        (*pod)["status"][init ? "initContainerStatuses" : "containerStatuses"].Add(
            RandomContainerStatus(prng, name, container.Find("resources")));
      }
      (*pod)["spec"][init ? "initContainers" : "containers"].Add(std::move(container));
    }
  }
  if (host_network) (*pod)["spec"]["hostNetwork"] = true;
  if (features.resources && prng->Chance(15)) {
    JsonTree& overhead = (*pod)["spec"]["overhead"];
    overhead["cpu"] = SpellMilli(prng, AroundMultiple(prng, kCpuUnit, 2));
    overhead["memory"] = SpellWhole(prng, AroundMultiple(prng, kMemoryUnit, 2));
  }
  if (pod_level) AddPodLevelResources(prng, features.bound, pod);
  if (features.bound && features.resources) AddResizeConditions(prng, &(*pod)["status"]);
}

}  // namespace gangpack
