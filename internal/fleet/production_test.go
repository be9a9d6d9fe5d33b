package fleet_test

// This file: what is for development only does nothing in production.

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/testdb"
)

// Where development tokens could be had, anybody could be anybody.
func TestProductionRefusesWhatIsForDevelopment(t *testing.T) {
	t.Parallel()
	p, url := build(t), testdb.New(t)
	key := filepath.Join(t.TempDir(), "dev.pem")
	env := func(name string) map[string]string {
		return map[string]string{"APP_ENV": name, "AUTH_DEV_KEY": key, "DATABASE_URL": url}
	}
	commands := [][]string{
		{"catalog", "token", "--sub", "admin", "--roles", "ADMIN"}, {"catalog", "jwks"}, {"catalog", "seed"},
	}
	for range 2 { // the second time there is a key
		for _, command := range commands {
			out, err := p.once(t.Context(), env("production"), command...)
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s: %s", command, out)
			require.Equal(t, 1, exit.ExitCode(), "%s", command)
			require.Equal(t, 1, strings.Count(out, "\n"), "one line that says why: %s", out)
			require.Contains(t, out, "refused in production", "%s", command)
			require.NotContains(t, out, "eyJ", "a token")
			require.NotContains(t, out, `"keys"`)
		}
		require.Zero(t, number(t, connect(t, url), "SELECT count(*) FROM groups"))
		for _, command := range commands[:2] { // elsewhere the same command does it
			out, err := p.once(t.Context(), env("development"), command...)
			require.NoError(t, err, out)
			require.Regexp(t, `eyJ|"keys"`, out)
		}
	}
}

// The development stack, its broker and its PostgreSQL, and what serves tests
// alone make a program larger and its attack surface wider for nothing.
func TestProductionProgramsLinkNoDevelopmentCode(t *testing.T) {
	t.Parallel()
	for program, more := range map[string][]string{
		"catalog": nil, "indexer": {"equipment-platform/internal/demo"}, "gateway": {"equipment-platform/internal/demo", "equipment-platform/internal/database", "equipment-platform/internal/embedding"},
	} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "equipment-platform/cmd/"+program).Output()
		require.NoError(t, err)
		linked := strings.Fields(string(out))
		require.Contains(t, linked, "equipment-platform/internal/edge")
		for _, unwanted := range append(more,
			"github.com/twmb/franz-go/pkg/kfake", "github.com/stretchr/testify/require",
			"equipment-platform/internal/embedded", "equipment-platform/internal/devstack", "equipment-platform/internal/process", "equipment-platform/internal/sandbox",
			"equipment-platform/internal/testdb", "equipment-platform/internal/edge/edgetest",
		) {
			require.NotContains(t, linked, unwanted, "%s links it", program)
		}
	}
}
