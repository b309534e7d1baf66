// The flags of one subcommand: what they are called, and where their values go.
//
// Syntax: one dash or two; the value behind `=` or as the next argument; a switch without a value
// is true, and never takes the next argument; flags may stand anywhere before `--`; `-` is an
// operand. Where a flag is repeated, the last one counts, unless its setter adds up. Errors:
// INVALID_ARGUMENT says which argument is wrong, as it was typed, and what was expected. Ownership:
// what the flags are stored in must outlive the set.
#ifndef GANGPACK_SERVER_FLAG_SET_H_
#define GANGPACK_SERVER_FLAG_SET_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/policy.h"
#include "server/configuration_fields.h"

namespace gangpack::server {

enum class OutputFormat { kTable, kJson };

class FlagSet {
 public:
  void AddText(const std::string& name, std::string* to);
  void AddSwitch(const std::string& name, bool* to);
  // As Go writes it, 600s or 1h30m; above 0.
  void AddDuration(const std::string& name, absl::Duration max, absl::Duration* to);
  // table or json.
  void AddOutputFormat(const std::string& name, OutputFormat* to);
  // `set` may refuse the value: `--NAME: what is wrong, what was expected`.
  void Add(const std::string& name, std::function<absl::Status(const std::string&)> set);

  // Set before all other flags, wherever it stands, so that those override what it sets.
  void AddFirst(const std::string& name, std::function<absl::Status(const std::string&)> set);

  // Sets what `args` say; the rest of them, in order.
  absl::StatusOr<std::vector<std::string>> Parse(absl::Span<const std::string> args) const;

 private:
  struct Flag {
    bool is_switch = false;
    bool comes_first = false;
    std::function<absl::Status(const std::string&)> set;
  };
  struct GivenFlag {
    const std::pair<const std::string, Flag>* flag;
    std::string typed;  // its name with its dashes
    std::string value;
  };
  // The error of a setter, which names the flag with two dashes and may be known by several names.
  static absl::Status AsTyped(const GivenFlag& flag, absl::Status status);
  absl::Status Unknown(const std::string& arg, const std::string& name) const;

  std::map<std::string, Flag> flags_;
};

// --config, and what overrides it: --topology-key, --scheduler-name, --permit-timeout,
// --standalone-domain-packing. What the file says of the server is checked, and left.
void AddPolicyFlags(FlagSet* flags, Policy* policy);

// The same, the server's part too, with --listen and --listen-bind.
void AddConfigurationFlags(FlagSet* flags, Configuration* configuration);

// `--NAME: is "VALUE", expected EXPECTED`, for setters.
absl::Status BadFlagValue(absl::string_view name, absl::string_view value,
                          absl::string_view expected);

// The candidate that the word may have been meant to be; empty if none is near.
std::string Nearest(absl::string_view word, absl::Span<const std::string> candidates);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_FLAG_SET_H_
