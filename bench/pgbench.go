package main

// This file: the database alone. The statements that the service sends for a
// request are read from the server's own log, with their parameters, and
// replayed by pgbench: what the service adds is then the difference to the same
// SQL, and no copy of its statements has to be kept here.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"equipment-platform/bench/load"
	"equipment-platform/internal/database"
	"equipment-platform/internal/embedded"
)

// samples is how many requests of a workload pgbench replays in turn; it takes
// at most 128 scripts.
const samples = 20

// statement is one that the server logged.
type statement struct {
	session    string
	sql        string
	parameters map[int]*string // nil is NULL
}

// replay is a workload for pgbench: a script for each sampled request.
type replay struct {
	scripts []string // paths
	defines []string // -D name=value
}

// capture sends a sample of the workload to the service and turns what reached
// the server into scripts.
func (b *bench) capture(ctx context.Context, w workload) (r replay, err error) {
	if err := b.logStatements(ctx, true); err != nil {
		return r, err
	}
	defer func() {
		if off := b.logStatements(context.WithoutCancel(ctx), false); err == nil {
			err = off
		}
	}()
	for i := 0; i < len(w.requests) && len(r.scripts) < samples; i += 1 + len(w.requests)/samples {
		before, err := os.Stat(b.postgres.LogPath())
		if err != nil {
			return r, err
		}
		if _, err := b.ask(ctx, b.targets["service"], w, w.requests[i]); err != nil {
			return r, err
		}
		log, err := os.ReadFile(b.postgres.LogPath())
		if err != nil {
			return r, err
		}
		sent := ofOneRequest(parseLog(string(log[before.Size():])))
		if len(sent) == 0 {
			return r, fmt.Errorf("%s: the server logged no statement of %s", w.name, w.requests[i].path)
		}
		script, defines := pgbenchScript(len(r.scripts), sent)
		path := filepath.Join(b.dir, fmt.Sprintf("%s-%d.sql", w.name, len(r.scripts)))
		if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
			return r, err
		}
		r.scripts, r.defines = append(r.scripts, path), append(r.defines, defines...)
	}
	return r, nil
}

// logStatements switches the server's log of statements.
func (b *bench) logStatements(ctx context.Context, on bool) error {
	conn, err := pgx.Connect(ctx, b.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	change := []string{"ALTER SYSTEM RESET log_statement", "ALTER SYSTEM RESET log_parameter_max_length"}
	want := "none"
	if on {
		change = []string{"ALTER SYSTEM SET log_statement = 'all'", "ALTER SYSTEM SET log_parameter_max_length = -1"}
		want = "all"
	}
	for _, sql := range append(change, "SELECT pg_reload_conf()") {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	// sessions take a new setting with their next statement; this one shows when it is there
	for range 100 {
		var now string
		if err := conn.QueryRow(ctx, "SELECT current_setting('log_statement') FROM pg_sleep(0.02)").Scan(&now); err != nil {
			return err
		}
		if now == want {
			return nil
		}
	}
	return fmt.Errorf("log_statement did not become %s", want)
}

var (
	logEntry     = regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] (?:\S+ )?([A-Z]+):  `)
	logStatement = regexp.MustCompile(`(?s)^(?:execute [^:]*|statement): (.*)$`)
	logParameter = regexp.MustCompile(`(?s)\$(\d+) = (NULL|'(?:[^']|'')*')`)
)

// parseLog reads the statements of a log; lines that continue an entry begin
// with a tab.
func parseLog(log string) (list []statement) {
	heads := logEntry.FindAllStringSubmatchIndex(log, -1)
	for i, head := range heads {
		end := len(log)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		session, kind := log[head[2]:head[3]], log[head[4]:head[5]]
		text := strings.ReplaceAll(strings.TrimRight(log[head[1]:end], "\n"), "\n\t", "\n")
		switch m := logStatement.FindStringSubmatch(text); {
		case kind == "LOG" && m != nil:
			list = append(list, statement{session: session, sql: m[1], parameters: map[int]*string{}})
		case kind == "DETAIL" && len(list) > 0 && strings.HasPrefix(text, "parameters: "):
			for _, p := range logParameter.FindAllStringSubmatch(text, -1) {
				n, _ := strconv.Atoi(p[1])
				list[len(list)-1].parameters[n] = nil
				if p[2] != "NULL" {
					value := strings.ReplaceAll(p[2][1:len(p[2])-1], "''", "'")
					list[len(list)-1].parameters[n] = &value
				}
			}
		}
	}
	return list
}

// ofOneRequest keeps the statements of the session that did most: others belong
// to what the service does beside requests.
func ofOneRequest(list []statement) []statement {
	sizes := map[string]int{}
	for _, s := range list {
		sizes[s.session] += len(s.sql)
	}
	most := ""
	for session, size := range sizes {
		if most == "" || size > sizes[most] {
			most = session
		}
	}
	return slices.DeleteFunc(list, func(s statement) bool { return s.session != most })
}

var placeholder = regexp.MustCompile(`\$(\d+)`)

// pgbenchScript sends the statements in one pipeline: as few round trips as can
// be, and without a BEGIN one transaction, as the service's batches are.
func pgbenchScript(n int, list []statement) (script string, defines []string) {
	var s strings.Builder
	s.WriteString("\\startpipeline\n")
	for i, st := range list {
		sql := placeholder.ReplaceAllStringFunc(st.sql, func(mark string) string {
			k, _ := strconv.Atoi(mark[1:])
			if st.parameters[k] == nil {
				return "NULL"
			}
			if *st.parameters[k] == "" { // pgbench takes no empty variable
				return "''"
			}
			return fmt.Sprintf(":r%d_%d_%d", n, i, k)
		})
		for k, value := range st.parameters {
			if value != nil && *value != "" {
				defines = append(defines, fmt.Sprintf("r%d_%d_%d=%s", n, i, k, *value))
			}
		}
		fmt.Fprintf(&s, "%s;\n", strings.TrimSuffix(strings.TrimSpace(sql), ";"))
	}
	s.WriteString("\\endpipeline\n")
	return s.String(), defines
}

var (
	tpsLine    = regexp.MustCompile(`(?m)^tps = ([\d.]+)`)
	failedLine = regexp.MustCompile(`(?m)^number of failed transactions: (\d+)`)
)

// pgbench replays a workload on so many connections, with the settings of the
// service's sessions.
func (b *bench) pgbench(ctx context.Context, r replay, connections, seconds int) (load.Result, error) {
	binaries, err := embedded.FindPostgres(0)
	if err != nil {
		return load.Result{}, err
	}
	pool, err := database.Open(ctx, b.databaseURL, 1, "pgbench")
	if err != nil {
		return load.Result{}, err
	}
	defer pool.Close()
	server := pool.Config().ConnConfig
	var options []string
	for key, value := range server.RuntimeParams {
		options = append(options, "-c "+key+"="+value)
	}
	args := []string{"--no-vacuum", "--protocol=prepared", fmt.Sprint("--client=", connections), fmt.Sprint("--jobs=", min(connections, 2)), fmt.Sprint("--time=", seconds)}
	for _, d := range r.defines {
		args = append(args, "-D", d)
	}
	for _, s := range r.scripts {
		args = append(args, "-f", s)
	}
	cmd := exec.CommandContext(ctx, filepath.Join(binaries.Dir, "pgbench"), args...)
	cmd.Env = append(os.Environ(), "PGOPTIONS="+strings.Join(options, " "), "PGHOST="+server.Host, fmt.Sprint("PGPORT=", server.Port),
		"PGUSER="+server.User, "PGPASSWORD="+server.Password, "PGDATABASE="+server.Database)
	out, err := cmd.CombinedOutput()
	m := tpsLine.FindSubmatch(out)
	if err != nil || m == nil {
		return load.Result{}, fmt.Errorf("pgbench: %w: %.2000s", err, out)
	}
	res := load.Result{}
	if res.Rate, err = strconv.ParseFloat(string(m[1]), 64); err != nil {
		return res, err
	}
	if m := failedLine.FindSubmatch(out); m != nil {
		res.Errors, _ = strconv.Atoi(string(m[1]))
	}
	return res, nil
}
