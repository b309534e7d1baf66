package e2e

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (w *world) controllerTemplate(gang string) corev1.PodTemplateSpec {
	pod := w.podTemplate(gang)
	pod.Labels["app"] = gang
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels}, Spec: pod.Spec}
}

// awaitMembers awaits that `count` pods of the gang are bound, all in one domain, and returns it and their names.
func (w *world) awaitMembers(gang string, count int) (domain string, names []string) {
	w.Helper()
	w.await(fmt.Sprintf("%d pods of gang %s", count, gang), func() (bool, string) {
		names = nil
		for name, pod := range w.listPods() {
			if pod.Labels[podGroupLabel] == gang && pod.DeletionTimestamp == nil {
				names = append(names, name)
			}
		}
		return len(names) == count, fmt.Sprint(names)
	})
	return w.awaitWhole(names...), names
}

func (w *world) statefulSet(name string, replicas int32) {
	w.Helper()
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.StatefulSetSpec{
		Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}},
		// A gang's members are needed together, so they cannot be made one after another.
		PodManagementPolicy: appsv1.ParallelPodManagement, Template: w.controllerTemplate(name)}}
	_, err := plane.Client.AppsV1().StatefulSets(w.ns).Create(w.ctx, set, metav1.CreateOptions{})
	w.must(err)
}

func TestStatefulSetIsAGangAndALostMemberComesBackToItsDomain(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 4, gpus(1))
	w.addNodes("b", 5, gpus(1))
	w.podGroup("set", 4)
	w.statefulSet("set", 4)
	if domain, _ := w.awaitMembers("set", 4); domain != "a" {
		t.Errorf("the set is in %s, expected a", domain)
	}
	lost := w.listPods()["set-2"].UID
	w.deletePod("set-2")
	w.await("set-2 made again", func() (bool, string) {
		pod := w.listPods()["set-2"]
		return pod != nil && pod.UID != lost, ""
	})
	w.awaitBoundIn("a", "set-2")
}

func TestJobIsAGang(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 3, gpus(1))
	w.addNodes("b", 2, gpus(1))
	w.podGroup("train", 3)
	three := int32(3)
	template := w.controllerTemplate("train")
	template.Spec.RestartPolicy = corev1.RestartPolicyNever
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "train"},
		Spec: batchv1.JobSpec{Completions: &three, Parallelism: &three, Template: template}}
	_, err := plane.Client.BatchV1().Jobs(w.ns).Create(w.ctx, job, metav1.CreateOptions{})
	w.must(err)
	if domain, _ := w.awaitMembers("train", 3); domain != "a" {
		t.Errorf("the job is in %s, expected a", domain)
	}
}

func TestDeploymentThatReplacesItsPodsStaysInItsDomain(t *testing.T) {
	w := newWorld(t)
	w.addNodes("a", 3, gpus(1))
	w.addNodes("b", 5, gpus(1))
	w.podGroup("serve", 3)
	three := int32(3)
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "serve"}, Spec: appsv1.DeploymentSpec{Replicas: &three,
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "serve"}}, Template: w.controllerTemplate("serve")}}
	_, err := plane.Client.AppsV1().Deployments(w.ns).Create(w.ctx, deployment, metav1.CreateOptions{})
	w.must(err)
	domain, names := w.awaitMembers("serve", 3)
	w.deletePod(names[0])
	w.await("the lost pod replaced", func() (bool, string) {
		pods := w.listPods()
		return pods[names[0]] == nil && len(pods) == 3, fmt.Sprint(len(pods))
	})
	if again, _ := w.awaitMembers("serve", 3); again != domain {
		t.Errorf("the replacement is in %s, expected %s", again, domain)
	}
}
