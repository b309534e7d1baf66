// What can be configured: every field of the configuration file once, with its range and what it
// is. Reading and writing both walk over this list, so that neither can know a field the other does
// not.
//
// Terms: a path is the keys to a field, `server.filter.bodyBytesMax`. Units are in the keys.
// Thread-safety: none needed. Errors: a visitor's own.
#ifndef GANGPACK_SERVER_CONFIGURATION_FIELDS_H_
#define GANGPACK_SERVER_CONFIGURATION_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/policy.h"
#include "server/http_server.h"
#include "server/listen_address.h"

namespace gangpack::server {

// How the API server is used.
struct KubernetesSettings {
  size_t writes_max = 16;
};

struct Configuration {
  Policy policy;
  HttpServerOptions http;  // without pages
  KubernetesSettings kubernetes;
};

constexpr absl::string_view kConfigurationApiVersion = "gangpack/v1alpha1";
constexpr absl::string_view kConfigurationKind = "Configuration";

// A field: its key and what it is, in whole sentences, one line each.
struct FieldText {
  absl::string_view key;
  absl::string_view about;
};

struct FieldRange {
  int64_t min = 0;
  int64_t max = 0;
};

enum class NameKind {
  kName,             // without white space, not empty
  kLabelKey,         // of a label or annotation, as Kubernetes takes it
  kLabelKeyOrEmpty,  // the same, or nothing
};

// Called per field, in the order of the file, with the place of its value.
class ConfigurationVisitor {
 public:
  virtual ~ConfigurationVisitor() = default;
  virtual void Name(const FieldText& field, NameKind kind, std::string* value) = 0;
  virtual void Switch(const FieldText& field, bool* value) = 0;
  virtual void Number(const FieldText& field, const FieldRange& range, int64_t* value) = 0;
  virtual void Seconds(const FieldText& field, const FieldRange& range, absl::Duration* value) = 0;
  virtual void Address(const FieldText& field, ListenAddress* value) = 0;
  // The fields of an object are visited by `members`.
  virtual void Object(const FieldText& field, const std::function<void()>& members) = 0;
};

void VisitConfiguration(Configuration* configuration, ConfigurationVisitor* visitor);

// What is wrong with the name and what was expected; nothing if it will do.
std::optional<std::string> FaultOfName(NameKind kind, absl::string_view name);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_CONFIGURATION_FIELDS_H_
