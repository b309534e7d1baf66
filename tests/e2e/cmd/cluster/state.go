package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// state is what is recorded of a running cluster, in a file of its folder.
type state struct {
	Pid      int    // of the process that started the programs, and with which they die
	Started  string // of that process, as the kernel counts it: another process with its number is not it
	Ready    bool
	Settings settings

	Kubeconfig  string
	GangpackURL string
	Programs    map[string]int // name -> process id
}

// settings are what the user chose.
type settings struct {
	Nodes       int
	DomainSize  int
	GPUs        int
	TopologyKey string
}

func statePath(folder string) string { return filepath.Join(folder, "state.json") }

func (s state) write(folder string) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	temporary := statePath(folder) + ".new"
	if err := os.WriteFile(temporary, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, statePath(folder))
}

// readState returns nil if no cluster runs.
func readState(folder string) (*state, error) {
	text, err := os.ReadFile(statePath(folder))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &state{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w", statePath(folder), err)
	}
	if started, err := startOf(s.Pid); err != nil || started != s.Started {
		return nil, nil
	}
	return s, nil
}

// startOf is when the process was started, in ticks since the machine was; an error if there is none, or it has ended.
func startOf(pid int) (string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	// The name, in parentheses, may hold anything; behind it the state is field 3 and the start field 22.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return "", syscall.ESRCH
	}
	return fields[19], nil
}
