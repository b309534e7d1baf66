#include "tests/unit/core/case_table.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace gangpack {
namespace {

[[noreturn]] void Stop(const std::string& message) {
  std::fprintf(stderr, "case table: %s\n", message.c_str());
  std::abort();
}

SelectorOperator ParseOperator(absl::string_view text) {
  if (text == "In") return SelectorOperator::kIn;
  if (text == "NotIn") return SelectorOperator::kNotIn;
  if (text == "Exists") return SelectorOperator::kExists;
  if (text == "DoesNotExist") return SelectorOperator::kDoesNotExist;
  if (text == "Gt") return SelectorOperator::kGt;
  if (text == "Lt") return SelectorOperator::kLt;
  Stop(absl::StrCat("unknown operator ", text));
}

}  // namespace

std::vector<TableCase> ReadCases(absl::string_view file_name, size_t fields) {
  const std::string path = absl::StrCat("tests/unit/core/testdata/", file_name);
  std::ifstream file(path);
  if (!file) Stop(absl::StrCat("cannot open ", path));
  std::vector<TableCase> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    TableCase c{line, absl::StrSplit(line, '|')};
    if (c.fields.size() != fields) Stop(absl::StrCat("wrong number of fields: ", line));
    cases.push_back(std::move(c));
  }
  if (cases.empty()) Stop(absl::StrCat("no case in ", path));
  return cases;
}

Labels ParseLabels(absl::string_view text) {
  Labels labels;
  for (const std::string& entry : ParseList(text, ',')) {
    const std::pair<std::string, std::string> pair = absl::StrSplit(entry, absl::MaxSplits('=', 1));
    labels.insert(pair);
  }
  return labels;
}

ResourceAmounts ParseAmounts(absl::string_view text) {
  ResourceAmounts amounts;
  for (const auto& [name, value] : ParseLabels(text)) {
    int64_t amount = 0;
    if (!absl::SimpleAtoi(value, &amount)) Stop(absl::StrCat("no amount: ", value));
    amounts[name] = amount;
  }
  return amounts;
}

std::vector<SelectorRequirement> ParseRequirements(absl::string_view text) {
  std::vector<SelectorRequirement> requirements;
  for (const std::string& entry : ParseList(text, ';')) {
    const std::vector<std::string> words = absl::StrSplit(entry, ' ');
    if (words.size() < 2) Stop(absl::StrCat("no requirement: ", entry));
    SelectorRequirement requirement{words[0], ParseOperator(words[1]), {}};
    for (size_t i = 2; i < words.size(); ++i) {
      requirement.values.push_back(words[i] == "\"\"" ? "" : words[i]);
    }
    requirements.push_back(std::move(requirement));
  }
  return requirements;
}

std::vector<std::string> ParseList(absl::string_view text, char separator) {
  if (text.empty()) return {};
  return absl::StrSplit(text, separator);
}

}  // namespace gangpack
