// Asks the oracle and our own rules about random cases, or about one from a file, and says where
// they disagree. tests/oracle/run starts it.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/json_reader.h"
#include "tests/oracle/comparison.h"
#include "tests/oracle/json_tree.h"
#include "tests/oracle/oracle_process.h"
#include "tests/oracle/our_verdicts.h"
#include "tests/oracle/random_case.h"
#include "tests/oracle/shrink.h"

namespace gangpack {
namespace {

constexpr int kShrunkPerKindMax = 2;
constexpr int kProgressCases = 5000;
// Every so many cases are judged in the form the API server stores them in as well.
constexpr int kStoredEvery = 4;
// Every so many cases are about a gang.
constexpr int kGangEvery = 5;
// Below this share of refusals or of acceptances a rule is hardly tested.
constexpr double kShareMin = 0.01;
constexpr int64_t kPairsForShares = 10000;

struct Options {
  std::string oracle;
  int64_t cases = 20000;
  uint64_t seed = 1;
  std::string case_file;
  std::string failures = ".";
};

// Compares random cases until enough were compared.
class RandomRun {
 public:
  explicit RandomRun(const Options& options) : options_(options), oracle_(options.oracle) {}

  int Run() {
    uint64_t seed = options_.seed;
    std::deque<Question> under_way;
    while (passed_ + failed_ < options_.cases) {
      while (under_way.size() < OracleProcess::kUnderWayMax) {
        under_way.push_back(Ask(seed++));
      }
      const Question question = std::move(under_way.front());
      under_way.pop_front();
      const k8s::Documents answer = oracle_.Receive();
      const Comparison comparison = Compare(question.text, answer.roots()[0]);
      Count(comparison, answer.roots()[0]);
      if (comparison.disagreements.empty()) continue;
      for (; !under_way.empty(); under_way.pop_back()) oracle_.Receive();
      seed = question.seed + 1;
      Report(question, comparison);
    }
    return Summary();
  }

 private:
  struct Question {
    uint64_t seed;
    JsonTree test_case;
    std::string text;
  };

  Question Ask(uint64_t seed) {
    const bool gang = seed % kGangEvery == 0;
    Question question{seed, gang ? RandomGangCase(seed) : RandomCase(seed), ""};
    if (!gang && seed % kStoredEvery == 0) question.test_case["stored"] = true;
    question.text = QuestionOf(question.test_case);
    oracle_.Send(question.text);
    return question;
  }

  void Count(const Comparison& comparison, const k8s::Value& answer) {
    if (!comparison.valid) {
      if (invalid_++ == 0) {
        std::printf("a case the API server refuses: %s\n", comparison.complaints[0].c_str());
      }
      return;
    }
    (comparison.disagreements.empty() ? passed_ : failed_) += 1;
    if ((passed_ + failed_) % kProgressCases == 0) {
      std::printf("%lld of %lld cases\n", static_cast<long long>(passed_ + failed_),
                  static_cast<long long>(options_.cases));
      std::fflush(stdout);
    }
    if (comparison.planned) {
      ++plans_;
      return;
    }
    for (const k8s::Value& pod : answer.Find("refused")->items()) {
      for (const k8s::Value& node : pod.items()) {
        ++pairs_;
        for (const k8s::Value& plugin : node.items()) ++refused_[std::string(plugin.text())];
      }
    }
  }

  void Report(const Question& question, const Comparison& comparison) {
    const std::string about = comparison.disagreements[0].about;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(question.seed),
                comparison.disagreements[0].text.c_str());
    if (shrunk_[about]++ >= kShrunkPerKindMax) return;
    const auto disagrees = [&](const JsonTree& smaller) {
      const std::string text = QuestionOf(smaller);
      oracle_.Send(text);
      const k8s::Documents answer = oracle_.Receive();
      const Comparison again = Compare(text, answer.roots()[0]);
      return std::any_of(again.disagreements.begin(), again.disagreements.end(),
                         [&](const Disagreement& other) { return other.about == about; });
    };
    const std::string path =
        absl::StrCat(options_.failures, "/", about, "-", question.seed, ".json");
    std::ofstream(path) << Shrink(question.test_case, disagrees).ToString() << "\n";
    std::printf("  its smallest form: tests/oracle/run --case %s\n", path.c_str());
    std::fflush(stdout);
  }

  int Summary() {
    bool tests_enough = true;
    std::printf("%lld pairs of a pod and a node; refused by\n", static_cast<long long>(pairs_));
    for (const auto& [plugin, count] : refused_) {
      std::printf("  %-18s %lld\n", plugin.c_str(), static_cast<long long>(count));
    }
    for (const std::string plugin : ComparedPlugins()) {
      const double share = static_cast<double>(refused_[plugin]) / static_cast<double>(pairs_);
      if (pairs_ < kPairsForShares || (share >= kShareMin && share <= 1 - kShareMin)) continue;
      std::printf("the random cases hardly test %s\n", plugin.c_str());
      tests_enough = false;
    }
    std::printf("%lld gangs have a plan\n", static_cast<long long>(plans_));
    std::printf("%lld cases that the API server refuses were left out\n",
                static_cast<long long>(invalid_));
    std::printf("%lld passed, %lld failed\n", static_cast<long long>(passed_),
                static_cast<long long>(failed_));
    return failed_ == 0 && tests_enough ? 0 : 1;
  }

  Options options_;
  OracleProcess oracle_;
  int64_t passed_ = 0;
  int64_t failed_ = 0;
  int64_t invalid_ = 0;
  int64_t pairs_ = 0;
  int64_t plans_ = 0;
  std::map<std::string, int64_t> refused_;
  std::map<std::string, int> shrunk_;
};

int RunFile(const Options& options) {
  std::ifstream file(options.case_file);
  std::stringstream text;
  text << file.rdbuf();
  auto documents = k8s::ReadJson({options.case_file, text.str()});
  if (!documents.ok() || documents->roots().size() != 1) {
    std::fprintf(stderr, "%s: expected one JSON object\n", options.case_file.c_str());
    return 2;
  }
  const JsonTree test_case(documents->roots()[0]);
  OracleProcess oracle(options.oracle);
  const std::string question = QuestionOf(test_case);
  oracle.Send(question);
  const k8s::Documents answer = oracle.Receive();
  const Comparison comparison = Compare(question, answer.roots()[0]);
  for (const std::string& complaint : comparison.complaints) {
    std::printf("the API server refuses it: %s\n", complaint.c_str());
  }
  for (const Disagreement& disagreement : comparison.disagreements) {
    std::printf("%s\n", disagreement.text.c_str());
  }
  const bool passed = comparison.valid && comparison.disagreements.empty();
  std::printf("%d passed, %d failed\n", passed ? 1 : 0, passed ? 0 : 1);
  return passed ? 0 : 1;
}

// False where an argument is not understood.
bool ParseOptions(int argc, char** argv, Options* options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const absl::string_view name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--oracle") {
      options->oracle = value;
    } else if (name == "--case") {
      options->case_file = value;
    } else if (name == "--failures") {
      options->failures = value;
    } else if (name == "--cases") {
      if (!absl::SimpleAtoi(value, &options->cases)) return false;
    } else if (name == "--seed") {
      if (!absl::SimpleAtoi(value, &options->seed)) return false;
    } else {
      return false;
    }
  }
  return argc % 2 == 1 && !options->oracle.empty();
}

}  // namespace
}  // namespace gangpack

int main(int argc, char** argv) {
  gangpack::Options options;
  if (!gangpack::ParseOptions(argc, argv, &options)) {
    std::fprintf(stderr,
                 "expected --oracle PROGRAM and [--cases N] [--seed S] [--case FILE] "
                 "[--failures FOLDER]; see tests/oracle/run --help\n");
    return 2;
  }
  return options.case_file.empty() ? gangpack::RandomRun(options).Run()
                                   : gangpack::RunFile(options);
}
