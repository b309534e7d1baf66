#include "k8s/list_page.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/status_macros.h"
#include "k8s/document.h"
#include "k8s/fault.h"
#include "k8s/field.h"
#include "k8s/json_reader.h"

namespace gangpack::k8s {

absl::StatusOr<ListPage> DecodeListPage(ResourceType type, std::string body) {
  const std::string source = absl::StrCat("list of ", ResourceName(type));
  GP_ASSIGN_OR_RETURN(const Documents documents, ReadJson({source, std::move(body)}));
  if (documents.roots().size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat(source, ": expected one JSON object"));
  }
  FaultList faults;
  faults.file = source;
  const Field root(documents.roots().front(), &faults);
  ListPage page;
  if (root.IsObject()) {
    const Field metadata = root.Object("metadata");
    page.resource_version = std::string(metadata.Text("resourceVersion"));
    page.continue_token = std::string(metadata.Text("continue"));
    if (page.resource_version.empty() && faults.faults.empty()) {
      metadata.Report("resourceVersion", "missing, expected the version of the list");
    }
    const Field items = root.List("items");
    page.records.reserve(items.item_count());
    for (size_t i = 0; i < items.item_count(); ++i) {
      page.records.push_back(ReadApiRecord(type, items.value().items()[i]));
    }
  }
  if (!faults.faults.empty()) {
    return absl::InvalidArgumentError(faults.faults.front().ToString());
  }
  return page;
}

}  // namespace gangpack::k8s
