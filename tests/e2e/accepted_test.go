package e2e

import (
	"fmt"
	"testing"
)

// The accepted behaviours 1 to 17, one test each, with the pods that OME makes.

func Test01_GangGoesToTheSmallestDomainThatHoldsIt(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	w.addNodes("b", 3, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	w.distinctNodes(w.awaitBoundIn("a", g.members(1)...))
}

func Test02_NothingIsBoundBeforeTheLastMemberExists(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	leader := g.leader()
	w.awaitReason("waiting for all PodGroup member templates for "+w.ns+"/"+g.name(), leader)
	w.awaitBoundIn("a", leader, g.worker(0))
}

func Test02_WorkerBeforeItsLeader(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	worker := g.worker(0)
	w.awaitReason("waiting for all PodGroup member templates for "+w.ns+"/"+g.name(), worker)
	w.awaitBoundIn("a", worker, g.leader())
}

func Test03_WithoutTopologyKeyAGangIsPendingUntilTheAnnotationIsAdded(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	w.podGroupWith("g", nil, map[string]any{"minMember": int64(2)})
	names := w.pods("g", "g", 2)
	w.awaitReason("PodGroup "+w.ns+"/g must declare ome.io/topology-key or the scheduler must configure topologyKey", names...)
	w.patchPodGroup("g", fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, topologyKey, w.key))
	w.awaitBoundIn("a", names...)
}

func Test04_MembersOfTwoSizesGoWhereBothFit(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	w.addNodes("b", 2, gpus(2))
	g := w.engine("qwen")
	g.podGroup(2)
	w.awaitBoundIn("b", g.leader(requests(gpus(1))), g.worker(0, requests(gpus(2))))
}

func Test05_FlexibleMemberYieldsToItsPinnedSibling(t *testing.T) {
	for _, pinned := range []string{"a-0", "a-1"} {
		t.Run("sibling_on_"+pinned, func(t *testing.T) {
			w := newWorld(t)
			w.addNodes("a", 2, gpus(1))
			g := w.engine("qwen")
			g.podGroup(2)
			leader := g.leader()
			worker := g.worker(0, w.selectsNode(pinned))
			nodes := w.awaitBoundIn("a", leader, worker)
			w.distinctNodes(nodes)
			if nodes[worker] != pinned {
				t.Errorf("the pinned worker is on %s, expected %s", nodes[worker], pinned)
			}
		})
	}
}

func Test06_GangBoundInTwoDomainsIsNeverExtended(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 3, gpus(1))
	w.addNodes("b", 2, gpus(1))
	w.podGroup("g", 3)
	w.pod("g-0", "g", w.onNode("a-0"))
	w.pod("g-1", "g", w.onNode("b-0"))
	w.pod("g-2", "g")
	w.awaitReason("gang "+w.ns+"/g already has members in multiple topology domains", "g-2")
	// It was for that reason alone: once the one in b is replaced, all are in a.
	w.deletePod("g-1")
	w.pod("g-1", "g")
	w.awaitBoundIn("a", "g-0", "g-1", "g-2")
}

func Test07_TwoArrivalsOfFourBindNothingAndAreNotCountedTwice(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 4, gpus(1))
	g := w.engine("qwen")
	g.podGroup(4)
	waiting := "waiting for all PodGroup member templates for " + w.ns + "/" + g.name()
	first := g.members(1)
	w.awaitReason(waiting, first...)
	// The same two come again, and then a third: still one short of four, though there were more than four calls.
	for range 3 {
		w.tryAgain(first...)
	}
	third := g.worker(1)
	w.awaitReason(waiting, third)
	w.unbound(first...)
	w.awaitBoundIn("a", append(first, third, g.worker(2))...)
}

func Test08_LoweredMinMemberLetsTheExistingMembersBind(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	w.podGroup("g", 2)
	w.pod("g-0", "g")
	w.awaitReason("waiting for all PodGroup member templates for "+w.ns+"/g", "g-0")
	w.patchPodGroup("g", `{"spec":{"minMember":1}}`)
	w.awaitBoundIn("a", "g-0")
}

func Test09_TwoGangsGoToDifferentDomainsEachWhole(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 3, gpus(1))
	w.addNodes("b", 4, gpus(1))
	one, two := w.engine("one"), w.engine("two")
	one.podGroup(3)
	two.podGroup(3)
	first, second := w.awaitWhole(one.members(2)...), w.awaitWhole(two.members(2)...)
	if first != "a" || second != "b" {
		t.Errorf("the gangs are in %s and %s, expected a and b", first, second)
	}
}

func Test10_AfterARestartTheThirdMemberJoinsTheTwoBoundOnes(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 3, gpus(1))
	w.addNodes("b", 1, gpus(1))
	g := w.engine("qwen")
	g.podGroup(3)
	plane.Gangpack.Kill()
	leader, worker := g.leader(w.onNode("a-0")), g.worker(0, w.onNode("a-2"))
	last := g.worker(1)
	w.must(plane.StartGangpack(w.ctx))
	nodes := w.awaitBoundIn("a", leader, worker, last)
	if nodes[last] != "a-1" {
		t.Errorf("the third member is on %s, expected a-1", nodes[last])
	}
}

func Test11_SurplusMemberJoinsTheGangsDomain(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 3, gpus(1))
	w.addNodes("b", 4, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	w.awaitBoundIn("a", g.members(1)...)
	w.awaitBoundIn("a", g.worker(1))
}

func Test12_GangWithoutRoomBindsAfterTheBlockersAreDeleted(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	w.pod("blocker-0", "", w.onNode("a-0"))
	w.pod("blocker-1", "", w.onNode("a-1"))
	// kube-scheduler asks about nodes that are free; full ones it refuses by itself, without a reason of ours.
	w.addNodes("b", 1, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	members := g.members(1)
	w.awaitReasonNow("no domain has room for gang "+w.ns+"/"+g.name(), members...)
	w.deletePod("blocker-0")
	w.unbound(members...)
	w.deletePod("blocker-1")
	w.awaitBoundIn("a", members...)
}

func Test13_PodsBeforeTheirPodGroupAreHeldUntilItExists(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	g := w.engine("qwen")
	members := g.members(1)
	w.awaitReason("PodGroup "+w.ns+"/"+g.name()+" not resolvable yet", members...)
	g.podGroup(2)
	w.awaitBoundIn("a", members...)
}

func Test14_SecondGangWaitsForTheFormingOneAndFollowsIt(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 4, gpus(1))
	first, second := w.engine("first"), w.engine("second")
	first.podGroup(2)
	second.podGroup(2)
	leader, worker := w.membersOfWhichOneWaits(first)
	followers := second.members(1)
	w.awaitReasonNow("no domain has room for gang "+w.ns+"/"+second.name(), followers...)
	w.createClaim()
	w.awaitBoundIn("a", leader, worker)
	w.awaitBoundIn("a", followers...)
	w.noOvercommit()
}

func Test15_BothMembersGoToTheOneNodeWithRoomForTwo(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(2))
	w.pod("full", "", w.onNode("a-1"), requests(gpus(2)))
	g := w.engine("qwen")
	g.podGroup(2)
	for name, node := range w.awaitBound(g.members(1)...) {
		if node != "a-0" {
			t.Errorf("%s is on %s, expected a-0", name, node)
		}
	}
}

func Test17_HeldDomainThatIsCordonedIsLeftForAnother(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 2, gpus(1))
	w.addNodes("b", 3, gpus(1))
	g := w.engine("qwen")
	g.podGroup(2)
	leader, worker := w.membersOfWhichOneWaits(g)
	w.awaitHold(g, "a")
	w.cordon("a-0", true)
	w.awaitHold(g, "b")
	w.unbound(leader, worker)
	w.createClaim()
	w.awaitBoundIn("b", leader, worker)
}
