// Command cluster keeps one control plane with gangpack running in the background, for trying things out. tools/cluster
// builds what it needs and calls it.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"maps"
)

const usage = `Usage: tools/cluster up [--nodes N] [--domain-size M] [--gpus G] [--topology-key KEY]
       tools/cluster status
       tools/cluster down

Starts a real control plane on this machine's loopback interface, in the background: etcd, kube-apiserver,
kube-controller-manager, a default kube-scheduler, and a kube-scheduler for gangs with gangpack as its extender. The nodes
are objects only, so pods are placed but never run. No service is installed and nothing outside the user's cache is written,
except for the Debian packages of tools/setup. The first time builds Kubernetes' programs and helm from source: about ten
minutes on two cores.

  --nodes N           how many nodes (default 16)
  --domain-size M     how many of them share one value of the topology key (default 4)
  --gpus G            nvidia.com/gpu of each node (default 8)
  --topology-key KEY  the node label that tells the domain (default example.com/rack)
  --help              this text

Example:
  tools/cluster up --nodes 36 --domain-size 18 --gpus 4 --topology-key nvidia.com/gpu.clique
  tools/cluster down

Exit code: 0 done (status: it runs), 1 it could not be done (status: it does not run), 2 wrong usage.
`

const (
	startWithin = 5 * time.Minute
	stopWithin  = 2 * time.Minute
)

type programs struct {
	binaries, gangpack, chart string
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	command := os.Args[1]
	flags := flag.NewFlagSet("tools/cluster "+command, flag.ContinueOnError)
	flags.Usage = func() { fmt.Print(usage) }
	var wanted settings
	flags.IntVar(&wanted.Nodes, "nodes", 16, "")
	flags.IntVar(&wanted.DomainSize, "domain-size", 4, "")
	flags.IntVar(&wanted.GPUs, "gpus", 8, "")
	flags.StringVar(&wanted.TopologyKey, "topology-key", "example.com/rack", "")
	folder := flags.String("folder", "", "")
	var programs programs
	flags.StringVar(&programs.binaries, "binaries", "", "")
	flags.StringVar(&programs.gangpack, "gangpack", "", "")
	flags.StringVar(&programs.chart, "chart", "", "")
	if err := flags.Parse(os.Args[2:]); errors.Is(err, flag.ErrHelp) || command == "--help" || command == "-h" || command == "help" {
		fmt.Print(usage)
		return
	} else if err != nil {
		os.Exit(2)
	}
	if flags.NArg() > 0 || wanted.Nodes < 0 || wanted.DomainSize < 1 || wanted.GPUs < 0 || wanted.TopologyKey == "" {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	commands := map[string]func() error{
		"up":        func() error { return up(*folder, programs, wanted) },
		"down":      func() error { return down(*folder) },
		"status":    func() error { return status(*folder) },
		"supervise": func() error { return supervise(*folder, programs, wanted) },
	}
	run := commands[command]
	if run == nil {
		fmt.Fprintf(os.Stderr, "tools/cluster: unknown command %q, expected up, status or down\n", command)
		os.Exit(2)
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "tools/cluster:", err)
		os.Exit(1)
	}
}

func up(folder string, programs programs, wanted settings) error {
	running, err := readState(folder)
	if err != nil {
		return err
	}
	if running != nil {
		if !running.Ready {
			return fmt.Errorf("one is being started by process %d; wait for it, or tools/cluster down", running.Pid)
		}
		if running.Settings != wanted {
			return fmt.Errorf("one with other settings runs (%+v); tools/cluster down first", running.Settings)
		}
		fmt.Println("It runs already.")
		show(folder, programs.binaries, running)
		return nil
	}
	// What an earlier one left; data of one cluster is never used by another.
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := startSupervisor(folder); err != nil {
		return err
	}
	if running, err = readState(folder); err != nil || running == nil {
		return errors.Join(errors.New("it ended at once; its logs are under "+folder), err)
	}
	show(folder, programs.binaries, running)
	return nil
}

// startSupervisor starts this program once more, in a session of its own, and shows what it says until it is ready.
func startSupervisor(folder string) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	ctx, cancelTimeout := context.WithTimeout(ctx, startWithin)
	defer cancelTimeout()
	path := filepath.Join(folder, "supervisor.log")
	log, err := os.Create(path)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(os.Args[0], append([]string{"supervise"}, os.Args[2:]...)...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	reader, err := os.Open(path)
	if err != nil {
		return err
	}
	defer reader.Close()
	lines := bufio.NewReader(reader)
	for {
		for {
			line, err := lines.ReadString('\n')
			fmt.Print(line)
			if err != nil {
				break
			}
		}
		if s, err := readState(folder); err == nil && s != nil && s.Ready {
			return nil
		}
		select {
		case err := <-ended:
			rest, _ := lines.ReadString(0)
			fmt.Print(rest)
			return fmt.Errorf("the control plane did not start (%v); its logs are under %s", err, folder)
		case <-ctx.Done():
			cmd.Process.Signal(syscall.SIGTERM)
			<-ended
			return fmt.Errorf("given up, and stopped what was started; its logs are under %s", folder)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func down(folder string) error {
	running, err := readState(folder)
	if err != nil {
		return err
	}
	if running == nil {
		fmt.Println("It does not run.")
		return nil
	}
	fmt.Println("stopping")
	if err := syscall.Kill(running.Pid, syscall.SIGTERM); err != nil {
		return err
	}
	for end := time.Now().Add(stopWithin); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if started, err := startOf(running.Pid); err != nil || started != running.Started {
			fmt.Println("It is stopped; its logs are under", filepath.Join(folder, "logs"))
			return nil
		}
	}
	return fmt.Errorf("process %d did not stop within %v", running.Pid, stopWithin)
}

func status(folder string) error {
	running, err := readState(folder)
	if err != nil {
		return err
	}
	if running == nil {
		return errors.New("it does not run; start it with tools/cluster up")
	}
	if !running.Ready {
		return fmt.Errorf("it is being started by process %d", running.Pid)
	}
	fmt.Printf("It runs: %d nodes with %d GPUs, %d to a domain of %s\n", running.Settings.Nodes, running.Settings.GPUs,
		running.Settings.DomainSize, running.Settings.TopologyKey)
	for _, name := range slices.Sorted(maps.Keys(running.Programs)) {
		state := "runs"
		if _, err := startOf(running.Programs[name]); err != nil {
			state = "has ended; its log is " + filepath.Join(folder, "logs", name+".log")
		}
		fmt.Printf("  %-24s process %-8d %s\n", name, running.Programs[name], state)
	}
	fmt.Println("export KUBECONFIG=" + running.Kubeconfig)
	return nil
}

func show(folder, binaries string, s *state) {
	fmt.Printf(`
export KUBECONFIG=%s
export PATH=%s:$PATH    # kubectl and helm of the cluster's version

Try:
  kubectl get nodes -L %s
  kubectl apply -f %s
  kubectl get pods -o wide
  curl -s %s/v1/gangs
Logs: %s
Stop it: tools/cluster down
`, s.Kubeconfig, binaries, s.Settings.TopologyKey, filepath.Join(folder, "gang.yaml"), s.GangpackURL,
		filepath.Join(folder, "logs"))
}
