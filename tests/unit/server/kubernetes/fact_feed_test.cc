#include "server/kubernetes/fact_feed.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Pod PodOn(const std::string& uid, const std::string& node) {
  Pod pod;
  pod.uid = {uid};
  pod.node_name = node;
  return pod;
}
Fact Changed(const std::string& uid, const std::string& node) {
  return PodChanged{PodOn(uid, node)};
}
Fact Gone(const std::string& uid) { return PodGone{{uid}}; }

// What was applied: "u@node", "-u" or "sync". Can be made to wait, with a batch in its hands.
class Engine final : public FactSink {
 public:
  void Apply(const std::vector<Fact>& facts) override {
    const MutexLock lock(&mutex_);
    ++entered_;
    changed_.SignalAll();
    changed_.Wait(&mutex_, [this] {
      mutex_.AssertHeld();
      return !blocked_;
    });
    largest_ = std::max(largest_, facts.size());
    for (const Fact& fact : facts) {
      if (const auto* changed = std::get_if<PodChanged>(&fact)) {
        applied_.push_back(absl::StrCat(changed->pod.uid.value, "@", changed->pod.node_name));
      } else if (const auto* gone = std::get_if<PodGone>(&fact)) {
        applied_.push_back("-" + gone->uid.value);
      } else {
        applied_.push_back("sync");
      }
    }
    changed_.SignalAll();
  }

  void SetBlocked(bool blocked) {
    const MutexLock lock(&mutex_);
    blocked_ = blocked;
    changed_.SignalAll();
  }
  // Until Apply was called so often.
  bool AwaitEntered(size_t times) {
    const MutexLock lock(&mutex_);
    return changed_.WaitFor(&mutex_, std::chrono::seconds(30), [&] {
      mutex_.AssertHeld();
      return entered_ >= times;
    });
  }
  std::vector<std::string> Applied(size_t count) {
    const MutexLock lock(&mutex_);
    changed_.WaitFor(&mutex_, std::chrono::seconds(30), [&] {
      mutex_.AssertHeld();
      return applied_.size() >= count;
    });
    return applied_;
  }
  size_t largest() {
    const MutexLock lock(&mutex_);
    return largest_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool blocked_ ABSL_GUARDED_BY(mutex_) = false;
  size_t entered_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t largest_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::string> applied_ ABSL_GUARDED_BY(mutex_);
};

class FactFeedTest : public testing::Test {
 protected:
  FactFeedTest() { feed_.Start(&engine_); }
  ~FactFeedTest() override {
    engine_.SetBlocked(false);
    feed_.Stop();
  }

  static bool Unknown() { return true; }

  Engine engine_;
  FactFeed feed_;
};

TEST_F(FactFeedTest, FactsAreAppliedInOrder) {
  feed_.Push({Changed("u", ""), Changed("u", "n1")});
  feed_.Push({Gone("u"), Synchronised{}});
  EXPECT_THAT(engine_.Applied(4), ElementsAre("u@", "u@n1", "-u", "sync"));
}

TEST_F(FactFeedTest, WhatComesMeanwhileIsTheNextBatchAndNoBatchIsAboveTheLimit) {
  engine_.SetBlocked(true);
  feed_.Push({Changed("first", "")});
  ASSERT_TRUE(engine_.AwaitEntered(1));
  for (size_t i = 0; i < FactFeed::kBatchMax + 1; ++i) feed_.Push({Changed("u", "")});
  engine_.SetBlocked(false);
  EXPECT_EQ(engine_.Applied(FactFeed::kBatchMax + 2).size(), FactFeed::kBatchMax + 2);
  EXPECT_EQ(engine_.largest(), FactFeed::kBatchMax);
  EXPECT_TRUE(engine_.AwaitEntered(3));
}

TEST_F(FactFeedTest, PushWaitsWhileTooMuchIsQueuedAndStopEndsThat) {
  engine_.SetBlocked(true);
  feed_.Push({Changed("first", "")});
  ASSERT_TRUE(engine_.AwaitEntered(1));
  feed_.Push(std::vector<Fact>(FactFeed::kQueuedMax, Changed("u", "")));
  std::thread pusher([this] { feed_.Push({Changed("late", "")}); });
  std::thread stopper([this] { feed_.Stop(); });
  pusher.join();
  engine_.SetBlocked(false);
  stopper.join();
  const std::vector<std::string> applied = engine_.Applied(1);
  EXPECT_EQ(std::count(applied.begin(), applied.end(), "late@"), 0);
}

TEST_F(FactFeedTest, ThePodOfACallIsTakenIn) {
  EXPECT_TRUE(feed_.Offer(PodOn("u", ""), &Unknown));
  EXPECT_THAT(engine_.Applied(1), ElementsAre("u@"));
}

TEST_F(FactFeedTest, ThePodOfACallIsLeftWhereTheEngineKnowsItByNow) {
  EXPECT_FALSE(feed_.Offer(PodOn("u", ""), [] { return false; }));
  EXPECT_THAT(engine_.Applied(0), IsEmpty());
  EXPECT_TRUE(feed_.Offer(PodOn("u", ""), &Unknown)) << "it may be offered again";
}

TEST_F(FactFeedTest, APodThatTheWatchHasSeenGoStaysGone) {
  feed_.Push({Changed("u", ""), Gone("u")});
  ASSERT_EQ(engine_.Applied(2).size(), 2u);
  EXPECT_FALSE(feed_.Offer(PodOn("u", ""), &Unknown));
  EXPECT_THAT(engine_.Applied(2), ElementsAre("u@", "-u"));
}

TEST_F(FactFeedTest, ThePodOfACallIsLeftWhileTheWatchIsTellingOfIt) {
  engine_.SetBlocked(true);
  feed_.Push({Changed("u", "n1")});
  ASSERT_TRUE(engine_.AwaitEntered(1));
  EXPECT_FALSE(feed_.Offer(PodOn("u", ""), &Unknown));
  engine_.SetBlocked(false);
  EXPECT_THAT(engine_.Applied(1), ElementsAre("u@n1"));
}

TEST_F(FactFeedTest, WhatTheWatchTellsDuringAnOfferIsTheLastWord) {
  const auto told_meanwhile = [this] {
    feed_.Push({Changed("u", "n1"), Gone("u")});
    EXPECT_EQ(engine_.Applied(2).size(), 2u);
    return true;
  };
  EXPECT_TRUE(feed_.Offer(PodOn("u", ""), told_meanwhile));
  EXPECT_THAT(engine_.Applied(4), ElementsAre("u@n1", "-u", "u@", "-u"));
}

TEST_F(FactFeedTest, RememberingWhatIsGoneIsBounded) {
  std::vector<Fact> facts;
  for (size_t i = 0; i <= FactFeed::kGoneMax; ++i) facts.push_back(Gone(absl::StrCat("u", i)));
  const size_t count = facts.size();
  feed_.Push(std::move(facts));
  ASSERT_EQ(engine_.Applied(count).size(), count);
  EXPECT_FALSE(feed_.Offer(PodOn("u1", ""), &Unknown));
  EXPECT_TRUE(feed_.Offer(PodOn("u0", ""), &Unknown)) << "the oldest is forgotten";
}

}  // namespace
}  // namespace gangpack::server
