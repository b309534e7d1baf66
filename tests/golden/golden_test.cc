// Every script says what it said before; one test a script.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/golden/golden_script.h"

namespace gangpack::golden {
namespace {

class GoldenTest : public testing::TestWithParam<std::string> {};

TEST_P(GoldenTest, SaysWhatItSaidBefore) {
  EXPECT_EQ(RunScript(GetParam()), ReadFile(OutputPath(GetParam())))
      << "Regenerate with: bazel run //tests/golden:update_golden, and read the difference.";
}

TEST_P(GoldenTest, BeginsWithTheRule) {
  EXPECT_EQ(ReadFile(std::string(kFolder) + "/" + GetParam() + ".yaml").substr(0, 2), "# ");
}

TEST_P(GoldenTest, SaysTheSameTwice) { EXPECT_EQ(RunScript(GetParam()), RunScript(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Scripts, GoldenTest, testing::ValuesIn(ScriptNames()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

}  // namespace
}  // namespace gangpack::golden
