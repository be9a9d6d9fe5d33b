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
