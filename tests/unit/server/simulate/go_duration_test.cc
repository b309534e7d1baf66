#include "server/simulate/go_duration.h"

#include <optional>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(GoDurationTest, PrintsAsGoDoes) {
  EXPECT_EQ(FormatGoDuration(absl::ZeroDuration()), "0s");
  EXPECT_EQ(FormatGoDuration(absl::Nanoseconds(1)), "1ns");
  EXPECT_EQ(FormatGoDuration(absl::Nanoseconds(1100)), "1.1\u00b5s");
  EXPECT_EQ(FormatGoDuration(absl::Nanoseconds(2200000)), "2.2ms");
  EXPECT_EQ(FormatGoDuration(absl::Milliseconds(3300)), "3.3s");
  EXPECT_EQ(FormatGoDuration(absl::Seconds(30)), "30s");
  EXPECT_EQ(FormatGoDuration(absl::Seconds(60)), "1m0s");
  EXPECT_EQ(FormatGoDuration(absl::Seconds(245)), "4m5s");
  EXPECT_EQ(FormatGoDuration(absl::Hours(1)), "1h0m0s");
  EXPECT_EQ(FormatGoDuration(absl::Hours(5) + absl::Minutes(6) + absl::Milliseconds(7001)),
            "5h6m7.001s");
  EXPECT_EQ(FormatGoDuration(-absl::Seconds(1)), "-1s");
}

TEST(GoDurationTest, ReadsWhatGoReads) {
  EXPECT_EQ(ParseGoDuration("0"), absl::ZeroDuration());
  EXPECT_EQ(ParseGoDuration("5s"), absl::Seconds(5));
  EXPECT_EQ(ParseGoDuration("1h15m30.918273645s"),
            absl::Hours(1) + absl::Minutes(15) + absl::Seconds(30) + absl::Nanoseconds(918273645));
  EXPECT_EQ(ParseGoDuration("1.5h"), absl::Minutes(90));
  EXPECT_EQ(ParseGoDuration(".5s"), absl::Milliseconds(500));
  EXPECT_EQ(ParseGoDuration("5.s"), absl::Seconds(5));
  EXPECT_EQ(ParseGoDuration("10us"), absl::Microseconds(10));
  EXPECT_EQ(ParseGoDuration("0.3333333333333333333h"), absl::Minutes(20) - absl::Nanoseconds(1));
}

TEST(GoDurationTest, RefusesWhatIsNone) {
  for (const char* text :
       {"", "3", "s", ".", "-1s", "+1s", "1x", "1 s", "1s ", ".s", "inf", "1d"}) {
    EXPECT_EQ(ParseGoDuration(text), std::nullopt) << text;
  }
}

TEST(GoDurationTest, GoesUpToWhatGoHolds) {
  EXPECT_NE(ParseGoDuration("2562047h"), std::nullopt);
  EXPECT_EQ(ParseGoDuration("2562048h"), std::nullopt);
  EXPECT_EQ(ParseGoDuration("99999999999999999999h"), std::nullopt);
}

}  // namespace
}  // namespace gangpack::server
