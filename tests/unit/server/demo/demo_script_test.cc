#include "server/demo/demo_script.h"

#include <filesystem>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace gangpack::server {
namespace {

namespace fs = std::filesystem;

TEST(DemoScriptTest, EveryFolderOfTheExamplesIsAChapter) {
  std::set<std::string> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator("examples")) {
    if (entry.is_directory()) folders.insert(entry.path().filename());
  }
  std::set<std::string> chapters;
  for (const DemoChapter& chapter : DemoScript("examples")) chapters.insert(chapter.name);
  EXPECT_EQ(chapters, folders);
}

TEST(DemoScriptTest, EveryManifestAndStepOfTheExamplesIsPlayedOnce) {
  std::multiset<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator("examples")) {
    const bool is_example = entry.path().parent_path() != "examples";
    if (is_example && entry.path().extension() == ".yaml") files.insert(entry.path());
  }
  std::multiset<std::string> played;
  for (const DemoChapter& chapter : DemoScript("examples")) {
    for (const DemoAct& act : chapter.acts) {
      for (const std::string& path : act.paths) {
        if (!fs::is_directory(path)) {
          played.insert(path);
          continue;
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
          if (entry.path().extension() == ".yaml") played.insert(entry.path());
        }
      }
    }
  }
  EXPECT_EQ(played, files);
}

}  // namespace
}  // namespace gangpack::server
