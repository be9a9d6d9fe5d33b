package main

// This file: commands of docs/operations.md and of the house, run as they stand, and what is asked of a
// server.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/embedded"
)

// shell runs commands in a directory as the user of the server, with PostgreSQL's programs of the
// version in use.
func shell(ctx context.Context, server *embedded.Postgres, dir, commands string, env ...string) error {
	binaries, err := embedded.FindPostgres(0)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + binaries.Dir + ":" + os.Getenv("PATH")}, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if cmd.SysProcAttr.Credential, err = owner(server); err != nil {
		return err
	}
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", commands, err, said)
	}
	return nil
}

// owner is the user of the server; nil where that is who runs this.
func owner(server *embedded.Postgres) (*syscall.Credential, error) {
	info, err := os.Stat(filepath.Join(server.Dir(), "data"))
	if err != nil {
		return nil, err
	}
	is, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil, errors.New("the owner of a directory cannot be had here")
	}
	if os.Geteuid() != 0 {
		return nil, nil
	}
	return &syscall.Credential{Uid: is.Uid, Gid: is.Gid}, nil
}

// give hands a file or directory to the user of the server.
func give(server *embedded.Postgres, path string) error {
	to, err := owner(server)
	if err != nil || to == nil {
		return err
	}
	return os.Chown(path, int(to.Uid), int(to.Gid))
}

// makeDirs makes directories that are the server's.
func makeDirs(server *embedded.Postgres, paths ...string) error {
	for _, path := range paths {
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		if err := give(server, path); err != nil {
			return err
		}
	}
	return nil
}

// program runs one of the programs to its end.
func (s *stack) program(ctx context.Context, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join("bin", program), args...)
	cmd.Env = os.Environ()
	for key, value := range s.env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, said)
	}
	return nil
}

// scan runs a query for one value.
func scan(ctx context.Context, server *embedded.Postgres, sql string, into any) error {
	conn, err := pgx.Connect(ctx, server.URL(name))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return conn.QueryRow(ctx, sql).Scan(into)
}
