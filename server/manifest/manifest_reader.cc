#include "server/manifest/manifest_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <istream>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "k8s/json_reader.h"
#include "k8s/yaml_reader.h"

namespace gangpack::server {
namespace {

namespace fs = std::filesystem;

// Appends what is left of `in`, but no more than makes the text one that its reader refuses as too
// large. Through the stream, which turns an error into its bad bit; an iterator would throw.
void AppendRest(std::istream& in, std::string* text) {
  constexpr size_t kChunkBytes = size_t{64} << 10;
  while (in && text->size() <= k8s::kMaxTextBytes) {
    const size_t before = text->size();
    text->resize(before + kChunkBytes);
    in.read(text->data() + before, kChunkBytes);
    text->resize(before + static_cast<size_t>(in.gcount()));
  }
}

// A fault of a file as a whole.
std::string FaultOf(const std::string& path, absl::string_view message) {
  return k8s::Fault{path, 1, "", std::string(message)}.ToString();
}

// The files that a path stands for; none, and a fault, if it stands for none.
std::vector<std::string> FilesOf(const std::string& path, std::vector<std::string>* faults) {
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    const std::string extension = it->path().extension().string();
    const bool manifest = extension == ".yaml" || extension == ".yml" || extension == ".json";
    std::error_code ignored;
    if (manifest && !it->is_directory(ignored)) files.push_back(it->path().string());
  }
  if (error) {
    faults->push_back(FaultOf(
        path, absl::StrCat("cannot be read: ", error.message(), ", expected a readable folder")));
    return {};
  }
  if (files.empty()) {
    faults->push_back(
        FaultOf(path, "has no manifests, expected a folder with files *.yaml, *.yml or *.json"));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The bytes of one file or of standard input, which can be looked at before they are read.
class InputText {
 public:
  explicit InputText(std::istream* stream) : stream_(*stream) {}

  // Reads on until the text tells what it is, or ends.
  k8s::TextFormat Format() {
    std::optional<k8s::TextFormat> format;
    size_t got = 0;
    do {
      const size_t before = looked_at_.size();
      looked_at_.resize(before + kLookBytes);
      got = ReadStream(looked_at_.data() + before, kLookBytes);
      looked_at_.resize(before + got);
      format = k8s::FormatOf(looked_at_);
    } while (!format.has_value() && got > 0);
    return format.value_or(k8s::TextFormat::kYaml);
  }

  size_t Read(char* to, size_t size) {
    const size_t left = looked_at_.size() - given_;
    if (left == 0) return ReadStream(to, size);
    const size_t given = std::min(left, size);
    std::memcpy(to, looked_at_.data() + given_, given);
    given_ += given;
    return given;
  }

  // `size` is what there will be, if that is known: no byte is then moved as the text grows.
  std::string ReadAll(size_t size) {
    std::string text;
    text.reserve(size);
    text += std::exchange(looked_at_, "").substr(given_);
    given_ = 0;
    const size_t before = text.size();
    if (size > before) {
      text.resize(size);
      text.resize(before + ReadStream(text.data() + before, size - before));
    }
    stream_.clear(stream_.rdstate() & ~(std::ios::failbit | std::ios::eofbit));
    // What has no size, and what came since.
    AppendRest(stream_, &text);
    return text;
  }

 private:
  static constexpr size_t kLookBytes = 4096;

  size_t ReadStream(char* to, size_t size) {
    stream_.read(to, static_cast<std::streamsize>(size));
    return static_cast<size_t>(stream_.gcount());
  }

  std::istream& stream_;
  std::string looked_at_;
  size_t given_ = 0;  // Of looked_at_.
};

size_t SizeOf(const std::string& path) {
  std::error_code no_size;
  const std::uintmax_t size = path == "-" ? 0 : fs::file_size(path, no_size);
  return !no_size && size <= k8s::kMaxTextBytes ? size : 0;
}

absl::StatusOr<k8s::DecodedStream> Decode(const std::string& path, InputText* text, Keep keep) {
  constexpr k8s::ObjectSource kSource = k8s::ObjectSource::kManifest;
  const k8s::TextFormat format = text->Format();
  if (format == k8s::TextFormat::kJson && keep == Keep::kObjects) {
    const auto read = [text](char* to, size_t size) { return text->Read(to, size); };
    return k8s::DecodeJsonStream({path, read}, kSource);
  }
  k8s::TextSource all{path, text->ReadAll(SizeOf(path))};
  absl::StatusOr<k8s::Documents> documents = format == k8s::TextFormat::kJson
                                                 ? k8s::ReadJson(std::move(all))
                                                 : k8s::ReadYaml(std::move(all));
  if (!documents.ok()) return documents.status();
  k8s::DecodedObjects decoded = k8s::DecodeObjects(*documents, kSource);
  return k8s::DecodedStream{*std::move(documents), std::move(decoded)};
}

void ReadInto(const std::string& path, std::istream& in, Keep keep, Manifests* manifests) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) {
      const std::error_code error(errno, std::generic_category());
      manifests->faults.push_back(FaultOf(path, absl::StrCat("cannot be read: ", error.message(),
                                                             ", expected a file, a folder or -")));
      return;
    }
  }
  std::istream& stream = path == "-" ? in : file;
  InputText text(&stream);
  absl::StatusOr<k8s::DecodedStream> read = Decode(path, &text, keep);
  if (stream.bad()) {
    manifests->faults.push_back(
        FaultOf(path, absl::StrCat("cannot be read to its end, expected ",
                                   path == "-" ? "manifests" : "a readable file")));
    return;
  }
  if (!read.ok()) {
    manifests->faults.emplace_back(read.status().message());
    return;
  }
  for (std::deque<k8s::DecodedObject>& objects = read->decoded.objects; !objects.empty();
       objects.pop_front()) {
    manifests->entries.push_back({manifests->documents.size(), std::move(objects.front())});
  }
  for (const k8s::Fault& fault : read->decoded.faults) {
    manifests->faults.push_back(fault.ToString());
  }
  manifests->documents.push_back(std::move(read->documents));
}

// The object that begins on that line: a document, or an item of a list.
const k8s::Value* FindObject(const k8s::Value& value, int line) {
  const k8s::Value* items = value.Find("items");
  if (items != nullptr) {
    for (const k8s::Value& item : items->items()) {
      if (const k8s::Value* found = FindObject(item, line)) return found;
    }
  }
  return value.line() == line ? &value : nullptr;
}

int LineOf(const k8s::Value& object, absl::string_view path) {
  int line = object.line();
  const k8s::Value* value = &object;
  for (const absl::string_view name : absl::StrSplit(path, '.')) {
    const k8s::Value* next = nullptr;
    for (const k8s::Member& member : value->members()) {
      if (member.key() != name) continue;
      next = &member.value;
      line = member.key_line;
    }
    if (next == nullptr) break;
    value = next;
  }
  return line;
}

// 0 if that is not the line of one of them.
int KnownLine(const k8s::FieldLines& lines, absl::string_view path) {
  if (path == "metadata.name") return lines.name;
  if (path == "metadata.uid") return lines.uid;
  if (path == "spec.nodeName") return lines.node_name;
  return 0;
}

}  // namespace

std::optional<ManifestObject> ManifestEntry::object() const& {
  return ManifestEntry(*this).object();
}

std::optional<ManifestObject> ManifestEntry::object() && {
  return std::visit(
      [](auto& object) -> std::optional<ManifestObject> {
        using Object = std::decay_t<decltype(object)>;
        if constexpr (std::is_same_v<Object, k8s::OtherObject>) {
          return std::nullopt;
        } else {
          return std::move(object);
        }
      },
      decoded.object);
}

Manifests ReadManifests(absl::Span<const std::string> paths, std::istream& in, Keep keep) {
  Manifests manifests;
  for (const std::string& path : paths) {
    for (const std::string& file : FilesOf(path, &manifests.faults)) {
      ReadInto(file, in, keep, &manifests);
    }
  }
  return manifests;
}

k8s::Fault Locate(const Manifests& manifests, const ManifestEntry& entry, const FieldFault& fault) {
  const k8s::Documents& documents = manifests.documents[entry.document];
  if (const int known = KnownLine(entry.decoded.lines, fault.path); known > 0) {
    return {documents.file(), known, fault.path, fault.message};
  }
  int line = entry.decoded.line;
  for (const k8s::Value& root : documents.roots()) {
    if (const k8s::Value* object = FindObject(root, line)) {
      line = LineOf(*object, fault.path);
      break;
    }
  }
  return {documents.file(), line, fault.path, fault.message};
}

}  // namespace gangpack::server
