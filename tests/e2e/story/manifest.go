package story

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Manifest is what is written down for `gangpack simulate`: documents, in the order in which things happen.
type Manifest struct {
	documents []string
}

// Text is the input of `gangpack simulate`.
func (m *Manifest) Text() string { return strings.Join(m.documents, "---\n") }

// Clone returns one that grows on its own.
func (m *Manifest) Clone() *Manifest {
	return &Manifest{documents: append([]string(nil), m.documents...)}
}

// Append adds the documents of another.
func (m *Manifest) Append(other *Manifest) { m.documents = append(m.documents, other.documents...) }

// Apply adds a Node, Pod or PodGroup as it is in the cluster, without what a scheduler has written into it, and without what
// the API server keeps for itself.
func (m *Manifest) Apply(object any) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return err
	}
	unstructured.RemoveNestedField(fields, "metadata", "managedFields")
	unstructured.RemoveNestedField(fields, "metadata", "resourceVersion")
	unstructured.RemoveNestedField(fields, "metadata", "generation")
	if pod, ok := object.(*corev1.Pod); ok {
		fields["apiVersion"], fields["kind"] = "v1", "Pod"
		delete(fields, "status")
		if pod.Status.Phase == corev1.PodSucceeded {
			fields["status"] = map[string]any{"phase": string(pod.Status.Phase)}
		}
	}
	if node, ok := object.(*corev1.Node); ok {
		fields["apiVersion"], fields["kind"] = "v1", "Node"
		fields["status"] = map[string]any{"allocatable": fields["status"].(map[string]any)["allocatable"]}
		_ = node
	}
	return m.add(fields)
}

// Delete adds a Step that deletes objects: pod/ns/name, podgroup/ns/name or node/name.
func (m *Manifest) Delete(names []string) error {
	return m.add(map[string]any{"apiVersion": "gangpack/v1alpha1", "kind": "Step", "delete": names})
}

// Refuse adds a Step that leaves the pod no node but those that are not named.
func (m *Manifest) Refuse(pod string, nodes []string) error {
	return m.add(map[string]any{"apiVersion": "gangpack/v1alpha1", "kind": "Step", "refuse": map[string]any{pod: nodes}})
}

// Hold adds a Step that pauses or resumes pods.
func (m *Manifest) Hold(field, namespace string, names []string) error {
	var pods []string
	for _, name := range names {
		pods = append(pods, "pod/"+namespace+"/"+name)
	}
	return m.add(map[string]any{"apiVersion": "gangpack/v1alpha1", "kind": "Step", field: pods})
}

// Advance adds a Step in which time passes.
func (m *Manifest) Advance(duration string) error {
	return m.add(map[string]any{"apiVersion": "gangpack/v1alpha1", "kind": "Step", "advance": duration})
}

// Note adds a comment.
func (m *Manifest) Note(text string) {
	m.documents = append(m.documents, "# "+text+"\n")
}

func (m *Manifest) add(document map[string]any) error {
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return fmt.Errorf("a document of the story: %w", err)
	}
	m.documents = append(m.documents, string(text)+"\n")
	return nil
}
