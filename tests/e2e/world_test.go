package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"gangpack/tests/e2e/controlplane"
)

const (
	worldLabel    = "gangpack.test/world" // on nodes: whose test's they are
	podGroupLabel = "scheduling.x-k8s.io/pod-group"
	topologyKey   = "ome.io/topology-key"
	gpu           = corev1.ResourceName("nvidia.com/gpu")

	// How long a condition may take. Far more than it does, since the machine may be busy; a test never waits for all of it.
	deadline     = 30 * time.Second
	pollInterval = 30 * time.Millisecond
)

var podGroups = schema.GroupVersionResource{Group: "scheduling.x-k8s.io", Version: "v1alpha1", Resource: "podgroups"}

// world is what one test has to itself: a namespace, nodes that only its pods select, and a topology key.
type world struct {
	testing.TB
	ctx context.Context
	ns  string
	key string // the topology key

	deadline time.Duration // of each condition that is awaited
}

func newWorld(t testing.TB) *world {
	t.Helper()
	// Tests are never run twice at once in one control plane, but the namespace of an earlier run may be on its way out.
	ns := fmt.Sprintf("%.40s-%d", strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(t.Name(), "Test"), "Benchmark")), time.Now().UnixMilli()%1e7)
	ns = strings.ReplaceAll(ns, "_", "-")
	w := &world{TB: t, ctx: t.Context(), ns: ns, key: "gangpack.test/" + ns, deadline: deadline}
	t.Cleanup(w.end)
	_, err := plane.Client.CoreV1().Namespaces().Create(w.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}},
		metav1.CreateOptions{})
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// end shows what there was if the test failed, and deletes the test's objects.
func (w *world) end() {
	w.ctx = context.Background() // that of the test has ended
	if w.Failed() {
		w.Log(w.picture())
		w.Logf("replay: tests/e2e/run -run '^%s$'\nlogs: %s", strings.ReplaceAll(w.Name(), "/", "$/^"), logFolder)
		// Whatever the test ended and did not start again.
		w.must(plane.StartWhatIsMissing(w.ctx))
	}
	background := metav1.DeletePropagationBackground
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64), PropagationPolicy: &background}
	inNamespace, ours := metav1.ListOptions{}, metav1.ListOptions{LabelSelector: worldLabel + "=" + w.ns}
	client := plane.Client
	for _, err := range []error{
		client.AppsV1().StatefulSets(w.ns).DeleteCollection(w.ctx, now, inNamespace),
		client.AppsV1().Deployments(w.ns).DeleteCollection(w.ctx, now, inNamespace),
		client.BatchV1().Jobs(w.ns).DeleteCollection(w.ctx, now, inNamespace),
		client.CoreV1().Pods(w.ns).DeleteCollection(w.ctx, now, inNamespace),
		client.CoreV1().Nodes().DeleteCollection(w.ctx, now, ours),
		ignoreNotFound(client.CoreV1().PersistentVolumes().Delete(w.ctx, w.ns, now)),
		client.CoreV1().Namespaces().Delete(w.ctx, w.ns, metav1.DeleteOptions{}),
	} {
		if err != nil {
			w.Errorf("cleaning up: %v", err)
		}
	}
}

func gpus(count int) controlplane.Resources {
	return controlplane.Resources{gpu: fmt.Sprint(count)}
}

// node is the full name of a node that the test calls `short`.
func (w *world) node(short string) string { return w.ns + "-" + short }

// addNodes makes nodes DOMAIN-0, DOMAIN-1 ... in the domain.
func (w *world) addNodes(domain string, count int, allocatable controlplane.Resources) {
	w.Helper()
	for i := range count {
		w.addNode(fmt.Sprintf("%s-%d", domain, i), map[string]string{w.key: domain}, allocatable)
	}
}

func (w *world) addNode(short string, labels map[string]string, allocatable controlplane.Resources) {
	w.Helper()
	node := controlplane.Node(w.node(short), labels, allocatable)
	node.Labels[worldLabel] = w.ns
	_, err := plane.Client.CoreV1().Nodes().Create(w.ctx, node, metav1.CreateOptions{})
	w.must(err)
}

func (w *world) cordon(short string, cordoned bool) {
	w.Helper()
	patch := fmt.Sprintf(`{"spec":{"unschedulable":%t}}`, cordoned)
	_, err := plane.Client.CoreV1().Nodes().Patch(w.ctx, w.node(short), types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	w.must(err)
}

// podGroup makes a PodGroup with the test's topology key.
func (w *world) podGroup(name string, minMember int) {
	w.Helper()
	w.podGroupWith(name, map[string]string{topologyKey: w.key}, map[string]any{"minMember": int64(minMember)})
}

func (w *world) podGroupWith(name string, annotations map[string]string, spec map[string]any) {
	w.Helper()
	group := &unstructured.Unstructured{Object: map[string]any{"apiVersion": podGroups.GroupVersion().String(),
		"kind": "PodGroup", "spec": spec}}
	group.SetName(name)
	group.SetAnnotations(annotations)
	_, err := plane.Dynamic.Resource(podGroups).Namespace(w.ns).Create(w.ctx, group, metav1.CreateOptions{})
	w.must(err)
}

func (w *world) patchPodGroup(name, patch string) {
	w.Helper()
	_, err := plane.Dynamic.Resource(podGroups).Namespace(w.ns).Patch(w.ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	w.must(err)
}

// change is something a test wants different in a pod.
type change func(*corev1.Pod)

func requests(wanted controlplane.Resources) change {
	return func(pod *corev1.Pod) {
		list := wanted.List()
		pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: list, Limits: list}
	}
}

func (w *world) onNode(short string) change {
	return func(pod *corev1.Pod) { pod.Spec.NodeName = w.node(short) }
}

// selectsNode lets the pod run on that node only, as kube-scheduler sees it.
func (w *world) selectsNode(short string) change {
	return func(pod *corev1.Pod) { pod.Spec.NodeSelector[corev1.LabelHostname] = w.node(short) }
}

func scheduledBy(scheduler string) change {
	return func(pod *corev1.Pod) { pod.Spec.SchedulerName = scheduler }
}

// pod makes a pod that asks for one GPU; gang "" makes it a standalone one.
func (w *world) pod(name, gang string, changes ...change) {
	w.Helper()
	pod := w.podTemplate(gang)
	pod.Name = name
	w.create(pod, changes...)
}

func (w *world) create(pod *corev1.Pod, changes ...change) {
	w.Helper()
	for _, change := range changes {
		change(pod)
	}
	_, err := plane.Client.CoreV1().Pods(w.ns).Create(w.ctx, pod, metav1.CreateOptions{})
	w.must(err)
}

// pods makes pods PREFIX-0, PREFIX-1 ... of one gang.
func (w *world) pods(prefix, gang string, count int, changes ...change) []string {
	w.Helper()
	var names []string
	for i := range count {
		names = append(names, fmt.Sprintf("%s-%d", prefix, i))
		w.pod(names[i], gang, changes...)
	}
	return names
}

func (w *world) deletePod(name string) {
	w.Helper()
	w.must(plane.Client.CoreV1().Pods(w.ns).Delete(w.ctx, name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)}))
}

// await returns when `done` says so. `done` also says what is, for the message if it never does.
func (w *world) await(what string, done func() (bool, string)) {
	w.Helper()
	end := time.Now().Add(w.deadline)
	for {
		ok, is := done()
		if ok {
			return
		}
		if time.Now().After(end) {
			w.Fatalf("after %v still not: %s\nbut: %s", w.deadline, what, is)
		}
		time.Sleep(pollInterval)
	}
}

func (w *world) listPods() map[string]*corev1.Pod {
	w.Helper()
	list, err := plane.Client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{})
	w.must(err)
	pods := map[string]*corev1.Pod{}
	for i := range list.Items {
		pods[list.Items[i].Name] = &list.Items[i]
	}
	return pods
}

// nodesOf tells where pods are: a pod's name -> the short name of its node, "" for an unbound or unknown one.
func (w *world) nodesOf(names ...string) map[string]string {
	w.Helper()
	pods, nodes := w.listPods(), map[string]string{}
	for _, name := range names {
		nodes[name] = ""
		if pod := pods[name]; pod != nil {
			nodes[name] = strings.TrimPrefix(pod.Spec.NodeName, w.ns+"-")
		}
	}
	return nodes
}

// awaitBound returns where the pods are once all of them are bound.
func (w *world) awaitBound(names ...string) map[string]string {
	w.Helper()
	var nodes map[string]string
	w.await("all bound: "+strings.Join(names, " "), func() (bool, string) {
		nodes = w.nodesOf(names...)
		for _, node := range nodes {
			if node == "" {
				return false, fmt.Sprint(nodes)
			}
		}
		return true, ""
	})
	return nodes
}

// domainOf is the domain of nodes that addNodes made.
func domainOf(short string) string {
	if dash := strings.LastIndex(short, "-"); dash >= 0 {
		return short[:dash]
	}
	return short
}

// awaitBoundIn awaits that all pods are bound in the domain.
func (w *world) awaitBoundIn(domain string, names ...string) map[string]string {
	w.Helper()
	nodes := w.awaitBound(names...)
	for name, node := range nodes {
		if domainOf(node) != domain {
			w.Fatalf("%s is on %s, expected all in domain %s: %v", name, node, domain, nodes)
		}
	}
	return nodes
}

// awaitWhole awaits that all pods are bound in one domain, whichever, and returns it.
func (w *world) awaitWhole(names ...string) string {
	w.Helper()
	nodes := w.awaitBound(names...)
	domain := domainOf(nodes[names[0]])
	for _, node := range nodes {
		if domainOf(node) != domain {
			w.Fatalf("a gang is bound in more than one domain: %v", nodes)
		}
	}
	return domain
}

func schedulingMessage(pod *corev1.Pod) string {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse {
			return condition.Message
		}
	}
	return ""
}

// awaitReason awaits that each of the pods is unbound and told `reason`.
func (w *world) awaitReason(reason string, names ...string) {
	w.Helper()
	w.await(fmt.Sprintf("%v pending with %q", names, reason), func() (bool, string) {
		pods, is := w.listPods(), ""
		for _, name := range names {
			pod := pods[name]
			if pod == nil {
				return false, "no pod " + name
			}
			if pod.Spec.NodeName != "" {
				w.Fatalf("%s is bound to %s, expected it to stay unbound with %q", name, pod.Spec.NodeName, reason)
			}
			if message := schedulingMessage(pod); !strings.Contains(message, reason) {
				is += fmt.Sprintf("%s: %q; ", name, message)
			}
		}
		return is == "", is
	})
}

// unbound fails the test if one of the pods is bound now.
func (w *world) unbound(names ...string) {
	w.Helper()
	for name, node := range w.nodesOf(names...) {
		if node != "" {
			w.Fatalf("%s is bound to %s, expected it to be unbound", name, node)
		}
	}
}

// distinctNodes fails the test if two of the pods share a node.
func (w *world) distinctNodes(nodes map[string]string) {
	w.Helper()
	if used := slices.Compact(slices.Sorted(maps.Values(nodes))); len(used) != len(nodes) {
		w.Fatalf("expected a node for each: %v", nodes)
	}
}

// noOvercommit fails the test if a node of the test has more GPUs in use than it has.
func (w *world) noOvercommit() {
	w.Helper()
	nodes, err := plane.Client.CoreV1().Nodes().List(w.ctx, metav1.ListOptions{LabelSelector: worldLabel + "=" + w.ns})
	w.must(err)
	used := map[string]int64{}
	for _, pod := range w.listPods() {
		quantity := pod.Spec.Containers[0].Resources.Requests[gpu]
		used[pod.Spec.NodeName] += quantity.Value()
	}
	for _, node := range nodes.Items {
		quantity := node.Status.Allocatable[gpu]
		if has := quantity.Value(); used[node.Name] > has {
			w.Errorf("node %s has %d GPUs and %d are in use", node.Name, has, used[node.Name])
		}
	}
}

// view is an item of a page of gangpack, such as GET /v1/reservations.
type view map[string]any

// views are the items of a page of gangpack that belong to the test's namespace.
func (w *world) views(page string) ([]view, error) {
	answer, err := http.Get(plane.FilterURL + "/v1/" + page)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var body map[string][]view
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(body[page], func(v view) bool { return !strings.Contains(fmt.Sprint(v), w.ns) }), nil
}

// picture is what there is in the test's world, for a failed test.
func (w *world) picture() string {
	var text strings.Builder
	list, err := plane.Client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{})
	if err != nil {
		return err.Error()
	}
	text.WriteString("pods of namespace " + w.ns + ":\n")
	for _, pod := range list.Items {
		fmt.Fprintf(&text, "  %s node=%q nominated=%q %s\n", pod.Name, pod.Spec.NodeName, pod.Status.NominatedNodeName, schedulingMessage(&pod))
	}
	for _, page := range []string{"gangs", "reservations"} {
		views, err := w.views(page)
		fmt.Fprintf(&text, "gangpack's %s: %v", page, views)
		if err != nil {
			fmt.Fprintf(&text, " (%v)", err)
		}
		text.WriteString("\n")
	}
	return text.String()
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
