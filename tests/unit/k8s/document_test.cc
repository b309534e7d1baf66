#include "k8s/document.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

TEST(ValueTest, AnswersForOtherKindsAreEmpty) {
  const Value number = Value::Number("5", 1);
  EXPECT_EQ(number.text(), "5");
  EXPECT_TRUE(number.items().empty());
  EXPECT_TRUE(number.members().empty());
  EXPECT_EQ(number.Find("a"), nullptr);
  EXPECT_FALSE(number.bool_value());
  const std::vector<Value> items = {number, number};
  const Value list = Value::List(items, 2);
  EXPECT_EQ(list.items().size(), 2u);
  EXPECT_EQ(list.text(), "");
  EXPECT_TRUE(list.members().empty());
}

TEST(ValueTest, LinesAreKeptUpToTheirLimit) {
  EXPECT_EQ(Value::Null((1 << 28) - 1).line(), (1 << 28) - 1);
  EXPECT_EQ(Value::Null(1 << 28).line(), (1 << 28) - 1);
}

TEST(DocumentArenaTest, PiecesOfAnySizeAreAlignedAndApart) {
  DocumentArena arena;
  std::vector<char*> pieces;
  const std::vector<size_t> sizes = {0, 1, 7, 8, 9, 5000, 3, 4 << 20, 1};
  for (const size_t size : sizes) {
    pieces.push_back(arena.Allocate(size));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pieces.back()) % alignof(Member), 0u);
    std::fill_n(pieces.back(), size, static_cast<char>('a' + pieces.size()));
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    const char expected = static_cast<char>('b' + i);
    EXPECT_EQ(std::string(pieces[i], sizes[i]), std::string(sizes[i], expected)) << i;
  }
}

}  // namespace
}  // namespace gangpack::k8s
