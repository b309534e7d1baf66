#include "server/descriptor_buffer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

constexpr size_t kBufferBytes = 65536;

class DescriptorBufferTest : public testing::TestWithParam<size_t> {};

TEST_P(DescriptorBufferTest, WhatIsFlushedArrivesWholeAndInOrder) {
  std::string text;
  for (size_t i = 0; i < GetParam(); ++i) text += static_cast<char>('a' + i % 23);
  const std::string path = testing::TempDir() + "/descriptor_buffer";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ASSERT_GE(file, 0);
  DescriptorBuffer buffer(file);
  std::ostream out(&buffer);
  out << text.substr(0, text.size() / 2) << text.substr(text.size() / 2) << std::flush;
  EXPECT_TRUE(out.good());
  EXPECT_EQ(buffer.error(), 0);
  close(file);
  std::ostringstream read;
  read << std::ifstream(path).rdbuf();
  EXPECT_EQ(read.str(), text);
}

TEST_P(DescriptorBufferTest, AFailedWriteIsRememberedWithItsReason) {
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  DescriptorBuffer buffer(full);
  std::ostream out(&buffer);
  out << std::string(GetParam(), 'x');
  EXPECT_EQ(buffer.error(), GetParam() > kBufferBytes ? ENOSPC : 0) << "nothing was written so far";
  out << std::flush;
  EXPECT_TRUE(out.bad());
  EXPECT_EQ(buffer.error(), ENOSPC);
  errno = 0;
  out.clear();
  out << "more" << std::flush;
  EXPECT_EQ(errno, 0) << "nothing more is tried";
  EXPECT_EQ(buffer.error(), ENOSPC);
  close(full);
}

INSTANTIATE_TEST_SUITE_P(Sizes, DescriptorBufferTest,
                         testing::Values(1, kBufferBytes, kBufferBytes + 1, 5 * kBufferBytes));

TEST(EmptyDescriptorBufferTest, NothingToWriteIsNoFailureWhateverTheDescriptor) {
  DescriptorBuffer buffer(-1);
  std::ostream out(&buffer);
  out << std::flush;
  EXPECT_EQ(buffer.error(), 0);
  out << "x" << std::flush;
  EXPECT_EQ(buffer.error(), EBADF);
}

}  // namespace
}  // namespace gangpack::server
