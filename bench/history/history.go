// Package history keeps what the benchmarks measured, a line for each workload and
// commit, for the page that shows it (bench/page).
package history

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Point is what one run made of one workload.
type Point struct {
	Commit   string  `json:"commit"` // short; of what was measured
	Date     string  `json:"date"`   // of the commit, RFC 3339
	Workload string  `json:"workload"`
	Size     string  `json:"size"`           // of what it ran on; only points of one size compare
	Of       string  `json:"of"`             // the yardstick
	Ratio    float64 `json:"ratio"`          // of the rates in the same round, the median of the rounds
	Rate     float64 `json:"rate"`           // of the service, a second
	Goal     float64 `json:"goal,omitempty"` // for the ratio; 0: none
}

// Catalogue is the size of a database of so many vehicles and vectors.
func Catalogue(vehicles, vectors int) string {
	return message.NewPrinter(language.English).Sprintf("%d vehicles, %d vectors", vehicles, vectors)
}

// Append adds points of the commit that is checked out to the file at path. An empty
// path is off. A tree with changes is of no commit: its points are not kept, and it says
// so.
func Append(ctx context.Context, path string, points []Point) error {
	if path == "" {
		return nil
	}
	changed, err := git(ctx, "status", "--porcelain", "--", ":!"+path)
	if err != nil {
		return err
	}
	if changed != "" {
		fmt.Fprintln(os.Stderr, "not kept in the history: there are changes that no commit has")
		return nil
	}
	head, err := git(ctx, "show", "--no-patch", "--format=%h %cI", "HEAD")
	if err != nil {
		return err
	}
	commit, date, _ := strings.Cut(head, " ")
	var lines strings.Builder
	encoder := json.NewEncoder(&lines)
	for _, p := range points {
		p.Commit, p.Date = commit, date
		p.Ratio, p.Rate = math.Round(p.Ratio*1000)/1000, math.Round(p.Rate)
		if err := encoder.Encode(p); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(lines.String()); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
