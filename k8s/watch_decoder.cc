#include "k8s/watch_decoder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "k8s/document.h"
#include "k8s/fault.h"
#include "k8s/json_reader.h"

namespace gangpack::k8s {
namespace {

std::optional<WatchEvent::Kind> KindOf(absl::string_view type) {
  if (type == "ADDED") return WatchEvent::Kind::kAdded;
  if (type == "MODIFIED") return WatchEvent::Kind::kModified;
  if (type == "DELETED") return WatchEvent::Kind::kDeleted;
  if (type == "BOOKMARK") return WatchEvent::Kind::kBookmark;
  if (type == "ERROR") return WatchEvent::Kind::kError;
  return std::nullopt;
}

}  // namespace

void WatchDecoder::Append(absl::string_view bytes) {
  if (!status_.ok()) return;
  pending_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  pending_.append(bytes.data(), bytes.size());
}

absl::StatusOr<std::optional<WatchEvent>> WatchDecoder::Next() {
  while (status_.ok()) {
    const size_t end = pending_.find('\n', scanned_);
    const size_t frame_end = std::min(end, pending_.size());
    if (frame_end - begin_ > frame_bytes_max_) {
      status_ = absl::ResourceExhaustedError(absl::StrCat("watch of ", ResourceName(type_),
                                                          ": an event has more than ",
                                                          frame_bytes_max_, " bytes"));
      break;
    }
    scanned_ = frame_end;
    if (end == std::string::npos) return std::optional<WatchEvent>();
    std::string frame = pending_.substr(begin_, frame_end - begin_);
    begin_ = scanned_ = frame_end + 1;
    if (absl::StripAsciiWhitespace(frame).empty()) continue;
    absl::StatusOr<WatchEvent> event = DecodeFrame(std::move(frame));
    if (event.ok()) return std::optional<WatchEvent>(std::move(*event));
    status_ = event.status();
  }
  return status_;
}

absl::Status WatchDecoder::Finish() const {
  if (!status_.ok()) return status_;
  const absl::string_view rest = absl::string_view(pending_).substr(begin_);
  if (absl::StripAsciiWhitespace(rest).empty()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("watch of ", ResourceName(type_),
                                          ": the stream ended inside an event, after ", rest.size(),
                                          " bytes of it"));
}

absl::StatusOr<WatchEvent> WatchDecoder::DecodeFrame(std::string frame) const {
  const std::string source = absl::StrCat("watch of ", ResourceName(type_));
  GP_ASSIGN_OR_RETURN(const Documents documents, ReadJson({source, std::move(frame)}));
  const Value root = documents.roots().size() == 1 ? documents.roots().front() : Value();
  const Value* type = root.Find("type");
  const Value* object = root.Find("object");
  const std::optional<WatchEvent::Kind> kind =
      type == nullptr ? std::nullopt : KindOf(type->text());
  if (!kind.has_value()) {
    const std::string found = type == nullptr ? "nothing" : Quote(type->text());
    return absl::InvalidArgumentError(absl::StrCat(
        source, ": type is ", found, ", expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR"));
  }
  if (object == nullptr || object->kind() != ValueKind::kMap) {
    return absl::InvalidArgumentError(absl::StrCat(source, ": an event without its object"));
  }
  WatchEvent event;
  event.kind = *kind;
  if (*kind == WatchEvent::Kind::kError) {
    event.failure = DecodeStatusObject(*object);
  } else if (*kind == WatchEvent::Kind::kBookmark) {
    const Value* metadata = object->Find("metadata");
    const Value* version = metadata == nullptr ? nullptr : metadata->Find("resourceVersion");
    if (version != nullptr) event.record.resource_version = std::string(version->text());
  } else {
    event.record = ReadApiRecord(type_, *object);
  }
  return event;
}

}  // namespace gangpack::k8s
