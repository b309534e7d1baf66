#include "tests/unit/k8s/api_test_server.h"

#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

std::string ClientName(const SSL* ssl) {
  X509* certificate = SSL_get1_peer_certificate(ssl);
  if (certificate == nullptr) return "nobody";
  char name[100] = {};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof(name));
  X509_free(certificate);
  return name;
}

// OpenSSL counts the connections: one `accept` each.
void CountHandshakes(const SSL* ssl, int where, int) {
  if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
  auto* count = static_cast<std::atomic<int>*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0));
  ++*count;
}

}  // namespace

ApiTestServer::ApiTestServer(const TestCertificate& certificate, const TestCertificate& authority)
    : certificate_(certificate), authority_(authority) {
  Start();
}

void ApiTestServer::Start() {
  X509_STORE* trusted = X509_STORE_new();
  X509_STORE_add_cert(trusted, authority_.x509());
  server_ = std::make_unique<httplib::SSLServer>(certificate_.x509(), certificate_.key(), trusted);
  stopping_ = std::make_unique<absl::Notification>();
  SSL_CTX* context = server_->ssl_context();
  // A client may do without a certificate.
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_ex_data(context, 0, &connections_);
  SSL_CTX_set_info_callback(context, CountHandshakes);
  server_->set_keep_alive_max_count(1000);
  Route();
  if (port_ == 0) {
    port_ = server_->bind_to_any_port("127.0.0.1");
  } else {
    ASSERT_TRUE(server_->bind_to_port("127.0.0.1", port_));
  }
  thread_ = std::thread([this] { server_->listen_after_bind(); });
  // Connections are queued from now on, but stop() is heard only by a server that runs.
  while (!server_->is_running()) std::this_thread::yield();
}

void ApiTestServer::Stop() {
  if (!thread_.joinable()) return;
  stopping_->Notify();
  server_->stop();
  thread_.join();
}

void ApiTestServer::Restart() {
  Stop();
  Start();
}

void ApiTestServer::Route() {
  const auto echo = [](const httplib::Request& request, httplib::Response& response) {
    response.set_content(absl::StrCat(request.method, " ", request.target, " ",
                                      request.get_header_value("Authorization"), " ",
                                      request.get_header_value("Content-Type"), " ", request.body),
                         "text/plain");
  };
  server_->Get(".*/echo", echo).Patch("/echo", echo);
  server_->Get("/who", [](const httplib::Request& request, httplib::Response& response) {
    response.set_content(ClientName(request.ssl), "text/plain");
  });
  server_->Get("/secret", [](const httplib::Request& request, httplib::Response& response) {
    response.status = request.get_header_value("Authorization") == "Bearer good" ? 200 : 401;
  });
  server_->Get("/busy", [](const httplib::Request&, httplib::Response& response) {
    response.status = 429;
    response.set_header("Retry-After", "7");
    response.set_content("later", "text/plain");
  });
  server_->Get("/close", [](const httplib::Request&, httplib::Response& response) {
    response.set_header("Connection", "close");
  });
  server_->Get("/cut", [](const httplib::Request&, httplib::Response& response) {
    response.set_content_provider(100, "text/plain", [](size_t, size_t, httplib::DataSink& sink) {
      sink.write("half", 4);
      return false;
    });
  });
  server_->Get("/hang", [this](const httplib::Request&, httplib::Response&) {
    stopping_->WaitForNotification();
  });
  server_->Get("/stream", [](const httplib::Request&, httplib::Response& response) {
    response.set_chunked_content_provider("text/plain", [](size_t offset, httplib::DataSink& sink) {
      if (offset > 0) {
        sink.write("two\n", 4);
        sink.done();
      } else {
        sink.write("one\n", 4);
      }
      return true;
    });
  });
  server_->Get("/endless", [this](const httplib::Request&, httplib::Response& response) {
    response.set_chunked_content_provider("text/plain",
                                          [this](size_t offset, httplib::DataSink& sink) {
                                            if (offset > 0) {
                                              stopping_->WaitForNotification();
                                              return false;
                                            }
                                            sink.write("x\n", 2);
                                            return true;
                                          });
  });
}

}  // namespace gangpack::k8s
