// A reflector against a server that changes, compacts and fails at random. Once that stops, what
// was reflected must be what the server has.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "k8s/list_page.h"
#include "k8s/reflector.h"
#include "k8s/watch_decoder.h"
#include "tests/support/prng.h"
#include "tests/unit/k8s/fake_api_server.h"

namespace gangpack::k8s {
namespace {

constexpr int kSeeds = 3000;
constexpr int kRandomSteps = 250;
constexpr int kQuietSteps = 400;
constexpr absl::Duration kLongestSettling = absl::Seconds(90);

ReflectorOptions Options() {
  ReflectorOptions options;
  options.type = ResourceType::kNamespaces;
  options.absent_is_empty = true;
  options.page_limit = 3;
  return options;
}

class World {
 public:
  explicit World(uint64_t seed) : random_(seed), reflector_(Options()) { Feed(WaitEnded{}); }

  void RandomStep() {
    if (random_.Chance(40)) ChangeServer();
    Advance(/*with_faults=*/true);
  }

  // True once the watch is open and has nothing more to say, or the kind is absent.
  bool QuietStep() {
    if (!server_.served() && reflector_.absent() && reflector_.trouble().ok()) return true;
    if (watching_ && unread_.empty() && sent_version_ == server_.version()) {
      if (server_.served()) return true;
      EndStream(StreamEnded::Cause::kComplete);
    }
    Advance(/*with_faults=*/false);
    return false;
  }

  void CheckReflectsTheServer() const {
    EXPECT_TRUE(reflector_.synchronised());
    EXPECT_EQ(reflector_.absent(), !server_.served());
    EXPECT_TRUE(reflector_.trouble().ok()) << reflector_.trouble();
    EXPECT_EQ(reflector_.objects(), server_.objects().size());
    for (const auto& [name, object] : server_.objects()) {
      const auto it = reflected_.find(name);
      // What cannot be decoded keeps a former state of the same object, or is left out.
      if (object.unusable && it == reflected_.end()) continue;
      ASSERT_NE(it, reflected_.end()) << name;
      EXPECT_EQ(it->second.uid, object.uid) << name;
      if (object.unusable) {
        EXPECT_LT(it->second.version, object.version) << name;
      } else {
        EXPECT_EQ(it->second.version, object.version) << name;
      }
    }
    for (const auto& [name, reflected] : reflected_) {
      EXPECT_EQ(server_.objects().count(name), 1u) << name << " is gone";
    }
  }

  absl::Time now() const { return now_; }

 private:
  struct Reflected {
    std::string uid;
    int64_t version = 0;
  };

  void ChangeServer() {
    const std::string name = absl::StrCat("n", random_.Between(0, 11));
    const int what = random_.Between(0, 99);
    if (what < 60) {
      server_.Put(name, /*unusable=*/random_.Chance(10));
    } else if (what < 90) {
      server_.Remove(name);
      if (random_.Chance(40)) server_.Put(name, false);
    } else if (what < 96) {
      server_.Compact();
    } else {
      server_.SetServed(!server_.served());
      if (!server_.served() && watching_ && random_.Chance(50))
        EndStream(StreamEnded::Cause::kBroken);
    }
  }

  void Advance(bool with_faults) {
    now_ += absl::Milliseconds(random_.Between(1, 400));
    if (watching_) {
      ReadWatch(with_faults);
    } else if (const auto* wait = std::get_if<WaitRequest>(&request_)) {
      now_ = std::max(now_, wait->until);
      Feed(WaitEnded{});
    } else if (with_faults && random_.Chance(20)) {
      Feed(RequestFailed{RandomFailure()});
    } else if (const auto* list = std::get_if<ListRequest>(&request_)) {
      AnswerList(*list);
    } else {
      AnswerWatch(std::get<WatchRequest>(request_));
    }
  }

  ApiFailure RandomFailure() {
    static constexpr int kCodes[] = {0, 400, 401, 403, 404, 410, 429, 500, 503, 504};
    ApiFailure failure;
    failure.code = kCodes[random_.Between(0, 9)];
    if (random_.Chance(20)) failure.retry_after = absl::Seconds(random_.Between(1, 5));
    failure.resource_version_too_large = random_.Chance(5);
    return failure;
  }

  void AnswerList(const ListRequest& list) {
    const FakeApiServer::Answer answer = server_.List(list.limit, list.continue_token);
    if (answer.code != 200) {
      Feed(RequestFailed{DecodeRefusedAnswer({answer.code, answer.body, {}})});
      return;
    }
    absl::StatusOr<ListPage> page = DecodeListPage(ResourceType::kNamespaces, answer.body);
    ASSERT_TRUE(page.ok()) << page.status();
    Feed(*std::move(page));
  }

  void AnswerWatch(const WatchRequest& watch) {
    const FakeApiServer::Answer answer = server_.StartWatch(watch.resource_version);
    if (answer.code != 200) {
      Feed(RequestFailed{DecodeRefusedAnswer({answer.code, answer.body, {}})});
      return;
    }
    watching_ = true;
    unread_.clear();
    sent_version_ = std::stoll(watch.resource_version);
    decoder_.emplace(ResourceType::kNamespaces);
    Feed(StreamOpened{});
  }

  void ReadWatch(bool with_faults) {
    if (server_.served() && server_.StartWatch(absl::StrCat(sent_version_)).code == 410) {
      // The history between what was sent and now is lost.
      unread_ +=
          absl::StrCat(R"({"type":"ERROR","object":)", FakeApiServer::ExpiredStatus(), "}\n");
      Deliver(unread_);
      return;
    }
    for (const std::string& frame : server_.FramesAfter(sent_version_)) {
      unread_ += frame;
      if (with_faults && random_.Chance(10)) unread_ += frame;  // Repeated.
      if (with_faults && random_.Chance(5)) unread_ += server_.FramesAfter(0).front();
    }
    sent_version_ = server_.version();
    if (random_.Chance(10)) unread_ += server_.BookmarkFrame();
    if (with_faults && random_.Chance(3)) {
      unread_ +=
          absl::StrCat(R"({"type":"ERROR","object":)", FakeApiServer::ExpiredStatus(), "}\n");
    }
    if (with_faults && random_.Chance(2)) unread_ += "no event\n";
    const size_t size = static_cast<size_t>(random_.Between(0, 300));
    if (!Deliver(unread_.substr(0, size))) return;
    unread_.erase(0, size);
    if (with_faults && random_.Chance(10)) {
      EndStream(unread_.empty() ? StreamEnded::Cause::kComplete : StreamEnded::Cause::kBroken);
    }
  }

  // False once the stream is over.
  bool Deliver(const std::string& bytes) {
    decoder_->Append(bytes);
    while (true) {
      absl::StatusOr<std::optional<WatchEvent>> event = decoder_->Next();
      if (!event.ok()) {
        EndStream(StreamEnded::Cause::kUnreadable);
        return false;
      }
      if (!event->has_value()) return true;
      Feed(**std::move(event));
      if (!watching_) return false;
    }
  }

  void EndStream(StreamEnded::Cause cause) {
    watching_ = false;
    Feed(StreamEnded{cause, "ended"});
  }

  void Feed(ReflectorInput input) {
    ReflectorOutput output = reflector_.Step(std::move(input), {now_, random_.Between(0, 1000)});
    for (const ObjectChange& change : output.changes) Apply(change);
    if (output.next.has_value()) {
      request_ = *output.next;
      watching_ = false;
    }
  }

  void Apply(const ObjectChange& change) {
    if (const auto* gone = std::get_if<ObjectGone>(&change)) {
      const auto it = reflected_.find(gone->identity.name);
      ASSERT_NE(it, reflected_.end()) << gone->identity.name << " was not there";
      ASSERT_EQ(it->second.uid, gone->identity.uid);
      reflected_.erase(it);
      return;
    }
    const auto& decoded = std::get<DecodedNamespace>(std::get<ObjectUpserted>(change).object);
    const auto it = reflected_.find(decoded.object.name);
    if (it != reflected_.end()) {
      ASSERT_EQ(it->second.uid, decoded.uid) << "the object before it is not told as gone";
    }
    reflected_[decoded.object.name] = {decoded.uid, std::stoll(decoded.resource_version)};
  }

  Prng random_;
  FakeApiServer server_;
  Reflector reflector_;
  absl::Time now_ = absl::UnixEpoch();
  ReflectorRequest request_;
  std::map<std::string, Reflected> reflected_;

  // Of the watch that is open.
  bool watching_ = false;
  std::string unread_;
  int64_t sent_version_ = 0;
  std::optional<WatchDecoder> decoder_;
};

TEST(ReflectorRandomTest, AfterAnyFaultsTheReflectedSetIsTheServers) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    World world(seed);
    for (int step = 0; step < kRandomSteps; ++step) world.RandomStep();
    const absl::Time faults_end = world.now();
    int steps = 0;
    while (!world.QuietStep() && steps < kQuietSteps) ++steps;
    ASSERT_LT(steps, kQuietSteps) << "it does not settle";
    EXPECT_LT(world.now() - faults_end, kLongestSettling);
    world.CheckReflectsTheServer();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace gangpack::k8s
