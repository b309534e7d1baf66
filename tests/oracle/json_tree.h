// A JSON value that can be built and taken apart piece by piece.
//
// Value type. Members keep their order. Cost: a member is found in time linear in its siblings.
// Not here: reading with lines for messages (k8s/document.h).
#ifndef GANGPACK_TESTS_ORACLE_JSON_TREE_H_
#define GANGPACK_TESTS_ORACLE_JSON_TREE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "k8s/document.h"

namespace gangpack {

struct JsonMember;

class JsonTree {
 public:
  JsonTree() = default;  // null
  JsonTree(const char* text) : JsonTree(std::string(text)) {}
  JsonTree(std::string text) : kind_(k8s::ValueKind::kString), text_(std::move(text)) {}
  JsonTree(bool value) : kind_(k8s::ValueKind::kBool), text_(value ? "true" : "false") {}
  JsonTree(int value) : kind_(k8s::ValueKind::kNumber), text_(std::to_string(value)) {}
  explicit JsonTree(const k8s::Value& value);

  static JsonTree Object();
  static JsonTree List();

  // The member of this object, which a null turns into; added as a null where there is none.
  JsonTree& operator[](absl::string_view key);
  const JsonTree* Find(absl::string_view key) const;
  // Appends to this list, which a null turns into.
  JsonTree& Add(JsonTree item);

  // How many items or members there are; 0 for what has neither.
  size_t size() const;
  // The value of an item or member.
  const JsonTree& at(size_t index) const;
  JsonTree& at(size_t index);
  void Erase(size_t index);

  const std::string& text() const { return text_; }
  // On one line.
  std::string ToString() const;

 private:
  void AppendTo(std::string* text) const;

  k8s::ValueKind kind_ = k8s::ValueKind::kNull;
  std::string text_;  // of a string, without quotes; of a number or Boolean as it is written
  std::vector<JsonMember> children_;  // with empty keys in a list
};

struct JsonMember {
  std::string key;
  JsonTree value;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_JSON_TREE_H_
