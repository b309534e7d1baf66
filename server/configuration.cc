#include "server/configuration.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "k8s/credentials.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/yaml_reader.h"

namespace gangpack::server {
namespace {

// Takes in what the file has of each field.
class FieldReader final : public ConfigurationVisitor {
 public:
  explicit FieldReader(const k8s::Field* object) : object_(object) {}

  void Name(const FieldText& field, NameKind kind, std::string* value) override {
    known_.push_back(field.key);
    const std::optional<absl::string_view> text = object_->OptionalText(field.key);
    if (!text.has_value()) return;
    if (std::optional<std::string> fault = FaultOfName(kind, *text)) {
      object_->Report(field.key, *std::move(fault));
    }
    *value = std::string(*text);
  }

  void Switch(const FieldText& field, bool* value) override {
    known_.push_back(field.key);
    if (object_->Any(field.key).exists()) *value = object_->Bool(field.key);
  }

  void Number(const FieldText& field, const FieldRange& range, int64_t* value) override {
    known_.push_back(field.key);
    if (const auto number = object_->Int(field.key, range.min, range.max)) *value = *number;
  }

  void Seconds(const FieldText& field, const FieldRange& range, absl::Duration* value) override {
    known_.push_back(field.key);
    if (const auto seconds = object_->Int(field.key, range.min, range.max)) {
      *value = absl::Seconds(*seconds);
    }
  }

  void Address(const FieldText& field, ListenAddress* value) override {
    known_.push_back(field.key);
    const std::optional<absl::string_view> text = object_->OptionalText(field.key);
    if (!text.has_value()) return;
    absl::StatusOr<ListenAddress> address = ParseListenAddress(*text);
    if (address.ok()) {
      *value = *std::move(address);
    } else {
      object_->Report(field.key, std::string(address.status().message()));
    }
  }

  void Object(const FieldText& field, const std::function<void()>& members) override {
    known_.push_back(field.key);
    const k8s::Field child = object_->Object(field.key);
    const k8s::Field* const parent = std::exchange(object_, &child);
    std::vector<absl::string_view> known = std::exchange(known_, {});
    members();
    ReportUnknown();
    known_ = std::move(known);
    object_ = parent;
  }

  // Keys of the object that no field has.
  void ReportUnknown() const {
    for (size_t i = 0; i < object_->member_count(); ++i) {
      const absl::string_view key = object_->MemberKey(i);
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      object_->Report(key, absl::StrCat("no field of a configuration, expected one of ",
                                        absl::StrJoin(known_, ", ")));
    }
  }

  void ReadHead() {
    for (const auto& [key, expected] :
         {std::pair<absl::string_view, absl::string_view>("apiVersion", kConfigurationApiVersion),
          {"kind", kConfigurationKind}}) {
      known_.push_back(key);
      const absl::string_view value = object_->Text(key);
      if (value == expected) continue;
      object_->Report(key, absl::StrCat(value.empty() ? "is missing" : k8s::Quote(value),
                                        ", expected ", expected));
    }
  }

 private:
  const k8s::Field* object_;  // the one whose fields are visited
  std::vector<absl::string_view> known_;
};

}  // namespace

absl::StatusOr<Configuration> ParseConfiguration(const std::string& path, std::string text) {
  absl::StatusOr<k8s::Documents> documents = k8s::ReadYamlOrJson({path, std::move(text)});
  if (!documents.ok()) return documents.status();
  if (documents->roots().size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat(path, ":1: has ", documents->roots().size(),
                                                   " documents, expected one configuration"));
  }
  k8s::FaultList faults{path, {}};
  const k8s::Field root(documents->roots()[0], &faults);
  Configuration configuration;
  if (root.IsObject()) {
    FieldReader reader(&root);
    reader.ReadHead();
    VisitConfiguration(&configuration, &reader);
    reader.ReportUnknown();
  }
  if (faults.faults.empty()) return configuration;
  std::vector<std::string> lines;
  for (const k8s::Fault& fault : faults.faults) lines.push_back(fault.ToString());
  return absl::InvalidArgumentError(absl::StrJoin(lines, "\n"));
}

absl::StatusOr<Configuration> ReadConfiguration(const std::string& path) {
  absl::StatusOr<std::string> text = k8s::ReadTextFile(path);
  if (!text.ok()) {
    return absl::NotFoundError(
        absl::StrCat(text.status().message(), ", expected a readable YAML file"));
  }
  return ParseConfiguration(path, *std::move(text));
}

}  // namespace gangpack::server
