#include "k8s/known_objects.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace gangpack::k8s {
namespace {

void AddGone(const std::pair<std::string, std::string>& key, const std::string& uid,
             std::vector<ObjectChange>* changes) {
  changes->push_back(ObjectGone{{key.first, key.second, uid}});
}

}  // namespace

void KnownObjects::Observe(ApiRecord record, Observation* observation) {
  const ObjectIdentity& identity = record.identity;
  if (identity.name.empty()) {
    observation->reports->push_back(record.fault.empty() ? "an object without a name is left out"
                                                         : record.fault);
    return;
  }
  Key key(identity.namespace_name, identity.name);
  Entry& entry = entries_[key];
  entry.sweep = sweep_;
  if (entry.uid != identity.uid) {
    if (entry.handed_on) AddGone(key, entry.uid, observation->changes);
    entry.uid = identity.uid;
    entry.handed_on = false;
  } else if (entry.resource_version == record.resource_version && !entry.resource_version.empty()) {
    return;
  }
  entry.resource_version = record.resource_version;
  if (record.object.has_value()) {
    observation->changes->push_back(ObjectUpserted{std::move(*record.object)});
    entry.handed_on = true;
    return;
  }
  observation->reports->push_back(absl::StrCat(
      record.fault, entry.handed_on ? "; its former state stays" : "; it is left out"));
}

void KnownObjects::Remove(const ObjectIdentity& identity, std::vector<ObjectChange>* changes) {
  const auto it = entries_.find(Key(identity.namespace_name, identity.name));
  if (it == entries_.end()) return;
  if (it->second.handed_on) AddGone(it->first, it->second.uid, changes);
  entries_.erase(it);
}

void KnownObjects::EndSweep(std::vector<ObjectChange>* changes) {
  for (auto it = entries_.begin(); it != entries_.end();) {
    if (it->second.sweep == sweep_) {
      ++it;
      continue;
    }
    if (it->second.handed_on) AddGone(it->first, it->second.uid, changes);
    it = entries_.erase(it);
  }
}

void KnownObjects::Clear(std::vector<ObjectChange>* changes) {
  BeginSweep();
  EndSweep(changes);
}

}  // namespace gangpack::k8s
