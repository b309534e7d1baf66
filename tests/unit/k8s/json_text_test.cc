#include "k8s/json_text.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "tests/unit/k8s/text_pieces.h"

namespace gangpack::k8s {
namespace {

std::string AtHand(const JsonText& text) { return std::string(text.begin(), text.end()); }

TEST(JsonTextTest, ATextThatIsThereIsOnePiece) {
  std::string all = "abc";
  JsonText text(&all);
  EXPECT_EQ(AtHand(text), "abc");
  EXPECT_EQ(*text.end(), '\0');
  EXPECT_FALSE(text.Next("", /*keep=*/false));
  EXPECT_EQ(AtHand(text), "abc");
}

TEST(JsonTextTest, ATokenStandsBeforeThePieceThatContinuesIt) {
  JsonText text(InPieces("abcdef", 4));
  EXPECT_EQ(AtHand(text), "");
  ASSERT_TRUE(text.Next("", /*keep=*/false));
  EXPECT_EQ(AtHand(text), "abcd");
  ASSERT_TRUE(text.Next({text.begin() + 2, 2}, /*keep=*/false));
  EXPECT_EQ(AtHand(text), "cdef");
  EXPECT_EQ(*text.end(), '\0');
  EXPECT_FALSE(text.Next({text.begin(), 4}, /*keep=*/false));
  EXPECT_EQ(AtHand(text), "cdef");
  EXPECT_EQ(text.bytes(), 6u);
}

TEST(JsonTextTest, APieceThatIsKeptStays) {
  JsonText text(InPieces("abcdef", 2));
  ASSERT_TRUE(text.Next("", /*keep=*/false));
  const absl::string_view first(text.begin(), 2);
  ASSERT_TRUE(text.Next("", /*keep=*/true));
  const absl::string_view second(text.begin(), 2);
  ASSERT_TRUE(text.Next("", /*keep=*/true));
  EXPECT_EQ(first, "ab");
  EXPECT_EQ(second, "cd");
  text.Forget();
  EXPECT_EQ(AtHand(text), "ef");
}

TEST(JsonTextTest, ACharacterIsNotCutByTheEndOfAPiece) {
  JsonText text(InPieces("a\xF0\x9F\x98\x80z", 2));
  std::string all;
  while (text.Next("", /*keep=*/false)) {
    all += AtHand(text);
    EXPECT_TRUE(all == "a" || all == "a\xF0\x9F\x98\x80" || all == "a\xF0\x9F\x98\x80z") << all;
  }
  EXPECT_EQ(all, "a\xF0\x9F\x98\x80z");
  EXPECT_EQ(text.invalid_after(), std::nullopt);
}

TEST(JsonTextTest, AByteThatIsNoUtf8EndsTheText) {
  for (const char* bytes : {"ab\n\xFF\n", "ab\n\xF0\x9F\x98", "ab\n\xC3\n"}) {
    JsonText text(InPieces(bytes, 4));
    text.Next("", /*keep=*/false);
    EXPECT_FALSE(text.Next("", /*keep=*/false)) << bytes;
    text.ReadToEnd(text.end());
    EXPECT_TRUE(text.invalid_after().has_value()) << bytes;
  }
}

TEST(JsonTextTest, TheRestIsReadForItsSizeAndItsBytes) {
  JsonText good(InPieces("a\nb\nc\nd", 3));
  ASSERT_TRUE(good.Next("", /*keep=*/false));
  good.ReadToEnd(good.begin());
  EXPECT_EQ(good.bytes(), 7u);
  EXPECT_EQ(good.invalid_after(), std::nullopt);

  JsonText bad(InPieces("a\nb\nc\n\xFF more", 3));
  ASSERT_TRUE(bad.Next("", /*keep=*/false));
  bad.ReadToEnd(bad.begin() + 2);
  EXPECT_EQ(bad.bytes(), 12u);
  EXPECT_EQ(bad.invalid_after(), 2);
}

}  // namespace
}  // namespace gangpack::k8s
