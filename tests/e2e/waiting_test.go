package e2e

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"gangpack/tests/e2e/controlplane"
)

// A member whose volume claim does not exist is refused by kube-scheduler itself, so its gang forms for as long as the test
// wants: it holds its domain, and its other members wait at Permit.

const claimName = "model"

func usesClaim(pod *corev1.Pod) {
	pod.Spec.Volumes = []corev1.Volume{{Name: "model", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claimName}}}}
}

// membersOfWhichOneWaits makes a leader that waits at Permit, and a worker that kube-scheduler refuses until createClaim.
func (w *world) membersOfWhichOneWaits(g omeGang) (leader, worker string) {
	w.Helper()
	leader, worker = g.leader(), g.worker(0, usesClaim)
	w.awaitWaiters(g, leader)
	return leader, worker
}

// createClaim makes the claim that usesClaim wants, bound to a volume that is there on every node.
func (w *world) createClaim() {
	w.Helper()
	size := controlplane.Resources{corev1.ResourceStorage: "1Gi"}.List()
	modes := []corev1.PersistentVolumeAccessMode{corev1.ReadOnlyMany}
	class := ""
	volume := &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: w.ns},
		Spec: corev1.PersistentVolumeSpec{Capacity: size, AccessModes: modes,
			PersistentVolumeSource: corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "none", Path: "/"}},
			ClaimRef:               &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: w.ns, Name: claimName}}}
	_, err := plane.Client.CoreV1().PersistentVolumes().Create(w.ctx, volume, metav1.CreateOptions{})
	w.must(err)
	claim := &corev1.PersistentVolumeClaim{
		// What the volume controller would write; it does not run here.
		ObjectMeta: metav1.ObjectMeta{Name: claimName, Annotations: map[string]string{"pv.kubernetes.io/bind-completed": "yes"}},
		Spec: corev1.PersistentVolumeClaimSpec{AccessModes: modes, VolumeName: w.ns, StorageClassName: &class,
			Resources: corev1.VolumeResourceRequirements{Requests: size}}}
	claims := plane.Client.CoreV1().PersistentVolumeClaims(w.ns)
	claim, err = claims.Create(w.ctx, claim, metav1.CreateOptions{})
	w.must(err)
	claim.Status.Phase = corev1.ClaimBound
	_, err = claims.UpdateStatus(w.ctx, claim, metav1.UpdateOptions{})
	w.must(err)
}

// hold is the gang's reservation; nil if it has none, or gangpack does not answer.
func (w *world) hold(g omeGang) view {
	views, err := w.views("reservations")
	if err != nil {
		return nil
	}
	for _, v := range views {
		if v["gang"] == w.ns+"/"+g.name() {
			return v
		}
	}
	return nil
}

func (w *world) awaitHold(g omeGang, domain string) {
	w.Helper()
	w.await(fmt.Sprintf("gang %s holds domain %s", g.name(), domain), func() (bool, string) {
		hold := w.hold(g)
		return hold["domain"] == domain, fmt.Sprint(hold)
	})
}

// awaitWaiters awaits that exactly these members wait at Permit.
func (w *world) awaitWaiters(g omeGang, names ...string) {
	w.Helper()
	w.await(fmt.Sprintf("%v wait at Permit", names), func() (bool, string) {
		hold := w.hold(g)
		waiters, _ := hold["waiters"].([]any)
		waiting := map[string]bool{}
		for _, waiter := range waiters {
			waiting[fmt.Sprint(waiter.(map[string]any)["name"])] = true
		}
		for _, name := range names {
			if !waiting[name] {
				return false, fmt.Sprint(hold)
			}
		}
		return len(waiting) == len(names), fmt.Sprint(hold)
	})
}

// awaitReasonNow awaits that gangpack gives `reason` for each of the pods, then that the users of the pods are told it. A
// member's event follows its own attempt, which may have been before the reason was this one; so each is tried again.
func (w *world) awaitReasonNow(reason string, names ...string) {
	w.Helper()
	w.await(fmt.Sprintf("%v pending with %q, as gangpack has it", names, reason), func() (bool, string) {
		views, err := w.views("pods")
		count := 0
		for _, v := range views {
			if slices.Contains(names, fmt.Sprint(v["name"])) && strings.Contains(fmt.Sprint(v["message"]), reason) {
				count++
			}
		}
		return count == len(names), fmt.Sprint(views, err)
	})
	w.tryAgain(names...)
	w.awaitReason(reason, names...)
}

// tryAgain makes kube-scheduler try the pods once more, as any change of theirs does.
func (w *world) tryAgain(names ...string) {
	w.Helper()
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"gangpack.test/try":"%d"}}}`, time.Now().UnixNano())
	for _, name := range names {
		_, err := plane.Client.CoreV1().Pods(w.ns).Patch(w.ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		w.must(err)
	}
}
