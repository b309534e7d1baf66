#include "k8s/resource_codec.h"

#include <cstdint>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "k8s/names.h"
#include "k8s/quantity.h"

namespace gangpack::k8s {
namespace {

// Whose resources they are, which decides what names are known.
enum class ResourceOwner { kNode, kContainer };

// Kubernetes' own resources have no prefix, or one that contains kubernetes.io/.
bool IsNativeResource(absl::string_view name) {
  return !absl::StrContains(name, "/") || absl::StrContains(name, "kubernetes.io/");
}

// Nothing where a container may ask for a resource of that name, else what was expected.
const char* CheckContainerResource(absl::string_view name) {
  if (const char* expected = CheckQualifiedName(name)) return expected;
  if (absl::StrContains(name, "/")) {
    if (!IsNativeResource(name) && absl::StartsWith(name, "requests.")) {
      return "expected a name that does not begin with `requests.`";
    }
    return nullptr;
  }
  if (name == kResourceCpu || name == kResourceMemory || name == kResourceEphemeralStorage ||
      absl::StartsWith(name, kHugePagesPrefix)) {
    return nullptr;
  }
  return "expected cpu, memory, ephemeral-storage, hugepages-* or a name with a prefix such as "
         "nvidia.com/gpu";
}

// In thousandths; 0 where it is reported.
absl::int128 DecodeAmount(const Field& field, absl::string_view name) {
  const ValueKind kind = field.value().kind();
  if (kind != ValueKind::kString && kind != ValueKind::kNumber) {
    field.Report(absl::StrCat(KindName(kind), ", expected a quantity such as 2, 500m or 1Gi"));
    return 0;
  }
  const absl::StatusOr<Quantity> quantity =
      Quantity::Parse(absl::StripAsciiWhitespace(field.value().text()));
  if (!quantity.ok()) {
    field.Report(std::string(quantity.status().message()));
    return 0;
  }
  const auto report = [&field](absl::string_view expected) {
    field.Report(absl::StrCat(Quote(field.value().text()), ", ", expected));
  };
  if (quantity->sign() < 0) {
    report("expected a quantity of at least 0");
    return 0;
  }
  const bool in_milli = name == kResourceCpu;
  const bool is_counted = name == kResourcePods || !IsNativeResource(name);
  if (in_milli ? quantity->MilliValueIsCapped() : quantity->ValueIsCapped()) {
    report("expected no more than 64-bit integers hold");
  } else if (is_counted && !quantity->MilliValueIsCapped() && quantity->MilliValue() % 1000 != 0) {
    report("expected a whole number");
  }
  return quantity->Thousandths();
}

ExactAmounts DecodeList(const Field& list, ResourceOwner owner) {
  ExactAmounts amounts;
  for (size_t i = 0; i < list.member_count(); ++i) {
    const absl::string_view name = list.MemberKey(i);
    const Field member = list.MemberAt(i);
    if (owner == ResourceOwner::kContainer) {
      if (const char* expected = CheckContainerResource(name)) {
        member.Report(absl::StrCat("unknown resource, ", expected));
        continue;
      }
    }
    amounts[std::string(name)] = member.exists() ? DecodeAmount(member, name) : 0;
  }
  return amounts;
}

}  // namespace

ExactAmounts DecodeContainerAmounts(const Field& parent, absl::string_view key) {
  const Field list = parent.Object(key);
  return DecodeList(list, ResourceOwner::kContainer);
}

std::optional<ExactAmounts> DecodeOptionalContainerAmounts(const Field& parent,
                                                           absl::string_view key) {
  const Field list = parent.Object(key);
  if (!list.exists()) return std::nullopt;
  return DecodeList(list, ResourceOwner::kContainer);
}

ResourceAmounts DecodeNodeAmounts(const Field& parent, absl::string_view key) {
  const Field list = parent.Object(key);
  return RoundedUp(DecodeList(list, ResourceOwner::kNode));
}

std::optional<ResourceAmounts> DecodeOptionalNodeAmounts(const Field& parent,
                                                         absl::string_view key) {
  const Field list = parent.Object(key);
  if (!list.exists()) return std::nullopt;
  return RoundedUp(DecodeList(list, ResourceOwner::kNode));
}

RequestsAndLimits DecodeRequestsAndLimits(const Field& parent, absl::string_view key) {
  const Field resources = parent.Object(key);
  RequestsAndLimits decoded;
  const Field requests = resources.Object("requests");
  decoded.requests = DecodeList(requests, ResourceOwner::kContainer);
  decoded.limits = DecodeContainerAmounts(resources, "limits");
  for (const auto& [name, amount] : decoded.requests) {
    const auto limit = decoded.limits.find(name);
    if (limit != decoded.limits.end() && amount > limit->second) {
      requests.Report(name, "larger than its limit, expected at most that");
    }
  }
  return decoded;
}

}  // namespace gangpack::k8s
