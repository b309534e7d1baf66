package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// A user of the API server, who comes with a token.
type user struct {
	name  string // of the kubeconfig file, too
	group string // "": none
}

// Users. RBAC rules are what they are in a real cluster: kube-scheduler has those that Kubernetes itself binds to its user,
// and gangpack has those of the chart's ClusterRole and nothing else.
var (
	adminUser = user{name: "admin", group: "system:masters"}
	// The controllers' own rules are bound to service accounts, one for each; here they run as one administrator.
	controllersUser = user{name: "controllers", group: "system:masters"}
	schedulerUser   = user{name: "system:kube-scheduler"}
	gangpackUser    = user{name: "gangpack"}
)

var users = []user{adminUser, controllersUser, schedulerUser, gangpackUser}

// credentials are files in one folder: a certificate that is its own authority, a key to sign service account tokens with,
// the users' tokens, and a kubeconfig for each user.
type credentials struct {
	folder string
}

func (c credentials) certificate() string   { return filepath.Join(c.folder, "server.crt") }
func (c credentials) key() string           { return filepath.Join(c.folder, "server.key") }
func (c credentials) accountKey() string    { return filepath.Join(c.folder, "service-account.key") }
func (c credentials) accountPublic() string { return filepath.Join(c.folder, "service-account.pub") }
func (c credentials) tokens() string        { return filepath.Join(c.folder, "tokens.csv") }
func (c credentials) kubeconfig(of user) string {
	return filepath.Join(c.folder, strings.ReplaceAll(of.name, ":", "-")+".kubeconfig")
}

// makeCredentials writes them; the API server will be at https://ADDRESS.
func makeCredentials(folder, address string) (credentials, error) {
	c := credentials{folder: folder}
	certificate, err := c.writeCertificate()
	if err != nil {
		return c, err
	}
	if err := c.writeAccountKey(); err != nil {
		return c, err
	}
	var tokens strings.Builder
	for _, u := range users {
		secret := make([]byte, 16)
		rand.Read(secret)
		token := hex.EncodeToString(secret)
		fmt.Fprintf(&tokens, "%s,%s,%s", token, u.name, u.name)
		if u.group != "" {
			fmt.Fprintf(&tokens, ",%q", u.group)
		}
		tokens.WriteString("\n")
		config := clientcmdapi.NewConfig()
		config.Clusters["gangpack"] = &clientcmdapi.Cluster{Server: "https://" + address, CertificateAuthorityData: certificate}
		config.AuthInfos[u.name] = &clientcmdapi.AuthInfo{Token: token}
		config.Contexts["gangpack"] = &clientcmdapi.Context{Cluster: "gangpack", AuthInfo: u.name}
		config.CurrentContext = "gangpack"
		if err := clientcmd.WriteToFile(*config, c.kubeconfig(u)); err != nil {
			return c, err
		}
	}
	return c, os.WriteFile(c.tokens(), []byte(tokens.String()), 0o600)
}

func (c credentials) writeCertificate() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := x509.Certificate{
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		Subject:               pkix.Name{CommonName: "gangpack test API server"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:                  true,
		BasicConstraintsValid: true,
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(c.certificate(), certificate, 0o644); err != nil {
		return nil, err
	}
	return certificate, writeKey(c.key(), key)
}

func (c credentials) writeAccountKey() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	if err := os.WriteFile(c.accountPublic(), text, 0o644); err != nil {
		return err
	}
	return writeKey(c.accountKey(), key)
}

func writeKey(path string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}
