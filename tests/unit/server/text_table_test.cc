#include "server/text_table.h"

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

TEST(TextTableTest, ColumnsAreAsWideAsTheirWidestCellAndTwoBlanksApart) {
  EXPECT_EQ(TextTable({"NAME", "N", "LAST"}, {{"a", "10", "x y"}, {"longer", "", ""}}),
            "NAME    N   LAST\n"
            "a       10  x y\n"
            "longer  -\n");
}

TEST(TextTableTest, WithoutRowsThereIsNoText) { EXPECT_EQ(TextTable({"NAME"}, {}), ""); }

}  // namespace
}  // namespace gangpack::server
