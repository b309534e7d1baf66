#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/pod_rules.h"
#include "tests/unit/core/random_pod_rules.h"
#include "tests/unit/core/reference_pod_rules.h"

namespace gangpack {
namespace {

constexpr int kSeedsPerShard = 5'000;
constexpr int kSteps = 10;

std::string Show(const std::optional<PodRuleRejection>& rejection) {
  if (!rejection.has_value()) return "allowed";
  return std::to_string(static_cast<int>(rejection->rule)) + " " + rejection->key + "=" +
         rejection->value + " " + (rejection->pod.has_value() ? rejection->pod->ToString() : "") +
         " " + std::to_string(rejection->count) + " " + std::to_string(rejection->least);
}

using Answers = std::map<std::string, int>;  // how often each rule, or none, was the answer

// Whether everything is answered as by the plain loops.
bool AllAgree(const RandomPodRules& random, uint64_t seed, int step, Answers* answers) {
  for (const auto& [uid, placed] : random.cluster().pods) {
    const PreparedPod prepared = random.rules().Prepare({uid});
    for (NodeIndex node = 0; node < RandomPodRules::kNodes; ++node) {
      const auto expected = random.cluster().Check(uid, node);
      const auto actual = prepared.Check(node);
      ++(*answers)[expected.has_value() ? std::to_string(static_cast<int>(expected->rule)) : "-"];
      if (expected == actual && prepared.Allows(node) == !expected.has_value()) continue;
      ADD_FAILURE() << "seed " << seed << " step " << step << " " << uid << " node " << node
                    << ": expected " << Show(expected) << ", was " << Show(actual);
      return false;
    }
  }
  return true;
}

void RunSeeds(uint64_t first) {
  Answers answers;
  for (uint64_t seed = first; seed < first + kSeedsPerShard; ++seed) {
    RandomPodRules random(seed);
    for (int step = 0; step < kSteps; ++step) {
      if (!AllAgree(random, seed, step, &answers)) return;
      random.Step();
    }
  }
  EXPECT_EQ(answers.size(), 7);  // each of the six rules, and none
  for (const auto& [answer, count] : answers) EXPECT_GT(count, 5'000) << answer;
}

TEST(PodRulesRandomTest, EveryNodeIsAnsweredAsByPlainLoopsOverAllPods1) { RunSeeds(1); }
TEST(PodRulesRandomTest, EveryNodeIsAnsweredAsByPlainLoopsOverAllPods2) { RunSeeds(10'001); }
TEST(PodRulesRandomTest, EveryNodeIsAnsweredAsByPlainLoopsOverAllPods3) { RunSeeds(20'001); }
TEST(PodRulesRandomTest, EveryNodeIsAnsweredAsByPlainLoopsOverAllPods4) { RunSeeds(30'001); }

// An answer that was kept, and is dropped where the watch says that it may be stale.
class KeptAnswers {
 public:
  KeptAnswers(const PodRules& rules, const std::string& uid) : uid_(uid) { Take(rules); }

  void CatchUp(const PodRules& rules, const RandomPodRules::Change& change) {
    const RuleStaleness staleness = rules.CatchUp(&watch_);
    if (staleness.everything || change.uid == uid_) {
      Take(rules);
      return;
    }
    const PreparedPod prepared = rules.Prepare({uid_});
    for (NodeIndex node = 0; node < RandomPodRules::kNodes; ++node) {
      bool stale = node == change.node;
      for (const RuleChange& c : staleness.changes) {
        stale = stale || rules.values().ValueOf(c.key, node) == c.value;
      }
      if (stale) {
        allowed_[node] = prepared.Allows(node);
      } else {
        ++kept_;
      }
    }
  }

  bool Agrees(const PodRules& rules) const {
    const PreparedPod prepared = rules.Prepare({uid_});
    for (const auto& [node, allowed] : allowed_) {
      if (prepared.Allows(node) != allowed) return false;
    }
    return true;
  }

  int kept() const { return kept_; }

 private:
  void Take(const PodRules& rules) {
    const PodUid uid{uid_};
    watch_ = rules.Watch({&uid, 1});
    const PreparedPod prepared = rules.Prepare(uid);
    for (NodeIndex node = 0; node < RandomPodRules::kNodes; ++node) {
      allowed_[node] = prepared.Allows(node);
    }
  }

  std::string uid_;
  RuleWatch watch_;
  std::map<NodeIndex, bool> allowed_;
  int kept_ = 0;
};

TEST(PodRulesRandomTest, AnAnswerThatNoChangeConcernsStays) {
  int64_t kept = 0;
  for (uint64_t seed = 50'000; seed < 60'000; ++seed) {
    RandomPodRules random(seed);
    if (random.cluster().pods.empty()) continue;
    const std::string uid = random.cluster().pods.begin()->first;
    KeptAnswers answers(random.rules(), uid);
    for (int step = 0; step < 15; ++step) {
      const RandomPodRules::Change change = random.Step();
      if (random.cluster().pods.count(uid) == 0) break;
      // The watch is for pods that wait: where the pod itself is placed does not matter to it.
      if (random.cluster().pods.at(uid).node != kNoNode) break;
      answers.CatchUp(random.rules(), change);
      ASSERT_TRUE(answers.Agrees(random.rules())) << "seed " << seed << " step " << step;
    }
    kept += answers.kept();
  }
  // Most answers stay: the log does not simply call everything stale.
  EXPECT_GT(kept, 100'000);
}

}  // namespace
}  // namespace gangpack
