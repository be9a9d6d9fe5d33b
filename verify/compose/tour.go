package main

// This file: what a person does with it: the tour of README.md, and the story of a partner.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")
	eventLine  = regexp.MustCompile(`(?m)^(make event-order .*?) +#.*$`)
)

// tour runs the commands of README.md as they stand there, but for the addresses, which are
// the web server's here, the place of the tokens, and the order that a person reads off.
func (e *engine) tour(ctx context.Context) error {
	page, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	_, section, found := strings.Cut(string(page), "\n## A tour")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := shellBlock.FindAllStringSubmatch(section, -1)
	if !found || len(blocks) != 2 {
		return errors.New("README.md has no tour of two blocks")
	}
	dir, err := os.MkdirTemp("", "tour")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, roles := range map[string]string{"owner": "USER", "customer": "USER", "manager": "MANAGER"} {
		token, err := e.run(ctx, "bin/catalog", "token", "--sub", name+"-01", "--roles", roles)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(token), 0o600); err != nil {
			return err
		}
	}
	script := "set -euo pipefail\n" + blocks[0][1] + blocks[1][1]
	for _, change := range [][2]string{
		{"http://127.0.0.1:8080/api", "http://" + web + "/catalog/api"}, {"http://127.0.0.1:8090/api", "http://" + web + "/gateway/api"},
		{".local/tokens", dir}, {`\"orderId\": \"…\"`, ""}, {`"orderId": "…"`, `"orderId": "'$ORDER'"`},
	} {
		script = strings.ReplaceAll(script, change[0], change[1])
	}
	// the event has its effect a moment later
	script = eventLine.ReplaceAllString(script, "EVENT=$$($1)\nORDER=$$(grep -oE '\"orderId\": *\"[^\"]*' <<<\"$$EVENT\" | grep -oE '[^\"]*$$')\nsleep 3")
	cmd := filepath.Join(dir, "tour.sh")
	if err := os.WriteFile(cmd, []byte(script), 0o600); err != nil {
		return err
	}
	said, err := e.run(ctx, "env", "KAFKA_BROKERS=kafka:9092", "bash", cmd)
	if err != nil {
		return err
	}
	for what, mark := range map[string]string{"a list": `"totalElements"`, "a search": `"matches"`, "a machine": `"Kubota"`, "a rating": `"Clean machine, on time."`, "an organization": `"OrgId`, "documents": `"Documents"`} {
		if !strings.Contains(said, mark) {
			return fmt.Errorf("the tour shows no %s:\n%s", what, said)
		}
	}
	return nil
}

// partner tells the story of a partner with the Go clients of docs/partners.md, which get the
// documents too, so at a catalog and a gateway themselves.
func (e *engine) partner(ctx context.Context) error {
	environment := []string{"DATABASE_URL=postgres://equipment:" + password + "@postgres:5432/equipment?sslmode=disable"}
	for _, service := range []string{"catalog", "gateway"} {
		found, err := e.containers(ctx, service)
		if err != nil || len(found) == 0 {
			return fmt.Errorf("no %s: %w", service, err)
		}
		environment = append(environment, fmt.Sprintf("%s_URL=http://%s:8080", strings.ToUpper(service), found[0].Address))
	}
	said, err := e.run(ctx, "env", append(environment, "verify/clients/run", "go")...)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	return nil
}

// reader tells a story of the web app in a browser, as the delivered web server serves it; with
// settings that have ready-made people, since those of a deployment have none.
func (e *engine) reader(ctx context.Context) error {
	said, err := e.run(ctx, "env", "WEB_URL=http://"+web, "CATALOG_URL=http://"+web+"/catalog", "GATEWAY_URL=http://"+web+"/gateway",
		"SANDBOX_URL=http://127.0.0.1:8091", "FILES_URL=http://127.0.0.1:8091/files", "verify/browser/run", "renting", "-t", "who has rented nothing")
	if err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	if !strings.Contains(said, "1 passed") {
		return fmt.Errorf("the story was not told:\n%s", said)
	}
	return nil
}
