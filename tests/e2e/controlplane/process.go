package controlplane

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is one program of the control plane. It can be started and ended any number of times, always with the same
// arguments; its output of all runs is in one log. Its methods may be called from several goroutines.
type Process struct {
	Name string
	Log  string // path of the file with its standard output and standard error

	path       string
	args       []string
	stopWithin time.Duration // a run that takes longer to stop is killed

	mu     sync.Mutex // held while the process is started or ended
	cmd    *exec.Cmd  // the present run; nil: none
	exited chan struct{}
	result error // of the last run; read it after exited is closed
}

func newProcess(name, path, logFolder string, args ...string) *Process {
	return &Process{Name: name, Log: filepath.Join(logFolder, name+".log"), path: path, args: args,
		stopWithin: 20 * time.Second}
}

// Linux kills a child by Pdeathsig when the THREAD that started it ends, so all are started by one that never does.
var startOnOneThread = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range work {
			f()
		}
	}()
	return work
})

// Start starts it, if it does not run. It is in a process group of its own, so that a terminal's Ctrl-C ends it through us
// alone, and in the right order; and it dies with us.
func (p *Process) Start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running() {
		return nil
	}
	log, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	fmt.Fprintf(log, "--- %s %s %s\n", time.Now().Format(time.RFC3339), p.path, strings.Join(p.args, " "))
	cmd := exec.Command(p.path, p.args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	startOnOneThread() <- func() { started <- cmd.Start() }
	if err := <-started; err != nil {
		return fmt.Errorf("%s could not be started: %w", p.Name, err)
	}
	exited := make(chan struct{})
	p.cmd, p.exited = cmd, exited
	go func() {
		p.result = cmd.Wait()
		close(exited)
	}()
	return nil
}

func (p *Process) running() bool {
	if p.cmd == nil {
		return false
	}
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// Running tells whether it runs now.
func (p *Process) Running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running()
}

// Pid is the present run's, 0 if there is none.
func (p *Process) Pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running() {
		return 0
	}
	return p.cmd.Process.Pid
}

// Stop asks it to stop, waits until it has, and kills it if it takes too long, which is an error.
func (p *Process) Stop() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running() {
		return nil
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.exited:
		return nil
	case <-time.After(p.stopWithin):
		p.cmd.Process.Kill()
		<-p.exited
		return fmt.Errorf("%s did not stop within %v of SIGTERM and was killed (log: %s)", p.Name, p.stopWithin, p.Log)
	}
}

// Kill ends it with SIGKILL, as a crash would, and waits until it is gone.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running() {
		return
	}
	p.cmd.Process.Kill()
	<-p.exited
}

// LogTail is the end of its log, for a message.
func (p *Process) LogTail() string {
	const bytesMax = 4000
	text, err := os.ReadFile(p.Log)
	if err != nil {
		return err.Error()
	}
	if len(text) > bytesMax {
		text = text[len(text)-bytesMax:]
	}
	return string(text)
}
