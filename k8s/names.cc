#include "k8s/names.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace gangpack::k8s {
namespace {

constexpr size_t kMaxLabelBytes = 63;
constexpr size_t kMaxSubdomainBytes = 253;

bool IsLowerAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool IsAlnum(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

// [a-z0-9]([-a-z0-9]*[a-z0-9])?
bool IsDnsLabel(absl::string_view text) {
  return !text.empty() && IsLowerAlnum(text.front()) && IsLowerAlnum(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsLowerAlnum(c) || c == '-'; });
}

// Labels joined by points. Their length is not limited but for that of the whole.
bool IsDnsSubdomain(absl::string_view text) {
  if (text.size() > kMaxSubdomainBytes) return false;
  while (true) {
    const size_t point = text.find('.');
    if (!IsDnsLabel(text.substr(0, point))) return false;
    if (point == absl::string_view::npos) return true;
    text.remove_prefix(point + 1);
  }
}

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9], at most 63 characters.
bool IsNamePart(absl::string_view text) {
  return !text.empty() && text.size() <= kMaxLabelBytes && IsAlnum(text.front()) &&
         IsAlnum(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return IsAlnum(c) || c == '-' || c == '_' || c == '.';
         });
}

bool IsDnsSubdomainInAnyCase(absl::string_view text) {
  // The prefix of an annotation's key may be in upper case; nothing else differs.
  return IsDnsSubdomain(absl::AsciiStrToLower(text));
}

const char* CheckKey(absl::string_view text, bool (*is_prefix)(absl::string_view)) {
  const size_t slash = text.find('/');
  const bool has_prefix = slash != absl::string_view::npos;
  if (has_prefix && !is_prefix(text.substr(0, slash))) {
    return "expected a prefix before `/` that is a DNS name in lower case";
  }
  if (!IsNamePart(has_prefix ? text.substr(slash + 1) : text)) {
    return "expected a name of 1 to 63 letters, digits, `-`, `_` and `.` that begins and ends with "
           "a "
           "letter or digit, after an optional prefix and `/`";
  }
  return nullptr;
}

}  // namespace

const char* CheckDnsLabel(absl::string_view text) {
  if (text.size() <= kMaxLabelBytes && IsDnsLabel(text)) return nullptr;
  return "expected at most 63 lower-case letters, digits and `-`, with a letter or digit at both "
         "ends";
}

const char* CheckDnsSubdomain(absl::string_view text) {
  if (IsDnsSubdomain(text)) return nullptr;
  return "expected at most 253 lower-case letters, digits, `-` and `.`, with a letter or digit at "
         "both ends of each part";
}

const char* CheckQualifiedName(absl::string_view text) { return CheckKey(text, IsDnsSubdomain); }

const char* CheckAnnotationKey(absl::string_view text) {
  return CheckKey(text, IsDnsSubdomainInAnyCase);
}

const char* CheckLabelValue(absl::string_view text) {
  if (text.empty() || IsNamePart(text)) return nullptr;
  return "expected nothing, or at most 63 letters, digits, `-`, `_` and `.` with a letter or digit "
         "at both ends";
}

}  // namespace gangpack::k8s
