package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// From the moment before the last member of a gang of 18 is created until a watch has shown all 18 bound, on 100 nodes in 5
// domains: each member takes a node of 4 GPUs. `./run --figures` prints it over 20 gangs.
func BenchmarkLastMemberCreatedToWholeGangBound(b *testing.B) {
	const domains, domainSize, members = 5, 20, 18
	w := newWorld(b)
	for i := range domains {
		w.addNodes(fmt.Sprintf("rack%d", i), domainSize, gpus(4))
	}
	var times []time.Duration
	for b.Loop() {
		times = append(times, w.timeOfGang(len(times), members))
	}
	slices.Sort(times)
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(milliseconds(times[len(times)/2]), "p50-ms")
	b.ReportMetric(milliseconds(times[0]), "min-ms")
	b.ReportMetric(milliseconds(times[len(times)-1]), "max-ms")
}

// timeOfGang makes a gang, measures it, and deletes it again.
func (w *world) timeOfGang(number, members int) time.Duration {
	w.Helper()
	gang := fmt.Sprintf("gang-%d", number)
	w.podGroup(gang, members)
	names := w.pods(gang, gang, members-1, requests(gpus(4)))
	w.awaitReasonNow("waiting for all PodGroup member templates for "+w.ns+"/"+gang, names...)

	ctx, cancel := context.WithTimeout(w.ctx, w.deadline)
	defer cancel()
	list, err := plane.Client.CoreV1().Pods(w.ns).List(ctx, metav1.ListOptions{})
	w.must(err)
	watch, err := plane.Client.CoreV1().Pods(w.ns).Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	w.must(err)
	defer watch.Stop()

	start := time.Now()
	last := fmt.Sprintf("%s-%d", gang, members-1)
	w.pod(last, gang, requests(gpus(4)))
	bound := map[string]bool{}
	for event := range watch.ResultChan() {
		if pod, ok := event.Object.(*corev1.Pod); ok && pod.Spec.NodeName != "" {
			bound[pod.Name] = true
		}
		if len(bound) == members {
			break
		}
	}
	took := time.Since(start)
	if len(bound) < members {
		w.Fatalf("after %v only %d of %d members of %s are bound", took, len(bound), members, gang)
	}
	w.awaitWhole(append(names, last)...)
	for _, name := range append(names, last) {
		w.deletePod(name)
	}
	return took
}
