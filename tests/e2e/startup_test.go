package e2e

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"gangpack/tests/e2e/controlplane"
)

var (
	startupNodes = flag.Int("startup-nodes", 5000, "nodes of the cluster that gangpack starts on")
	startupPods  = flag.Int("startup-pods", 140000, "its pods, all of them bound")
)

// How many requests create objects at once, and how many objects gangpack asks for in one page of a list.
const (
	creators  = 64
	pageLimit = 500
)

// From the start of gangpack's process until it is ready, on a large cluster; beside it how long the API server takes to serve
// the same pages to a client that drops them. Then 30 s at rest. Only in a control plane of its own: nothing is deleted again.
func BenchmarkStartOnALargeCluster(b *testing.B) {
	for _, process := range []*controlplane.Process{plane.Gangpack, plane.Scheduler, plane.DefaultScheduler, plane.Controllers} {
		mustNot(b, process.Stop())
	}
	fillCluster(b, *startupNodes, *startupPods)
	client := quickClient(b)
	timeOfServing(b, client) // warms the API server up
	serving, bytesServed := timeOfServing(b, client)
	var ready time.Duration
	for b.Loop() {
		mustNot(b, plane.Gangpack.Stop())
		begin := time.Now()
		mustNot(b, plane.StartGangpack(b.Context()))
		ready += time.Since(begin)
	}
	b.ReportMetric(ready.Seconds()/float64(b.N), "s-until-ready")
	b.ReportMetric(serving.Seconds(), "s-served-by-apiserver")
	b.ReportMetric(float64(bytesServed)/1e6, "MB-of-lists")
	b.ReportMetric(cpuSeconds(b, plane.Gangpack.Pid()), "s-cpu")
	b.ReportMetric(residentMiB(b, "VmHWM:"), "MiB-peak")
	reportAtRest(b, client)
	b.ReportMetric(residentMiB(b, "VmRSS:"), "MiB-resident")
}

func reportAtRest(b *testing.B, client *kubernetes.Clientset) {
	const rest = 30 * time.Second
	pid := plane.Gangpack.Pid()
	requests, cpu := requestsServed(b, client), cpuSeconds(b, pid)
	time.Sleep(rest)
	b.ReportMetric((cpuSeconds(b, pid)-cpu)/rest.Seconds()*100, "%cpu-at-rest")
	b.ReportMetric(requestsServed(b, client)-requests, "requests-at-rest")
}

func mustNot(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// quickClient has no limit of requests per second.
func quickClient(b *testing.B) *kubernetes.Clientset {
	b.Helper()
	config := rest.CopyConfig(plane.Config)
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	mustNot(b, err)
	return client
}

func fillCluster(b *testing.B, nodes, pods int) {
	b.Helper()
	const namespace = "startup"
	ctx, client := b.Context(), quickClient(b)
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	mustNot(b, err)
	name := func(node int) string { return fmt.Sprintf("startup-%05d.cluster.example.com", node) }
	inParallel(b, nodes, func(i int) error {
		node := controlplane.Node(name(i), map[string]string{"gangpack.test/rack": fmt.Sprint(i / 32)}, gpus(8))
		_, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
		return err
	})
	inParallel(b, pods, func(i int) error {
		_, err := client.CoreV1().Pods(namespace).Create(ctx, ordinaryPod(fmt.Sprintf("train-7c9f8b6d5-%06d", i), name(i%nodes)), metav1.CreateOptions{})
		return err
	})
}

// ordinaryPod has what pods of a Deployment have, so that its size is theirs.
func ordinaryPod(name, node string) *corev1.Pod {
	amounts := controlplane.Resources{corev1.ResourceCPU: "500m", corev1.ResourceMemory: "1Gi"}.List()
	probe := &corev1.Probe{PeriodSeconds: 10, TimeoutSeconds: 1}
	probe.HTTPGet = &corev1.HTTPGetAction{Path: "/healthz"}
	probe.HTTPGet.Port.IntVal = 8080
	volume := corev1.Volume{Name: "scratch"}
	volume.EmptyDir = &corev1.EmptyDirVolumeSource{}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app.kubernetes.io/name": "train",
			"app.kubernetes.io/part-of": "llm", "pod-template-hash": "7c9f8b6d5"}},
		Spec: corev1.PodSpec{NodeName: node, SchedulerName: controlplane.SchedulerName, Volumes: []corev1.Volume{volume},
			Containers: []corev1.Container{{Name: "worker", Image: "registry.example.com/llm/train:2026.01", LivenessProbe: probe,
				Command: []string{"python", "-m", "train"}, Env: []corev1.EnvVar{{Name: "NCCL_DEBUG", Value: "INFO"}},
				Resources:    corev1.ResourceRequirements{Requests: amounts, Limits: amounts},
				VolumeMounts: []corev1.VolumeMount{{Name: "scratch", MountPath: "/scratch"}}}}},
	}
}

// inParallel calls `each` with 0 to count-1, `creators` at once.
func inParallel(b *testing.B, count int, each func(int) error) {
	b.Helper()
	var group sync.WaitGroup
	numbers, failures := make(chan int), make(chan error, creators)
	for range creators {
		group.Go(func() {
			for i := range numbers {
				if err := each(i); err != nil {
					select {
					case failures <- err:
					default:
					}
				}
			}
		})
	}
	for i := range count {
		numbers <- i
	}
	close(numbers)
	group.Wait()
	select {
	case err := <-failures:
		b.Fatal(err)
	default:
	}
}

// timeOfServing lists nodes and pods as gangpack does, page by page in JSON and both at once, and drops what comes.
func timeOfServing(b *testing.B, client *kubernetes.Clientset) (time.Duration, int64) {
	b.Helper()
	begin := time.Now()
	resources := []string{"nodes", "pods"}
	sizes := make([]int64, len(resources))
	inParallel(b, len(resources), func(i int) (err error) {
		sizes[i], err = listAll(b.Context(), client.CoreV1().RESTClient().(*rest.RESTClient).Client, "/api/v1/"+resources[i])
		return err
	})
	return time.Since(begin), sizes[0] + sizes[1]
}

func listAll(ctx context.Context, client *http.Client, path string) (int64, error) {
	var size int64
	for token := ""; ; {
		query := url.Values{"limit": {strconv.Itoa(pageLimit)}}
		if token != "" {
			query.Set("continue", token)
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, plane.Config.Host+path+"?"+query.Encode(), nil)
		if err != nil {
			return size, err
		}
		request.Header.Set("Accept", "application/json")
		answer, err := client.Do(request)
		if err != nil {
			return size, err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			return size, fmt.Errorf("GET %s: %s: %w", path, answer.Status, err)
		}
		size += int64(len(body))
		if token = continueToken(body); token == "" {
			return size, nil
		}
	}
}

// continueToken finds the token where the API server writes it, in the list's metadata before the items.
func continueToken(body []byte) string {
	head, _, _ := bytes.Cut(body, []byte(`"items"`))
	_, rest, found := bytes.Cut(head, []byte(`"continue":"`))
	if !found {
		return ""
	}
	token, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(token)
}

// requestsServed counts what the API server was asked until now, reads and writes, by those who are no administrators: when the
// schedulers do not run that is gangpack alone.
func requestsServed(b *testing.B, client *kubernetes.Clientset) float64 {
	b.Helper()
	metrics, err := client.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(b.Context())
	mustNot(b, err)
	total := 0.0
	for line := range strings.Lines(string(metrics)) {
		// Priority and fairness exempts system:masters, to which the API server's own client belongs too.
		if !strings.HasPrefix(line, "apiserver_flowcontrol_dispatched_requests_total{") || strings.Contains(line, `flow_schema="exempt"`) {
			continue
		}
		count, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndex(line, " ")+1:]), 64)
		mustNot(b, err)
		total += count
	}
	if total == 0 {
		b.Fatal("the API server counts no request of gangpack's, which has listed everything")
	}
	return total
}

// cpuSeconds is the time that the process has used, of its own and in the kernel; a tick is 10 ms on Linux.
func cpuSeconds(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	mustNot(b, err)
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err := strconv.ParseFloat(words[11], 64)
	mustNot(b, err)
	system, err := strconv.ParseFloat(words[12], 64)
	mustNot(b, err)
	return (user + system) / 100
}

// residentMiB reads one line of /proc/PID/status of gangpack.
func residentMiB(b *testing.B, name string) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", plane.Gangpack.Pid()))
	mustNot(b, err)
	_, rest, _ := strings.Cut(string(text), name)
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	mustNot(b, err)
	return kilobytes / 1024
}
