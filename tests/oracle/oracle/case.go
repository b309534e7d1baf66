package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	v1 "k8s.io/api/core/v1"
)

// testCase is a cluster and the pods that are asked about. The objects are as a user would hand them to the API server,
// but for their status, which is kept.
type testCase struct {
	Nodes      []json.RawMessage `json:"nodes"`
	Namespaces []json.RawMessage `json:"namespaces"`
	Pods       []json.RawMessage `json:"pods"`    // bound: spec.nodeName is set
	Pending    []json.RawMessage `json:"pending"` // not bound
	Plan       []placement       `json:"plan"`
	Stored     bool              `json:"stored"` // whether the answer is to hold the objects as the API server stores them
}

type placement struct {
	Pod  string `json:"pod"` // NAMESPACE/NAME of a pending pod
	Node string `json:"node"`
}

// answer to one case. Lists of plugins are in the order of plugins.go and never absent.
type answer struct {
	// Why the API server would refuse an object of the case. Nothing else is said then.
	Invalid []string `json:"invalid,omitempty"`
	// The plugins that refuse: per pending pod, per node. Absent where the case has a plan.
	Refused [][][]string `json:"refused,omitempty"`
	// Per member of the plan: the plugins that refuse it its node, see replay.
	PlanRefused [][]string `json:"planRefused,omitempty"`
	Stored      *stored    `json:"stored,omitempty"`
}

type stored struct {
	Nodes      []json.RawMessage `json:"nodes"`
	Namespaces []json.RawMessage `json:"namespaces"`
	Pods       []json.RawMessage `json:"pods"`
	Pending    []json.RawMessage `json:"pending"`
}

// watched are the stored objects as kube-scheduler has them.
type watched struct {
	nodes      []*v1.Node
	namespaces []*v1.Namespace
	pods       []*v1.Pod
	pending    []*v1.Pod
}

func watchAll(stored *stored) (*watched, error) {
	result := &watched{}
	var errs [4]error
	result.nodes, errs[0] = watch[v1.Node](stored.Nodes)
	result.namespaces, errs[1] = watch[v1.Namespace](stored.Namespaces)
	result.pods, errs[2] = watch[v1.Pod](stored.Pods)
	result.pending, errs[3] = watch[v1.Pod](stored.Pending)
	return result, errors.Join(errs[:]...)
}

func judge(ctx context.Context, scheduler *scheduler, line []byte) (*answer, error) {
	var input testCase
	if err := json.Unmarshal(line, &input); err != nil {
		return nil, err
	}
	var stored stored
	var faults []string
	stored.Nodes, faults = store(ctx, "Node", input.Nodes, storeNode, faults)
	stored.Namespaces, faults = store(ctx, "Namespace", input.Namespaces, storeNamespace, faults)
	stored.Pods, faults = store(ctx, "Pod", input.Pods, storePod, faults)
	stored.Pending, faults = store(ctx, "Pod", input.Pending, storePod, faults)
	if len(faults) > 0 {
		return &answer{Invalid: faults}, nil
	}
	result := &answer{}
	if input.Stored {
		result.Stored = &stored
	}
	objects, err := watchAll(&stored)
	if err != nil {
		return nil, err
	}
	if input.Plan == nil {
		result.Refused, err = scheduler.refusals(ctx, objects)
	} else {
		result.PlanRefused, err = scheduler.replay(ctx, objects, input.Plan)
	}
	return result, err
}

// refusals asks for every pending pod on every node.
func (s *scheduler) refusals(ctx context.Context, objects *watched) ([][][]string, error) {
	if err := s.observe(objects, objects.pods); err != nil {
		return nil, err
	}
	result := [][][]string{}
	for _, pod := range objects.pending {
		refused, err := s.refusedOn(ctx, pod)
		if err != nil {
			return nil, err
		}
		perNode := [][]string{}
		for _, node := range objects.nodes {
			perNode = append(perNode, refused[node.Name])
		}
		result = append(result, perNode)
	}
	return result, nil
}

// replay gives the members their nodes, one at a time: each time the first one, in the order of the plan, that no plugin
// refuses while those before it have theirs. Members that are left when all are refused keep what refuses them then.
func (s *scheduler) replay(ctx context.Context, objects *watched, plan []placement) ([][]string, error) {
	pending := map[string]*v1.Pod{}
	for _, pod := range objects.pending {
		pending[pod.Namespace+"/"+pod.Name] = pod
	}
	bound := append([]*v1.Pod{}, objects.pods...)
	result := make([][]string, len(plan))
	placed := make([]bool, len(plan))
	for progress := true; progress; {
		progress = false
		if err := s.observe(objects, bound); err != nil {
			return nil, err
		}
		for i, step := range plan {
			if placed[i] {
				continue
			}
			pod := pending[step.Pod]
			if pod == nil {
				return nil, fmt.Errorf("the plan names %q, which is no pending pod", step.Pod)
			}
			refused, err := s.refusedOn(ctx, pod)
			if err != nil {
				return nil, err
			}
			plugins, known := refused[step.Node]
			if !known {
				return nil, fmt.Errorf("the plan names the node %q, which is not there", step.Node)
			}
			result[i] = plugins
			if len(plugins) == 0 {
				there := pod.DeepCopy()
				there.Spec.NodeName = step.Node
				bound = append(bound, there)
				placed[i] = true
				progress = true
				break
			}
		}
	}
	return result, nil
}
