#include "k8s/watch_decoder.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kThreeEvents[] =
    R"({"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}})"
    "\n"
    R"({"type":"DELETED","object":{"metadata":{"name":"ä\u00e4","resourceVersion":"2"}}})"
    "\n"
    R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"3"}}})"
    "\n";

// The events that are complete, as "KIND NAME VERSION"; an error as its code.
std::vector<std::string> Drain(WatchDecoder* decoder) {
  std::vector<std::string> found;
  while (true) {
    absl::StatusOr<std::optional<WatchEvent>> event = decoder->Next();
    if (!event.ok()) {
      found.push_back(absl::StatusCodeToString(event.status().code()));
      return found;
    }
    if (!event->has_value()) return found;
    found.push_back(absl::StrCat(static_cast<int>((*event)->kind), " ",
                                 (*event)->record.identity.name, " ",
                                 (*event)->record.resource_version));
  }
}

TEST(WatchDecoderTest, EventsAreTheSameHoweverTheBytesAreCut) {
  const absl::string_view text = kThreeEvents;
  const std::vector<std::string> expected = {"0 a 1", "2 \xC3\xA4\xC3\xA4 2", "3  3"};
  for (size_t piece = 1; piece <= text.size(); ++piece) {
    WatchDecoder decoder(ResourceType::kNamespaces);
    std::vector<std::string> found;
    for (size_t i = 0; i < text.size(); i += piece) {
      decoder.Append(text.substr(i, piece));
      for (std::string& event : Drain(&decoder)) found.push_back(std::move(event));
    }
    ASSERT_EQ(found, expected) << "in pieces of " << piece;
    EXPECT_TRUE(decoder.Finish().ok());
  }
}

TEST(WatchDecoderTest, AnErrorCarriesItsStatus) {
  WatchDecoder decoder(ResourceType::kPods);
  decoder.Append(
      R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"old"}})"
      "\n");
  const absl::StatusOr<std::optional<WatchEvent>> event = decoder.Next();
  ASSERT_TRUE(event.ok() && event->has_value());
  EXPECT_EQ((*event)->kind, WatchEvent::Kind::kError);
  EXPECT_EQ((*event)->failure.code, 410);
  EXPECT_EQ((*event)->failure.message, "old");
}

TEST(WatchDecoderTest, AModifiedObjectThatCannotBeUsedIsAnEventAllTheSame) {
  WatchDecoder decoder(ResourceType::kNamespaces);
  decoder.Append(R"({"type":"MODIFIED","object":{"metadata":{"name":"a","labels":0}}})"
                 "\n");
  const absl::StatusOr<std::optional<WatchEvent>> event = decoder.Next();
  ASSERT_TRUE(event.ok() && event->has_value());
  EXPECT_EQ((*event)->kind, WatchEvent::Kind::kModified);
  EXPECT_FALSE((*event)->record.object.has_value());
  EXPECT_THAT((*event)->record.fault, HasSubstr("metadata.labels"));
}

TEST(WatchDecoderTest, EmptyLinesAreNoEvents) {
  WatchDecoder decoder(ResourceType::kNamespaces);
  decoder.Append("\n \r\n\n");
  EXPECT_THAT(Drain(&decoder), ElementsAre());
  EXPECT_TRUE(decoder.Finish().ok());
}

TEST(WatchDecoderTest, AFrameAtTheLimitPassesAndOneAboveItIsRefused) {
  const std::string frame = R"({"type":"BOOKMARK","object":{"metadata":{}}})";
  WatchDecoder at_limit(ResourceType::kPods, frame.size());
  at_limit.Append(absl::StrCat(frame, "\n", frame, "\n"));
  EXPECT_THAT(Drain(&at_limit), ElementsAre("3  ", "3  "));

  WatchDecoder above(ResourceType::kPods, frame.size() - 1);
  above.Append(absl::StrCat(frame, "\n"));
  EXPECT_THAT(Drain(&above), ElementsAre("RESOURCE_EXHAUSTED"));
}

TEST(WatchDecoderTest, AFrameAboveTheLimitIsRefusedBeforeItsEnd) {
  WatchDecoder decoder(ResourceType::kPods, 10);
  decoder.Append("0123456789");
  EXPECT_THAT(Drain(&decoder), ElementsAre());
  decoder.Append("0");
  EXPECT_THAT(Drain(&decoder), ElementsAre("RESOURCE_EXHAUSTED"));
  EXPECT_EQ(decoder.Finish().code(), absl::StatusCode::kResourceExhausted);
}

TEST(WatchDecoderTest, WhatIsNoEventEndsTheStreamForGood) {
  for (const char* frame :
       {"x", "{}", "[]", "7", "{}{}", R"({"type":"ADDED"})", R"({"type":"ADDED","object":1})",
        R"({"type":"NEWER","object":{}})", R"({"object":{}})", "{\"type\":\"\xff\"}"}) {
    WatchDecoder decoder(ResourceType::kPods);
    decoder.Append(absl::StrCat(frame, "\n", kThreeEvents));
    EXPECT_THAT(Drain(&decoder), ElementsAre("INVALID_ARGUMENT")) << frame;
    decoder.Append(kThreeEvents);
    EXPECT_THAT(Drain(&decoder), ElementsAre("INVALID_ARGUMENT")) << frame;
    EXPECT_EQ(decoder.Finish().code(), absl::StatusCode::kInvalidArgument) << frame;
  }
}

TEST(WatchDecoderTest, AStreamThatEndsInsideAFrameIsReported) {
  WatchDecoder decoder(ResourceType::kPods);
  decoder.Append(R"({"type":"BOOKMARK","object":{}})"
                 "\n{\"ty");
  EXPECT_THAT(Drain(&decoder), ElementsAre("3  "));
  const absl::Status end = decoder.Finish();
  EXPECT_EQ(end.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(end.message(), "watch of pods: the stream ended inside an event, after 4 bytes of it");
}

}  // namespace
}  // namespace gangpack::k8s
