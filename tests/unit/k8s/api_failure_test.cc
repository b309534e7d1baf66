#include "k8s/api_failure.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "k8s/json_reader.h"

namespace gangpack::k8s {
namespace {

ApiFailure FromStatus(const std::string& json) {
  const absl::StatusOr<Documents> documents = ReadJson({"status", json});
  EXPECT_TRUE(documents.ok()) << documents.status();
  return DecodeStatusObject(documents->roots().front());
}

absl::StatusCode CodeOf(int code, const std::string& reason = "") {
  ApiFailure failure;
  failure.code = code;
  failure.reason = reason;
  return ToStatus(failure).code();
}

TEST(ApiFailureTest, AStatusObjectGivesCodeReasonAndMessage) {
  const ApiFailure failure =
      FromStatus(R"({"kind":"Status","status":"Failure","message":"pods \"a\" not found",)"
                 R"("reason":"NotFound","details":{"name":"a","kind":"pods"},"code":404})");
  EXPECT_EQ(failure.code, 404);
  EXPECT_EQ(failure.reason, "NotFound");
  EXPECT_EQ(failure.message, "pods \"a\" not found");
  EXPECT_EQ(failure.retry_after, std::nullopt);
  EXPECT_FALSE(failure.resource_version_too_large);
  EXPECT_EQ(ToStatus(failure).message(), "pods \"a\" not found (HTTP 404 NotFound)");
}

TEST(ApiFailureTest, DetailsSayWhenToRetry) {
  EXPECT_EQ(FromStatus(R"({"code":429,"details":{"retryAfterSeconds":7}})").retry_after,
            absl::Seconds(7));
  EXPECT_EQ(FromStatus(R"({"code":429,"details":{"retryAfterSeconds":0}})").retry_after,
            std::nullopt);
}

TEST(ApiFailureTest, AVersionThatTheServerHasNotReachedIsKnownByItsCause) {
  EXPECT_TRUE(
      FromStatus(
          R"({"code":504,"details":{"causes":[{"reason":"Other"},{"reason":"ResourceVersionTooLarge"}]}})")
          .resource_version_too_large);
  EXPECT_FALSE(FromStatus(R"({"code":504,"details":{"causes":[{"reason":"Other"}]}})")
                   .resource_version_too_large);
}

TEST(ApiFailureTest, AWatchErrorWithoutACodeIsToldByItsReason) {
  EXPECT_EQ(FromStatus(R"({"reason":"Expired"})").code, 410);
  EXPECT_EQ(FromStatus(R"({"reason":"InternalError"})").code, 500);
}

TEST(ApiFailureTest, ARefusedAnswerWithAStatusBodyCarriesItsMessage) {
  const ApiFailure failure = DecodeRefusedAnswer(
      {403, R"({"kind":"Status","message":"no","reason":"Forbidden","code":403})", {}});
  EXPECT_EQ(failure.code, 403);
  EXPECT_EQ(failure.reason, "Forbidden");
  EXPECT_EQ(failure.message, "no");
}

TEST(ApiFailureTest, AnyOtherBodyIsTheMessageInOneLine) {
  EXPECT_EQ(DecodeRefusedAnswer({502, "Bad\r\ngateway \n", {}}).message, "Bad  gateway");
  EXPECT_EQ(DecodeRefusedAnswer({502, R"({"kind":"Pod"})", {}}).message, R"({"kind":"Pod"})");
  EXPECT_EQ(DecodeRefusedAnswer({502, "{not json", {}}).message, "{not json");
  EXPECT_EQ(DecodeRefusedAnswer({502, std::string(5000, 'x'), {}}).message.size(), 200u);
}

TEST(ApiFailureTest, TheHeaderSaysWhenToRetryAndAnHourIsTheMost) {
  const absl::string_view body =
      R"({"kind":"Status","code":429,"details":{"retryAfterSeconds":7}})";
  EXPECT_EQ(DecodeRefusedAnswer({429, body, {}}).retry_after, absl::Seconds(7));
  EXPECT_EQ(DecodeRefusedAnswer({429, body, absl::Seconds(2)}).retry_after, absl::Seconds(2));
  EXPECT_EQ(DecodeRefusedAnswer({429, body, absl::Hours(2)}).retry_after, absl::Hours(1));
}

TEST(ApiFailureTest, EachCodeOfHttpHasOneStatusCode) {
  EXPECT_EQ(CodeOf(400), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(401), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(CodeOf(403), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf(404), absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf(408), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(CodeOf(409, "AlreadyExists"), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(CodeOf(409, "Conflict"), absl::StatusCode::kAborted);
  EXPECT_EQ(CodeOf(410), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(CodeOf(422), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(429), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf(500), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf(503), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf(504), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(CodeOf(418), absl::StatusCode::kUnknown);
}

TEST(ApiFailureTest, NoAnswerIsUnavailableWithTheTransportsWords) {
  const ApiFailure failure = NoAnswer(absl::CancelledError("connection refused"));
  EXPECT_EQ(failure.code, 0);
  EXPECT_EQ(ToStatus(failure), absl::UnavailableError("connection refused"));
}

}  // namespace
}  // namespace gangpack::k8s
