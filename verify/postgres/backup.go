package main

// This file: the database goes back to a moment before somebody's mistake, by a base backup
// and the log written since, with the commands of docs/operations.md.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/internal/embedded"
)

// moment is how the page's commands want the time that they go back to.
const moment = "2006-01-02T15:04:05.000+00:00" // in UTC

// backupPage is what docs/operations.md has for it.
type backupPage struct{ settings, base, restore, after string }

func readBackupPage() (backupPage, error) {
	raw, err := os.ReadFile("docs/operations.md")
	if err != nil {
		return backupPage{}, err
	}
	_, section, _ := strings.Cut(string(raw), "\n## Back to a point in time\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var found []string
	for _, block := range regexp.MustCompile("(?s)```(?:ini|sh)\n(.*?)```").FindAllStringSubmatch(section, -1) {
		found = append(found, block[1])
	}
	if len(found) != 4 || !strings.Contains(found[0], "archive_command") {
		return backupPage{}, errors.New("docs/operations.md has no settings, base backup, restore and what comes after")
	}
	return backupPage{found[0], found[1], found[2], found[3]}, nil
}

func runBackup(ctx context.Context, dir string) error {
	page, err := readBackupPage()
	if err != nil {
		return err
	}
	s, err := newStack(ctx, filepath.Join(dir, "backup"))
	if err != nil {
		return err
	}
	defer s.stop()
	b := &backup{stack: s, dir: filepath.Join(s.dir, "kept"), data: filepath.Join(s.dir, "restored")}
	if err := b.archive(ctx, page.settings); err != nil {
		return err
	}
	if err := s.launch(ctx, map[string]string{"DATABASE_URL": s.primary.URL(name)}); err != nil {
		return err
	}
	l, err := s.load(ctx)
	if err != nil {
		return err
	}
	loading, stopLoad := context.WithCancel(ctx)
	defer stopLoad()
	l.Run(loading)
	pause(ctx, calm)
	if err := b.shell(ctx, page.base, nil); err != nil {
		return err
	}
	pause(ctx, calm)
	var at time.Time
	mark, err := l.Still(func() error {
		defer pause(ctx, 10*time.Millisecond) // nothing that is written later has the same millisecond
		return scan(ctx, s.primary, "SELECT clock_timestamp() + interval '1 millisecond'", &at)
	})
	if err != nil {
		return err
	}
	pause(ctx, calm)
	stopLoad()
	l.Wait()
	if err := s.halt(); err != nil {
		return err
	}
	if err := execute(ctx, s.primary.URL(name), "SELECT pg_switch_wal()"); err != nil {
		return err
	}
	if err := s.primary.Stop(ctx); err != nil {
		return err
	}
	restored, err := b.restore(ctx, page.restore, at)
	if err != nil {
		return err
	}
	defer crash(restored)
	fmt.Printf("  of %s, back to %s\n", l.Sum(), at.UTC().Format(moment))
	l.Back(mark)
	if err := rightAfterwards(ctx, restored); err != nil {
		return err
	}
	s.env["DATABASE_URL"] = restored.URL(name)
	if err := b.programs(ctx, page.after, at); err != nil {
		return err
	}
	if err := s.launch(ctx, nil); err != nil {
		return err
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(s.broker.Address()))
	if err != nil {
		return err
	}
	defer client.Close()
	if err := s.consumed(ctx, kadm.NewClient(client)); err != nil {
		return err
	}
	if _, err := account(ctx, l, restored.URL(name), nil); err != nil {
		return err
	}
	if said, err := s.program(ctx, "indexer", "status"); err != nil {
		return fmt.Errorf("indexer status: %w: %s", err, said)
	}
	fmt.Printf("postgres: back to a point in time: everything of before is there (%s), and the events of after\n", l.Sum())
	return nil
}

// backup is where copies are, and the directory of the server that they are restored to.
type backup struct {
	*stack
	dir, data string
}

// archive has the primary keep its log.
func (b *backup) archive(ctx context.Context, settings string) error {
	port, dir := b.primary.Port(), b.primary.Dir()
	if err := b.primary.Stop(ctx); err != nil {
		return err
	}
	for _, path := range []string{b.dir, filepath.Join(b.dir, "wal"), b.data, filepath.Join(b.data, "run"), filepath.Join(b.data, "data")} {
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		if err := b.give(path); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(filepath.Join(dir, "data", "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString("\n" + b.here(settings))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	b.primary, err = embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: dir, Port: port, Durable: true})
	return err
}

// here is the page's text with this place for its backups.
func (b *backup) here(text string) string { return strings.ReplaceAll(text, "/backup", b.dir) }

// owner is the user of the servers; nil where that is who runs this.
func (b *backup) owner() (*syscall.Credential, error) {
	info, err := os.Stat(filepath.Join(b.primary.Dir(), "data"))
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

func (b *backup) give(path string) error {
	owner, err := b.owner()
	if err != nil || owner == nil {
		return err
	}
	return os.Chown(path, int(owner.Uid), int(owner.Gid))
}

// shell runs commands of the page as the user of the servers.
func (b *backup) shell(ctx context.Context, commands string, more []string) error {
	binaries, err := embedded.FindPostgres(0)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", b.here(commands))
	cmd.Dir = b.dir
	cmd.Env = append([]string{"PATH=" + binaries.Dir + ":" + os.Getenv("PATH"), "DATABASE_URL=" + b.primary.URL(name)}, more...)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if cmd.SysProcAttr.Credential, err = b.owner(); err != nil {
		return err
	}
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", commands, err, said)
	}
	return nil
}

// restore makes another server of the copies, and starts it, which ends at the moment.
func (b *backup) restore(ctx context.Context, commands string, at time.Time) (*embedded.Postgres, error) {
	data := filepath.Join(b.data, "data")
	if err := b.shell(ctx, commands, []string{"PGDATA=" + data, "T=" + at.UTC().Format(moment)}); err != nil {
		return nil, err
	}
	password, err := os.ReadFile(filepath.Join(b.primary.Dir(), "password"))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(b.data, "password"), password, 0o600); err != nil {
		return nil, err
	}
	restored, err := embedded.StartPostgres(ctx, embedded.PostgresOptions{Dir: b.data, Durable: true})
	if err != nil {
		return nil, err
	}
	for limit := time.Now().Add(recovery); time.Now().Before(limit); pause(ctx, 100*time.Millisecond) {
		var recovering bool
		if err = scan(ctx, restored, "SELECT pg_is_in_recovery()", &recovering); err != nil || !recovering {
			return restored, err
		}
	}
	return restored, fmt.Errorf("still restoring after %s", recovery)
}

// rightAfterwards holds what triggers and processes keep beside the rows against the rows, before
// any program has seen the restored database.
func rightAfterwards(ctx context.Context, restored *embedded.Postgres) error {
	for what, sql := range map[string]string{
		"kept total": "SELECT (SELECT sum(total) FROM vehicle_totals)::int - (SELECT count(*) FROM vehicles)::int",
		"aggregates": `SELECT count(*)::int FROM vehicles v, LATERAL (SELECT count(*) AS ratings, coalesce(sum(score_halves), 0) AS halves
FROM ratings r WHERE r.vehicle_id = v.id) r WHERE v.rating_count <> r.ratings OR v.rating_halves <> r.halves`,
		"vehicles that search will never know of": `SELECT count(*)::int FROM vehicles v WHERE is_active AND NOT EXISTS (SELECT FROM vehicle_embeddings e WHERE e.vehicle_id = v.id)
AND NOT EXISTS (SELECT FROM index_outbox o WHERE o.entity = 'vehicle' AND o.entity_id = v.id)`,
		"orders handled and without effect": "SELECT (SELECT count(*) FROM handled_events)::int - (SELECT count(*) FROM order_entitlements)::int",
	} {
		var wrong int
		if err := scan(ctx, restored, sql, &wrong); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if wrong != 0 {
			return fmt.Errorf("right after the restore: %s: %d are wrong", what, wrong)
		}
	}
	return nil
}

// programs runs what the page says is done before the services are started again.
func (b *backup) programs(ctx context.Context, commands string, at time.Time) error {
	libraries := os.Getenv("KAFKA_LIBRARIES")
	if libraries == "" {
		return errors.New("KAFKA_LIBRARIES says where Apache Kafka's tools are")
	}
	tools := filepath.Join(b.stack.dir, "tools")
	if err := os.Mkdir(tools, 0o755); err != nil {
		return err
	}
	tool := fmt.Sprintf("#!/bin/sh\nexec java -cp '%s/*' org.apache.kafka.tools.consumer.group.ConsumerGroupCommand \"$@\"\n", libraries)
	if err := os.WriteFile(filepath.Join(tools, "kafka-consumer-groups.sh"), []byte(tool), 0o755); err != nil {
		return err
	}
	bin, err := filepath.Abs("bin")
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", commands)
	cmd.Env = append(os.Environ(), "PATH="+tools+":"+bin+":"+os.Getenv("PATH"), "DATABASE_URL="+b.env["DATABASE_URL"], "KAFKA_BROKERS="+b.env["KAFKA_BROKERS"], "T="+at.UTC().Format(moment))
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", commands, err, said)
	}
	return nil
}

// program runs one of the programs to its end.
func (s *stack) program(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join("bin", program), args...)
	cmd.Env = os.Environ()
	for key, value := range s.env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	said, err := cmd.CombinedOutput()
	return string(said), err
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
