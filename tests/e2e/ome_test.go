package e2e

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"gangpack/tests/e2e/controlplane"
)

// podTemplate is a pod of the test's, without a name: for the gangs' scheduler, with one GPU, on the test's nodes only.
func (w *world) podTemplate(gang string) *corev1.Pod {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		SchedulerName: controlplane.SchedulerName,
		NodeSelector:  map[string]string{worldLabel: w.ns},
		Containers:    []corev1.Container{{Name: "main", Image: "none"}},
		// No kubelet confirms a deletion.
		TerminationGracePeriodSeconds: new(int64),
	}}
	pod.Labels = map[string]string{}
	if gang != "" {
		pod.Labels[podGroupLabel] = gang
	}
	requests(gpus(1))(pod)
	return pod
}

// omeGang is one instance of an OME InferenceService component that spans nodes: a leader and its workers.
type omeGang struct {
	w         *world
	isvc      string
	component string
	index     int
}

func (g omeGang) name() string { return fmt.Sprintf("%s-%s-%d", g.isvc, g.component, g.index) }

func (g omeGang) labels() map[string]string {
	return map[string]string{"ome.io/inferenceservice": g.isvc, "component": g.component,
		"ome.io/managed-by": "OMENative", "ome.io/instance-index": fmt.Sprint(g.index)}
}

// podGroup makes the instance's PodGroup.
func (g omeGang) podGroup(minMember int) {
	g.w.Helper()
	g.w.podGroupWith(g.name(), map[string]string{topologyKey: g.w.key},
		map[string]any{"minMember": int64(minMember), "scheduleTimeoutSeconds": int64(600)})
}

func (g omeGang) pod(runner string, ordinal int, changes ...change) string {
	g.w.Helper()
	pod := g.w.podTemplate(g.name())
	pod.Name = fmt.Sprintf("%s-%s-%d", g.name(), runner, ordinal)
	maps.Copy(pod.Labels, g.labels())
	maps.Copy(pod.Labels, map[string]string{"ome.io/runner": runner, "ome.io/pod-ordinal": fmt.Sprint(ordinal),
		"ome.io/instance-incarnation": "1", "ome.io/revision-hash": "5d4f8"})
	pod.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "ome.io/serving"}}
	g.w.create(pod, changes...)
	return pod.Name
}

func (g omeGang) leader(changes ...change) string {
	g.w.Helper()
	return g.pod("leader", 0, changes...)
}

// worker makes a worker, which requires to be in its leader's domain.
func (g omeGang) worker(ordinal int, changes ...change) string {
	g.w.Helper()
	leader := g.labels()
	delete(leader, "ome.io/managed-by")
	leader["ome.io/runner"] = "leader"
	nearLeader := func(pod *corev1.Pod) {
		pod.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{TopologyKey: g.w.key, LabelSelector: &metav1.LabelSelector{MatchLabels: leader}}}}}
	}
	return g.pod("worker", ordinal, append([]change{nearLeader}, changes...)...)
}

// members makes the leader and `workers` workers and returns their names, the leader first.
func (g omeGang) members(workers int, changes ...change) []string {
	g.w.Helper()
	names := []string{g.leader(changes...)}
	for i := range workers {
		names = append(names, g.worker(i, changes...))
	}
	return names
}

// engine is an OME gang of the test with that name.
func (w *world) engine(isvc string) omeGang {
	return omeGang{w: w, isvc: isvc, component: "engine"}
}
