#include "k8s/credentials.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

using ::testing::HasSubstr;

constexpr absl::Time kStart = absl::UnixEpoch();

class TokenFileTest : public testing::Test {
 protected:
  TokenFileTest()
      : credentials_("/token", {"", "cert", "key"}, [this](const std::string& path) {
          ++reads_;
          EXPECT_EQ(path, "/token");
          return file_;
        }) {}

  std::string Authorization(absl::Time now) {
    const absl::StatusOr<Pass> pass = credentials_.Get(now);
    return pass.ok() ? pass->authorization : std::string(pass.status().message());
  }

  absl::StatusOr<std::string> file_ = std::string("one\n");
  int reads_ = 0;
  TokenFileCredentials credentials_;
};

TEST_F(TokenFileTest, TheTokenIsReadAgainWhenItIsOld) {
  EXPECT_EQ(Authorization(kStart), "Bearer one");
  file_ = std::string("two");
  EXPECT_EQ(Authorization(kStart + kTokenMaxAge - absl::Nanoseconds(1)), "Bearer one");
  EXPECT_EQ(reads_, 1);
  EXPECT_EQ(Authorization(kStart + kTokenMaxAge), "Bearer two");
  EXPECT_EQ(credentials_.Get(kStart)->certificate_pem, "cert");
}

TEST_F(TokenFileTest, TheTokenIsReadAgainAfterItWasRefused) {
  const absl::StatusOr<Pass> pass = credentials_.Get(kStart);
  file_ = std::string("two");
  EXPECT_TRUE(credentials_.Refused(*pass));
  EXPECT_EQ(Authorization(kStart), "Bearer two");
  credentials_.Refused(*pass);  // Late: it is not in use any more.
  EXPECT_EQ(Authorization(kStart), "Bearer two");
  EXPECT_EQ(reads_, 2);
}

TEST_F(TokenFileTest, TheLastTokenIsUsedWhileTheFileCannotBeRead) {
  EXPECT_EQ(Authorization(kStart), "Bearer one");
  file_ = absl::NotFoundError("/token: gone");
  EXPECT_EQ(Authorization(kStart + absl::Hours(1)), "Bearer one");
  file_ = std::string(" \n");
  EXPECT_EQ(Authorization(kStart + absl::Hours(1)), "Bearer one");
}

TEST_F(TokenFileTest, WithoutAnyTokenThereIsNoPass) {
  file_ = absl::NotFoundError("/token: gone");
  EXPECT_EQ(credentials_.Get(kStart).status().code(), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(Authorization(kStart), "token file /token: gone, expected a bearer token");
  file_ = std::string("");
  EXPECT_EQ(Authorization(kStart), "token file /token: empty, expected a bearer token");
}

TEST(CredentialsTest, BasicAuthorizationIsUserAndPasswordInBase64) {
  EXPECT_EQ(BasicAuthorization({"Aladdin", "open sesame"}), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

TEST(CredentialsTest, FixedCredentialsHaveNothingElseToOffer) {
  FixedCredentials credentials({"a", "b", "c"});
  EXPECT_EQ(*credentials.Get(kStart), (Pass{"a", "b", "c"}));
  EXPECT_FALSE(credentials.Refused({"a", "b", "c"}));
}

TEST(CredentialsTest, AFileIsReadAsAWholeAndTroubleNamesIt) {
  const std::string path = absl::StrCat(std::getenv("TEST_TMPDIR"), "/some file");
  std::ofstream(path) << "a\nb\n";
  EXPECT_EQ(*ReadTextFile(path), "a\nb\n");
  std::ofstream(path, std::ios::trunc).flush();
  EXPECT_EQ(*ReadTextFile(path), "");

  const absl::Status absent = ReadTextFile(path + "x").status();
  EXPECT_EQ(absent.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(absent.message(), path + "x: No such file or directory");
  const absl::Status directory = ReadTextFile(std::getenv("TEST_TMPDIR")).status();
  EXPECT_EQ(directory.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(directory.message()), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace gangpack::k8s
