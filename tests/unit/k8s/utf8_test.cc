#include "k8s/utf8.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

// Far enough into the text that the fast way over ASCII is taken first.
std::optional<size_t> FindAfterAscii(const std::string& bytes) {
  const std::optional<size_t> offset = FindInvalidUtf8("0123456789" + bytes + "ABCDEFGHIJ");
  return offset.has_value() ? std::optional<size_t>(*offset - 10) : std::nullopt;
}

TEST(FindInvalidUtf8Test, AcceptsTheEdgesOfEveryLength) {
  for (const char* text :
       {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(FindAfterAscii(text), std::nullopt) << text;
    EXPECT_EQ(FindInvalidUtf8(text), std::nullopt) << text;
  }
}

TEST(FindInvalidUtf8Test, RefusesWhatLiesBeyondTheEdges) {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(FindAfterAscii(text), 0u) << text;
    EXPECT_EQ(FindInvalidUtf8(text), 0u) << text;
  }
}

TEST(FindInvalidUtf8Test, RefusesCutSequences) {
  for (const char* text : {"\xC2", "\xE0\xA0", "\xE1", "\xF0\x90\x80", "\xF1"}) {
    EXPECT_EQ(FindAfterAscii(text), 0u) << text;
    EXPECT_EQ(FindInvalidUtf8(text), 0u) << text;
  }
  EXPECT_EQ(FindInvalidUtf8("ab\xC3\xA9\xC3"), 4u);
}

TEST(LineOfOffsetTest, CountsFromOne) {
  EXPECT_EQ(LineOfOffset("a\nb\n", 0), 1);
  EXPECT_EQ(LineOfOffset("a\nb\n", 1), 1);
  EXPECT_EQ(LineOfOffset("a\nb\n", 2), 2);
}

}  // namespace
}  // namespace gangpack::k8s
