// Decodes the cluster and the user of a kubeconfig.
//
// Faults go to the list of the field that is decoded.

#ifndef GANGPACK_K8S_KUBECONFIG_ENTRY_H_
#define GANGPACK_K8S_KUBECONFIG_ENTRY_H_

#include <string>

#include "k8s/client_config.h"
#include "k8s/credentials.h"
#include "k8s/field.h"

namespace gangpack::k8s {

struct EntrySource {
  std::string folder;  // Of the kubeconfig: what its relative paths begin at. Empty: ours.
  FileReader reader;
};

void DecodeCluster(const Field& cluster, const EntrySource& source, ClientConfig* config);
void DecodeUser(const Field& user, const EntrySource& source, ClientConfig* config);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_KUBECONFIG_ENTRY_H_
