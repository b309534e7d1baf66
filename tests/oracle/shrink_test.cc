#include "tests/oracle/shrink.h"

#include <gtest/gtest.h>

#include <string>

#include "k8s/document.h"
#include "k8s/json_reader.h"
#include "tests/oracle/json_tree.h"

namespace gangpack {
namespace {

JsonTree Tree(const std::string& text) {
  const k8s::Documents documents = *k8s::ReadJson({"test", text});
  return JsonTree(documents.roots()[0]);
}

// Fails where each of two numbers is somewhere.
bool HasBoth(const JsonTree& tree) {
  const std::string text = tree.ToString();
  return text.find("17") != std::string::npos && text.find("23") != std::string::npos;
}

TEST(ShrinkTest, WhatDoesNotMatterIsTakenOutAtEveryDepth) {
  const JsonTree tree = Tree(R"({"a":[1,{"b":17,"c":"x"},null],"d":{"e":[23,5]},"f":true})");
  EXPECT_EQ(Shrink(tree, HasBoth).ToString(), R"({"a":[{"b":17}],"d":{"e":[23]}})");
}

TEST(ShrinkTest, WhatIsSmallAlreadyStays) {
  const JsonTree tree = Tree("[17,23]");
  EXPECT_EQ(Shrink(tree, HasBoth).ToString(), "[17,23]");
}

TEST(ShrinkTest, APieceThatOnlyALaterOneKeptIsTakenOutInAnotherRound) {
  // "a" may only go once "b" has gone, and is looked at after it; "c" only once "a" has gone.
  const auto fails = [](const JsonTree& tree) {
    const bool has_a = tree.Find("a") != nullptr;
    const bool has_c = tree.Find("c") != nullptr;
    return tree.Find("x") != nullptr && (has_a || tree.Find("b") == nullptr) && (has_c || !has_a);
  };
  EXPECT_EQ(Shrink(Tree(R"({"a":1,"b":2,"c":3,"x":4})"), fails).ToString(), R"({"x":4})");
}

TEST(JsonTreeTest, WhatIsReadIsWrittenAgain) {
  const std::string text = R"({"a":[1.50,-2e3,true,null,"q\"\\\u0001ö"],"b":{},"c":[]})";
  EXPECT_EQ(Tree(text).ToString(), text);
}

}  // namespace
}  // namespace gangpack
