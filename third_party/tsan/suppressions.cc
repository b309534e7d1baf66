// What ThreadSanitizer is not to report. Debian's cpp-httplib is not instrumented, so the guard of
// its function-local statics is not seen to order anything, and their first use from two threads is
// reported as a race.
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
  return "called_from_lib:libcpp-httplib.so\n";
}
