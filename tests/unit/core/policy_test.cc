#include "core/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace gangpack {
namespace {

TEST(PolicyTest, TheDefaultsAreValidAndThoseOfTheChart) {
  const Policy policy;
  EXPECT_TRUE(policy.Validate().ok()) << policy.Validate();
  EXPECT_EQ(policy.scheduler_name, "ome-scheduler");
  EXPECT_EQ(policy.default_topology_key, "");
  EXPECT_EQ(policy.topology_key_annotation, "ome.io/topology-key");
  EXPECT_EQ(policy.placement_group_label, "ome.io/placement-group");
  EXPECT_EQ(policy.permit_timeout, absl::Seconds(600));
  EXPECT_TRUE(policy.standalone_domain_packing);
}

struct Edge {
  std::string field;
  std::function<void(Policy*)> least;    // the least that is valid
  std::function<void(Policy*)> too_low;  // short by one
  std::string message;
};

std::vector<Edge> Edges() {
  return {
      {"scheduler_name", [](Policy* p) { p->scheduler_name = "x"; },
       [](Policy* p) { p->scheduler_name = ""; },
       "scheduler_name: is empty, expected a scheduler's name"},
      {"topology_key_annotation", [](Policy* p) { p->topology_key_annotation = "x"; },
       [](Policy* p) { p->topology_key_annotation = ""; },
       "topology_key_annotation: is empty, expected an annotation's name"},
      {"placement_group_label", [](Policy* p) { p->placement_group_label = "x"; },
       [](Policy* p) { p->placement_group_label = ""; },
       "placement_group_label: is empty, expected a label's name"},
      {"permit_timeout", [](Policy* p) { p->permit_timeout = absl::Nanoseconds(1); },
       [](Policy* p) { p->permit_timeout = absl::ZeroDuration(); },
       "permit_timeout: is 0, expected a duration above 0"},
      {"packing_states_max", [](Policy* p) { p->packing_states_max = 1; },
       [](Policy* p) { p->packing_states_max = 0; },
       "packing_states_max: is 0, expected at least 1"},
      {"views_per_slice", [](Policy* p) { p->views_per_slice = 1; },
       [](Policy* p) { p->views_per_slice = 0; }, "views_per_slice: is 0, expected at least 1"},
      {"shown_states_max", [](Policy* p) { p->shown_states_max = 1; },
       [](Policy* p) { p->shown_states_max = 0; }, "shown_states_max: is 0, expected at least 1"},
      {"backtrack_members_max", [](Policy* p) { p->backtrack_members_max = 1; },
       [](Policy* p) { p->backtrack_members_max = 0; },
       "backtrack_members_max: is 0, expected at least 1"},
      {"lighter_tries_max", [](Policy* p) { p->lighter_tries_max = 1; },
       [](Policy* p) { p->lighter_tries_max = 0; }, "lighter_tries_max: is 0, expected at least 1"},
      {"state_comparisons_max", [](Policy* p) { p->state_comparisons_max = 1; },
       [](Policy* p) { p->state_comparisons_max = 0; },
       "state_comparisons_max: is 0, expected at least 1"},
      {"asked_unknown_max", [](Policy* p) { p->asked_unknown_max = 1; },
       [](Policy* p) { p->asked_unknown_max = 0; }, "asked_unknown_max: is 0, expected at least 1"},
      {"shapes_max", [](Policy* p) { p->shapes_max = 1; }, [](Policy* p) { p->shapes_max = 0; },
       "shapes_max: is 0, expected at least 1"},
      {"judged_gangs_per_slice", [](Policy* p) { p->judged_gangs_per_slice = 1; },
       [](Policy* p) { p->judged_gangs_per_slice = 0; },
       "judged_gangs_per_slice: is 0, expected at least 1"},
      {"detail_domains_max", [](Policy* p) { p->detail_domains_max = 1; },
       [](Policy* p) { p->detail_domains_max = 0; },
       "detail_domains_max: is 0, expected at least 1"},
      {"detail_nodes_max", [](Policy* p) { p->detail_nodes_max = 1; },
       [](Policy* p) { p->detail_nodes_max = 0; }, "detail_nodes_max: is 0, expected at least 1"},
  };
}

TEST(PolicyTest, TheLeastOfEachFieldIsValidAndOneLessIsRefusedByName) {
  for (const Edge& edge : Edges()) {
    Policy least;
    edge.least(&least);
    EXPECT_TRUE(least.Validate().ok()) << edge.field << ": " << least.Validate();
    Policy too_low;
    edge.too_low(&too_low);
    EXPECT_EQ(too_low.Validate(), absl::InvalidArgumentError(edge.message));
  }
}

TEST(PolicyTest, NegativeNumbersAreRefused) {
  Policy policy;
  policy.shapes_max = -1;
  EXPECT_EQ(policy.Validate(),
            absl::InvalidArgumentError("shapes_max: is -1, expected at least 1"));
  policy = Policy();
  policy.permit_timeout = absl::Seconds(-1);
  EXPECT_EQ(policy.Validate(),
            absl::InvalidArgumentError("permit_timeout: is -1s, expected a duration above 0"));
}

TEST(PolicyTest, TheFirstOfSeveralFaultsIsTold) {
  Policy policy;
  policy.detail_nodes_max = 0;
  policy.topology_key_annotation = "";
  EXPECT_THAT(std::string(policy.Validate().message()),
              testing::StartsWith("topology_key_annotation: "));
}

TEST(PolicyTest, ADefaultTopologyKeyIsOptional) {
  Policy policy;
  policy.default_topology_key = "rack";
  EXPECT_TRUE(policy.Validate().ok());
}

}  // namespace
}  // namespace gangpack
