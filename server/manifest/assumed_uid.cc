#include "server/manifest/assumed_uid.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace gangpack::server {
namespace {

// 64-bit FNV-1a; the last steps spread short inputs over all bits.
uint64_t Hash(const std::string& text, uint64_t seed) {
  uint64_t hash = 14695981039346656037ULL ^ seed;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 33);
}

}  // namespace

std::string AssumedUid(const ObjectIncarnation& object) {
  const std::string key =
      absl::StrCat(object.kind, "/", object.name.ToString(), "/", object.incarnation);
  const uint64_t high = Hash(key, 0);
  const uint64_t low = Hash(key, 0x9e3779b97f4a7c15ULL);
  // Version 8 of RFC 9562: a UUID whose bits are the maker's own.
  return absl::StrFormat("%08x-%04x-8%03x-%04x-%012x", high >> 32, (high >> 16) & 0xffff,
                         high & 0xfff, 0x8000 | ((low >> 48) & 0x3fff), low & 0xffffffffffffULL);
}

}  // namespace gangpack::server
