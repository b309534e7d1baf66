#include "k8s/names.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

std::string Letters(size_t count) { return std::string(count, 'a'); }

TEST(NamesTest, DnsLabelsHaveLowerCaseLettersDigitsAndHyphensInside) {
  for (const char* text : {"a", "0", "a-b", "a--b", "0a0"})
    EXPECT_FALSE(CheckDnsLabel(text)) << text;
  for (const char* text : {"", "-", "-a", "a-", "A", "a.b", "a_b", "a/b", "\xC3\xA9"}) {
    EXPECT_TRUE(CheckDnsLabel(text)) << text;
  }
  EXPECT_FALSE(CheckDnsLabel(Letters(63)));
  EXPECT_TRUE(CheckDnsLabel(Letters(64)));
}

TEST(NamesTest, DnsSubdomainsAreLabelsJoinedByPoints) {
  for (const char* text : {"a", "a.b", "a-b.c-d", "0.0"}) {
    EXPECT_FALSE(CheckDnsSubdomain(text)) << text;
  }
  for (const char* text : {"", ".", "a.", ".a", "a..b", "a.-b", "a-.b", "A.b", "a b"}) {
    EXPECT_TRUE(CheckDnsSubdomain(text)) << text;
  }
  EXPECT_FALSE(CheckDnsSubdomain(Letters(253)));
  EXPECT_TRUE(CheckDnsSubdomain(Letters(254)));
}

TEST(NamesTest, QualifiedNamesHaveAnOptionalPrefix) {
  for (const char* text : {"a", "A_b.C-d", "x.io/A", "a/b", "ome.io/topology-key", "0/0"}) {
    EXPECT_FALSE(CheckQualifiedName(text)) << text;
  }
  for (const char* text : {"", "/", "/a", "a/", "a/b/c", "X.io/a", "-a", "a-", ".a", "a_", "a b",
                           "a/-b", "x..io/a", "-/a"}) {
    EXPECT_TRUE(CheckQualifiedName(text)) << text;
  }
}

TEST(NamesTest, ThePartsOfQualifiedNamesAreLimitedEachOnItsOwn) {
  EXPECT_FALSE(CheckQualifiedName(absl::StrCat(Letters(253), "/", Letters(63))));
  EXPECT_TRUE(CheckQualifiedName(absl::StrCat(Letters(254), "/", Letters(63))));
  EXPECT_TRUE(CheckQualifiedName(absl::StrCat(Letters(253), "/", Letters(64))));
  EXPECT_FALSE(CheckQualifiedName(Letters(63)));
  EXPECT_TRUE(CheckQualifiedName(Letters(64)));
}

TEST(NamesTest, OnlyKeysOfAnnotationsMayHaveUpperCaseInTheirPrefix) {
  EXPECT_FALSE(CheckAnnotationKey("X.io/a"));
  EXPECT_TRUE(CheckAnnotationKey("X..io/a"));
  EXPECT_TRUE(CheckAnnotationKey("x.io/a b"));
}

TEST(NamesTest, LabelValuesMayBeEmpty) {
  for (const char* text : {"", "a", "A.b_c-d", "0"}) EXPECT_FALSE(CheckLabelValue(text)) << text;
  for (const char* text : {" ", "-a", "a.", "a/b", "a b", "a:b"}) {
    EXPECT_TRUE(CheckLabelValue(text)) << text;
  }
  EXPECT_FALSE(CheckLabelValue(Letters(63)));
  EXPECT_TRUE(CheckLabelValue(Letters(64)));
}

}  // namespace
}  // namespace gangpack::k8s
