#include "k8s/json_reader.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/document_builder.h"
#include "tests/unit/k8s/text_pieces.h"
#include "tests/unit/k8s/value_text.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Documents Read(std::string text) {
  absl::StatusOr<Documents> documents = ReadJson({"f.json", std::move(text)});
  EXPECT_TRUE(documents.ok()) << documents.status();
  if (!documents.ok()) return Documents("", DocumentArena(), {});
  return *std::move(documents);
}

std::string Refusal(std::string text) {
  const absl::StatusOr<Documents> documents = ReadJson({"f.json", std::move(text)});
  EXPECT_EQ(documents.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(documents.status().message());
}

std::string Nested(int depth) {
  return absl::StrCat(std::string(depth, '['), std::string(depth, ']'));
}

TEST(JsonReaderTest, ReadsEveryKindOfValue) {
  EXPECT_EQ(RootsText(Read(R"({"a":[null,true,false,-1.50e+3,"x",{}],"b":{"c":[]}})")),
            R"({"a":[null,true,false,-1.50e+3,"x",{}],"b":{"c":[]}})");
}

TEST(JsonReaderTest, ValuesAndKeysKnowTheirLines) {
  const Documents documents = Read("\n{\n\"a\"\n:\n[1,\n\"x\\ny\",\ntrue], \"b\":\n{}}\n[\n]");
  const Value root = documents.roots()[0];
  EXPECT_EQ(root.line(), 2);
  EXPECT_EQ(root.members()[0].key_line, 3);
  EXPECT_EQ(root.members()[0].value.line(), 5);
  EXPECT_EQ(root.members()[0].value.items()[0].line(), 5);
  EXPECT_EQ(root.members()[0].value.items()[1].line(), 6);
  EXPECT_EQ(root.members()[0].value.items()[2].line(), 7);
  EXPECT_EQ(root.members()[1].key_line, 7);
  EXPECT_EQ(root.members()[1].value.line(), 8);
  EXPECT_EQ(documents.roots()[1].line(), 9);
}

TEST(JsonReaderTest, NumbersKeepTheirDigits) {
  EXPECT_EQ(RootsText(Read("[9223372036854775807,-9223372036854775808,18446744073709551616,0.10]")),
            "[9223372036854775807,-9223372036854775808,18446744073709551616,0.10]");
}

TEST(JsonReaderTest, EscapesAreDecoded) {
  EXPECT_EQ(Read(R"("\u0041\u00e9\ud83d\ude00\n\/\"")").roots()[0].text(),
            "A\xC3\xA9\xF0\x9F\x98\x80\n/\"");
  EXPECT_EQ(Read(R"({"\u0041":1})").roots()[0].members()[0].key(), "A");
}

TEST(JsonReaderTest, DocumentsFollowEachOther) {
  EXPECT_EQ(RootsText(Read("{\"a\":1}{\"b\":2} 3\n---\n[4]\n---\n---\n\"5\"\n")),
            R"({"a":1} {"b":2} 3 [4] "5")");
}

TEST(JsonReaderTest, DocumentsWithoutContentAreSkipped) {
  EXPECT_TRUE(Read("").roots().empty());
  EXPECT_TRUE(Read(" \n\t\r\n").roots().empty());
  EXPECT_EQ(RootsText(Read("null {} null")), "{}");
  EXPECT_EQ(RootsText(Read("\xEF\xBB\xBF{}")), "{}");
}

TEST(JsonReaderTest, FindsMembersByName) {
  const Documents documents = Read(R"({"a":1,"b":null,"":2})");
  const Value root = documents.roots()[0];
  EXPECT_EQ(root.Find("a")->text(), "1");
  EXPECT_TRUE(root.Find("b")->is_null());
  EXPECT_EQ(root.Find("")->text(), "2");
  EXPECT_EQ(root.Find("c"), nullptr);
  EXPECT_EQ(root.Find("a")->Find("x"), nullptr);
}

TEST(JsonReaderTest, ResultSurvivesBeingMoved) {
  Documents first = Read(R"({"a":"short","b":"x"})");
  const Documents second = std::move(first);
  EXPECT_EQ(RootsText(second), R"({"a":"short","b":"x"})");
}

TEST(JsonReaderTest, AKeyThatAppearsTwiceIsRefusedWithItsLineAndPath) {
  EXPECT_EQ(Refusal("{\"a\":[{},{\"b\":{\"k\":1,\n\"k\":1}}]}"),
            "f.json:2: a[1].b.k: the key appears twice, expected it once in an object");
  EXPECT_EQ(Refusal("{\"k\":1,\"\\u006b\":1}"),
            "f.json:1: k: the key appears twice, expected it once in an object");
}

TEST(JsonReaderTest, AKeyThatAppearsTwiceIsFoundInALargeObjectToo) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) absl::StrAppend(&text, "\"k", i, "\":1,\n");
  EXPECT_EQ(Read(absl::StrCat(text, "\"k100\":1}")).roots()[0].members().size(), 101u);
  EXPECT_THAT(Refusal(absl::StrCat(text, "\"k50\":1}")), StartsWith("f.json:101: k50: "));
}

TEST(JsonReaderTest, TheSameKeyInDifferentObjectsIsFine) {
  EXPECT_EQ(RootsText(Read(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})")),
            R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})");
}

TEST(JsonReaderTest, NestingIsLimited) {
  EXPECT_EQ(RootsText(Read(Nested(kMaxNestingDepth))), Nested(kMaxNestingDepth));
  EXPECT_EQ(
      Refusal("\n" + Nested(kMaxNestingDepth + 1)),
      "f.json:2: nested too deeply, expected at most 200 lists and objects inside each other");
  EXPECT_THAT(Refusal(std::string(1 << 20, '[')), HasSubstr("nested too deeply"));
}

TEST(JsonReaderTest, TextThatIsNoUtf8IsRefused) {
  EXPECT_EQ(Refusal("{\"a\":\n\"\xC3\"}"), "f.json:2: invalid byte, expected UTF-8 text");
  EXPECT_EQ(Refusal("\xFF\xFE{"), "f.json:1: invalid byte, expected UTF-8 text");
  EXPECT_EQ(Refusal(std::string("\"a\0b\"", 5)),
            "f.json:1: string without an end, expected a closing '\"'");
  EXPECT_THAT(Refusal(std::string("{}\0{}", 5)), StartsWith("f.json:1: bad JSON"));
}

TEST(JsonReaderTest, HalfASurrogatePairIsRefused) {
  for (const char* text : {R"("\ud83d")", R"("\ude00")", R"(["x","\ud83dx"])", R"({"\ude00":1})",
                           R"("\ud83d\ud83d")"}) {
    EXPECT_EQ(Refusal(text), "f.json:1: bad \\u escape, expected surrogates in pairs of two")
        << text;
  }
}

std::string Described(const absl::StatusOr<Documents>& documents) {
  return documents.ok() ? RootsText(*documents) : std::string(documents.status().message());
}

constexpr size_t kPieceSizes[] = {1, 2, 3, 7, 1000};

TEST(JsonReaderTest, ATextInPiecesIsWhatItIsAsAWhole) {
  for (const std::string text :
       {"\xEF\xBB\xBF {\"a\":[null,true,-1.50e+3]}\n---\n[\"\\n\\ud83d\\ude00\xC3\xA9\\\"\"] 12",
        "{\"items\":[{\"a\":\"b\\u00e9\"},3,{\"c\":[{\"items\":[{}]}]}],\"k\":\"v\"}", "",
        "{}\n--- x", "{\"items\":[{\"k\":1,\n\"k\":2}]}", "{}\n{\"a\" 1}", "[\"\\ud83d\"]",
        "\n[1e400]", "\"\n", "{ } }\n\xFF", "[\n\"\xC3\"]"}) {
    for (const size_t size : kPieceSizes) {
      const auto leave = [](const OfferedItem&) { return false; };
      EXPECT_EQ(Described(ReadJson(TextStream{"f.json", InPieces(text, size)}, leave)),
                Described(ReadJson(TextSource{"f.json", text})))
          << size << " bytes each of " << text;
    }
  }
}

std::string InPiecesOf(size_t size, const std::string& text) {
  return Described(ReadJson(TextStream{"f.json", InPieces(text, size)}, nullptr));
}

TEST(JsonReaderTest, AnEscapeAcrossPiecesIsOneCharacter) {
  const std::string text = R"(["a\u00e9b","\ud83d\ude00","x\n\n\n\n\n\u0041","\\\"\/\b\f\r\t"])";
  for (size_t size = 1; size < text.size(); ++size) {
    EXPECT_EQ(InPiecesOf(size, text), Described(ReadJson(TextSource{"f.json", text}))) << size;
  }
}

TEST(JsonReaderTest, AStringMayBeLongerThanManyPieces) {
  const std::string plain(3'000'000, 'x');
  const std::string text = absl::StrCat(R"({"k":")", plain, R"(","z)", plain, R"(":1})");
  EXPECT_TRUE(InPiecesOf(1 << 20, text) == text);  // they are too long to print
}

TEST(JsonReaderTest, ANumberIsRefusedBeyondWhatADoubleHolds) {
  const std::string large = "179769313486231570";
  const std::string held = absl::StrCat(large, std::string(309 - large.size(), '0'));
  for (const std::string& number : {held, std::string("1e308"), std::string("0.01e310"),
                                    std::string("-0.5"), std::string("1e-400")}) {
    EXPECT_EQ(InPiecesOf(1000, number), number);
  }
  for (const std::string& number :
       {held + "0", "-2" + std::string(308, '0') + "1", std::string("1e309"),
        std::string("0.01e311"), std::string("1e99999999999999999999")}) {
    EXPECT_EQ(InPiecesOf(1000, number), "f.json:1: number too large, expected one below 1.8e308");
  }
}

TEST(JsonReaderTest, ObjectsInItemsOfADocumentAreOfferedAndNullWhereTaken) {
  const std::string text =
      "{\"apiVersion\":\"v1\",\"items\":[{\"a\":\"x\"},1,\n{\"items\":[{}]},{\"b\":[\"y\"]}],"
      "\"kind\":\"List\"}\n{\"items\":{\"c\":{}},\"d\":[{}]} {\"kind\":\"K\",\"items\":[{}]}";
  for (const size_t size : kPieceSizes) {
    std::vector<std::string> offered;
    const auto take = [&offered](const OfferedItem& offer) {
      offered.push_back(absl::StrCat(offer.document, " ", offer.index, " ", offer.item.line(), " ",
                                     offer.api_version, "/", offer.kind, " ",
                                     ValueText(offer.item)));
      return offer.index != 3;
    };
    const auto documents = ReadJson(TextStream{"f.json", InPieces(text, size)}, take);
    EXPECT_EQ(Described(documents),
              R"({"apiVersion":"v1","items":[null,1,null,{"b":["y"]}],"kind":"List"} )"
              R"({"d":[{}],"items":{"c":{}}} {"items":[null],"kind":"K"})");
    EXPECT_THAT(offered, ElementsAre("0 0 1 v1/ {\"a\":\"x\"}", "0 2 2 v1/ {\"items\":[{}]}",
                                     "0 3 2 v1/ {\"b\":[\"y\"]}", "2 0 3 /K {}"));
  }
}

TEST(JsonReaderTest, TheRestOfATextThatIsRefusedIsReadToo) {
  int left = 3;
  const auto read = [&left](char* to, size_t) -> size_t {
    *to = '}';
    return left-- > 0 ? 1 : 0;
  };
  EXPECT_FALSE(ReadJson(TextStream{"f.json", read}, nullptr).ok());
  EXPECT_LT(left, 0);
}

struct BadSyntax {
  const char* text;
  const char* refusal;
};

class JsonSyntaxTest : public ::testing::TestWithParam<BadSyntax> {};

TEST_P(JsonSyntaxTest, IsRefusedWithItsLine) {
  EXPECT_THAT(Refusal(GetParam().text), StartsWith(GetParam().refusal));
}

INSTANTIATE_TEST_SUITE_P(
    , JsonSyntaxTest,
    ::testing::Values(
        BadSyntax{"{\"a\":1,\n}", "f.json:2: bad JSON, expected a key in double quotes"},
        BadSyntax{"{a:1}", "f.json:1: bad JSON, expected a key in double quotes"},
        BadSyntax{"{\"a\"\n1}", "f.json:2: bad JSON, expected ':'"},
        BadSyntax{"{\"a\":1\n\"b\":1}", "f.json:2: bad JSON, expected ',' or '}'"},
        BadSyntax{"[1\n2]", "f.json:2: bad JSON, expected ',' or ']'"},
        BadSyntax{"[1,\n]", "f.json:2: bad JSON, expected a value"},
        BadSyntax{"[\n", "f.json:2: bad JSON, expected a value"},
        BadSyntax{"{\"a\":\n", "f.json:2: bad JSON, expected a value"},
        BadSyntax{"{}\n}", "f.json:2: bad JSON, expected a value"},
        BadSyntax{"{} x", "f.json:1: bad JSON, expected a value"},
        BadSyntax{"{}\n--- x", "f.json:2: bad JSON, expected a value"},
        BadSyntax{"{} ---", "f.json:1: bad"},
        BadSyntax{"True", "f.json:1: bad JSON, expected a value"},
        BadSyntax{"'a'", "f.json:1: bad JSON, expected a value"},
        BadSyntax{"\n\"a\nb\"", "f.json:2: bad escape or control character in a string"},
        BadSyntax{"\"a", "f.json:1: string without an end"},
        BadSyntax{"[\"\\n\\n\",\n\"\\n\\q\"]",
                  "f.json:2: bad escape or control character in a string"},
        BadSyntax{"\"\\u12g4\"", "f.json:1: bad \\u escape, expected four hexadecimal digits"},
        BadSyntax{"[01]", "f.json:1: bad JSON, expected ',' or ']'"},
        BadSyntax{"[-]", "f.json:1: bad JSON, expected a value"},
        BadSyntax{"[1.]", "f.json:1: bad number, expected a digit after '.'"},
        BadSyntax{"[1e]", "f.json:1: bad number, expected a digit in its exponent"},
        BadSyntax{"[1e400]", "f.json:1: number too large"}, BadSyntax{"[+1]", "f.json:1: bad JSON"},
        BadSyntax{"[.5]", "f.json:1: bad JSON"}, BadSyntax{"[NaN]", "f.json:1: bad JSON"},
        BadSyntax{"// x\n{}", "f.json:1: bad JSON"}));

}  // namespace
}  // namespace gangpack::k8s
