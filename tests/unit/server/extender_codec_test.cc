#include "server/extender_codec.h"

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

std::string ErrorOfBinding(std::string_view body) {
  const absl::Status status = DecodeExtenderBindingArgs(body).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << body;
  return std::string(status.message());
}

constexpr std::string_view kBinding =
    R"({"PodName":"p0","PodNamespace":"ns1","PodUID":"u-1","Node":"n1"})";

TEST(ExtenderBindingArgs, TheCapturedCallIsReadAndWrittenBack) {
  const absl::StatusOr<ExtenderBindingArgs> args = DecodeExtenderBindingArgs(kBinding);
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_EQ(args->pod_name, "p0");
  EXPECT_EQ(args->pod_namespace, "ns1");
  EXPECT_EQ(args->pod_uid, "u-1");
  EXPECT_EQ(args->node, "n1");
  EXPECT_EQ(EncodeExtenderBindingArgs(*args), kBinding);
}

TEST(ExtenderBindingArgs, EachFieldMustBeThere) {
  EXPECT_EQ(ErrorOfBinding("7"), "ExtenderBindingArgs: expected an object, found a number");
  EXPECT_EQ(ErrorOfBinding("{}"), "PodName: expected a non-empty string, found null");
  EXPECT_EQ(ErrorOfBinding(R"({"PodName":"p","podnamespace":""})"),
            "PodNamespace: expected a non-empty string, found an empty one");
  EXPECT_EQ(ErrorOfBinding(R"({"PodName":"p","PodNamespace":"n","PodUID":[]})"),
            "PodUID: expected a non-empty string, found an array");
  EXPECT_EQ(ErrorOfBinding(R"({"PodName":"p","PodNamespace":"n","PodUID":"u"})"),
            "Node: expected a non-empty string, found null");
}

}  // namespace
}  // namespace gangpack::server
