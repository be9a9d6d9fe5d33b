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
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"equipment-platform/bench/seed"
	"equipment-platform/internal/embedded"
	"equipment-platform/verify/handbook"
	"equipment-platform/verify/steady"
)

// moment is how the page's commands want the time that they go back to.
const moment = "2006-01-02T15:04:05.000+00:00" // in UTC

// backupPage is what docs/operations.md has for it.
type backupPage struct{ settings, base, restore, after string }

func readBackupPage() (backupPage, error) {
	found, err := handbook.Blocks(handbook.Page, "Back to a point in time", 4)
	if err != nil {
		return backupPage{}, err
	}
	return backupPage{found[0], found[1], found[2], found[3]}, nil
}

// runBackup does it with an empty catalogue to begin with, or one of so many vehicles, of which it says how long
// everything took and how large it is.
func runBackup(ctx context.Context, dir string, vehicles int) ([]figure, error) {
	page, err := readBackupPage()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "backup")
	if vehicles > 0 {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		if err := seeded(ctx, vehicles, filepath.Join(dir, "primary")); err != nil {
			return nil, err
		}
	}
	s, err := newStack(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	b := &backup{stack: s, dir: filepath.Join(s.dir, "kept"), data: filepath.Join(s.dir, "restored")}
	if err := b.archive(ctx, page.settings); err != nil {
		return nil, err
	}
	before, err := contents(ctx, s.primary.URL(name), ofSeed)
	if err != nil {
		return nil, err
	}
	if err := b.sizes(ctx); err != nil {
		return nil, err
	}
	if err := s.launch(ctx, map[string]string{"DATABASE_URL": s.primary.URL(name)}); err != nil {
		return nil, err
	}
	l, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	stopLoad := l.Start(ctx)
	defer stopLoad()
	steady.Pause(ctx, calm)
	if err := b.timed("base backup", filepath.Join(b.dir, "base"), func() error { return b.shell(ctx, page.base) }); err != nil {
		return nil, err
	}
	steady.Pause(ctx, calm)
	var at time.Time
	mark, err := l.Still(func() error {
		defer steady.Pause(ctx, 10*time.Millisecond) // nothing that is written later has the same millisecond
		return scan(ctx, s.primary, "SELECT clock_timestamp() + interval '1 millisecond'", &at)
	})
	if err != nil {
		return nil, err
	}
	steady.Pause(ctx, calm)
	stopLoad()
	l.Wait()
	if err := s.halt(); err != nil {
		return nil, err
	}
	if err := execute(ctx, s.primary.URL(name), "SELECT pg_switch_wal()"); err != nil {
		return nil, err
	}
	if err := s.primary.Stop(ctx); err != nil {
		return nil, err
	}
	var restored *embedded.Postgres
	if err := b.timed("back to a point in time: the base copied back and the log since applied", filepath.Join(b.dir, "wal"), func() (err error) {
		restored, err = b.restore(ctx, page.restore, at)
		return err
	}); err != nil {
		return nil, err
	}
	defer crash(restored)
	fmt.Printf("  of %s, back to %s\n", l.Sum(), at.UTC().Format(moment))
	l.Back(mark)
	if err := rightAfterwards(ctx, restored); err != nil {
		return nil, err
	}
	after, err := contents(ctx, restored.URL(name), ofSeed)
	if err != nil {
		return nil, err
	}
	if err := before.same(after, ""); err != nil {
		return nil, err
	}
	s.env["DATABASE_URL"] = restored.URL(name)
	if err := b.programs(ctx, page.after, at); err != nil {
		return nil, err
	}
	if err := s.launch(ctx, nil); err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(s.broker.Address()))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if err := s.consumed(ctx, kadm.NewClient(client)); err != nil {
		return nil, err
	}
	if _, err := account(ctx, l, restored.URL(name), nil); err != nil {
		return nil, err
	}
	if err := s.program(ctx, "indexer", "status"); err != nil {
		return nil, err
	}
	fmt.Printf("postgres: back to a point in time: everything of before is there (%s), and the events of after\n", l.Sum())
	if vehicles == 0 {
		return nil, nil
	}
	if err := s.halt(); err != nil {
		return nil, err
	}
	if err := b.logical(ctx, restored); err != nil {
		return nil, err
	}
	return b.figures, nil
}

// backup is where copies are, and the directory of the server that they are restored to.
type backup struct {
	*stack
	dir, data string
	figures   []figure
}

// archive has the primary keep its log.
func (b *backup) archive(ctx context.Context, settings string) error {
	port, dir := b.primary.Port(), b.primary.Dir()
	if err := b.primary.Stop(ctx); err != nil {
		return err
	}
	if err := makeDirs(b.primary, b.dir, filepath.Join(b.dir, "wal"), b.data, filepath.Join(b.data, "run"), filepath.Join(b.data, "data")); err != nil {
		return err
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

// shell runs commands of the page as the user of the servers.
func (b *backup) shell(ctx context.Context, commands string, more ...string) error {
	return shell(ctx, b.primary, b.dir, b.here(commands), append(more, "DATABASE_URL="+b.primary.URL(name))...)
}

// restore makes another server of the copies, and starts it, which ends at the moment.
func (b *backup) restore(ctx context.Context, commands string, at time.Time) (*embedded.Postgres, error) {
	data := filepath.Join(b.data, "data")
	if err := b.shell(ctx, commands, "PGDATA="+data, "T="+at.UTC().Format(moment)); err != nil {
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
	for limit := time.Now().Add(recovery); time.Now().Before(limit); steady.Pause(ctx, 100*time.Millisecond) {
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
FROM ratings r WHERE r.vehicle_id = v.id) r WHERE (v.rating_count <> r.ratings OR v.rating_halves <> r.halves) AND NOT (` + seed.Its + ")",
		"vehicles that search will never know of": `SELECT count(*)::int FROM vehicles v WHERE is_active AND NOT (` + seed.Its + `) AND NOT EXISTS (SELECT FROM vehicle_embeddings e WHERE e.vehicle_id = v.id)
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
