#include "server/demo/wrapped_text.h"

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(WrappedTextTest, ALineIsAsLongAsTheWidthAndNoLonger) {
  EXPECT_EQ(WrapText("aaa bbb", 7, 0), "aaa bbb");
  EXPECT_EQ(WrapText("aaa bbb", 6, 0), "aaa\nbbb");
}

TEST(WrappedTextTest, TheFirstLineBeginsBehindTheIndentAndTheOthersAreIndented) {
  EXPECT_EQ(WrapText("aaa bbb ccc", 9, 2), "aaa bbb\n  ccc");
  EXPECT_EQ(WrapText("aaa bbb ccc", 8, 2), "aaa\n  bbb\n  ccc");
}

TEST(WrappedTextTest, AWordThatIsTooLongHasALineOfItsOwn) {
  EXPECT_EQ(WrapText("a bbbbbb c", 4, 1), "a\n bbbbbb\n c");
  EXPECT_EQ(WrapText("bbbbbb", 4, 1), "bbbbbb");
  EXPECT_EQ(WrapText("", 4, 1), "");
}

}  // namespace
}  // namespace gangpack::server
