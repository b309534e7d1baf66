// Rows of a table in testdata/: one row a line, columns between tabs.

#ifndef GANGPACK_TESTS_UNIT_K8S_DATA_ROWS_H_
#define GANGPACK_TESTS_UNIT_K8S_DATA_ROWS_H_

#include <string>
#include <vector>

namespace gangpack::k8s {

// Empty when the file cannot be read.
std::vector<std::vector<std::string>> ReadDataRows(const std::string& file_name);

}  // namespace gangpack::k8s

#endif  // GANGPACK_TESTS_UNIT_K8S_DATA_ROWS_H_
