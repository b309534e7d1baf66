#include "k8s/quantity.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "k8s/fault.h"

namespace gangpack::k8s {
namespace {

using Int128 = __int128;

constexpr int kNanoDigits = 9;
constexpr Int128 kNanoPerUnit = 1'000'000'000;
constexpr Int128 kNanoPerMilli = 1'000'000;
constexpr Int128 kMaxUnits = std::numeric_limits<int64_t>::max();
// One more than the cap in units, so that "exactly the cap" and "above it" differ.
constexpr Int128 kMaxNano = kMaxUnits * kNanoPerUnit + 1;

// The factor that a suffix stands for: 10^exponent, or 2^exponent.
struct Factor {
  bool is_binary;
  int exponent;
};

std::optional<Factor> ParseSuffix(absl::string_view suffix) {
  static constexpr struct {
    absl::string_view text;
    Factor factor;
  } kSuffixes[] = {
      {"", {false, 0}},   {"n", {false, -9}}, {"u", {false, -6}}, {"m", {false, -3}},
      {"k", {false, 3}},  {"M", {false, 6}},  {"G", {false, 9}},  {"T", {false, 12}},
      {"P", {false, 15}}, {"E", {false, 18}}, {"Ki", {true, 10}}, {"Mi", {true, 20}},
      {"Gi", {true, 30}}, {"Ti", {true, 40}}, {"Pi", {true, 50}}, {"Ei", {true, 60}},
  };
  for (const auto& [text, factor] : kSuffixes) {
    if (suffix == text) return factor;
  }
  if (suffix.size() < 2 || (suffix[0] != 'e' && suffix[0] != 'E')) return std::nullopt;
  suffix.remove_prefix(1);
  const bool is_number = absl::ascii_isdigit(suffix.back());
  int64_t exponent = 0;
  if (!is_number || !absl::SimpleAtoi(suffix, &exponent)) return std::nullopt;
  // apimachinery keeps the low 32 bits.
  return Factor{false, static_cast<int32_t>(static_cast<uint32_t>(exponent))};
}

struct Parts {
  bool negative = false;
  absl::string_view whole;     // Digits before the point, without leading zeros.
  absl::string_view fraction;  // Digits after it.
  absl::string_view suffix;
};

absl::string_view TakeWhile(absl::string_view* text, bool (*accepts)(unsigned char)) {
  size_t size = 0;
  while (size < text->size() && accepts(static_cast<unsigned char>((*text)[size]))) ++size;
  const absl::string_view taken = text->substr(0, size);
  text->remove_prefix(size);
  return taken;
}

bool IsSuffixLetter(unsigned char c) {
  return absl::string_view("eEinumkKMGTP").find(static_cast<char>(c)) != absl::string_view::npos;
}

// Splits the text as parseQuantityString of apimachinery does; nothing when it has another form.
std::optional<Parts> Split(absl::string_view text) {
  Parts parts;
  if (text.empty()) return std::nullopt;
  parts.negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  TakeWhile(&text, [](unsigned char c) { return c == '0'; });
  parts.whole = TakeWhile(&text, absl::ascii_isdigit);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    parts.fraction = TakeWhile(&text, absl::ascii_isdigit);
  }
  parts.suffix = text;
  TakeWhile(&text, IsSuffixLetter);
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  TakeWhile(&text, absl::ascii_isdigit);
  if (!text.empty()) return std::nullopt;
  return parts;
}

// digits * 10^exponent in nano units, rounded up and capped. `digits` is whole, then fraction.
Int128 DecimalNano(absl::string_view whole, absl::string_view fraction, int exponent) {
  // Number of digits before the point once the exponent is applied, and once in nano.
  int64_t point = static_cast<int64_t>(whole.size()) + exponent;
  const auto digit = [&](size_t i) -> int {
    return (i < whole.size() ? whole[i] : fraction[i - whole.size()]) - '0';
  };
  const size_t size = whole.size() + fraction.size();
  size_t first = 0;
  while (first < size && digit(first) == 0) ++first;
  if (first == size) return 0;
  point -= static_cast<int64_t>(first);
  constexpr int kMaxUnitDigits = 19;
  if (point > kMaxUnitDigits) return kMaxNano;
  Int128 nano = 0;
  size_t next = first;
  for (int64_t i = 0; i < point + kNanoDigits; ++i) {
    nano = nano * 10 + (next < size ? digit(next++) : 0);
  }
  while (next < size && digit(next) == 0) ++next;
  if (next < size) ++nano;
  return std::min(nano, kMaxNano);
}

// whole.fraction * 2^exponent in nano units, rounded up and capped.
Int128 BinaryNano(absl::string_view whole, absl::string_view fraction, int exponent) {
  constexpr size_t kMaxUnitDigits = 19;
  if (whole.size() > kMaxUnitDigits) return kMaxNano;
  Int128 units = 0;
  for (const char c : whole) units = units * 10 + (c - '0');
  units <<= exponent;  // Below 10^19 * 2^60, which is less than 2^124.
  if (units > kMaxUnits) return kMaxNano;
  // The fraction from its last digit to its first, each step exact but for a rest that only
  // matters for rounding up. The value stays below `scale`, which is less than 2^90.
  const Int128 scale = (Int128{1} << exponent) * kNanoPerUnit;
  Int128 nano = 0;
  bool has_rest = false;
  for (auto it = fraction.rbegin(); it != fraction.rend(); ++it) {
    const Int128 sum = nano + (*it - '0') * scale;
    has_rest |= sum % 10 != 0;
    nano = sum / 10;
  }
  return std::min(units * kNanoPerUnit + nano + (has_rest ? 1 : 0), kMaxNano);
}

// Away from zero.
Int128 DivideRoundedUp(Int128 nano, Int128 unit) {
  return (nano < 0 ? nano - (unit - 1) : nano + (unit - 1)) / unit;
}

int64_t Capped(Int128 amount) {
  return static_cast<int64_t>(std::max(-kMaxUnits, std::min(amount, kMaxUnits)));
}

}  // namespace

absl::StatusOr<Quantity> Quantity::Parse(absl::string_view text) {
  const std::optional<Parts> parts = Split(text);
  const std::optional<Factor> factor = parts ? ParseSuffix(parts->suffix) : std::nullopt;
  if (!factor) {
    return absl::InvalidArgumentError(absl::StrCat(
        Quote(text), " is no quantity, expected a number such as 500m, 2, 1.5Gi or 1e3"));
  }
  const Int128 nano = factor->is_binary
                          ? BinaryNano(parts->whole, parts->fraction, factor->exponent)
                          : DecimalNano(parts->whole, parts->fraction, factor->exponent);
  return Quantity(parts->negative ? -nano : nano);
}

int64_t Quantity::ValueRoundedUp() const { return Capped(DivideRoundedUp(nano_, kNanoPerUnit)); }

absl::int128 Quantity::Thousandths() const { return DivideRoundedUp(nano_, kNanoPerMilli); }

int64_t Quantity::MilliValue() const { return Capped(DivideRoundedUp(nano_, kNanoPerMilli)); }

bool Quantity::ValueIsCapped() const { return nano_ >= kMaxNano || nano_ <= -kMaxNano; }

bool Quantity::MilliValueIsCapped() const {
  constexpr Int128 kMaxMilliNano = kMaxUnits * kNanoPerMilli;
  return nano_ > kMaxMilliNano || nano_ < -kMaxMilliNano;
}

}  // namespace gangpack::k8s
