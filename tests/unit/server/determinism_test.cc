// The same input in two processes gives the same bytes: hash seeds and addresses differ from
// process to process.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/server/child_process.h"

namespace gangpack::server {
namespace {

std::string OutputOf(const std::vector<std::string>& args) {
  ChildProcess process(args);
  process.CloseInput();
  std::string output = process.ReadRest();
  EXPECT_EQ(process.Wait(), 0);
  return output;
}

TEST(DeterminismTest, TheSameInputInTwoProcessesGivesTheSameBytes) {
  for (const std::string input : {"examples/nvl72", "examples/ome-qwen3", "examples/cannot-fit",
                                  "examples/statefulset-and-lws"}) {
    const std::vector<std::string> args = {
        GangpackProgram(),       "simulate", "-o", "json", "--trace", "--topology-key",
        "nvidia.com/gpu.clique", input};
    const std::string first = OutputOf(args);
    EXPECT_GT(first.size(), 100u) << input;
    EXPECT_EQ(first, OutputOf(args)) << input;
  }
}

}  // namespace
}  // namespace gangpack::server
