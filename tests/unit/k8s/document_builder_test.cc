#include "k8s/document_builder.h"

#include "gtest/gtest.h"
#include "tests/unit/k8s/value_text.h"

namespace gangpack::k8s {
namespace {

TEST(DocumentBuilderTest, PutsEventsTogether) {
  DocumentBuilder builder("f");
  EXPECT_FALSE(builder.wants_key());
  EXPECT_TRUE(builder.StartMap(1));
  EXPECT_TRUE(builder.wants_key());
  EXPECT_TRUE(builder.Key("a", 1));
  EXPECT_FALSE(builder.wants_key());
  EXPECT_TRUE(builder.StartList(1));
  EXPECT_FALSE(builder.wants_key());
  EXPECT_TRUE(builder.Add(Value::String("x", 2)));
  EXPECT_TRUE(builder.StartMap(3));
  EXPECT_TRUE(builder.EndMap());
  EXPECT_TRUE(builder.EndList());
  EXPECT_TRUE(builder.Key("b", 4));
  EXPECT_TRUE(builder.Add(Value::Bool(true, 4)));
  EXPECT_TRUE(builder.EndMap());
  EXPECT_TRUE(builder.Add(Value::Null(5)));
  EXPECT_TRUE(builder.Add(Value::Number("6", 6)));
  EXPECT_TRUE(builder.status().ok());
  EXPECT_EQ(RootsText(builder.Finish()), R"({"a":["x",{}],"b":true} 6)");
}

TEST(DocumentBuilderTest, OfMergedKeysTheLaterCountsAtTheFirstPlace) {
  const Member a{"a", 1, 1, Value::Number("1", 1)};
  const Member b{"b", 1, 1, Value::Number("2", 1)};
  DocumentBuilder builder("f");
  builder.StartMap(1);
  builder.Key("a", 2);
  builder.Add(Value::Number("3", 2));
  builder.Merge({a, b});
  builder.Key("b", 3);
  builder.Add(Value::Number("4", 3));
  ASSERT_TRUE(builder.EndMap());
  const Documents documents = builder.Finish();
  ASSERT_EQ(documents.roots()[0].members().size(), 2u);
  EXPECT_EQ(documents.roots()[0].members()[0].value.text(), "1");
  EXPECT_EQ(documents.roots()[0].members()[1].value.text(), "4");
}

TEST(DocumentBuilderTest, TheFirstFaultIsKept) {
  DocumentBuilder builder("f");
  EXPECT_FALSE(builder.Refuse(3, "one"));
  EXPECT_FALSE(builder.Refuse(4, "two"));
  EXPECT_FALSE(builder.Add(Value::Null(1)));
  EXPECT_EQ(builder.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(builder.status().message(), "f:3: one");
}

}  // namespace
}  // namespace gangpack::k8s
