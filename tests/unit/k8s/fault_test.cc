#include "k8s/fault.h"

#include <string>

#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

TEST(FaultTest, IsOneLineOfFileLinePathAndMessage) {
  EXPECT_EQ((Fault{"a.yaml", 3, "spec.x", "bad, expected good"}.ToString()),
            "a.yaml:3: spec.x: bad, expected good");
  EXPECT_EQ((Fault{"-", 1, "", "bad, expected good"}.ToString()), "-:1: bad, expected good");
}

TEST(FaultTest, ControlCharactersOfTheInputDoNotBreakTheLine) {
  const std::string message("a\nb\r\0c", 6);
  EXPECT_EQ((Fault{"x\ty", 1, "", message + "\x7F\xC3\xA9"}.ToString()),
            "x\\x09y:1: a\\nb\\x0d\\x00c\\x7f\xC3\xA9");
}

TEST(FaultTest, KeysThatAreNoPlainWordsStandInBrackets) {
  std::string path;
  AppendMember("metadata", &path);
  AppendMember("labels", &path);
  AppendMember("x.io/y", &path);
  AppendIndex(2, &path);
  AppendMember("", &path);
  EXPECT_EQ(path, "metadata.labels[x.io/y][2][]");
}

TEST(QuoteTest, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(Quote("x"), "`x`");
  EXPECT_EQ(Quote(std::string(80, 'x')), "`" + std::string(80, 'x') + "`");
  EXPECT_EQ(Quote(std::string(81, 'x')), "`" + std::string(80, 'x') + "...`");
  EXPECT_EQ(Quote(std::string(79, 'x') + "\xC3\xA9z"), "`" + std::string(79, 'x') + "...`");
}

}  // namespace
}  // namespace gangpack::k8s
