package main

import (
	"context"
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// The plugins whose filters are asked, in the order of every list of them.
var pluginNames = []string{
	names.NodeUnschedulable,
	names.NodeName,
	names.TaintToleration,
	names.NodeAffinity,
	names.NodePorts,
	names.NodeResourcesFit,
	names.PodTopologySpread,
	names.InterPodAffinity,
}

// scheduler holds the plugins, made once with kube-scheduler's default arguments, and the cluster that they see.
type scheduler struct {
	plugins    []fwk.Plugin
	namespaces cache.Indexer
	// What the plugins see. They keep the address of this field's holder.
	cluster *cluster
}

// cluster is the snapshot that the plugins look at; another one is put into it for each case.
type cluster struct {
	*schedulercache.Snapshot
}

func newScheduler(ctx context.Context) (*scheduler, error) {
	// Lt and Gt of tolerations are off by default, and decide nothing where they are not used.
	gates := map[string]bool{string(features.TaintTolerationComparisonOperators): true}
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(gates); err != nil {
		return nil, err
	}
	metrics.Register()
	informerFactory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	result := &scheduler{
		namespaces: informerFactory.Core().V1().Namespaces().Informer().GetIndexer(),
		cluster:    &cluster{schedulercache.NewEmptySnapshot()},
	}
	handle, err := frameworkruntime.NewFramework(ctx, nil, nil,
		frameworkruntime.WithSnapshotSharedLister(result.cluster),
		frameworkruntime.WithInformerFactory(informerFactory),
		frameworkruntime.WithParallelism(1))
	if err != nil {
		return nil, err
	}
	arguments, err := defaultArguments()
	if err != nil {
		return nil, err
	}
	registry := plugins.NewInTreeRegistry()
	for _, name := range pluginNames {
		plugin, err := registry[name](ctx, arguments[name], handle)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		result.plugins = append(result.plugins, plugin)
	}
	return result, nil
}

func defaultArguments() (map[string]runtime.Object, error) {
	configuration, err := latest.Default()
	if err != nil {
		return nil, err
	}
	arguments := map[string]runtime.Object{}
	for _, plugin := range configuration.Profiles[0].PluginConfig {
		arguments[plugin.Name] = plugin.Args
	}
	return arguments, nil
}

// observe makes the plugins see these nodes and namespaces, and these pods on them. Left out are finished pods, as
// kube-scheduler's own watch leaves them out, and those on nodes that are not there, as its cache does.
func (s *scheduler) observe(objects *watched, bound []*v1.Pod) error {
	exists := map[string]bool{}
	for _, node := range objects.nodes {
		exists[node.Name] = true
	}
	var counted []*v1.Pod
	for _, pod := range bound {
		finished := pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
		if !finished && exists[pod.Spec.NodeName] {
			counted = append(counted, pod)
		}
	}
	s.cluster.Snapshot = schedulercache.NewSnapshot(counted, objects.nodes)
	namespaces := []interface{}{}
	for _, namespace := range objects.namespaces {
		namespaces = append(namespaces, namespace)
	}
	return s.namespaces.Replace(namespaces, "")
}

// refusedOn returns the plugins that refuse the pod, for each node by name.
func (s *scheduler) refusedOn(ctx context.Context, pod *v1.Pod) (map[string][]string, error) {
	nodes, err := s.cluster.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	refused := map[string][]string{}
	for _, node := range nodes {
		refused[node.Node().Name] = []string{}
	}
	state := framework.NewCycleState()
	for _, plugin := range s.plugins {
		preFilter, err := runPreFilter(ctx, state, plugin, pod, nodes)
		if err != nil {
			return nil, err
		}
		for _, node := range nodes {
			refuses, err := preFilter.refuses(ctx, state, node)
			if err != nil {
				return nil, err
			}
			if refuses {
				refused[node.Node().Name] = append(refused[node.Node().Name], plugin.Name())
			}
		}
	}
	return refused, nil
}

// preFiltered is what a plugin said before it looked at single nodes.
type preFiltered struct {
	plugin  fwk.Plugin
	pod     *v1.Pod
	skipped bool // the filter is not asked: every node passes
	refused bool // no node passes
	only    *fwk.PreFilterResult
}

func runPreFilter(ctx context.Context, state fwk.CycleState, plugin fwk.Plugin, pod *v1.Pod, nodes []fwk.NodeInfo) (*preFiltered, error) {
	result := &preFiltered{plugin: plugin, pod: pod}
	asked, ok := plugin.(fwk.PreFilterPlugin)
	if !ok {
		return result, nil
	}
	only, status := asked.PreFilter(ctx, state, pod, nodes)
	switch {
	case status.IsSkip():
		result.skipped = true
	case status.IsRejected():
		result.refused = true
	case !status.IsSuccess():
		return nil, fmt.Errorf("%s: %w", plugin.Name(), status.AsError())
	default:
		result.only = only
	}
	return result, nil
}

func (p *preFiltered) refuses(ctx context.Context, state fwk.CycleState, node fwk.NodeInfo) (bool, error) {
	if p.skipped {
		return false, nil
	}
	if p.refused || (!p.only.AllNodes() && !p.only.NodeNames.Has(node.Node().Name)) {
		return true, nil
	}
	status := p.plugin.(fwk.FilterPlugin).Filter(ctx, state, p.pod, node)
	if !status.IsSuccess() && !status.IsRejected() {
		return false, fmt.Errorf("%s: %w", p.plugin.Name(), status.AsError())
	}
	return !status.IsSuccess(), nil
}
