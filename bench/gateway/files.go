package main

// This file: files of 64 MiB beside nginx, both ways, one after the other and 32 at once,
// and what the gateway adds to a poll that is answered "not yet".

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"equipment-platform/bench/history"
	"equipment-platform/bench/load"
	"equipment-platform/internal/process"
)

const (
	fileBytes   = 64 << 20
	filesEach   = 6 // of a target and a direction in each round
	filesAtOnce = 32
	polls       = 500

	downloadCall, uploadCall, pollCall = "/V2/ShelfDownload", "/V2/ShelfUpload", "/GetGeneratedPrintForm"
)

// fileContent is what is sent: nothing that could be made smaller or told from less.
var fileContent = func() []byte {
	source := rand.NewChaCha8([32]byte{1})
	content := make([]byte, fileBytes)
	_, _ = source.Read(content) // never fails
	return content
}

// answerFiles is the upstream's side.
func answerFiles(w http.ResponseWriter, r *http.Request, content []byte) {
	switch r.URL.Path {
	case downloadCall:
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		_, _ = w.Write(content)
	case uploadCall:
		if n, err := io.Copy(io.Discard, r.Body); err != nil || n != fileBytes {
			http.Error(w, fmt.Sprint(n, err), http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, "a-name-on-the-shelf")
	case pollCall:
		w.Header().Set("Retry-After", "1")
	default:
		answer(w, r)
	}
}

// carrier is one target with the paths that it has for the three calls.
type carrier struct {
	*target

	download, upload, poll string
}

// files starts what is compared, and measures.
func (b *bench) files(ctx context.Context, self string) error {
	upstream, err := process.FreeAddress()
	if err != nil {
		return err
	}
	if err := b.start("direct", upstream, "/", nil, self, "-upstream", upstream); err != nil {
		return err
	}
	address, err := process.FreeAddress()
	if err != nil {
		return err
	}
	config := filepath.Join(b.dir, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, nginxConf, b.dir, address, upstream), 0o600); err != nil {
		return err
	}
	if err := b.start("nginx", address, "/", nil, "nginx", "-p", b.dir, "-c", config); err != nil {
		return err
	}
	programs, err := process.Build(ctx, "cmd/gateway")
	if err != nil {
		return err
	}
	if err := b.startGateway("gateway", filepath.Join(programs, "gateway"), upstream); err != nil {
		return err
	}
	for _, t := range b.targets {
		if err := b.ready(ctx, t); err != nil {
			return err
		}
	}
	carriers := make([]carrier, len(b.targets))
	for i, t := range b.targets {
		base := t.url[:len(t.url)-1]
		carriers[i] = carrier{t, base + downloadCall, base + uploadCall, base + pollCall}
	}
	last := b.targets[len(b.targets)-1]
	exchange := last.url[:len(last.url)-len("/documents")]
	carriers[len(carriers)-1] = carrier{last, exchange + "/shelves?Query=fileName%3Da", exchange + "/shelves", exchange + "/print-forms/a"}
	return b.measureFiles(ctx, carriers)
}

func (b *bench) measureFiles(ctx context.Context, carriers []carrier) error {
	content := fileContent()
	for _, c := range carriers { // what arrives is what was sent
		sum := crc32.NewIEEE()
		if err := b.send(ctx, http.MethodGet, c.download, nil, sum); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if sum.Sum32() != crc32.ChecksumIEEE(content) {
			return fmt.Errorf("%s: the file is another one", c.name)
		}
	}
	directions := map[string]func(carrier) error{
		"down": func(c carrier) error { return b.send(ctx, http.MethodGet, c.download, nil, io.Discard) },
		"up":   func(c carrier) error { return b.send(ctx, http.MethodPost, c.upload, content, io.Discard) },
	}
	results := map[string]map[string][]load.Result{"down": {}, "up": {}}
	for range b.rounds {
		for _, direction := range []string{"down", "up"} {
			for _, c := range carriers {
				begun := time.Now()
				for range filesEach {
					if err := directions[direction](c); err != nil {
						return fmt.Errorf("%s, %s: %w", c.name, direction, err)
					}
				}
				results[direction][c.name] = append(results[direction][c.name], load.Result{Rate: filesEach / time.Since(begun).Seconds()})
			}
		}
	}
	fmt.Printf("files of %d MiB, one after the other; %d rounds of %d, medians\n", fileBytes>>20, b.rounds, filesEach)
	table := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "direction\ttarget\tMiB/s\tof nginx\tper round\tgoal")
	var points []history.Point
	gateway := carriers[len(carriers)-1]
	for _, direction := range []string{"down", "up"} {
		for _, c := range carriers {
			rounds, goal := results[direction][c.name], ""
			each, middle := load.Ratios(rounds, results[direction]["nginx"])
			if c.target == gateway.target {
				goal = "≥ 0.8"
				points = append(points, history.Point{Workload: "gateway, files " + direction, Size: "files of 64 MiB", Of: "nginx", Ratio: middle, Rate: load.Median(rounds, load.Rate), Goal: 0.8})
			}
			fmt.Fprintf(table, "%s\t%s\t%.0f\t%.2f\t%s\t%s\n", direction, c.name, load.Median(rounds, load.Rate)*fileBytes/(1<<20), middle, each, goal)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, direction := range []string{"down", "up"} {
		var together errgroup.Group
		for range filesAtOnce {
			together.Go(func() error { return directions[direction](gateway) })
		}
		if err := together.Wait(); err != nil {
			return fmt.Errorf("%d at once, %s: %w", filesAtOnce, direction, err)
		}
	}
	fmt.Printf("%d at once, each way: peak memory of the gateway %s (goal: at most 150 MiB)\n", filesAtOnce, load.PeakMemory(gateway.process.PID()))
	if err := b.measurePolls(ctx, carriers[0], gateway); err != nil {
		return err
	}
	return history.Append(ctx, b.history, points)
}

// measurePolls polls the upstream and the gateway in turn, one caller.
func (b *bench) measurePolls(ctx context.Context, direct, gateway carrier) error {
	var took [2][]time.Duration
	status, body, err := b.get(ctx, gateway.poll)
	if err != nil {
		return err
	}
	if status != http.StatusNoContent {
		return fmt.Errorf("a poll is answered %d %s", status, body)
	}
	for range polls {
		for i, url := range []string{direct.poll, gateway.poll} {
			begun := time.Now()
			if err := b.send(ctx, http.MethodGet, url, nil, io.Discard); err != nil {
				return fmt.Errorf("poll: %w", err)
			}
			took[i] = append(took[i], time.Since(begun))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	at := func(share float64) time.Duration {
		n := int(share * (polls - 1))
		return (took[1][n] - took[0][n]).Round(time.Microsecond)
	}
	fmt.Printf("%d polls answered \"not yet\": p50 over direct %s, p99 over direct %s (goal: at most 5ms)\n", polls, at(0.5), at(0.99))
	return nil
}

// send makes one call, and reads its answer into into.
func (b *bench) send(ctx context.Context, method, url string, body []byte, into io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	b.identify(req)
	req.Header.Set("Content-Type", "application/octet-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(into, resp.Body)
	if err == nil && resp.StatusCode >= http.StatusMultipleChoices {
		err = errors.New(resp.Status)
	}
	return err
}
