package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"gangpack/tests/e2e/story"
)

var (
	storyCount = flag.Int("stories", 20, "how many random stories are played")
	storySeed  = flag.Uint64("seed", 1, "of the first story; each has the next one")
)

// Random stories end in the same state on the control plane and in `gangpack simulate`, after each of their steps.
func TestStories(t *testing.T) {
	folder, err := os.MkdirTemp("", "gangpack-stories-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(folder) }) // stays if a story is in it
	createPriorities(t)
	(&world{TB: t, deadline: deadline}).await("kube-scheduler serves its metrics", func() (bool, string) {
		_, err := plane.SchedulerMetrics()
		return err == nil, fmt.Sprint(err)
	})
	for i := range *storyCount {
		seed := *storySeed + uint64(i)
		t.Run(fmt.Sprintf("seed_%d", seed), func(t *testing.T) {
			playStory(t, story.Generate(seed), filepath.Join(folder, fmt.Sprintf("story-%d.yaml", seed)))
		})
	}
}

func createPriorities(t *testing.T) {
	never := corev1.PreemptNever
	classes := plane.Client.SchedulingV1().PriorityClasses()
	for name, value := range story.Priorities {
		_, err := classes.Create(t.Context(), &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value,
			PreemptionPolicy: &never}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { classes.Delete(t.Context(), name, metav1.DeleteOptions{}) })
	}
}

// playStory plays the story in both places. `path` is where its input for `gangpack simulate` is kept if it fails.
func playStory(t *testing.T, s story.Story, path string) {
	p := newPlayer(t, s, path)
	for i, step := range s.Steps {
		p.play(i, step)
		if t.Failed() {
			return
		}
	}
}
