// An HTTPS server on a free port of loopback, with a path for each way in which a server can
// behave:
//   /echo     200: method, target, authorization, content type and body
//   /who      200: the common name of the client's certificate, or "nobody"
//   /secret   200 for `Bearer good`, else 401
//   /busy     429 with Retry-After: 7 and the body "later"
//   /close    200, and the connection is closed
//   /cut      200 with less of a body than it announced
//   /hang     nothing, until the server stops
//   /stream   200 in chunks: "one\n", "two\n"
//   /endless  200 in chunks: "x\n", then nothing, until the server stops
//
// Thread-safety: none, but for the server's own threads.

#ifndef GANGPACK_TESTS_UNIT_K8S_API_TEST_SERVER_H_
#define GANGPACK_TESTS_UNIT_K8S_API_TEST_SERVER_H_

#include <atomic>
#include <memory>
#include <thread>

#include "absl/synchronization/notification.h"
#include "httplib.h"
#include "tests/unit/k8s/test_certificates.h"

namespace gangpack::k8s {

class ApiTestServer {
 public:
  // Clients may show a certificate of `authority`.
  ApiTestServer(const TestCertificate& certificate, const TestCertificate& authority);
  ~ApiTestServer() { Stop(); }

  int port() const { return port_; }
  // That were accepted so far, over all starts.
  int connections() const { return connections_; }

  void Stop();
  // Closes all connections, and listens on the same port again.
  void Restart();

 private:
  void Start();
  void Route();

  const TestCertificate certificate_;
  const TestCertificate authority_;
  std::unique_ptr<httplib::SSLServer> server_;
  std::unique_ptr<absl::Notification> stopping_;
  std::thread thread_;
  int port_ = 0;
  std::atomic<int> connections_{0};
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_TESTS_UNIT_K8S_API_TEST_SERVER_H_
