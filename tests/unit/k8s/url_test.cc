#include "k8s/url.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

Url Parsed(const std::string& text) {
  const absl::StatusOr<Url> url = ParseUrl(text);
  EXPECT_TRUE(url.ok()) << url.status();
  return url.value_or(Url{});
}

TEST(UrlTest, SchemeHostPortAndPathAreTakenApart) {
  const Url url = Parsed("https://api.example.com:6443/clusters/a/");
  EXPECT_TRUE(url.tls);
  EXPECT_EQ(url.host, "api.example.com");
  EXPECT_EQ(url.port, 6443);
  EXPECT_EQ(url.path, "/clusters/a");
  EXPECT_EQ(url.ToString(), "https://api.example.com:6443/clusters/a");
}

TEST(UrlTest, ThePortIsThatOfTheScheme) {
  EXPECT_EQ(Parsed("https://h").port, 443);
  EXPECT_EQ(Parsed("HTTP://h/").port, 80);
  EXPECT_EQ(Parsed("h:1").ToString(), "https://h:1");
}

TEST(UrlTest, AnIpv6AddressStandsInBrackets) {
  const Url url = Parsed("https://[::1]:6443");
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.Authority(), "[::1]:6443");
  EXPECT_EQ(Parsed("https://[::1]").port, 443);
}

TEST(UrlTest, TheUserIsDecodedAndNotPrinted) {
  const Url url = Parsed("http://me:p%40ss@proxy:3128");
  EXPECT_EQ(url.user_info, "me:p@ss");
  EXPECT_EQ(url.ToString(), "http://proxy:3128");
}

TEST(UrlTest, PortsAreFrom1To65535) {
  EXPECT_EQ(Parsed("h:65535").port, 65535);
  for (const char* text : {"h:0", "h:65536", "h:x", "h:-1"}) {
    EXPECT_EQ(ParseUrl(text).status().message(),
              std::string("`") + text + "`, expected a port from 1 to 65535");
  }
}

TEST(UrlTest, WhatIsNoSuchUrlIsRefused) {
  for (const char* text :
       {"", "https://", "ftp://h", "socks5://h", "https://h?a", "https://h/p?a", "https://h/#a",
        "https://a b", "https://[::1", "https://[::1]x", "https://u%zz@h", "https://h/\n"}) {
    EXPECT_EQ(ParseUrl(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace gangpack::k8s
