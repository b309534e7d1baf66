package controlplane

import (
	"fmt"
	"syscall"
)

// Pause stops it from doing anything until Resume; its connections stay open.
func (p *Process) Pause() error { return p.signal(syscall.SIGSTOP) }

// Resume ends a Pause.
func (p *Process) Resume() error { return p.signal(syscall.SIGCONT) }

func (p *Process) signal(signal syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running() {
		return fmt.Errorf("%s does not run (log: %s)", p.Name, p.Log)
	}
	return p.cmd.Process.Signal(signal)
}
