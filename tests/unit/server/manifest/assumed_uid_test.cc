#include "server/manifest/assumed_uid.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(AssumedUidTest, IsTheSameInEveryVersion) {
  EXPECT_EQ(AssumedUid({"pods", {"ns", "w-0"}, 0}), AssumedUid({"pods", {"ns", "w-0"}, 0}));
  EXPECT_EQ(AssumedUid({"pods", {"ns", "w-0"}, 0}), "90e8363a-a4f0-820d-8445-e24329059159");
}

TEST(AssumedUidTest, DiffersByKindNamespaceNameAndIncarnation) {
  const std::set<std::string> uids = {
      AssumedUid({"pods", {"ns", "w-0"}, 0}),      AssumedUid({"pods", {"ns", "w-0"}, 1}),
      AssumedUid({"pods", {"ns", "w-1"}, 0}),      AssumedUid({"pods", {"other", "w-0"}, 0}),
      AssumedUid({"podgroups", {"ns", "w-0"}, 0}),
  };
  EXPECT_EQ(uids.size(), 5u);
}

TEST(AssumedUidTest, HasTheFormOfAUuid) {
  const std::string uid = AssumedUid({"pods", {"ns", "w-0"}, 0});
  ASSERT_EQ(uid.size(), 36u);
  for (const int dash : {8, 13, 18, 23}) EXPECT_EQ(uid[dash], '-');
  EXPECT_EQ(uid.find_first_not_of("0123456789abcdef-"), std::string::npos);
}

}  // namespace
}  // namespace gangpack::server
