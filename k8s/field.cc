#include "k8s/field.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace gangpack::k8s {

Field::Field(const Field* parent, const Value* value, absl::string_view key, size_t index,
             int key_line)
    : value_(value != nullptr && !value->is_null() ? value : nullptr),
      faults_(parent->faults_),
      parent_(parent),
      key_(key),
      index_(index),
      key_line_(key_line) {}

int Field::line() const {
  for (const Field* field = this; field != nullptr; field = field->parent_) {
    if (field->key_line_ > 0) return field->key_line_;
    if (field->value_ != nullptr) return field->value_->line();
  }
  return 1;
}

std::string Field::Path() const {
  std::string path;
  AppendPath(&path);
  return path;
}

void Field::AppendPath(std::string* path) const {
  if (parent_ == nullptr) return;
  parent_->AppendPath(path);
  if (index_ == kNotAnItem) {
    AppendMember(key_, path);
  } else {
    AppendIndex(index_, path);
  }
}

Field Field::Any(absl::string_view key) const& {
  if (exists()) {
    for (const Member& member : value_->members()) {
      if (member.key() == key) return Field(this, &member.value, key, kNotAnItem, member.key_line);
    }
  }
  return Field(this, nullptr, key, kNotAnItem, 0);
}

bool Field::Expect(ValueKind kind) {
  if (!exists()) return false;
  if (value_->kind() == kind) return true;
  // `name: n` is a boolean to YAML, which surprises whoever wrote it.
  const bool wants_quotes = kind == ValueKind::kString && (value_->kind() == ValueKind::kBool ||
                                                           value_->kind() == ValueKind::kNumber);
  Report(absl::StrCat(KindName(value_->kind()), ", expected ", KindName(kind),
                      wants_quotes ? " (in quotes)" : ""));
  faults_->misread.insert(value_);
  misread_ = true;
  value_ = nullptr;
  return false;
}

Field Field::Object(absl::string_view key) const& {
  Field field = Any(key);
  field.Expect(ValueKind::kMap);
  return field;
}

Field Field::List(absl::string_view key) const& {
  Field field = Any(key);
  field.Expect(ValueKind::kList);
  return field;
}

std::optional<absl::string_view> Field::OptionalText(absl::string_view key) const {
  return Any(key).AsText();
}

bool Field::Bool(absl::string_view key) const {
  Field field = Any(key);
  return field.Expect(ValueKind::kBool) && field.value().bool_value();
}

std::optional<int64_t> Field::Int(absl::string_view key, int64_t min, int64_t max) const {
  Field field = Any(key);
  if (!field.Expect(ValueKind::kNumber)) return std::nullopt;
  const absl::string_view text = field.value().text();
  int64_t number = 0;
  if (absl::SimpleAtoi(text, &number) && number >= min && number <= max) return number;
  field.Report(absl::StrCat(Quote(text), ", expected a whole number from ", min, " to ", max));
  return std::nullopt;
}

std::optional<absl::Time> Field::Timestamp(absl::string_view key) const {
  const Field field = Any(key);
  const std::optional<absl::string_view> text = field.AsText();
  if (!text.has_value()) return std::nullopt;
  absl::Time time;
  std::string error;
  // ParseTime also takes "infinite-past" and white space.
  if (!text->empty() && absl::ascii_isdigit(text->front()) &&
      absl::ParseTime(absl::RFC3339_full, *text, &time, &error)) {
    return time;
  }
  field.Report(absl::StrCat(Quote(*text), ", expected a time such as 2026-01-31T12:00:00Z"));
  return std::nullopt;
}

std::vector<std::string> Field::Texts(absl::string_view key) const {
  const Field list = List(key);
  std::vector<std::string> texts;
  for (size_t i = 0; i < list.item_count(); ++i) {
    const Field item = list.ItemAt(i);
    if (const std::optional<absl::string_view> text = item.AsText()) texts.emplace_back(*text);
  }
  return texts;
}

Field Field::MemberAt(size_t index) const& {
  const Member& member = value_->members()[index];
  return Field(this, &member.value, member.key(), kNotAnItem, member.key_line);
}

Field Field::ItemAt(size_t index) const& { return Item(value_->items()[index], index); }

Field Field::Item(const Value& item, size_t index) const& {
  return Field(this, &item, absl::string_view(), index, 0);
}

Field Field::ObjectAt(size_t index) const& {
  Field field = ItemAt(index);
  field.Expect(ValueKind::kMap);
  return field;
}

std::optional<absl::string_view> Field::AsText() const {
  Field field = *this;
  if (!field.Expect(ValueKind::kString)) return std::nullopt;
  return value_->text();
}

bool Field::IsObject() const {
  Field field = *this;
  return field.Expect(ValueKind::kMap);
}

bool Field::IsMisread() const {
  if (exists() && faults_->misread.contains(value_)) return true;
  for (const Field* field = this; field != nullptr; field = field->parent_) {
    if (field->misread_) return true;
  }
  return false;
}

void Field::Report(std::string message) const {
  if (IsMisread()) return;
  faults_->faults.push_back({faults_->file, line(), Path(), std::move(message)});
}

void Field::Report(absl::string_view key, std::string message) const {
  Any(key).Report(std::move(message));
}

}  // namespace gangpack::k8s
