#include "server/descriptor_limit.h"

#include <sys/resource.h>

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

rlim_t SoftLimit() {
  rlimit limit = {};
  EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  return limit.rlim_cur;
}

TEST(AllowDescriptors, RaisesTheSoftLimitUpToTheHardOneAndNoFurther) {
  const rlimit limit = {.rlim_cur = 200, .rlim_max = 300};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_TRUE(AllowDescriptors(200).ok());
  EXPECT_EQ(SoftLimit(), 200u);
  EXPECT_TRUE(AllowDescriptors(250).ok());
  EXPECT_EQ(SoftLimit(), 250u);
  const absl::Status refused = AllowDescriptors(301);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(std::string(refused.message()),
            "301 file descriptors are needed, the hard limit is 300 (ulimit -Hn)");
  EXPECT_EQ(SoftLimit(), 250u);
  EXPECT_TRUE(AllowDescriptors(300).ok());
  EXPECT_EQ(SoftLimit(), 300u);
  EXPECT_TRUE(AllowDescriptors(10).ok()) << "it is never lowered";
  EXPECT_EQ(SoftLimit(), 300u);
}

}  // namespace
}  // namespace gangpack::server
