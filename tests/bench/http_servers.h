// The servers that are compared, each in a child process of its own: a bare cpp-httplib server that
// answers with the body it was sent, and ours around an embedded cluster.
//
// Ownership: the child ends with the object, and also when this program dies.
// Errors: what goes wrong ends the program.
#ifndef GANGPACK_TESTS_BENCH_HTTP_SERVERS_H_
#define GANGPACK_TESTS_BENCH_HTTP_SERVERS_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gangpack::bench {

struct Ports {
  int filter = 0;  // Of the echo, its only one.
  int bind = 0;
};

// Keeps this process on one processor, where there are several. On processors of their own, caller
// and server wake each other at the same cost in every round.
enum class Role { kCaller, kServer };
void KeepApart(Role role);

class ServerProcess {
 public:
  // Runs `serve` in a child: it tells its ports when it serves and returns when `stop` is readable.
  using Serve = std::function<void(const std::function<void(Ports)>& tell, int stop)>;
  explicit ServerProcess(const Serve& serve);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;

  const Ports& ports() const { return ports_; }
  pid_t pid() const { return pid_; }
  // VmRSS.
  int64_t ResidentBytes() const;
  // Entries of /proc/PID/task and of /proc/PID/fd.
  int64_t Threads() const;
  int64_t Descriptors() const;

 private:
  pid_t pid_ = -1;
  int stop_ = -1;
  Ports ports_;
};

// A cluster of nodes that a standalone pod may use, and gangs that hold domains of other nodes.
struct BenchCluster {
  int free_nodes = 5000;
  int gangs = 100;
  int gang_size = 51;  // One more than bind in the case of held binds.

  std::string FreeNode(int i) const;
  // Nodes of the domain that the gang can hold: three members fit on each.
  std::vector<std::string> DomainNodes(int gang) const;
  static std::string MemberName(int gang, int member);
};

void ServeEcho(const std::function<void(Ports)>& tell, int stop);
void ServeGangpack(const BenchCluster& cluster, const std::function<void(Ports)>& tell, int stop);

}  // namespace gangpack::bench

#endif  // GANGPACK_TESTS_BENCH_HTTP_SERVERS_H_
