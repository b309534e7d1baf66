#include "server/demo/agreement.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace gangpack::server {
namespace {

std::string Said(const PodView& pod) {
  return absl::StrCat("pod ", pod.pod.ToString(), " ", ToString(pod.state));
}

std::string Said(const GangView& gang) {
  return absl::StrCat("gang ", gang.gang.ToString(), " ", ToString(gang.state), " domain \"",
                      gang.domain, "\" ", gang.message);
}

// `views` and `expected` in the words in which they are to be the same.
template <typename T>
std::string FirstDifference(const std::vector<T>& views, const std::vector<T>& expected) {
  for (size_t i = 0; i < std::max(views.size(), expected.size()); ++i) {
    const std::string is = i < views.size() ? Said(views[i]) : "nothing more";
    const std::string should = i < expected.size() ? Said(expected[i]) : "nothing more";
    if (is != should) return absl::StrCat(is, "; expected: ", should);
  }
  return "";
}

}  // namespace

std::string DifferenceOf(const ServerViews& views, const SimulationResult& expected) {
  std::vector<PodView> pods;
  for (const SimulatedPod& pod : expected.pods) pods.push_back(pod.view);
  const std::string difference = FirstDifference(views.pods, pods);
  return difference.empty() ? FirstDifference(views.gangs, expected.gangs) : difference;
}

}  // namespace gangpack::server
