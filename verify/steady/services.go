package steady

// This file: the programs under the load: two catalogs with consumers, and an indexer.

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"equipment-platform/internal/process"
)

// Services are the names under which the programs run.
var Services = []string{"catalog-1", "catalog-2", "indexer"}

// StartService starts the one of that name, which listens at the address (host:port) and logs into the directory.
func StartService(name, address, dir string, env map[string]string) (*process.Process, error) {
	program, command, own := "catalog", "serve", "HTTP_ADDR="
	if name == "indexer" {
		program, command, own = "indexer", "run", "ADMIN_ADDR="
	}
	return process.Start(process.Program{
		Name: name, Path: filepath.Join("bin", program), Args: []string{command}, Env: append(process.Environment(os.Environ(), env), own+address), LogPath: filepath.Join(dir, name+".log"),
	})
}

// Ready waits until all of them say that they are ready, for each within the limit. Both maps are by name.
func Ready(ctx context.Context, programs map[string]*process.Process, addresses map[string]string, limit time.Duration) error {
	for _, name := range Services {
		probe := "readyz"
		if name == "indexer" {
			probe = "metrics"
		}
		if err := programs[name].AwaitReady(ctx, "http://"+addresses[name]+"/"+probe, limit); err != nil {
			return err
		}
	}
	return nil
}

// Pause waits for so long, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
