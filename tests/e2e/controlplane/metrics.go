package controlplane

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The certificate is one that kube-scheduler has just made for itself; nothing secret is asked for.
var metricsClient = &http.Client{Timeout: 5 * time.Second,
	Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

// SchedulerMetrics are those of the gangs' kube-scheduler, in Prometheus' text format.
func (p *Plane) SchedulerMetrics() (string, error) {
	answer, err := metricsClient.Get(p.MetricsURL)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s", p.MetricsURL, answer.Status)
	}
	return string(text), err
}
