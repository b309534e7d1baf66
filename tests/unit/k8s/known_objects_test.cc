#include "k8s/known_objects.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ApiRecord Record(const std::string& name, const std::string& uid, const std::string& version) {
  ApiRecord record;
  record.identity = {"", name, uid};
  record.resource_version = version;
  DecodedNamespace decoded;
  decoded.object.name = name;
  decoded.uid = uid;
  record.object = decoded;
  return record;
}

ApiRecord Unusable(const std::string& name, const std::string& uid, const std::string& version) {
  ApiRecord record = Record(name, uid, version);
  record.object = std::nullopt;
  record.fault = absl::StrCat("bad ", name);
  return record;
}

class KnownObjectsTest : public testing::Test {
 protected:
  // What came of it: "+NAME/UID", "-NAME/UID", and reports as they are.
  std::vector<std::string> Observe(ApiRecord record) {
    std::vector<ObjectChange> changes;
    std::vector<std::string> reports;
    Observation observation = {&changes, &reports};
    known_.Observe(std::move(record), &observation);
    std::vector<std::string> found = Told(changes);
    found.insert(found.end(), reports.begin(), reports.end());
    return found;
  }
  std::vector<std::string> Remove(const std::string& name) {
    std::vector<ObjectChange> changes;
    known_.Remove({"", name, ""}, &changes);
    return Told(changes);
  }
  std::vector<std::string> EndSweep() {
    std::vector<ObjectChange> changes;
    known_.EndSweep(&changes);
    return Told(changes);
  }
  static std::vector<std::string> Told(const std::vector<ObjectChange>& changes) {
    std::vector<std::string> found;
    for (const ObjectChange& change : changes) {
      if (const auto* upserted = std::get_if<ObjectUpserted>(&change)) {
        const auto& decoded = std::get<DecodedNamespace>(upserted->object);
        found.push_back(absl::StrCat("+", decoded.object.name, "/", decoded.uid));
      } else {
        const ObjectIdentity& identity = std::get<ObjectGone>(change).identity;
        found.push_back(absl::StrCat("-", identity.name, "/", identity.uid));
      }
    }
    return found;
  }

  KnownObjects known_;
};

TEST_F(KnownObjectsTest, ANewVersionIsAChangeAndTheSameVersionIsNone) {
  EXPECT_THAT(Observe(Record("a", "u", "1")), ElementsAre("+a/u"));
  EXPECT_THAT(Observe(Record("a", "u", "1")), IsEmpty());
  EXPECT_THAT(Observe(Record("a", "u", "2")), ElementsAre("+a/u"));
  EXPECT_EQ(known_.size(), 1u);
}

TEST_F(KnownObjectsTest, WithoutAVersionEachSightIsAChange) {
  EXPECT_THAT(Observe(Record("a", "u", "")), ElementsAre("+a/u"));
  EXPECT_THAT(Observe(Record("a", "u", "")), ElementsAre("+a/u"));
}

TEST_F(KnownObjectsTest, AnotherObjectOfTheSameNameReplacesTheFirst) {
  Observe(Record("a", "u", "1"));
  EXPECT_THAT(Observe(Record("a", "v", "1")), ElementsAre("-a/u", "+a/v"));
}

TEST_F(KnownObjectsTest, ASweepRemovesWhatItDidNotShowInOrderOfNames) {
  for (const char* name : {"c", "b", "a"}) Observe(Record(name, "u", "1"));
  known_.BeginSweep();
  Observe(Record("b", "u", "1"));
  EXPECT_THAT(EndSweep(), ElementsAre("-a/u", "-c/u"));
  EXPECT_EQ(known_.size(), 1u);
}

TEST_F(KnownObjectsTest, ClearRemovesEverything) {
  Observe(Record("a", "u", "1"));
  Observe(Unusable("b", "u", "1"));
  std::vector<ObjectChange> changes;
  known_.Clear(&changes);
  EXPECT_THAT(Told(changes), ElementsAre("-a/u"));
  EXPECT_EQ(known_.size(), 0u);
}

TEST_F(KnownObjectsTest, AnObjectThatCannotBeUsedKeepsItsFormerState) {
  Observe(Record("a", "u", "1"));
  EXPECT_THAT(Observe(Unusable("a", "u", "2")), ElementsAre("bad a; its former state stays"));
  EXPECT_THAT(Observe(Unusable("a", "u", "2")), IsEmpty()) << "told once per version";
  EXPECT_THAT(Observe(Record("a", "u", "3")), ElementsAre("+a/u"));
}

TEST_F(KnownObjectsTest, AnObjectThatCannotBeUsedDoesNotKeepTheStateOfAnother) {
  Observe(Record("a", "u", "1"));
  EXPECT_THAT(Observe(Unusable("a", "v", "2")), ElementsAre("-a/u", "bad a; it is left out"));
  EXPECT_THAT(Remove("a"), IsEmpty()) << "it was never handed on";
}

TEST_F(KnownObjectsTest, AFormerStateGoesWithItsObject) {
  Observe(Record("a", "u", "1"));
  Observe(Unusable("a", "u", "2"));
  EXPECT_THAT(Remove("a"), ElementsAre("-a/u"));
  EXPECT_THAT(Remove("a"), IsEmpty());
}

TEST_F(KnownObjectsTest, AnObjectWithoutANameIsReportedAndLeftOut) {
  EXPECT_THAT(Observe(Unusable("", "u", "1")), ElementsAre("bad "));
  EXPECT_THAT(Observe(Record("", "u", "1")), ElementsAre("an object without a name is left out"));
  EXPECT_EQ(known_.size(), 0u);
}

}  // namespace
}  // namespace gangpack::k8s
