// The tree of a YAML or JSON document, in which every value and key knows its line.
//
// Both readers (json_reader.h, yaml_reader.h) produce this tree, so decoding an object is written
// once. Values are views: 16 bytes that are copied freely and stay valid as long as the `Documents`
// that owns their text lives. Nothing here changes after it was read, so any number of threads may
// read it.
//
// Invariants: the keys of a map are unique; text is valid UTF-8; a number keeps its digits as they
// were written in JSON, and as Go would print it where YAML spells it differently (`0x10` is `16`).
//
// Not here: what the fields of a Kubernetes object mean; that is object_codec.h.

#ifndef GANGPACK_K8S_DOCUMENT_H_
#define GANGPACK_K8S_DOCUMENT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace gangpack::k8s {

enum class ValueKind : uint8_t { kNull, kBool, kNumber, kString, kList, kMap };

// "a string", "a list": the words for messages.
absl::string_view KindName(ValueKind kind);

struct Member;

class Value {
 public:
  // A null of line 0, which stands for "nothing was read".
  Value() = default;

  static Value Null(int line) { return Value(ValueKind::kNull, line, nullptr, 0); }
  static Value Bool(bool value, int line);
  // The characters, items and members are not copied: they must outlive the value.
  static Value Number(absl::string_view text, int line);
  static Value String(absl::string_view text, int line);
  static Value List(absl::Span<const Value> items, int line);
  static Value Map(absl::Span<const Member> members, int line);

  ValueKind kind() const { return static_cast<ValueKind>(kind_); }
  bool is_null() const { return kind() == ValueKind::kNull; }
  // The first line is 1. Lines beyond 2^28 are reported as 2^28.
  int line() const { return static_cast<int>(line_); }

  // False for every kind but kBool.
  bool bool_value() const { return kind() == ValueKind::kBool && size_ != 0; }
  // The characters of a string or number; empty for the other kinds.
  absl::string_view text() const;
  // The items of a list; empty for the other kinds.
  absl::Span<const Value> items() const;
  // The members of a map in the order of the text; empty for the other kinds.
  absl::Span<const Member> members() const;

  // The member of that name, which may be a null; nullptr when there is none or this is no map.
  // Cost: linear in the number of members.
  const Value* Find(absl::string_view key) const;

 private:
  Value(ValueKind kind, int line, const void* payload, size_t size);

  const void* payload_ = nullptr;
  uint32_t size_ = 0;
  uint32_t line_ : 28 = 0;
  uint32_t kind_ : 4 = 0;
};

struct Member {
  const char* key_text = nullptr;
  uint32_t key_size = 0;
  int32_t key_line = 0;
  Value value;

  absl::string_view key() const { return absl::string_view(key_text, key_size); }
};

// Owns what values point into. Memory is given back all at once.
class DocumentArena {
 public:
  // Memory for `size` bytes, aligned for Value and Member. `size` 0 gives a valid pointer.
  char* Allocate(size_t size);
  absl::string_view CopyText(absl::string_view text);
  absl::Span<Value> AllocateItems(size_t count);
  absl::Span<Member> AllocateMembers(size_t count);
  // Everything in it ends; memory for as much again is kept.
  void Clear();

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t last_size_ = 0;  // Of the last block.
  char* next_ = nullptr;
  size_t left_ = 0;
  size_t block_size_ = 1024;
};

// The documents of one file, in order, and the memory behind them. A document without any content
// is left out.
class Documents {
 public:
  // The roots point into the arena.
  Documents(std::string file, DocumentArena arena, std::vector<Value> roots)
      : file_(std::move(file)), arena_(std::move(arena)), roots_(std::move(roots)) {}

  const std::string& file() const { return file_; }
  absl::Span<const Value> roots() const { return roots_; }

 private:
  std::string file_;
  DocumentArena arena_;
  std::vector<Value> roots_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_DOCUMENT_H_
