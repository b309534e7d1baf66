// Answers that have not come back yet.
#include "core/answer_book.h"

#include "gtest/gtest.h"

namespace gangpack {
namespace {

const absl::Time kStart = absl::UnixEpoch();

TEST(AnswerBookTest, AnAnswerIsDueAtItsEndAndNotBefore) {
  AnswerBook book;
  EXPECT_EQ(book.NextEnd(), absl::InfiniteFuture());
  book.Note({"p"}, kStart + absl::Seconds(2));
  book.Note({"q"}, kStart + absl::Seconds(1));
  EXPECT_EQ(book.NextEnd(), kStart + absl::Seconds(1));
  EXPECT_FALSE(book.Due(kStart + absl::Seconds(1) - absl::Nanoseconds(1)).has_value());
  EXPECT_EQ(book.Due(kStart + absl::Seconds(1)), PodUid{"q"});
  EXPECT_EQ(book.Due(kStart + absl::Seconds(9)), PodUid{"q"}) << "the earliest first";
}

TEST(AnswerBookTest, ANewAnswerTakesThePlaceOfTheOld) {
  AnswerBook book;
  book.Note({"p"}, kStart + absl::Seconds(1));
  book.Note({"p"}, kStart + absl::Seconds(5));
  EXPECT_EQ(book.size(), 1u);
  EXPECT_FALSE(book.Due(kStart + absl::Seconds(4)).has_value());
  EXPECT_EQ(book.NextEnd(), kStart + absl::Seconds(5));
}

TEST(AnswerBookTest, WhatIsForgottenIsNeverDueAndForgettingTwiceIsNothing) {
  AnswerBook book;
  book.Note({"p"}, kStart);
  EXPECT_TRUE(book.Has({"p"}));
  book.Forget({"p"});
  book.Forget({"p"});
  EXPECT_FALSE(book.Has({"p"}));
  EXPECT_FALSE(book.Due(absl::InfiniteFuture()).has_value());
}

}  // namespace
}  // namespace gangpack
