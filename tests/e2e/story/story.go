// Package story makes random stories: a cluster, gangs and other pods, and what happens to them, step by step. The same seed
// gives the same story. What comes of a story is told by no one here: it is played in two places, which must agree.
package story

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Verb is what is done to an object.
type Verb int

const (
	Create Verb = iota
	Replace
	Delete
)

// Change is something done to one object: exactly one of Node, Pod and Group is set, to all that it is to be afterwards. Of a
// pod that is deleted only the name counts.
type Change struct {
	Verb  Verb
	Node  *corev1.Node
	Pod   *corev1.Pod
	Group *unstructured.Unstructured
}

// Step is what happens before anything is scheduled. Its changes are either all deletions or none is.
type Step struct {
	What    string
	Changes []Change
}

// Story is a story. All its namespaced objects are in Namespace, and its nodes' names begin with it.
type Story struct {
	Seed      uint64
	Namespace string
	Steps     []Step
}

// Names of the PriorityClasses that a story's pods use. Their pods never preempt.
const (
	HighPriority     = "story-high"
	LowPriority      = "story-low"
	StrangerPriority = "story-stranger"
)

// Priorities are the values of the PriorityClasses.
var Priorities = map[string]int32{HighPriority: 100, LowPriority: -100, StrangerPriority: -1000}

const (
	podGroupLabel         = "scheduling.x-k8s.io/pod-group"
	topologyKeyAnnotation = "ome.io/topology-key"
	rackKey               = "story/rack"
	hallKey               = "story/hall"
	poolKey               = "story/pool"
	gpu                   = corev1.ResourceName("nvidia.com/gpu")
	taintKey              = "story/dedicated"
)

// Generate makes the story of the seed.
func Generate(seed uint64) Story {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 0)), ns: fmt.Sprintf("story-%d", seed),
		nodes: map[string]*corev1.Node{}, pods: map[string]*corev1.Pod{}, groups: map[string]*unstructured.Unstructured{}}
	w.makeCluster()
	for range 2 + w.IntN(3) {
		w.arrive()
	}
	for range 5 + w.IntN(6) {
		w.happen()
	}
	return Story{Seed: seed, Namespace: w.ns, Steps: w.steps}
}
