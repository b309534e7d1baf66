// What gangpack may have to ask of the API server: the one table of it.
//
// The chart's ClusterRole grants exactly this.
#ifndef GANGPACK_SERVER_DOCTOR_ACCESS_RIGHTS_H_
#define GANGPACK_SERVER_DOCTOR_ACCESS_RIGHTS_H_

#include <string>
#include <vector>

#include "k8s/api_body.h"

namespace gangpack::server {

// In every namespace.
struct AccessRight {
  k8s::AccessQuestion question;
  bool needed = true;   // else it only works worse without
  std::string without;  // what comes of it where it is missing

  // "list podgroups.scheduling.x-k8s.io", "create pods/binding"
  std::string ToString() const;
  // As an item of a ClusterRole's rules.
  std::string Rule() const;
};

std::vector<AccessRight> AccessRights();

}  // namespace gangpack::server

#endif  // GANGPACK_SERVER_DOCTOR_ACCESS_RIGHTS_H_
