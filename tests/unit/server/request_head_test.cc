#include "server/request_head.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

constexpr int64_t kBodyBytesMax = 1000;

RequestHead Accepted(std::string_view head) {
  const auto read = ReadRequestHead(head, kBodyBytesMax);
  if (const auto* refusal = std::get_if<RequestRefusal>(&read)) {
    ADD_FAILURE() << head << ": " << refusal->status << " " << refusal->message;
    return {};
  }
  return std::get<RequestHead>(read);
}

int StatusOf(std::string_view head) {
  const auto read = ReadRequestHead(head, kBodyBytesMax);
  const auto* refusal = std::get_if<RequestRefusal>(&read);
  return refusal == nullptr ? 0 : refusal->status;
}

std::string With(std::string_view header) {
  return "POST / HTTP/1.1\r\n" + std::string(header) + "\r\n\r\n";
}

TEST(RequestHead, OnlyWhatTheLibraryNeedsIsPassedOn) {
  const RequestHead head = Accepted(
      "POST /f/filter?x=1 HTTP/1.1\r\nHost: h\r\ncontent-length:  12 \r\nAccept-Encoding: gzip\r\n"
      "Range: bytes=0-1\r\nContent-Type: multipart/form-data\r\n\r\n");
  EXPECT_EQ(head.text, "POST /f/filter?x=1 HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(head.content_length, 12);
  EXPECT_FALSE(head.chunked);
  EXPECT_FALSE(head.close);
}

TEST(RequestHead, ARequestWithoutALengthHasNoBody) {
  EXPECT_EQ(Accepted("DELETE /x HTTP/1.1\n\n").text,
            "DELETE /x HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
}

TEST(RequestHead, AChunkedBodyIsToldFromOneWithALength) {
  const RequestHead head = Accepted(With("Transfer-Encoding: Chunked"));
  EXPECT_TRUE(head.chunked);
  EXPECT_EQ(head.content_length, 0);
  EXPECT_EQ(head.text, "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
}

TEST(RequestHead, ABodyIsAskedForOnlyWhereOneComes) {
  EXPECT_TRUE(Accepted(With("Expect: 100-Continue\r\nContent-Length: 1")).expects_continue);
  EXPECT_TRUE(
      Accepted(With("Expect: 100-continue\r\nTransfer-Encoding: chunked")).expects_continue);
  EXPECT_FALSE(Accepted(With("Expect: 100-continue")).expects_continue);
  EXPECT_FALSE(Accepted(With("Content-Length: 1")).expects_continue);
  EXPECT_EQ(StatusOf(With("Expect: tea")), 417);
}

TEST(RequestHead, TheConnectionEndsWhereTheCallerWantsIt) {
  EXPECT_TRUE(Accepted(With("Connection: keep-alive , Close")).close);
  EXPECT_FALSE(Accepted(With("Connection: keep-alive")).close);
  EXPECT_TRUE(Accepted("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").close);
  EXPECT_FALSE(Accepted("GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\n").close);
}

TEST(RequestHead, ABodyUpToTheLimitIsAcceptedAndOneByteMoreIsNot) {
  EXPECT_EQ(StatusOf(With("Content-Length: 1000")), 0);
  EXPECT_EQ(StatusOf(With("Content-Length: 1001")), 413);
  EXPECT_EQ(StatusOf(With("Content-Length: 99999999999999999999999")), 413);
}

TEST(RequestHead, ATargetUpToTheLimitIsAcceptedAndOneByteMoreIsNot) {
  const std::string longest = "/" + std::string(kRequestTargetBytesMax - 1, 'a');
  EXPECT_EQ(StatusOf("GET " + longest + " HTTP/1.1\r\n\r\n"), 0);
  EXPECT_EQ(StatusOf("GET " + longest + "a HTTP/1.1\r\n\r\n"), 414);
}

TEST(RequestHead, WhatCannotBeFramedIsRefused) {
  for (const auto& [header, status] : std::vector<std::pair<std::string_view, int>>{
           {"Content-Length: ", 400},
           {"Content-Length: -1", 400},
           {"Content-Length: 1x", 400},
           {"Content-Length: 1\r\nContent-Length: 2", 400},
           {"Content-Length: 1\r\nTransfer-Encoding: chunked", 400},
           {"Transfer-Encoding: gzip, chunked", 501},
           {"Content-Encoding: gzip", 415},
           {"Name : value", 400},
           {": value", 400},
           {" folded: value", 400},
           {"no colon", 400}}) {
    EXPECT_EQ(StatusOf(With(header)), status) << header;
  }
  EXPECT_EQ(StatusOf(With("Content-Length: 1\r\nContent-Length: 1")), 0);
  EXPECT_EQ(StatusOf(With("Content-Encoding: identity")), 0);
}

TEST(RequestHead, ARequestLineHasThreePartsThatAreKnown) {
  for (const auto& [line, status] :
       std::vector<std::pair<std::string_view, int>>{{"", 400},
                                                     {"GET", 400},
                                                     {"GET /", 400},
                                                     {"GET  HTTP/1.1", 400},
                                                     {"GET http://h/ HTTP/1.1", 400},
                                                     {"GET /a b HTTP/1.1", 400},
                                                     {"OPTIONS * HTTP/1.1", 400},
                                                     {"GET / HTTP/1.2", 505},
                                                     {"PRI * HTTP/2.0", 505},
                                                     {"TRACE / HTTP/1.1", 501},
                                                     {"get / HTTP/1.1", 501}}) {
    EXPECT_EQ(StatusOf(std::string(line) + "\r\n\r\n"), status) << line;
  }
  for (const std::string_view method :
       {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    EXPECT_EQ(StatusOf(std::string(method) + " / HTTP/1.1\r\n\r\n"), 0) << method;
  }
}

}  // namespace
}  // namespace gangpack::server
