#include "tests/unit/k8s/data_rows.h"

#include <fstream>

#include "absl/strings/str_split.h"

namespace gangpack::k8s {

std::vector<std::vector<std::string>> ReadDataRows(const std::string& file_name) {
  std::ifstream file("tests/unit/k8s/testdata/" + file_name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) rows.push_back(absl::StrSplit(line, '\t'));
  return rows;
}

}  // namespace gangpack::k8s
