// Writes the output of every golden script, or of those named as arguments, beside it.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tests/golden/golden_script.h"

int main(int argc, char** argv) {
  namespace golden = gangpack::golden;
  // `bazel run` tells where the repository is; without it, the current folder must be its root.
  if (const char* root = std::getenv("BUILD_WORKSPACE_DIRECTORY")) {
    std::filesystem::current_path(root);
  }
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names = golden::ScriptNames();
  for (const std::string& name : names) {
    const std::string path = golden::OutputPath(name);
    const std::string text = golden::RunScript(name);
    if (golden::ReadFile(path) == text) continue;
    std::ofstream(path, std::ios::binary) << text;
    std::cout << "changed: " << path << "\n";
  }
  return 0;
}
