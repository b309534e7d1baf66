#include "server/simulate/attempt_diagnosis.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace gangpack::server {

std::string AttemptDiagnosis::Text() const {
  std::map<std::string, int> counts;
  for (const auto& [node, list] : reasons) {
    for (const std::string& reason : list) ++counts[reason];
  }
  std::vector<std::string> parts;
  for (const auto& [reason, count] : counts) parts.push_back(absl::StrCat(count, " ", reason));
  std::sort(parts.begin(), parts.end());  // as text: "10 ..." comes before "2 ..."
  std::string text = absl::StrCat("0/", nodes_total, " nodes are available");
  if (!parts.empty()) absl::StrAppend(&text, ": ", absl::StrJoin(parts, ", "), ".");
  return absl::StrCat(text, " no new claims to deallocate");
}

}  // namespace gangpack::server
