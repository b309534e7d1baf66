#include "server/configuration_text.h"

#include <map>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace gangpack::server {
namespace {

constexpr char kHead[] =
    "# The configuration file of gangpack: serve, simulate, demo and config take it by --config.\n";

// A YAML scalar that is read back as this text: plain where it can be nothing else, else quoted.
std::string Scalar(absl::string_view text) {
  bool plain = !text.empty() && absl::ascii_isalpha(static_cast<unsigned char>(text[0])) != 0;
  for (const char c : text) {
    plain = plain && (absl::ascii_isalnum(static_cast<unsigned char>(c)) != 0 ||
                      absl::StrContains("-_./", c));
  }
  for (const absl::string_view other :
       {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}) {
    plain = plain && !absl::EqualsIgnoreCase(text, other);
  }
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c)) != 0) {
      absl::StrAppend(&quoted, "\\x", absl::BytesToHexString(absl::string_view(&c, 1)));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string AddressText(const ListenAddress& address) {
  const bool v6 = absl::StrContains(address.address, ':');
  return absl::StrCat(v6 ? "[" : "", address.address, v6 ? "]" : "", ":", address.port);
}

// Writes each field down; the defaults of the paths, if given, into the comments.
class FieldWriter final : public ConfigurationVisitor {
 public:
  explicit FieldWriter(const std::map<std::string, std::string>* defaults) : defaults_(defaults) {}

  void Name(const FieldText& field, NameKind kind, std::string* value) override {
    if (std::optional<std::string> fault = FaultOfName(kind, *value)) {
      Refuse(field, *std::move(fault));
    }
    Write(field, Scalar(*value));
  }

  void Switch(const FieldText& field, bool* value) override {
    Write(field, *value ? "true" : "false");
  }

  void Number(const FieldText& field, const FieldRange& range, int64_t* value) override {
    CheckRange(field, range, *value);
    Write(field, absl::StrCat(*value));
  }

  void Seconds(const FieldText& field, const FieldRange& range, absl::Duration* value) override {
    const int64_t seconds = absl::ToInt64Seconds(*value);
    if (absl::Seconds(seconds) != *value) {
      Refuse(field, absl::StrCat(absl::FormatDuration(*value), ", expected whole seconds"));
    }
    CheckRange(field, range, seconds);
    Write(field, absl::StrCat(seconds));
  }

  void Address(const FieldText& field, ListenAddress* value) override {
    Write(field, Scalar(AddressText(*value)));
  }

  void Object(const FieldText& field, const std::function<void()>& members) override {
    WriteAbout(field);
    absl::StrAppend(&text_, Indent(), field.key, ":\n");
    const std::string parent = std::exchange(prefix_, PathOf(field) + ".");
    depth_ += 1;
    members();
    depth_ -= 1;
    prefix_ = parent;
  }

  const std::map<std::string, std::string>& values() const { return values_; }

  absl::StatusOr<std::string> Text() && {
    if (!status_.ok()) return status_;
    return std::move(text_);
  }

 private:
  std::string Indent() const { return std::string(2 * depth_, ' '); }
  std::string PathOf(const FieldText& field) const { return absl::StrCat(prefix_, field.key); }

  void Refuse(const FieldText& field, const std::string& fault) {
    status_.Update(absl::InvalidArgumentError(absl::StrCat(PathOf(field), ": ", fault)));
  }

  void CheckRange(const FieldText& field, const FieldRange& range, int64_t value) {
    if (value >= range.min && value <= range.max) return;
    Refuse(field,
           absl::StrCat(value, ", expected a whole number from ", range.min, " to ", range.max));
  }

  void WriteAbout(const FieldText& field) {
    for (const absl::string_view line : absl::StrSplit(field.about, '\n')) {
      absl::StrAppend(&text_, Indent(), "# ", line, "\n");
    }
  }

  void Write(const FieldText& field, const std::string& value) {
    WriteAbout(field);
    if (defaults_ != nullptr) {
      absl::StrAppend(&text_, Indent(), "# Default: ", defaults_->at(PathOf(field)), "\n");
    }
    absl::StrAppend(&text_, Indent(), field.key, ": ", value, "\n");
    values_[PathOf(field)] = value;
  }

  const std::map<std::string, std::string>* const defaults_;
  size_t depth_ = 0;
  std::string prefix_;  // of the paths of the fields being visited
  std::string text_ = absl::StrCat(kHead, "apiVersion: ", kConfigurationApiVersion,
                                   "\nkind: ", kConfigurationKind, "\n");
  std::map<std::string, std::string> values_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<std::string> ConfigurationText(const Configuration& configuration) {
  Configuration standard;
  FieldWriter defaults(nullptr);
  VisitConfiguration(&standard, &defaults);
  Configuration copy = configuration;
  FieldWriter writer(&defaults.values());
  VisitConfiguration(&copy, &writer);
  return std::move(writer).Text();
}

}  // namespace gangpack::server
