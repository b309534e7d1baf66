package e2e

import (
	"fmt"
	"testing"
)

const (
	fleetDomains = 24
	fleetSize    = 3 // nodes a domain, members a gang
)

// fleetGangs makes the pods of gangs FROM to TO - 1 and returns their names by gang.
func (w *world) fleetGangs(from, to int) [][]string {
	w.Helper()
	var gangs [][]string
	for i := from; i < to; i++ {
		gangs = append(gangs, omeGang{w: w, isvc: "fleet", component: "engine", index: i}.members(fleetSize-1))
	}
	return gangs
}

func (w *world) fleetPodGroups(from, to int) {
	w.Helper()
	for i := from; i < to; i++ {
		omeGang{w: w, isvc: "fleet", component: "engine", index: i}.podGroup(fleetSize)
	}
}

func (w *world) fleetNodes(from, to int) {
	w.Helper()
	for i := from; i < to; i++ {
		w.addNodes(fmt.Sprintf("rack-%02d", i), fleetSize, gpus(1))
	}
}

// awaitFleet awaits that each gang is whole in a domain of its own.
func (w *world) awaitFleet(gangs [][]string) {
	w.Helper()
	owners := map[string]string{}
	for _, members := range gangs {
		domain := w.awaitWhole(members...)
		if other := owners[domain]; other != "" {
			w.Fatalf("%s and %s are both in %s", other, members[0], domain)
		}
		owners[domain] = members[0]
	}
	w.noOvercommit()
}

// One more gang, once the fleet is bound, goes into a spare domain.
func (w *world) oneMoreGang(gangs [][]string) {
	w.Helper()
	w.fleetNodes(fleetDomains, fleetDomains+1)
	w.fleetPodGroups(fleetDomains, fleetDomains+1)
	w.awaitFleet(append(gangs, w.fleetGangs(fleetDomains, fleetDomains+1)...))
}

func (w *world) bound() int {
	count := 0
	for _, pod := range w.listPods() {
		if pod.Spec.NodeName != "" {
			count++
		}
	}
	return count
}

func Test16_FleetOfGangsFillsAllDomains(t *testing.T) {
	w := newWorld(t)
	w.fleetNodes(0, fleetDomains)
	gangs := w.fleetGangs(0, fleetDomains)
	w.fleetPodGroups(0, fleetDomains)
	w.awaitFleet(gangs)
	w.oneMoreGang(gangs)
}

func Test16_FleetWithAKillAndRestartInTheMiddle(t *testing.T) {
	w := newWorld(t)
	w.fleetNodes(0, fleetDomains)
	gangs := w.fleetGangs(0, fleetDomains)
	w.fleetPodGroups(0, fleetDomains)
	w.await("part of the fleet bound", func() (bool, string) {
		count := w.bound()
		return count > 0, fmt.Sprintf("%d bound", count)
	})
	plane.Gangpack.Kill()
	t.Logf("killed with %d of %d pods bound", w.bound(), fleetDomains*fleetSize)
	w.must(plane.StartGangpack(w.ctx))
	w.awaitFleet(gangs)
	w.oneMoreGang(gangs)
}

func Test16_FleetWithHalfTheCapacityMissingAtFirst(t *testing.T) {
	w := newWorld(t)
	w.fleetNodes(0, fleetDomains/2)
	gangs := w.fleetGangs(0, fleetDomains)
	w.fleetPodGroups(0, fleetDomains)
	w.await("half of the fleet bound", func() (bool, string) {
		count := w.bound()
		return count == fleetDomains/2*fleetSize, fmt.Sprintf("%d bound", count)
	})
	w.fleetNodes(fleetDomains/2, fleetDomains)
	w.awaitFleet(gangs)
	w.oneMoreGang(gangs)
}
