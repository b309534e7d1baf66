// One golden script: a manifest for `gangpack simulate`, and all that the command says to it.
//
// A line `# flags: ...` in the script's head adds flags.
#ifndef GANGPACK_TESTS_GOLDEN_GOLDEN_SCRIPT_H_
#define GANGPACK_TESTS_GOLDEN_GOLDEN_SCRIPT_H_

#include <string>
#include <vector>

namespace gangpack::golden {

inline constexpr char kFolder[] = "tests/golden";  // from the root of the repository

// The names of the scripts, without `.yaml`, sorted.
std::vector<std::string> ScriptNames();

// Runs the script as a table and as JSON: the commands, what they print, their exit status.
std::string RunScript(const std::string& name);

std::string OutputPath(const std::string& name);
std::string ReadFile(const std::string& path);

}  // namespace gangpack::golden

#endif  // GANGPACK_TESTS_GOLDEN_GOLDEN_SCRIPT_H_
