#include "k8s/metadata_codec.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

std::vector<std::string> Faults(const std::string& metadata) {
  const Decoding decoding("metadata: " + metadata);
  DecodeMetadata(decoding.root(), NameForm::kDnsSubdomain);
  return decoding.Faults();
}

TEST(MetadataCodecTest, ANullLabelOrAnnotationIsEmpty) {
  const Decoding decoding("metadata: {name: m, labels: {a: null}, annotations: {b: null}}");
  const ObjectMeta meta = DecodeMetadata(decoding.root(), NameForm::kDnsSubdomain);
  EXPECT_THAT(meta.labels, ElementsAre(Pair("a", "")));
  EXPECT_THAT(meta.annotations, ElementsAre(Pair("b", "")));
  EXPECT_THAT(decoding.Faults(), IsEmpty());
}

TEST(MetadataCodecTest, MalformedEntriesAreReportedAndLeftOut) {
  const Decoding decoding(
      "metadata: {name: m, labels: {a/b/c: x, d: e}, annotations: {f g: x, h: 5, i: any text}}");
  const ObjectMeta meta = DecodeMetadata(decoding.root(), NameForm::kDnsSubdomain);
  EXPECT_THAT(meta.labels, ElementsAre(Pair("d", "e")));
  EXPECT_THAT(meta.annotations, ElementsAre(Pair("i", "any text")));
  EXPECT_THAT(
      decoding.Faults(),
      ElementsAre(StartsWith("f.yaml:1: metadata.labels[a/b/c]: bad key of a label"),
                  StartsWith("f.yaml:1: metadata.annotations[f g]: bad key of an annotation"),
                  "f.yaml:1: metadata.annotations.h: a number, expected a string (in quotes)"));
}

TEST(MetadataCodecTest, NamesHaveTheFormOfTheirKind) {
  const Decoding decoding("metadata: {name: a.b}");
  DecodeMetadata(decoding.root(), NameForm::kDnsSubdomain);
  EXPECT_THAT(decoding.Faults(), IsEmpty());
  DecodeMetadata(decoding.root(), NameForm::kDnsLabel);
  EXPECT_THAT(decoding.Faults(), ElementsAre(StartsWith("f.yaml:1: metadata.name: `a.b`")));
}

TEST(MetadataCodecTest, AnnotationsTogetherHaveALimit) {
  const std::string fits(256 * 1024 - 1, 'x');
  EXPECT_THAT(Faults("{name: m, annotations: {a: " + fits + "}}"), IsEmpty());
  EXPECT_THAT(
      Faults("{name: m, annotations: {a: " + fits + "x}}"),
      ElementsAre("f.yaml:1: metadata.annotations: 262145 bytes of annotations, expected at "
                  "most 262144"));
}

TEST(MetadataCodecTest, MetadataMustBeAnObject) {
  EXPECT_THAT(Faults("[]"), ElementsAre("f.yaml:1: metadata: a list, expected an object"));
}

}  // namespace
}  // namespace gangpack::k8s
