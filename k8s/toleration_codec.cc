#include "k8s/toleration_codec.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/names.h"

namespace gangpack::k8s {
namespace {

std::optional<TaintEffect> ParseEffect(absl::string_view text) {
  if (text == "NoSchedule") return TaintEffect::kNoSchedule;
  if (text == "PreferNoSchedule") return TaintEffect::kPreferNoSchedule;
  if (text == "NoExecute") return TaintEffect::kNoExecute;
  return std::nullopt;
}

std::optional<TolerationOperator> ParseOperator(absl::string_view text) {
  if (text.empty() || text == "Equal") return TolerationOperator::kEqual;
  if (text == "Exists") return TolerationOperator::kExists;
  if (text == "Lt") return TolerationOperator::kLt;
  if (text == "Gt") return TolerationOperator::kGt;
  return std::nullopt;
}

// False where it was reported.
bool DecodeEffect(const Field& field, std::optional<TaintEffect>* effect) {
  const absl::string_view text = field.Text("effect");
  if (text.empty()) return true;
  *effect = ParseEffect(text);
  if (effect->has_value()) return true;
  field.Report("effect",
               absl::StrCat(Quote(text), ", expected NoSchedule, PreferNoSchedule or NoExecute"));
  return false;
}

bool CheckKey(const Field& field, absl::string_view key) {
  const char* expected = CheckQualifiedName(key);
  if (expected != nullptr) field.Report("key", absl::StrCat(Quote(key), ", ", expected));
  return expected == nullptr;
}

bool CheckValue(const Field& field, const Toleration& toleration) {
  int64_t number = 0;
  const std::string quoted = Quote(toleration.value);
  switch (toleration.op) {
    case TolerationOperator::kEqual:
      if (const char* expected = CheckLabelValue(toleration.value)) {
        field.Report("value", absl::StrCat(quoted, ", ", expected));
        return false;
      }
      return true;
    case TolerationOperator::kExists:
      if (toleration.value.empty()) return true;
      field.Report("value", absl::StrCat(quoted, ", expected none with Exists"));
      return false;
    case TolerationOperator::kLt:
    case TolerationOperator::kGt:
      if (absl::SimpleAtoi(toleration.value, &number)) return true;
      field.Report("value", absl::StrCat(quoted, ", expected a whole number with Lt and Gt"));
      return false;
  }
  return false;
}

std::optional<Toleration> DecodeToleration(const Field& field) {
  Toleration toleration;
  toleration.key = std::string(field.Text("key"));
  toleration.value = std::string(field.Text("value"));
  const absl::string_view op = field.Text("operator");
  const std::optional<TolerationOperator> parsed = ParseOperator(op);
  bool valid = DecodeEffect(field, &toleration.effect);
  if (!parsed.has_value()) {
    field.Report("operator", absl::StrCat(Quote(op), ", expected Equal, Exists, Lt or Gt"));
    return std::nullopt;
  }
  toleration.op = *parsed;
  if (toleration.key.empty() && toleration.op != TolerationOperator::kExists) {
    field.Report("key", "missing, expected a key, or the operator Exists for all keys");
    valid = false;
  } else if (!toleration.key.empty()) {
    valid &= CheckKey(field, toleration.key);
  }
  valid &= CheckValue(field, toleration);
  if (!valid) return std::nullopt;
  return toleration;
}

}  // namespace

std::vector<Toleration> DecodeTolerations(const Field& spec) {
  const Field list = spec.List("tolerations");
  std::vector<Toleration> tolerations;
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field field = list.ObjectAt(i);
    if (!field.exists()) continue;
    if (std::optional<Toleration> toleration = DecodeToleration(field)) {
      tolerations.push_back(*std::move(toleration));
    }
  }
  return tolerations;
}

std::vector<Taint> DecodeTaints(const Field& spec) {
  const Field list = spec.List("taints");
  std::vector<Taint> taints;
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field field = list.ObjectAt(i);
    if (!field.exists()) continue;
    Taint taint;
    taint.key = std::string(field.Text("key"));
    taint.value = std::string(field.Text("value"));
    std::optional<TaintEffect> effect;
    bool valid = DecodeEffect(field, &effect);
    if (valid && !effect.has_value()) {
      field.Report("effect", "missing, expected NoSchedule, PreferNoSchedule or NoExecute");
    }
    valid &= CheckKey(field, taint.key);
    if (const char* expected = CheckLabelValue(taint.value)) {
      field.Report("value", absl::StrCat(Quote(taint.value), ", ", expected));
      valid = false;
    }
    if (!valid || !effect.has_value()) continue;
    taint.effect = *effect;
    const bool repeated = std::any_of(taints.begin(), taints.end(), [&](const Taint& other) {
      return other.key == taint.key && other.effect == taint.effect;
    });
    if (repeated) {
      field.Report("the taint appears twice, expected each key and effect once");
      continue;
    }
    taints.push_back(std::move(taint));
  }
  return taints;
}

}  // namespace gangpack::k8s
