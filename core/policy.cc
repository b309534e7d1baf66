#include "core/policy.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace gangpack {
namespace {

absl::Status Expect(bool ok, absl::string_view field, absl::string_view value,
                    absl::string_view expected) {
  if (ok) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(field, ": is ", value, ", expected ", expected));
}

absl::Status ExpectPositive(int64_t value, absl::string_view field) {
  return Expect(value > 0, field, absl::StrCat(value), "at least 1");
}

}  // namespace

absl::Status Policy::Validate() const {
  absl::Status status =
      Expect(!scheduler_name.empty(), "scheduler_name", "empty", "a scheduler's name");
  status.Update(Expect(!topology_key_annotation.empty(), "topology_key_annotation", "empty",
                       "an annotation's name"));
  status.Update(
      Expect(!placement_group_label.empty(), "placement_group_label", "empty", "a label's name"));
  status.Update(Expect(permit_timeout > absl::ZeroDuration(), "permit_timeout",
                       absl::FormatDuration(permit_timeout), "a duration above 0"));
  status.Update(Expect(answer_timeout > absl::ZeroDuration(), "answer_timeout",
                       absl::FormatDuration(answer_timeout), "a duration above 0"));
  status.Update(ExpectPositive(judged_gangs_per_slice, "judged_gangs_per_slice"));
  status.Update(ExpectPositive(views_per_slice, "views_per_slice"));
  status.Update(ExpectPositive(shapes_max, "shapes_max"));
  status.Update(ExpectPositive(packing_states_max, "packing_states_max"));
  status.Update(ExpectPositive(shown_states_max, "shown_states_max"));
  status.Update(ExpectPositive(backtrack_members_max, "backtrack_members_max"));
  status.Update(ExpectPositive(lighter_tries_max, "lighter_tries_max"));
  status.Update(ExpectPositive(state_comparisons_max, "state_comparisons_max"));
  status.Update(ExpectPositive(asked_unknown_max, "asked_unknown_max"));
  status.Update(ExpectPositive(detail_domains_max, "detail_domains_max"));
  status.Update(ExpectPositive(detail_nodes_max, "detail_nodes_max"));
  return status;
}

}  // namespace gangpack
