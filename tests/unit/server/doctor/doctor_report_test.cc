#include "server/doctor/doctor_report.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

const Finding kGood = Good("lease", "a/b");
const Finding kBad = {Severity::kError, "crd", "\"x\" is not served", "no gangs", "apply it"};
const Finding kPoor = {Severity::kWarning, "backoff", "is 9", "slow", "write 2"};

TEST(DoctorReportTest, ATableAndThenWhatToChangeErrorsFirst) {
  EXPECT_EQ(FindingsTable({kGood, kPoor, kBad}),
            "RESULT   CHECK    FOUND\n"
            "ok       lease    a/b\n"
            "warning  backoff  is 9\n"
            "ERROR    crd      \"x\" is not served\n"
            "\n"
            "ERROR crd: \"x\" is not served\n"
            "  why: no gangs\n"
            "  to change: apply it\n"
            "\n"
            "warning backoff: is 9\n"
            "  why: slow\n"
            "  to change: write 2\n"
            "\n"
            "1 error, 1 warning, 1 ok\n");
}

TEST(DoctorReportTest, WhereNothingIsWrongThereIsNothingToChange) {
  EXPECT_EQ(FindingsTable({kGood}),
            "RESULT  CHECK  FOUND\n"
            "ok      lease  a/b\n"
            "\n"
            "0 errors, 0 warnings, 1 ok\n");
}

TEST(DoctorReportTest, JsonHasTheSame) {
  EXPECT_EQ(
      FindingsJson({kGood, kBad}),
      "{\"findings\": [\n"
      "  {\"severity\": \"ok\", \"check\": \"lease\", \"found\": \"a/b\"},\n"
      "  {\"severity\": \"error\", \"check\": \"crd\", \"found\": \"\\\"x\\\" is not served\", "
      "\"why\": \"no gangs\", \"change\": \"apply it\"}], \"errors\": 1, \"warnings\": 0}\n");
  EXPECT_EQ(FindingsJson({}), "{\"findings\": [], \"errors\": 0, \"warnings\": 0}\n");
}

TEST(DoctorReportTest, WarningsAreNoErrors) {
  EXPECT_FALSE(HasErrors({kGood, kPoor}));
  EXPECT_TRUE(HasErrors({kGood, kPoor, kBad}));
}

}  // namespace
}  // namespace gangpack::server
