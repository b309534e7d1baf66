package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"gangpack/tests/e2e/controlplane"
)

//go:embed gang.yaml
var gangExample string

// supervise runs the control plane until it is told to stop, and records it. Its standard output is read by `up`.
func supervise(folder string, programs programs, wanted settings) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	started, err := startOf(os.Getpid())
	if err != nil {
		return err
	}
	s := state{Pid: os.Getpid(), Started: started, Settings: wanted}
	if err := s.write(folder); err != nil {
		return err
	}
	defer os.Remove(statePath(folder))
	plane, err := controlplane.Start(ctx, controlplane.Options{Binaries: programs.binaries, Gangpack: programs.gangpack,
		Chart: programs.chart, Folder: folder, Progress: func(text string) { fmt.Println(text) }})
	if err != nil {
		return err
	}
	if err := furnish(ctx, plane, folder, wanted); err != nil {
		return errors.Join(err, plane.Stop())
	}
	s.Ready, s.Kubeconfig, s.GangpackURL = true, plane.Kubeconfig, plane.FilterURL
	s.Programs = map[string]int{}
	for _, process := range plane.Processes() {
		s.Programs[process.Name] = process.Pid()
	}
	if err := s.write(folder); err != nil {
		return errors.Join(err, plane.Stop())
	}
	<-ctx.Done()
	return plane.Stop()
}

// furnish makes the nodes, and the example that the user is told to try.
func furnish(ctx context.Context, plane *controlplane.Plane, folder string, wanted settings) error {
	fmt.Printf("making %d nodes\n", wanted.Nodes)
	for i := range wanted.Nodes {
		labels := map[string]string{wanted.TopologyKey: fmt.Sprintf("domain-%d", i/wanted.DomainSize)}
		node := controlplane.Node(fmt.Sprintf("node-%d", i), labels,
			controlplane.Resources{"nvidia.com/gpu": fmt.Sprint(wanted.GPUs)})
		if _, err := plane.Client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	text := strings.ReplaceAll(gangExample, "TOPOLOGY_KEY", wanted.TopologyKey)
	text = strings.ReplaceAll(text, `nvidia.com/gpu: "8"`, fmt.Sprintf(`%s: "%d"`, corev1.ResourceName("nvidia.com/gpu"), wanted.GPUs))
	text = strings.Replace(text, "with 8 GPUs each", fmt.Sprintf("with %d GPUs each", wanted.GPUs), 1)
	return os.WriteFile(filepath.Join(folder, "gang.yaml"), []byte(text), 0o644)
}
