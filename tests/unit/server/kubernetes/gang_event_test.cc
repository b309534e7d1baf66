#include "server/kubernetes/gang_event.h"

#include <optional>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

GangTransition Transition(GangTransitionKind kind) {
  GangTransition transition;
  transition.kind = kind;
  transition.gang = {"ns", "g"};
  transition.group_uid = "u-g";
  transition.text = "no domain has room for gang ns/g: room for 1 of 2";
  return transition;
}

TEST(GangEventTest, ATransitionIsAnEventOnThePodGroupWithItsText) {
  const std::optional<EventNote> note = EventOf(Transition(GangTransitionKind::kBlocked));
  ASSERT_TRUE(note.has_value());
  EXPECT_EQ(note->regarding.api_version, "scheduling.x-k8s.io/v1alpha1");
  EXPECT_EQ(note->regarding.kind, "PodGroup");
  EXPECT_EQ(note->regarding.identity.namespace_name, "ns");
  EXPECT_EQ(note->regarding.identity.name, "g");
  EXPECT_EQ(note->regarding.identity.uid, "u-g");
  EXPECT_EQ(note->reason, "GangBlocked");
  EXPECT_EQ(note->action, "Schedule");
  EXPECT_EQ(note->note, "no domain has room for gang ns/g: room for 1 of 2");
  EXPECT_TRUE(note->warning);
}

TEST(GangEventTest, WhatGoesWellIsNoWarningWhatFailsIsOne) {
  for (const GangTransitionKind kind :
       {GangTransitionKind::kPinned, GangTransitionKind::kAdopted, GangTransitionKind::kMoved,
        GangTransitionKind::kComplete, GangTransitionKind::kReleased}) {
    EXPECT_FALSE(EventOf(Transition(kind))->warning);
  }
  EXPECT_TRUE(EventOf(Transition(GangTransitionKind::kUnwound))->warning);
  EXPECT_TRUE(EventOf(Transition(GangTransitionKind::kBroken))->warning);
}

TEST(GangEventTest, WaitingMembersFormingGangsAndThoseWithoutPodGroupHaveNone) {
  EXPECT_FALSE(EventOf(Transition(GangTransitionKind::kWaiting)).has_value());
  EXPECT_FALSE(EventOf(Transition(GangTransitionKind::kForming)).has_value());
  GangTransition groupless = Transition(GangTransitionKind::kBlocked);
  groupless.group_uid = "";
  EXPECT_FALSE(EventOf(groupless).has_value());
}

}  // namespace
}  // namespace gangpack::server
