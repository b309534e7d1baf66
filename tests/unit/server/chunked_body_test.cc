#include "server/chunked_body.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

using Progress = ChunkedBody::Progress;

struct Taken {
  Progress progress = Progress::kNeedsMore;
  std::string body;
  std::string rest;
};

// In pieces of `piece` bytes, as they might arrive.
Taken TakeAll(std::string_view bytes, size_t piece, int64_t body_bytes_max = 10) {
  ChunkedBody chunks(body_bytes_max);
  Taken taken;
  while (!bytes.empty() && taken.progress == Progress::kNeedsMore) {
    std::string_view next = bytes.substr(0, piece);
    bytes.remove_prefix(next.size());
    taken.progress = chunks.Take(next, taken.body);
    taken.rest = next;
  }
  taken.rest += bytes;
  return taken;
}

TEST(ChunkedBody, IsReadWhateverThePiecesItArrivesIn) {
  constexpr std::string_view kBytes =
      "3\r\nabc\r\n04;ext=\"1\"\r\nd\r\ne\r\nA \r\n0123456789\r\n000\r\nTrailer: 1\r\n\r\nGET /";
  for (size_t piece = 1; piece <= kBytes.size(); ++piece) {
    const Taken taken = TakeAll(kBytes, piece, 100);
    EXPECT_EQ(taken.progress, Progress::kDone) << piece;
    EXPECT_EQ(taken.body, "abcd\r\ne0123456789") << piece;
    EXPECT_EQ(taken.rest, "GET /") << piece;
  }
}

TEST(ChunkedBody, AnUnfinishedOneNeedsMore) {
  for (const std::string_view begun : {"3", "3\r\nab", "3\r\nabc\r", "0\r\n", "0\r\nA: b\r\n"}) {
    EXPECT_EQ(TakeAll(begun, 100).progress, Progress::kNeedsMore) << begun;
  }
}

TEST(ChunkedBody, WhatIsNoChunkIsMalformed) {
  for (const std::string_view bad : {"\r\n", "g\r\n", "-1\r\n", "0x1\r\n", "1 1\r\n", " 1\r\n",
                                     "1\n", "3\r\nabcd\r\n", "3\r\nabc\n0\r\n\r\n", ";x\r\n"}) {
    EXPECT_EQ(TakeAll(bad, 1).progress, Progress::kMalformed) << bad;
  }
}

TEST(ChunkedBody, TheLimitIsThatOfAllChunksTogether) {
  EXPECT_EQ(TakeAll("4\r\nabcd\r\n6\r\nefghij\r\n0\r\n\r\n", 100).progress, Progress::kDone);
  EXPECT_EQ(TakeAll("4\r\nabcd\r\n7\r\n", 100).progress, Progress::kTooLarge);
  EXPECT_EQ(TakeAll("ffffffffffffffff\r\n", 100).progress, Progress::kTooLarge);
  EXPECT_EQ(TakeAll("1ffffffffffffffff\r\n", 100).progress, Progress::kTooLarge);
}

TEST(ChunkedBody, LinesAndTrailersAreLimited) {
  const auto of = [](size_t line, size_t trailers) {
    std::string bytes = "1;" + std::string(line - 4, 'x') + "\r\na\r\n0\r\n";
    while (trailers > 0) {
      const size_t part = trailers < 100 ? trailers : 100;
      bytes += std::string(part, 't') + "\r\n";
      trailers -= part;
    }
    return TakeAll(bytes + "\r\n", 100).progress;
  };
  EXPECT_EQ(of(ChunkedBody::kLineBytesMax, ChunkedBody::kTrailerBytesMax), Progress::kDone);
  EXPECT_EQ(of(ChunkedBody::kLineBytesMax + 1, 0), Progress::kMalformed);
  EXPECT_EQ(of(10, ChunkedBody::kTrailerBytesMax + 1), Progress::kMalformed);
}

}  // namespace
}  // namespace gangpack::server
