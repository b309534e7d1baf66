#include "tests/oracle/random_values.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace gangpack {
namespace {

const std::vector<std::string>& NumberTexts() {
  static const auto* const texts = new std::vector<std::string>{
      "0", "1", "5", "05", "10", "9223372036854775807", "9223372036854775808", "x", "1.5", ""};
  return *texts;
}

std::vector<std::string> ValuesOfNodeLabel(const std::string& key) {
  if (key == "zone") return {"a", "b", ""};
  if (key == "rack") return {"rack-1", "rack-10", "rack-2"};
  if (key == "kubernetes.io/hostname") return {"n0", "n1", "n2"};
  return NumberTexts();
}

JsonTree RandomPodRequirement(Prng* prng) {
  JsonTree requirement = JsonTree::Object();
  const std::string key = Pick<std::string>(prng, {"app", "tier"});
  const std::string op = Pick<std::string>(prng, {"In", "In", "NotIn", "Exists", "DoesNotExist"});
  requirement["key"] = key;
  requirement["operator"] = op;
  if (op == "In" || op == "NotIn") {
    JsonTree& values = requirement["values"];
    for (int i = prng->Between(1, 2); i > 0; --i) {
      values.Add(Pick<std::string>(prng, {"web", "db", ""}));
    }
  }
  return requirement;
}

}  // namespace

int64_t AroundMultiple(Prng* prng, int64_t unit, int units_max) {
  const int64_t offset = Pick<int64_t>(prng, {0, 0, 0, 0, -1, 1});
  return std::max<int64_t>(0, unit * prng->Between(0, units_max) + offset);
}

std::string SpellMilli(Prng* prng, int64_t milli) {
  switch (prng->Between(0, 5)) {
    case 0:
      return absl::StrFormat("%d.%03d", milli / 1000, milli % 1000);
    case 1:
      // Up to 999 millionths less, which are rounded up.
      return absl::StrCat(std::max<int64_t>(0, milli * 1000 - prng->Between(0, 999)), "u");
    case 2:
      return absl::StrCat(milli, "e-3");
    case 3:
      if (milli % 1000 == 0) return absl::StrCat(milli / 1000);
      return absl::StrCat("+", milli, "m");
    default:
      return absl::StrCat(milli, "m");
  }
}

std::string SpellWhole(Prng* prng, int64_t amount) {
  switch (prng->Between(0, 7)) {
    case 0:
      if (amount % 512 == 0) return absl::StrFormat("%d.%dKi", amount / 1024, amount % 1024 / 100);
      return absl::StrCat(amount * 1000, "m");
    case 1:
      // Up to 999 thousandths less, which are rounded up.
      return absl::StrCat(std::max<int64_t>(0, amount * 1000 - prng->Between(0, 999)), "m");
    case 2:
      return absl::StrCat(amount, "E0");
    case 3:
      if (amount % 1024 == 0) return absl::StrCat(amount / 1024, "Ki");
      return absl::StrCat(amount, ".0");
    case 4:
      if (amount % 1000 == 0) return absl::StrCat(amount / 1000, "k");
      return absl::StrCat("00", amount);
    default:
      return absl::StrCat(amount);
  }
}

JsonTree RandomNodeLabels(Prng* prng, const std::string& node_name) {
  JsonTree labels = JsonTree::Object();
  if (prng->Chance(90)) labels["kubernetes.io/hostname"] = node_name;
  for (const char* key : {"zone", "rack", "number"}) {
    if (prng->Chance(75)) labels[key] = Pick(prng, ValuesOfNodeLabel(key));
  }
  return labels;
}

JsonTree RandomPodLabels(Prng* prng) {
  JsonTree labels = JsonTree::Object();
  for (const char* key : {"app", "tier"}) {
    if (prng->Chance(80)) labels[key] = Pick<std::string>(prng, {"web", "web", "web", "db", ""});
  }
  for (const char* key : {"ver", "track"}) {
    if (prng->Chance(75)) labels[key] = Pick<std::string>(prng, {"1", "2"});
  }
  return labels;
}

JsonTree RandomLabelSelector(Prng* prng) {
  JsonTree selector = JsonTree::Object();
  if (prng->Chance(60)) {
    selector["matchLabels"][Pick<std::string>(prng, {"app", "tier"})] =
        Pick<std::string>(prng, {"web", "db"});
  }
  if (prng->Chance(40)) selector["matchExpressions"].Add(RandomPodRequirement(prng));
  return selector;
}

JsonTree RandomNodeRequirement(Prng* prng) {
  JsonTree requirement = JsonTree::Object();
  const std::string key =
      Pick<std::string>(prng, {"zone", "rack", "number", "number", "kubernetes.io/hostname"});
  std::vector<std::string> operators = {"In", "NotIn", "Exists", "DoesNotExist"};
  if (key == "number") operators = {"Gt", "Lt", "Gt", "Lt", "In", "NotIn", "Exists"};
  const std::string op = Pick(prng, operators);
  requirement["key"] = key;
  requirement["operator"] = op;
  if (op == "Gt" || op == "Lt") {
    requirement["values"].Add(Pick(prng, NumberTexts()));
  } else if (op == "In" || op == "NotIn") {
    JsonTree& values = requirement["values"];
    for (int i = prng->Between(1, 2); i > 0; --i) values.Add(Pick(prng, ValuesOfNodeLabel(key)));
  }
  return requirement;
}

}  // namespace gangpack
