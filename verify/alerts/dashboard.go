package main

// This file: the dashboard, whose every query has something to show once everything
// has happened.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

const dashboardFile = "deploy/observability/dashboard.json"

func (p *prometheus) dashboard(ctx context.Context) error {
	raw, err := os.ReadFile(dashboardFile)
	if err != nil {
		return err
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(raw, &board); err != nil {
		return err
	}
	var empty []string
	queries := 0
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			queries++
			query := strings.NewReplacer("$__rate_interval", "30m", "$job", "catalog").Replace(target.Expr)
			n, err := p.series(ctx, query)
			if err != nil {
				return fmt.Errorf("panel %s: %w", panel.Title, err)
			}
			if n == 0 {
				empty = append(empty, panel.Title+": "+query)
			}
		}
	}
	if len(empty) > 0 {
		return fmt.Errorf("panels of the dashboard show nothing after everything has happened:\n%s", strings.Join(empty, "\n"))
	}
	fmt.Printf("alerts: all %d queries of the dashboard have something to show\n", queries)
	return nil
}
