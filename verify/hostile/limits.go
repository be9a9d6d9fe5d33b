package main

// This file: what the manifests give a program, and how it is held to that.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// manifest is what a Deployment gives its program.
type manifest struct {
	memory int64             // bytes
	env    map[string]string // DATABASE_MAX_CONNS, GOMEMLIMIT, switches
}

// readManifest reads deploy/kubernetes/base/NAME.yaml.
func readManifest(name string) (m manifest, err error) {
	raw, err := os.ReadFile(filepath.Join("deploy", "kubernetes", "base", name+".yaml"))
	if err != nil {
		return m, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	for {
		var document struct {
			Kind string
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct {
							Env       []struct{ Name, Value string }
							Resources struct{ Limits map[string]string }
						}
					}
				}
			}
		}
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return m, fmt.Errorf("%s: no Deployment with a memory limit", name)
		} else if err != nil {
			return m, fmt.Errorf("%s: %w", name, err)
		}
		if document.Kind != "Deployment" {
			continue
		}
		container := document.Spec.Template.Spec.Containers[0]
		m.env = map[string]string{}
		for _, e := range container.Env {
			m.env[e.Name] = e.Value
		}
		if cpu, limited := container.Resources.Limits["cpu"]; limited {
			return m, fmt.Errorf("%s: a processor limit (%s) is not understood here", name, cpu)
		}
		m.memory, err = parseMemory(container.Resources.Limits["memory"])
		return m, err
	}
}

func parseMemory(text string) (int64, error) {
	for suffix, shift := range map[string]int{"Mi": 20, "Gi": 30} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			n, err := strconv.ParseInt(number, 10, 64)
			return n << shift, err
		}
	}
	return 0, fmt.Errorf("memory limit %q: Mi or Gi is expected", text)
}

// cage holds processes to their memory: the kernel kills what takes more, as it
// does in a cluster.
type cage struct {
	version int // of control groups; 0: none can be made here
	dir     string
}

// newCage makes a control group for this run, where the machine lets it.
func newCage() *cage {
	for version := 1; version <= 2; version++ {
		root := map[int]string{1: "/sys/fs/cgroup/memory", 2: "/sys/fs/cgroup"}[version]
		file := map[int]string{1: "memory.limit_in_bytes", 2: "memory.max"}[version]
		dir := filepath.Join(root, fmt.Sprintf("verify-hostile-%d", os.Getpid()))
		if _, err := os.Stat(filepath.Join(root, map[int]string{1: "memory.limit_in_bytes", 2: "cgroup.controllers"}[version])); err != nil || os.Mkdir(dir, 0o755) != nil {
			continue
		}
		if version == 2 { // its children need the controller
			_ = os.WriteFile(filepath.Join(root, "cgroup.subtree_control"), []byte("+memory"), 0)
			_ = os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+memory"), 0)
		}
		probe := filepath.Join(dir, "probe")
		if os.Mkdir(probe, 0o755) == nil {
			err := os.WriteFile(filepath.Join(probe, file), []byte("67108864"), 0)
			_ = os.Remove(probe)
			if err == nil {
				return &cage{version: version, dir: dir}
			}
		}
		_ = os.Remove(dir)
	}
	return &cage{}
}

func (c *cage) String() string {
	if c.version == 0 {
		return "no control group can be made here: memory is measured, and nobody is killed for it"
	}
	return fmt.Sprintf("memory limits by control groups, version %d", c.version)
}

// hold limits a process that has just started; what it has taken so far is little.
func (c *cage) hold(name string, pid int, bytes int64) error {
	if c.version == 0 {
		return nil
	}
	dir := filepath.Join(c.dir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file := map[int]string{1: "memory.limit_in_bytes", 2: "memory.max"}[c.version]
	if err := os.WriteFile(filepath.Join(dir, file), []byte(strconv.FormatInt(bytes, 10)), 0); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
}

// open removes the groups, once the processes have ended.
func (c *cage) open() {
	if c.version == 0 {
		return
	}
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		if e.IsDir() {
			_ = os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
	_ = os.Remove(c.dir)
}

// resident is what a process holds of the memory now.
func resident(pid int) int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
