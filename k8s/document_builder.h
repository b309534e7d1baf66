// Puts together the tree of document.h from the events of a parser: the part that reading JSON and
// reading YAML share.
//
// Calls come in document order: StartMap, (Key, value)..., EndMap; StartList, value..., EndList;
// a value outside any map or list is the root of one document. Every call returns false once the
// input is refused, and the parser then stops: `fault()` says why. Refused are a key that is
// written twice in one map and nesting deeper than kMaxNestingDepth.
//
// Items of long lists can be taken away as they come, so that a text of any length costs the memory
// of one of them: that is offered for the objects in the list `items` of a document.
//
// Not thread-safe. Cost: linear in the size of the text.

#ifndef GANGPACK_K8S_DOCUMENT_BUILDER_H_
#define GANGPACK_K8S_DOCUMENT_BUILDER_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "k8s/document.h"
#include "k8s/fault.h"

namespace gangpack::k8s {

// Maps and lists inside each other. Kubernetes objects stay below 60; parsers recurse on the stack.
inline constexpr int kMaxNestingDepth = 200;

// An object in the list `items` of a document that is being read.
struct OfferedItem {
  // Lives until the offer was answered.
  const Value& item;
  size_t document;  // Its index among the roots, if it has any content.
  size_t index;     // In `items`.
  int items_line;   // Of the key `items`.
  // Of the document's members apiVersion and kind, as far as they come before `items`.
  absl::string_view api_version;
  absl::string_view kind;
};
// True where the item was taken: a null stands in its place then.
using TakeItem = std::function<bool(const OfferedItem&)>;

class DocumentBuilder {
 public:
  // Items are offered to `take`, if there is one.
  explicit DocumentBuilder(std::string file, TakeItem take = nullptr)
      : file_(std::move(file)), take_(std::move(take)) {}

  bool StartMap(int line) { return Start(/*is_map=*/true, line); }
  bool StartList(int line) { return Start(/*is_map=*/false, line); }
  // Keys and the strings of values point into arena(), or outlive the result.
  bool Key(absl::string_view key, int line);
  bool Add(Value value);
  bool EndMap();
  bool EndList();

  // Adds the members of another map to the innermost open map as YAML's `<<` does. Unlike a key
  // that is written twice, a merged key and another of the same name are no fault: the later one
  // counts.
  void Merge(absl::Span<const Member> members);
  // Takes back the newest member of the innermost open map, and returns its value.
  Value RemoveLastMember();

  // The list or map that was closed last, or the last value added.
  Value last() const { return last_; }
  // Whether the innermost open thing is a map whose next value has no key yet.
  bool wants_key() const { return !frames_.empty() && frames_.back().is_map && !has_key_; }

  // Where the text of keys and strings lives as long as they do: in an item that will be offered,
  // until then.
  DocumentArena& arena() { return offers_ ? item_arena_ : arena_; }

  // Refuses the input, and always returns false. The first fault is kept.
  bool Refuse(int line, std::string message);
  bool refused() const { return fault_.has_value(); }
  // Of the first fault: InvalidArgument with the text of Fault::ToString().
  absl::Status status() const;

  // Takes everything out of the builder.
  Documents Finish();

 private:
  struct Frame {
    bool is_map;
    bool has_merges;
    int line;
    size_t first;  // Where its members begin in pending_.
  };
  struct Pending {
    Member member;
    bool merged;
  };

  bool Start(bool is_map, int line);
  bool IsItemOfDocument() const;
  Value Offer(const Value& item);
  Value Keep(const Value& value);
  bool RefuseDuplicate(const Member& member);
  bool CheckUnique(size_t first);
  bool ResolveMerges(size_t first);
  std::string Path() const;

  std::string file_;
  TakeItem take_;
  DocumentArena arena_;
  DocumentArena item_arena_;  // Of the item that is open and will be offered.
  bool offers_ = false;
  std::vector<Frame> frames_;
  // Items and members of all open lists and maps. While a list or map is open inside a map, its key
  // stands here with a null value.
  std::vector<Pending> pending_;
  bool has_key_ = false;
  Value last_;
  std::vector<Value> roots_;
  std::optional<Fault> fault_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_DOCUMENT_BUILDER_H_
