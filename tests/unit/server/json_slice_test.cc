#include "server/json_slice.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

JsonSlice Parsed(std::string_view text) {
  absl::StatusOr<JsonSlice> slice = JsonSlice::Parse(text);
  EXPECT_TRUE(slice.ok()) << text << ": " << slice.status();
  return slice.value_or(JsonSlice());
}

std::vector<std::pair<std::string, std::string>> Members(JsonSlice object) {
  std::vector<std::pair<std::string, std::string>> members;
  EXPECT_TRUE(object
                  .ForEachMember([&](JsonSlice key, JsonSlice value) {
                    members.emplace_back(key.text(), value.text());
                    return absl::OkStatus();
                  })
                  .ok());
  return members;
}

std::vector<std::string> Elements(JsonSlice array) {
  std::vector<std::string> elements;
  EXPECT_TRUE(array
                  .ForEachElement([&](JsonSlice element) {
                    elements.emplace_back(element.text());
                    return absl::OkStatus();
                  })
                  .ok());
  return elements;
}

TEST(JsonSlice, KindIsThatOfTheValue) {
  EXPECT_EQ(Parsed("null").kind(), JsonKind::kNull);
  EXPECT_EQ(Parsed(" true").kind(), JsonKind::kBool);
  EXPECT_EQ(Parsed("false ").kind(), JsonKind::kBool);
  EXPECT_EQ(Parsed("-1.5e3").kind(), JsonKind::kNumber);
  EXPECT_EQ(Parsed("0").kind(), JsonKind::kNumber);
  EXPECT_EQ(Parsed("\"\"").kind(), JsonKind::kString);
  EXPECT_EQ(Parsed("[]").kind(), JsonKind::kArray);
  EXPECT_EQ(Parsed("{}").kind(), JsonKind::kObject);
}

TEST(JsonSlice, TextIsTheValueWithoutTheSpaceAroundIt) {
  EXPECT_EQ(Parsed(" \t\r\n{ \"a\" : 1 } \n").text(), "{ \"a\" : 1 }");
  EXPECT_EQ(Parsed(" 12 ").text(), "12");
}

TEST(JsonSlice, MembersKeepTheirBytesAndTheirOrder) {
  EXPECT_THAT(Members(Parsed(R"({"b" : {"x":[1, 2],"y":"}]"} ,"a":"q\"}", "b":null,"n":-1.50})")),
              ElementsAre(Pair("\"b\"", R"({"x":[1, 2],"y":"}]"})"), Pair("\"a\"", R"("q\"}")"),
                          Pair("\"b\"", "null"), Pair("\"n\"", "-1.50")));
  EXPECT_THAT(Members(Parsed("{ }")), ElementsAre());
}

TEST(JsonSlice, ElementsKeepTheirBytesAndTheirOrder) {
  EXPECT_THAT(Elements(Parsed(R"([1,"a,]", [ [] ] ,{"k":[{}]},true , null])")),
              ElementsAre("1", "\"a,]\"", "[ [] ]", R"({"k":[{}]})", "true", "null"));
  EXPECT_THAT(Elements(Parsed("[\n]")), ElementsAre());
}

TEST(JsonSlice, TheFirstErrorOfAVisitorEndsTheWalk) {
  int visited = 0;
  const auto fail_at_second = [&](JsonSlice) {
    return ++visited == 2 ? absl::AbortedError("stop") : absl::OkStatus();
  };
  EXPECT_EQ(Parsed("[1,2,3]").ForEachElement(fail_at_second).code(), absl::StatusCode::kAborted);
  EXPECT_EQ(visited, 2);
}

TEST(JsonSlice, AStringWithoutEscapesIsAViewOfTheText) {
  const std::string text = "\"n\xC3\xA9-1\"";
  JsonStrings strings;
  const std::string_view value = Parsed(text).String(strings);
  EXPECT_EQ(value, "n\xC3\xA9-1");
  EXPECT_EQ(value.data(), text.data() + 1);
}

TEST(JsonSlice, EscapesAreResolved) {
  JsonStrings strings;
  EXPECT_EQ(Parsed(R"("\u003ca\u003E \u0026 \"\\\/\b\f\n\r\t")").String(strings),
            "<a> & \"\\/\b\f\n\r\t");
  EXPECT_EQ(Parsed(R"("\u00e9\u20ac\ud83d\ude00!")").String(strings),
            "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80!");
}

TEST(JsonSlice, ResolvedStringsStayWhereTheyAreWhenTheirKeeperMoves) {
  JsonStrings strings;
  std::vector<std::string_view> views;
  for (int i = 0; i < 1000; ++i) views.push_back(Parsed(R"("\u0041b")").String(strings));
  const JsonStrings moved = std::move(strings);
  for (const std::string_view view : views) EXPECT_EQ(view, "Ab");
}

TEST(JsonSlice, WhatIsNotOneJsonValueIsRefusedWithThePlace) {
  for (const std::string_view bad :
       {"", "  ", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "nul", "'a'", "{} {}", "01", "1.", "\"a",
        "\"\\x\"", "\"\\ud800\"", "\"\xff\"", "\"a\nb\"", "NaN", "// c\n1"}) {
    const absl::Status status = JsonSlice::Parse(bad).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_THAT(std::string(status.message()), HasSubstr("not JSON: ")) << bad;
    EXPECT_THAT(std::string(status.message()), HasSubstr("(byte ")) << bad;
  }
}

TEST(JsonSlice, AnythingBehindTheValueIsRefusedAlsoBehindANulByte) {
  EXPECT_TRUE(JsonSlice::Parse("{}").ok());
  EXPECT_FALSE(JsonSlice::Parse(std::string_view("{}\0", 3)).ok());
  EXPECT_FALSE(JsonSlice::Parse(std::string_view("{}\0x", 4)).ok());
}

TEST(JsonSlice, NestingOfAnyDepthNeedsNoStack) {
  constexpr size_t kDepth = 1'000'000;
  const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
  EXPECT_EQ(Parsed(deep).text().size(), 2 * kDepth);
  EXPECT_FALSE(JsonSlice::Parse(std::string_view(deep).substr(0, kDepth)).ok());
}

}  // namespace
}  // namespace gangpack::server
