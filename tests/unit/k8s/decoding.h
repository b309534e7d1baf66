// Decodes one field or object from YAML, with the faults that come of it as text.

#ifndef GANGPACK_TESTS_UNIT_K8S_DECODING_H_
#define GANGPACK_TESTS_UNIT_K8S_DECODING_H_

#include <memory>
#include <string>
#include <vector>

#include "k8s/document.h"
#include "k8s/field.h"

namespace gangpack::k8s {

// The text as the root of a document in `f.yaml`. An empty document where it cannot be read.
class Decoding {
 public:
  explicit Decoding(const std::string& yaml);

  const Field& root() const { return *root_; }
  // In the order they were reported.
  std::vector<std::string> Faults() const;

 private:
  std::unique_ptr<Documents> documents_;
  Value empty_;
  FaultList faults_;
  std::unique_ptr<Field> root_;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_TESTS_UNIT_K8S_DECODING_H_
