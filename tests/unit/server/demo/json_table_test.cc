#include "server/demo/json_table.h"

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

const JsonTableSpec kSpec = {"pods",
                             {{"name", "POD"}, {"placed", "PLACED"}, {"message", "MESSAGE"}}};

TEST(JsonTableTest, ItemsAreRowsAndWhatTheyDoNotHaveIsEmpty) {
  const auto table = JsonTable(
      R"({"more": [1], "pods": [{"placed": 2, "name": "a", "other": {}, "message": "say \"hi\""},
          {"name": "b"}]})",
      kSpec);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(*table,
            "POD  PLACED  MESSAGE\n"
            "a    2       say \"hi\"\n"
            "b    -\n");
}

TEST(JsonTableTest, AnEmptyListIsNoText) { EXPECT_EQ(*JsonTable(R"({"pods": []})", kSpec), ""); }

TEST(JsonTableTest, WhatIsNoSuchListIsAnError) {
  for (const char* json :
       {"", "{", "[]", "{}", R"({"pods": 1})", R"({"pods": [1]})", R"({"gangs": []})"}) {
    EXPECT_EQ(JsonTable(json, kSpec).status().code(), absl::StatusCode::kInvalidArgument) << json;
  }
}

}  // namespace
}  // namespace gangpack::server
