#include "k8s/document_builder.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace gangpack::k8s {
namespace {

// Up to here comparing all keys with each other is faster than hashing them.
constexpr size_t kSmallMap = 16;

// The document and its list `items`.
constexpr size_t kFramesAroundItems = 2;

bool AreEqual(const Member& a, const Member& b) {
  // Keys of one map often have the same beginning; few have the same size and end.
  if (a.key_size != b.key_size) return false;
  return a.key_size == 0 ||
         (a.key_text[a.key_size - 1] == b.key_text[b.key_size - 1] && a.key() == b.key());
}

}  // namespace

bool DocumentBuilder::Start(bool is_map, int line) {
  if (frames_.size() >= kMaxNestingDepth) {
    return Refuse(line, absl::StrCat("nested too deeply, expected at most ", kMaxNestingDepth,
                                     " lists and objects inside each other"));
  }
  if (take_ != nullptr && is_map && IsItemOfDocument()) offers_ = true;
  if (!frames_.empty() && !frames_.back().is_map) pending_.emplace_back();
  frames_.push_back({is_map, /*has_merges=*/false, line, pending_.size()});
  has_key_ = false;
  return !refused();
}

bool DocumentBuilder::Key(absl::string_view key, int line) {
  Pending& pending = pending_.emplace_back();
  pending.member.key_text = key.data();
  pending.member.key_size = static_cast<uint32_t>(key.size());
  pending.member.key_line = line;
  pending.merged = false;
  has_key_ = true;
  return !refused();
}

bool DocumentBuilder::Add(Value value) {
  last_ = value;
  if (frames_.empty()) {
    if (!value.is_null()) roots_.push_back(value);
    return !refused();
  }
  if (frames_.back().is_map) {
    pending_.back().member.value = value;
    has_key_ = false;
  } else {
    pending_.emplace_back().member.value = value;
  }
  return !refused();
}

bool DocumentBuilder::EndMap() {
  const Frame frame = frames_.back();
  const bool unique = frame.has_merges ? ResolveMerges(frame.first) : CheckUnique(frame.first);
  if (!unique) return false;
  const absl::Span<Member> members = arena().AllocateMembers(pending_.size() - frame.first);
  for (size_t i = 0; i < members.size(); ++i) members[i] = pending_[frame.first + i].member;
  pending_.resize(frame.first);
  frames_.pop_back();
  if (!frames_.empty() && !frames_.back().is_map) pending_.pop_back();
  const Value map = Value::Map(members, frame.line);
  return Add(offers_ && frames_.size() == kFramesAroundItems ? Offer(map) : map);
}

bool DocumentBuilder::EndList() {
  const Frame frame = frames_.back();
  const absl::Span<Value> items = arena().AllocateItems(pending_.size() - frame.first);
  for (size_t i = 0; i < items.size(); ++i) items[i] = pending_[frame.first + i].member.value;
  pending_.resize(frame.first);
  frames_.pop_back();
  if (!frames_.empty() && !frames_.back().is_map) pending_.pop_back();
  return Add(Value::List(items, frame.line));
}

bool DocumentBuilder::IsItemOfDocument() const {
  if (frames_.size() != kFramesAroundItems || !frames_[0].is_map || frames_[1].is_map) return false;
  return pending_[frames_[1].first - 1].member.key() == "items";
}

Value DocumentBuilder::Offer(const Value& item) {
  const size_t list_first = frames_[1].first;
  OfferedItem offer = {item,
                       roots_.size(),
                       pending_.size() - list_first,
                       pending_[list_first - 1].member.key_line,
                       "",
                       ""};
  for (size_t i = 0; i + 1 < list_first; ++i) {
    const Member& member = pending_[i].member;
    if (member.key() == "apiVersion") offer.api_version = member.value.text();
    if (member.key() == "kind") offer.kind = member.value.text();
  }
  const bool taken = take_(offer);
  offers_ = false;
  const Value kept = taken ? Value::Null(item.line()) : Keep(item);
  item_arena_.Clear();
  return kept;
}

Value DocumentBuilder::Keep(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNull:
    case ValueKind::kBool:
      return value;
    case ValueKind::kNumber:
      return Value::Number(arena_.CopyText(value.text()), value.line());
    case ValueKind::kString:
      return Value::String(arena_.CopyText(value.text()), value.line());
    case ValueKind::kList: {
      const absl::Span<Value> items = arena_.AllocateItems(value.items().size());
      for (size_t i = 0; i < items.size(); ++i) items[i] = Keep(value.items()[i]);
      return Value::List(items, value.line());
    }
    case ValueKind::kMap:
      break;
  }
  const absl::Span<Member> members = arena_.AllocateMembers(value.members().size());
  for (size_t i = 0; i < members.size(); ++i) {
    const Member& member = value.members()[i];
    const absl::string_view key = arena_.CopyText(member.key());
    members[i] = {key.data(), member.key_size, member.key_line, Keep(member.value)};
  }
  return Value::Map(members, value.line());
}

void DocumentBuilder::Merge(absl::Span<const Member> members) {
  frames_.back().has_merges = true;
  for (const Member& member : members) pending_.push_back({member, /*merged=*/true});
}

Value DocumentBuilder::RemoveLastMember() {
  const Value value = pending_.back().member.value;
  pending_.pop_back();
  return value;
}

bool DocumentBuilder::CheckUnique(size_t first) {
  const size_t size = pending_.size() - first;
  if (size <= kSmallMap) {
    for (size_t i = first; i < pending_.size(); ++i) {
      for (size_t j = first; j < i; ++j) {
        if (AreEqual(pending_[i].member, pending_[j].member)) {
          return RefuseDuplicate(pending_[i].member);
        }
      }
    }
    return true;
  }
  absl::flat_hash_set<absl::string_view> keys;
  keys.reserve(size);
  for (size_t i = first; i < pending_.size(); ++i) {
    if (!keys.insert(pending_[i].member.key()).second) return RefuseDuplicate(pending_[i].member);
  }
  return true;
}

bool DocumentBuilder::ResolveMerges(size_t first) {
  absl::flat_hash_map<absl::string_view, size_t> position_by_key;
  size_t end = first;
  for (size_t i = first; i < pending_.size(); ++i) {
    const Pending pending = pending_[i];
    const auto [it, inserted] = position_by_key.try_emplace(pending.member.key(), end);
    if (inserted) {
      pending_[end++] = pending;
      continue;
    }
    Pending& present = pending_[it->second];
    if (!present.merged && !pending.merged) return RefuseDuplicate(pending.member);
    const bool merged = present.merged && pending.merged;
    present = pending;
    present.merged = merged;
  }
  pending_.resize(end);
  return true;
}

bool DocumentBuilder::RefuseDuplicate(const Member& member) {
  if (fault_.has_value()) return false;
  std::string path = Path();
  AppendMember(member.key(), &path);
  fault_ = Fault{file_, member.key_line, std::move(path),
                 "the key appears twice, expected it once in an object"};
  return false;
}

bool DocumentBuilder::Refuse(int line, std::string message) {
  if (!fault_.has_value()) fault_ = Fault{file_, line, "", std::move(message)};
  return false;
}

std::string DocumentBuilder::Path() const {
  std::string path;
  for (size_t depth = 0; depth + 1 < frames_.size(); ++depth) {
    const size_t inner_first = frames_[depth + 1].first;
    if (frames_[depth].is_map) {
      AppendMember(pending_[inner_first - 1].member.key(), &path);
    } else {
      AppendIndex(inner_first - 1 - frames_[depth].first, &path);
    }
  }
  return path;
}

absl::Status DocumentBuilder::status() const {
  return fault_.has_value() ? absl::InvalidArgumentError(fault_->ToString()) : absl::OkStatus();
}

Documents DocumentBuilder::Finish() {
  return Documents(std::move(file_), std::move(arena_), std::move(roots_));
}

}  // namespace gangpack::k8s
