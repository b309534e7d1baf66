package controlplane

import "fmt"

// SchedulerName is the profile whose pods gangpack places.
const SchedulerName = "ome-scheduler"

// gangSchedulerConfiguration is the kube-scheduler profile that README.md asks for. Without extender addresses it has no
// extenders, to try the control plane alone.
func gangSchedulerConfiguration(kubeconfig, filterURL, bindURL string) string {
	text := fmt.Sprintf(`apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 2
clientConnection:
  kubeconfig: %s
  qps: 1000
  burst: 2000
leaderElection:
  leaderElect: false
profiles:
- schedulerName: %s
  plugins:
    multiPoint:
      disabled: [{name: DefaultPreemption}]
    preFilter:
      disabled: [{name: InterPodAffinity}, {name: PodTopologySpread}]
    filter:
      disabled: [{name: InterPodAffinity}, {name: PodTopologySpread}]
`, kubeconfig, SchedulerName)
	if filterURL == "" {
		return text
	}
	return text + fmt.Sprintf(`extenders:
- urlPrefix: %s
  filterVerb: filter
  prioritizeVerb: prioritize
  weight: 10
  nodeCacheCapable: true
  httpTimeout: 2s
  ignorable: false
- urlPrefix: %s
  bindVerb: bind
  nodeCacheCapable: true
  httpTimeout: 24h
  ignorable: false
`, filterURL, bindURL)
}

// defaultSchedulerConfiguration is a cluster's own kube-scheduler, which knows nothing of gangs.
func defaultSchedulerConfiguration(kubeconfig string) string {
	return fmt.Sprintf(`apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 2
clientConnection:
  kubeconfig: %s
  qps: 1000
  burst: 2000
leaderElection:
  leaderElect: false
`, kubeconfig)
}
