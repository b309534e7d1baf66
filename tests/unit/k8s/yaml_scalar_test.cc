#include "k8s/yaml_scalar.h"

#include <string>

#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

YamlScalar Plain(const std::string& text) { return ResolveYamlScalar("?", text).value(); }

TEST(YamlScalarTest, QuotedTextIsAlwaysAString) {
  for (const char* text : {"", "yes", "1", "null", "~", ".inf"}) {
    const absl::StatusOr<YamlScalar> scalar = ResolveYamlScalar("!", text);
    ASSERT_TRUE(scalar.ok());
    EXPECT_EQ(scalar->kind, ValueKind::kString) << text;
    EXPECT_EQ(scalar->text, text);
  }
}

TEST(YamlScalarTest, FloatsArePrintedAsGoPrintsThem) {
  EXPECT_EQ(Plain("0.000001").text, "0.000001");
  EXPECT_EQ(Plain("0.0000009").text, "9e-7");
  EXPECT_EQ(Plain("1e20").text, "100000000000000000000");
  EXPECT_EQ(Plain("1e21").text, "1e+21");
  EXPECT_EQ(Plain("-0.0").text, "-0");
  EXPECT_EQ(Plain("1.10").text, "1.1");
}

TEST(YamlScalarTest, KeysThatAreFloatsHaveAFormOfTheirOwn) {
  EXPECT_EQ(Plain("1.50").as_key, "1.5");
  EXPECT_EQ(Plain("1e6").as_key, "1e+06");
  EXPECT_EQ(Plain("0.00001").as_key, "1e-05");
  EXPECT_EQ(Plain("-.inf").as_key, "-.inf");
}

TEST(YamlScalarTest, OnlyIntegersAreWhole) {
  EXPECT_TRUE(Plain("10").is_integer);
  EXPECT_FALSE(Plain("10.0").is_integer);
  EXPECT_FALSE(Plain("1e1").is_integer);
}

TEST(YamlScalarTest, ATagMustMatchItsText) {
  EXPECT_TRUE(ResolveYamlScalar("tag:yaml.org,2002:int", "5").ok());
  EXPECT_FALSE(ResolveYamlScalar("tag:yaml.org,2002:int", "5.0").ok());
  EXPECT_TRUE(ResolveYamlScalar("tag:yaml.org,2002:float", "5").ok());
  EXPECT_FALSE(ResolveYamlScalar("tag:yaml.org,2002:float", "x").ok());
  EXPECT_FALSE(ResolveYamlScalar("tag:yaml.org,2002:bool", "1").ok());
  EXPECT_FALSE(ResolveYamlScalar("tag:yaml.org,2002:null", "x").ok());
  EXPECT_EQ(ResolveYamlScalar("tag:yaml.org,2002:str", "5")->kind, ValueKind::kString);
  EXPECT_EQ(ResolveYamlScalar("!own", "5")->kind, ValueKind::kString);
}

TEST(YamlScalarTest, BinaryIsDecodedAndMustBeText) {
  EXPECT_EQ(ResolveYamlScalar("tag:yaml.org,2002:binary", "aGk=")->text, "hi");
  EXPECT_FALSE(ResolveYamlScalar("tag:yaml.org,2002:binary", "/w==").ok());
  EXPECT_FALSE(ResolveYamlScalar("tag:yaml.org,2002:binary", "?").ok());
}

}  // namespace
}  // namespace gangpack::k8s
