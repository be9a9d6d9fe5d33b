package cluster

// This file: an etcd and an API server, on free ports of this machine.

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
)

// patience bounds the start; on a busy machine the server takes half a minute.
const patience = 2 * time.Minute

// startServer returns how to reach the API server as somebody who may do everything.
func startServer(t *testing.T) *rest.Config {
	t.Helper()
	bin := os.Getenv("CLUSTER_BIN")
	require.NotEmpty(t, bin, "run verify/cluster/run")
	dir := t.TempDir()
	client, peer := "http://"+freeAddress(t), "http://"+freeAddress(t)
	run(t, filepath.Join(dir, "etcd.log"), filepath.Join(bin, "server"),
		"--data-dir="+filepath.Join(dir, "etcd"), "--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer)

	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	keyFile, tokens := filepath.Join(dir, "key.pem"), filepath.Join(dir, "tokens.csv")
	pemKey := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	require.NoError(t, os.WriteFile(keyFile, pemKey, 0o600))
	token := rand.Text()
	require.NoError(t, os.WriteFile(tokens, []byte(token+",operator,operator,system:masters\n"), 0o600))
	address := freeAddress(t)
	host, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	log := filepath.Join(dir, "apiserver.log")
	run(t, log, filepath.Join(bin, "kube-apiserver"),
		"--etcd-servers="+client, "--bind-address="+host, "--advertise-address="+host, "--secure-port="+port, "--cert-dir="+filepath.Join(dir, "certificates"),
		"--endpoint-reconciler-type=none", // which would not have an address that others cannot reach
		"--token-auth-file="+tokens, "--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file="+keyFile, "--service-account-signing-key-file="+keyFile)

	config := &rest.Config{Host: "https://" + address, BearerToken: token, QPS: 1000, Burst: 1000, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
	transport, err := rest.TransportFor(config)
	require.NoError(t, err)
	ready := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	there := func() bool {
		resp, err := ready.Get(config.Host + "/readyz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}
	for limit := time.Now().Add(patience); !there(); time.Sleep(100 * time.Millisecond) {
		require.True(t, time.Now().Before(limit), "the API server is not ready: %s", tail(log))
	}
	return config
}

// run runs a program until the test ends.
func run(t *testing.T, log, program string, arguments ...string) {
	t.Helper()
	file, err := os.Create(log)
	require.NoError(t, err)
	cmd := exec.Command(program, arguments...)
	cmd.Stdout, cmd.Stderr = file, file
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = file.Close()
	})
}

func tail(path string) string {
	raw, _ := os.ReadFile(path)
	return string(raw[max(0, len(raw)-2000):])
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}
