#include "k8s/json_parser.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/text_pieces.h"
#include "tests/unit/k8s/value_text.h"

namespace gangpack::k8s {
namespace {

// The roots, or the refusal.
std::string Parsed(JsonText* text) {
  DocumentBuilder builder("f");
  if (!JsonParser(text, &builder).Parse()) return std::string(builder.status().message());
  return RootsText(builder.Finish(nullptr));
}

std::string Parsed(std::string all) {
  JsonText text(&all);
  return Parsed(&text);
}

std::string ParsedInPieces(const std::string& all, size_t size) {
  JsonText text(InPieces(all, size));
  return Parsed(&text);
}

TEST(JsonParserTest, ANumberIsRefusedBeyondWhatADoubleHolds) {
  const std::string large = "179769313486231570";
  const std::string held = absl::StrCat(large, std::string(309 - large.size(), '0'));
  EXPECT_EQ(Parsed(held), held);
  EXPECT_EQ(Parsed("1e308"), "1e308");
  EXPECT_EQ(Parsed("0.01e310"), "0.01e310");
  EXPECT_EQ(Parsed("1e-400"), "1e-400");
  const std::string refusal = "f:1: number too large, expected one below 1.8e308";
  EXPECT_EQ(Parsed(held + "0"), refusal);
  EXPECT_EQ(Parsed("-2" + std::string(308, '0') + "1"), refusal);
  EXPECT_EQ(Parsed("1e309"), refusal);
  EXPECT_EQ(Parsed("0.01e311"), refusal);
  EXPECT_EQ(Parsed("1e99999999999999999999"), refusal);
}

TEST(JsonParserTest, AnEscapeAcrossPiecesIsOneCharacter) {
  const std::string text = R"(["a\u00e9b","\ud83d\ude00","x\n\n\n\n\n\u0041","\\\"\/\b\f\r\t"])";
  for (size_t size = 1; size < text.size(); ++size) {
    EXPECT_EQ(ParsedInPieces(text, size), Parsed(text)) << size;
  }
}

TEST(JsonParserTest, ATokenMayBeLongerThanManyPieces) {
  const std::string plain(3'000'000, 'x');
  const std::string text = absl::StrCat(R"({"k":")", plain, R"(","\u0041)", plain, R"(":1})");
  EXPECT_EQ(ParsedInPieces(text, 1 << 20), Parsed(text));
}

TEST(JsonParserTest, PlainTextOfEveryLengthEndsAtItsQuote) {
  for (size_t size = 0; size < 40; ++size) {
    for (const char* end : {"", "\\n", "\xC3\xA9", "\\\\"}) {
      const std::string text = absl::StrCat("[\"", std::string(size, '~'), end, "\",2]");
      EXPECT_EQ(ParsedInPieces(text, 1), Parsed(text)) << text;
      EXPECT_EQ(Parsed(text).substr(Parsed(text).size() - 3), ",2]") << text;
    }
    EXPECT_EQ(Parsed(absl::StrCat("\"", std::string(size, '~'), "\x1F\"")).substr(0, 10),
              "f:1: bad e");
  }
}

TEST(JsonParserTest, SaysHowFarItHasGot) {
  std::string all = "[1,\n2,\n x]";
  JsonText text(&all);
  DocumentBuilder builder("f");
  JsonParser parser(&text, &builder);
  EXPECT_FALSE(parser.Parse());
  EXPECT_EQ(parser.line(), 3);
  EXPECT_EQ(parser.position(), all.data() + 8);
}

}  // namespace
}  // namespace gangpack::k8s
