package controlplane

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Resources are quantities as Kubernetes writes them.
type Resources map[corev1.ResourceName]string

// List is the same as the API has it; it panics on what is no quantity.
func (r Resources) List() corev1.ResourceList {
	list := corev1.ResourceList{}
	for name, quantity := range r {
		list[name] = resource.MustParse(quantity)
	}
	return list
}

// Node is a node object that a scheduler may use. It has `allocatable`, and room for any ordinary pod in what that does not
// name. `labels` are added to the host's.
func Node(name string, labels map[string]string, allocatable Resources) *corev1.Node {
	room := Resources{corev1.ResourceCPU: "32", corev1.ResourceMemory: "256Gi", corev1.ResourcePods: "110"}
	maps.Copy(room, allocatable)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}},
		Status: corev1.NodeStatus{Capacity: room.List(), Allocatable: room.List(), Conditions: []corev1.NodeCondition{
			{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "ObjectOnly", LastTransitionTime: metav1.Now()}}}}
	maps.Copy(node.Labels, labels)
	return node
}
