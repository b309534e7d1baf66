// A small deterministic random generator for tests: the same seed gives the same numbers on every
// machine.
//
// Source: splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
// Thread-safety: none.
#ifndef GANGPACK_TESTS_SUPPORT_PRNG_H_
#define GANGPACK_TESTS_SUPPORT_PRNG_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace gangpack {

class Prng {
 public:
  explicit Prng(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // A number in [least, most], both included; the bias of the modulus does not matter to a test.
  int Between(int least, int most) {
    const uint64_t span = static_cast<uint64_t>(static_cast<int64_t>(most) - least + 1);
    return static_cast<int>(least + static_cast<int64_t>(Next() % span));
  }

  // True in `percent` of 100 calls.
  bool Chance(int percent) { return Between(0, 99) < percent; }

  template <typename T>
  void Shuffle(std::vector<T>* items) {
    for (size_t i = items->size(); i > 1; --i) std::swap((*items)[i - 1], (*items)[Next() % i]);
  }

 private:
  uint64_t state_;
};

}  // namespace gangpack

#endif  // GANGPACK_TESTS_SUPPORT_PRNG_H_
