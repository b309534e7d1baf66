#include "server/demo/demo_script.h"

#include "absl/strings/str_cat.h"

namespace gangpack::server {
namespace {

DemoChapter OmeChapter(const std::string& folder) {
  const auto in_folder = [&folder](const std::string& file) {
    return absl::StrCat(folder, "/", file);
  };
  return {
      "ome-qwen3",
      "OME serves Qwen3 on two nodes: a leader and a worker, which must share a rack",
      {{"The leader exists, its worker does not yet: nothing is reserved for half a gang",
        {in_folder("namespaces.yaml"), in_folder("nodes.yaml"), in_folder("podgroups.yaml"),
         in_folder("pods.yaml"), in_folder("qwen3-leader.yaml")}},
       {"The worker is created, but kube-scheduler is slow to try it: rack-b is held for both, and "
        "the leader's bind call stays open",
        {in_folder("late-worker/1-pause-worker.yaml"), in_folder("qwen3-worker.yaml")}},
       {"Another pod asks for a node of rack-b. There is room, but it is reserved",
        {in_folder("late-worker/2-model-cache.yaml")}},
       {"kube-scheduler tries the worker: both are bound at once, and the other pod follows",
        {in_folder("late-worker/3-resume-worker.yaml")}}}};
}

DemoChapter StatefulSetAndLwsChapter(const std::string& folder) {
  return {"statefulset-and-lws",
          "The pods of a StatefulSet and of a LeaderWorkerSet, labelled by their users",
          {{"A gang of 3 and a gang of 4: each goes whole into the smallest rack that holds it",
            {folder}}}};
}

DemoChapter CannotFitChapter(const std::string& folder) {
  return {"cannot-fit",
          "A gang that fits nowhere, and what can be done about it",
          {{"A gang of 4 that takes whole nodes. Rack-a has 4, but two of them are not to be had",
            {folder}},
           {"What the reason asks for is done: gpu-a-3 is uncordoned, then the notebook is deleted",
            {absl::StrCat(folder, "/what-if")}}}};
}

DemoChapter Nvl72Chapter(const std::string& folder) {
  return {"nvl72",
          "Four NVL72 racks: cliques of 18 nodes with 4 GPUs each",
          {{"Three gangs of 18 fill a rack each. Gangs of 8, 4 and 4 and 8 notebooks share the "
            "fourth, one gang after another. A fourth gang of 18 waits",
            {folder}},
           {"A training run ends: the rack it gives back goes to the gang that waits",
            {absl::StrCat(folder, "/what-if")}}}};
}

}  // namespace

std::vector<DemoChapter> DemoScript(const std::string& examples) {
  const auto folder = [&examples](const std::string& name) {
    return absl::StrCat(examples, "/", name);
  };
  return {OmeChapter(folder("ome-qwen3")), StatefulSetAndLwsChapter(folder("statefulset-and-lws")),
          CannotFitChapter(folder("cannot-fit")), Nvl72Chapter(folder("nvl72"))};
}

}  // namespace gangpack::server
