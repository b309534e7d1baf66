#include "k8s/list_page.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

TEST(ListPageTest, APageHasItsRecordsItsVersionAndTheTokenOfTheNext) {
  const absl::StatusOr<ListPage> page = DecodeListPage(
      ResourceType::kNamespaces,
      R"({"kind":"NamespaceList","metadata":{"resourceVersion":"12","continue":"abc",)"
      R"("remainingItemCount":4},"items":[{"metadata":{"name":"b"}},{"metadata":{"name":"a"}}]})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->resource_version, "12");
  EXPECT_EQ(page->continue_token, "abc");
  ASSERT_EQ(page->records.size(), 2u);
  EXPECT_EQ(page->records[0].identity.name, "b");
  EXPECT_EQ(page->records[1].identity.name, "a");
}

TEST(ListPageTest, TheLastPageHasNoTokenAndItemsMayBeNull) {
  const absl::StatusOr<ListPage> page =
      DecodeListPage(ResourceType::kPods, R"({"metadata":{"resourceVersion":"12"},"items":null})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->continue_token, "");
  EXPECT_TRUE(page->records.empty());
}

TEST(ListPageTest, AnItemWithFaultsDoesNotSpoilItsPage) {
  const absl::StatusOr<ListPage> page =
      DecodeListPage(ResourceType::kNamespaces,
                     R"({"metadata":{"resourceVersion":"12"},"items":[)"
                     R"({"metadata":{"name":"a","labels":3}},7,{"metadata":{"name":"b"}}]})");
  ASSERT_TRUE(page.ok()) << page.status();
  ASSERT_EQ(page->records.size(), 3u);
  EXPECT_FALSE(page->records[0].object.has_value());
  EXPECT_FALSE(page->records[1].object.has_value());
  EXPECT_TRUE(page->records[2].object.has_value());
}

TEST(ListPageTest, WhatIsNoListIsRefused) {
  for (const char* body : {"", "{", "[]", "{}", R"({"metadata":{},"items":[]})",
                           R"({"metadata":{"resourceVersion":"1"},"items":{}})",
                           R"({"metadata":{"resourceVersion":"1"}}{})"}) {
    EXPECT_EQ(DecodeListPage(ResourceType::kPods, body).status().code(),
              absl::StatusCode::kInvalidArgument)
        << body;
  }
}

}  // namespace
}  // namespace gangpack::k8s
