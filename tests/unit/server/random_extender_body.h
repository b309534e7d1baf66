// Random bodies of filter calls, from faithful to broken: odd case and order of keys, nulls,
// repeated keys, wrong types, escapes and bytes beyond ASCII, and damage to the bytes.
//
// Determinism: a function of the seed.
#ifndef GANGPACK_TESTS_UNIT_SERVER_RANDOM_EXTENDER_BODY_H_
#define GANGPACK_TESTS_UNIT_SERVER_RANDOM_EXTENDER_BODY_H_

#include <cstdint>
#include <string>

namespace gangpack::server {

std::string RandomExtenderBody(uint64_t seed);

}  // namespace gangpack::server

#endif  // GANGPACK_TESTS_UNIT_SERVER_RANDOM_EXTENDER_BODY_H_
