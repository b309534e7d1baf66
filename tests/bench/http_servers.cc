#include "tests/bench/http_servers.h"

#include <dirent.h>
#include <httplib.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "k8s/clock.h"
#include "server/app.h"
#include "server/embedded_cluster.h"
#include "tests/bench/http_load.h"

namespace gangpack::bench {
namespace {

constexpr char kKey[] = "nvidia.com/gpu.clique";
constexpr int kMembersPerNode = 3;

void AwaitReadable(int fd) {
  pollfd readable = {fd, POLLIN, 0};
  (void)poll(&readable, 1, -1);
}

std::string DomainName(int gang) { return absl::StrFormat("clique-%04d", gang); }
std::string GangName(int gang) { return absl::StrFormat("train-%04d", gang); }

void Apply(server::ManifestCluster& cluster, const server::ManifestObject& object) {
  for (const server::FieldFault& fault : cluster.Apply(object)) {
    Fail(fault.path + ": " + fault.message);
  }
}

k8s::DecodedNode NodeOf(std::string name, std::string domain) {
  k8s::DecodedNode node;
  node.node.name = std::move(name);
  if (!domain.empty()) node.node.labels[kKey] = std::move(domain);
  node.node.allocatable = {
      {"cpu", 96'000}, {"memory", int64_t{960} << 30}, {"pods", 110}, {"nvidia.com/gpu", 6}};
  return node;
}

k8s::DecodedPod PodOf(std::string name, std::string group, int64_t gpus) {
  k8s::DecodedPod pod;
  pod.pod.uid.value = "uid-" + name;
  pod.pod.name = {"team-research", std::move(name)};
  if (!group.empty()) pod.pod.labels[std::string(kPodGroupLabel)] = std::move(group);
  pod.pod.scheduler_name = Policy().scheduler_name;
  pod.pod.spec.request = {{"cpu", 8'000}, {"memory", int64_t{64} << 30}};
  if (gpus > 0) pod.pod.spec.request["nvidia.com/gpu"] = gpus;
  return pod;
}

void Fill(const BenchCluster& cluster, server::ManifestCluster& paper) {
  for (int i = 0; i < cluster.free_nodes; ++i) Apply(paper, NodeOf(cluster.FreeNode(i), ""));
  Apply(paper, PodOf("standalone", "", 0));
  for (int gang = 0; gang < cluster.gangs; ++gang) {
    for (std::string& name : cluster.DomainNodes(gang)) {
      Apply(paper, NodeOf(std::move(name), DomainName(gang)));
    }
    k8s::DecodedPodGroup group;
    group.group.name = {"team-research", GangName(gang)};
    group.group.uid = "uid-" + GangName(gang);
    group.group.annotations = {{Policy().topology_key_annotation, kKey}};
    group.group.min_member = cluster.gang_size;
    Apply(paper, group);
    for (int member = 0; member < cluster.gang_size; ++member) {
      Apply(paper, PodOf(BenchCluster::MemberName(gang, member), GangName(gang), 2));
    }
  }
}

int64_t EntriesOf(const std::string& folder) {
  DIR* const dir = opendir(folder.c_str());
  if (dir == nullptr) Fail("cannot read " + folder);
  int64_t count = -2;  // "." and "..".
  while (readdir(dir) != nullptr) ++count;
  closedir(dir);
  return count;
}

}  // namespace

std::string BenchCluster::FreeNode(int i) const {
  return absl::StrFormat("gke-cluster-pool-a1b2c3d4-%05d", i);
}

std::vector<std::string> BenchCluster::DomainNodes(int gang) const {
  const int nodes = (gang_size + kMembersPerNode - 1) / kMembersPerNode;
  std::vector<std::string> names;
  for (int i = 0; i < nodes; ++i) {
    names.push_back(absl::StrFormat("gke-cluster-gang-e5f6a7b8-%05d", gang * nodes + i));
  }
  return names;
}

std::string BenchCluster::MemberName(int gang, int member) {
  return absl::StrCat(GangName(gang), "-worker-", member);
}

void KeepApart(Role role) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(role == Role::kCaller ? 0 : 1, &processors);
  if (sched_setaffinity(0, sizeof(processors), &processors) != 0) Fail("cannot choose a processor");
}

ServerProcess::ServerProcess(const Serve& serve) {
  int tell[2], stop[2];
  if (pipe2(tell, O_CLOEXEC) != 0 || pipe2(stop, O_CLOEXEC) != 0) Fail("cannot make pipes");
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) Fail("cannot fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    KeepApart(Role::kServer);
    close(tell[0]);
    close(stop[1]);
    serve(
        [&tell](Ports ports) {
          if (write(tell[1], &ports, sizeof(ports)) != sizeof(ports)) Fail("cannot tell the ports");
        },
        stop[0]);
    _exit(0);
  }
  close(tell[1]);
  close(stop[0]);
  stop_ = stop[1];
  if (read(tell[0], &ports_, sizeof(ports_)) != sizeof(ports_)) Fail("a server did not start");
  close(tell[0]);
}

ServerProcess::~ServerProcess() {
  close(stop_);
  waitpid(pid_, nullptr, 0);
}

int64_t ServerProcess::ResidentBytes() const {
  std::ifstream status(absl::StrCat("/proc/", pid_, "/status"));
  for (std::string word; status >> word;) {
    int64_t kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib * 1024;
  }
  Fail("a server has gone");
}

int64_t ServerProcess::Threads() const { return EntriesOf(absl::StrCat("/proc/", pid_, "/task")); }

int64_t ServerProcess::Descriptors() const {
  return EntriesOf(absl::StrCat("/proc/", pid_, "/fd"));
}

void ServeEcho(const std::function<void(Ports)>& tell, int stop) {
  httplib::Server server;
  server.set_tcp_nodelay(true);
  // By default the library closes a connection after five requests.
  server.set_keep_alive_max_count(100'000'000);
  server.Post(".*", [](const httplib::Request& request, httplib::Response& response) {
    response.set_content(request.body, "application/json");
  });
  tell({.filter = server.bind_to_any_port("127.0.0.1")});
  std::thread stopper([&server, stop] {
    AwaitReadable(stop);
    server.stop();
  });
  server.listen_after_bind();
  stopper.join();
}

void ServeGangpack(const BenchCluster& cluster, const std::function<void(Ports)>& tell, int stop) {
  k8s::SystemClock clock;
  auto embedded = std::make_unique<server::EmbeddedCluster>(Policy().scheduler_name, &clock);
  embedded->Change([&cluster](server::ManifestCluster& paper) { Fill(cluster, paper); });
  const auto app = server::App::Start({}, std::move(embedded), &clock);
  if (!app.ok()) Fail(std::string(app.status().message()));
  tell({.filter = (*app)->filter_port(), .bind = (*app)->bind_port()});
  AwaitReadable(stop);
  (*app)->Stop();
}

}  // namespace gangpack::bench
