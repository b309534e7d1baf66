#include "server/json_reader.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string ErrorOf(std::string_view text) {
  JsonStrings strings;
  JsonReader reader(text, &strings);
  reader.Skip();
  const absl::Status status = reader.End();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(status.message());
}

TEST(JsonReader, ReadsNestedListsInOnePass) {
  JsonStrings strings;
  JsonReader reader(R"( {"a": [1, {"b": "x"}, []], "c": {}, "d" : "y" } )", &strings);
  std::vector<std::string> seen;
  ASSERT_EQ(reader.kind(), JsonKind::kObject);
  reader.BeginObject();
  for (std::string_view key; reader.NextKey(key);) {
    seen.emplace_back(key);
    if (reader.kind() == JsonKind::kArray) {
      reader.BeginArray();
      while (reader.NextElement()) seen.emplace_back(reader.Skip());
    } else if (reader.kind() == JsonKind::kString) {
      seen.emplace_back(reader.String());
    } else {
      reader.BeginObject();
      for (std::string_view inner; reader.NextKey(inner);) ADD_FAILURE() << inner;
    }
  }
  EXPECT_TRUE(reader.End().ok()) << reader.End();
  EXPECT_THAT(seen, ElementsAre("a", "1", R"({"b": "x"})", "[]", "c", "d", "y"));
}

TEST(JsonReader, TheHeadOfAnArrayMayBeReadAsStrings) {
  JsonStrings strings;
  JsonReader reader(R"(["a" , "b\u0041", 7, "c"])", &strings);
  std::vector<absl::string_view> names;
  reader.BeginArray();
  reader.NextStrings(names);
  EXPECT_THAT(names, ElementsAre("a", "bA"));
  ASSERT_TRUE(reader.NextElement());
  EXPECT_EQ(reader.kind(), JsonKind::kNumber);
  reader.Skip();
  reader.NextStrings(names);
  EXPECT_THAT(names, ElementsAre("a", "bA", "c"));
  reader.NextStrings(names);  // There is none.
  EXPECT_FALSE(reader.NextElement());
  EXPECT_TRUE(reader.End().ok());
}

TEST(JsonReader, TheTextBetweenTwoPlacesIsGivenAsItIs) {
  JsonStrings strings;
  JsonReader reader(R"( {"a" : 1.50} )", &strings);
  const char* const mark = reader.Mark();
  reader.Skip();
  EXPECT_EQ(reader.Since(mark), R"({"a" : 1.50})");
}

TEST(JsonReader, AfterAnErrorEverythingIsNullAndOver) {
  JsonStrings strings;
  JsonReader reader(R"(["a", nul, "b"])", &strings);
  std::vector<absl::string_view> names;
  reader.BeginArray();
  reader.NextStrings(names);
  ASSERT_TRUE(reader.NextElement());
  EXPECT_EQ(reader.Skip(), "null");
  EXPECT_FALSE(reader.NextElement());
  EXPECT_EQ(reader.kind(), JsonKind::kNull);
  names.clear();
  reader.NextStrings(names);
  EXPECT_THAT(names, IsEmpty());
  EXPECT_EQ(std::string(reader.End().message()), "not JSON: expected a value (byte 6)");
}

TEST(JsonReader, TheFirstErrorIsToldWithItsPlace) {
  EXPECT_EQ(ErrorOf(""), "not JSON: expected a value (byte 0)");
  EXPECT_EQ(ErrorOf("[1 2]"), "not JSON: expected a comma or a closing bracket (byte 3)");
  EXPECT_EQ(ErrorOf("{\"a\":1"), "not JSON: expected a comma or a closing brace (byte 6)");
  EXPECT_EQ(ErrorOf("{1:2}"), "not JSON: expected a key in quotes (byte 1)");
  EXPECT_EQ(ErrorOf("{\"a\" 1}"), "not JSON: expected a colon (byte 5)");
  EXPECT_EQ(ErrorOf("\"a"), "not JSON: expected a closing quote (byte 2)");
  EXPECT_EQ(ErrorOf("\"a\n\""), "not JSON: expected no control character in a string (byte 2)");
  EXPECT_EQ(ErrorOf("\"ab\\x\""), "not JSON: expected an escaped character (byte 3)");
  EXPECT_EQ(ErrorOf("\"a\xC3\""), "not JSON: expected UTF-8 (byte 2)");
  EXPECT_EQ(ErrorOf("-"), "not JSON: expected a digit (byte 1)");
  EXPECT_EQ(ErrorOf("{} x"), "not JSON: expected nothing behind the value (byte 3)");
}

TEST(JsonReader, EveryByteOfALongStringIsLookedAt) {
  for (size_t at = 0; at < 40; ++at) {
    std::string text = "\"" + std::string(40, 'x') + "\"";
    text[1 + at] = '\x1F';
    EXPECT_EQ(ErrorOf(text), "not JSON: expected no control character in a string (byte " +
                                 std::to_string(1 + at) + ")");
    text[1 + at] = '\xFF';
    EXPECT_EQ(ErrorOf(text), "not JSON: expected UTF-8 (byte " + std::to_string(1 + at) + ")");
  }
}

TEST(JsonReader, NumbersAreThoseOfJson) {
  for (const std::string_view good : {"0", "-0", "10", "1.5", "1e5", "1E+5", "-1.25e-300"}) {
    JsonStrings strings;
    JsonReader reader(good, &strings);
    EXPECT_EQ(reader.Skip(), good);
    EXPECT_TRUE(reader.End().ok()) << good;
  }
  for (const std::string_view bad : {"01", "1.", ".5", "+1", "1e", "1e+", "-a", "0x1", "--1"}) {
    EXPECT_EQ(ErrorOf(bad).substr(0, 8), "not JSON") << bad;
  }
}

}  // namespace
}  // namespace gangpack::server
