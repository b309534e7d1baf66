#include <iostream>
#include <string>
#include <vector>

#include "glog/logging.h"
#include "server/command_line.h"

int main(int argc, char** argv) {
  FLAGS_logtostderr = true;
  google::InitGoogleLogging(argv[0]);
  const std::vector<std::string> args(argv + 1, argv + argc);
  return gangpack::server::RunCommandLine(args, std::cin, std::cout, std::cerr);
}
