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
  return "POST / HTTP/1.1\r\nHost: x\r\n" + std::string(header) + "\r\n\r\n";
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
  EXPECT_EQ(Accepted("DELETE /x HTTP/1.1\nHost: x\n\n").text,
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

TEST(RequestHead, NoHttp10CallerIsToldToContinue) {
  constexpr std::string_view kHeaders = "Content-Length: 1\r\nExpect: 100-continue\r\n\r\n";
  EXPECT_TRUE(Accepted("POST / HTTP/1.1\r\nHost: x\r\n" + std::string(kHeaders)).expects_continue);
  EXPECT_FALSE(Accepted("POST / HTTP/1.0\r\n" + std::string(kHeaders)).expects_continue);
}

TEST(RequestHead, TheHostIsNamedOnce) {
  EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 0);
  EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\nHost:\r\n\r\n"), 0);
  EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf("GET / HTTP/1.0\r\n\r\n"), 0) << "it came with HTTP/1.1";
  EXPECT_EQ(StatusOf("GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n"), 400);
}

TEST(RequestHead, AHeaderHasNoControlCharacterButTheTab) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view header :
       {"A: a\0b"sv, "A: a\rb"sv, "A: a\r\r\nB: b"sv, "A: \x1f"sv, "A: \x7f"sv,
        "Content-Length: \v1"sv, "Content-Length: 1\f"sv, "Transfer-Encoding: \vchunked"sv}) {
    EXPECT_EQ(StatusOf(With(header)), 400) << header;
  }
  EXPECT_EQ(StatusOf(With("A: a\tb \x80")), 0);
  EXPECT_TRUE(Accepted(With("Transfer-Encoding:\tchunked\t ")).chunked);
  EXPECT_EQ(Accepted(With("Content-Length: \t1 ")).content_length, 1);
}

TEST(RequestHead, AQuestionMarkInAQueryIsNoSecondQuery) {
  EXPECT_EQ(Accepted("GET /p?a=b?c HTTP/1.1\r\nHost: x\r\n\r\n").text,
            "GET /p?a=b%3Fc HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
}

TEST(RequestHead, TheConnectionEndsWhereTheCallerWantsIt) {
  EXPECT_TRUE(Accepted(With("Connection: keep-alive , Close")).close);
  EXPECT_FALSE(Accepted(With("Connection: keep-alive")).close);
  EXPECT_TRUE(Accepted("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").close);
  EXPECT_FALSE(Accepted("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n").close);
}

TEST(RequestHead, ABodyUpToTheLimitIsAcceptedAndOneByteMoreIsNot) {
  EXPECT_EQ(StatusOf(With("Content-Length: 1000")), 0);
  EXPECT_EQ(StatusOf(With("Content-Length: 1001")), 413);
  EXPECT_EQ(StatusOf(With("Content-Length: 99999999999999999999999")), 413);
}

TEST(RequestHead, ATargetUpToTheLimitIsAcceptedAndOneByteMoreIsNot) {
  const std::string longest = "/" + std::string(kRequestTargetBytesMax - 1, 'a');
  EXPECT_EQ(StatusOf("GET " + longest + " HTTP/1.1\r\nHost: x\r\n\r\n"), 0);
  EXPECT_EQ(StatusOf("GET " + longest + "a HTTP/1.1\r\nHost: x\r\n\r\n"), 414);
  // The library gets three bytes for each question mark but the first.
  const std::string marks = "/?" + std::string((kRequestTargetBytesMax - 2) / 3, '?');
  EXPECT_EQ(StatusOf("GET " + marks + " HTTP/1.1\r\nHost: x\r\n\r\n"), 0);
  EXPECT_EQ(StatusOf("GET " + marks + "? HTTP/1.1\r\nHost: x\r\n\r\n"), 414);
}

TEST(RequestHead, WhatCannotBeFramedIsRefused) {
  for (const auto& [header, status] : std::vector<std::pair<std::string_view, int>>{
           {"Content-Length: ", 400},
           {"Content-Length: -1", 400},
           {"Content-Length: 1x", 400},
           {"Content-Length: 1\r\nContent-Length: 2", 400},
           {"Content-Length: 1\r\nTransfer-Encoding: chunked", 400},
           {"Transfer-Encoding: gzip, chunked", 501},
           {"Transfer-Encoding: chunked, chunked", 501},
           {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400},
           {"Content-Encoding: gzip", 415},
           {"Name : value", 400},
           {": value", 400},
           {" folded: value", 400},
           {"no colon", 400}}) {
    EXPECT_EQ(StatusOf(With(header)), status) << header;
  }
  EXPECT_EQ(StatusOf(With("Content-Length: 1\r\nContent-Length: 1")), 0);
  EXPECT_EQ(StatusOf(With("Content-Encoding: identity")), 0);
  EXPECT_EQ(StatusOf("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(StatusOf("POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\n"), 0);
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
    EXPECT_EQ(StatusOf(std::string(line) + "\r\nHost: x\r\n\r\n"), status) << line;
  }
  for (const std::string_view method :
       {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    EXPECT_EQ(StatusOf(std::string(method) + " / HTTP/1.1\r\nHost: x\r\n\r\n"), 0) << method;
  }
}

}  // namespace
}  // namespace gangpack::server
