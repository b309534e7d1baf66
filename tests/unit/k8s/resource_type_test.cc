#include "k8s/resource_type.h"

#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

TEST(ResourceTypeTest, EachTypeHasItsOwnPathThatEndsInItsName) {
  std::set<std::string> paths;
  for (const ResourceType type : kResourceTypes) {
    const std::string path(ResourcePath(type));
    EXPECT_TRUE(absl::EndsWith(path, absl::StrCat("/", ResourceName(type)))) << path;
    EXPECT_TRUE(paths.insert(path).second) << path;
  }
  EXPECT_EQ(paths.size(), 4u);
}

TEST(ResourceTypeTest, OnlyPodGroupsAreACustomResource) {
  for (const ResourceType type : kResourceTypes) {
    const bool custom = type == ResourceType::kPodGroups;
    EXPECT_EQ(MayBeAbsent(type), custom);
    EXPECT_EQ(ResourceGroup(type).empty(), !custom);
  }
}

}  // namespace
}  // namespace gangpack::k8s
