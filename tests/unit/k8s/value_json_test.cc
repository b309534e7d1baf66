#include "k8s/value_json.h"

#include <string>

#include "gtest/gtest.h"
#include "k8s/json_reader.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

TEST(ValueJsonTest, JsonComesOutAsItWasRead) {
  const std::string text =
      R"({"a":[1,-2.50,true,false,null,{}],"b":{"c":"q\"\\\n","d":[]},"e":"ä"})";
  const absl::StatusOr<Documents> documents = ReadJson({"f", " " + text + "\n"});
  ASSERT_TRUE(documents.ok()) << documents.status();
  EXPECT_EQ(ToJson(documents->roots().front()), text);
}

TEST(ValueJsonTest, YamlComesOutAsJson) {
  const Decoding decoding("a: [1, x, yes]\nb: {c: null}\n");
  EXPECT_EQ(ToJson(decoding.root().value()), R"({"a":[1,"x",true],"b":{"c":null}})");
}

}  // namespace
}  // namespace gangpack::k8s
