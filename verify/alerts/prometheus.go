package main

// This file: Prometheus with the rules, and what it says of them.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"

	"equipment-platform/internal/process"
)

// defaultEvaluation is how often Prometheus looks at rules where it is not told.
const defaultEvaluation = "1m"

type prometheus struct {
	dir     string
	address string
	server  *process.Process
}

// startPrometheus starts it with the delivered configuration, which finds its targets
// in files instead of in the names of a network.
func startPrometheus(ctx context.Context, dir string, rules ruleFile) (*prometheus, error) {
	p := &prometheus{dir: dir}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := writeYAML(filepath.Join(dir, "alerts.yaml"), rules); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(prometheusFile)
	if err != nil {
		return nil, err
	}
	var config struct {
		Global  map[string]any   `yaml:"global"`
		Rules   []string         `yaml:"rule_files"`
		Scrapes []map[string]any `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal(raw, &config); err != nil {
		return nil, err
	}
	for name, fallback := range map[string]string{"scrape_interval": "", "evaluation_interval": defaultEvaluation} {
		text, _ := config.Global[name].(string)
		if text == "" {
			text = fallback
		}
		if config.Global[name], err = shorter(text, 0); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	config.Rules = []string{"alerts.yaml"}
	// the consumers are a job of their own in a cluster
	config.Scrapes = append(config.Scrapes, map[string]any{"job_name": "events"})
	for _, scrape := range config.Scrapes {
		delete(scrape, "dns_sd_configs")
		scrape["file_sd_configs"] = []any{map[string]any{"files": []string{fmt.Sprint(scrape["job_name"], ".json")}}}
	}
	if err := writeYAML(filepath.Join(dir, "prometheus.yaml"), config); err != nil {
		return nil, err
	}
	if p.address, err = process.FreeAddress(); err != nil {
		return nil, err
	}
	p.server, err = process.Start(process.Program{
		Path: "prometheus", LogPath: filepath.Join(dir, "prometheus.log"),
		Args: []string{"--config.file=" + filepath.Join(dir, "prometheus.yaml"), "--storage.tsdb.path=" + filepath.Join(dir, "data"), "--web.listen-address=" + p.address},
	})
	if err != nil {
		return nil, err
	}
	return p, p.server.AwaitReady(ctx, "http://"+p.address+"/-/ready", time.Minute)
}

func writeYAML(path string, content any) error {
	raw, err := yaml.Marshal(content)
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o644)
}

// target is what the job scrapes from now on; an empty address is nothing.
func (p *prometheus) target(job, address string) error {
	var groups []map[string]any
	if address != "" {
		groups = append(groups, map[string]any{"targets": []string{address}})
	}
	raw, err := json.Marshal(groups)
	if err != nil {
		return err
	}
	path := filepath.Join(p.dir, job+".json")
	if err := os.WriteFile(path+".new", raw, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path) // it must not read a half
}

// alert is one that is pending or fires.
type alert struct {
	Labels map[string]string
	State  string
}

// firing are the alerts that fire now.
func (p *prometheus) firing(ctx context.Context) ([]alert, error) {
	var answer struct{ Alerts []alert }
	if err := p.get(ctx, "/api/v1/alerts", &answer); err != nil {
		return nil, err
	}
	var out []alert
	for _, a := range answer.Alerts {
		if a.State == "firing" {
			out = append(out, a)
		}
	}
	return out, nil
}

// series is how many an expression has now.
func (p *prometheus) series(ctx context.Context, query string) (int, error) {
	var answer struct{ Result []json.RawMessage }
	err := p.get(ctx, "/api/v1/query?query="+url.QueryEscape(query), &answer)
	return len(answer.Result), err
}

func (p *prometheus) get(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+path, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var envelope struct {
		Data  json.RawMessage
		Error string
	}
	if err := json.Unmarshal(raw, &envelope); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if envelope.Error != "" {
		return fmt.Errorf("%s: %s", path, envelope.Error)
	}
	return json.Unmarshal(envelope.Data, into)
}
