#include "tests/golden/golden_script.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "server/simulate/simulate_command.h"

namespace gangpack::golden {
namespace {

std::string ScriptPath(const std::string& name) {
  return absl::StrCat(kFolder, "/", name, ".yaml");
}

std::vector<std::string> FlagsOf(const std::string& script) {
  constexpr absl::string_view kMark = "# flags: ";
  for (const absl::string_view line : absl::StrSplit(script, '\n')) {
    if (line.empty() || line[0] != '#') break;
    if (absl::StartsWith(line, kMark)) {
      return absl::StrSplit(line.substr(kMark.size()), ' ', absl::SkipEmpty());
    }
  }
  return {};
}

std::string RunOnce(std::vector<std::string> args) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int status = server::RunSimulate(args, in, out, err);
  std::string text = absl::StrCat("$ gangpack simulate ", absl::StrJoin(args, " "), "\n");
  for (const absl::string_view line : absl::StrSplit(err.str(), '\n', absl::SkipEmpty())) {
    absl::StrAppend(&text, "stderr: ", line, "\n");
  }
  return absl::StrCat(text, out.str(), "exit status ", status, "\n");
}

}  // namespace

std::vector<std::string> ScriptNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string RunScript(const std::string& name) {
  const std::string path = ScriptPath(name);
  std::vector<std::string> table = FlagsOf(ReadFile(path));
  std::vector<std::string> json = table;
  json.insert(json.begin(), {"-o", "json"});
  table.push_back(path);
  json.push_back(path);
  return absl::StrCat(RunOnce(table), "\n", RunOnce(json));
}

std::string OutputPath(const std::string& name) { return absl::StrCat(kFolder, "/", name, ".out"); }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace gangpack::golden
