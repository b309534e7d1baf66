#include "k8s/field.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FieldTest, ReadsWhatIsThere) {
  const Decoding decoding(
      "text: x\nflag: true\nnumber: -5\ntime: 2026-01-31T12:00:00.5Z\nlist: [a, b]\nmap: {k: v}\n");
  const Field& root = decoding.root();
  EXPECT_EQ(root.Text("text"), "x");
  EXPECT_TRUE(root.Bool("flag"));
  EXPECT_EQ(root.Int("number", -5, 0), -5);
  EXPECT_EQ(root.Timestamp("time"), absl::FromUnixMillis(1769860800500));
  EXPECT_THAT(root.Texts("list"), ElementsAre("a", "b"));
  const Field map = root.Object("map");
  EXPECT_EQ(map.Text("k"), "v");
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(FieldTest, WhatIsAbsentOrNullIsNoFault) {
  const Decoding decoding("null_text: null\nlist: [null]\nmap: ~\n");
  const Field& root = decoding.root();
  EXPECT_EQ(root.OptionalText("null_text"), std::nullopt);
  EXPECT_EQ(root.OptionalText("nothing"), std::nullopt);
  EXPECT_FALSE(root.Bool("nothing"));
  EXPECT_EQ(root.Int("nothing", 0, 1), std::nullopt);
  EXPECT_EQ(root.Timestamp("nothing"), std::nullopt);
  EXPECT_THAT(root.Texts("list"), IsEmpty());
  const Field map = root.Object("map");
  const Field inner = map.List("inner");
  EXPECT_FALSE(inner.exists());
  EXPECT_EQ(inner.item_count(), 0u);
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(FieldTest, AnotherKindIsAFaultWithLineAndPathAndThenAbsent) {
  const Decoding decoding("a:\n  x.io/y:\n  - k: 1\n  - 2\n");
  const Field a = decoding.root().Object("a");
  const Field list = a.List("x.io/y");
  const Field first = list.ObjectAt(0);
  EXPECT_EQ(first.Text("k"), "");
  const Field second = list.ObjectAt(1);
  EXPECT_FALSE(second.exists());
  EXPECT_THAT(decoding.Faults(),
              ElementsAre("f.yaml:3: a[x.io/y][0].k: a number, expected a string (in quotes)",
                          "f.yaml:4: a[x.io/y][1]: a number, expected an object"));
}

TEST(FieldTest, NothingMoreIsReportedAboutAFieldOfAnotherKindAndBelowIt) {
  const Decoding decoding("a: 1\nlist: [1, {}]\nb: 2\n");
  const Field& root = decoding.root();
  const Field a = root.Object("a");
  a.Report("name", "missing, expected a name");
  const Field below = a.Object("below");
  below.Report("missing, expected something");
  root.Report("a", "no name, expected one");
  EXPECT_EQ(root.Text("a"), "");
  const Field list = root.List("list");
  for (size_t i = 0; i < 2; ++i) {
    const Field item = list.ObjectAt(i);
    item.Report("name", "missing, expected a name");
  }
  root.Report("b", "too small, expected 3");
  EXPECT_THAT(decoding.Faults(), ElementsAre("f.yaml:1: a: a number, expected an object",
                                             "f.yaml:2: list[0]: a number, expected an object",
                                             "f.yaml:2: list[1].name: missing, expected a name",
                                             "f.yaml:3: b: too small, expected 3"));
}

TEST(FieldTest, NumbersMustBeWholeAndInRange) {
  const Decoding decoding("a: 7\nb: 8\nc: 1.5\nd: 99999999999999999999\ne: \"7\"\n");
  const Field& root = decoding.root();
  EXPECT_EQ(root.Int("a", 7, 7), 7);
  EXPECT_EQ(root.Int("b", 0, 7), std::nullopt);
  EXPECT_EQ(root.Int("b", 9, 10), std::nullopt);
  EXPECT_EQ(root.Int("c", 0, 7), std::nullopt);
  EXPECT_EQ(root.Int("d", 0, 7), std::nullopt);
  EXPECT_EQ(root.Int("e", 0, 7), std::nullopt);
  EXPECT_THAT(
      decoding.Faults(),
      ElementsAre("f.yaml:2: b: `8`, expected a whole number from 0 to 7",
                  "f.yaml:2: b: `8`, expected a whole number from 9 to 10",
                  "f.yaml:3: c: `1.5`, expected a whole number from 0 to 7",
                  "f.yaml:4: d: `100000000000000000000`, expected a whole number from 0 to 7",
                  "f.yaml:5: e: a string, expected a number"));
}

TEST(FieldTest, TimesAreRfc3339) {
  const Decoding decoding("a: 2026-01-31\nb: infinite-past\nc: ''\nd: 2026-02-30T00:00:00Z\n");
  for (const char* key : {"a", "b", "c", "d"}) {
    EXPECT_EQ(decoding.root().Timestamp(key), std::nullopt) << key;
  }
  EXPECT_EQ(decoding.Faults().size(), 4u);
  EXPECT_EQ(decoding.Faults()[0],
            "f.yaml:1: a: `2026-01-31`, expected a time such as "
            "2026-01-31T12:00:00Z");
}

TEST(FieldTest, AFaultAboutAnAbsentMemberHasTheLineOfItsParent) {
  const Decoding decoding("a: 1\nspec:\n  x: 1\n");
  const Field spec = decoding.root().Object("spec");
  spec.Report("y", "missing, expected y");
  const Field absent = spec.Object("z");
  absent.Report("w", "missing, expected w");
  EXPECT_THAT(decoding.Faults(), ElementsAre("f.yaml:2: spec.y: missing, expected y",
                                             "f.yaml:2: spec.z.w: missing, expected w"));
}

TEST(FieldTest, MembersAndItemsKeepTheirOrder) {
  const Decoding decoding("b: 1\na: 2\n");
  ASSERT_EQ(decoding.root().member_count(), 2u);
  EXPECT_EQ(decoding.root().MemberKey(0), "b");
  const Field member = decoding.root().MemberAt(1);
  EXPECT_EQ(member.Path(), "a");
  EXPECT_EQ(member.line(), 2);
}

}  // namespace
}  // namespace gangpack::k8s
