#include "k8s/reflector.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::Duration kShort = absl::Milliseconds(100);  // Less than short_watch.

ApiRecord Record(const std::string& name, const std::string& version) {
  ApiRecord record;
  record.identity = {"", name, absl::StrCat("uid-", name)};
  record.resource_version = version;
  DecodedNamespace decoded;
  decoded.object.name = name;
  record.object = decoded;
  return record;
}

ApiFailure Failure(int code) {
  ApiFailure failure;
  failure.code = code;
  failure.message = "m";
  return failure;
}

class ReflectorTest : public testing::Test {
 protected:
  ReflectorTest() : reflector_(Options(/*absent_is_empty=*/true)) {}

  static ReflectorOptions Options(bool absent_is_empty) {
    ReflectorOptions options;
    options.type = ResourceType::kNamespaces;
    options.absent_is_empty = absent_is_empty;
    options.watch_timeout = absl::Seconds(300);
    options.absent_retry = absl::Seconds(10);
    options.short_watch = absl::Seconds(1);
    options.backoff = {absl::Seconds(2), absl::Seconds(60), absl::Seconds(30)};
    return options;
  }

  // What is to be done next, as text; then the changes, then `synced`.
  std::vector<std::string> Step(ReflectorInput input, int jitter_permille = 0) {
    output_ = reflector_.Step(std::move(input), {now_, jitter_permille});
    std::vector<std::string> told = {NextText()};
    for (const ObjectChange& change : output_.changes) {
      if (const auto* upserted = std::get_if<ObjectUpserted>(&change)) {
        told.push_back("+" + std::get<DecodedNamespace>(upserted->object).object.name);
      } else {
        told.push_back("-" + std::get<ObjectGone>(change).identity.name);
      }
    }
    if (output_.synchronised) told.push_back("synced");
    return told;
  }
  std::string NextText() const {
    if (!output_.next.has_value()) return "read on";
    if (const auto* list = std::get_if<ListRequest>(&*output_.next)) {
      return absl::StrCat("list ", list->limit, " ", list->continue_token);
    }
    if (const auto* watch = std::get_if<WatchRequest>(&*output_.next)) {
      return absl::StrCat("watch ", watch->resource_version);
    }
    return absl::StrCat("wait ",
                        absl::FormatDuration(std::get<WaitRequest>(*output_.next).until - now_));
  }

  std::vector<std::string> Page(std::vector<ApiRecord> records, const std::string& version,
                                const std::string& token = "") {
    return Step(ListPage{std::move(records), version, token});
  }
  std::vector<std::string> Event(WatchEvent::Kind kind, ApiRecord record) {
    return Step(WatchEvent{kind, std::move(record), {}});
  }
  std::vector<std::string> Bookmark(const std::string& version) {
    ApiRecord record;
    record.resource_version = version;
    return Event(WatchEvent::Kind::kBookmark, record);
  }
  std::vector<std::string> Fail(int code) { return Step(RequestFailed{Failure(code)}); }
  std::vector<std::string> End(StreamEnded::Cause cause) { return Step(StreamEnded{cause, "m"}); }

  // Lists a and b at version 10, and opens the watch.
  void Watch() {
    Step(WaitEnded{});
    Page({Record("a", "1"), Record("b", "2")}, "10");
    Step(StreamOpened{});
  }

  Reflector reflector_;
  absl::Time now_ = absl::UnixEpoch();
  ReflectorOutput output_;
};

TEST_F(ReflectorTest, AListComesInPagesAndTheWatchBeginsAtItsVersion) {
  EXPECT_THAT(Step(WaitEnded{}), ElementsAre("list 500 "));
  EXPECT_FALSE(reflector_.synchronised());
  EXPECT_THAT(Page({Record("a", "1")}, "10", "t1"), ElementsAre("list 500 t1", "+a"));
  EXPECT_THAT(Page({Record("b", "2")}, "10", "t2"), ElementsAre("list 500 t2", "+b"));
  EXPECT_FALSE(reflector_.synchronised());
  EXPECT_THAT(Page({}, "10"), ElementsAre("watch 10", "synced"));
  EXPECT_TRUE(reflector_.synchronised());
  EXPECT_EQ(reflector_.objects(), 2u);
}

TEST_F(ReflectorTest, AnEmptyListIsSynchronised) {
  Step(WaitEnded{});
  EXPECT_THAT(Page({}, "3"), ElementsAre("watch 3", "synced"));
}

TEST_F(ReflectorTest, AWatchLastsBetweenItsTimeoutAndTwiceThat) {
  Step(WaitEnded{});
  Page({}, "3");
  EXPECT_EQ(std::get<WatchRequest>(*output_.next).timeout, absl::Seconds(300));
  now_ += absl::Seconds(300);
  Step(StreamEnded{}, /*jitter_permille=*/1000);
  EXPECT_EQ(std::get<WatchRequest>(*output_.next).timeout, absl::Seconds(600));
}

TEST_F(ReflectorTest, EventsAreChangesInTheirOrder) {
  Watch();
  EXPECT_THAT(Event(WatchEvent::Kind::kAdded, Record("c", "11")), ElementsAre("read on", "+c"));
  EXPECT_THAT(Event(WatchEvent::Kind::kModified, Record("a", "12")), ElementsAre("read on", "+a"));
  EXPECT_THAT(Event(WatchEvent::Kind::kDeleted, Record("b", "13")), ElementsAre("read on", "-b"));
  EXPECT_EQ(reflector_.objects(), 2u);
}

TEST_F(ReflectorTest, EventsNotNewerThanWhatWasSeenChangeNothing) {
  Watch();
  EXPECT_THAT(Event(WatchEvent::Kind::kAdded, Record("c", "10")), ElementsAre("read on"));
  Event(WatchEvent::Kind::kAdded, Record("c", "11"));
  Event(WatchEvent::Kind::kDeleted, Record("c", "12"));
  EXPECT_THAT(Event(WatchEvent::Kind::kAdded, Record("c", "11")), ElementsAre("read on"));
  EXPECT_THAT(Event(WatchEvent::Kind::kAdded, Record("c", "13")), ElementsAre("read on", "+c"));
}

TEST_F(ReflectorTest, AWatchThatEndsInOrderResumesAtTheNewestVersion) {
  Watch();
  Event(WatchEvent::Kind::kAdded, Record("c", "11"));
  EXPECT_THAT(End(StreamEnded::Cause::kComplete), ElementsAre("watch 11"));
  EXPECT_THAT(Bookmark("40"), ElementsAre("read on"));
  EXPECT_THAT(End(StreamEnded::Cause::kComplete), ElementsAre("watch 40"));
}

TEST_F(ReflectorTest, AWatchThatEndsQuietlyResumesAtOnceUnlessItWasShort) {
  Watch();
  now_ += absl::Seconds(1);
  EXPECT_THAT(End(StreamEnded::Cause::kComplete), ElementsAre("watch 10"));
  now_ += absl::Seconds(1) - absl::Nanoseconds(1);
  EXPECT_THAT(End(StreamEnded::Cause::kComplete), ElementsAre("wait 1s"));
  EXPECT_THAT(Step(WaitEnded{}), ElementsAre("watch 10"));
}

TEST_F(ReflectorTest, ABrokenWatchResumesAfterADelay) {
  Watch();
  EXPECT_THAT(End(StreamEnded::Cause::kBroken), ElementsAre("wait 1s"));
  EXPECT_THAT(output_.reports, ElementsAre("watch of namespaces: m"));
  EXPECT_EQ(reflector_.trouble().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(Step(WaitEnded{}), ElementsAre("watch 10"));
  EXPECT_THAT(Step(StreamOpened{}), ElementsAre("read on"));
  EXPECT_TRUE(reflector_.trouble().ok());
}

TEST_F(ReflectorTest, DelaysGrowUntilAWatchShowsSomethingOrLasts) {
  Watch();
  EXPECT_THAT(End(StreamEnded::Cause::kBroken), ElementsAre("wait 1s"));
  Step(WaitEnded{});
  EXPECT_THAT(End(StreamEnded::Cause::kBroken), ElementsAre("wait 2s"));
  Step(WaitEnded{});
  Bookmark("11");
  EXPECT_THAT(End(StreamEnded::Cause::kBroken), ElementsAre("wait 1s"));
  Step(WaitEnded{});
  now_ += absl::Seconds(30) - absl::Nanoseconds(1);
  EXPECT_THAT(End(StreamEnded::Cause::kBroken), ElementsAre("wait 2s"));
  Step(WaitEnded{});
  now_ += absl::Seconds(30);
  EXPECT_THAT(End(StreamEnded::Cause::kBroken), ElementsAre("wait 1s"));
}

TEST_F(ReflectorTest, AListAloneDoesNotEndARowOfFailures) {
  Watch();
  End(StreamEnded::Cause::kUnreadable);
  Step(WaitEnded{});
  EXPECT_THAT(Page({}, "10"), ElementsAre("watch 10", "-a", "-b"));
  EXPECT_THAT(End(StreamEnded::Cause::kUnreadable), ElementsAre("wait 2s"));
}

TEST_F(ReflectorTest, AnUnreadableStreamIsFollowedByAList) {
  Watch();
  EXPECT_THAT(End(StreamEnded::Cause::kUnreadable), ElementsAre("wait 1s"));
  EXPECT_EQ(reflector_.trouble().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(Step(WaitEnded{}), ElementsAre("list 500 "));
}

TEST_F(ReflectorTest, AnExpiredWatchIsFollowedByAListAndItsDifferences) {
  Watch();
  now_ += absl::Seconds(1);
  EXPECT_THAT(Fail(410), ElementsAre("list 500 "));
  EXPECT_THAT(output_.reports, IsEmpty());
  EXPECT_THAT(Page({Record("b", "2"), Record("c", "30")}, "40"),
              ElementsAre("watch 40", "+c", "-a"));
  EXPECT_EQ(reflector_.lists_begun(), 2);
}

TEST_F(ReflectorTest, AnExpiredWatchThatWasShortIsFollowedByADelay) {
  Watch();
  now_ += kShort;
  EXPECT_THAT(Fail(410), ElementsAre("wait 1s"));
  EXPECT_THAT(Step(WaitEnded{}), ElementsAre("list 500 "));
}

TEST_F(ReflectorTest, AnErrorInsideTheStreamCountsLikeARefusal) {
  Watch();
  Event(WatchEvent::Kind::kAdded, Record("c", "11"));
  EXPECT_THAT(Step(WatchEvent{WatchEvent::Kind::kError, {}, Failure(410)}),
              ElementsAre("list 500 "));
  Page({}, "12");
  EXPECT_THAT(Step(WatchEvent{WatchEvent::Kind::kError, {}, Failure(500)}), ElementsAre("wait 1s"));
  EXPECT_THAT(Step(WaitEnded{}), ElementsAre("watch 12"));
}

TEST_F(ReflectorTest, AVersionThatIsRefusedOrNotReachedIsFollowedByAList) {
  for (const int code : {400, 404, 504}) {
    Reflector fresh(Options(true));
    std::swap(reflector_, fresh);
    Watch();
    ApiFailure failure = Failure(code);
    failure.resource_version_too_large = code == 504;
    Step(RequestFailed{failure});
    EXPECT_THAT(Step(WaitEnded{}), ElementsAre("list 500 ")) << code;
  }
}

TEST_F(ReflectorTest, OtherRefusalsOfAWatchAreToldAndItResumes) {
  for (const int code : {0, 401, 403, 429, 500, 503, 504}) {
    Reflector fresh(Options(true));
    std::swap(reflector_, fresh);
    Watch();
    EXPECT_THAT(Fail(code), ElementsAre("wait 1s")) << code;
    EXPECT_THAT(output_.reports, ElementsAre(HasSubstr("watch of namespaces: m"))) << code;
    EXPECT_THAT(Step(WaitEnded{}), ElementsAre("watch 10")) << code;
    EXPECT_EQ(reflector_.objects(), 2u) << code;
  }
}

TEST_F(ReflectorTest, RetryAfterIsTheLeastDelay) {
  Step(WaitEnded{});
  ApiFailure failure = Failure(429);
  failure.retry_after = absl::Seconds(7);
  EXPECT_THAT(Step(RequestFailed{failure}), ElementsAre("wait 7s"));
  failure.retry_after = absl::Seconds(1);
  EXPECT_THAT(Step(RequestFailed{failure}), ElementsAre("wait 2s"));
}

TEST_F(ReflectorTest, APageThatFailsIsAskedForAgain) {
  Step(WaitEnded{});
  Page({Record("a", "1")}, "10", "t1");
  EXPECT_THAT(Fail(503), ElementsAre("wait 1s"));
  EXPECT_THAT(Step(WaitEnded{}), ElementsAre("list 500 t1"));
  EXPECT_THAT(Page({Record("b", "1")}, "10"), ElementsAre("watch 10", "+b", "synced"));
}

TEST_F(ReflectorTest, AnExpiredTokenStartsTheListOver) {
  for (const int code : {400, 410}) {
    Reflector fresh(Options(true));
    std::swap(reflector_, fresh);
    Step(WaitEnded{});
    Page({Record("a", "1"), Record("b", "2")}, "10", "t1");
    EXPECT_THAT(Fail(code), ElementsAre("wait 1s"));
    EXPECT_THAT(Step(WaitEnded{}), ElementsAre("list 500 "));
    EXPECT_THAT(Page({Record("b", "2"), Record("c", "20")}, "30"),
                ElementsAre("watch 30", "+c", "-a", "synced"));
  }
}

TEST_F(ReflectorTest, AKindThatIsNotServedIsEmptyAndAskedForAgain) {
  Step(WaitEnded{});
  EXPECT_THAT(Fail(404), ElementsAre("wait 10s", "synced"));
  EXPECT_TRUE(reflector_.absent());
  EXPECT_TRUE(reflector_.trouble().ok());
  Step(WaitEnded{});
  EXPECT_THAT(Step(RequestFailed{Failure(404)}, /*jitter_permille=*/1000), ElementsAre("wait 20s"));
  EXPECT_THAT(output_.reports, IsEmpty());
}

TEST_F(ReflectorTest, AKindThatIsServedLateIsListed) {
  Step(WaitEnded{});
  Fail(404);
  EXPECT_THAT(Step(WaitEnded{}), ElementsAre("list 500 "));
  EXPECT_THAT(Page({Record("a", "1")}, "10"), ElementsAre("watch 10", "+a"));
  EXPECT_FALSE(reflector_.absent());
}

TEST_F(ReflectorTest, AKindThatGoesAwayLeavesNothing) {
  Watch();
  now_ += absl::Seconds(1);
  EXPECT_THAT(Fail(404), ElementsAre("list 500 "));
  EXPECT_THAT(Fail(404), ElementsAre("wait 10s", "-a", "-b"));
  EXPECT_TRUE(reflector_.absent());
  EXPECT_EQ(reflector_.objects(), 0u);
}

TEST_F(ReflectorTest, NotFoundIsAnErrorForAKindThatIsAlwaysServed) {
  reflector_ = Reflector(Options(/*absent_is_empty=*/false));
  Step(WaitEnded{});
  EXPECT_THAT(Fail(404), ElementsAre("wait 1s"));
  EXPECT_FALSE(reflector_.synchronised());
  EXPECT_EQ(reflector_.trouble().code(), absl::StatusCode::kNotFound);
}

TEST_F(ReflectorTest, ForbiddenIsNotEmpty) {
  Step(WaitEnded{});
  EXPECT_THAT(Fail(403), ElementsAre("wait 1s"));
  EXPECT_FALSE(reflector_.synchronised());
  EXPECT_EQ(reflector_.trouble().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(output_.reports, ElementsAre("list of namespaces: m (HTTP 403)"));
}

TEST_F(ReflectorTest, TheSameTroubleIsToldOnceUntilItEnds) {
  Step(WaitEnded{});
  Fail(503);
  EXPECT_EQ(output_.reports.size(), 1u);
  Step(WaitEnded{});
  Fail(503);
  EXPECT_THAT(output_.reports, IsEmpty());
  Step(WaitEnded{});
  Fail(403);
  EXPECT_EQ(output_.reports.size(), 1u);
  Step(WaitEnded{});
  Page({}, "1");
  Fail(403);
  EXPECT_EQ(output_.reports.size(), 1u);
}

TEST_F(ReflectorTest, AnObjectThatCannotBeUsedIsToldAndTheStreamGoesOn) {
  Watch();
  ApiRecord unusable = Record("a", "11");
  unusable.object = std::nullopt;
  unusable.fault = "namespaces a: bad";
  EXPECT_THAT(Event(WatchEvent::Kind::kModified, unusable), ElementsAre("read on"));
  EXPECT_THAT(output_.reports, ElementsAre("namespaces a: bad; its former state stays"));
  unusable.resource_version = "12";
  EXPECT_THAT(Event(WatchEvent::Kind::kDeleted, unusable), ElementsAre("read on", "-a"));
}

TEST_F(ReflectorTest, LastContactIsWhenTheServerLastToldSomething) {
  EXPECT_EQ(reflector_.last_contact(), absl::InfinitePast());
  Step(WaitEnded{});
  Fail(403);
  EXPECT_EQ(reflector_.last_contact(), absl::InfinitePast());
  Watch();
  now_ += absl::Seconds(5);
  const absl::Time told = now_;
  Bookmark("11");
  now_ += absl::Seconds(5);
  End(StreamEnded::Cause::kBroken);
  EXPECT_EQ(reflector_.last_contact(), told);
}

}  // namespace
}  // namespace gangpack::k8s
