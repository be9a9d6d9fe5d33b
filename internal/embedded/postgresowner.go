package embedded

// This file: which operating system user runs PostgreSQL, which refuses to run
// as root: root starts it as the system's postgres user, in a directory that
// this user can enter.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// rootDataDir holds the instances of root whose own directory the postgres user
// cannot enter. Only root can write there, so nobody can prepare a directory in it.
const rootDataDir = "/var/lib/equipment-platform"

// owner is the user that the server runs as. The zero value is the caller.
type owner struct {
	switched bool
	uid, gid uint32
	home     string
}

// instanceOwner is the caller, or for root the system's postgres user.
func instanceOwner() (owner, error) {
	if os.Geteuid() != 0 {
		return owner{}, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return owner{}, fmt.Errorf("PostgreSQL does not run as root and there is no user postgres (the PostgreSQL package makes it): %w", err)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return owner{}, fmt.Errorf("user postgres: %w", err)
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return owner{}, fmt.Errorf("user postgres: %w", err)
	}
	return owner{switched: true, uid: uint32(uid), gid: uint32(gid), home: account.HomeDir}, nil
}

// credential is nil when the server runs as the caller.
func (o owner) credential() *syscall.Credential {
	if !o.switched {
		return nil
	}
	return &syscall.Credential{Uid: o.uid, Gid: o.gid}
}

// environment is the caller's without the variables that would steer PostgreSQL
// to another port, directory or locale than the instance's.
func (o owner) environment() []string {
	var environment []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "PG") || strings.HasPrefix(name, "LC_") || name == "LANG" || name == "LANGUAGE" {
			continue
		}
		if o.switched && name == "HOME" {
			entry = "HOME=" + o.home
		}
		environment = append(environment, entry)
	}
	return append(environment, "LC_ALL=C")
}

// take hands a file or directory to the owner.
func (o owner) take(path string) error {
	if !o.switched {
		return nil
	}
	if err := os.Lchown(path, int(o.uid), int(o.gid)); err != nil {
		return fmt.Errorf("give %s to the user postgres: %w", path, err)
	}
	return nil
}

// makeDir makes a directory that only the owner may enter.
func (o owner) makeDir(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("make the database directory: %w", err)
	}
	return o.take(path)
}

// usableDir makes the instance's directory and returns its absolute path. Where
// the server's user cannot enter it (root's checkout below /root, mode 700) it
// makes one in elsewhere instead, always the same one for the same directory.
func (o owner) usableDir(dir, elsewhere string, log *slog.Logger) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("database directory: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", fmt.Errorf("make the database directory: %w", err)
	}
	if err := o.makeDir(dir); err != nil {
		return "", err
	}
	if o.canEnter(dir) {
		return dir, nil
	}
	sum := sha256.Sum256([]byte(dir))
	other := filepath.Join(elsewhere, hex.EncodeToString(sum[:6]))
	log.Info("the user postgres cannot enter the database directory; the data is kept elsewhere", "wanted", dir, "used", other)
	if err := os.MkdirAll(elsewhere, 0o755); err != nil {
		return "", fmt.Errorf("make the database directory: %w", err)
	}
	if err := o.makeDir(other); err != nil {
		return "", err
	}
	if !o.canEnter(other) {
		return "", fmt.Errorf("the user postgres can enter neither %s nor %s", dir, other)
	}
	return other, nil
}

// canEnter asks the operating system, as the owner: modes, access lists and
// network file systems all have their say.
func (o owner) canEnter(dir string) bool {
	if !o.switched {
		return true
	}
	cmd := exec.Command("/bin/sh", "-c", `cd "$1" && [ -w . ]`, "sh", dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: o.credential()}
	return cmd.Run() == nil
}
