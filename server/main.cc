#include <unistd.h>

#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "glog/logging.h"
#include "server/command_line.h"
#include "server/descriptor_buffer.h"

namespace {

constexpr int kExitOutputLost = 1;

}  // namespace

int main(int argc, char** argv) {
  FLAGS_logtostderr = true;
  google::InitGoogleLogging(argv[0]);
  const std::vector<std::string> args(argv + 1, argv + argc);
  gangpack::server::DescriptorBuffer buffer(STDOUT_FILENO);
  std::ostream out(&buffer);
  const int status = gangpack::server::RunCommandLine(args, std::cin, out, std::cerr);
  out.flush();
  if (buffer.error() == 0) return status;
  std::cerr << "gangpack: standard output: " << std::strerror(buffer.error()) << "\n";
  return status == 0 ? kExitOutputLost : status;
}
