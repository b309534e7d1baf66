#include "core/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace gangpack {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The last code, so that a loop reaches all of them.
constexpr ReasonCode kLastCode = ReasonCode::kNoRoomBesideBindings;

std::vector<ReasonCode> AllCodes() {
  std::vector<ReasonCode> codes;
  for (int code = 0; code <= static_cast<int>(kLastCode); ++code) {
    codes.push_back(static_cast<ReasonCode>(code));
  }
  return codes;
}

// Of these the note is no number that changes from try to try, but what makes the text true.
bool SaysItsNote(ReasonCode code) {
  return code == ReasonCode::kPodNotPlaceable || code == ReasonCode::kNodeUnknown;
}

Reason Of(ReasonCode code) {
  Reason reason;
  reason.code = code;
  reason.gang = {"team", "llama"};
  reason.domain = "rack-a";
  reason.pod = {"team", "llama-worker-1"};
  reason.topology_key = "ome.io/topology-key";
  return reason;
}

TEST(ExplainTest, TheWordsOfEachCodeAreThoseUsersKnow) {
  const std::map<ReasonCode, std::string> words = {
      {ReasonCode::kNone, ""},
      {ReasonCode::kNoDomainHasRoom, "no domain has room for gang team/llama"},
      {ReasonCode::kEveryDomainReserved,
       "no domain has room for gang team/llama: every fitting domain is reserved for a forming "
       "gang"},
      {ReasonCode::kPodGroupNotResolvable, "PodGroup team/llama not resolvable yet"},
      {ReasonCode::kNoTopologyKey,
       "PodGroup team/llama must declare ome.io/topology-key or the scheduler must configure "
       "topologyKey"},
      {ReasonCode::kMembersMissing, "waiting for all PodGroup member templates for team/llama"},
      {ReasonCode::kSiblingNotPlaced, "waiting for gang sibling team/llama-worker-1 to be placed"},
      {ReasonCode::kPinnedDomainTooSmall,
       "pinned domain rack-a cannot fit all remaining gang members team/llama"},
      {ReasonCode::kAdoptedDomainTooSmall,
       "adopted domain rack-a cannot fit remaining gang members team/llama"},
      {ReasonCode::kNoNodeForMember,
       "pinned domain rack-a has no node feasible for gang member team/llama-worker-1"},
      {ReasonCode::kMultipleDomains,
       "gang team/llama already has members in multiple topology domains"},
      {ReasonCode::kNodeReserved, "node is reserved for a forming gang"},
      {ReasonCode::kNodeNotInDomain, "node not in gang's pinned domain rack-a"},
      {ReasonCode::kSiblingFailed, "gang team/llama unwound after a member failed to schedule"},
      {ReasonCode::kMinMemberNotPositive, "PodGroup team/llama must declare a positive minMember"},
      {ReasonCode::kPlacementGroup, "partner placement groups are not supported"},
      {ReasonCode::kNotSynchronised, "the scheduler has not read the whole cluster yet"},
      {ReasonCode::kPodUnknown, "pod team/llama-worker-1 is not known yet"},
      {ReasonCode::kPodNotPlaceable, "pod team/llama-worker-1 is not to be placed"},
      {ReasonCode::kSurplusMember, "gang team/llama places the members it needs first"},
      {ReasonCode::kNodeNotPlanned,
       "node is not the one planned for this member of gang team/llama"},
      {ReasonCode::kNodeUnknown, "node is not known yet"},
      {ReasonCode::kNoRoomBesideBindings,
       "node has no room beside the bindings and nominations under way"},
  };
  for (const ReasonCode code : AllCodes()) {
    ASSERT_TRUE(words.contains(code)) << static_cast<int>(code);
    EXPECT_EQ(Text(Of(code)), words.at(code));
  }
  EXPECT_EQ(words.size(), AllCodes().size());
}

// Everything in a Reason that changes while the gang's membership does not.
Reason WithNumbers(Reason reason) {
  reason.have = 3;
  reason.want = 4;
  reason.gated = 1;
  reason.other_schedulers = {{"other", 2}};
  reason.lost = {{"node-3", 1}};
  reason.empty_labels = 3;
  reason.holders = {{"rack-a", "team/other"}};
  reason.domains = {{"rack-b", 2, 4, {{"node-1", {NodeRule::kUnschedulable, "", 0, 0}}}, 1}};
  reason.domains_more = 7;
  reason.search_limit_reached = true;
  reason.note = "a note";
  return reason;
}

TEST(ExplainTest, WhatKubeSchedulerIsToldDoesNotChangeWithTheNumbers) {
  for (const ReasonCode code : AllCodes()) {
    const Reason reason = Of(code);
    EXPECT_EQ(Text(WithNumbers(reason)) == Text(reason), !SaysItsNote(code));
  }
}

TEST(ExplainTest, TheDetailBeginsWithWhatKubeSchedulerIsTold) {
  for (const ReasonCode code : AllCodes()) {
    EXPECT_THAT(DetailedText(Of(code)), StartsWith(Text(Of(code))));
    const Reason reason = WithNumbers(Of(code));
    EXPECT_THAT(DetailedText(reason), StartsWith(Text(reason)));
  }
}

TEST(ExplainTest, WithoutNumbersTheDetailIsTheTextItself) {
  for (const ReasonCode code : AllCodes()) {
    // These always have a number to tell.
    if (code == ReasonCode::kMembersMissing || code == ReasonCode::kPodGroupNotResolvable ||
        code == ReasonCode::kMinMemberNotPositive || code == ReasonCode::kNoDomainHasRoom) {
      EXPECT_NE(DetailedText(Of(code)), Text(Of(code)));
    } else {
      EXPECT_EQ(DetailedText(Of(code)), Text(Of(code)));
    }
  }
}

TEST(ExplainTest, WhatMakesTheTextTrueIsInTheTextItself) {
  Reason pod = Of(ReasonCode::kPodNotPlaceable);
  pod.note = "it is bound to a-1";
  EXPECT_EQ(Text(pod), "pod team/llama-worker-1 is not to be placed: it is bound to a-1");
  EXPECT_EQ(DetailedText(pod), Text(pod));
  Reason node = Of(ReasonCode::kNodeUnknown);
  node.note = "a-1";
  EXPECT_EQ(Text(node), "node a-1 is not known yet");
  EXPECT_EQ(DetailedText(node), Text(node));
}

TEST(ExplainTest, NoTextHasAPercentSignWhateverTheNamesAre) {
  for (const ReasonCode code : AllCodes()) {
    Reason reason = WithNumbers(Of(code));
    reason.gang = {"t%eam", "lla%sma"};
    reason.pod = {"t%eam", "%"};
    reason.domain = "100%";
    reason.topology_key = "key%";
    reason.other_schedulers = {{"%d", 1}};
    reason.lost = {{"%n", 1}};
    reason.holders = {{"%v", "%v"}};
    reason.domains = {{"50%", 1, 2, {{"%n", {NodeRule::kTaint, "a=%:NoSchedule", 0, 0}}}, 0}};
    reason.note = "100% sure";
    EXPECT_THAT(Text(reason), Not(HasSubstr("%")));
    EXPECT_THAT(DetailedText(reason), Not(HasSubstr("%")));
  }
  EXPECT_EQ(Describe({"node%", {NodeRule::kTaint, "%", 0, 0}}), "node_ tainted _");
}

TEST(ExplainTest, APercentSignInANameBecomesAnUnderscore) {
  Reason reason = Of(ReasonCode::kNodeNotInDomain);
  reason.domain = "rack%s";
  EXPECT_EQ(Text(reason), "node not in gang's pinned domain rack_s");
}

TEST(ExplainTest, EachRuleOfANodeIsSaidInItsOwnWords) {
  EXPECT_EQ(Describe({"node-3", {NodeRule::kUnschedulable, "", 0, 0}}), "node-3 cordoned");
  EXPECT_EQ(Describe({"node-3", {NodeRule::kTaint, "gpu=broken:NoExecute", 0, 0}}),
            "node-3 tainted gpu=broken:NoExecute");
  EXPECT_EQ(Describe({"node-3", {NodeRule::kNodeAffinity, "", 0, 0}}),
            "node-3 not selected by the pod's node selector or affinity");
  EXPECT_EQ(Describe({"node-7", {NodeRule::kResource, "nvidia.com/gpu", 8, 4}}),
            "node-7 short of nvidia.com/gpu: needs 8, free 4");
  EXPECT_EQ(Describe({"node-3", {NodeRule::kHostPort, "TCP/8080", 0, 0}}),
            "node-3 has host port TCP/8080 in use");
  EXPECT_EQ(Describe({"node-3", {NodeRule::kSiblings, "", 0, 0}}),
            "node-3 excluded by affinity or anti-affinity between members");
}

TEST(ExplainTest, AmountsAreWrittenAsKubernetesWritesThem) {
  const auto amounts = [](const std::string& resource, int64_t requested, int64_t free) {
    return Describe({"n", {NodeRule::kResource, resource, requested, free}});
  };
  EXPECT_EQ(amounts("cpu", 2000, 1500), "n short of cpu: needs 2, free 1500m");
  EXPECT_EQ(amounts("memory", int64_t{32} << 30, (int64_t{1} << 20) + 1024),
            "n short of memory: needs 32Gi, free 1025Ki");
  EXPECT_EQ(amounts("ephemeral-storage", 1025, 0),
            "n short of ephemeral-storage: needs 1025, free 0");
  EXPECT_EQ(amounts("hugepages-2Mi", 4 << 20, 2 << 20),
            "n short of hugepages-2Mi: needs 4Mi, free 2Mi");
  EXPECT_EQ(amounts("nvidia.com/gpu", 2048, 1024),
            "n short of nvidia.com/gpu: needs 2048, free 1024");
  EXPECT_EQ(amounts("pods", 1, 0), "n short of pods: needs 1, free 0");
}

TEST(ExplainDetailTest, MissingMembersAreCountedWithThoseThatDoNotCount) {
  Reason reason = Of(ReasonCode::kMembersMissing);
  reason.have = 3;
  reason.want = 4;
  const std::string words = "waiting for all PodGroup member templates for team/llama: ";
  EXPECT_EQ(DetailedText(reason), words + "3 of 4 members exist");
  reason.gated = 1;
  EXPECT_EQ(DetailedText(reason), words + "3 of 4 members exist, 1 gated");
  reason.other_schedulers = {{"default-scheduler", 1}};
  EXPECT_EQ(DetailedText(reason),
            words + "3 of 4 members exist, 1 gated, 1 names scheduler default-scheduler");
  reason.gated = 0;
  reason.other_schedulers = {{"", 2}, {"default-scheduler", 1}};
  EXPECT_EQ(DetailedText(reason),
            words +
                "3 of 4 members exist, 2 name scheduler \"\", 1 names scheduler "
                "default-scheduler")
      << "each with its own count";
}

TEST(ExplainDetailTest, LostMembersAreToldWithTheirNodesWhateverElseKeepsTheGang) {
  Reason reason = Of(ReasonCode::kMembersMissing);
  reason.have = 2;
  reason.want = 4;
  reason.lost = {{"node-3", 1}};
  const std::string words = "waiting for all PodGroup member templates for team/llama: ";
  EXPECT_EQ(DetailedText(reason), words + "2 of 4 members exist; 1 lost with node node-3");
  reason.lost = {{"node-3", 2}, {"node-7", 1}};
  EXPECT_EQ(DetailedText(reason),
            words + "2 of 4 members exist; 2 lost with node node-3, 1 lost with node node-7");
  reason.lost_more = 2;
  EXPECT_THAT(DetailedText(reason), ::testing::EndsWith(", and 2 more nodes"));
  EXPECT_EQ(Text(reason), "waiting for all PodGroup member templates for team/llama");
  Reason none;
  none.lost = {{"node-3", 1}};
  EXPECT_EQ(DetailedText(none), "1 lost with node node-3") << "nothing keeps the gang";
}

TEST(ExplainDetailTest, ALabelThatIsThereButEmptyIsNotSaidToBeMissing) {
  Reason reason = Of(ReasonCode::kNoDomainHasRoom);
  const std::string words = "no domain has room for gang team/llama: ";
  EXPECT_EQ(DetailedText(reason), words + "no node carries label ome.io/topology-key");
  reason.empty_labels = 1;
  EXPECT_EQ(DetailedText(reason),
            words +
                "label ome.io/topology-key is empty on 1 node, and no node carries a value of "
                "it");
}

TEST(ExplainDetailTest, ARoomThatWasNotCountedToTheEndIsSaidToBeTheLeast) {
  Reason reason = Of(ReasonCode::kNoDomainHasRoom);
  reason.domains = {{"rack-a", 4, 9, {}, 0}};
  const std::string words = "no domain has room for gang team/llama: ";
  EXPECT_EQ(DetailedText(reason), words + "domain rack-a: room for 4 of 9");
  reason.domains[0].at_least = true;
  EXPECT_EQ(DetailedText(reason), words + "domain rack-a: room for at least 4 of 9");
  reason.when_empty = true;
  EXPECT_EQ(DetailedText(reason),
            words + "largest domain rack-a has room for at least 4 of 9 when empty");
}

TEST(ExplainDetailTest, AMissingPodGroupIsToldWithThePodsThatNameIt) {
  Reason reason = Of(ReasonCode::kPodGroupNotResolvable);
  reason.have = 1;
  EXPECT_EQ(DetailedText(reason),
            "PodGroup team/llama not resolvable yet: 1 pod names it, but it does not exist");
  reason.have = 2;
  EXPECT_EQ(DetailedText(reason),
            "PodGroup team/llama not resolvable yet: 2 pods name it, but it does not exist");
}

TEST(ExplainDetailTest, AMinMemberThatIsAbsentIsToldFromOneThatIsZeroOrLess) {
  Reason reason = Of(ReasonCode::kMinMemberNotPositive);
  const std::string words = "PodGroup team/llama must declare a positive minMember: ";
  EXPECT_EQ(DetailedText(reason), words + "spec.minMember is 0, expected at least 1");
  reason.have = -3;
  EXPECT_EQ(DetailedText(reason), words + "spec.minMember is -3, expected at least 1");
  reason.min_member_absent = true;
  EXPECT_EQ(DetailedText(reason), words + "spec.minMember is absent, expected at least 1");
}

TEST(ExplainDetailTest, ADomainThatIsTooSmallNowNamesItsRoomAndItsNodes) {
  Reason reason = Of(ReasonCode::kNoDomainHasRoom);
  reason.domains = {{"rack-a",
                     6,
                     8,
                     {{"node-3", {NodeRule::kUnschedulable, "", 0, 0}},
                      {"node-7", {NodeRule::kResource, "nvidia.com/gpu", 8, 4}}},
                     0}};
  const std::string words = "no domain has room for gang team/llama: ";
  EXPECT_EQ(DetailedText(reason),
            words +
                "domain rack-a: room for 6 of 8 (node-3 cordoned, node-7 short of "
                "nvidia.com/gpu: needs 8, free 4)");
  reason.domains[0].nodes_more = 1;
  EXPECT_THAT(DetailedText(reason), HasSubstr("free 4, and 1 more node)"));
  reason.domains[0].nodes_more = 2;
  EXPECT_THAT(DetailedText(reason), HasSubstr("free 4, and 2 more nodes)"));
}

TEST(ExplainDetailTest, DomainsThatAreNotListedAreCounted) {
  Reason reason = Of(ReasonCode::kNoDomainHasRoom);
  reason.domains = {{"rack-a", 3, 4, {}, 0}, {"rack-b", 2, 4, {}, 0}};
  const std::string words =
      "no domain has room for gang team/llama: domain rack-a: room for 3 of 4; domain rack-b: "
      "room for 2 of 4";
  EXPECT_EQ(DetailedText(reason), words);
  reason.domains_more = 1;
  EXPECT_EQ(DetailedText(reason), words + "; and 1 more domain");
  reason.domains_more = 2;
  EXPECT_EQ(DetailedText(reason), words + "; and 2 more domains");
}

TEST(ExplainDetailTest, AGangThatNoEmptyDomainCouldHoldSaysSoWithTheLargestAlone) {
  Reason reason = Of(ReasonCode::kNoDomainHasRoom);
  reason.when_empty = true;
  reason.domains = {{"rack-a", 4, 6, {}, 0}};
  reason.domains_more = 2;
  EXPECT_EQ(DetailedText(reason),
            "no domain has room for gang team/llama: largest domain rack-a has room for 4 of 6 "
            "when empty");
  reason.domains[0].nodes = {{"node-3", {NodeRule::kUnschedulable, "", 0, 0}}};
  EXPECT_EQ(DetailedText(reason),
            "no domain has room for gang team/llama: largest domain rack-a has room for 4 of 6 "
            "when empty (node-3 cordoned)");
}

TEST(ExplainDetailTest, AKeyThatNoNodeCarriesIsNamed) {
  Reason reason = Of(ReasonCode::kNoDomainHasRoom);
  reason.topology_key = "rack";
  EXPECT_EQ(DetailedText(reason),
            "no domain has room for gang team/llama: no node carries label rack");
  reason.domains = {{"rack-a", 0, 2, {}, 0}};
  EXPECT_THAT(DetailedText(reason), Not(HasSubstr("no node carries")));
}

TEST(ExplainDetailTest, TheHoldersOfFittingDomainsAreNamed) {
  Reason reason = Of(ReasonCode::kEveryDomainReserved);
  reason.holders = {{"rack-a", "ns/other"}, {"rack-b", "ns/third", "zone-1"}};
  const std::string words =
      "no domain has room for gang team/llama: every fitting domain is reserved for a forming "
      "gang: rack-a held by ns/other; rack-b shares nodes with zone-1 held by ns/third";
  EXPECT_EQ(DetailedText(reason), words);
  reason.domains_more = 1;
  EXPECT_EQ(DetailedText(reason), words + "; and 1 more domain");
}

TEST(ExplainDetailTest, ASearchThatWasCutOffIsToldWithTheNameOfItsLimit) {
  Reason reason = Of(ReasonCode::kNoDomainHasRoom);
  reason.search_limit_reached = true;
  const std::string clause = "the search was cut off at packing_states_max, so a fit may exist";
  EXPECT_EQ(DetailedText(reason), "no domain has room for gang team/llama: " + clause);
  reason.domains = {{"rack-a", 3, 4, {}, 0}};
  EXPECT_EQ(DetailedText(reason),
            "no domain has room for gang team/llama: domain rack-a: room for 3 of 4; " + clause);
}

TEST(ExplainDetailTest, ANoteIsTheLastClause) {
  Reason reason = Of(ReasonCode::kMultipleDomains);
  reason.note = "team/llama-0 runs on node-1, which has no label rack";
  EXPECT_EQ(DetailedText(reason),
            "gang team/llama already has members in multiple topology domains: team/llama-0 runs "
            "on node-1, which has no label rack");
}

}  // namespace
}  // namespace gangpack
