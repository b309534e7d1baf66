#include "server/simulate/go_duration.h"

#include <cstdint>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace gangpack::server {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr absl::Duration kLongest = absl::Nanoseconds(std::numeric_limits<int64_t>::max());

// `nanos` in units of `unit` nanoseconds, with the digits behind the point that it has.
std::string Decimal(int64_t nanos, int64_t unit) {
  std::string text = absl::StrCat(nanos / unit);
  int64_t rest = nanos % unit;
  if (rest == 0) return text;
  text += '.';
  for (int64_t digit = unit / 10; rest > 0; digit /= 10) {
    absl::StrAppend(&text, rest / digit);
    rest %= digit;
  }
  return text;
}

std::optional<int64_t> UnitNanos(absl::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "\u00b5s" || unit == "\u03bcs") return 1'000;
  if (unit == "ms") return 1'000'000;
  if (unit == "s") return kNanosPerSecond;
  if (unit == "m") return 60 * kNanosPerSecond;
  if (unit == "h") return 3600 * kNanosPerSecond;
  return std::nullopt;
}

// Takes a decimal number off the front, in nanoseconds of a unit that follows it.
std::optional<absl::Duration> TakePart(absl::string_view* text) {
  constexpr int64_t kWholeMax = std::numeric_limits<int64_t>::max() / 10 - 1;
  int64_t whole = 0;
  int64_t fraction = 0;
  int64_t fraction_unit = 1;
  bool digits = false;
  size_t i = 0;
  for (; i < text->size() && absl::ascii_isdigit((*text)[i]); ++i) {
    if (whole > kWholeMax) return std::nullopt;
    whole = whole * 10 + ((*text)[i] - '0');
    digits = true;
  }
  if (i < text->size() && (*text)[i] == '.') {
    for (++i; i < text->size() && absl::ascii_isdigit((*text)[i]); ++i) {
      digits = true;
      if (fraction_unit >= kNanosPerSecond * 1'000'000) continue;  // beyond what can matter
      fraction = fraction * 10 + ((*text)[i] - '0');
      fraction_unit *= 10;
    }
  }
  size_t end = i;
  while (end < text->size() && (*text)[end] != '.' && !absl::ascii_isdigit((*text)[end])) ++end;
  const std::optional<int64_t> unit = UnitNanos(text->substr(i, end - i));
  if (!digits || !unit.has_value()) return std::nullopt;
  text->remove_prefix(end);
  const auto fraction_nanos =
      static_cast<int64_t>(static_cast<__int128>(fraction) * *unit / fraction_unit);
  return absl::Nanoseconds(*unit) * whole + absl::Nanoseconds(fraction_nanos);
}

}  // namespace

std::string FormatGoDuration(absl::Duration duration) {
  if (duration < absl::ZeroDuration()) return absl::StrCat("-", FormatGoDuration(-duration));
  const int64_t nanos = absl::ToInt64Nanoseconds(duration < kLongest ? duration : kLongest);
  if (nanos == 0) return "0s";
  if (nanos < 1'000) return absl::StrCat(nanos, "ns");
  if (nanos < 1'000'000) return absl::StrCat(Decimal(nanos, 1'000), "\u00b5s");
  if (nanos < kNanosPerSecond) return absl::StrCat(Decimal(nanos, 1'000'000), "ms");
  const int64_t minutes = nanos / (60 * kNanosPerSecond);
  const std::string seconds =
      absl::StrCat(Decimal(nanos % (60 * kNanosPerSecond), kNanosPerSecond), "s");
  if (minutes == 0) return seconds;
  if (minutes < 60) return absl::StrCat(minutes, "m", seconds);
  return absl::StrCat(minutes / 60, "h", minutes % 60, "m", seconds);
}

std::optional<absl::Duration> ParseGoDuration(absl::string_view text) {
  if (text == "0") return absl::ZeroDuration();
  if (text.empty()) return std::nullopt;
  absl::Duration total = absl::ZeroDuration();
  while (!text.empty()) {
    const std::optional<absl::Duration> part = TakePart(&text);
    if (!part.has_value()) return std::nullopt;
    total += *part;
  }
  if (total > kLongest) return std::nullopt;
  return total;
}

}  // namespace gangpack::server
