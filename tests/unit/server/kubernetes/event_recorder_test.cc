#include "server/kubernetes/event_recorder.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const absl::Time kBegin = absl::FromUnixSeconds(1'700'000'000);

EventNote Note(const std::string& object, const std::string& text) {
  EventNote note;
  note.regarding = {"v1", "PodGroup", {"ns", object, absl::StrCat("u-", object)}};
  note.reason = "GangBlocked";
  note.action = "Schedule";
  note.note = text;
  note.warning = true;
  return note;
}

TEST(EventRecorderTest, TheFirstTimeIsANewEventWithAllThatWasTold) {
  EventRecorder recorder("gangpack-a");
  const std::optional<EventToSend> sent = recorder.Record(Note("g", "no room"), kBegin);
  ASSERT_TRUE(sent.has_value());
  EXPECT_FALSE(sent->series.has_value());
  EXPECT_THAT(sent->event.name, StartsWith("g."));
  EXPECT_EQ(sent->event.regarding.identity.uid, "u-g");
  EXPECT_EQ(sent->event.note, "no room");
  EXPECT_EQ(sent->event.reason, "GangBlocked");
  EXPECT_EQ(sent->event.action, "Schedule");
  EXPECT_TRUE(sent->event.warning);
  EXPECT_EQ(sent->event.time, kBegin);
  EXPECT_EQ(sent->event.reporting_instance, "gangpack-a");
}

TEST(EventRecorderTest, RepetitionsCountOnTheSameEventAndAreSentWhenTheirNumberHasDoubled) {
  EventRecorder recorder("r");
  const auto first = recorder.Record(Note("g", "no room"), kBegin);
  std::vector<int64_t> counts;
  for (int i = 1; i <= 20; ++i) {
    const absl::Time now = kBegin + i * absl::Minutes(1);
    const auto sent = recorder.Record(Note("g", "no room"), now);
    if (!sent.has_value()) continue;
    EXPECT_EQ(sent->event.name, first->event.name);
    ASSERT_TRUE(sent->series.has_value());
    EXPECT_EQ(sent->series->last_observed, now);
    counts.push_back(sent->series->count);
  }
  EXPECT_THAT(counts, testing::ElementsAre(2, 4, 8, 16));
}

TEST(EventRecorderTest, WhatIsToldAgainOnlyAfterTheWindowIsANewEvent) {
  EventRecorder recorder("r");
  const auto first = recorder.Record(Note("g", "no room"), kBegin);
  const absl::Time in_time = kBegin + EventRecorder::kSeriesWindow;
  EXPECT_TRUE(recorder.Record(Note("g", "no room"), in_time)->series.has_value());
  const absl::Time late = in_time + EventRecorder::kSeriesWindow + absl::Nanoseconds(1);
  const auto again = recorder.Record(Note("g", "no room"), late);
  ASSERT_TRUE(again.has_value());
  EXPECT_FALSE(again->series.has_value());
  EXPECT_NE(again->event.name, first->event.name);
  EXPECT_EQ(recorder.series(), 1u);
}

TEST(EventRecorderTest, AnotherNoteReasonOrObjectIsAnotherEvent) {
  EventRecorder recorder("r");
  const auto first = recorder.Record(Note("g", "no room"), kBegin);
  const auto note = recorder.Record(Note("g", "room for 3 of 4"), kBegin);
  EventNote other_reason = Note("g", "no room");
  other_reason.reason = "GangUnwound";
  const auto reason = recorder.Record(other_reason, kBegin);
  const auto object = recorder.Record(Note("h", "no room"), kBegin);
  for (const auto* sent : {&note, &reason, &object}) {
    ASSERT_TRUE(sent->has_value());
    EXPECT_FALSE((*sent)->series.has_value());
    EXPECT_NE((*sent)->event.name, first->event.name) << "names are unique at one time, too";
  }
}

TEST(EventRecorderTest, AnObjectHasItsBurstAndThenOneEventPerInterval) {
  EventRecorder recorder("r");
  int sent = 0;
  for (int i = 0; i < 3 * EventRecorder::kObjectBurst; ++i) {
    if (recorder.Record(Note("g", absl::StrCat(i)), kBegin).has_value()) ++sent;
  }
  EXPECT_EQ(sent, EventRecorder::kObjectBurst);
  EXPECT_TRUE(recorder.Record(Note("h", "other"), kBegin).has_value())
      << "others are not kept back";
  const absl::Time refilled = kBegin + EventRecorder::kObjectEvery;
  EXPECT_FALSE(recorder.Record(Note("g", "early"), refilled - absl::Nanoseconds(1)).has_value());
  EXPECT_TRUE(recorder.Record(Note("g", "in time"), refilled).has_value());
  EXPECT_FALSE(recorder.Record(Note("g", "next"), refilled).has_value());
}

TEST(EventRecorderTest, TheLastNoteThatWasTooManyIsSentWhenTheObjectMayHaveAnotherEvent) {
  EventRecorder recorder("r");
  EXPECT_EQ(recorder.NextKept(), absl::InfiniteFuture());
  for (int i = 0; i < EventRecorder::kObjectBurst + 2; ++i) {
    recorder.Record(Note("g", absl::StrCat(i)), kBegin);
  }
  const absl::Time refilled = kBegin + EventRecorder::kObjectEvery;
  EXPECT_EQ(recorder.NextKept(), refilled);
  EXPECT_FALSE(recorder.TakeKept(refilled - absl::Nanoseconds(1)).has_value());
  const auto kept = recorder.TakeKept(refilled);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->event.note, absl::StrCat(EventRecorder::kObjectBurst + 1));
  EXPECT_EQ(kept->event.time, refilled);
  EXPECT_EQ(recorder.NextKept(), absl::InfiniteFuture());
  EXPECT_FALSE(recorder.TakeKept(absl::InfiniteFuture()).has_value());
}

TEST(EventRecorderTest, ANoteThatHoldsNoMoreIsNotSentLater) {
  for (const char* newer : {"0", "something new"}) {  // told before, and not
    EventRecorder recorder("r");
    for (int i = 0; i < EventRecorder::kObjectBurst + 1; ++i) {
      recorder.Record(Note("g", absl::StrCat(i)), kBegin);
    }
    const absl::Time refilled = kBegin + EventRecorder::kObjectEvery;
    EXPECT_TRUE(recorder.Record(Note("g", newer), refilled).has_value());
    EXPECT_EQ(recorder.NextKept(), absl::InfiniteFuture()) << newer;
  }
}

TEST(EventRecorderTest, AllObjectsTogetherHaveTheirBurst) {
  EventRecorder recorder("r");
  int sent = 0;
  for (int i = 0; i < 2 * EventRecorder::kGlobalBurst; ++i) {
    if (recorder.Record(Note(absl::StrCat("g", i), "x"), kBegin).has_value()) ++sent;
  }
  EXPECT_EQ(sent, EventRecorder::kGlobalBurst);
  EXPECT_TRUE(recorder.Record(Note("late", "x"), kBegin + EventRecorder::kGlobalEvery).has_value());
  EXPECT_FALSE(
      recorder.Record(Note("later", "x"), kBegin + EventRecorder::kGlobalEvery).has_value());
}

TEST(EventRecorderTest, MemoryIsBounded) {
  EventRecorder recorder("r");
  for (size_t i = 0; i < EventRecorder::kObjectsMax + 10; ++i) {
    const absl::Time now = kBegin + static_cast<int64_t>(i) * absl::Seconds(1);
    ASSERT_TRUE(recorder.Record(Note(absl::StrCat("g", i), "x"), now).has_value());
  }
  EXPECT_EQ(recorder.series(), EventRecorder::kSeriesMax);
  EXPECT_EQ(recorder.objects(), EventRecorder::kObjectsMax);
}

TEST(EventRecorderTest, NamesStayWithinWhatTheServerTakes) {
  EventRecorder recorder("r");
  std::string name(235, 'a');
  name += ".bcdefghijklmnopqr";
  const auto sent = recorder.Record(Note(name, "x"), kBegin);
  EXPECT_LE(sent->event.name.size(), 253u);
  EXPECT_THAT(sent->event.name, AllOf(StartsWith(std::string(235, 'a')), Not(HasSubstr(".."))));
}

TEST(EventRecorderTest, AClockThatIsSetBackKeepsNothingBack) {
  EventRecorder recorder("r");
  for (int i = 0; i < EventRecorder::kObjectBurst; ++i) {
    recorder.Record(Note("g", absl::StrCat(i)), kBegin);
  }
  const absl::Time back = kBegin - absl::Hours(1);
  EXPECT_FALSE(recorder.Record(Note("g", "a"), back).has_value());
  EXPECT_TRUE(recorder.Record(Note("g", "b"), back + EventRecorder::kObjectEvery).has_value());
}

}  // namespace
}  // namespace gangpack::server
