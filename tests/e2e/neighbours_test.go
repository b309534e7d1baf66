package e2e

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestStandalonePodIsBoundBesideAGangButNeverOnAHeldNode(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 4, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	leader, worker := w.membersOfWhichOneWaits(g)
	w.pod("alone", "")
	w.awaitReason("node is reserved for a forming gang", "alone")
	w.createClaim()
	w.awaitBoundIn("a", leader, worker)
	w.awaitBoundIn("a", "alone")
	w.noOvercommit()
}

func TestStandalonePodsUseTheDomainThatIsNotHeld(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	w.addNodes("b", 3, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	leader, worker := w.membersOfWhichOneWaits(g)
	w.awaitHold(g, "a")
	w.awaitBoundIn("b", w.pods("alone", "", 3)...)
	w.createClaim()
	w.awaitBoundIn("a", leader, worker)
}

// Pods of the cluster's own scheduler never ask us: they may land on held nodes, and the gang is planned around them.
func TestPodsOfTheDefaultSchedulerAreSeen(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	w.addNodes("b", 3, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	leader, worker := w.membersOfWhichOneWaits(g)
	w.awaitHold(g, "a")
	w.pod("stranger", "", scheduledBy(corev1.DefaultSchedulerName), w.selectsNode("a-1"), requests(gpus(1)))
	w.awaitBound("stranger")
	w.awaitHold(g, "b")
	w.createClaim()
	w.awaitBoundIn("b", leader, worker)
	w.noOvercommit()
}

func TestMemberOfTheDefaultSchedulerIsNotCountedBeforeItIsBound(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	leader := g.leader()
	// It is never bound by its scheduler, for want of a claim.
	stranger := g.worker(0, scheduledBy(corev1.DefaultSchedulerName), usesClaim)
	w.awaitReason("waiting for all PodGroup member templates for "+w.ns+"/"+g.name(), leader)
	w.unbound(leader, stranger)
	// The default scheduler checks the worker's affinity to its leader, who is not placed: once the leader may go alone, it
	// follows.
	w.patchPodGroup(g.name(), `{"spec":{"minMember":1}}`)
	w.awaitBound(leader)
	w.createClaim()
	w.awaitWhole(leader, stranger)
}

// Two ways to cut the same nodes: racks of 2 and halls of 4. A gang of each key, then both at once.
func TestTwoTopologyKeysOverTheSameNodes(t *testing.T) {
	w := newWorld(t)
	hall := w.key + "-hall"
	racks := map[string]string{"r0-0": "h0", "r0-1": "h0", "r1-0": "h0", "r1-1": "h0", "r2-0": "h1", "r2-1": "h1", "r3-0": "h1", "r3-1": "h1"}
	for short, value := range racks {
		w.addNode(short, map[string]string{w.key: domainOf(short), hall: value}, gpus(1))
	}
	// The gang that is wider than a rack, and two that need a rack each.
	w.podGroupWith("wide", map[string]string{topologyKey: hall}, map[string]any{"minMember": int64(4)})
	w.podGroup("narrow-0", 2)
	w.podGroup("narrow-1", 2)
	wide := w.pods("wide", "wide", 4)
	narrow := [][]string{w.pods("narrow-0", "narrow-0", 2), w.pods("narrow-1", "narrow-1", 2)}
	halls := map[string]bool{}
	for _, node := range w.awaitBound(wide...) {
		halls[racks[node]] = true
	}
	if len(halls) != 1 {
		t.Errorf("the wide gang is in halls %v, expected one", halls)
	}
	for _, members := range narrow {
		w.awaitWhole(members...)
	}
	w.noOvercommit()
}

// Such objects exist in clusters: the API server takes them, and their pods are told what is wrong until it is put right.
func TestPodGroupWithoutPositiveMinMemberKeepsItsPodsPending(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	for gang, spec := range map[string]map[string]any{"zero": {"minMember": int64(0)}, "none": {}, "negative": {"minMember": int64(-1)}} {
		w.podGroupWith(gang, map[string]string{topologyKey: w.key}, spec)
		w.pod(gang+"-0", gang)
		w.awaitReason("PodGroup "+w.ns+"/"+gang+" must declare a positive minMember", gang+"-0")
	}
	w.patchPodGroup("none", `{"spec":{"minMember":1}}`)
	w.awaitBoundIn("a", "none-0")
	w.unbound("zero-0", "negative-0")
}
