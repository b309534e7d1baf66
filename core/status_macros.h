// GP_RETURN_IF_ERROR and GP_ASSIGN_OR_RETURN: early return of a failed absl::Status or
// absl::StatusOr.
#ifndef GANGPACK_CORE_STATUS_MACROS_H_
#define GANGPACK_CORE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define GP_RETURN_IF_ERROR(expr)                                            \
  do {                                                                      \
    if (absl::Status gp_status = (expr); !gp_status.ok()) return gp_status; \
  } while (false)

#define GP_STATUS_CONCAT_INNER(a, b) a##b
#define GP_STATUS_CONCAT(a, b) GP_STATUS_CONCAT_INNER(a, b)
#define GP_ASSIGN_OR_RETURN(lhs, expr) \
  GP_ASSIGN_OR_RETURN_INNER(GP_STATUS_CONCAT(gp_statusor_, __LINE__), lhs, expr)
#define GP_ASSIGN_OR_RETURN_INNER(statusor, lhs, expr) \
  auto statusor = (expr);                              \
  if (!statusor.ok()) return statusor.status();        \
  lhs = std::move(statusor).value()

#endif  // GANGPACK_CORE_STATUS_MACROS_H_
