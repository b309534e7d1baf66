#include "server/text_table.h"

#include <algorithm>
#include <cstddef>

namespace gangpack::server {

std::string TextTable(const TextRow& header, const std::vector<TextRow>& rows) {
  if (rows.empty()) return "";
  std::vector<size_t> widths;
  for (const std::string& title : header) widths.push_back(title.size());
  for (const TextRow& row : rows) {
    for (size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  const auto print = [&](const TextRow& row) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const bool last = i + 1 == row.size();
      std::string cell = row[i].empty() && !last ? "-" : row[i];
      if (!last) cell.resize(widths[i] + 2, ' ');
      line += cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  print(header);
  for (const TextRow& row : rows) print(row);
  return text;
}

}  // namespace gangpack::server
