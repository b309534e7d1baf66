#include "tests/unit/server/process_counts.h"

#include <dirent.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace gangpack::server {
namespace {

int64_t EntriesOf(const char* folder) {
  DIR* const dir = opendir(folder);
  if (dir == nullptr) return -1;
  int64_t count = 0;
  while (readdir(dir) != nullptr) ++count;
  closedir(dir);
  return count;
}

}  // namespace

ProcessCounts CountProcess() {
  return {.descriptors = EntriesOf("/proc/self/fd"), .threads = EntriesOf("/proc/self/task")};
}

int64_t ResidentBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib * 1024;
  }
  return -1;
}

}  // namespace gangpack::server
