package story

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gangpack/tests/e2e/controlplane"
)

// writer writes a story and knows what exists at its end so far, but not what is placed where.
type writer struct {
	*rand.Rand
	ns     string
	steps  []Step
	nodes  map[string]*corev1.Node
	pods   map[string]*corev1.Pod // of our scheduler, and not finished
	groups map[string]*unstructured.Unstructured

	racks, halls   []string
	nodeGPUs       int64 // of most nodes
	nodeCount      int
	gangCount      int
	standaloneSeen int
	gangs          []*gang
}

// step adds a step; what it leaves is what exists.
func (w *writer) step(what string, changes ...Change) {
	w.steps = append(w.steps, Step{What: what, Changes: changes})
	for _, change := range changes {
		switch {
		case change.Node != nil && change.Verb == Delete:
			delete(w.nodes, change.Node.Name)
		case change.Node != nil:
			w.nodes[change.Node.Name] = change.Node
		case change.Group != nil && change.Verb == Delete:
			delete(w.groups, change.Group.GetName())
		case change.Group != nil:
			w.groups[change.Group.GetName()] = change.Group
		case change.Verb == Delete || change.Pod.Status.Phase == corev1.PodSucceeded:
			delete(w.pods, change.Pod.Name)
		case change.Pod.Spec.SchedulerName == controlplane.SchedulerName:
			w.pods[change.Pod.Name] = change.Pod
		}
	}
}

func (w *writer) chance(percent int) bool { return w.IntN(100) < percent }

func pick[T any](w *writer, from []T) T { return from[w.IntN(len(from))] }

// anyOf picks a value; false if there is none.
func anyOf[T any](w *writer, from map[string]T) (T, bool) {
	var none T
	if len(from) == 0 {
		return none, false
	}
	return from[pick(w, slices.Sorted(maps.Keys(from)))], true
}

func (w *writer) makeCluster() {
	w.nodeGPUs = pick(w, []int64{1, 1, 2, 4, 8})
	for i := range 2 + w.IntN(3) {
		w.racks = append(w.racks, fmt.Sprintf("r%d", i))
	}
	if w.chance(50) {
		w.halls = []string{"h0", "h1"}
	}
	var changes []Change
	for i, rack := range w.racks {
		for range 1 + w.IntN(4) {
			node := w.newNode(rack)
			if w.halls != nil && !w.chance(20) {
				node.Labels[hallKey] = w.halls[i%2]
			}
			changes = append(changes, Change{Node: node})
		}
	}
	w.step("the nodes", changes...)
}

// newNode makes a node of the rack, which most are like.
func (w *writer) newNode(rack string) *corev1.Node {
	gpus := w.nodeGPUs
	if w.chance(15) {
		gpus = pick(w, []int64{0, 1, 2, 4})
	}
	room := controlplane.Resources{gpu: fmt.Sprint(gpus), corev1.ResourceCPU: pick(w, []string{"4", "8", "16", "16"})}
	if w.chance(15) {
		room[corev1.ResourcePods] = fmt.Sprint(1 + w.IntN(3))
	}
	labels := map[string]string{rackKey: rack, poolKey: pick(w, []string{"x", "y"})}
	if w.chance(10) {
		delete(labels, rackKey)
	}
	node := controlplane.Node(fmt.Sprintf("%s-n%02d", w.ns, w.nodeCount), labels, room)
	w.nodeCount++
	node.Spec.Unschedulable = w.chance(8)
	if w.chance(8) {
		node.Spec.Taints = []corev1.Taint{taint}
	}
	return node
}

var taint = corev1.Taint{Key: taintKey, Value: "yes", Effect: corev1.TaintEffectNoSchedule}
