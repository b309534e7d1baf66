#include "k8s/yaml_scalar.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "k8s/utf8.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kTagPrefix = "tag:yaml.org,2002:";

bool IsOneOf(absl::string_view text, std::initializer_list<absl::string_view> words) {
  for (const absl::string_view word : words) {
    if (text == word) return true;
  }
  return false;
}

std::optional<bool> ParseBool(absl::string_view text) {
  if (IsOneOf(text, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) {
    return true;
  }
  if (IsOneOf(text, {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) {
    return false;
  }
  return std::nullopt;
}

bool IsNull(absl::string_view text) { return IsOneOf(text, {"", "~", "null", "Null", "NULL"}); }

// Go's strconv.ParseInt(text, 0, 64) and, where that overflows, ParseUint: in decimal digits.
std::optional<std::string> ParseInteger(absl::string_view text) {
  const bool negative = absl::StartsWith(text, "-");
  const bool has_sign = negative || absl::StartsWith(text, "+");
  if (has_sign) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = text[1] | 0x20;
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    text.remove_prefix(mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1);
  }
  uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  constexpr uint64_t kMinInt64Magnitude = uint64_t{1} << 63;
  if (has_sign && magnitude > kMinInt64Magnitude - (negative ? 0 : 1)) return std::nullopt;
  return absl::StrCat(negative && magnitude != 0 ? "-" : "", magnitude);
}

// ^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$
bool LooksLikeFloat(absl::string_view text) {
  const auto take_digits = [&text] {
    size_t count = 0;
    while (count < text.size() && absl::ascii_isdigit(text[count])) ++count;
    text.remove_prefix(count);
    return count > 0;
  };
  const auto take_sign = [&text] {
    if (absl::StartsWith(text, "-") || absl::StartsWith(text, "+")) text.remove_prefix(1);
  };
  take_sign();
  const bool has_whole = take_digits();
  if (absl::ConsumePrefix(&text, ".")) {
    if (!take_digits() && !has_whole) return false;
  } else if (!has_whole) {
    return false;
  }
  if (absl::ConsumePrefix(&text, "e") || absl::ConsumePrefix(&text, "E")) {
    take_sign();
    if (!take_digits()) return false;
  }
  return text.empty();
}

std::optional<double> ParseFloat(absl::string_view text) {
  if (IsOneOf(text, {".nan", ".NaN", ".NAN"})) return std::nan("");
  if (IsOneOf(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) return HUGE_VAL;
  if (IsOneOf(text, {"-.inf", "-.Inf", "-.INF"})) return -HUGE_VAL;
  if (!LooksLikeFloat(text)) return std::nullopt;
  absl::ConsumePrefix(&text, "+");
  double value = 0;
  const absl::from_chars_result result =
      absl::from_chars(text.data(), text.data() + text.size(), value);
  const bool too_large = result.ec == std::errc::result_out_of_range && std::abs(value) > 1;
  if (too_large) return std::nullopt;
  return value;
}

// A float in its shortest decimal digits: 0.d1d2d3... * 10^point.
struct Decimal {
  bool negative;
  std::string digits;
  int point;
};

template <typename Float>
Decimal ShortestDecimal(Float value) {
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), std::abs(value),
                                          std::chars_format::scientific);
  const absl::string_view text(buffer, static_cast<size_t>(end - buffer));
  const size_t e = text.find('e');
  int exponent = 0;
  absl::string_view exponent_text = text.substr(e + 1);
  absl::ConsumePrefix(&exponent_text, "+");
  (void)absl::SimpleAtoi(exponent_text, &exponent);
  return {std::signbit(value), absl::StrReplaceAll(text.substr(0, e), {{".", ""}}), exponent + 1};
}

std::string PrintFixed(const Decimal& decimal) {
  const int size = static_cast<int>(decimal.digits.size());
  std::string text = decimal.negative ? "-" : "";
  if (decimal.point <= 0) {
    absl::StrAppend(&text, "0.", std::string(static_cast<size_t>(-decimal.point), '0'),
                    decimal.digits);
  } else if (decimal.point >= size) {
    absl::StrAppend(&text, decimal.digits,
                    std::string(static_cast<size_t>(decimal.point - size), '0'));
  } else {
    const size_t point = static_cast<size_t>(decimal.point);
    absl::StrAppend(&text, decimal.digits.substr(0, point), ".", decimal.digits.substr(point));
  }
  return text;
}

std::string PrintExponent(const Decimal& decimal, size_t exponent_digits) {
  std::string text = decimal.negative ? "-" : "";
  absl::StrAppend(&text, decimal.digits.substr(0, 1));
  if (decimal.digits.size() > 1) absl::StrAppend(&text, ".", decimal.digits.substr(1));
  const int exponent = decimal.point - 1;
  const std::string magnitude = absl::StrCat(std::abs(exponent));
  absl::StrAppend(&text, exponent < 0 ? "e-" : "e+", magnitude.size() < exponent_digits ? "0" : "",
                  magnitude);
  return text;
}

// As encoding/json writes a float64.
std::string PrintJsonFloat(double value) {
  const double magnitude = std::abs(value);
  const Decimal decimal = ShortestDecimal(value);
  const bool exponent = magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21);
  return exponent ? PrintExponent(decimal, 1) : PrintFixed(decimal);
}

// As sigs.k8s.io/yaml names a float key: strconv.FormatFloat(value, 'g', -1, 32).
std::string PrintKeyFloat(double value) {
  if (std::isnan(value)) return ".nan";
  const float narrow = static_cast<float>(value);
  if (std::isinf(narrow)) return narrow > 0 ? ".inf" : "-.inf";
  const Decimal decimal = ShortestDecimal(narrow);
  const int exponent = decimal.point - 1;
  return exponent < -4 || exponent >= 6 ? PrintExponent(decimal, 2) : PrintFixed(decimal);
}

YamlScalar StringScalar(absl::string_view text) {
  return {ValueKind::kString, false, false, std::string(text), std::string(text)};
}

YamlScalar FloatScalar(double value) {
  YamlScalar scalar{ValueKind::kNumber, false, false, "", PrintKeyFloat(value)};
  if (std::isfinite(value)) scalar.text = PrintJsonFloat(value);
  return scalar;
}

YamlScalar ResolvePlain(absl::string_view text) {
  if (IsNull(text)) return YamlScalar();
  if (const std::optional<bool> value = ParseBool(text)) {
    return YamlScalar{ValueKind::kBool, *value, false, "", *value ? "true" : "false"};
  }
  // Only text that begins like a number may be one; what begins with a point has no separators.
  const char first = text[0];
  if (first == '.') {
    if (const std::optional<double> value = ParseFloat(text)) return FloatScalar(*value);
  } else if (first == '+' || first == '-' || absl::ascii_isdigit(first)) {
    const std::string plain = absl::StrReplaceAll(text, {{"_", ""}});
    if (std::optional<std::string> integer = ParseInteger(plain)) {
      return YamlScalar{ValueKind::kNumber, false, true, *integer, *integer};
    }
    if (const std::optional<double> value = ParseFloat(plain)) return FloatScalar(*value);
  }
  return StringScalar(text);
}

absl::StatusOr<YamlScalar> ResolveBinary(absl::string_view text) {
  std::string bytes;
  if (!absl::Base64Unescape(text, &bytes) || FindInvalidUtf8(bytes).has_value()) {
    return absl::InvalidArgumentError("bad !!binary value, expected UTF-8 text in base64");
  }
  return StringScalar(bytes);
}

}  // namespace

absl::StatusOr<YamlScalar> ResolveYamlScalar(absl::string_view tag, absl::string_view text) {
  if (tag == "?" || tag.empty()) return ResolvePlain(text);
  if (!absl::ConsumePrefix(&tag, kTagPrefix) || tag == "str" || tag == "timestamp") {
    return StringScalar(text);
  }
  if (tag == "binary") return ResolveBinary(text);
  const YamlScalar scalar = ResolvePlain(text);
  const bool is_number = scalar.kind == ValueKind::kNumber;
  if (tag == "null") {
    if (scalar.kind == ValueKind::kNull) return scalar;
  } else if (tag == "bool") {
    if (scalar.kind == ValueKind::kBool) return scalar;
  } else if (tag == "int") {
    if (scalar.is_integer) return scalar;
  } else if (tag == "float") {
    if (scalar.is_integer) return FloatScalar(ParseFloat(scalar.text).value_or(0));
    if (is_number) return scalar;
  } else {
    return StringScalar(text);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("`", text, "` does not match its tag, expected a value of type !!", tag));
}

}  // namespace gangpack::k8s
