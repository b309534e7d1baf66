#include "server/kubernetes/trouble_log.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;

class SetClock final : public k8s::Clock {
 public:
  absl::Time Now() override { return now; }
  absl::Time now = absl::FromUnixSeconds(1'700'000'000);
};

class TroubleLogTest : public testing::Test {
 protected:
  SetClock clock_;
  std::vector<std::string> lines_;
  TroubleLog log_{[this](const std::string& line) { lines_.push_back(line); }, &clock_};
};

TEST_F(TroubleLogTest, TheSameCauseIsWrittenOnceWhateverItKeepsFromBeingDone) {
  log_.Report("list of pods: connection refused");
  log_.Report("list of nodes: connection refused");
  log_.Report("list of pods: no: not allowed");
  log_.Report("list of nodes: no: not allowed");
  EXPECT_THAT(lines_,
              ElementsAre("list of pods: connection refused", "list of pods: no: not allowed"));
}

TEST_F(TroubleLogTest, ItIsWrittenAgainWhenItComesAgainLater) {
  log_.Report("a: x");
  clock_.now += TroubleLog::kSameCauseWithin;
  log_.Report("b: x");
  EXPECT_THAT(lines_, ElementsAre("a: x"));
  clock_.now += absl::Nanoseconds(1);
  log_.Report("c: x");
  EXPECT_THAT(lines_, ElementsAre("a: x", "c: x"));
}

TEST_F(TroubleLogTest, ManyCausesAreCutPerMinute) {
  for (int i = 0; i < 3 * TroubleLog::kLinesPerMinute; ++i) log_.Report(absl::StrCat("a: ", i));
  EXPECT_EQ(lines_.size(), static_cast<size_t>(TroubleLog::kLinesPerMinute));
  clock_.now += absl::Minutes(1) + absl::Nanoseconds(1);
  log_.Report("a: next");
  EXPECT_EQ(lines_.back(), "a: next");
}

}  // namespace
}  // namespace gangpack::server
