// CORE_CHECK: stops the process on a broken invariant of our own; on in release builds, never
// reachable by user input.
#ifndef GANGPACK_CORE_CHECK_H_
#define GANGPACK_CORE_CHECK_H_

#include <cstdio>
#include <cstdlib>

#define CORE_CHECK(condition)                                                                \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: broken invariant: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)

#endif  // GANGPACK_CORE_CHECK_H_
