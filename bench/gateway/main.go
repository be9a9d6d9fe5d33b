// Command gateway (of bench) measures the gateway beside plain reverse proxies
// in front of the same upstream in the same run: nginx, Caddy, and Go's own
// httputil.ReverseProxy. With -smallest it measures the smallest route through
// the shared middleware beside bare echo, with -files files of 64 MiB and polls. Each runs in a process of its own;
// rounds are interleaved, and what is shown is the median of each round's ratio.
// Only ratios within a run mean anything on a shared machine. It needs wrk, and
// for the gateway nginx and caddy.
//
// This file: starting the parts. rounds.go measures, smallest.go is the route, files.go
// the files and polls.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/process"
)

// stopLimit is how long a part may take to end.
const stopLimit = 30 * time.Second

const box = "00000000-0000-4000-8000-0000000000b1@exchange.example"

type bench struct {
	dir             string
	rounds, seconds int
	before, history string
	size            string // of what is measured, for the history
	key             *auth.DevKey
	token           string
	targets         []*target
}

// target is one line of the table.
type target struct {
	name, url string
	process   *process.Process
	admin     string // where it shows its metrics; empty: nowhere
}

func main() {
	b := &bench{}
	var upstream, proxy, echoes, edges string
	var small, files bool
	flag.IntVar(&b.rounds, "rounds", 5, "rounds")
	flag.IntVar(&b.seconds, "seconds", 4, "seconds for each measurement")
	flag.StringVar(&b.before, "before", "", "measure this other `program` of the gateway, too")
	flag.StringVar(&b.history, "history", "", "add what was measured to this `file`")
	flag.BoolVar(&small, "smallest", false, "measure the smallest route through the middleware instead")
	flag.BoolVar(&files, "files", false, "measure files and polls instead")
	flag.StringVar(&upstream, "upstream", "", "be the upstream on this `address`")
	flag.StringVar(&proxy, "proxy", "", "be the Go proxy: `address=upstream`")
	flag.StringVar(&echoes, "bare", "", "be the bare route on this `address`")
	flag.StringVar(&edges, "edge", "", "be the route behind the middleware on this `address`")
	flag.Parse()
	var err error
	switch {
	case upstream != "":
		content := fileContent()
		err = http.ListenAndServe(upstream, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answerFiles(w, r, content) })) //nolint:gosec // a stub for one run on loopback
	case proxy != "":
		err = beProxy(proxy)
	case echoes != "":
		err = beBare(echoes)
	case edges != "":
		err = beEdge(edges, flag.Arg(0))
	default:
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		measure := b.gateway
		switch {
		case small:
			measure = b.smallest
		case files:
			measure = b.files
		}
		err = b.run(ctx, measure)
		stop()
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

// run makes the room that the parts need, and empties it again.
func (b *bench) run(ctx context.Context, measure func(ctx context.Context, self string) error) (err error) {
	if b.dir, err = os.MkdirTemp("", "bench-gateway-"); err != nil {
		return err
	}
	defer func() {
		for _, t := range slices.Backward(b.targets) {
			_ = t.process.Stop(stopLimit)
		}
		_ = os.RemoveAll(b.dir)
	}()
	if b.key, err = auth.LoadDevKey(filepath.Join(b.dir, "dev.pem")); err != nil {
		return err
	}
	if err := b.key.WriteJWKS(b.jwks()); err != nil {
		return err
	}
	if b.token, err = b.key.Sign(auth.DevClaims{Subject: "bench", Roles: []string{"MANAGER"}, TTL: 24 * time.Hour}); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return measure(ctx, self)
}

func (b *bench) jwks() string { return filepath.Join(b.dir, "jwks.json") }

// gateway starts everything that is compared with the gateway, and measures.
func (b *bench) gateway(ctx context.Context, self string) error {
	call := "/V3/GetDocuments?boxId=" + url.QueryEscape(box) + "&filterCategory=Any.InboundNotRevoked"
	address, err := process.FreeAddress()
	if err != nil {
		return err
	}
	upstream := address
	if err := b.start("direct", address, call, nil, self, "-upstream", address); err != nil {
		return err
	}
	for _, proxy := range []struct{ name, config, text string }{{"nginx", "nginx.conf", nginxConf}, {"caddy", "Caddyfile", caddyfile}} {
		if address, err = process.FreeAddress(); err != nil {
			return err
		}
		config := filepath.Join(b.dir, proxy.config)
		if err := os.WriteFile(config, fmt.Appendf(nil, proxy.text, b.dir, address, upstream), 0o600); err != nil {
			return err
		}
		args := []string{"-p", b.dir, "-c", config}
		if proxy.name == "caddy" {
			args = []string{"run", "--adapter", "caddyfile", "--config", config}
		}
		if err := b.start(proxy.name, address, call, map[string]string{"HOME": b.dir, "XDG_DATA_HOME": b.dir, "XDG_CONFIG_HOME": b.dir}, proxy.name, args...); err != nil {
			return err
		}
	}
	if address, err = process.FreeAddress(); err != nil {
		return err
	}
	if err := b.start("go proxy", address, call, nil, self, "-proxy", address+"=http://"+upstream); err != nil {
		return err
	}
	if b.before != "" {
		if err := b.startGateway("before", b.before, upstream); err != nil {
			return err
		}
	}
	programs, err := process.Build(ctx, "cmd/gateway")
	if err != nil {
		return err
	}
	if err := b.startGateway("gateway", filepath.Join(programs, "gateway"), upstream); err != nil {
		return err
	}
	fmt.Printf("document of %d bytes\n", len(document))
	b.size = message.NewPrinter(language.English).Sprintf("a document of %d bytes", len(document))
	for _, connections := range []int{32, 1} {
		goals := map[string]string{"go proxy": "≥ 1.0"}
		if connections == 32 {
			goals["nginx"] = "≥ 0.35"
		} else {
			goals["caddy"] = "≥ 1.0"
			goals["p50"] = "≤ 0.15 ms"
		}
		if err := b.measure(ctx, connections, []string{"nginx", "caddy", "go proxy"}, goals); err != nil {
			return err
		}
	}
	return nil
}

// start starts a process that will answer on address. What it prints goes to a
// file, as the lines of a service do.
func (b *bench) start(name, address, path string, environment map[string]string, program string, args ...string) error {
	started, err := process.Start(process.Program{
		Name: name, Path: program, Args: args, Dir: b.dir, Env: process.Environment(os.Environ(), environment), LogPath: filepath.Join(b.dir, name+".log"),
	})
	if err != nil {
		return err
	}
	b.targets = append(b.targets, &target{name: name, url: "http://" + address + path, process: started})
	return nil
}

const nginxConf = `daemon off; pid %[1]s/nginx.pid; error_log stderr error; worker_processes auto;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path %[1]s; proxy_temp_path %[1]s; fastcgi_temp_path %[1]s; uwsgi_temp_path %[1]s; scgi_temp_path %[1]s;
  upstream provider { server %[3]s; keepalive 64; keepalive_requests 1000000; }
  client_max_body_size 0; proxy_request_buffering off; proxy_max_temp_file_size 0;
  server { listen %[2]s; keepalive_requests 1000000; location / { proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}
`

// No access log, no TLS, no listener of its own for administration, and as many
// kept connections as the others.
const caddyfile = `{
	admin off
	auto_https off
	storage file_system %[1]s
}
http://%[2]s {
	reverse_proxy http://%[3]s {
		transport http {
			keepalive_idle_conns_per_host 64
		}
	}
}
`

// startGateway starts the real program as it runs in production, log lines and
// all.
func (b *bench) startGateway(name, program, upstream string) error {
	address, err := process.FreeAddress()
	if err != nil {
		return err
	}
	admin, err := process.FreeAddress()
	if err != nil {
		return err
	}
	if err := b.start(name, address, "/api/v1/exchange/documents", map[string]string{
		"HTTP_ADDR": address, "ADMIN_ADDR": admin, "PROVIDER_URL": "http://" + upstream, "PROVIDER_BOX_ID": box,
		"APP_ENV": "production", "LOG_FORMAT": "json", "AUTH_JWKS_URL": "file://" + b.jwks(),
	}, program, "serve"); err != nil {
		return err
	}
	b.targets[len(b.targets)-1].admin = admin
	return nil
}
