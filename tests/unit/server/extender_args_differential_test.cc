// Random bodies, read in one pass and by way of a tree: both refuse alike and read equal values.
// Each failure names its seed and its body.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "server/extender_args.h"
#include "server/json_slice.h"
#include "tests/unit/server/dom_extender_codec.h"
#include "tests/unit/server/random_extender_body.h"

namespace gangpack::server {
namespace {

constexpr uint64_t kFirstSeed = 1;
constexpr uint64_t kCases = 60'000;

struct Tally {
  int accepted = 0;
  int not_json = 0;
  int wrong_field = 0;
  int beyond_dom = 0;
};

void ExpectSameValues(const ExtenderArgs& args, const DomExtenderArgs& dom) {
  EXPECT_EQ(args.pod.uid, dom.uid);
  EXPECT_EQ(args.pod.namespace_name, dom.namespace_name);
  EXPECT_EQ(args.pod.name, dom.name);
  EXPECT_EQ(Rewritten(args.pod.raw), dom.pod);
  ASSERT_EQ(args.nodes.has_value(), dom.nodes.has_value());
  if (dom.nodes.has_value()) {
    ASSERT_EQ(args.nodes->size(), dom.nodes->size());
    for (size_t i = 0; i < dom.nodes->size(); ++i) {
      EXPECT_EQ((*args.nodes)[i].name, (*dom.nodes)[i].name);
      EXPECT_EQ(Rewritten((*args.nodes)[i].raw), (*dom.nodes)[i].object);
    }
  }
  ASSERT_EQ(args.node_names.has_value(), dom.node_names.has_value());
  if (dom.node_names.has_value()) {
    EXPECT_EQ(std::vector<std::string>(args.node_names->begin(), args.node_names->end()),
              *dom.node_names);
  }
}

void Compare(uint64_t seed, Tally& tally) {
  const std::string body = RandomExtenderBody(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + ": " + body);
  const std::optional<DomExtenderArgs> dom = ReadByDom(body);
  if (!dom.has_value()) {
    ++tally.beyond_dom;
    return;
  }
  // A copy of exactly its size, so that a sanitizer sees a read behind its end.
  const std::vector<char> exact(body.begin(), body.end());
  const std::string_view text(exact.data(), exact.size());
  const absl::StatusOr<ExtenderArgs> args = DecodeExtenderArgs(text);
  const bool is_json = dom->error != "not JSON";
  EXPECT_EQ(JsonSlice::Parse(text).ok(), is_json);
  const std::string error(args.status().message());
  if (dom->error.empty()) {
    ++tally.accepted;
    ASSERT_TRUE(args.ok()) << error;
    ExpectSameValues(*args, *dom);
  } else if (is_json) {
    ++tally.wrong_field;
    EXPECT_EQ(error, dom->error);
  } else {
    ++tally.not_json;
    EXPECT_EQ(error.substr(0, 8), "not JSON") << error;
  }
}

TEST(ExtenderArgsDifferential, OnePassReadsWhatATreeReads) {
  std::printf("seeds %llu to %llu\n", static_cast<unsigned long long>(kFirstSeed),
              static_cast<unsigned long long>(kFirstSeed + kCases - 1));
  Tally tally;
  for (uint64_t seed = kFirstSeed; seed < kFirstSeed + kCases && !HasFailure(); ++seed) {
    Compare(seed, tally);
  }
  std::printf("accepted %d, not JSON %d, wrong field %d, beyond a tree %d\n", tally.accepted,
              tally.not_json, tally.wrong_field, tally.beyond_dom);
  // Otherwise the bodies would not be worth comparing.
  EXPECT_GT(tally.accepted, static_cast<int>(kCases / 5));
  EXPECT_GT(tally.not_json, static_cast<int>(kCases / 10));
  EXPECT_GT(tally.wrong_field, static_cast<int>(kCases / 10));
  EXPECT_LT(tally.beyond_dom, static_cast<int>(kCases / 1000));
}

}  // namespace
}  // namespace gangpack::server
