// A caller of an HTTP listener that works with the bytes, so that tests can also do what no library
// would.
//
// Everything waits with a deadline far above any healthy run; a missed one is a failed test and
// never a hanging one.
#ifndef GANGPACK_TESTS_UNIT_SERVER_RAW_HTTP_CLIENT_H_
#define GANGPACK_TESTS_UNIT_SERVER_RAW_HTTP_CLIENT_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace gangpack::server {

struct RawAnswer {
  int status = 0;                              // 0: no answer came.
  std::string reason;                          // Behind the status.
  std::map<std::string, std::string> headers;  // Names in lower case.
  std::string body;
};

class RawHttpClient {
 public:
  // Connects to the port on 127.0.0.1.
  explicit RawHttpClient(int port);
  ~RawHttpClient();
  RawHttpClient(RawHttpClient&& other) noexcept;
  RawHttpClient(const RawHttpClient&) = delete;

  // False if the other side does not take all of it.
  bool Send(std::string_view bytes);
  // Reads one answer, with the body that its Content-Length tells of.
  RawAnswer Receive();
  // Reads the answer to a HEAD request, which has no body.
  RawAnswer ReceiveHead();
  RawAnswer Call(std::string_view request);
  RawAnswer Post(std::string_view path, std::string_view body);
  RawAnswer Get(std::string_view path);

  // True once the other side has closed, with no further byte.
  bool SeesEnd();
  void HangUp();
  // Closes the half of the connection that it sends on.
  void EndSending();
  // The next bytes as they come; fewer if the other side closes.
  std::string ReceiveBytes(size_t count);
  // Hangs up with a reset instead of an orderly end.
  void Reset();

 private:
  bool Fill();
  RawAnswer ReadHead();

  int fd_ = -1;
  std::string received_;
};

std::string PostText(std::string_view path, std::string_view body);
std::string GetText(std::string_view path);

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_RAW_HTTP_CLIENT_H_
