// A Kubernetes resource quantity, `500m`, `1.5Gi` or `2e3`, with the meaning that
// k8s.io/apimachinery/pkg/api/resource gives to it.
//
// Units: a quantity is a decimal number of whole units (cores, bytes, devices) with at most nine
// digits after the point; anything finer is rounded up, away from zero. Magnitudes are capped at
// 2^63-1 whole units.
//
// Where the Go code's conversion to int64 wraps around or gives 0 (`10E`, or `16Pi` in milli), this
// one gives the largest int64: a request beyond all bounds must never look small. Rounding is away
// from zero for negative quantities too, where the Go code depends on its inner representation.
//
// Cost: linear in the text, no allocation unless it is refused.

#ifndef GANGPACK_K8S_QUANTITY_H_
#define GANGPACK_K8S_QUANTITY_H_

#include <cstdint>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace gangpack::k8s {

class Quantity {
 public:
  Quantity() = default;  // Zero.

  // InvalidArgument when the text is no quantity. Accepted and refused is what ParseQuantity of
  // apimachinery accepts and refuses, down to oddities: "+", "." and "k" are zero.
  static absl::StatusOr<Quantity> Parse(absl::string_view text);

  // -1, 0 or 1.
  int sign() const { return nano_ > 0 ? 1 : nano_ < 0 ? -1 : 0; }
  // Whole units, rounded away from zero. Quantity.Value() in Go.
  int64_t ValueRoundedUp() const;
  // Thousandths, rounded away from zero; exact for all that is not capped.
  absl::int128 Thousandths() const;
  // Thousandths, rounded away from zero and capped to int64. Quantity.MilliValue() in Go.
  int64_t MilliValue() const;
  // Whether the text meant more than int64 can hold in whole units, or in thousandths.
  bool ValueIsCapped() const;
  bool MilliValueIsCapped() const;

 private:
  using Int128 = __int128;

  explicit Quantity(Int128 nano) : nano_(nano) {}

  Int128 nano_ = 0;
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_QUANTITY_H_
