// Tables of cases as text: one case a line, fields between bars, comments after #.
#ifndef GANGPACK_TESTS_UNIT_CORE_CASE_TABLE_H_
#define GANGPACK_TESTS_UNIT_CORE_CASE_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/resources.h"
#include "core/selector.h"

namespace gangpack {

struct TableCase {
  std::string line;  // for the failure message
  std::vector<std::string> fields;
};

// The cases of tests/unit/core/testdata/`file_name`, each with exactly `fields` fields. Stops the
// process where the file is missing or a line has another number of them.
std::vector<TableCase> ReadCases(absl::string_view file_name, size_t fields);

// "a=1,b=" as labels; the empty text is no labels.
Labels ParseLabels(absl::string_view text);

// "cpu=5,memory=1" as amounts.
ResourceAmounts ParseAmounts(absl::string_view text);

// "key In a b;other Exists" as requirements; a value of "" stands for the empty value.
std::vector<SelectorRequirement> ParseRequirements(absl::string_view text);

// Parts of `text` between `separator`; none for the empty text.
std::vector<std::string> ParseList(absl::string_view text, char separator);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_UNIT_CORE_CASE_TABLE_H_
