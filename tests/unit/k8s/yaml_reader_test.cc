#include "k8s/yaml_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "k8s/document_builder.h"
#include "tests/unit/k8s/data_rows.h"
#include "tests/unit/k8s/value_text.h"

namespace gangpack::k8s {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Documents Read(std::string text) {
  absl::StatusOr<Documents> documents = ReadYaml({"f.yaml", std::move(text)});
  EXPECT_TRUE(documents.ok()) << documents.status();
  if (!documents.ok()) return Documents("", DocumentArena(), {});
  return *std::move(documents);
}

std::string Refusal(std::string text) {
  const absl::StatusOr<Documents> documents = ReadYaml({"f.yaml", std::move(text)});
  EXPECT_EQ(documents.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(documents.status().message());
}

// The table was printed by sigs.k8s.io/yaml v1.6.0 (YAMLToJSON).
TEST(YamlReaderTest, AgreesWithTheReaderOfKubectl) {
  const auto rows = ReadDataRows("yaml_values.tsv");
  ASSERT_GT(rows.size(), 500u);
  for (const std::vector<std::string>& row : rows) {
    std::string text;
    ASSERT_EQ(row.size(), 2u);
    ASSERT_TRUE(absl::CUnescape(row[0], &text)) << row[0];
    const absl::StatusOr<Documents> documents = ReadYaml({"f.yaml", text});
    if (row[1] == "error") {
      EXPECT_FALSE(documents.ok()) << row[0];
      continue;
    }
    ASSERT_TRUE(documents.ok()) << row[0] << ": " << documents.status();
    const std::string first =
        documents->roots().empty() ? "null" : ValueText(documents->roots()[0]);
    EXPECT_EQ(first, row[1]) << row[0];
  }
}

TEST(YamlReaderTest, ValuesAndKeysKnowTheirLines) {
  const Documents documents = Read("# c\na:\n  - 1\n  - x: |\n      t\n    y: {z: 2}\n---\nb: 3\n");
  const Value root = documents.roots()[0];
  EXPECT_EQ(root.line(), 2);
  EXPECT_EQ(root.members()[0].key_line, 2);
  const Value a = root.members()[0].value;
  EXPECT_EQ(a.line(), 3);
  EXPECT_EQ(a.items()[1].line(), 4);
  EXPECT_EQ(a.items()[1].members()[0].value.line(), 4);
  EXPECT_EQ(a.items()[1].members()[1].key_line, 6);
  EXPECT_EQ(a.items()[1].members()[1].value.line(), 6);
  EXPECT_EQ(documents.roots()[1].line(), 8);
}

TEST(YamlReaderTest, DocumentsFollowEachOtherAndEmptyOnesAreSkipped) {
  EXPECT_EQ(RootsText(Read("---\n---\n# nothing\n---\na: 1\n---\n~\n---\nb: 2\n...\n---\n")),
            R"({"a":1} {"b":2})");
  EXPECT_TRUE(Read("").roots().empty());
}

TEST(YamlReaderTest, ALineOfPointsEndsADocumentToo) {
  EXPECT_EQ(RootsText(Read("a: 1\n...\n\n  # c\nb: 2\n...\n...\n%YAML 1.1\n---\nc: 3\n")),
            R"({"a":1} {"b":2} {"c":3})");
}

TEST(YamlReaderTest, PositionsDoNotShiftBehindOtherCharacters) {
  EXPECT_EQ(RootsText(Read("\xEF\xBB\xBF# \xC3\xA9\xE2\x82\xAC\r\na: \xC3\xA9\r\n---\r\nb: 2\r\n")),
            "{\"a\":\"\xC3\xA9\"} {\"b\":2}");
}

TEST(YamlReaderTest, AnchorsEndWithTheirDocument) {
  EXPECT_THAT(Refusal("a: &x 1\n---\nb: *x\n"), StartsWith("f.yaml:3: bad YAML"));
}

TEST(YamlReaderTest, AMergedKeyGivesWayToALaterOneAndReplacesAnEarlierOne) {
  EXPECT_EQ(ValueText(*Read("a: &x {p: 1, q: 2}\nb: {<<: *x, p: 3}").roots()[0].Find("b")),
            R"({"p":3,"q":2})");
  EXPECT_EQ(ValueText(*Read("a: &x {p: 1, q: 2}\nb: {p: 3, <<: *x}").roots()[0].Find("b")),
            R"({"p":1,"q":2})");
}

TEST(YamlReaderTest, AKeyThatAppearsTwiceIsRefusedWithItsLineAndPath) {
  EXPECT_EQ(Refusal("a:\n  - b: 1\n    c: 2\n    b: 3\n"),
            "f.yaml:4: a[0].b: the key appears twice, expected it once in an object");
  EXPECT_EQ(Refusal("x: &x {q: 1}\na:\n  p: 1\n  <<: *x\n  p: 2\n"),
            "f.yaml:5: a.p: the key appears twice, expected it once in an object");
  EXPECT_EQ(Refusal("1: a\n\"1\": b\n"),
            "f.yaml:2: 1: the key appears twice, expected it once in an object");
}

TEST(YamlReaderTest, NestingIsLimited) {
  const auto nested = [](int depth) {
    return absl::StrCat(std::string(depth, '['), std::string(depth, ']'));
  };
  EXPECT_EQ(RootsText(Read(nested(kMaxNestingDepth))), nested(kMaxNestingDepth));
  EXPECT_THAT(Refusal(nested(kMaxNestingDepth + 1)), StartsWith("f.yaml:1: nested too deeply"));
  EXPECT_THAT(Refusal(std::string(20000, '[')), StartsWith("f.yaml:1: "));
}

// Nine levels of ten aliases each: a few hundred bytes that stand for a billion values.
TEST(YamlReaderTest, AliasesMayNotMultiplyWithoutBound) {
  std::string text = "a0: &a0 [x]\n";
  for (int level = 1; level < 9; ++level) {
    absl::StrAppend(&text, "a", level, ": &a", level, " [");
    for (int i = 0; i < 10; ++i) absl::StrAppend(&text, i == 0 ? "" : ", ", "*a", level - 1);
    absl::StrAppend(&text, "]\n");
  }
  EXPECT_EQ(Refusal(text),
            "f.yaml:7: too many aliases, expected them to stand for at most 400000 values in one "
            "document");
}

TEST(YamlReaderTest, AliasesAreCountedInEachDocumentAlone) {
  // 1000 values, 399 times: below the limit in one document, above it in two.
  std::string document = "a: &a [0";
  for (int i = 1; i < 1000; ++i) document += ",0";
  document += "]\nb: [*a";
  for (int i = 1; i < 399; ++i) document += ",*a";
  document += "]\n";
  EXPECT_EQ(Read(document + "---\n" + document).roots().size(), 2u);
  EXPECT_THAT(Refusal(document + "c: [*a]\n"), HasSubstr("too many aliases"));
}

TEST(YamlReaderTest, AnAliasInsideItsAnchorIsRefused) {
  EXPECT_EQ(Refusal("a: &x\n  b: *x\n"),
            "f.yaml:2: the alias stands inside its own anchor, expected a finished value");
}

struct BadText {
  const char* text;
  const char* refusal;
};

class YamlRefusalTest : public ::testing::TestWithParam<BadText> {};

TEST_P(YamlRefusalTest, NamesTheLine) {
  EXPECT_THAT(Refusal(GetParam().text), StartsWith(GetParam().refusal));
}

INSTANTIATE_TEST_SUITE_P(
    , YamlRefusalTest,
    ::testing::Values(
        BadText{"a: 1\n b: 2\n", "f.yaml:2: bad YAML: "},
        BadText{"a:\n\t- b\n", "f.yaml:2: bad YAML: "},
        BadText{"a: 1\nb: [1\n", "f.yaml:2: bad YAML: "}, BadText{"a: 'x", "f.yaml:1: bad YAML: "},
        BadText{"a: 'x\n", "f.yaml:1: bad YAML: "},
        BadText{"a: \"x\nb: 1\n  ", "f.yaml:3: bad YAML: "},
        BadText{"a: 1\nb: *nowhere\n", "f.yaml:2: bad YAML: "},
        BadText{"}", "f.yaml:1: bad YAML: "}, BadText{"a: 1\n}\n", "f.yaml:2: bad YAML: "},
        BadText{"{a: 1}\n]\n", "f.yaml:2: bad YAML: "},
        BadText{"---\na: 1\n--- \n: : }\n", "f.yaml:4: bad "},
        BadText{"a: 1\nb", "f.yaml:2: bad YAML: "}, BadText{"a: 1\nb # c", "f.yaml:2: bad YAML: "},
        BadText{"- a\nb: 1\n", "f.yaml:2: bad YAML: a value after the end of the document"},
        BadText{"{a: 1} {b: 2}", "f.yaml:1: bad YAML: a value after the end of the document"},
        BadText{"a: 1\nb: .inf\n", "f.yaml:2: `.inf`, expected a finite number"},
        BadText{"a: 1\n[1]: 2\n", "f.yaml:2: bad key, expected a string, a number or a boolean"},
        BadText{"a: 1\n---\n[[b, [c]\n", "f.yaml:3: bad YAML: end of sequence flow not found"},
        BadText{"{a: {b: 1}\n", "f.yaml:1: bad YAML: end of map flow not found"},
        BadText{"{a: 1}: 2\n", "f.yaml:1: bad key"}, BadText{"~: 2\n", "f.yaml:1: bad key"},
        BadText{"a: &x [1]\n*x : 2\n", "f.yaml:2: bad key"},
        BadText{"a:\n  <<: 5\n", "f.yaml:2: `<<` merges a number, expected an object or a list"},
        BadText{"a:\n  <<: [{b: 1}, 2]\n", "f.yaml:2: `<<` merges a list"},
        BadText{"a: !!int x\n", "f.yaml:1: `x` does not match its tag, expected a value of type"},
        BadText{"a: 1\nb: !!binary '?'\n", "f.yaml:2: bad !!binary value"},
        BadText{"a: 1\nb: \xC3\n", "f.yaml:2: invalid byte, expected UTF-8 text"}));

TEST(YamlReaderTest, ControlCharactersAreRefusedAndWhiteSpaceIsNot) {
  EXPECT_EQ(Refusal(std::string("a: 1\nb: x\0y\n", 11)),
            "f.yaml:2: control character \\x00, expected printable text");
  EXPECT_EQ(Refusal("\x7F"), "f.yaml:1: control character \\x7f, expected printable text");
  EXPECT_EQ(RootsText(Read("a: 1\t\r\nb: \"x\\0y\"\r\n")),
            std::string("{\"a\":1,\"b\":\"x\0y\"}", 17));
}

TEST(YamlReaderTest, TheEndOfTheTextAddsNothingToBlockScalars) {
  EXPECT_EQ(RootsText(Read("a: |\n  x\n")), R"({"a":"x\n"})");
  EXPECT_EQ(RootsText(Read("a: |-\n  x\n  ")), R"({"a":"x"})");
  EXPECT_EQ(RootsText(Read("a: |+\n  x\n\n")), R"({"a":"x\n\n"})");
  EXPECT_EQ(RootsText(Read("a: x\n")), R"({"a":"x"})");
}

TEST(YamlReaderTest, JsonIsYaml) {
  EXPECT_EQ(RootsText(Read("{\"a\": [1, true, null, \"x\\n\\u00e9\"],\n \"b\": {}}")),
            "{\"a\":[1,true,null,\"x\\n\xC3\xA9\"],\"b\":{}}");
}

TEST(ReadYamlOrJsonTest, TextThatBeginsLikeJsonIsReadAsJson) {
  // A second document right behind the first is JSON's way alone.
  const absl::StatusOr<Documents> json = ReadYamlOrJson({"f", "\n { \"a\":1}{}"});
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(RootsText(*json), R"({"a":1} {})");
  const absl::StatusOr<Documents> yaml = ReadYamlOrJson({"f", "{a: 1}\n---\nb: 2\n"});
  ASSERT_TRUE(yaml.ok()) << yaml.status();
  EXPECT_EQ(RootsText(*yaml), R"({"a":1} {"b":2})");
  EXPECT_TRUE(ReadYamlOrJson({"f", ""})->roots().empty());
}

}  // namespace
}  // namespace gangpack::k8s
