// Decodes one page of a list.
//
// A page is parsed as a whole, its objects are decoded one by one, and the text is dropped: a list
// of any length costs the memory of one page.

#ifndef GANGPACK_K8S_LIST_PAGE_H_
#define GANGPACK_K8S_LIST_PAGE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "k8s/api_object.h"
#include "k8s/resource_type.h"

namespace gangpack::k8s {

struct ListPage {
  std::vector<ApiRecord> records;  // In the order of the text.
  std::string resource_version;    // Of the whole list; a watch may begin there. Not empty.
  std::string continue_token;      // Of the next page. Empty on the last one.
};

// InvalidArgument where the text is no list with metadata.resourceVersion.
absl::StatusOr<ListPage> DecodeListPage(ResourceType type, std::string body);

}  // namespace gangpack::k8s

#endif  // GANGPACK_K8S_LIST_PAGE_H_
