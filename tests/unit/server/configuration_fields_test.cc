#include "server/configuration_fields.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

std::string TextOf(const ListenAddress& address) {
  return absl::StrCat(address.address, " ", address.port);
}

// Which end of its range a field is set to.
enum class Choice { kLowest, kHighest };

// Follows the paths. Each value is written down as text; that of one path is set to another.
class FieldWalk final : public ConfigurationVisitor {
 public:
  FieldWalk() = default;
  FieldWalk(std::string set_path, Choice choice)
      : set_path_(std::move(set_path)), choice_(choice) {}

  void Name(const FieldText& field, NameKind kind, std::string* value) override {
    EXPECT_EQ(FaultOfName(kind, *value), std::nullopt) << field.key;
    if (Enter(field)) *value = choice_ == Choice::kLowest ? "x" : "example.com/y";
    Leave(*value);
  }
  void Switch(const FieldText& field, bool* value) override {
    if (Enter(field)) *value = choice_ == Choice::kHighest;
    Leave(*value ? "true" : "false");
  }
  void Number(const FieldText& field, const FieldRange& range, int64_t* value) override {
    if (Enter(field)) *value = choice_ == Choice::kLowest ? range.min : range.max;
    ExpectInside(range, *value);
    Leave(absl::StrCat(*value));
  }
  void Seconds(const FieldText& field, const FieldRange& range, absl::Duration* value) override {
    if (Enter(field)) {
      *value = absl::Seconds(choice_ == Choice::kLowest ? range.min : range.max);
    }
    ExpectInside(range, absl::ToInt64Seconds(*value));
    EXPECT_EQ(*value % absl::Seconds(1), absl::ZeroDuration()) << path_;
    EXPECT_TRUE(absl::EndsWith(path_, "Seconds")) << path_ << ": the unit is in the key";
    Leave(absl::FormatDuration(*value));
  }
  void Address(const FieldText& field, ListenAddress* value) override {
    if (Enter(field)) {
      *value =
          choice_ == Choice::kLowest ? ListenAddress{"127.0.0.9", 1} : ListenAddress{"::1", 65'535};
    }
    Leave(TextOf(*value));
  }
  void Object(const FieldText& field, const std::function<void()>& members) override {
    CheckText(field);
    const std::string before = prefix_;
    absl::StrAppend(&prefix_, field.key, ".");
    const size_t fields_before = values.size();
    members();
    EXPECT_GT(values.size(), fields_before) << prefix_ << ": an object without a field";
    prefix_ = before;
  }

  std::map<std::string, std::string> values;  // By path.

 private:
  // Whether this is the field to set.
  bool Enter(const FieldText& field) {
    CheckText(field);
    path_ = absl::StrCat(prefix_, field.key);
    return path_ == set_path_;
  }
  void Leave(const std::string& value) {
    EXPECT_TRUE(values.emplace(path_, value).second) << path_ << " is there twice";
  }
  void ExpectInside(const FieldRange& range, int64_t value) {
    EXPECT_LT(range.min, range.max) << path_;
    EXPECT_LE(range.min, value) << path_;
    EXPECT_GE(range.max, value) << path_;
  }
  void CheckText(const FieldText& field) {
    EXPECT_NE(field.key, "");
    EXPECT_TRUE(absl::EndsWith(field.about, ".")) << field.key << ": " << field.about;
    for (const absl::string_view line : absl::StrSplit(field.about, '\n')) {
      EXPECT_FALSE(line.empty() || line.front() == ' ' || line.back() == ' ') << field.key;
    }
  }

  const std::string set_path_;
  const Choice choice_ = Choice::kLowest;
  std::string prefix_;
  std::string path_;
};

using Values = std::map<std::string, std::string>;

Values ValuesOf(Configuration configuration) {
  FieldWalk walk;
  VisitConfiguration(&configuration, &walk);
  return walk.values;
}

// A default outside its own range, a key that is there twice, or a field without its sentences is
// found by the walk itself.
TEST(ConfigurationFieldsTest, EveryFieldHasAKeyOfItsOwnASentenceAndADefaultInItsRange) {
  const Values values = ValuesOf(Configuration());
  EXPECT_EQ(values.at("schedulerName"), "ome-scheduler");
  EXPECT_EQ(values.at("topologyKey"), "");
  EXPECT_EQ(values.at("standaloneDomainPacking"), "true");
  EXPECT_EQ(values.at("defaultPermitTimeoutSeconds"), "10m");
  EXPECT_EQ(values.at("server.filter.listen"), TextOf({"127.0.0.1", 0}));
  EXPECT_EQ(values.at("server.bind.connectionsMax"), "8192");
}

TEST(ConfigurationFieldsTest, LookingAtTheFieldsChangesNone) {
  Configuration configuration;
  configuration.policy.scheduler_name = "mine";
  configuration.http.bind.idle_timeout = std::chrono::seconds(77);
  FieldWalk walk;
  VisitConfiguration(&configuration, &walk);
  EXPECT_EQ(configuration.policy.scheduler_name, "mine");
  EXPECT_EQ(configuration.http.bind.idle_timeout, std::chrono::seconds(77));
  EXPECT_EQ(ValuesOf(configuration), walk.values);
}

TEST(ConfigurationFieldsTest, BothEndsOfEachRangeAreKeptAndNoFieldIsAnothersToo) {
  const Values defaults = ValuesOf(Configuration());
  for (const auto& [path, usual] : defaults) {
    bool changed = false;
    for (const Choice choice : {Choice::kLowest, Choice::kHighest}) {
      Configuration configuration;
      FieldWalk walk(path, choice);
      VisitConfiguration(&configuration, &walk);
      const std::string& set = walk.values.at(path);
      changed = changed || set != usual;
      Values expected = defaults;
      expected[path] = set;
      EXPECT_EQ(ValuesOf(configuration), expected) << path << " set to " << set;
    }
    EXPECT_TRUE(changed) << path << " can have one value only";
  }
}

TEST(ConfigurationFieldsTest, BothListenersHaveTheSameFields) {
  std::vector<std::string> filter, bind;
  for (const auto& [path, value] : ValuesOf(Configuration())) {
    absl::string_view key = path;
    if (absl::ConsumePrefix(&key, "server.filter.")) filter.emplace_back(key);
    if (absl::ConsumePrefix(&key, "server.bind.")) bind.emplace_back(key);
  }
  EXPECT_FALSE(filter.empty());
  EXPECT_EQ(filter, bind);
}

TEST(ConfigurationFieldsTest, OnlyALabelKeyThatMayBeEmptyMayBeEmpty) {
  EXPECT_EQ(FaultOfName(NameKind::kLabelKeyOrEmpty, ""), std::nullopt);
  EXPECT_EQ(FaultOfName(NameKind::kLabelKey, ""), "is empty, expected a name");
  EXPECT_EQ(FaultOfName(NameKind::kName, ""), "is empty, expected a name");
}

TEST(ConfigurationFieldsTest, ANameIsAnythingThatCanBeSeenWithoutWhiteSpace) {
  for (const char* name : {"a", "ome-scheduler", "!~", "a/b/c", "-"}) {
    EXPECT_EQ(FaultOfName(NameKind::kName, name), std::nullopt) << name;
  }
  for (const char* name : {" ", "a b", "a\t", "\na", "a\x7f", "\xc3\xa9"}) {
    EXPECT_NE(FaultOfName(NameKind::kName, name), std::nullopt) << name;
  }
  EXPECT_EQ(FaultOfName(NameKind::kName, "a b"), "`a b`, expected a name without white space");
}

TEST(ConfigurationFieldsTest, ALabelKeyIsASegmentWithAnOptionalDomainBeforeIt) {
  for (const NameKind kind : {NameKind::kLabelKey, NameKind::kLabelKeyOrEmpty}) {
    for (const char* key : {"a", "9", "A-b_c.D", "a/b", "x-1.y/Z", "1.2/c"}) {
      EXPECT_EQ(FaultOfName(kind, key), std::nullopt) << key;
    }
    for (const char* key : {"a b", "-a", "a-", "_a", "a.", "/a", "a/", "/", "a/b/c", "A.b/c",
                            "a_b/c", "a..b/c", ".a/c", "-a/c", "a./c", "a%"}) {
      EXPECT_NE(FaultOfName(kind, key), std::nullopt) << key;
    }
    EXPECT_EQ(FaultOfName(kind, "a b"), "`a b`, expected a label's key such as example.com/rack");
  }
}

TEST(ConfigurationFieldsTest, ASegmentHas63CharactersAndADomain253) {
  const auto is_key = [](size_t domain, size_t segment) {
    const std::string key = absl::StrCat(std::string(domain, 'd'), "/", std::string(segment, 's'));
    return FaultOfName(NameKind::kLabelKey, key) == std::nullopt;
  };
  EXPECT_TRUE(is_key(253, 63));
  EXPECT_FALSE(is_key(254, 63));
  EXPECT_FALSE(is_key(253, 64));
}

}  // namespace
}  // namespace gangpack::server
