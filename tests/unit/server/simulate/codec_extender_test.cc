#include "server/simulate/codec_extender.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "server/manifest/manifest_cluster.h"
#include "tests/unit/server/manifest/test_objects.h"

namespace gangpack::server {
namespace {

class KeepingSink final : public EffectSink {
 public:
  void Push(std::vector<Effect> effects) override {
    for (Effect& effect : effects) kept.push_back(std::move(effect));
  }
  std::vector<Effect> kept;
};

class CodecExtenderTest : public testing::Test {
 protected:
  CodecExtenderTest() { extender_.Connect(&driver_); }

  void Apply(const ManifestObject& object) {
    ASSERT_TRUE(cluster_.Apply(object).empty());
    for (const ClusterEvent& event : cluster_.DrainEvents()) driver_.Apply({FactOf(event)});
  }
  const PodObject& Find(const std::string& name) { return *cluster_.FindPod({"ns", name}); }

  TestClock clock_;
  KeepingSink sink_;
  Policy policy_;
  EngineDriver driver_{policy_, &clock_, &sink_};
  ManifestCluster cluster_{policy_.scheduler_name, &clock_};
  CodecExtender extender_;
};

TEST_F(CodecExtenderTest, BeforeTheFirstListsEveryNodeIsRefusedAndNothingIsAnError) {
  Apply(NodeNamed("a"));
  Apply(PodNamed("p"));
  const ExtenderFilterAnswer answer = extender_.Filter(Find("p"), {"a"});
  EXPECT_EQ(answer.error, "");
  EXPECT_TRUE(answer.passed.empty());
  EXPECT_EQ(answer.refused.size(), 1u);
}

TEST_F(CodecExtenderTest, AcceptsScoresAndBindsAStandalonePod) {
  driver_.Apply({Synchronised{}});
  Apply(NodeNamed("a"));
  Apply(NodeNamed("b"));
  Apply(PodNamed("p"));
  const ExtenderFilterAnswer answer = extender_.Filter(Find("p"), {"a", "b"});
  EXPECT_EQ(answer.passed, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(extender_.Prioritize(Find("p"), {"a", "b"}).size(), 2u);
  extender_.Bind({7, Find("p").pod.uid, {"ns", "p"}, "b"});
  ASSERT_FALSE(sink_.kept.empty());
  const auto* bind = std::get_if<BindPod>(&sink_.kept[0]);
  ASSERT_NE(bind, nullptr);
  EXPECT_EQ(bind->uid, Find("p").pod.uid);
  EXPECT_EQ(bind->node, "b");
}

TEST_F(CodecExtenderTest, APodWhoseTextsNeedEscapingIsFilteredAsAnyOther) {
  driver_.Apply({Synchronised{}});
  Apply(NodeNamed("a"));
  Apply(
      ParseObject("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, annotations: "
                  "{note: \"<&>\\\"\\n\\\\\"}}\n"));
  EXPECT_EQ(extender_.Filter(Find("p"), {"a"}).passed, std::vector<std::string>{"a"});
}

TEST_F(CodecExtenderTest, ReadsTheAnswerOfABindAsKubeSchedulerDoes) {
  EXPECT_EQ(CodecExtender::ReadAnswer({1, ""}), "");
  EXPECT_EQ(CodecExtender::ReadAnswer({1, "gang ns/g unwound"}), "gang ns/g unwound");
}

}  // namespace
}  // namespace gangpack::server
