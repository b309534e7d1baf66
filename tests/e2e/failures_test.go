package e2e

import (
	"testing"
	"time"

	"gangpack/tests/e2e/controlplane"
)

// waitingGang is a gang of three in a domain that fits it: two members wait at Permit, the third is still refused by
// kube-scheduler.
func waitingGang(w *world) (g omeGang, waiting []string, refused string) {
	w.Helper()
	w.addNodes("a", 3, gpus(1))
	w.addNodes("b", 4, gpus(1))
	g = w.engine("qwen")
	g.podGroup(3)
	waiting = []string{g.leader(), g.worker(0)}
	refused = g.worker(1, usesClaim)
	w.awaitWaiters(g, waiting...)
	return g, waiting, refused
}

// finish lets the refused member in and awaits the whole gang.
func finish(w *world, waiting []string, refused string) {
	w.Helper()
	w.unbound(append(waiting, refused)...)
	w.createClaim()
	w.awaitWhole(append(waiting, refused)...)
	w.noOvercommit()
}

func TestGangpackKilledWhileMembersWait(t *testing.T) {
	w := newWorld(t)
	g, waiting, refused := waitingGang(w)
	plane.Gangpack.Kill()
	w.must(plane.StartGangpack(w.ctx))
	w.awaitWaiters(g, waiting...)
	finish(w, waiting, refused)
}

func TestGangpackStoppedWhileMembersWait(t *testing.T) {
	w := newWorld(t)
	g, waiting, refused := waitingGang(w)
	w.must(plane.Gangpack.Stop())
	w.must(plane.StartGangpack(w.ctx))
	w.awaitWaiters(g, waiting...)
	finish(w, waiting, refused)
}

func TestKubeSchedulerKilledWhileMembersWait(t *testing.T) {
	w := newWorld(t)
	g, waiting, refused := waitingGang(w)
	plane.Scheduler.Kill()
	w.awaitWaiters(g)
	w.must(plane.Scheduler.Start())
	w.awaitWaiters(g, waiting...)
	finish(w, waiting, refused)
}

func TestAPIServerAwayForHalfAMinuteWhileMembersWait(t *testing.T) {
	w := newWorld(t)
	g, waiting, refused := waitingGang(w)
	w.Cleanup(func() {
		for _, process := range []*controlplane.Process{plane.Scheduler, plane.DefaultScheduler, plane.Controllers} {
			process.Kill()
			w.must(process.Start())
		}
	})
	// Kubernetes' own watches come back after an outage of this length only within a minute; restarted programs do at once.
	w.deadline = 2 * time.Minute
	plane.APIServer.Kill()
	// The length of the outage is what is tested, so it is not awaited but spent.
	time.Sleep(30 * time.Second)
	w.must(plane.StartAPIServer(w.ctx))
	w.awaitWaiters(g, waiting...)
	finish(w, waiting, refused)
	other := w.engine("other")
	other.podGroup(3)
	w.awaitWhole(other.members(2)...)
}

func TestAPIServerRestartedWhileMembersWait(t *testing.T) {
	w := newWorld(t)
	g, waiting, refused := waitingGang(w)
	// Everybody's watches are open; it stops in time all the same.
	w.must(plane.APIServer.Stop())
	w.must(plane.StartAPIServer(w.ctx))
	w.awaitWaiters(g, waiting...)
	finish(w, waiting, refused)
}

func TestWaitingPodDeletedAndRecreatedUnderItsName(t *testing.T) {
	w := newWorld(t)
	g, waiting, refused := waitingGang(w)
	leader, worker := waiting[0], waiting[1]
	w.deletePod(worker)
	w.await("nobody waits for a gang that is short of a member", func() (bool, string) {
		hold := w.hold(g)
		return hold == nil, ""
	})
	w.unbound(leader, refused)
	if again := g.worker(0); again != worker {
		t.Fatalf("the pod is called %s, expected %s", again, worker)
	}
	w.awaitWaiters(g, waiting...)
	finish(w, waiting, refused)
}

func TestRefusedMemberReplacedByOneThatFits(t *testing.T) {
	w := newWorld(t)
	_, waiting, refused := waitingGang(w)
	w.deletePod(refused)
	successor := w.engine("qwen").pod("worker", 7)
	w.awaitWhole(append(waiting, successor)...)
}
