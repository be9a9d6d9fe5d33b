// Package program is what the main functions share: command trees whose help
// lists the environment variables, logs, and the end by signal.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"equipment-platform/internal/config"
)

// Root makes the command of a program. Its help ends with the table that
// describe writes, if any.
func Root(name, short string, describe func(io.Writer)) *cobra.Command {
	root := &cobra.Command{Use: name, Short: short, SilenceUsage: true, SilenceErrors: true, Args: cobra.NoArgs}
	root.CompletionOptions.DisableDefaultCmd = true
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		help(c, args)
		if describe != nil {
			fmt.Fprintln(c.OutOrStdout())
			describe(c.OutOrStdout())
		}
	})
	return root
}

// gcPercent trades memory for speed: what lives in these programs is some ten
// MiB (mostly the contract) and what a request leaves behind is much, so with
// Go's default of 100 the collector took a fifth of the processor. GOGC, where
// it is set, wins; GOMEMLIMIT bounds what this may cost.
const gcPercent = 300

// Main runs the command until it ends or the process is told to stop
// (SIGINT, SIGTERM), and exits: 0, or 1 with one line that says why.
func Main(root *cobra.Command) {
	if os.Getenv("GOGC") == "" { //nolint:forbidigo // the Go runtime's own variable, not a setting of ours
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root.ExecuteContext(ctx)
	stop()
	standardError.flush()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", root.Name(), err)
		os.Exit(1)
	}
}

// standardError is where the loggers of the process write.
var standardError = &lines{to: os.Stderr}

// Logger makes the process's logger on standard error: JSON, or text where
// LOG_FORMAT says so or a person watches a terminal. What is below a warning may
// come out a moment later; the last of it when Main ends.
func Logger(p config.Process) *slog.Logger {
	options := &slog.HandlerOptions{Level: p.LogLevel}
	if p.LogFormat == "text" || p.LogFormat == "" && term.IsTerminal(int(os.Stderr.Fd())) {
		return slog.New(urgent{slog.NewTextHandler(standardError, options), standardError})
	}
	return slog.New(urgent{slog.NewJSONHandler(standardError, options), standardError})
}
