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

TEST(JsonErrorAnswer, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(JsonErrorAnswer(404, "/\xC3\xA4").body, "{\"error\":\"/\xC3\xA4\"}\n");
  EXPECT_EQ(JsonErrorAnswer(404, "/\xFF.\xED\xA0").body,
            "{\"error\":\"/\xEF\xBF\xBD.\xEF\xBF\xBD\xEF\xBF\xBD\"}\n");
}

TEST(ReasonPhrase, IsThatOfRfc9110) {
  EXPECT_EQ(ReasonPhrase(400), "Bad Request");
  EXPECT_EQ(ReasonPhrase(413), "Content Too Large");
  EXPECT_EQ(ReasonPhrase(431), "Request Header Fields Too Large");
  EXPECT_EQ(ReasonPhrase(505), "HTTP Version Not Supported");
  EXPECT_EQ(ReasonPhrase(418), "");
}

}  // namespace
}  // namespace gangpack::server
