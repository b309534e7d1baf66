#include "k8s/document.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace gangpack::k8s {
namespace {

constexpr int kMaxLine = (1 << 28) - 1;
constexpr size_t kMaxBlockSize = size_t{1} << 20;
constexpr size_t kAlignment = alignof(Member);

static_assert(sizeof(Value) == 16, "hundreds of millions of values are loaded");
static_assert(std::is_trivially_copyable_v<Member> && alignof(Member) >= alignof(Value));

}  // namespace

absl::string_view KindName(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBool:
      return "a boolean";
    case ValueKind::kNumber:
      return "a number";
    case ValueKind::kString:
      return "a string";
    case ValueKind::kList:
      return "a list";
    case ValueKind::kMap:
      return "an object";
  }
  return "unknown";
}

Value::Value(ValueKind kind, int line, const void* payload, size_t size)
    : payload_(payload),
      size_(static_cast<uint32_t>(size)),
      line_(static_cast<uint32_t>(std::min(line, kMaxLine))),
      kind_(static_cast<uint32_t>(kind)) {}

Value Value::Bool(bool value, int line) {
  return Value(ValueKind::kBool, line, nullptr, value ? 1 : 0);
}

Value Value::Number(absl::string_view text, int line) {
  return Value(ValueKind::kNumber, line, text.data(), text.size());
}

Value Value::String(absl::string_view text, int line) {
  return Value(ValueKind::kString, line, text.data(), text.size());
}

Value Value::List(absl::Span<const Value> items, int line) {
  return Value(ValueKind::kList, line, items.data(), items.size());
}

Value Value::Map(absl::Span<const Member> members, int line) {
  return Value(ValueKind::kMap, line, members.data(), members.size());
}

absl::string_view Value::text() const {
  if (kind() != ValueKind::kString && kind() != ValueKind::kNumber) return {};
  return absl::string_view(static_cast<const char*>(payload_), size_);
}

absl::Span<const Value> Value::items() const {
  if (kind() != ValueKind::kList) return {};
  return absl::MakeConstSpan(static_cast<const Value*>(payload_), size_);
}

absl::Span<const Member> Value::members() const {
  if (kind() != ValueKind::kMap) return {};
  return absl::MakeConstSpan(static_cast<const Member*>(payload_), size_);
}

const Value* Value::Find(absl::string_view key) const {
  for (const Member& member : members()) {
    if (member.key() == key) return &member.value;
  }
  return nullptr;
}

char* DocumentArena::Allocate(size_t size) {
  size = std::max<size_t>((size + kAlignment - 1) / kAlignment * kAlignment, kAlignment);
  if (size > left_) {
    // A small document must not pay for a large block, nor a large one for many small blocks.
    block_size_ = std::min(block_size_ * 2, kMaxBlockSize);
    const size_t block_size = std::max(size, block_size_);
    blocks_.emplace_back(new char[block_size]);
    next_ = blocks_.back().get();
    left_ = last_size_ = block_size;
  }
  char* result = next_;
  next_ += size;
  left_ -= size;
  return result;
}

absl::string_view DocumentArena::CopyText(absl::string_view text) {
  if (text.empty()) return {};
  char* copy = Allocate(text.size());
  std::memcpy(copy, text.data(), text.size());
  return absl::string_view(copy, text.size());
}

absl::Span<Value> DocumentArena::AllocateItems(size_t count) {
  if (count == 0) return {};
  Value* const items = reinterpret_cast<Value*>(Allocate(count * sizeof(Value)));
  std::uninitialized_default_construct_n(items, count);
  return absl::MakeSpan(items, count);
}

absl::Span<Member> DocumentArena::AllocateMembers(size_t count) {
  if (count == 0) return {};
  Member* const members = reinterpret_cast<Member*>(Allocate(count * sizeof(Member)));
  std::uninitialized_default_construct_n(members, count);
  return absl::MakeSpan(members, count);
}

void DocumentArena::Clear() {
  if (blocks_.empty()) return;
  blocks_.erase(blocks_.begin(), blocks_.end() - 1);
  next_ = blocks_.back().get();
  left_ = last_size_;
}

}  // namespace gangpack::k8s
