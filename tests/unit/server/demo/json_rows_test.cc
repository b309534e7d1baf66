#include "server/demo/json_rows.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const JsonRowsSpec kSpec = {"pods", {"name", "placed", "message"}};

TEST(JsonRowsTest, ItemsAreRowsAndWhatTheyDoNotHaveIsEmpty) {
  const auto rows = JsonRows(
      R"({"more": [1], "pods": [{"placed": 2, "name": "a", "other": {}, "message": "say \"hi\""},
          {"name": "b"}]})",
      kSpec);
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_THAT(*rows, ElementsAre(ElementsAre("a", "2", "say \"hi\""), ElementsAre("b", "", "")));
}

TEST(JsonRowsTest, AnEmptyListHasNoRows) {
  EXPECT_THAT(*JsonRows(R"({"pods": []})", kSpec), IsEmpty());
}

TEST(JsonRowsTest, WhatIsNoSuchListIsAnError) {
  for (const char* json :
       {"", "{", "[]", "{}", R"({"pods": 1})", R"({"pods": [1]})", R"({"gangs": []})"}) {
    EXPECT_EQ(JsonRows(json, kSpec).status().code(), absl::StatusCode::kInvalidArgument) << json;
  }
}

}  // namespace
}  // namespace gangpack::server
