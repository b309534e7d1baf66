#include "server/slow_step.h"

#include <chrono>
#include <sstream>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::IsEmpty;

// Keeps what is said. Read once the step is over.
struct Listener {
  std::vector<std::string> lines;
  absl::Notification first;

  ProgressVoice Voice(std::chrono::milliseconds patience) {
    return {patience, [this](const std::string& line) {
              lines.push_back(line);
              if (lines.size() == 1) first.Notify();
            }};
  }
};

TEST(SlowStepTest, WhatIsSoonOverIsNotSaid) {
  Listener listener;
  { const SlowStep step(listener.Voice(std::chrono::hours(1)), "listing nodes"); }
  EXPECT_THAT(listener.lines, IsEmpty());
}

TEST(SlowStepTest, WhatTakesLongIsSaid) {
  Listener listener;
  {
    const SlowStep step(listener.Voice(std::chrono::milliseconds(1)), "listing nodes");
    listener.first.WaitForNotification();
  }
  EXPECT_EQ(listener.lines.at(0), "listing nodes takes long");
}

TEST(SlowStepTest, HowFarItIsIsSaid) {
  std::vector<std::string> lines;
  absl::Notification first;
  absl::Notification counted;
  absl::Notification second;
  const ProgressVoice voice = {std::chrono::milliseconds(1), [&](const std::string& line) {
                                 lines.push_back(line);
                                 if (lines.size() == 1) {
                                   first.Notify();
                                   counted.WaitForNotification();
                                 }
                                 if (lines.size() == 2) second.Notify();
                               }};
  {
    SlowStep step(voice, "listing nodes");
    first.WaitForNotification();
    step.Count(500);
    counted.Notify();
    second.WaitForNotification();
  }
  EXPECT_EQ(lines.at(0), "listing nodes takes long");
  EXPECT_EQ(lines.at(1), "listing nodes takes long, 500 so far");
}

TEST(VoiceOfTest, SaysWhichCommandSpeaks) {
  std::ostringstream err;
  VoiceOf("doctor", err).say("listing nodes takes long");
  EXPECT_EQ(err.str(), "gangpack doctor: listing nodes takes long\n");
}

}  // namespace
}  // namespace gangpack::server
