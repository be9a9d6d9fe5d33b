package testdb

// This file: the data directory of a streaming replica.

import (
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/embedded"
)

// PrepareReplica fills the directory, which must not exist yet, with a copy of
// the running primary that follows it: embedded.StartPostgres on that directory
// starts a streaming replica (hot standby) with the primary's password. The
// primary must be durable: a throw-away one writes no log that could be followed.
func PrepareReplica(t testing.TB, primary *embedded.Postgres, dir string) {
	t.Helper()
	binaries, err := embedded.FindPostgres(0)
	require.NoError(t, err)
	address, err := url.Parse(primary.URL("postgres"))
	require.NoError(t, err)
	password, _ := address.User.Password()
	for _, path := range []string{dir, filepath.Join(dir, "run")} {
		require.NoError(t, os.Mkdir(path, 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "password"), []byte(password), 0o600))
	cmd := exec.CommandContext(t.Context(), filepath.Join(binaries.Dir, "pg_basebackup"),
		"--pgdata="+filepath.Join(dir, "data"), "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-password",
		"--host="+address.Hostname(), "--port="+address.Port(), "--username="+address.User.Username())
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "PGPASSWORD=" + password}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	// The replica's server runs as the same user as the primary's, which owns that one's directory.
	info, err := os.Stat(primary.Dir())
	require.NoError(t, err)
	owner := info.Sys().(*syscall.Stat_t)
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(owner.Uid), int(owner.Gid))
	}))
}
