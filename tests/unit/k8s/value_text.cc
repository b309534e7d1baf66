#include "tests/unit/k8s/value_text.h"

#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace gangpack::k8s {
namespace {

std::string Quoted(absl::string_view text) {
  return absl::StrCat(
      "\"",
      absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}, {"\t", "\\t"}}),
      "\"");
}

}  // namespace

std::string ValueText(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBool:
      return value.bool_value() ? "true" : "false";
    case ValueKind::kNumber:
      return std::string(value.text());
    case ValueKind::kString:
      return Quoted(value.text());
    case ValueKind::kList: {
      std::vector<std::string> items;
      for (const Value& item : value.items()) items.push_back(ValueText(item));
      return absl::StrCat("[", absl::StrJoin(items, ","), "]");
    }
    case ValueKind::kMap: {
      std::map<std::string, std::string> members;
      for (const Member& member : value.members()) {
        members[Quoted(member.key())] = ValueText(member.value);
      }
      return absl::StrCat("{", absl::StrJoin(members, ",", absl::PairFormatter(":")), "}");
    }
  }
  return "";
}

std::string RootsText(const Documents& documents) {
  std::vector<std::string> texts;
  for (const Value& root : documents.roots()) texts.push_back(ValueText(root));
  return absl::StrJoin(texts, " ");
}

}  // namespace gangpack::k8s
