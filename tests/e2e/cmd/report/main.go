// Command report reads what `go test -json` prints, shows it as it comes, and ends with a line `N passed, N failed`.
//
// A test with subtests is not counted itself. A package that fails without a failed test counts as one failure. What a test
// printed is shown only if it failed. Exit status: 0 something passed and nothing failed, else 1.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

func main() {
	passed, failed := 0, 0
	output := map[string]string{} // of each test
	parents := map[string]bool{}
	failedTests := false
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text()) // a compiler's message
			continue
		}
		if slash := strings.LastIndex(e.Test, "/"); slash >= 0 {
			parents[e.Test[:slash]] = true
		}
		switch {
		case e.Action == "output" && e.Test == "":
			fmt.Print(e.Output)
		case e.Action == "output":
			output[e.Test] += e.Output
		case e.Test == "":
			if e.Action == "fail" && !failedTests {
				failed++
				fmt.Println("FAILED", e.Package)
			}
		case e.Action == "pass" || e.Action == "fail":
			failedTests = failedTests || e.Action == "fail"
			if e.Action == "fail" {
				fmt.Print(output[e.Test])
			}
			if parents[e.Test] {
				break
			}
			if e.Action == "pass" {
				passed++
			} else {
				failed++
			}
			fmt.Printf("%s %s (%.1f s)\n", map[string]string{"pass": "passed", "fail": "FAILED"}[e.Action], e.Test, e.Elapsed)
		}
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 || passed == 0 || lines.Err() != nil {
		os.Exit(1)
	}
}
