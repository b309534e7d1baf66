package main

import (
	"context"
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	podregistry "k8s.io/kubernetes/pkg/registry/core/pod"
	kjson "sigs.k8s.io/json"
)

// store does to each object what kube-apiserver does to one that is created: defaults, the changes of its strategy, and
// validation, whose complaints are added to faults. It returns the text that a watch would show.
func store[T any](ctx context.Context, kind string, raw []json.RawMessage,
	create func(context.Context, *T) []string, faults []string) ([]json.RawMessage, []string) {
	result := []json.RawMessage{}
	for i, text := range raw {
		object := new(T)
		strict, err := kjson.UnmarshalStrict(text, object)
		if err != nil {
			strict = append(strict, err)
		}
		complaints := []string{}
		for _, complaint := range strict {
			complaints = append(complaints, complaint.Error())
		}
		if len(complaints) == 0 {
			complaints = create(ctx, object)
		}
		for _, complaint := range complaints {
			faults = append(faults, fmt.Sprintf("%s %d: %s", kind, i, complaint))
		}
		text, err = json.Marshal(object)
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s %d: %s", kind, i, err))
		}
		result = append(result, text)
	}
	return result, faults
}

// watch reads objects as kube-scheduler does: anew, since the text of a quantity decides how it is kept in memory.
func watch[T any](stored []json.RawMessage) ([]*T, error) {
	objects := []*T{}
	for _, text := range stored {
		object := new(T)
		if err := json.Unmarshal(text, object); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

func storeNode(_ context.Context, node *v1.Node) []string {
	corev1.SetObjectDefaults_Node(node)
	internal := &core.Node{}
	if err := corev1.Convert_v1_Node_To_core_Node(node, internal, nil); err != nil {
		return []string{err.Error()}
	}
	return texts(validation.ValidateNode(internal))
}

func storeNamespace(_ context.Context, namespace *v1.Namespace) []string {
	corev1.SetObjectDefaults_Namespace(namespace)
	internal := &core.Namespace{}
	if err := corev1.Convert_v1_Namespace_To_core_Namespace(namespace, internal, nil); err != nil {
		return []string{err.Error()}
	}
	return texts(validation.ValidateNamespace(internal))
}

func storePod(ctx context.Context, pod *v1.Pod) []string {
	if pod.UID == "" {
		return []string{"metadata.uid: missing, expected what the API server would give the pod"}
	}
	corev1.SetObjectDefaults_Pod(pod)
	internal := &core.Pod{}
	if err := corev1.Convert_v1_Pod_To_core_Pod(pod, internal, nil); err != nil {
		return []string{err.Error()}
	}
	status := internal.Status
	podregistry.Strategy.PrepareForCreate(ctx, internal)
	internal.Status = status
	if complaints := texts(podregistry.Strategy.Validate(ctx, internal)); len(complaints) > 0 {
		return complaints
	}
	if err := corev1.Convert_core_Pod_To_v1_Pod(internal, pod, nil); err != nil {
		return []string{err.Error()}
	}
	return nil
}

func texts[E error](errors []E) []string {
	result := []string{}
	for _, err := range errors {
		result = append(result, err.Error())
	}
	return result
}
