// Command gateway (of bench) measures the gateway beside plain reverse proxies
// in front of the same upstream in the same run: nginx, and Go's own
// httputil.ReverseProxy. Each runs in a process of its own; rounds are
// interleaved, medians are shown. Only ratios within a run mean anything on a
// shared machine. It needs wrk and nginx.
//
// This file: starting the parts. rounds.go measures.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"equipment-platform/internal/auth"
)

const box = "00000000-0000-4000-8000-0000000000b1@exchange.example"

type bench struct {
	dir             string
	rounds, seconds int
	token           string
	targets         map[string]string // name to URL
	processes       []*exec.Cmd
}

func main() {
	b := &bench{targets: map[string]string{}}
	var serve, proxy string
	flag.IntVar(&b.rounds, "rounds", 5, "rounds")
	flag.IntVar(&b.seconds, "seconds", 4, "seconds for each measurement")
	flag.StringVar(&serve, "upstream", "", "be the upstream on this `address`")
	flag.StringVar(&proxy, "proxy", "", "be the Go proxy: `address=upstream`")
	flag.Parse()
	var err error
	switch {
	case serve != "":
		err = http.ListenAndServe(serve, http.HandlerFunc(answer)) //nolint:gosec // a stub for one run on loopback
	case proxy != "":
		err = beProxy(proxy)
	default:
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		err = b.run(ctx)
		stop()
		for _, p := range slices.Backward(b.processes) {
			_ = p.Process.Signal(os.Interrupt)
			_ = p.Wait()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/gateway:", err)
		os.Exit(1)
	}
}

// document is a page of two documents, 2 KB of JSON with every required field.
var document = func() []byte {
	one := map[string]any{
		"MessageId": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "EntityId": "9c1f2a34-5b6d-4e7f-8a90-b1c2d3e4f506", "CreationTimestampTicks": 638990208000000001,
		"CounteragentBoxId": box, "FileName": "act-17.xml", "DocumentDate": "01.06.2026", "DocumentNumber": "17", "DepartmentId": "00000000-0000-0000-0000-000000000000",
		"TypeNamedId": "XmlAcceptanceCertificate", "Function": "default", "WorkflowId": 6, "Title": "Certificate of acceptance 17", "Version": "rusal_05_01_01",
		"RecipientReceiptMetadata": map[string]any{"ReceiptStatus": "WaitingForReceipt"}, "ConfirmationMetadata": map[string]any{"ReceiptStatus": "Finished", "DateTimeTicks": 638990208000000001},
		"RecipientResponseStatus": "WaitingForRecipientSignature", "AmendmentRequestMetadata": map[string]any{"AmendmentFlags": 0, "ReceiptStatus": "GeneralReceiptStatusNotAcceptable"},
		"LockMode": "None", "SenderReceiptMetadata": map[string]any{"ReceiptStatus": "GeneralReceiptStatusNotAcceptable"},
		"DocflowStatus": map[string]any{"PrimaryStatus": map[string]any{"Severity": "Warning", "StatusText": "Signature required"}},
	}
	raw, err := json.Marshal(map[string]any{"TotalCount": 2, "HasMoreResults": false, "Documents": []any{one, one}})
	if err != nil {
		panic(err)
	}
	return raw
}()

func answer(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(document)
}

func beProxy(arg string) error {
	address, upstream, _ := strings.Cut(arg, "=")
	target, err := url.Parse(upstream)
	if err != nil {
		return err
	}
	p := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}
	return http.ListenAndServe(address, p) //nolint:gosec // for one run on loopback
}

// freePort asks the system for a port; a moment later a program listens there.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

func (b *bench) run(ctx context.Context) (err error) {
	for _, name := range []string{"wrk", "nginx"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("%s is not installed", name)
		}
	}
	if b.dir, err = os.MkdirTemp("", "bench-gateway-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(b.dir) }()
	address := map[string]string{}
	for _, name := range []string{"direct", "nginx", "go proxy", "gateway"} {
		if address[name], err = freePort(); err != nil {
			return err
		}
		b.targets[name] = "http://" + address[name] + "/V3/GetDocuments?boxId=" + url.QueryEscape(box) + "&filterCategory=Any.InboundNotRevoked"
	}
	b.targets["gateway"] = "http://" + address["gateway"] + "/api/v1/exchange/documents"
	self, err := os.Executable()
	if err != nil {
		return err
	}
	upstream := "http://" + address["direct"]
	if err := b.start(ctx, nil, self, "-upstream", address["direct"]); err != nil {
		return err
	}
	if err := b.start(ctx, nil, self, "-proxy", address["go proxy"]+"="+upstream); err != nil {
		return err
	}
	if err := b.startNginx(ctx, address["nginx"], address["direct"]); err != nil {
		return err
	}
	if err := b.startGateway(ctx, address["gateway"], upstream); err != nil {
		return err
	}
	return b.measure(ctx)
}

func (b *bench) start(ctx context.Context, environment []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), environment...)
	if err := cmd.Start(); err != nil {
		return err
	}
	b.processes = append(b.processes, cmd)
	return nil
}

const nginxConf = `daemon off; pid %[1]s/nginx.pid; error_log stderr error; worker_processes auto;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path %[1]s; proxy_temp_path %[1]s; fastcgi_temp_path %[1]s; uwsgi_temp_path %[1]s; scgi_temp_path %[1]s;
  upstream provider { server %[3]s; keepalive 64; keepalive_requests 1000000; }
  server { listen %[2]s; keepalive_requests 1000000; location / { proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}
`

func (b *bench) startNginx(ctx context.Context, address, upstream string) error {
	conf := filepath.Join(b.dir, "nginx.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, nginxConf, b.dir, address, upstream), 0o600); err != nil {
		return err
	}
	return b.start(ctx, nil, "nginx", "-p", b.dir, "-c", conf)
}

// startGateway builds and starts the real program, with a token of its own.
func (b *bench) startGateway(ctx context.Context, address, upstream string) error {
	program := filepath.Join(b.dir, "gateway")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "equipment-platform/cmd/gateway").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w: %s", err, out)
	}
	key, err := auth.LoadDevKey(filepath.Join(b.dir, "dev.pem"))
	if err != nil {
		return err
	}
	if err := key.WriteJWKS(filepath.Join(b.dir, "jwks.json")); err != nil {
		return err
	}
	if b.token, err = key.Sign(auth.DevClaims{Subject: "bench", Roles: []string{"MANAGER"}, TTL: time.Hour}); err != nil {
		return err
	}
	return b.start(ctx, []string{
		"HTTP_ADDR=" + address, "PROVIDER_URL=" + upstream, "PROVIDER_BOX_ID=" + box, "LOG_LEVEL=warn",
		"AUTH_JWKS_URL=file://" + filepath.Join(b.dir, "jwks.json"),
	}, program, "serve")
}
