package story

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gangpack/tests/e2e/controlplane"
)

// gang is what all pods of one label have in common.
type gang struct {
	name     string
	key      string // "": its PodGroup names none
	members  int
	made     int
	priority string
	oneGPU   bool  // leader and workers alike
	gpus     int64 // of a worker
	ome      bool  // workers require to be near their leader
	apart    bool  // no two on one host
	pool     string
	tolerant bool
}

// arrive brings a gang, a standalone pod, or a pod of the cluster's own scheduler.
func (w *writer) arrive() {
	switch choice := w.IntN(10); {
	case choice < 7:
		w.arriveGang()
	case choice < 9:
		w.arriveStandalone()
	default:
		w.arriveStranger()
	}
}

func (w *writer) arriveGang() {
	g := &gang{name: fmt.Sprintf("g%d", w.gangCount), key: rackKey, members: 1 + w.IntN(5), gpus: 1}
	w.gangCount++
	w.gangs = append(w.gangs, g)
	if w.halls != nil && w.chance(30) {
		g.key = hallKey
	}
	if w.chance(10) {
		g.key = ""
	}
	if w.chance(25) {
		g.priority = pick(w, []string{HighPriority, LowPriority})
	}
	if w.chance(30) {
		g.gpus = 1 + w.Int64N(w.nodeGPUs)
	}
	g.oneGPU, g.ome, g.apart, g.tolerant = w.chance(60), w.chance(40), w.chance(15), w.chance(15)
	if w.chance(15) {
		g.pool = pick(w, []string{"x", "y"})
	}
	w.bringGang(g)
}

// bringGang writes how the gang arrives: all at once, its PodGroup late, its members in two parts, or with surplus ones.
func (w *writer) bringGang(g *gang) {
	minMember := any(int64(g.members))
	switch choice := w.IntN(20); {
	case choice == 0:
		minMember = int64(0)
	case choice == 1:
		minMember = nil
	case choice < 4:
		minMember = int64(g.members + 1)
	}
	group := Change{Group: w.newGroup(g, minMember)}
	switch w.IntN(5) {
	case 0:
		w.step("pods before their PodGroup", w.membersOf(g, g.members)...)
		w.step("the PodGroup is late", group)
	case 1:
		first := w.IntN(g.members)
		w.step("a part of a gang", append([]Change{group}, w.membersOf(g, first)...)...)
		w.step("the rest of the gang", w.membersOf(g, g.members-first)...)
	default:
		w.step("a gang", append([]Change{group}, w.membersOf(g, g.members)...)...)
	}
	for range w.IntN(4) - 1 {
		w.step("a surplus member", w.membersOf(g, 1)...)
	}
}

func (w *writer) newGroup(g *gang, minMember any) *unstructured.Unstructured {
	group := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "PodGroup", "spec": map[string]any{}}}
	group.SetName(g.name)
	group.SetNamespace(w.ns)
	if minMember != nil {
		group.Object["spec"].(map[string]any)["minMember"] = minMember
	}
	if g.key != "" {
		group.SetAnnotations(map[string]string{topologyKeyAnnotation: g.key})
	}
	return group
}

// membersOf makes the gang's next pods, each a change of its own. The names' order is that of their making.
func (w *writer) membersOf(g *gang, count int) []Change {
	var changes []Change
	for range count {
		leader := g.made == 0
		pod := w.newPod(fmt.Sprintf("%s-%02d", g.name, g.made), g.priority)
		g.made++
		pod.Labels[podGroupLabel] = g.name
		gpus := g.gpus
		if leader && !g.oneGPU {
			gpus = 0
		}
		request(pod, gpus, pick(w, []string{"500m", "1", "2"}))
		if g.ome {
			nearLeader(pod, g, leader)
		}
		if g.apart {
			apart(pod, g)
		}
		if g.pool != "" {
			pod.Spec.NodeSelector = map[string]string{poolKey: g.pool}
		}
		if g.tolerant {
			tolerate(pod)
		}
		changes = append(changes, Change{Pod: pod})
	}
	return changes
}

func nearLeader(pod *corev1.Pod, g *gang, leader bool) {
	runner := "worker"
	if leader {
		runner = "leader"
	}
	pod.Labels["ome.io/runner"] = runner
	if leader || g.key == "" {
		return
	}
	pod.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: g.key,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{podGroupLabel: g.name, "ome.io/runner": "leader"}}}}}}
}

func apart(pod *corev1.Pod, g *gang) {
	if pod.Spec.Affinity == nil {
		pod.Spec.Affinity = &corev1.Affinity{}
	}
	pod.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{podGroupLabel: g.name}}}}}
}

func tolerate(pod *corev1.Pod) {
	pod.Spec.Tolerations = []corev1.Toleration{{Key: taintKey, Operator: corev1.TolerationOpExists}}
}

// request sets what the pod's container requests; no GPUs are not named.
func request(pod *corev1.Pod, gpus int64, cpu string) {
	wanted := controlplane.Resources{corev1.ResourceCPU: cpu, corev1.ResourceMemory: "1Gi"}
	if gpus > 0 {
		wanted[gpu] = fmt.Sprint(gpus)
	}
	pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: wanted.List(), Limits: wanted.List()}
}

func (w *writer) newPod(name, priority string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: name, Labels: map[string]string{}},
		Spec: corev1.PodSpec{SchedulerName: controlplane.SchedulerName, PriorityClassName: priority,
			TerminationGracePeriodSeconds: new(int64), // no kubelet confirms a deletion
			Containers:                    []corev1.Container{{Name: "main", Image: "none"}}}}
}

func (w *writer) arriveStandalone() {
	pod := w.newPod(fmt.Sprintf("s%d", w.standaloneSeen), "")
	w.standaloneSeen++
	request(pod, w.Int64N(w.nodeGPUs+1), pick(w, []string{"1", "3"}))
	if node, ok := anyOf(w, w.nodes); ok && w.chance(60) {
		pod.Spec.NodeSelector = map[string]string{corev1.LabelHostname: node.Name}
	}
	w.step("a standalone pod", Change{Pod: pod})
}

// arriveStranger brings a pod of the cluster's own scheduler.
func (w *writer) arriveStranger() {
	pod := w.newPod(fmt.Sprintf("d%d", w.standaloneSeen), StrangerPriority)
	w.standaloneSeen++
	request(pod, w.Int64N(2), "1")
	pod.Spec.SchedulerName = corev1.DefaultSchedulerName
	w.step("a pod of the default scheduler", Change{Pod: pod})
}
