package main

// This file: what is shown.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"equipment-platform/verify/marked"
)

func (r result) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", r.attack.Name, r.attack.On)
	for _, kind := range []string{reading, probing, exchange} {
		fmt.Fprintf(&b, "    %-9s p50 %s -> %s, p99 %s -> %s (%d)\n", kind, ms(quantile(r.peace[kind], .5)), ms(quantile(r.during[kind], .5)),
			ms(quantile(r.peace[kind], .99)), ms(quantile(r.during[kind], .99)), len(r.during[kind]))
	}
	fmt.Fprintf(&b, "    attacker %s; memory", r.answers())
	for _, name := range slices.Sorted(maps.Keys(r.memory)) {
		fmt.Fprintf(&b, " %s %d MiB", name, r.memory[name]>>20)
	}
	fmt.Fprintf(&b, "; as before after %.1f s", r.recovered.Seconds())
	return b.String()
}

func (r result) answers() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(r.attacker)) {
		parts = append(parts, fmt.Sprintf("%s: %d", status, r.attacker[status]))
	}
	return strings.Join(parts, ", ")
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// writeTable puts the table between its two marks in a document.
func writeTable(path string, results []result) error {
	var b strings.Builder
	b.WriteString("| attack by one caller | reading by id, p50 / p99 in peace | under attack | probes | p99 of the gateway | memory at most | the attacker was answered | as before after |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range results {
		two := func(s seen, kind string) string {
			return fmt.Sprintf("%s / %s", ms(quantile(s[kind], .5)), ms(quantile(s[kind], .99)))
		}
		program := r.attack.On
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s → %s | %s %d of %d MiB | %s | %.1f s |\n", r.attack.Name, two(r.peace, reading), two(r.during, reading),
			two(r.during, probing), ms(quantile(r.peace[exchange], .99)), ms(quantile(r.during[exchange], .99)),
			program, r.memory[program]>>20, r.limits[program]>>20, r.answers(), r.recovered.Seconds())
	}
	return marked.Write(path, "verify/hostile", b.String())
}
