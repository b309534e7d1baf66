// Compares our verdicts on a case with the oracle's.
//
// A case with a PodGroup in `groups` is about its gang: our engine plans it, and the oracle is
// asked whether the members may have these nodes, one after another. Any other case is about each
// of its pending pods on each of its nodes.
#ifndef GANGPACK_TESTS_ORACLE_COMPARISON_H_
#define GANGPACK_TESTS_ORACLE_COMPARISON_H_

#include <string>
#include <vector>

#include "k8s/document.h"
#include "tests/oracle/json_tree.h"

namespace gangpack {

inline constexpr char kDecoding[] = "decoding";

struct Disagreement {
  // The plugin, after "plan-" where a plan breaks its rule; or kDecoding where our decoders refuse
  // what the API server accepts.
  std::string about;
  std::string text;
};

struct Comparison {
  bool valid = false;    // false: the API server refuses the case, nothing was compared
  bool planned = false;  // the case is about a gang, which has a plan
  std::vector<std::string> complaints;  // the API server's, where it is not valid
  std::vector<Disagreement> disagreements;
};

// What the oracle is to be asked, on one line.
std::string QuestionOf(const JsonTree& test_case);

// `answer` is the oracle's to `question`. Where it holds the objects as the API server stores them,
// those are judged as well.
Comparison Compare(const std::string& question, const k8s::Value& answer);

}  // namespace gangpack

#endif  // GANGPACK_TESTS_ORACLE_COMPARISON_H_
