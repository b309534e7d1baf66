// A table for people: columns two blanks apart, as kubectl prints them.
#ifndef GANGPACK_SERVER_TEXT_TABLE_H_
#define GANGPACK_SERVER_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace gangpack::server {

using TextRow = std::vector<std::string>;

// Every row has as many cells as the header. An empty cell is "-", but for the last of a row, which
// nothing follows. Each line ends with a line feed; without rows there is no text at all.
std::string TextTable(const TextRow& header, const std::vector<TextRow>& rows);

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_TEXT_TABLE_H_
