// A socket that listens on a free port of loopback, for tests that play the server by hand.
//
// Errors fail the test. Thread-safety: those of the socket.
#ifndef GANGPACK_TESTS_UNIT_K8S_LOOPBACK_SOCKET_H_
#define GANGPACK_TESTS_UNIT_K8S_LOOPBACK_SOCKET_H_

#include "k8s/network_connection.h"

namespace gangpack::k8s {

class LoopbackSocket {
 public:
  LoopbackSocket();
  ~LoopbackSocket();
  LoopbackSocket(const LoopbackSocket&) = delete;
  LoopbackSocket& operator=(const LoopbackSocket&) = delete;

  // Without TLS.
  NetworkTarget Target() const;

  // The next connection; negative once Shutdown() was called.
  int Accept();
  void Shutdown();

 private:
  const int socket_;
  int port_ = 0;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_TESTS_UNIT_K8S_LOOPBACK_SOCKET_H_
