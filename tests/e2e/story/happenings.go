package story

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// happen writes one thing that happens; nothing if what it would happen to does not exist.
func (w *writer) happen() {
	switch w.IntN(17) {
	case 0, 1:
		w.arrive()
	case 2, 3:
		w.deletePods()
	case 4, 5, 6:
		w.recreatePod()
	case 7, 8:
		w.changeNode("a node is cordoned, or no more", func(node *corev1.Node) { node.Spec.Unschedulable = !node.Spec.Unschedulable })
	case 9:
		w.changeNode("a node is tainted, or no more", toggleTaint)
	case 10:
		w.changeNode("a node gets another rack", w.relabel)
	case 11:
		w.addOrRemoveNode()
	case 12, 13:
		w.changeMinMember()
	case 14:
		w.changeKey()
	case 15:
		w.deleteOrCreateGroup()
	case 16:
		w.finishPod()
	}
}

func (w *writer) deletePods() {
	var changes []Change
	for range 1 + w.IntN(3) {
		pod, ok := anyOf(w, w.pods)
		if !ok {
			return
		}
		again := false
		for _, change := range changes {
			again = again || change.Pod.Name == pod.Name
		}
		if !again {
			changes = append(changes, Change{Verb: Delete, Pod: pod})
		}
	}
	w.step("pods are deleted", changes...)
}

func (w *writer) recreatePod() {
	pod, ok := anyOf(w, w.pods)
	if !ok {
		return
	}
	w.step("a pod is deleted", Change{Verb: Delete, Pod: pod})
	if w.chance(50) {
		w.happen() // meanwhile
	}
	w.step("and re-created under its name", Change{Pod: pod.DeepCopy()})
}

func (w *writer) changeNode(what string, change func(*corev1.Node)) {
	node, ok := anyOf(w, w.nodes)
	if !ok {
		return
	}
	node = node.DeepCopy()
	change(node)
	w.step(what, Change{Verb: Replace, Node: node})
}

func toggleTaint(node *corev1.Node) {
	if node.Spec.Taints == nil {
		node.Spec.Taints = []corev1.Taint{taint}
	} else {
		node.Spec.Taints = nil
	}
}

func (w *writer) relabel(node *corev1.Node) {
	if w.chance(25) {
		delete(node.Labels, rackKey)
	} else {
		node.Labels[rackKey] = pick(w, w.racks)
	}
}

func (w *writer) addOrRemoveNode() {
	if node, ok := anyOf(w, w.nodes); ok && w.chance(40) {
		w.step("a node is removed", Change{Verb: Delete, Node: node})
		return
	}
	w.step("a node is added", Change{Node: w.newNode(pick(w, w.racks))})
}

func (w *writer) changeGroup(what string, change func(*unstructured.Unstructured)) {
	group, ok := anyOf(w, w.groups)
	if !ok {
		return
	}
	group = group.DeepCopy()
	change(group)
	w.step(what, Change{Verb: Replace, Group: group})
}

func (w *writer) changeMinMember() {
	w.changeGroup("minMember changes", func(group *unstructured.Unstructured) {
		group.Object["spec"] = map[string]any{"minMember": 1 + w.Int64N(5)}
	})
}

func (w *writer) changeKey() {
	keys := []string{rackKey, rackKey, hallKey}
	w.changeGroup("a topology key is given", func(group *unstructured.Unstructured) {
		group.SetAnnotations(map[string]string{topologyKeyAnnotation: pick(w, keys)})
	})
}

func (w *writer) deleteOrCreateGroup() {
	for _, g := range w.gangs {
		if w.groups[g.name] == nil {
			w.step("a PodGroup is created again", Change{Group: w.newGroup(g, int64(g.members))})
			return
		}
	}
	if group, ok := anyOf(w, w.groups); ok {
		w.step("a PodGroup is deleted", Change{Verb: Delete, Group: group})
	}
}

func (w *writer) finishPod() {
	pod, ok := anyOf(w, w.pods)
	if !ok {
		return
	}
	pod = pod.DeepCopy()
	pod.Status.Phase = corev1.PodSucceeded
	w.step(fmt.Sprintf("pod %s finishes", pod.Name), Change{Verb: Replace, Pod: pod})
}
