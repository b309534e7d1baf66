#include "server/http_message.h"

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(JsonErrorAnswer, IsAnObjectWithTheEscapedMessage) {
  const HttpAnswer answer = JsonErrorAnswer(404, "no \"path\" <x>");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_EQ(answer.body, "{\"error\":\"no \\\"path\\\" \\u003cx\\u003e\"}\n");
}

}  // namespace
}  // namespace gangpack::server
