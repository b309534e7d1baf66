// One field of an object that is being decoded: its value, if it has any, and its place.
//
// Fields are read by asking for what is expected. Where something else is found, that is reported
// as a fault with line and path, and the field then counts as absent, so that decoding goes on and
// all faults of an object come out together. One mistake is one fault: what is then missing in such
// a field, or below it, is not reported. A null is absent, as it is for the API server.
//
// Ownership: a field points to its parent, which must outlive it; to the value; and to the list of
// faults. Asking a temporary for a child does not compile.
// Not thread-safe. Cost: a child is found in time linear in its siblings; paths are put together
// only for faults.

#ifndef GANGPACK_K8S_FIELD_H_
#define GANGPACK_K8S_FIELD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "k8s/document.h"
#include "k8s/fault.h"

namespace gangpack::k8s {

// Collects the faults of one file.
struct FaultList {
  std::string file;
  std::vector<Fault> faults;
  // What was reported as being of another kind than expected.
  absl::flat_hash_set<const Value*> misread = {};
};

class Field {
 public:
  // The root of a document.
  Field(const Value& value, FaultList* faults) : value_(&value), faults_(faults) {}

  bool exists() const { return value_ != nullptr; }
  // Only where exists().
  const Value& value() const { return *value_; }
  // The line of the value, or that of the nearest parent which has one.
  int line() const;
  std::string Path() const;

  // Members of this object. Without a value, all are absent.
  Field Any(absl::string_view key) const&;
  Field Any(absl::string_view key) && = delete;
  Field Object(absl::string_view key) const&;
  Field Object(absl::string_view key) && = delete;
  Field List(absl::string_view key) const&;
  Field List(absl::string_view key) && = delete;
  std::optional<absl::string_view> OptionalText(absl::string_view key) const;
  // Empty where absent.
  absl::string_view Text(absl::string_view key) const { return OptionalText(key).value_or(""); }
  // False where absent.
  bool Bool(absl::string_view key) const;
  std::optional<int64_t> Int(absl::string_view key, int64_t min, int64_t max) const;
  // RFC 3339.
  std::optional<absl::Time> Timestamp(absl::string_view key) const;
  // A list of strings, empty where absent.
  std::vector<std::string> Texts(absl::string_view key) const;

  // Members of this object, in order, including nulls.
  size_t member_count() const { return exists() ? value_->members().size() : 0; }
  absl::string_view MemberKey(size_t index) const { return value_->members()[index].key(); }
  Field MemberAt(size_t index) const&;
  Field MemberAt(size_t index) && = delete;

  // Items of this list. A null item is absent.
  size_t item_count() const { return exists() ? value_->items().size() : 0; }
  Field ItemAt(size_t index) const&;
  Field ItemAt(size_t index) && = delete;
  // An item that is not, or no longer, in the list.
  Field Item(const Value& item, size_t index) const&;
  Field Item(const Value& item, size_t index) && = delete;
  // An item that must be an object.
  Field ObjectAt(size_t index) const&;
  Field ObjectAt(size_t index) && = delete;

  // This field as a string. Reports another kind.
  std::optional<absl::string_view> AsText() const;
  // False, and reported, where this is something other than an object.
  bool IsObject() const;

  // `message` says what is wrong and what was expected. Nothing happens where this or a parent has
  // been reported as being of the wrong kind.
  void Report(std::string message) const;
  // About a member, which need not exist.
  void Report(absl::string_view key, std::string message) const;

 private:
  static constexpr size_t kNotAnItem = static_cast<size_t>(-1);

  Field(const Field* parent, const Value* value, absl::string_view key, size_t index, int key_line);

  bool Expect(ValueKind kind);
  bool IsMisread() const;
  void AppendPath(std::string* path) const;

  const Value* value_;
  FaultList* faults_;
  const Field* parent_ = nullptr;
  absl::string_view key_;      // Of a member.
  size_t index_ = kNotAnItem;  // Of an item.
  int key_line_ = 0;           // Of a member that is there.
  bool misread_ = false;       // There, but not of the kind that was expected.
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_FIELD_H_
