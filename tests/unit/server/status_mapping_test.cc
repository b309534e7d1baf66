#include "server/status_mapping.h"

#include <set>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(StatusMapping, EveryCodeHasItsOwnRowWithGrpcsNumber) {
  std::set<std::string> names;
  for (int code = 0; code <= 16; ++code) {
    const StatusMapping& mapping = MappingOf(static_cast<absl::StatusCode>(code));
    EXPECT_EQ(static_cast<int>(mapping.code), code);
    EXPECT_EQ(mapping.grpc_code, code);
    // absl spells its codes as gRPC does.
    EXPECT_EQ(mapping.name, absl::StatusCodeToString(static_cast<absl::StatusCode>(code)));
    names.insert(std::string(mapping.name));
  }
  EXPECT_EQ(names.size(), 17u);
}

TEST(StatusMapping, OnlyOkIsHttpSuccess) {
  EXPECT_EQ(HttpStatusOf(absl::OkStatus()), 200);
  for (int code = 1; code <= 16; ++code) {
    EXPECT_GE(MappingOf(static_cast<absl::StatusCode>(code)).http_status, 400) << code;
  }
}

TEST(StatusMapping, TheCallersFaultIs4xxAndOursIs5xx) {
  EXPECT_EQ(HttpStatusOf(absl::InvalidArgumentError("x")), 400);
  EXPECT_EQ(HttpStatusOf(absl::NotFoundError("x")), 404);
  EXPECT_EQ(HttpStatusOf(absl::ResourceExhaustedError("x")), 429);
  EXPECT_EQ(HttpStatusOf(absl::InternalError("x")), 500);
  EXPECT_EQ(HttpStatusOf(absl::UnavailableError("x")), 503);
}

TEST(StatusMapping, AnUnknownCodeIsTreatedAsUnknown) {
  EXPECT_EQ(MappingOf(static_cast<absl::StatusCode>(99)).code, absl::StatusCode::kUnknown);
}

TEST(StatusMapping, TheExtenderErrorIsTheMessageAndNeverEmptyForAFailure) {
  EXPECT_EQ(ExtenderErrorOf(absl::OkStatus()), "");
  EXPECT_EQ(ExtenderErrorOf(absl::AbortedError("gang ns/g unwound")), "gang ns/g unwound");
  EXPECT_EQ(ExtenderErrorOf(absl::UnavailableError("")), "UNAVAILABLE");
}

}  // namespace
}  // namespace gangpack::server
