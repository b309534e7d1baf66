#include "tests/unit/k8s/decoding.h"

#include <utility>

#include "gtest/gtest.h"
#include "k8s/yaml_reader.h"

namespace gangpack::k8s {

Decoding::Decoding(const std::string& yaml) {
  faults_.file = "f.yaml";
  absl::StatusOr<Documents> documents = ReadYaml({"f.yaml", yaml});
  EXPECT_TRUE(documents.ok()) << documents.status();
  const Value* root = &empty_;
  if (documents.ok()) {
    documents_ = std::make_unique<Documents>(*std::move(documents));
    if (!documents_->roots().empty()) root = &documents_->roots()[0];
  }
  root_ = std::make_unique<Field>(*root, &faults_);
}

std::vector<std::string> Decoding::Faults() const {
  std::vector<std::string> texts;
  for (const Fault& fault : faults_.faults) texts.push_back(fault.ToString());
  return texts;
}

}  // namespace gangpack::k8s
