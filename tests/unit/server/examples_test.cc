// Each example says what the README beside it claims: `expected.txt` is all that the command
// prints.
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "server/simulate/simulate_command.h"

namespace gangpack::server {
namespace {

struct Example {
  const char* name;
  std::vector<std::string> args;
  std::string expected;  // a file
};

class ExamplesTest : public testing::TestWithParam<Example> {};

TEST_P(ExamplesTest, PrintsWhatIsExpected) {
  const Example& example = GetParam();
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(RunSimulate(example.args, in, out, err), 0);
  EXPECT_EQ(err.str(), "");
  std::ifstream file(example.expected);
  ASSERT_TRUE(file) << example.expected;
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(out.str(), expected) << "gangpack simulate " << absl::StrJoin(example.args, " ")
                                 << " > " << example.expected;
}

INSTANTIATE_TEST_SUITE_P(
    All, ExamplesTest,
    testing::Values(
        Example{"OmeQwen3", {"examples/ome-qwen3"}, "examples/ome-qwen3/expected.txt"},
        Example{"OmeQwen3LateWorker",
                {"examples/ome-qwen3/late-worker/1-pause-worker.yaml", "examples/ome-qwen3",
                 "examples/ome-qwen3/late-worker/2-model-cache.yaml",
                 "examples/ome-qwen3/late-worker/3-resume-worker.yaml"},
                "examples/ome-qwen3/late-worker/expected.txt"},
        Example{"StatefulSetAndLws",
                {"examples/statefulset-and-lws"},
                "examples/statefulset-and-lws/expected.txt"},
        Example{"CannotFit", {"examples/cannot-fit"}, "examples/cannot-fit/expected.txt"},
        Example{"CannotFitWhatIf",
                {"examples/cannot-fit", "examples/cannot-fit/what-if"},
                "examples/cannot-fit/what-if/expected.txt"},
        Example{"Nvl72", {"examples/nvl72"}, "examples/nvl72/expected.txt"},
        Example{"Nvl72WhatIf",
                {"examples/nvl72", "examples/nvl72/what-if"},
                "examples/nvl72/what-if/expected.txt"}),
    [](const testing::TestParamInfo<Example>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace gangpack::server
