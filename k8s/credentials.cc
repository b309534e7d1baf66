#include "k8s/credentials.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace gangpack::k8s {

std::string BearerAuthorization(absl::string_view token) { return absl::StrCat("Bearer ", token); }

std::string BasicAuthorization(const BasicLogin& login) {
  return absl::StrCat("Basic ",
                      absl::Base64Escape(absl::StrCat(login.username, ":", login.password)));
}

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  errno = 0;
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  std::string text;
  int error = file == nullptr ? errno : 0;
  while (file != nullptr && error == 0) {
    char bytes[4096];
    const size_t count = std::fread(bytes, 1, sizeof(bytes), file);
    if (count == 0) {
      error = std::ferror(file) ? errno : 0;
      break;
    }
    text.append(bytes, count);
  }
  if (file != nullptr) std::fclose(file);
  if (error == 0) return text;
  const std::string message = absl::StrCat(path, ": ", std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

TokenFileCredentials::TokenFileCredentials(std::string path, Pass base, FileReader reader)
    : path_(std::move(path)), reader_(std::move(reader)), pass_(std::move(base)) {}

absl::StatusOr<Pass> TokenFileCredentials::Get(absl::Time now) {
  absl::MutexLock lock(&mutex_);
  if (now < fresh_until_) return pass_;
  const absl::StatusOr<std::string> text = reader_(path_);
  const absl::string_view token =
      text.ok() ? absl::StripAsciiWhitespace(*text) : absl::string_view();
  if (!token.empty()) {
    pass_.authorization = BearerAuthorization(token);
    fresh_until_ = now + kTokenMaxAge;
  } else if (pass_.authorization.empty()) {
    return absl::UnauthenticatedError(absl::StrCat(
        "token file ",
        text.ok() ? absl::StrCat(path_, ": empty") : std::string(text.status().message()),
        ", expected a bearer token"));
  }
  return pass_;
}

bool TokenFileCredentials::Refused(const Pass& pass) {
  absl::MutexLock lock(&mutex_);
  if (pass == pass_) fresh_until_ = absl::InfinitePast();
  return true;
}

}  // namespace gangpack::k8s
