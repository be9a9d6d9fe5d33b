package embedded

// This file: the data directory of a streaming replica.

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// PrepareReplica fills the directory, which must not exist yet, with a copy of the
// running primary that follows it: StartPostgres on that directory starts a
// streaming replica (hot standby) with the primary's password. The primary must be
// durable: a throw-away one writes no log that could be followed. name is the
// replica's application_name at the primary, by which synchronous_standby_names
// chooses it.
func PrepareReplica(ctx context.Context, primary *Postgres, dir, name string) error {
	binaries, err := FindPostgres(0)
	if err != nil {
		return err
	}
	for _, path := range []string{dir, filepath.Join(dir, "run")} {
		if err := os.Mkdir(path, 0o700); err != nil {
			return fmt.Errorf("make the replica's directory: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte(primary.password), 0o600); err != nil {
		return fmt.Errorf("keep the replica's password: %w", err)
	}
	host, port := "127.0.0.1", strconv.Itoa(primary.port)
	cmd := exec.CommandContext(ctx, filepath.Join(binaries.Dir, "pg_basebackup"),
		"--pgdata="+filepath.Join(dir, "data"), "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-password",
		"--dbname=host="+host+" port="+port+" user="+postgresSuperuser+" application_name="+name)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "PGPASSWORD=" + primary.password}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("copy the primary at %s: %w\n%s", net.JoinHostPort(host, port), err, out)
	}
	// the replica's server runs as the user of the primary's
	owner, err := instanceOwner()
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return owner.take(path)
	})
}
