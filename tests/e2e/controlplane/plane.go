// Package controlplane runs a real Kubernetes control plane on this machine's loopback interface: etcd, kube-apiserver,
// kube-controller-manager, a cluster's own kube-scheduler, and a kube-scheduler for gangs with gangpack as its extender.
// Nodes are objects only; no kubelet runs, so a bound pod stays Pending. All programs die with the process that started them.
package controlplane

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Options say what is started from where.
type Options struct {
	Binaries string // folder with the programs; tests/e2e/binaries fills it
	Gangpack string // the gangpack program; "": the gangs' kube-scheduler runs without an extender
	Chart    string // folder of the chart, whose CustomResourceDefinition and RBAC rules are installed
	Folder   string // for data, credentials and logs; must exist
	Progress func(text string)
}

// How long each program may take until it serves. Generous, since a machine may be busy with other things.
const startWithin = 90 * time.Second

// Plane is a control plane. Each of its programs can be stopped, killed and started again one by one.
type Plane struct {
	Etcd, APIServer, Controllers, Scheduler, DefaultScheduler *Process
	Gangpack                                                  *Process // nil without gangpack

	Kubeconfig string // an administrator's
	FilterURL  string // gangpack's first listener, which also serves /v1/... and /metrics; "" without gangpack
	MetricsURL string // of the gangs' kube-scheduler; its certificate is its own
	Client     kubernetes.Interface
	Dynamic    dynamic.Interface
	Config     *rest.Config

	options     Options
	credentials credentials
	http        *http.Client
	apiURL      string
}

// Start starts everything and returns when all of it serves. If it fails, nothing runs; the logs are in the folder.
func Start(ctx context.Context, options Options) (*Plane, error) {
	if options.Progress == nil {
		options.Progress = func(string) {}
	}
	p := &Plane{options: options}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	if err := p.startAll(ctx); err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return p, nil
}

// LogFolder has one file for each program.
func (p *Plane) LogFolder() string { return filepath.Join(p.options.Folder, "logs") }

func (p *Plane) prepare() error {
	if err := os.MkdirAll(p.LogFolder(), 0o755); err != nil {
		return err
	}
	ports, err := freePorts(6)
	if err != nil {
		return err
	}
	etcd, etcdPeer, api, filter, bind := loopback(ports[0]), loopback(ports[1]), loopback(ports[2]), loopback(ports[3]), loopback(ports[4])
	folder := filepath.Join(p.options.Folder, "credentials")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if p.credentials, err = makeCredentials(folder, api); err != nil {
		return err
	}
	p.Kubeconfig = p.credentials.kubeconfig(adminUser)
	p.apiURL = "https://" + api
	p.MetricsURL = "https://" + loopback(ports[5]) + "/metrics"
	if err := p.makeClients(); err != nil {
		return err
	}
	p.describeEtcd(etcd, etcdPeer)
	p.describeAPIServer(api, etcd)
	p.describeControllers()
	if p.options.Gangpack != "" {
		p.FilterURL = "http://" + filter
		p.Gangpack = newProcess("gangpack", p.options.Gangpack, p.LogFolder(), "serve",
			"--kubeconfig", p.credentials.kubeconfig(gangpackUser), "--listen", filter, "--listen-bind", bind,
			"--scheduler-name", SchedulerName, "-v", "2")
	}
	return p.describeSchedulers("http://"+bind, ports[5])
}

func (p *Plane) makeClients() (err error) {
	if p.Config, err = clientcmd.BuildConfigFromFlags("", p.Kubeconfig); err != nil {
		return err
	}
	p.Config.QPS, p.Config.Burst = 1000, 2000
	if p.Client, err = kubernetes.NewForConfig(p.Config); err != nil {
		return err
	}
	if p.Dynamic, err = dynamic.NewForConfig(p.Config); err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.Config.CAData)
	// Connections are not kept: they would outlive a restart of the other side.
	p.http = &http.Client{Timeout: 5 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}}
	return nil
}

func (p *Plane) binary(name string) string { return filepath.Join(p.options.Binaries, name) }

func (p *Plane) describeEtcd(client, peer string) {
	p.Etcd = newProcess("etcd", p.binary("etcd"), p.LogFolder(), "--name", "gangpack",
		"--data-dir", filepath.Join(p.options.Folder, "etcd"), "--logger", "zap", "--log-level", "warn",
		"--listen-client-urls", "http://"+client, "--advertise-client-urls", "http://"+client,
		"--listen-peer-urls", "http://"+peer, "--initial-advertise-peer-urls", "http://"+peer,
		"--initial-cluster", "gangpack=http://"+peer)
}

func (p *Plane) describeAPIServer(address, etcd string) {
	c := p.credentials
	port := address[strings.LastIndex(address, ":")+1:]
	p.APIServer = newProcess("kube-apiserver", p.binary("kube-apiserver"), p.LogFolder(),
		"--etcd-servers=http://"+etcd, "--bind-address=127.0.0.1", "--secure-port="+port,
		"--advertise-address=127.0.0.1", "--tls-cert-file="+c.certificate(), "--tls-private-key-file="+c.key(),
		"--service-account-key-file="+c.accountPublic(), "--service-account-signing-key-file="+c.accountKey(),
		"--service-account-issuer=https://gangpack.test", "--token-auth-file="+c.tokens(),
		"--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24",
		// Otherwise it waits a minute for watches, whoever's they are, before it stops.
		"--shutdown-watch-termination-grace-period=5s",
		// What these add is removed, or is needed, by controllers and kubelets that do not run here.
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,StorageObjectInUseProtection")
}

func (p *Plane) describeControllers() {
	p.Controllers = newProcess("kube-controller-manager", p.binary("kube-controller-manager"), p.LogFolder(),
		"--kubeconfig="+p.credentials.kubeconfig(controllersUser), "--leader-elect=false", "--secure-port=0",
		"--kube-api-qps=200", "--kube-api-burst=400",
		"--controllers=statefulset-controller,job-controller,replicaset-controller,deployment-controller,"+
			"garbage-collector-controller,namespace-controller,disruption-controller")
}

func (p *Plane) describeSchedulers(bindURL string, metricsPort int) error {
	kubeconfig := p.credentials.kubeconfig(schedulerUser)
	for _, scheduler := range []struct {
		name, configuration string
		port                int
		process             **Process
	}{
		{"kube-scheduler", gangSchedulerConfiguration(kubeconfig, p.FilterURL, bindURL), metricsPort, &p.Scheduler},
		{"default-scheduler", defaultSchedulerConfiguration(kubeconfig), 0, &p.DefaultScheduler},
	} {
		path := filepath.Join(p.options.Folder, scheduler.name+".yaml")
		if err := os.WriteFile(path, []byte(scheduler.configuration), 0o644); err != nil {
			return err
		}
		*scheduler.process = newProcess(scheduler.name, p.binary("kube-scheduler"), p.LogFolder(),
			"--config", path, "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", scheduler.port),
			"--authorization-always-allow-paths=/metrics", "-v=2")
	}
	return nil
}

func (p *Plane) startAll(ctx context.Context) error {
	p.options.Progress("starting etcd and kube-apiserver")
	if err := p.Etcd.Start(); err != nil {
		return err
	}
	if err := p.StartAPIServer(ctx); err != nil {
		return err
	}
	p.options.Progress("installing the CustomResourceDefinition and the RBAC rules of " + p.options.Chart)
	if err := p.installChart(ctx); err != nil {
		return err
	}
	p.options.Progress("starting gangpack, the schedulers and kube-controller-manager")
	return p.StartWhatIsMissing(ctx)
}

// StartWhatIsMissing starts every program that does not run, and returns when all of it serves.
func (p *Plane) StartWhatIsMissing(ctx context.Context) error {
	if err := p.Etcd.Start(); err != nil {
		return err
	}
	if err := p.StartAPIServer(ctx); err != nil {
		return err
	}
	if p.Gangpack != nil {
		if err := p.StartGangpack(ctx); err != nil {
			return err
		}
	}
	for _, process := range []*Process{p.Scheduler, p.DefaultScheduler, p.Controllers} {
		if err := process.Start(); err != nil {
			return err
		}
	}
	return nil
}

// StartAPIServer starts the API server and returns when it is ready.
func (p *Plane) StartAPIServer(ctx context.Context) error {
	if err := p.APIServer.Start(); err != nil {
		return err
	}
	return p.awaitReady(ctx, p.APIServer, p.apiURL+"/readyz", p.Config.BearerToken)
}

// StartGangpack starts gangpack and returns when it has seen the whole cluster.
func (p *Plane) StartGangpack(ctx context.Context) error {
	if err := p.Gangpack.Start(); err != nil {
		return err
	}
	return p.awaitReady(ctx, p.Gangpack, p.FilterURL+"/readyz", "")
}

// awaitReady returns when a GET of `url` is answered with 200, and fails at once when the process ends before.
func (p *Plane) awaitReady(ctx context.Context, process *Process, url, token string) error {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	last := "no answer yet"
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := p.http.Do(request)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
			last = answer.Status
		} else if ctx.Err() == nil {
			last = err.Error()
		}
		if !process.Running() {
			return fmt.Errorf("%s ended while it started; its log %s ends with:\n%s", process.Name, process.Log, process.LogTail())
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%s was not ready within %v: GET %s: %s; its log %s ends with:\n%s", process.Name, startWithin,
				url, last, process.Log, process.LogTail())
		}
	}
}

// Stop stops everything, last started first, and waits for it. The API server goes before etcd, for which it would wait.
func (p *Plane) Stop() error {
	var failures []error
	for _, process := range slices.Backward(p.Processes()) {
		failures = append(failures, process.Stop())
	}
	return errors.Join(failures...)
}

// Processes are all programs, in the order of starting.
func (p *Plane) Processes() []*Process {
	all := []*Process{p.Etcd, p.APIServer, p.Gangpack, p.Scheduler, p.DefaultScheduler, p.Controllers}
	return slices.DeleteFunc(all, func(process *Process) bool { return process == nil })
}

// installChart installs what of the chart the programs here need, and binds the ClusterRole to gangpack's user.
func (p *Plane) installChart(ctx context.Context) error {
	rendered, err := p.run(ctx, "", "helm", "template", ReleaseName, p.options.Chart, "--namespace", "kube-system",
		"--include-crds", "--show-only", "crds/podgroups.yaml", "--show-only", "templates/rbac.yaml")
	if err != nil {
		return err
	}
	rendered += fmt.Sprintf(`
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: gangpack-user}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %s}]
`, ReleaseName, gangpackUser.name)
	if _, err := p.run(ctx, rendered, "kubectl", "--kubeconfig", p.Kubeconfig, "apply", "-f", "-"); err != nil {
		return err
	}
	_, err = p.run(ctx, "", "kubectl", "--kubeconfig", p.Kubeconfig, "wait", "--for=condition=Established", "--timeout=60s",
		"crd/podgroups.scheduling.x-k8s.io")
	return err
}

// ReleaseName is the chart's, and so the name of its ClusterRole.
const ReleaseName = "ome-scheduler"

// run runs a program of the folder of binaries to its end and returns what it printed.
func (p *Plane) run(ctx context.Context, input, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, p.binary(program), args...)
	// helm and kubectl keep files of their own in the home folder otherwise.
	cmd.Env = append(os.Environ(), "HOME="+p.options.Folder, "XDG_CACHE_HOME="+p.options.Folder,
		"XDG_CONFIG_HOME="+p.options.Folder, "XDG_DATA_HOME="+p.options.Folder)
	cmd.Stdin = strings.NewReader(input)
	var output, failure strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &failure
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, failure.String())
	}
	return output.String(), nil
}
