#include "tests/unit/k8s/loopback_socket.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace gangpack::k8s {

LoopbackSocket::LoopbackSocket() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(listen(socket_, 8), 0);
  socklen_t size = sizeof(address);
  getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
}

LoopbackSocket::~LoopbackSocket() { close(socket_); }

NetworkTarget LoopbackSocket::Target() const {
  NetworkTarget target;
  target.url.tls = false;
  target.url.host = "127.0.0.1";
  target.url.port = port_;
  return target;
}

int LoopbackSocket::Accept() { return accept(socket_, nullptr, nullptr); }

void LoopbackSocket::Shutdown() { shutdown(socket_, SHUT_RDWR); }

}  // namespace gangpack::k8s
