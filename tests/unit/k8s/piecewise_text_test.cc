#include "k8s/piecewise_text.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "tests/unit/k8s/text_pieces.h"

namespace gangpack::k8s {
namespace {

std::string AtHand(const PiecewiseText& text) { return std::string(text.begin(), text.end()); }

TEST(PiecewiseTextTest, TheRestOfAPieceStandsBeforeTheNextOne) {
  PiecewiseText text(InPieces("abcdef", 4));
  EXPECT_EQ(AtHand(text), "");
  ASSERT_TRUE(text.Next(""));
  EXPECT_EQ(AtHand(text), "abcd");
  ASSERT_TRUE(text.Next({text.begin() + 2, 2}));
  EXPECT_EQ(AtHand(text), "cdef");
  EXPECT_FALSE(text.Next({text.begin() + 1, 3}));
  EXPECT_EQ(AtHand(text), "def");
  EXPECT_EQ(text.bytes(), 6u);
}

TEST(PiecewiseTextTest, ACharacterIsNotCutByTheEndOfAPiece) {
  for (const size_t size : {1, 2, 3}) {
    PiecewiseText text(InPieces("a\xF0\x9F\x98\x80z", size));
    std::string all;
    while (text.Next("")) {
      all += AtHand(text);
      EXPECT_TRUE(all == "a" || all == "a\xF0\x9F\x98\x80" || all == "a\xF0\x9F\x98\x80z") << all;
    }
    EXPECT_EQ(all, "a\xF0\x9F\x98\x80z");
    EXPECT_EQ(text.invalid_line(), std::nullopt);
  }
}

TEST(PiecewiseTextTest, AByteThatIsNoUtf8EndsTheText) {
  for (const char* bytes : {"ab\n\xFF\n", "ab\n\xF0\x9F\x98", "ab\n\xC3\n"}) {
    PiecewiseText text(InPieces(bytes, 4));
    while (text.Next("")) continue;
    EXPECT_EQ(text.invalid_line(), 2) << bytes;
    EXPECT_FALSE(text.Next("")) << bytes;
  }
}

TEST(PiecewiseTextTest, TheRestIsReadForItsSizeAndItsBytes) {
  PiecewiseText good(InPieces("a\nb\nc\nd", 3));
  ASSERT_TRUE(good.Next(""));
  good.ReadToEnd();
  EXPECT_EQ(good.bytes(), 7u);
  EXPECT_EQ(good.invalid_line(), std::nullopt);

  PiecewiseText bad(InPieces("a\nb\nc\n\xFF more", 3));
  ASSERT_TRUE(bad.Next(""));
  bad.ReadToEnd();
  EXPECT_EQ(bad.bytes(), 12u);
  EXPECT_EQ(bad.invalid_line(), 4);
}

}  // namespace
}  // namespace gangpack::k8s
