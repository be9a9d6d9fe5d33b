package main

// This file: whether what runs is well and confined, and the load on it.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/process"
	"equipment-platform/verify/steady"
)

// keys does what the head of the compose file says: who may sign tokens.
func (e *engine) keys(ctx context.Context) error {
	jwks, err := e.run(ctx, "bin/catalog", "jwks")
	if err != nil {
		return err
	}
	return os.WriteFile("deploy/keys/jwks.json", []byte(jwks), 0o644)
}

// up starts everything, and waits until it is well.
func (e *engine) up(ctx context.Context) error {
	if _, err := e.compose(ctx, "up", "--detach", "--no-build", "--pull", "never"); err != nil {
		return err
	}
	return e.well(ctx)
}

// well waits until all replicas are ready, and answer through the web server.
func (e *engine) well(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, wellBy, fmt.Errorf("not well after %s", wellBy))
	defer cancel()
	if err := e.hosts(ctx); err != nil {
		return err
	}
	for service, probe := range map[string]string{"catalog": ":8080/readyz", "gateway": ":8080/readyz", "indexer": ":9100/metrics"} {
		found, err := e.containers(ctx, service)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("no %s runs", service)
		}
		for _, c := range found {
			if err := process.AwaitHTTP(ctx, "http://"+c.Address+probe); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	// several times, since the web server goes to each replica in turn
	for range 8 {
		if err := process.AwaitHTTP(ctx, "http://"+web+"/catalog/api/v1/vehicles/count"); err != nil {
			return err
		}
		for { // who has no token is refused by the gateway itself
			status, err := status(ctx, "http://"+web+"/gateway/api/v1/exchange/organizations/my")
			if status == http.StatusUnauthorized {
				break
			}
			if ctx.Err() != nil {
				return fmt.Errorf("the gateway through the web server: %d %w %w", status, err, context.Cause(ctx))
			}
			steady.Pause(ctx, 100*time.Millisecond)
		}
	}
	return nil
}

func status(ctx context.Context, url string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// confined demands that the programs have what the compose file leaves them: another user
// than root, no capability, a root file system that is read only; that nothing leads out of the
// network of the database and the broker; and that every container has the limits of memory and
// processes that the file gives it, of which there is none that has none.
func (e *engine) confined(ctx context.Context) error {
	limits, err := e.limits(ctx)
	if err != nil {
		return err
	}
	all, err := e.containers(ctx, "")
	if err != nil {
		return err
	}
	for _, c := range all {
		proc := "/proc/" + strconv.Itoa(c.PID)
		if has, err := limited(c.PID); err != nil || has != limits[c.Service] {
			return fmt.Errorf("%s is limited to %+v instead of %+v: %w", c.Name, has, limits[c.Service], err)
		}
		// the web server's network is outside of that of the database and the broker
		_, err := e.run(ctx, "nsenter", "--net="+proc+"/ns/net", "timeout", "3", "bash", "-c", "exec 3<>/dev/tcp/172.30.87.10/8080")
		inside := c.Service == "postgres" || c.Service == "kafka"
		if inside != (err != nil) {
			return fmt.Errorf("%s reaches other networks: %t", c.Name, err == nil)
		}
		if inside {
			continue
		}
		raw, err := os.ReadFile(proc + "/status")
		if err != nil {
			return err
		}
		said := map[string]string{}
		for line := range strings.Lines(string(raw)) {
			key, value, _ := strings.Cut(line, ":")
			said[key] = strings.TrimSpace(value)
		}
		user, _, _ := strings.Cut(said["Uid"], "\t")
		if user == "0" || said["NoNewPrivs"] != "1" || strings.Trim(said["CapBnd"], "0") != "" || strings.Trim(said["CapEff"], "0") != "" {
			return fmt.Errorf("%s is not confined: user %s, NoNewPrivs %s, CapBnd %s, CapEff %s", c.Name, user, said["NoNewPrivs"], said["CapBnd"], said["CapEff"])
		}
		mounts, err := os.ReadFile(proc + "/mountinfo")
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(mounts)) {
			if fields := strings.Fields(line); fields[4] == "/" && !strings.HasPrefix(fields[5], "ro") {
				return fmt.Errorf("%s may write to its root: %s", c.Name, line)
			}
		}
	}
	return nil
}

// limit is what a container may have: memory in bytes, processes and threads.
type limit struct{ memory, processes int64 }

// limits are those of the compose file, by service, of all profiles.
func (e *engine) limits(ctx context.Context) (map[string]limit, error) {
	raw, err := e.compose(ctx, "--profile", "*", "config", "--format", "json")
	if err != nil {
		return nil, err
	}
	var file struct {
		Services map[string]struct {
			Memory    int64 `json:"mem_limit,string"`
			Processes int64 `json:"pids_limit"`
		}
	}
	if err := json.Unmarshal([]byte(raw), &file); err != nil {
		return nil, err
	}
	limits := map[string]limit{}
	for service, has := range file.Services {
		if has.Memory <= 0 || has.Processes <= 0 {
			return nil, fmt.Errorf("%s: %s has no limit of memory or processes", composeFile, service)
		}
		limits[service] = limit{has.Memory, has.Processes}
	}
	return limits, nil
}

// limited says what the kernel holds a process to, by either version of control groups.
func limited(pid int) (has limit, err error) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cgroup")
	if err != nil {
		return has, err
	}
	for line := range strings.Lines(string(raw)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		controllers, group := strings.Split(parts[1], ","), parts[2]
		for controller, of := range map[string]struct {
			value         *int64
			first, second string // the file, of the first version and of the second
		}{"memory": {&has.memory, "memory.limit_in_bytes", "memory.max"}, "pids": {&has.processes, "pids.max", "pids.max"}} {
			file := filepath.Join("/sys/fs/cgroup", group, of.second)
			if slices.Contains(controllers, controller) {
				file = filepath.Join("/sys/fs/cgroup", controller, group, of.first)
			} else if parts[1] != "" {
				continue
			}
			if text, err := os.ReadFile(file); err == nil { // none where the other version has the controller
				if *of.value, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err != nil {
					return has, err
				}
			}
		}
	}
	return has, nil
}

// load is the steady load through the web server, in an empty catalogue.
func (e *engine) load(ctx context.Context) (*steady.Load, error) {
	settings, err := config.From[config.Kafka](nil)
	if err != nil {
		return nil, err
	}
	key, err := auth.LoadDevKey(filepath.Join(e.home, "dev.pem"))
	if err != nil {
		return nil, err
	}
	return steady.New(ctx, steady.Target{Catalogs: []string{web + "/catalog"}, Gateway: web + "/gateway", Brokers: []string{"kafka:9092"}, Kafka: settings, Key: key, Proxied: true})
}

// memory is what containers use, by service; the most of its replicas.
func (e *engine) memory(ctx context.Context) (map[string]float64, error) {
	raw, err := e.docker(ctx, "stats", "--no-stream", "--format", "{{json .}}")
	if err != nil {
		return nil, err
	}
	used := map[string]float64{}
	for line := range strings.Lines(raw) {
		var one struct{ Name, MemUsage string }
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return nil, err
		}
		amount, _, _ := strings.Cut(one.MemUsage, " ")
		service := serviceOf(one.Name)
		used[service] = max(used[service], mebibytes(amount))
	}
	return used, nil
}

func serviceOf(container string) string {
	service, _, _ := strings.Cut(strings.TrimPrefix(container, projectName+"-"), "-")
	return service
}

func mebibytes(amount string) float64 {
	for unit, factor := range map[string]float64{"GiB": 1 << 10, "MiB": 1, "KiB": 1.0 / (1 << 10)} {
		if number, found := strings.CutSuffix(amount, unit); found {
			n, _ := strconv.ParseFloat(number, 64)
			return n * factor
		}
	}
	return 0
}
