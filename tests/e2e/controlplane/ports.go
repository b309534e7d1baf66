package controlplane

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports from this range are never handed out by the kernel for outgoing connections, so that a program that is restarted
// finds its port still free.
const (
	portMin = 20000
	portMax = 32000
)

// freePorts returns `count` different ports of 127.0.0.1 on which nothing listens.
func freePorts(count int) ([]int, error) {
	var listeners []net.Listener
	defer func() {
		for _, listener := range listeners {
			listener.Close()
		}
	}()
	var ports []int
	for range 1000 {
		if len(ports) == count {
			return ports, nil
		}
		port := portMin + rand.IntN(portMax-portMin)
		listener, err := net.Listen("tcp", loopback(port))
		if err != nil {
			continue
		}
		listeners = append(listeners, listener)
		ports = append(ports, port)
	}
	return nil, fmt.Errorf("no %d free ports between %d and %d on 127.0.0.1", count, portMin, portMax)
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
