#include "server/demo/http_caller.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/http_server.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;

class HttpCallerTest : public testing::Test {
 protected:
  HttpCallerTest() {
    world_.AddNode("a1", "a");
    world_.AddPod("p", "");
    world_.Synchronise();
    server_ = *HttpServer::Start({}, &world_.driver, &world_.calls);
    caller_ = std::make_unique<HttpCaller>(
        absl::StrCat("http://127.0.0.1:", server_->filter_port()), absl::Seconds(30));
  }

  ExtenderWorld world_;
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<HttpCaller> caller_;
};

TEST_F(HttpCallerTest, GetAndPostBringTheAnswerBack) {
  const absl::StatusOr<HttpAnswer> pods = caller_->Get("/v1/pods");
  ASSERT_TRUE(pods.ok()) << pods.status();
  EXPECT_EQ(pods->status, 200);
  EXPECT_THAT(pods->body, HasSubstr("\"name\": \"p\""));
  const absl::StatusOr<HttpAnswer> filter =
      caller_->Post("/filter", ExtenderWorld::ArgsBody("p", {"a1"}));
  ASSERT_TRUE(filter.ok()) << filter.status();
  EXPECT_EQ(filter->status, 200);
  EXPECT_THAT(filter->body, HasSubstr("a1"));
}

TEST_F(HttpCallerTest, AnAnswerOfAnyStatusIsAnAnswer) {
  const absl::StatusOr<HttpAnswer> answer = caller_->Get("/no/such/page");
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->status, 404);
}

TEST_F(HttpCallerTest, ManyCallsShareOneConnection) {
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(caller_->Get("/v1/pods").ok());
  EXPECT_EQ(server_->filter_listener().connections(), 1);
}

TEST_F(HttpCallerTest, NoAnswerIsUnavailableAndSaysForWhat) {
  server_->Stop();
  for (const auto& answer : {caller_->Get("/v1/pods"), caller_->Post("/filter", "{}")}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(answer.status().message()), HasSubstr(": no answer"));
  }
}

}  // namespace
}  // namespace gangpack::server
