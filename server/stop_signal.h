// SIGTERM and SIGINT as something to wait for, so that no code of ours runs in a signal handler.
//
// Process-wide: the signals are blocked from construction on, and in every thread that is started
// after it; so it comes before the first of them, once per process. They stay blocked while the
// process stops, since a second one would cut short what the first asks for.
#ifndef GANGPACK_SERVER_STOP_SIGNAL_H_
#define GANGPACK_SERVER_STOP_SIGNAL_H_

#include <csignal>
#include <string>

namespace gangpack::server {

class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Blocks until one of them comes; its name.
  std::string Wait();

 private:
  sigset_t signals_;
};

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_STOP_SIGNAL_H_
