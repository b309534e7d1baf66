// Namespaces as an API server would serve them: lists in pages, watches from a version, and a
// history that can be compacted. Faults are the test's: this server itself tells the truth.
//
// Determinism: the same calls give the same texts. Not thread-safe.

#ifndef GANGPACK_TESTS_UNIT_K8S_FAKE_API_SERVER_H_
#define GANGPACK_TESTS_UNIT_K8S_FAKE_API_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gangpack::k8s {

class FakeApiServer {
 public:
  struct Object {
    std::string uid;
    int64_t version = 0;
    bool unusable = false;  // Its labels are no object.
  };
  struct Answer {
    int code = 200;
    std::string body;
  };

  // Creates or changes an object. `unusable`: in a form that cannot be decoded.
  void Put(const std::string& name, bool unusable);
  void Remove(const std::string& name);
  // Forgets all history: older versions and continue tokens are expired.
  void Compact();
  // As with a CustomResourceDefinition: what is not served has no objects and is not found.
  void SetServed(bool served);

  bool served() const { return served_; }
  int64_t version() const { return version_; }
  const std::map<std::string, Object>& objects() const { return objects_; }

  Answer List(int limit, const std::string& continue_token);
  // 200 where a watch may begin there. Its body is then empty.
  Answer StartWatch(const std::string& resource_version) const;
  // The frames of the changes after that version, each with its newline.
  std::vector<std::string> FramesAfter(int64_t version) const;
  std::string BookmarkFrame() const;

  static std::string ExpiredStatus();

 private:
  struct Change {
    int64_t version;
    std::string frame;
  };

  void Record(const std::string& type, const std::string& name, const Object& object);

  bool served_ = true;
  int64_t version_ = 1;
  int64_t oldest_version_ = 1;  // A watch may begin here or later.
  int64_t uids_ = 0;
  std::map<std::string, Object> objects_;
  std::vector<Change> history_;
  std::map<std::string, std::map<std::string, Object>> snapshots_;  // By version, for later pages.
};

}  // namespace gangpack::k8s

#endif  // GANGPACK_TESTS_UNIT_K8S_FAKE_API_SERVER_H_
