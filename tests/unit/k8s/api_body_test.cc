#include "k8s/api_body.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

const absl::Time kTime = absl::UnixEpoch() + absl::Microseconds(1'000'250);

TEST(ApiBodyTest, ABindingNamesThePodByItsUid) {
  EXPECT_EQ(BindingBody({{"ns", "pod", "uid"}, "node"}),
            R"({"apiVersion":"v1","kind":"Binding",)"
            R"("metadata":{"name":"pod","namespace":"ns","uid":"uid"},)"
            R"("target":{"apiVersion":"v1","kind":"Node","name":"node"}})");
}

TEST(ApiBodyTest, AnAnnotationIsSetOrRemovedForTheUidAlone) {
  EXPECT_EQ(AnnotationPatch({"ns", "pod", "uid"}, {"a/b", "q\"\n"}),
            R"({"metadata":{"uid":"uid","annotations":{"a/b":"q\"\n"}}})");
  EXPECT_EQ(AnnotationPatch({"ns", "pod", "uid"}, {"a/b", {}}),
            R"({"metadata":{"uid":"uid","annotations":{"a/b":null}}})");
}

TEST(ApiBodyTest, ANominationIsSetOrCleared) {
  EXPECT_EQ(NominationPatch({{"ns", "pod", "uid"}, "node"}),
            R"({"metadata":{"uid":"uid"},"status":{"nominatedNodeName":"node"}})");
  EXPECT_EQ(NominationPatch({{"ns", "pod", "uid"}, ""}),
            R"({"metadata":{"uid":"uid"},"status":{"nominatedNodeName":null}})");
}

ApiEvent Event() {
  ApiEvent event;
  event.name = "group.1";
  event.regarding = {"scheduling.x-k8s.io/v1alpha1", "PodGroup", {"ns", "group", "uid"}};
  event.reason = "Waiting";
  event.action = "Scheduling";
  event.note = "two members wait";
  event.time = kTime;
  event.reporting_instance = "host";
  return event;
}

TEST(ApiBodyTest, AnEventIsAboutItsObjectWithMicroseconds) {
  EXPECT_EQ(EventBody(Event()),
            R"({"apiVersion":"events.k8s.io/v1","kind":"Event",)"
            R"("metadata":{"name":"group.1","namespace":"ns"},)"
            R"("eventTime":"1970-01-01T00:00:01.000250Z","reportingController":"gangpack",)"
            R"("reportingInstance":"host","type":"Normal","reason":"Waiting",)"
            R"("action":"Scheduling","note":"two members wait",)"
            R"("regarding":{"apiVersion":"scheduling.x-k8s.io/v1alpha1","kind":"PodGroup",)"
            R"("namespace":"ns","name":"group","uid":"uid"}})");
}

TEST(ApiBodyTest, AnEventOnAnObjectWithoutANamespaceLivesInDefault) {
  ApiEvent event = Event();
  event.regarding.identity = {"", "node", ""};
  event.warning = true;
  const std::string body = EventBody(event);
  EXPECT_TRUE(absl::StrContains(body, R"("metadata":{"name":"group.1","namespace":"default"})"));
  EXPECT_TRUE(absl::StrContains(body, R"("kind":"PodGroup","name":"node"}})"));
  EXPECT_TRUE(absl::StrContains(body, R"("type":"Warning")"));
}

TEST(ApiBodyTest, ANoteIsCutBetweenCharacters) {
  ApiEvent event = Event();
  event.note = std::string(kMaxEventNoteBytes, 'x');
  EXPECT_TRUE(absl::StrContains(EventBody(event), absl::StrCat("\"", event.note, "\"")));
  event.note = absl::StrCat(std::string(kMaxEventNoteBytes - 1, 'x'), "ä");
  EXPECT_TRUE(absl::StrContains(
      EventBody(event), absl::StrCat("\"", std::string(kMaxEventNoteBytes - 1, 'x'), "\"")));
}

TEST(ApiBodyTest, ARepeatedEventIsASeries) {
  EXPECT_EQ(EventSeriesPatch({3, kTime}),
            R"({"series":{"count":3,"lastObservedTime":"1970-01-01T00:00:01.000250Z"}})");
}

TEST(ApiBodyTest, AnAccessQuestionLeavesOutWhatIsAny) {
  EXPECT_EQ(AccessReviewBody({"create", "", "pods", "binding", ""}),
            R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview",)"
            R"("spec":{"resourceAttributes":{"verb":"create","resource":"pods",)"
            R"("subresource":"binding"}}})");
  EXPECT_TRUE(absl::StrContains(AccessReviewBody({"list", "g", "r", "", "n"}),
                                R"({"verb":"list","group":"g","resource":"r","namespace":"n"})"));
}

}  // namespace
}  // namespace gangpack::k8s
