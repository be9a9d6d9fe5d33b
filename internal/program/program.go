// Package program is what the main functions share: command trees whose help
// lists the environment variables, logs, and the end by signal.
package program

import (
	"cmp"
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

	"equipment-platform/internal/build"
	"equipment-platform/internal/config"
)

// Root makes the command of a program. Its help ends with the table that
// describe writes, if any.
func Root(name, short string, describe func(io.Writer)) *cobra.Command {
	root := Parent(name, short)
	root.SilenceUsage, root.SilenceErrors = true, true
	root.Version = build.Version()
	root.CompletionOptions.DisableDefaultCmd = true
	if describe != nil {
		Describes(root, describe)
	}
	return root
}

// Parent makes a command that only has others below it. Without one of them it
// fails, as with an unknown one: cobra alone would print the help and succeed,
// and a slip in a deployment's step would pass for its success.
func Parent(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return fmt.Errorf("%s needs a command; --help lists them", c.CommandPath())
		},
	}
}

// Describes lets a command's help list variables of its own.
func Describes(c *cobra.Command, describe func(io.Writer)) *cobra.Command {
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		out := c.OutOrStdout()
		if text := cmp.Or(c.Long, c.Short); text != "" {
			fmt.Fprintf(out, "%s\n\n", text)
		}
		fmt.Fprintf(out, "%s\n", c.UsageString())
		describe(out)
	})
	return c
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
