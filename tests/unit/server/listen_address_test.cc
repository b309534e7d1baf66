#include "server/listen_address.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::HasSubstr;

TEST(ListenAddressTest, LoopbackAddressesAreAccepted) {
  for (const auto& [text, address, port] :
       {std::tuple("127.0.0.1:0", "127.0.0.1", 0),
        std::tuple("127.8.9.1:65535", "127.8.9.1", 65535), std::tuple("[::1]:8888", "::1", 8888),
        std::tuple("localhost:1", "127.0.0.1", 1)}) {
    const absl::StatusOr<ListenAddress> parsed = ParseListenAddress(text);
    ASSERT_TRUE(parsed.ok()) << text << parsed.status();
    EXPECT_EQ(parsed->address, address);
    EXPECT_EQ(parsed->port, port);
  }
}

TEST(ListenAddressTest, WhatOtherHostsCouldReachIsRefusedAndTheReasonIsTls) {
  for (const char* text :
       {"0.0.0.0:8888", "10.0.0.1:0", "[::]:0", "[fe80::1]:8888", "128.0.0.1:0"}) {
    const absl::StatusOr<ListenAddress> parsed = ParseListenAddress(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(text));
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("TLS is not supported yet"));
  }
}

TEST(ListenAddressTest, WhatIsNoAddressWithAPortIsRefused) {
  for (const char* text :
       {"", "127.0.0.1", "8888", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:http",
        ":8888", "example.com:80", "::1:80", "[127.0.0.1]:80", "[]:80", "127.1:80"}) {
    const absl::StatusOr<ListenAddress> parsed = ParseListenAddress(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr("127.0.0.1:8888"));
  }
}

}  // namespace
}  // namespace gangpack::server
