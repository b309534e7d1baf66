// Package e2e proves what gangpack promises on a real control plane: the real program behind a real kube-scheduler and API
// server. `./run` builds what it needs and runs all of it; `./run -run '^TestName$'` runs one test.
package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"gangpack/tests/e2e/controlplane"
)

var (
	binaries = flag.String("binaries", "", "folder with etcd, kube-apiserver and so on, as ./binaries prints it")
	gangpack = flag.String("gangpack", "", "the gangpack program")
)

// One control plane for all tests. Each test has a namespace, nodes and a topology key of its own (newWorld).
var plane *controlplane.Plane

var logFolder string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runAll(m))
}

func runAll(m *testing.M) int {
	if *binaries == "" || *gangpack == "" {
		fmt.Fprintln(os.Stderr, "e2e: -binaries and -gangpack are required; ./run gives them")
		return 2
	}
	folder, err := os.MkdirTemp("", "gangpack-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	plane, err = controlplane.Start(context.Background(), controlplane.Options{
		Binaries: *binaries, Gangpack: *gangpack, Chart: "../../charts/ome-scheduler", Folder: folder,
		Progress: func(text string) { fmt.Println("e2e:", text) },
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "e2e: the control plane does not start (logs are kept under %s): %v\n", folder, err)
		return 1
	}
	logFolder = plane.LogFolder()
	result := m.Run()
	if err := plane.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: the control plane does not stop:", err)
		result = max(result, 1)
	}
	if result != 0 {
		fmt.Println("e2e: logs are kept under", logFolder)
		return result
	}
	os.RemoveAll(folder)
	return 0
}
