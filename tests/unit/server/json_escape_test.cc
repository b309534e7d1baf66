#include "server/json_escape.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

// How many bytes the escape takes at the beginning of `text`; -1 if it is none.
int LengthOf(std::string_view text) {
  const char* const end = EndOfJsonEscape(text.data(), text.data() + text.size());
  return end == nullptr ? -1 : static_cast<int>(end - text.data());
}

TEST(EndOfJsonEscape, AcceptsTheEscapesOfJsonAndNoOthers) {
  for (const char c : std::string_view("\"\\/bfnrt")) {
    EXPECT_EQ(LengthOf(std::string("\\") + c + "x"), 2) << c;
  }
  for (const char c : std::string_view("a0'xUv ")) {
    EXPECT_EQ(LengthOf(std::string("\\") + c + "0041"), -1) << c;
  }
  EXPECT_EQ(LengthOf("\\"), -1);
}

TEST(EndOfJsonEscape, AUnicodeEscapeHasFourHexadecimalDigits) {
  EXPECT_EQ(LengthOf("\\u00e9"), 6);
  EXPECT_EQ(LengthOf("\\uABcd9"), 6);
  EXPECT_EQ(LengthOf("\\u00e"), -1);
  EXPECT_EQ(LengthOf("\\u00g0"), -1);
}

TEST(EndOfJsonEscape, SurrogatesComeInPairs) {
  EXPECT_EQ(LengthOf("\\ud83d\\ude00"), 12);
  EXPECT_EQ(LengthOf("\\ud83d\\ude0"), -1);
  EXPECT_EQ(LengthOf("\\ud83d\\u0041"), -1);
  EXPECT_EQ(LengthOf("\\ud83dxxxxxx"), -1);
  EXPECT_EQ(LengthOf("\\ude00"), -1);
  EXPECT_EQ(LengthOf("\\ud7ff"), 6);
  EXPECT_EQ(LengthOf("\\ue000"), 6);
}

TEST(UnescapeJson, ResolvesEveryEscape) {
  EXPECT_EQ(UnescapeJson("a\\n\\t\\r\\b\\f\\\"\\\\\\/z"), "a\n\t\r\b\f\"\\/z");
  EXPECT_EQ(UnescapeJson("\\u0041\\u00e9\\u20ac\\ud83d\\ude00"),
            "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(AppendJsonString, EscapesWhatGoEscapes) {
  std::string out = "x";
  AppendJsonString(out, "a\"b\\c\n\r\t\x01<>&\x7f\xC3\xA9/");
  EXPECT_EQ(out, "x\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u003c\\u003e\\u0026\x7f\xC3\xA9/\"");
}

TEST(AppendJsonString, WhatItWritesIsReadBackTheSame) {
  std::string all;
  for (int c = 0; c < 0x80; ++c) all.push_back(static_cast<char>(c));
  std::string out;
  AppendJsonString(out, all);
  EXPECT_EQ(UnescapeJson(std::string_view(out).substr(1, out.size() - 2)), all);
}

TEST(AppendJsonString, AnEscapeIsFoundAtEveryPlaceOfALongText) {
  for (size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '<';
    std::string out;
    AppendJsonString(out, text);
    EXPECT_EQ(out, "\"" + std::string(at, 'x') + "\\u003c" + std::string(39 - at, 'x') + "\"");
  }
}

}  // namespace
}  // namespace gangpack::server
