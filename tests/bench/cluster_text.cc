#include "tests/bench/cluster_text.h"

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"

namespace gangpack::bench {
namespace {

constexpr int kGangSize = 18;
constexpr int kPendingOneIn = 20;
constexpr int kNodesPerRack = 32;

// $0 node, $1 its number, $2 its rack
constexpr char kNode[] =
    R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"$0",)"
    R"("uid":"4f5b2c1e-0000-4000-8000-$1","resourceVersion":"$3",)"
    R"("creationTimestamp":"2026-01-12T09:30:00Z","labels":{"beta.kubernetes.io/arch":"amd64",)"
    R"("beta.kubernetes.io/os":"linux","kubernetes.io/arch":"amd64","kubernetes.io/hostname":"$0",)"
    R"("kubernetes.io/os":"linux","node.kubernetes.io/instance-type":"gpu-8x",)"
    R"("topology.example.com/rack":"rack-$2","topology.kubernetes.io/zone":"zone-a"},)"
    R"("annotations":{"csi.volume.kubernetes.io/nodeid":"{\"disk.csi.example.com\":\"$0\"}",)"
    R"("node.alpha.kubernetes.io/ttl":"0",)"
    R"("volumes.kubernetes.io/controller-managed-attach-detach":"true"},)"
    R"("managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1",)"
    R"("time":"2026-01-12T09:30:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":)"
    R"({"f:annotations":{".":{},"f:volumes.kubernetes.io/controller-managed-attach-detach":{}},)"
    R"("f:labels":{".":{},"f:kubernetes.io/arch":{},"f:kubernetes.io/hostname":{},)"
    R"("f:kubernetes.io/os":{}}}}}]},"spec":{"podCIDR":"10.4.7.0/24","podCIDRs":["10.4.7.0/24"],)"
    R"("providerID":"example:///zone-a/$0"},"status":{"capacity":{"cpu":"192",)"
    R"("ephemeral-storage":"7000Gi","hugepages-1Gi":"0","hugepages-2Mi":"0",)"
    R"("memory":"2113403276Ki","nvidia.com/gpu":"8","pods":"110"},"allocatable":{"cpu":"191500m",)"
    R"("ephemeral-storage":"6500Gi","hugepages-1Gi":"0","hugepages-2Mi":"0",)"
    R"("memory":"2100000000Ki","nvidia.com/gpu":"8","pods":"110"},"conditions":[)"
    R"({"type":"MemoryPressure","status":"False","lastHeartbeatTime":"2026-01-14T08:00:00Z",)"
    R"("lastTransitionTime":"2026-01-12T09:30:00Z","reason":"KubeletHasSufficientMemory",)"
    R"("message":"kubelet has sufficient memory available"},{"type":"DiskPressure",)"
    R"("status":"False","lastHeartbeatTime":"2026-01-14T08:00:00Z",)"
    R"("lastTransitionTime":"2026-01-12T09:30:00Z","reason":"KubeletHasNoDiskPressure",)"
    R"("message":"kubelet has no disk pressure"},{"type":"Ready","status":"True",)"
    R"("lastHeartbeatTime":"2026-01-14T08:00:00Z","lastTransitionTime":"2026-01-12T09:30:40Z",)"
    R"("reason":"KubeletReady","message":"kubelet is posting ready status"}],"addresses":[)"
    R"({"type":"InternalIP","address":"10.1.7.3"},{"type":"Hostname","address":"$0"}],)"
    R"("daemonEndpoints":{"kubeletEndpoint":{"Port":10250}},"nodeInfo":{"machineID":)"
    R"("8e025a21a4254e11b028584d9d8b12c4","systemUUID":"349a37f7-d63c-4ef1-8ddb-3d6f5e4e6f32",)"
    R"("bootID":"49b2a8d5-0c3e-4c1b-9b2f-3f1e1c8f4f0a","kernelVersion":"6.1.0-37-cloud-amd64",)"
    R"("osImage":"Debian GNU/Linux 12","containerRuntimeVersion":"containerd://1.7.24",)"
    R"("kubeletVersion":"v1.34.4","kubeProxyVersion":"","operatingSystem":"linux",)"
    R"("architecture":"amd64"},"images":[{"names":["registry.example.com/llm/train@sha256:)"
    R"(8b1a9953c4611296a827abf8c47804d78b1a9953c4611296a827abf8c47804d7",)"
    R"("registry.example.com/llm/train:2026.01"],"sizeBytes":9284713472}]}})";

// $0 name, $1 number, $2 labels, $3 spec.nodeName with its comma or nothing, $4 status
constexpr char kPod[] =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"$0","generateName":"train-",)"
    R"("namespace":"team-$5","uid":"0d3f7a52-0000-4000-8000-$1","resourceVersion":"$6",)"
    R"("creationTimestamp":"2026-01-13T10:00:00Z","labels":{$2},)"
    R"("annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-12T09:29:58Z"},)"
    R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"train-7c9f8b6d5",)"
    R"("uid":"1f0e6c3a-7f0e-4a52-9c64-0b6f4a4b8f10","controller":true,"blockOwnerDeletion":true}],)"
    R"("managedFields":[{"manager":"kube-controller-manager","operation":"Update",)"
    R"("apiVersion":"v1","time":"2026-01-13T10:00:00Z","fieldsType":"FieldsV1","fieldsV1":)"
    R"({"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/name":{}}},)"
    R"("f:spec":{"f:containers":{"k:{\"name\":\"worker\"}":{".":{},"f:image":{},"f:name":{},)"
    R"("f:resources":{".":{},"f:limits":{}}}},"f:restartPolicy":{},"f:schedulerName":{}}}}]},)"
    R"("spec":{"volumes":[{"name":"shm","emptyDir":{"medium":"Memory","sizeLimit":"64Gi"}},)"
    R"({"name":"kube-api-access-x7x9q","projected":{"sources":[{"serviceAccountToken":)"
    R"({"expirationSeconds":3607,"path":"token"}}],"defaultMode":420}}],"containers":[)"
    R"({"name":"worker","image":"registry.example.com/llm/train:2026.01","command":["python","-m",)"
    R"("train"],"env":[{"name":"NCCL_DEBUG","value":"INFO"}],"resources":{"limits":)"
    R"({"cpu":"8","memory":"64Gi","nvidia.com/gpu":"1"},"requests":{"cpu":"8","memory":"64Gi",)"
    R"("nvidia.com/gpu":"1"}},"volumeMounts":[{"name":"shm","mountPath":"/dev/shm"},{"name":)"
    R"("kube-api-access-x7x9q","readOnly":true,"mountPath":)"
    R"("/var/run/secrets/kubernetes.io/serviceaccount"}],"livenessProbe":{"httpGet":{"path":)"
    R"("/healthz","port":8080,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,)"
    R"("successThreshold":1,"failureThreshold":3},"terminationMessagePath":"/dev/termination-log",)"
    R"("terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],)"
    R"("restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)"
    R"("serviceAccountName":"default","serviceAccount":"default",$3"securityContext":{},)"
    R"("schedulerName":"ome-scheduler","tolerations":[{"key":"nvidia.com/gpu","operator":"Exists",)"
    R"("effect":"NoSchedule"},{"key":"node.kubernetes.io/not-ready","operator":"Exists",)"
    R"("effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,)"
    R"("preemptionPolicy":"PreemptLowerPriority"},"status":$4})";

constexpr char kPendingStatus[] = R"({"phase":"Pending","qosClass":"Guaranteed"})";
constexpr char kRunningStatus[] =
    R"({"phase":"Running","conditions":[{"type":"Ready",)"
    R"("status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-13T10:00:05Z"},)"
    R"({"type":"PodScheduled","status":"True","lastProbeTime":null,)"
    R"("lastTransitionTime":"2026-01-13T10:00:00Z"}],"hostIP":"10.1.7.3","podIP":"10.4.7.19",)"
    R"("podIPs":[{"ip":"10.4.7.19"}],"startTime":"2026-01-13T10:00:00Z","containerStatuses":[)"
    R"({"name":"worker","state":{"running":{"startedAt":"2026-01-13T10:00:04Z"}},"lastState":{},)"
    R"("ready":true,"restartCount":0,"image":"registry.example.com/llm/train:2026.01","containerID":)"
    R"("containerd://3f2a1b9d8c7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a",)"
    R"("started":true}],"qosClass":"Guaranteed"})";

std::string NodeName(int node) { return absl::StrFormat("node-%05d.cluster.example.com", node); }

bool IsPending(int pod) { return pod % kPendingOneIn == 0; }

// Each object on lines of its own, four spaces deeper for each list or object, as kubectl prints.
void AppendIndented(absl::string_view compact, int depth, std::string* out) {
  const auto new_line = [&] {
    out->push_back('\n');
    out->append(static_cast<size_t>(depth) * 4, ' ');
  };
  bool in_string = false;
  for (size_t i = 0; i < compact.size(); ++i) {
    const char c = compact[i];
    if (in_string) {
      out->push_back(c);
      if (c == '\\') out->push_back(compact[++i]);
      in_string = c != '"';
      continue;
    }
    const bool opens = c == '{' || c == '[';
    if (opens && compact[i + 1] == c + 2) {  // '{' and '}', '[' and ']' are two apart
      absl::StrAppend(out, compact.substr(i++, 2));
      continue;
    }
    if (c == '}' || c == ']') {
      --depth;
      new_line();
    }
    out->push_back(c);
    if (opens) ++depth;
    if (opens || c == ',') new_line();
    if (c == ':') out->push_back(' ');
    in_string = c == '"';
  }
}

class ListFile {
 public:
  ListFile(std::FILE* file, bool indented) : file_(file), indented_(indented) {
    Write(indented ? "{\n    \"apiVersion\": \"v1\",\n    \"items\": ["
                   : R"({"apiVersion":"v1","items":[)");
  }

  void Add(absl::string_view object) {
    std::string text = first_ ? "" : ",";
    first_ = false;
    if (indented_) {
      text += "\n        ";
      AppendIndented(object, 2, &text);
    } else {
      absl::StrAppend(&text, object);
    }
    Write(text);
  }

  void End() {
    Write(indented_ ? "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        "
                      "\"resourceVersion\": \"\"\n    }\n}\n"
                    : R"(],"kind":"List","metadata":{"resourceVersion":""}})");
  }

  long long bytes() const { return bytes_; }
  bool ok() const { return ok_; }

 private:
  void Write(absl::string_view text) {
    bytes_ += static_cast<long long>(text.size());
    ok_ = ok_ && std::fwrite(text.data(), 1, text.size(), file_) == text.size();
  }

  std::FILE* file_;
  bool indented_;
  bool first_ = true;
  long long bytes_ = 0;
  bool ok_ = true;
};

}  // namespace

std::string NodeText(int node) {
  return absl::Substitute(kNode, NodeName(node), absl::StrFormat("%012d", node),
                          node / kNodesPerRack, 1000000 + node);
}

std::string PodText(int pod, const ClusterShape& shape) {
  const bool pending = IsPending(pod);
  std::string labels = R"("app.kubernetes.io/name":"train","app.kubernetes.io/part-of":"llm",)"
                       R"("pod-template-hash":"7c9f8b6d5")";
  std::string node;
  if (pending) {
    absl::StrAppend(&labels, R"(,"scheduling.x-k8s.io/pod-group":"gang-)",
                    pod / kPendingOneIn / kGangSize, "\"");
  } else {
    node = absl::StrCat(R"("nodeName":")", NodeName(pod % shape.nodes), "\",");
  }
  return absl::Substitute(
      kPod, absl::StrFormat("train-7c9f8b6d5-%06d", pod), absl::StrFormat("%012d", pod), labels,
      node, pending ? kPendingStatus : kRunningStatus, pending ? 0 : pod % 40, 2000000 + pod);
}

bool WriteClusterText(const ClusterShape& shape, const std::string& path, long long* bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  ListFile list(file, shape.indented);
  for (int node = 0; node < shape.nodes; ++node) list.Add(NodeText(node));
  for (int pod = 0; pod < shape.pods; ++pod) list.Add(PodText(pod, shape));
  list.End();
  *bytes = list.bytes();
  return std::fclose(file) == 0 && list.ok();
}

}  // namespace gangpack::bench
