// Makes the text of a large cluster as an API server keeps it, for benchmarks of reading.
//
// Each node and pod has what real ones have, read by gangpack or not: managedFields, probes,
// volumes, conditions, container statuses. Determinism: the same shape gives the same bytes.
// Not here: clusters for the engine alone (engine_bench.cc makes those as values).
#ifndef GANGPACK_TESTS_BENCH_CLUSTER_TEXT_H_
#define GANGPACK_TESTS_BENCH_CLUSTER_TEXT_H_

#include <string>

namespace gangpack::bench {

struct ClusterShape {
  int nodes = 20000;
  int pods = 140000;  // one in 20 pending, in gangs of 18; the others run, equally many per node
  bool indented = false;  // as `kubectl get -o json` prints, rather than as the API server sends
};

// One object as compact JSON.
std::string NodeText(int node);
std::string PodText(int pod, const ClusterShape& shape);

// Writes all of them as one `kind: List`. False, with errno, where that fails. `*bytes` is the
// size of the file.
bool WriteClusterText(const ClusterShape& shape, const std::string& path, long long* bytes);

}  // namespace gangpack::bench

#endif  // GANGPACK_TESTS_BENCH_CLUSTER_TEXT_H_
