#include "k8s/subprocess.h"

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

using ::testing::HasSubstr;

Command Shell(const std::string& script) {
  Command command;
  command.program = "sh";
  command.arguments = {"-c", script, "name", "a b"};
  return command;
}

TEST(SubprocessTest, BothOutputsAndTheStatusAreGathered) {
  const auto result = RunCommand(Shell("echo out \"$1\"; echo err >&2; exit 3"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->output, "out a b\n");
  EXPECT_EQ(result->errors, "err\n");
  EXPECT_EQ(result->exit_status, 3);
}

TEST(SubprocessTest, TheEnvironmentIsOursWithTheAdditions) {
  Command command = Shell("echo \"$HOME\" \"$ADDED\" \"${PATH:+kept}\"");
  command.environment = {{"HOME", "/elsewhere"}, {"ADDED", "x=y"}};
  EXPECT_EQ(RunCommand(command)->output, "/elsewhere x=y kept\n");
}

TEST(SubprocessTest, TheProgramHasNothingToRead) {
  EXPECT_EQ(RunCommand(Shell("cat; echo end"))->output, "end\n");
}

TEST(SubprocessTest, ASignalThatEndsItIsItsStatus) {
  EXPECT_EQ(RunCommand(Shell("kill -TERM $$"))->exit_status, 128 + 15);
}

TEST(SubprocessTest, AProgramThatDoesNotExistIsNotFound) {
  Command command;
  command.program = "no-such-program-anywhere";
  const absl::Status status = RunCommand(command).status();
  EXPECT_EQ(status, absl::NotFoundError("no-such-program-anywhere: No such file or directory"));
}

TEST(SubprocessTest, AProgramThatDoesNotEndIsKilled) {
  Command command = Shell("exec sleep 1000");
  command.limit = absl::Milliseconds(50);
  const absl::Status status = RunCommand(command).status();
  EXPECT_EQ(status, absl::DeadlineExceededError("sh: no end after 50ms"));
}

TEST(SubprocessTest, OutputUpToTheLimitPassesAndMoreIsRefused) {
  Command command = Shell("printf 12345");
  command.output_bytes_max = 5;
  EXPECT_EQ(RunCommand(command)->output, "12345");
  command.output_bytes_max = 4;
  EXPECT_EQ(RunCommand(command).status().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace gangpack::k8s
