// Streaming replicas of an embedded PostgreSQL, for tests of reading from one.
// What belongs here: making the data directory of a replica.

package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// PrepareReplica fills the directory, which must not exist yet, with a copy of
// the running primary that follows it: StartPostgres on that directory starts a
// streaming replica (hot standby) with the primary's password. The primary must
// be durable: a throw-away one writes no log that could be followed.
func PrepareReplica(ctx context.Context, primary *Postgres, dir string) error {
	if !primary.durable {
		return errors.New("an instance that is not durable cannot be followed")
	}
	binaries, err := FindPostgres(0)
	if err != nil {
		return err
	}
	owner, err := instanceOwner()
	if err != nil {
		return err
	}
	for _, path := range []string{dir, filepath.Join(dir, "run")} {
		if err := owner.makeDir(path); err != nil {
			return err
		}
	}
	password := filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte(primary.password), 0o600); err != nil {
		return fmt.Errorf("keep the database password: %w", err)
	}
	if err := owner.take(password); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(binaries.Dir, "pg_basebackup"),
		"--pgdata="+filepath.Join(dir, "data"), "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-password",
		"--host=127.0.0.1", "--port="+strconv.Itoa(primary.port), "--username="+postgresSuperuser)
	cmd.Dir = dir
	cmd.Env = append(owner.environment(), "PGPASSWORD="+primary.password)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: owner.credential()}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	return nil
}
