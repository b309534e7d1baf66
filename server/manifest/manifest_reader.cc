#include "server/manifest/manifest_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
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

absl::StatusOr<std::string> ReadFile(const std::string& path, std::istream& in) {
  std::string text;
  if (path == "-") {
    AppendRest(in, &text);
    if (in.bad()) return absl::UnavailableError("cannot be read to its end, expected manifests");
    return text;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const std::error_code error(errno, std::generic_category());
    return absl::NotFoundError(
        absl::StrCat("cannot be read: ", error.message(), ", expected a file, a folder or -"));
  }
  // A regular file says its size, so that no byte of it is moved as the text grows.
  std::error_code no_size;
  const std::uintmax_t size = fs::file_size(path, no_size);
  if (!no_size && size <= k8s::kMaxTextBytes) {
    text.resize(size);
    file.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<size_t>(file.gcount()));
    file.clear(file.rdstate() & ~(std::ios::failbit | std::ios::eofbit));
  }
  AppendRest(file, &text);  // what has no size, and what came since
  if (file.bad())
    return absl::UnavailableError("cannot be read to its end, expected a readable file");
  return text;
}

void ReadInto(const std::string& path, std::istream& in, Manifests* manifests) {
  absl::StatusOr<std::string> text = ReadFile(path, in);
  if (!text.ok()) {
    manifests->faults.push_back(FaultOf(path, text.status().message()));
    return;
  }
  absl::StatusOr<k8s::Documents> documents = k8s::ReadYamlOrJson({path, *std::move(text)});
  if (!documents.ok()) {
    manifests->faults.emplace_back(documents.status().message());
    return;
  }
  k8s::DecodedObjects decoded = k8s::DecodeObjects(*documents, k8s::ObjectSource::kManifest);
  manifests->entries.reserve(manifests->entries.size() + decoded.objects.size());
  for (k8s::DecodedObject& object : decoded.objects) {
    manifests->entries.push_back({manifests->documents.size(), std::move(object)});
  }
  for (const k8s::Fault& fault : decoded.faults) manifests->faults.push_back(fault.ToString());
  manifests->documents.push_back(*std::move(documents));
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

}  // namespace

std::optional<ManifestObject> ManifestEntry::object() const {
  return std::visit(
      [](const auto& object) -> std::optional<ManifestObject> {
        using Object = std::decay_t<decltype(object)>;
        if constexpr (std::is_same_v<Object, k8s::OtherObject>) {
          return std::nullopt;
        } else {
          return object;
        }
      },
      decoded.object);
}

Manifests ReadManifests(absl::Span<const std::string> paths, std::istream& in) {
  Manifests manifests;
  for (const std::string& path : paths) {
    for (const std::string& file : FilesOf(path, &manifests.faults)) {
      ReadInto(file, in, &manifests);
    }
  }
  return manifests;
}

k8s::Fault Locate(const Manifests& manifests, const ManifestEntry& entry, const FieldFault& fault) {
  const k8s::Documents& documents = manifests.documents[entry.document];
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
