#include "server/flag_set.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "server/configuration.h"
#include "server/http_listener.h"
#include "server/listen_address.h"
#include "server/simulate/go_duration.h"

namespace gangpack::server {
namespace {

constexpr size_t kNearMax = 2;  // letters that may differ
constexpr absl::Duration kPermitTimeoutMax = absl::Hours(24 * 365 * 100);  // as in the file

// The least number of letters to insert, remove or replace.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// A text that the configuration file checks as well.
void AddName(FlagSet* flags, const std::string& name, NameKind kind, std::string* to) {
  flags->Add(name, [name, kind, to](const std::string& value) -> absl::Status {
    if (const std::optional<std::string> fault = FaultOfName(kind, value)) {
      return absl::InvalidArgumentError(absl::StrCat("--", name, ": ", *fault));
    }
    *to = value;
    return absl::OkStatus();
  });
}

void AddOverrides(FlagSet* flags, Policy* policy) {
  AddName(flags, "topology-key", NameKind::kLabelKeyOrEmpty, &policy->default_topology_key);
  AddName(flags, "scheduler-name", NameKind::kName, &policy->scheduler_name);
  flags->AddDuration("permit-timeout", kPermitTimeoutMax, &policy->permit_timeout);
  flags->AddSwitch("standalone-domain-packing", &policy->standalone_domain_packing);
}

void AddListenFlag(FlagSet* flags, const std::string& name, HttpListenerOptions* to) {
  flags->Add(name, [name, to](const std::string& value) -> absl::Status {
    absl::StatusOr<ListenAddress> address = ParseListenAddress(value);
    if (!address.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("--", name, ": ", address.status().message()));
    }
    to->address = std::move(address->address);
    to->port = address->port;
    return absl::OkStatus();
  });
}

}  // namespace

std::string Nearest(absl::string_view word, absl::Span<const std::string> candidates) {
  std::string nearest;
  size_t least = kNearMax + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

absl::Status BadFlagValue(absl::string_view name, absl::string_view value,
                          absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", name, ": is \"", value, "\", expected ", expected));
}

void FlagSet::AddText(const std::string& name, std::string* to) {
  Add(name, [to](const std::string& value) {
    *to = value;
    return absl::OkStatus();
  });
}

void FlagSet::AddSwitch(const std::string& name, bool* to) {
  Add(name, [name, to](const std::string& value) {
    const bool yes = value == "true" || value == "1";
    if (!yes && value != "false" && value != "0") {
      return BadFlagValue(name, value, "true or false");
    }
    *to = yes;
    return absl::OkStatus();
  });
  flags_[name].is_switch = true;
}

void FlagSet::AddOutputFormat(const std::string& name, OutputFormat* to) {
  Add(name, [name, to](const std::string& value) {
    if (value != "table" && value != "json") return BadFlagValue(name, value, "table or json");
    *to = value == "json" ? OutputFormat::kJson : OutputFormat::kTable;
    return absl::OkStatus();
  });
}

void FlagSet::AddDuration(const std::string& name, absl::Duration max, absl::Duration* to) {
  Add(name, [name, max, to](const std::string& value) {
    const std::optional<absl::Duration> duration = ParseGoDuration(value);
    if (!duration.has_value() || *duration <= absl::ZeroDuration() || *duration > max) {
      return BadFlagValue(name, value,
                          absl::StrCat("a duration such as 600s, above 0 and at most ",
                                       absl::ToInt64Hours(max), "h"));
    }
    *to = *duration;
    return absl::OkStatus();
  });
}

void FlagSet::Add(const std::string& name, std::function<absl::Status(const std::string&)> set) {
  flags_[name] = {false, false, std::move(set)};
}

void FlagSet::AddFirst(const std::string& name,
                       std::function<absl::Status(const std::string&)> set) {
  flags_[name] = {false, true, std::move(set)};
}

absl::StatusOr<std::vector<std::string>> FlagSet::Parse(absl::Span<const std::string> args) const {
  std::vector<std::string> operands;
  std::vector<GivenFlag> given;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg == "--") {
      operands.insert(operands.end(), args.begin() + i + 1, args.end());
      break;
    }
    if (arg == "-" || !absl::StartsWith(arg, "-")) {
      operands.push_back(arg);
      continue;
    }
    const size_t equals = std::min(arg.find('='), arg.size());
    const size_t dashes = absl::StartsWith(arg, "--") ? 2 : 1;
    const std::string name = arg.substr(dashes, equals - dashes);
    const auto found = flags_.find(name);
    if (found == flags_.end()) return Unknown(arg, name);
    std::string value = "true";
    if (equals < arg.size()) {
      value = arg.substr(equals + 1);
    } else if (!found->second.is_switch) {
      if (i + 1 == args.size()) {
        return absl::InvalidArgumentError(absl::StrCat(arg, ": is missing, expected a value"));
      }
      value = args[++i];
    }
    given.push_back({&*found, arg.substr(0, equals), std::move(value)});
  }
  std::stable_partition(given.begin(), given.end(),
                        [](const GivenFlag& flag) { return flag.flag->second.comes_first; });
  for (const GivenFlag& flag : given) {
    GP_RETURN_IF_ERROR(AsTyped(flag, flag.flag->second.set(flag.value)));
  }
  return operands;
}

absl::Status FlagSet::AsTyped(const GivenFlag& flag, absl::Status status) {
  const std::string prefix = absl::StrCat("--", flag.flag->first, ":");
  if (!absl::StartsWith(status.message(), prefix)) return status;
  return absl::Status(status.code(),
                      absl::StrCat(flag.typed, status.message().substr(prefix.size() - 1)));
}

absl::Status FlagSet::Unknown(const std::string& arg, const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& [known, flag] : flags_) names.push_back(known);
  const std::string nearest = Nearest(name, names);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown flag \"", arg, "\", expected one of those in --help",
                   nearest.empty() ? "" : absl::StrCat(" (did you mean --", nearest, "?)")));
}

void AddPolicyFlags(FlagSet* flags, Policy* policy) {
  flags->AddFirst("config", [policy](const std::string& path) -> absl::Status {
    GP_ASSIGN_OR_RETURN(Configuration configuration, ReadConfiguration(path));
    *policy = std::move(configuration.policy);
    return absl::OkStatus();
  });
  AddOverrides(flags, policy);
}

void AddConfigurationFlags(FlagSet* flags, Configuration* configuration) {
  flags->AddFirst("config", [configuration](const std::string& path) -> absl::Status {
    GP_ASSIGN_OR_RETURN(*configuration, ReadConfiguration(path));
    return absl::OkStatus();
  });
  AddOverrides(flags, &configuration->policy);
  AddListenFlag(flags, "listen", &configuration->http.filter);
  AddListenFlag(flags, "listen-bind", &configuration->http.bind);
}

}  // namespace gangpack::server
