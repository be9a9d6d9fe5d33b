package catalog

// This file: pages and orders (contract 1.10, contract 1.11). Orders come from a closed table
// of columns for each list, never from the text of a request.

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"equipment-platform/internal/edge"
)

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// sortable is a column that a list can be ordered by.
type sortable struct {
	column   string
	nullable bool
}

var auditOrders = map[string]sortable{
	"createdAt": {column: "created_at"},
	"updatedAt": {column: "updated_at"},
	"createdBy": {column: "created_by"},
	"updatedBy": {column: "updated_by"},
}

// orders adds the audit fields to a list's own fields.
func orders(own map[string]sortable) map[string]sortable {
	all := map[string]sortable{}
	for name, column := range auditOrders {
		all[name] = column
	}
	for name, column := range own {
		all[name] = column
	}
	return all
}

// orderBy turns `sort` into an ORDER BY list over the table alias. The id
// makes every order total; it runs in the direction of the last field, so that
// one index serves both directions.
func orderBy(alias string, sort *[]string, columns map[string]sortable) (string, error) {
	fields := value(sort)
	if len(fields) == 0 {
		fields = []string{"createdAt,desc"}
	}
	var b strings.Builder
	seen := map[string]bool{}
	direction := ""
	for _, f := range fields {
		name, dir, _ := strings.Cut(f, ",")
		c, ok := columns[name]
		if !ok {
			return "", edge.InvalidField("sort", fmt.Sprintf("%q is not a sort field of this list", name))
		}
		if seen[c.column] {
			return "", edge.InvalidField("sort", fmt.Sprintf("%q is there twice", name))
		}
		seen[c.column] = true
		direction = "ASC"
		if strings.EqualFold(dir, "desc") {
			direction = "DESC"
		}
		fmt.Fprintf(&b, "%s.%s %s", alias, c.column, direction)
		if c.nullable {
			b.WriteString(" NULLS LAST")
		}
		b.WriteString(", ")
	}
	fmt.Fprintf(&b, "%s.id %s", alias, direction)
	return b.String(), nil
}

// where collects conditions with their arguments.
type where struct {
	conditions []string
	listed     string // finds the vehicles with certain parameter values, with listedColumns; see vehicles
	args       []any
}

// used is the number of conditions.
func (w *where) used() int {
	if w.listed != "" {
		return len(w.conditions) + 1
	}
	return len(w.conditions)
}

// arg adds an argument and returns its placeholder.
func (w *where) arg(v any) string {
	w.args = append(w.args, v)
	return fmt.Sprintf("$%d", len(w.args))
}

// add adds a condition; each %s stands for the placeholder of an argument.
func (w *where) add(condition string, args ...any) {
	w.conditions = append(w.conditions, w.fill(condition, args...))
}

// fill writes the placeholders of arguments into a piece of SQL.
func (w *where) fill(sql string, args ...any) string {
	placeholders := make([]any, len(args))
	for i, a := range args {
		placeholders[i] = w.arg(a)
	}
	return fmt.Sprintf(sql, placeholders...)
}

func (w *where) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return "WHERE " + strings.Join(w.conditions, " AND ")
}

// likePattern makes a substring pattern in which % and _ are literal (contract 2.11).
func likePattern(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s) + "%"
}

// contains adds a substring filter on a column, ignoring letter case (contract 2.11); an
// empty or absent text filters nothing.
func (w *where) contains(column string, text *string) {
	if value(text) != "" {
		// folding leaves %, _ and \ as they are
		w.add("fold("+column+") LIKE fold(%s::text)", likePattern(*text))
	}
}

// window is a page of a list: rows behind offset, at most limit.
type window struct {
	page, size int32
}

// windowOf reads page and size; the edge has filled in the spec's defaults.
func windowOf(page, size *int32) window {
	return window{page: or(page, 1), size: or(size, 50)}
}

func (w window) offset() int64 { return (int64(w.page) - 1) * int64(w.size) }

// list is one query of a page.
type list struct {
	from    string // table with alias, and joins
	columns string // what scan takes
	where   where
	order   string
	rare    bool // not kept prepared
	window  window
}

// fetch reads a page and the total of all rows in one statement, hence from
// one snapshot (contract 1.11). The first column that scan takes must not be null.
func fetch[T any](ctx context.Context, db querier, l list, scan func(*T) []any) (items []T, total int64, err error) {
	limit, offset := l.where.arg(l.window.size), l.where.arg(l.window.offset())
	sql := fmt.Sprintf(`SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM %[1]s %[2]s) counted
LEFT JOIN (SELECT row_number() OVER () AS n, ordered.* FROM (SELECT %[3]s FROM %[1]s %[2]s ORDER BY %[4]s LIMIT %[5]s OFFSET %[6]s) ordered) page ON true
ORDER BY page.n`, l.from, l.where.String(), l.columns, l.order, limit, offset)
	rows, err := db.Query(ctx, sql, prepared(l.rare, l.where.args)...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	items = []T{}
	for rows.Next() {
		var item T
		var n *int64
		dest := append([]any{&total, &n}, scan(&item)...)
		if rows.RawValues()[1] == nil { // a page past the end: the total alone
			for i := 1; i < len(dest); i++ {
				dest[i] = nil
			}
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, 0, err
		}
		if n != nil {
			items = append(items, item)
		}
	}
	return items, total, rows.Err()
}

// keptConditions is how many conditions, that of visibility among them, a list has at most whose
// statement a connection keeps prepared. A kept one costs memory in the database
// for as long as the connection lives, so callers must not be able to make ever new
// ones: any with more conditions, or with more than one sort field, is prepared for
// one use, which costs a round trip more.
const keptConditions = 3

// rare reports whether a list with these conditions and this order is not kept
// prepared.
func (w *where) rare(sort *[]string) bool {
	return w.used() > keptConditions || len(value(sort)) > 1
}

// prepared is args for a statement that is kept prepared, or not.
func prepared(rare bool, args []any) []any {
	if rare {
		return append([]any{pgx.QueryExecModeDescribeExec}, args...)
	}
	return args
}

// count counts the rows that a list with the same filters has in all.
func count(ctx context.Context, db querier, from string, w where) (n int64, err error) {
	err = db.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM %s %s", from, w.String()), w.args...).Scan(&n)
	return n, err
}
