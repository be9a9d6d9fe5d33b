package main

// This file: a Docker of its own, the images, and the compose file.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"equipment-platform/internal/process"
	"equipment-platform/verify/steady"
)

const (
	composeFile = "deploy/compose.yaml"
	projectName = "equipment-platform" // the compose file's
	baseImage   = "stand-in/base"
)

type engine struct {
	home   string // images, programs, logs; kept
	daemon *process.Process
	env    []string
}

// startEngine starts the daemon. What it keeps is in home; the rest is gone with it.
func startEngine(ctx context.Context, home string) (*engine, error) {
	socket := "unix://" + filepath.Join(home, "run", "docker.sock")
	e := &engine{home: home, env: process.Environment(os.Environ(), map[string]string{
		"DOCKER_HOST": socket, "DOCKER_CONFIG": filepath.Join(home, "config"), "DOCKER_BUILDKIT": "1", "BUILDKIT_PROGRESS": "plain", "COMPOSE_BAKE": "false", "COMPOSE_MENU": "false", "POSTGRES_PASSWORD": password,
		"AUTH_DEV_KEY": filepath.Join(home, "dev.pem"),
	})}
	// a limit that a machine whose root may not raise any has as well
	settings, err := json.Marshal(map[string]any{
		"data-root": filepath.Join(home, "docker"), "exec-root": filepath.Join(home, "run"), "pidfile": filepath.Join(home, "run", "pid"), "hosts": []string{socket},
		"cgroup-parent":            "/verify-compose",
		"default-ulimits":          map[string]any{"nofile": map[string]any{"Name": "nofile", "Hard": openFiles(), "Soft": openFiles()}},
		"max-concurrent-downloads": 2,
	})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(home, "daemon.json")
	if err := os.WriteFile(file, settings, 0o600); err != nil {
		return nil, err
	}
	log := filepath.Join(home, "dockerd.log")
	_ = os.Remove(log)
	if e.daemon, err = process.Start(process.Program{Path: "dockerd", Args: []string{"--config-file", file}, LogPath: log}); err != nil {
		return nil, err
	}
	for limit := time.Now().Add(time.Minute); ; {
		_, err := e.docker(ctx, "version")
		if err == nil {
			break
		}
		if e.daemon.Ended() || time.Now().After(limit) {
			return nil, errors.Join(err, errors.New(e.daemon.Tail(10)))
		}
		steady.Pause(ctx, 200*time.Millisecond)
	}
	return e, e.down(ctx) // what a run before left that was killed
}

func (e *engine) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := e.down(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "compose:", err)
	}
	_ = e.daemon.Stop(30 * time.Second)
}

// run runs a program and returns what it wrote to its standard output.
func (e *engine) run(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = e.env
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(failed.String())
		return strings.TrimSpace(out.String()), fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, text[max(0, len(text)-1500):])
	}
	return strings.TrimSpace(out.String()), nil
}

func (e *engine) docker(ctx context.Context, args ...string) (string, error) {
	return e.run(ctx, "/usr/bin/docker", args...)
}

func (e *engine) compose(ctx context.Context, args ...string) (string, error) {
	return e.docker(ctx, append([]string{"compose", "-f", composeFile}, args...)...)
}

func (e *engine) down(ctx context.Context) error {
	_, err := e.compose(ctx, "down", "--volumes", "--remove-orphans", "--timeout", "20")
	return err
}

var (
	fromLine  = regexp.MustCompile(`(?m)^FROM (\S+:\S+)`)
	imageLine = regexp.MustCompile(`(?m)^    image: (\S+)`)
	goLine    = regexp.MustCompile(`(?m)^go (\S+)$`)
)

// standIns builds the images that the deployment files begin with, under their names.
// Those of the profile of observability have none.
func (e *engine) standIns(ctx context.Context) error {
	var names []string
	for file, pattern := range map[string]*regexp.Regexp{"deploy/Dockerfile": fromLine, composeFile: imageLine} {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, match := range pattern.FindAllStringSubmatch(string(text), -1) {
			if name := match[1]; !strings.HasPrefix(name, "prom/") && !strings.HasPrefix(name, "grafana/") {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	module, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	if _, err := e.docker(ctx, "image", "inspect", baseImage); err != nil {
		if _, err := e.docker(ctx, "import", filepath.Join(e.home, "base.tar"), baseImage); err != nil {
			return err
		}
	}
	for _, name := range names {
		target, _, _ := strings.Cut(path.Base(name), ":")
		if _, err := e.docker(ctx, "build", "-q", "--build-arg", "GO="+goLine.FindStringSubmatch(string(module))[1], "-f", "verify/compose/images/Dockerfile", "--target", target, "-t", name, "verify"); err != nil {
			return fmt.Errorf("no stand-in for %s: %w", name, err)
		}
	}
	return nil
}

// images builds all that there are, and says how long it takes.
func (e *engine) images(ctx context.Context) error {
	if err := timed("stand-ins", func() error { return e.standIns(ctx) }); err != nil {
		return err
	}
	if err := timed("images of this tree", func() error { return e.buildNow(ctx) }); err != nil {
		return err
	}
	return timed("images of "+before, func() error { return e.buildBefore(ctx) })
}

// built are the services whose images the compose file builds.
var built = []string{"catalog", "indexer", "gateway", "sandbox", "web", "migrate"}

func imageOf(service, version string) string { return projectName + "-" + service + ":" + version }

// buildNow builds this tree's images, by the compose file.
func (e *engine) buildNow(ctx context.Context) error {
	if _, err := e.compose(ctx, "build"); err != nil {
		return err
	}
	for _, service := range built {
		if _, err := e.docker(ctx, "tag", imageOf(service, "latest"), imageOf(service, "now")); err != nil {
			return err
		}
	}
	return nil
}

// buildBefore builds the programs of the commit that stands for the version before.
func (e *engine) buildBefore(ctx context.Context) error {
	tree, err := os.MkdirTemp("", "before")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tree)
	if _, err := e.run(ctx, "bash", "-c", "git archive "+before+" | tar -x -C "+tree); err != nil {
		return err
	}
	for _, service := range []string{"catalog", "indexer", "gateway"} {
		if _, err := e.docker(ctx, "build", "-q", "-f", filepath.Join(tree, "deploy/Dockerfile"), "--target", service, "-t", imageOf(service, "before"), tree); err != nil {
			return err
		}
	}
	_, err = e.docker(ctx, "tag", imageOf("catalog", "before"), imageOf("migrate", "before"))
	return err
}

// use makes a version the one that new containers of these services get.
func (e *engine) use(ctx context.Context, version string, services ...string) error {
	for _, service := range services {
		if _, err := e.docker(ctx, "tag", imageOf(service, version), imageOf(service, "latest")); err != nil {
			return err
		}
	}
	return nil
}

// container is a running one.
type container struct {
	ID, Name, Service, Address string
	PID                        int
}

// containers are those that run, of one service or of all ("").
func (e *engine) containers(ctx context.Context, service string) (out []container, err error) {
	filter := "label=com.docker.compose.project=" + projectName
	if service != "" {
		filter = "label=com.docker.compose.service=" + service
	}
	ids, err := e.docker(ctx, "ps", "-q", "--filter", filter)
	if err != nil || ids == "" {
		return nil, err
	}
	raw, err := e.docker(ctx, append([]string{"inspect"}, strings.Fields(ids)...)...)
	if err != nil {
		return nil, err
	}
	var all []struct {
		ID, Name        string
		State           struct{ Pid int }
		Config          struct{ Labels map[string]string }
		NetworkSettings struct {
			Networks map[string]struct{ IPAddress string }
		}
	}
	if err := json.Unmarshal([]byte(raw), &all); err != nil {
		return nil, err
	}
	for _, c := range all {
		one := container{ID: c.ID, Name: strings.TrimPrefix(c.Name, "/"), Service: c.Config.Labels["com.docker.compose.service"], PID: c.State.Pid}
		for _, network := range c.NetworkSettings.Networks {
			one.Address = network.IPAddress
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b container) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// hosts lets this process find the database and the broker by their names, as the broker
// wants to be called. Their addresses may differ after each start.
func (e *engine) hosts(ctx context.Context) error {
	lines := []string{"127.0.0.1 localhost"}
	for _, service := range []string{"postgres", "kafka"} {
		found, err := e.containers(ctx, service)
		if err != nil {
			return err
		}
		for _, c := range found {
			lines = append(lines, c.Address+" "+service)
		}
	}
	return os.WriteFile("/etc/hosts", []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
