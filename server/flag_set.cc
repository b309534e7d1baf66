#include "server/flag_set.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "server/configuration.h"
#include "server/simulate/go_duration.h"

namespace gangpack::server {
namespace {

constexpr size_t kNearMax = 2;  // letters that may differ

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

void FlagSet::AddDuration(const std::string& name, absl::Duration* to) {
  Add(name, [name, to](const std::string& value) {
    const std::optional<absl::Duration> duration = ParseGoDuration(value);
    if (!duration.has_value()) return BadFlagValue(name, value, "a duration such as 600s");
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
  std::vector<std::pair<const Flag*, std::string>> given;
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
        return absl::InvalidArgumentError(
            absl::StrCat("--", name, ": is missing, expected a value"));
      }
      value = args[++i];
    }
    given.emplace_back(&found->second, std::move(value));
  }
  std::stable_partition(given.begin(), given.end(),
                        [](const auto& flag) { return flag.first->comes_first; });
  for (const auto& [flag, value] : given) GP_RETURN_IF_ERROR(flag->set(value));
  return operands;
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
    GP_ASSIGN_OR_RETURN(*policy, ReadConfiguration(path));
    return absl::OkStatus();
  });
  flags->AddText("topology-key", &policy->default_topology_key);
  flags->AddText("scheduler-name", &policy->scheduler_name);
  flags->AddDuration("permit-timeout", &policy->permit_timeout);
  flags->AddSwitch("standalone-domain-packing", &policy->standalone_domain_packing);
}

}  // namespace gangpack::server
