// Whole exchanges, byte for byte: what kube-scheduler sends and what it is answered, one file of
// testdata/wire each.
//
// A file is a request, a line of dashes, and its answer, each as its head, an empty line, and its
// body. On the wire the lines of heads end with CR LF; a body ends before the last line end of its
// part. `%LENGTH%` in a head stands for the length of its body.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "server/http_server.h"
#include "tests/unit/server/extender_world.h"
#include "tests/unit/server/raw_http_client.h"

namespace gangpack::server {
namespace {

constexpr char kFolder[] = "tests/unit/server/testdata/wire";
constexpr std::string_view kDashes = "----\n";

std::vector<std::string> Captures() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string BytesOf(std::string_view part) {
  const size_t end = part.find("\n\n");
  EXPECT_NE(end, std::string_view::npos) << part;
  std::string_view body = part.substr(end + 2);
  body.remove_suffix(1);
  return absl::StrReplaceAll(std::string(part.substr(0, end + 2)),
                             {{"\n", "\r\n"}, {"%LENGTH%", std::to_string(body.size())}}) +
         std::string(body);
}

class WireCaptureTest : public testing::TestWithParam<std::string> {};

TEST_P(WireCaptureTest, IsAnsweredWithExactlyTheseBytes) {
  ExtenderWorld world;
  world.AddNode("n1", "a");
  world.AddNode("n2", "a");
  world.AddNode("n3", "b");
  world.AddPod("p0", "");
  world.AddGroup("small", 2);
  world.AddPod("small-0", "small");
  world.AddPod("small-1", "small");
  world.AddGroup("large", 40);
  for (int i = 0; i < 40; ++i) world.AddPod("large-" + std::to_string(i), "large");
  world.Synchronise();
  const auto server = HttpServer::Start({}, &world.driver, &world.calls);
  ASSERT_TRUE(server.ok()) << server.status();

  std::ifstream file(std::string(kFolder) + "/" + GetParam() + ".wire", std::ios::binary);
  const std::string capture((std::istreambuf_iterator<char>(file)), {});
  const size_t dashes = capture.find(kDashes);
  ASSERT_NE(dashes, std::string::npos);
  const std::string request = BytesOf(std::string_view(capture).substr(0, dashes));
  const std::string answer = BytesOf(std::string_view(capture).substr(dashes + kDashes.size()));

  const bool is_bind = request.starts_with("POST /bind/");
  RawHttpClient client(is_bind ? (*server)->bind_port() : (*server)->filter_port());
  ASSERT_TRUE(client.Send(request));
  EXPECT_EQ(client.ReceiveBytes(answer.size()), answer);
  // Nothing follows, and the connection serves on.
  EXPECT_EQ(client.Get("/healthz").status, 200);
}

INSTANTIATE_TEST_SUITE_P(All, WireCaptureTest, testing::ValuesIn(Captures()), [](const auto& info) {
  return absl::StrReplaceAll(info.param, {{"-", "_"}});
});

TEST(WireCaptures, ThereIsOneOfEveryShape) {
  for (const std::string_view shape :
       {"filter-names", "filter-nodes", "filter-one-reason", "filter-member", "filter-unknown-pod",
        "filter-lower-case", "filter-no-list", "filter-not-json", "filter-wrong-field",
        "prioritize-names", "prioritize-nodes", "bind", "bind-unknown-node", "bind-missing-field",
        "preempt"}) {
    const std::vector<std::string> names = Captures();
    EXPECT_EQ(std::count(names.begin(), names.end(), shape), 1) << shape;
  }
}

}  // namespace
}  // namespace gangpack::server
