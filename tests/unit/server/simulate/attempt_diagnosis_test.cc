#include "server/simulate/attempt_diagnosis.h"

#include <string>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(AttemptDiagnosisTest, CountsEachReasonAndSortsThemAsText) {
  AttemptDiagnosis diagnosis;
  diagnosis.nodes_total = 13;
  for (int i = 0; i < 10; ++i) {
    diagnosis.reasons["a" + std::to_string(i)] = {"Insufficient cpu", "Too many pods"};
  }
  diagnosis.reasons["b1"] = {"node(s) were unschedulable"};
  diagnosis.reasons["b2"] = {"node(s) were unschedulable"};
  EXPECT_EQ(diagnosis.Text(),
            "0/13 nodes are available: 10 Insufficient cpu, 10 Too many pods, "
            "2 node(s) were unschedulable. no new claims to deallocate");
}

TEST(AttemptDiagnosisTest, WithoutReasonsThereIsNoList) {
  AttemptDiagnosis diagnosis;
  diagnosis.nodes_total = 2;
  EXPECT_EQ(diagnosis.Text(), "0/2 nodes are available no new claims to deallocate");
}

}  // namespace
}  // namespace gangpack::server
