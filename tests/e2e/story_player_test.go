package e2e

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"gangpack/tests/e2e/controlplane"
	"gangpack/tests/e2e/story"
)

// player plays one story on the control plane, and writes down for `gangpack simulate` what happens.
type player struct {
	*world
	story    story.Story
	path     string // of the input for `gangpack simulate`
	manifest *story.Manifest
	pods     map[string]*corev1.Pod // as they were made, by name
	pinned   map[string]bool        // pods whose node was left to kube-scheduler's own scores, by name
	nodes    map[string]bool        // those that exist
	before   state                  // after the last step
}

func newPlayer(t *testing.T, s story.Story, path string) *player {
	w := &world{TB: t, ctx: t.Context(), ns: s.Namespace, deadline: deadline}
	p := &player{world: w, story: s, path: path, manifest: &story.Manifest{}, pods: map[string]*corev1.Pod{},
		pinned: map[string]bool{}, nodes: map[string]bool{}}
	t.Cleanup(p.end)
	_, err := plane.Client.CoreV1().Namespaces().Create(w.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.ns}},
		metav1.CreateOptions{})
	w.must(err)
	p.manifest.Note(fmt.Sprintf("Random story %d.", s.Seed))
	return p
}

// end tells how to see it again, if it failed, and leaves nothing of the story.
func (p *player) end() {
	p.ctx = context.Background() // that of the test has ended
	if p.Failed() {
		p.must(os.WriteFile(p.path, []byte(p.manifest.Text()), 0o644))
		p.Logf("replay: tests/e2e/run --stories 1 --seed %d\nfor the simulation alone: gangpack simulate %s\nlogs: %s",
			p.story.Seed, p.path, logFolder)
		p.must(plane.StartWhatIsMissing(p.ctx))
		plane.Scheduler.Resume()
	}
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
	ours := metav1.ListOptions{LabelSelector: worldLabel + "=" + p.ns}
	p.must(plane.Client.CoreV1().Pods(p.ns).DeleteCollection(p.ctx, now, metav1.ListOptions{}))
	p.must(plane.Dynamic.Resource(podGroups).Namespace(p.ns).DeleteCollection(p.ctx, now, metav1.ListOptions{}))
	p.must(plane.Client.CoreV1().Nodes().DeleteCollection(p.ctx, now, ours))
	p.must(plane.Client.CoreV1().Namespaces().Delete(p.ctx, p.ns, metav1.DeleteOptions{}))
	p.await("gangpack has forgotten the story", func() (bool, string) {
		is, err := p.gangpackState()
		return err == nil && len(is.pods)+len(is.gangs) == 0, fmt.Sprint(is, err)
	})
}

// play does what the step says while kube-scheduler is stopped, so that all of it is there before anything is scheduled,
// and then compares.
func (p *player) play(number int, step story.Step) {
	p.must(plane.Scheduler.Pause())
	happened := &story.Manifest{}
	happened.Note(fmt.Sprintf("%d: %s", number, step.What))
	p.carryOut(step, happened)
	p.awaitSeen()
	p.must(plane.Scheduler.Resume())
	p.placeStrangers(step, happened)
	p.must(happened.Advance("1s"))
	p.compare(fmt.Sprintf("step %d, %s", number, step.What), happened)
}

func (p *player) carryOut(step story.Step, happened *story.Manifest) {
	var deleted []string
	for _, change := range step.Changes {
		switch {
		case change.Node != nil:
			deleted = append(deleted, p.changeNode(change, happened)...)
		case change.Pod != nil:
			deleted = append(deleted, p.changePod(change, happened)...)
		default:
			deleted = append(deleted, p.changeGroup(change, happened)...)
		}
	}
	if len(deleted) > 0 {
		p.must(happened.Delete(deleted))
	}
}

func (p *player) changeNode(change story.Change, happened *story.Manifest) (deleted []string) {
	nodes := plane.Client.CoreV1().Nodes()
	name := change.Node.Name
	switch change.Verb {
	case story.Delete:
		p.must(nodes.Delete(p.ctx, name, metav1.DeleteOptions{}))
		delete(p.nodes, name)
		return []string{"node/" + name}
	case story.Create:
		node := change.Node.DeepCopy()
		node.Labels[worldLabel] = p.ns
		node, err := nodes.Create(p.ctx, node, metav1.CreateOptions{})
		p.must(err)
		p.nodes[name] = true
		p.must(happened.Apply(node))
	case story.Replace:
		node, err := nodes.Get(p.ctx, name, metav1.GetOptions{})
		p.must(err)
		node.Labels = change.Node.DeepCopy().Labels
		node.Labels[worldLabel] = p.ns
		node.Spec = *change.Node.Spec.DeepCopy()
		node, err = nodes.Update(p.ctx, node, metav1.UpdateOptions{})
		p.must(err)
		p.must(happened.Apply(node))
	}
	return nil
}

func (p *player) changePod(change story.Change, happened *story.Manifest) (deleted []string) {
	pods, name := plane.Client.CoreV1().Pods(p.ns), change.Pod.Name
	switch change.Verb {
	case story.Delete:
		if p.pods[name] == nil {
			return nil // it was not re-created
		}
		p.deletePod(name)
		delete(p.pods, name)
		return []string{"pod/" + p.ns + "/" + name}
	case story.Create:
		if p.pinned[name] {
			return nil // what was pinned is its predecessor, of the same name
		}
		pod, err := pods.Create(p.ctx, change.Pod, metav1.CreateOptions{})
		p.must(err)
		if pod.Spec.SchedulerName == controlplane.SchedulerName {
			p.pods[name] = pod
			p.must(happened.Apply(pod))
		}
	case story.Replace:
		if p.pods[name] == nil {
			return nil
		}
		pod, err := pods.Get(p.ctx, name, metav1.GetOptions{})
		p.must(err)
		pod.Status.Phase = change.Pod.Status.Phase
		_, err = pods.UpdateStatus(p.ctx, pod, metav1.UpdateOptions{})
		p.must(err)
		p.pods[name].Status.Phase = change.Pod.Status.Phase
		p.must(happened.Apply(p.pods[name]))
	}
	return nil
}

func (p *player) changeGroup(change story.Change, happened *story.Manifest) (deleted []string) {
	groups, name := plane.Dynamic.Resource(podGroups).Namespace(p.ns), change.Group.GetName()
	switch change.Verb {
	case story.Delete:
		p.must(groups.Delete(p.ctx, name, metav1.DeleteOptions{}))
		return []string{"podgroup/" + p.ns + "/" + name}
	case story.Create:
		group, err := groups.Create(p.ctx, change.Group, metav1.CreateOptions{})
		p.must(err)
		p.must(happened.Apply(group))
	case story.Replace:
		group, err := groups.Get(p.ctx, name, metav1.GetOptions{})
		p.must(err)
		group.SetAnnotations(change.Group.GetAnnotations())
		group.Object["spec"] = change.Group.DeepCopy().Object["spec"]
		group, err = groups.Update(p.ctx, group, metav1.UpdateOptions{})
		p.must(err)
		p.must(happened.Apply(group))
	}
	return nil
}

// placeStrangers lets the default scheduler place its new pods, which the simulation does not; those that it does not place
// are taken away again.
func (p *player) placeStrangers(step story.Step, happened *story.Manifest) {
	for _, change := range step.Changes {
		if change.Pod == nil || change.Pod.Spec.SchedulerName == controlplane.SchedulerName || change.Verb != story.Create {
			continue
		}
		var pod *corev1.Pod
		p.await("the default scheduler has tried its pod", func() (bool, string) {
			var err error
			pod, err = plane.Client.CoreV1().Pods(p.ns).Get(p.ctx, change.Pod.Name, metav1.GetOptions{})
			p.must(err)
			return pod.Spec.NodeName != "" || schedulingMessage(pod) != "", ""
		})
		if pod.Spec.NodeName == "" {
			p.deletePod(pod.Name)
			continue
		}
		p.must(happened.Apply(pod))
	}
}

// awaitSeen returns when gangpack knows the pods that there are, and what it says of them and of all gangs does not change.
func (p *player) awaitSeen() {
	const unchangedFor = 40 * time.Millisecond
	last, since := "", time.Now()
	p.await("gangpack has seen the step", func() (bool, string) {
		is, err := p.gangpackState()
		if err != nil {
			return false, err.Error()
		}
		if text := is.String(); text != last {
			last, since = text, time.Now()
		}
		return p.knows(is) && time.Since(since) >= unchangedFor, last
	})
}

// knows tells whether the pods of the state are those that there are.
func (p *player) knows(is state) bool {
	want := map[string]bool{}
	for name, pod := range p.pods {
		if pod.Status.Phase != corev1.PodSucceeded {
			want[name] = true
		}
	}
	for name := range is.pods {
		if !want[name] {
			return false
		}
	}
	return len(want) == len(is.pods)
}
