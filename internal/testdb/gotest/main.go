// Command gotest runs `go test` and says at the end how many tests there were:
// `gotest [go test arguments...]`. Per package it prints one line; of a failed
// test, everything that it said. It exits as go test does.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

func main() {
	start := time.Now()
	cmd := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		fatal(err)
	}
	if err := cmd.Start(); err != nil {
		fatal(err)
	}
	var report report
	if err := report.read(out, os.Stdout); err != nil {
		fatal(err)
	}
	err = cmd.Wait()
	fmt.Println(report.summary(time.Since(start)))
	if err != nil || report.failed > 0 {
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "gotest:", err)
	os.Exit(1)
}

// event is one line of `go test -json` (see `go doc test2json`).
type event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Output     string
	Elapsed    float64
}

// report counts what the events say. Tests and their subtests count alike.
type report struct {
	passed, failed, skipped int
	packages                int
	failures                []string
	said                    map[string]*strings.Builder
}

// read consumes all events; lines that are none (a build failure of old) are
// passed through.
func (r *report) read(events io.Reader, out io.Writer) error {
	r.said = map[string]*strings.Builder{}
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil {
				_, _ = io.WriteString(out, line)
			} else {
				r.add(e, out)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) add(e event, out io.Writer) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		if r.said[key] == nil {
			r.said[key] = &strings.Builder{}
		}
		// Of a package that panicked everything is shown: without what every run says.
		if trimmed := strings.TrimSpace(e.Output); !strings.HasPrefix(trimmed, "=== ") {
			r.said[key].WriteString(e.Output)
		}
	case "build-output":
		_, _ = io.WriteString(out, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.endPackage(e, out)
		} else {
			r.endTest(e, key, out)
		}
		delete(r.said, key)
	}
}

func (r *report) endTest(e event, key string, out io.Writer) {
	switch e.Action {
	case "pass":
		r.passed++
	case "skip":
		r.skipped++
		fmt.Fprintf(out, "skipped: %s %s\n", e.Package, e.Test)
	default:
		r.failed++
		r.failures = append(r.failures, key)
		if said := r.said[key]; said != nil {
			_, _ = io.WriteString(out, said.String())
		}
	}
}

func (r *report) endPackage(e event, out io.Writer) {
	switch e.Action {
	case "skip": // no test files
	case "pass":
		r.packages++
		fmt.Fprintf(out, "ok    %7.2fs  %s\n", e.Elapsed, e.Package)
	default:
		r.packages++
		prefix := e.Package + " "
		if !slices.ContainsFunc(r.failures, func(f string) bool { return strings.HasPrefix(f, prefix) }) {
			// No single test failed: it did not build, panicked or timed out.
			r.failed++
			r.failures = append(r.failures, prefix+"(whole package)")
		}
		for key, said := range r.said {
			if strings.HasPrefix(key, prefix) {
				_, _ = io.WriteString(out, said.String())
			}
		}
		fmt.Fprintf(out, "FAIL  %7.2fs  %s\n", e.Elapsed, e.Package)
	}
}

func (r *report) summary(took time.Duration) string {
	var text strings.Builder
	for _, failure := range r.failures {
		fmt.Fprintf(&text, "failed: %s\n", failure)
	}
	fmt.Fprintf(&text, "Go tests: %d passed, %d failed, %d skipped in %d packages (%s)",
		r.passed, r.failed, r.skipped, r.packages, took.Round(time.Second/10))
	return text.String()
}
