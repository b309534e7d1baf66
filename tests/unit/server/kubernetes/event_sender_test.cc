#include "server/kubernetes/event_sender.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/server/extender_world.h"
#include "tests/unit/server/kubernetes/scripted_transport.h"

namespace gangpack::server {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kCreate[] = "POST /apis/events.k8s.io/v1/namespaces/ns/events ";
constexpr char kRepeat[] = "PATCH /apis/events.k8s.io/v1/namespaces/ns/events/g.";

EventNote Note() {
  EventNote note;
  note.regarding = {"v1", "PodGroup", {"ns", "g", "u-g"}};
  note.reason = "GangPinned";
  note.action = "Reserve";
  note.note = "text";
  return note;
}

class EventSenderTest : public testing::Test {
 protected:
  void Answer(int code) { transport_.Script(k8s::HttpResponse{code, "", {}}); }
  void Record() {
    sender_.Record(Note());
    sender_.AwaitIdle();
  }

  k8s::SystemClock clock_;
  ScriptedTransport transport_;
  k8s::ApiClient client_{&transport_};
  EventSender sender_{"gangpack-a", &client_, &clock_};
};

TEST_F(EventSenderTest, AnEventIsCreatedAndThenCounted) {
  Answer(201);
  Answer(200);
  Record();
  Record();
  EXPECT_THAT(transport_.Calls(),
              ElementsAre(AllOf(StartsWith(kCreate), HasSubstr(R"("reason":"GangPinned")")),
                          AllOf(StartsWith(kRepeat), HasSubstr(R"("count":2)"))));
}

TEST_F(EventSenderTest, AnEventThatHasExpiredIsCreatedAnew) {
  Answer(201);
  Answer(404);
  Answer(201);
  Record();
  Record();
  EXPECT_THAT(transport_.Calls(),
              ElementsAre(StartsWith(kCreate), StartsWith(kRepeat), StartsWith(kCreate)));
}

TEST_F(EventSenderTest, WhatCannotBeSentIsDropped) {
  Answer(403);
  Record();
  EXPECT_THAT(transport_.Calls(), ElementsAre(StartsWith(kCreate)));
}

TEST_F(EventSenderTest, WhatWasKeptIsSentWithoutAnotherCall) {
  ManualClock clock;
  EventSender sender{"gangpack-a", &client_, &clock};
  const auto record = [&](int i) {
    EventNote note = Note();
    note.note = absl::StrCat("text ", i);
    sender.Record(note);
  };
  for (int i = 0; i <= EventRecorder::kObjectBurst; ++i) Answer(201);
  for (int i = 0; i < EventRecorder::kObjectBurst; ++i) record(i);
  sender.AwaitIdle();
  clock.Advance(EventRecorder::kObjectEvery - absl::Milliseconds(1));
  record(EventRecorder::kObjectBurst);
  clock.Advance(absl::Milliseconds(1));
  ASSERT_TRUE(transport_.AwaitCalls(EventRecorder::kObjectBurst + 1));
  EXPECT_THAT(transport_.Calls().back(), HasSubstr("text 10"));
}

TEST_F(EventSenderTest, RecordNeverWaitsAndStopDropsWhatIsQueued) {
  absl::Notification release;
  transport_.SetHandler([&release](const k8s::HttpRequest&) {
    release.WaitForNotification();
    return k8s::HttpResponse{201, "", {}};
  });
  sender_.Record(Note());
  ASSERT_TRUE(transport_.AwaitCalls(1));
  sender_.Record(Note());
  sender_.Record(Note());
  release.Notify();
  sender_.Stop();
  EXPECT_LE(transport_.Calls().size(), 2u);
  sender_.Record(Note());
}

}  // namespace
}  // namespace gangpack::server
