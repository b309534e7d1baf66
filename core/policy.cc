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
  status.Update(Expect(packing_states_max > 0, "packing_states_max",
                       absl::StrCat(packing_states_max), "at least 1"));
  status.Update(Expect(shapes_max > 0, "shapes_max", absl::StrCat(shapes_max), "at least 1"));
  status.Update(Expect(judged_gangs_per_slice > 0, "judged_gangs_per_slice",
                       absl::StrCat(judged_gangs_per_slice), "at least 1"));
  status.Update(Expect(detail_domains_max > 0, "detail_domains_max",
                       absl::StrCat(detail_domains_max), "at least 1"));
  status.Update(Expect(detail_nodes_max > 0, "detail_nodes_max", absl::StrCat(detail_nodes_max),
                       "at least 1"));
  return status;
}

}  // namespace gangpack
