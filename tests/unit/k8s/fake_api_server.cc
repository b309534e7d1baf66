#include "tests/unit/k8s/fake_api_server.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace gangpack::k8s {
namespace {

std::string ObjectText(const std::string& name, const FakeApiServer::Object& object) {
  const std::string labels =
      object.unusable ? "3" : absl::StrCat(R"({"version":")", object.version, R"("})");
  return absl::StrCat(R"({"metadata":{"name":")", name, R"(","uid":")", object.uid,
                      R"(","resourceVersion":")", object.version, R"(","labels":)", labels, "}}");
}

}  // namespace

void FakeApiServer::Put(const std::string& name, bool unusable) {
  if (!served_) return;
  const bool is_new = objects_.count(name) == 0;
  Object& object = objects_[name];
  if (is_new) object.uid = absl::StrCat("uid-", ++uids_);
  object.version = ++version_;
  object.unusable = unusable;
  Record(is_new ? "ADDED" : "MODIFIED", name, object);
}

void FakeApiServer::Remove(const std::string& name) {
  const auto it = objects_.find(name);
  if (it == objects_.end()) return;
  Object object = it->second;
  objects_.erase(it);
  object.version = ++version_;
  Record("DELETED", name, object);
}

void FakeApiServer::Compact() {
  oldest_version_ = version_;
  history_.clear();
  snapshots_.clear();
}

void FakeApiServer::SetServed(bool served) {
  if (!served) {
    while (!objects_.empty()) Remove(std::string(objects_.begin()->first));
  }
  served_ = served;
}

FakeApiServer::Answer FakeApiServer::List(int limit, const std::string& continue_token) {
  if (!served_) return {404, "404 page not found"};
  // A token is VERSION/NAME: the list is the one of that version, from that name on.
  std::string version = absl::StrCat(version_);
  std::string first;
  if (!continue_token.empty()) {
    const size_t slash = continue_token.find('/');
    version = continue_token.substr(0, slash);
    first = continue_token.substr(slash + 1);
    if (snapshots_.count(version) == 0) return {410, ExpiredStatus()};
  } else {
    snapshots_[version] = objects_;
  }
  const std::map<std::string, Object>& snapshot = snapshots_[version];
  std::string items;
  std::string next;
  int count = 0;
  for (auto it = snapshot.lower_bound(first); it != snapshot.end(); ++it) {
    if (count == limit) {
      next = absl::StrCat(version, "/", it->first);
      break;
    }
    absl::StrAppend(&items, count == 0 ? "" : ",", ObjectText(it->first, it->second));
    ++count;
  }
  return {200, absl::StrCat(R"({"metadata":{"resourceVersion":")", version, R"(","continue":")",
                            next, R"("},"items":[)", items, "]}")};
}

FakeApiServer::Answer FakeApiServer::StartWatch(const std::string& resource_version) const {
  if (!served_) return {404, "404 page not found"};
  if (std::stoll(resource_version) < oldest_version_) return {410, ExpiredStatus()};
  return {};
}

std::vector<std::string> FakeApiServer::FramesAfter(int64_t version) const {
  std::vector<std::string> frames;
  for (const Change& change : history_) {
    if (change.version > version) frames.push_back(change.frame);
  }
  return frames;
}

std::string FakeApiServer::BookmarkFrame() const {
  return absl::StrCat(R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":")", version_,
                      "\"}}}\n");
}

std::string FakeApiServer::ExpiredStatus() {
  return R"({"kind":"Status","code":410,"reason":"Expired","message":"too old"})";
}

void FakeApiServer::Record(const std::string& type, const std::string& name, const Object& object) {
  history_.push_back({object.version, absl::StrCat(R"({"type":")", type, R"(","object":)",
                                                   ObjectText(name, object), "}\n")});
}

}  // namespace gangpack::k8s
