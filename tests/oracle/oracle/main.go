// The oracle says what kube-scheduler's own plugins say about a pod and a node.
//
// It reads cases from standard input, one JSON object a line, and writes one answer a line, in order. What a case and an
// answer look like is in case.go. An answer is written before the next case is read, so that a caller may keep a few
// cases under way. The exit code is 0 at the end of the input, and 1 where a line is no case or a plugin could not judge.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

func main() {
	// The plugins log what they find odd about an object; their verdict says it all.
	klog.SetLogger(logr.Discard())
	if err := serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, input io.Reader, output io.Writer) error {
	scheduler, err := newScheduler(ctx)
	if err != nil {
		return err
	}
	reader := bufio.NewReaderSize(input, 1<<20)
	writer := bufio.NewWriter(output)
	encoder := json.NewEncoder(writer)
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		answer, err := judge(ctx, scheduler, line)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
		if err := writer.Flush(); err != nil {
			return err
		}
	}
}
