package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"gangpack/tests/e2e/story"
)

// state is what a story has come to: pods and gangs by name, as gangpack's pages and `gangpack simulate` show them.
type state struct {
	pods, gangs map[string]view
}

func (s state) String() string {
	text, err := json.Marshal([]map[string]view{s.pods, s.gangs})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func byName(views []view) map[string]view {
	named := map[string]view{}
	for _, v := range views {
		named[fmt.Sprint(v["name"])] = v
	}
	return named
}

// gangpackState is what gangpack's pages say.
func (p *player) gangpackState() (state, error) {
	pods, err := p.views("pods")
	if err != nil {
		return state{}, err
	}
	gangs, err := p.views("gangs")
	return state{pods: byName(pods), gangs: byName(gangs)}, err
}

// realState is what gangpack's pages say, with the pods' nodes as the API server has them, and kube-scheduler's own words
// where gangpack was not asked.
func (p *player) realState() (state, error) {
	is, err := p.gangpackState()
	if err != nil {
		return is, err
	}
	for name, pod := range p.listPods() {
		v := is.pods[name]
		if v == nil {
			continue
		}
		if pod.Spec.NodeName != "" {
			v["node"], v["state"] = pod.Spec.NodeName, "Bound"
		}
		v["condition"] = schedulingMessage(pod)
	}
	return is, nil
}

// simulatedState is what `gangpack simulate` makes of the manifest.
func (p *player) simulatedState(manifest *story.Manifest) (state, error) {
	command := exec.CommandContext(p.ctx, *gangpack, "simulate", "-o", "json", "-")
	command.Stdin = strings.NewReader(manifest.Text())
	var complaints bytes.Buffer
	command.Stderr = &complaints
	output, err := command.Output()
	if err != nil {
		return state{}, fmt.Errorf("gangpack simulate: %w\n%s", err, complaints.String())
	}
	var result struct{ Pods, Gangs []view }
	if err := json.Unmarshal(output, &result); err != nil {
		return state{}, fmt.Errorf("gangpack simulate: %w\n%s", err, output)
	}
	return state{pods: byName(result.Pods), gangs: byName(result.Gangs)}, nil
}

// activity is what changes while anything is under way: the cluster's revision, and kube-scheduler's attempts and queue.
type activity struct {
	revision, scheduler string
	waiting             bool // pods are in the queue, and will be tried
}

func (p *player) activity() (activity, error) {
	list, err := plane.Client.CoreV1().Pods(p.ns).List(p.ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return activity{}, err
	}
	answer, err := plane.SchedulerMetrics()
	if err != nil {
		return activity{}, err
	}
	is := activity{revision: list.ResourceVersion}
	for _, line := range strings.Split(answer, "\n") {
		switch {
		case strings.HasPrefix(line, "scheduler_schedule_attempts_total"):
			is.scheduler += line + "\n"
		case strings.HasPrefix(line, `scheduler_pending_pods{queue="active"}`), strings.HasPrefix(line, `scheduler_pending_pods{queue="backoff"}`):
			is.waiting = is.waiting || !strings.HasSuffix(line, " 0")
		}
	}
	return is, nil
}

// compare awaits that the control plane is quiet and in the state that the simulation says.
func (p *player) compare(when string, happened *story.Manifest) {
	p.Helper()
	const quietFor = 80 * time.Millisecond
	expected, err := p.simulatedAfter(happened)
	if err != nil {
		p.manifest.Append(happened)
		p.Fatalf("%s: %v", when, err)
	}
	end, since := time.Now().Add(storyDeadline), time.Now()
	var last activity
	var differences []string
	choosing := 3 // choices follow from choices
	for time.Now().Before(end) {
		now, err := p.activity()
		p.must(err)
		if now != last || now.waiting {
			last, since = now, time.Now()
		}
		if time.Since(since) >= quietFor {
			is, err := p.realState()
			p.must(err)
			if differences = differencesOf(expected, is); len(differences) == 0 {
				p.manifest.Append(happened)
				p.before = is
				return
			}
			if c := p.choicesOf(expected, is); choosing > 0 && len(c.nodes)+len(c.later) > 0 {
				choosing--
				happened = p.choose(c, happened)
				expected, err = p.simulatedAfter(happened)
				p.must(err)
			}
		}
		time.Sleep(pollInterval)
	}
	p.manifest.Append(happened)
	p.Errorf("%s: after %v the control plane is not as simulated (quiet: %t):\n  %s", when, storyDeadline, !last.waiting, strings.Join(differences, "\n  "))
}

const storyDeadline = 10 * time.Second

func (p *player) simulatedAfter(happened *story.Manifest) (state, error) {
	manifest := p.manifest.Clone()
	manifest.Append(happened)
	return p.simulatedState(manifest)
}

// hadAChoice tells whether the pod was bound in this step, here or where it is simulated, and gangpack may have left it several
// nodes: it is a standalone pod, or one of a gang that is complete, in the same domain, with more members than it needs.
func (p *player) hadAChoice(name string, expected, is state) bool {
	if before := p.before.pods[name]; before != nil && before["state"] == "Bound" {
		return false
	}
	name = strings.TrimPrefix(fmt.Sprint(is.pods[name]["gang"]), p.ns+"/")
	if name == "" {
		return true
	}
	gang, want := is.gangs[name], expected.gangs[name]
	members, _ := gang["members"].(float64)
	minMember, _ := gang["minMember"].(float64)
	return gang["state"] == "Complete" && want["state"] == "Complete" && want["domain"] == gang["domain"] && members > minMember
}

// choices are what of a step kube-scheduler decides by what is not simulated.
type choices struct {
	nodes map[string]string // of which node is taken its own scores decide: the node that was taken
	later []string          // pods that came too late, since others were tried before them
}

// choicesOf compares two states of which one is as right as the other, as far as choices go. What there was to choose from is
// compared, since the simulation is then asked for what was chosen.
func (p *player) choicesOf(expected, is state) choices {
	c := choices{nodes: map[string]string{}}
	earlier := 0
	for _, name := range slices.Sorted(maps.Keys(is.pods)) {
		v, want := is.pods[name], expected.pods[name]
		if p.pinned[name] || want == nil || !p.hadAChoice(name, expected, is) {
			continue
		}
		switch {
		case v["state"] == "Bound" && want["state"] == "Bound" && want["node"] != v["node"]:
			c.nodes[name] = fmt.Sprint(v["node"])
		case v["state"] == "Bound" && want["state"] == "Pending":
			earlier++
		case v["state"] == "Pending" && want["state"] == "Bound":
			c.later = append(c.later, name)
		}
	}
	if earlier == 0 {
		c.later = nil
	}
	return c
}

// choose is what happened with the choices that were made.
func (p *player) choose(c choices, happened *story.Manifest) *story.Manifest {
	chosen := &story.Manifest{}
	for _, name := range slices.Sorted(maps.Keys(c.nodes)) {
		p.pinned[name] = true
		others := slices.DeleteFunc(slices.Sorted(maps.Keys(p.nodes)), func(node string) bool { return node == c.nodes[name] })
		p.must(chosen.Refuse("pod/"+p.ns+"/"+name, others))
	}
	if len(c.later) > 0 {
		p.must(chosen.Hold("pause", p.ns, c.later))
		defer func() { p.must(chosen.Hold("resume", p.ns, c.later)) }()
	}
	chosen.Append(happened)
	return chosen
}

// differencesOf says, a line each, in what two states differ.
func differencesOf(simulated, is state) []string {
	for name, v := range simulated.pods {
		// kube-scheduler's own words stand in the pod's condition.
		if of := is.pods[name]; of != nil && strings.HasPrefix(fmt.Sprint(v["message"]), "0/") {
			of["message"] = of["condition"]
		}
	}
	differences := append(differencesIn("pod", simulated.pods, is.pods, "state", "node", "gang", "message"),
		differencesIn("gang", simulated.gangs, is.gangs, "state", "topologyKey", "domain", "minMember", "members", "placed", "need", "message")...)
	return differences
}

func differencesIn(kind string, simulated, is map[string]view, fields ...string) []string {
	var differences []string
	names := map[string]bool{}
	for name := range simulated {
		names[name] = true
	}
	for name := range is {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for _, field := range fields {
			if a, b := fmt.Sprint(simulated[name][field]), fmt.Sprint(is[name][field]); a != b {
				differences = append(differences, fmt.Sprintf("%s %s: %s: simulated %q, is %q", kind, name, field, a, b))
			}
		}
	}
	return differences
}
