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
    testing::Values(Example{"OmeQwen3", {"examples/ome-qwen3"}, "examples/ome-qwen3/expected.txt"},
                    Example{"StatefulSetAndLws",
                            {"examples/statefulset-and-lws"},
                            "examples/statefulset-and-lws/expected.txt"},
                    Example{
                        "CannotFit", {"examples/cannot-fit"}, "examples/cannot-fit/expected.txt"},
                    Example{"CannotFitWhatIf",
                            {"examples/cannot-fit", "examples/cannot-fit/what-if"},
                            "examples/cannot-fit/what-if/expected.txt"},
                    Example{"Nvl72",
                            {"--topology-key", "nvidia.com/gpu.clique", "examples/nvl72"},
                            "examples/nvl72/expected.txt"}),
    [](const testing::TestParamInfo<Example>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace gangpack::server
