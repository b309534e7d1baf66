#include "server/demo/agreement.h"

#include <functional>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

ServerViews Views() {
  PodView pod;
  pod.pod = {"ns", "p"};
  pod.state = PodState::kWaiting;
  pod.node = "n1";
  GangView gang;
  gang.gang = {"ns", "g"};
  gang.state = GangState::kPlacing;
  gang.domain = "rack-a";
  gang.message = "";
  return {{pod}, {gang}};
}

SimulationResult Simulated(const ServerViews& views) {
  SimulationResult result;
  for (const PodView& pod : views.pods) result.pods.push_back({pod, 1});
  result.gangs = views.gangs;
  return result;
}

TEST(AgreementTest, TheSameAgrees) {
  EXPECT_EQ(DifferenceOf(Views(), Simulated(Views())), "");
  EXPECT_EQ(DifferenceOf({}, Simulated({})), "");
}

TEST(AgreementTest, NodesAndAttemptsDoNotMatter) {
  ServerViews views = Views();
  views.pods[0].node = "n2";
  SimulationResult expected = Simulated(Views());
  expected.pods[0].attempts = 7;
  EXPECT_EQ(DifferenceOf(views, expected), "");
}

TEST(AgreementTest, EachOtherDifferenceIsTold) {
  const std::vector<std::function<void(ServerViews&)>> changes = {
      [](ServerViews& views) { views.pods[0].state = PodState::kBound; },
      [](ServerViews& views) { views.pods[0].pod.name = "q"; },
      [](ServerViews& views) { views.pods.push_back(views.pods[0]); },
      [](ServerViews& views) { views.pods.clear(); },
      [](ServerViews& views) { views.gangs[0].state = GangState::kComplete; },
      [](ServerViews& views) { views.gangs[0].domain = "rack-b"; },
      [](ServerViews& views) { views.gangs[0].message = "no room"; },
      [](ServerViews& views) { views.gangs.push_back(views.gangs[0]); },
      [](ServerViews& views) { views.gangs.clear(); }};
  for (size_t i = 0; i < changes.size(); ++i) {
    ServerViews views = Views();
    changes[i](views);
    EXPECT_NE(DifferenceOf(views, Simulated(Views())), "") << i;
  }
}

TEST(AgreementTest, ADifferenceSaysWhatIsAndWhatWasExpected) {
  ServerViews views = Views();
  views.pods[0].state = PodState::kPending;
  EXPECT_EQ(DifferenceOf(views, Simulated(Views())),
            "pod ns/p Pending; expected: pod ns/p Waiting");
  EXPECT_EQ(DifferenceOf({{}, Views().gangs}, Simulated(Views())),
            "nothing more; expected: pod ns/p Waiting");
}

}  // namespace
}  // namespace gangpack::server
