// Gives a text in pieces of one size.

#ifndef GANGPACK_TESTS_UNIT_K8S_TEXT_PIECES_H_
#define GANGPACK_TESTS_UNIT_K8S_TEXT_PIECES_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "k8s/piecewise_text.h"

namespace gangpack::k8s {

inline TextReader InPieces(std::string text, size_t piece_size) {
  return [text = std::move(text), piece_size, at = size_t{0}](char* to, size_t size) mutable {
    const size_t given = std::min({size, piece_size, text.size() - at});
    std::copy_n(text.data() + at, given, to);
    at += given;
    return given;
  };
}

}  // namespace gangpack::k8s

#endif  // GANGPACK_TESTS_UNIT_K8S_TEXT_PIECES_H_
