#include "server/demo/narrator.h"

#include <memory>
#include <sstream>

#include "gtest/gtest.h"
#include "tests/unit/server/extender_world.h"

namespace gangpack::server {
namespace {

std::shared_ptr<const PodObject> PodOn(const std::string& node) {
  auto object = std::make_shared<PodObject>();
  object->pod.name = {"ns", "p"};
  object->pod.node_name = node;
  return object;
}

AttemptOutcome Failure(const std::string& pod, const std::string& text) {
  return {AttemptOutcome::Kind::kUnschedulable, {"ns", pod}, "", text};
}

TEST(NarratorTest, EachLineHasTheTimeSinceTheStartAndWhoDoesIt) {
  std::ostringstream out;
  ManualClock clock;
  Narrator narrator(&out, &clock);
  narrator.Title("First");
  clock.Advance(absl::Milliseconds(1'042));
  narrator.Attempt({AttemptOutcome::Kind::kAssumed, {"ns", "p"}, "n1", ""});
  GangTransition transition;
  transition.kind = GangTransitionKind::kPinned;
  transition.gang = {"ns", "g"};
  transition.text = "holds a for 2 of 2 members";
  narrator.Transition(transition);
  narrator.Events({Change<PodObject>{nullptr, PodOn("")}, Change<PodObject>{PodOn(""), PodOn("n1")},
                   Change<PodObject>{PodOn("n1"), PodOn("n1")},
                   Change<PodObject>{PodOn("n1"), nullptr}});
  EXPECT_EQ(out.str(),
            "\n== First\n"
            "  1.042s  kube-scheduler  ns/p -> n1, calls bind\n"
            "  1.042s  gangpack        gang ns/g Pinned: holds a for 2 of 2 members\n"
            "  1.042s  cluster         ns/p is created\n"
            "  1.042s  cluster         ns/p is bound to n1\n"
            "  1.042s  cluster         ns/p is deleted\n");
}

TEST(NarratorTest, AReasonIsToldOnceUnderOneTitle) {
  std::ostringstream out;
  ManualClock clock;
  Narrator narrator(&out, &clock);
  narrator.Attempt(Failure("p", "no room"));
  narrator.Attempt(Failure("q", "no room"));
  narrator.Attempt(Failure("q", "no node"));
  narrator.Attempt({AttemptOutcome::Kind::kFailed, {"ns", "q"}, "", "stopping"});
  narrator.Title("Second");
  narrator.Attempt(Failure("p", "no room"));
  EXPECT_EQ(out.str(),
            "  0.000s  kube-scheduler  ns/p FailedScheduling: no room\n"
            "  0.000s  kube-scheduler  ns/q FailedScheduling: no node\n"
            "  0.000s  kube-scheduler  ns/q SchedulerError: stopping\n"
            "\n== Second\n"
            "  0.000s  kube-scheduler  ns/p FailedScheduling: no room\n");
}

}  // namespace
}  // namespace gangpack::server
