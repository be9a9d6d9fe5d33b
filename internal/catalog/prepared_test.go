package catalog_test

// This file: how many statements callers can make a connection keep prepared, and
// that lists are read from their indexes, whatever is asked for.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/catalog"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/testdb"
)

// statements sees what is prepared and asked on the connections of a pool.
type statements struct {
	mu    sync.Mutex
	kept  map[string]int // texts that were prepared under a name, how often
	asked []asked
}

type asked struct {
	sql  string
	args []any
}

func (s *statements) TracePrepareStart(ctx context.Context, _ *pgx.Conn, data pgx.TracePrepareStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if data.Name != "" {
		s.kept[data.SQL]++
	}
	return ctx
}

func (s *statements) TracePrepareEnd(context.Context, *pgx.Conn, pgx.TracePrepareEndData) {}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, asked{data.SQL, data.Args})
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (s *statements) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, asked{data.SQL, data.Args})
}

func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// lists returns the texts of lists, counts and facets among those that were kept.
func (s *statements) lists() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for sql := range s.kept {
		if !strings.HasPrefix(sql, "-- name: ") { // those of sql/queries are as many as are written there
			out = append(out, sql)
		}
	}
	return out
}

// traced starts a catalog of one connection whose statements are seen.
func traced(t *testing.T) (*api, *statements) {
	t.Helper()
	s := &statements{kept: map[string]int{}}
	db, err := database.Open(t.Context(), testdb.New(t), 1, t.Name(), s)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	client := serve(t, catalog.Options{DB: db, Embedder: embedding.NewLexical()})
	return &api{Client: client, db: db, admin: client.As(token(t, "admin", "ADMIN")), owner: client.As(token(t, "owner", "USER")), manager: client.As(token(t, "manager", "MANAGER"))}, s
}

// vehicleFilters are the filters of vehicles by name with values for each.
func vehicleFilters(params []string) map[string]func() []string {
	one := func(f func() string) func() []string { return func() []string { return []string{f()} } }
	many := func(f func() string, most int) func() []string {
		return func() (out []string) {
			for range 1 + rand.IntN(most) {
				out = append(out, f())
			}
			return out
		}
	}
	return map[string]func() []string{
		"licensePlate":    one(func() string { return fmt.Sprint(rand.IntN(1_000_000)) }),
		"minRatingAvg":    one(func() string { return fmt.Sprintf("%.2f", 0.1+4*rand.Float64()) }),
		"minRatingCount":  one(func() string { return fmt.Sprint(1 + rand.IntN(100)) }),
		"equipmentTypeId": one(uuid.NewString), "categoryId": one(uuid.NewString),
		"brandName":       one(unique),
		"ownerUserId":     one(unique),
		"releaseYearFrom": one(func() string { return fmt.Sprint(1950 + rand.IntN(70)) }),
		"releaseYearTo":   one(func() string { return fmt.Sprint(1950 + rand.IntN(70)) }),
		"searchTagId":     many(uuid.NewString, 50),
		"param":           many(func() string { return params[rand.IntN(len(params))] + ",any" }, 10),
	}
}

func TestKeptStatementsAreBounded(t *testing.T) {
	t.Parallel()
	a, s := traced(t)
	var params []string
	for range 20 {
		params = append(params, a.newParam(t, nil))
	}
	filters := vehicleFilters(params)
	names := slices.Sorted(mapKeys(filters))
	fields := []string{"createdAt", "updatedAt", "createdBy", "updatedBy", "brandName", "modelName", "equipmentTypeId", "ownerUserId", "licensePlate", "releaseYear", "isActive"}
	sorts := func(most int) (out []string) {
		for _, i := range rand.Perm(len(fields))[:rand.IntN(most+1)] {
			out = append(out, fields[i]+[]string{",asc", ",desc"}[rand.IntN(2)])
		}
		return out
	}
	query := func(filter []string, sort []string) string {
		q := url.Values{"page": {strconv.Itoa(1 + rand.IntN(3))}, "size": {strconv.Itoa(1 + rand.IntN(100))}}
		for _, name := range filter {
			q[name] = filters[name]()
		}
		if len(sort) > 0 {
			q["sort"] = sort
		}
		return q.Encode()
	}

	{ // values and their number make no text
		for _, name := range names {
			for _, path := range []string{"/vehicles", "/vehicles/count", "/vehicles/facets"} {
				before := len(s.lists())
				for range 20 {
					q := query([]string{name}, nil)
					if path != "/vehicles" {
						q = url.Values{name: filters[name]()}.Encode()
					}
					a.Do(t, "GET", base+path+"?"+q, nil).Is(200)
				}
				most := 1
				if name == "searchTagId" || name == "param" {
					most = 2 // one of them, and several
				}
				if path == "/vehicles/facets" && name == "param" {
					most = 2
				}
				require.LessOrEqual(t, len(s.lists())-before, most, path+" "+name)
			}
		}
	}
	{ // rare shapes are not kept
		callers := []edgetest.Client{a.Client, a.admin, a.owner, a.manager}
		for range 1200 {
			var filter []string
			for _, i := range rand.Perm(len(names))[:rand.IntN(len(names)+1)] {
				filter = append(filter, names[i])
			}
			sort := sorts(4)
			before := len(s.lists())
			callers[rand.IntN(len(callers))].Do(t, "GET", base+"/vehicles?"+query(filter, sort), nil).Is(200)
			conditions := len(filter)
			if slices.Contains(filter, "param") && slices.Contains(filter, "searchTagId") {
				conditions-- // what must be in lists is one
			}
			if conditions > 3 || len(sort) > 1 {
				require.Len(t, s.lists(), before, "%v %v", filter, sort)
			}
		}
		for _, path := range []string{"/tags", "/units", "/params", "/types", "/groups", "/categories"} {
			before := len(s.lists())
			a.admin.Do(t, "GET", base+path+"?sort=createdAt&sort=updatedAt,desc&sort=createdBy", nil).Is(200)
			require.Len(t, s.lists(), before, path)
		}
	}
	var kept int
	var bytes int64
	require.NoError(t, a.db.QueryRow(t.Context(), "SELECT count(*), (SELECT sum(total_bytes) FROM pg_backend_memory_contexts) FROM pg_prepared_statements").Scan(&kept, &bytes))
	t.Logf("%d texts of lists were kept, %d are kept now; the connection's backend holds %d KiB", len(s.lists()), kept, bytes>>10)
	require.LessOrEqual(t, kept, 256)
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Every order and every filter is read from its index, whether the statement is kept
// or prepared for one use.
func TestListsAreReadFromTheirIndexes(t *testing.T) {
	t.Parallel()
	a, s := traced(t)
	number, text := a.newParam(t, nil), a.newParam(t, m{"valueType": "STRING"})
	tag, common, owned := a.newTag(t), a.newTag(t), a.newType(t)
	tx, err := a.db.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = tx.Exec(t.Context(), "SET LOCAL session_replication_role = replica") // triggers would take most of the time
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `WITH many AS (
    INSERT INTO vehicles (type_id, license_plate, brand_name, model_name, release_year, owner_user_id, created_at, updated_at, created_by, updated_by, rating_halves, rating_count)
    SELECT t.id, CASE WHEN n % 2 = 0 THEN 'A' || n END, 'Brand ' || n % 500, 'Model ' || n, CASE WHEN n % 50 = 0 THEN 1900 + n / 200 END, 'owner ' || n % 1000,
        now() - n * interval '1 minute', now() - n * interval '1 second', 'maker ' || n % 700, 'maker ' || n % 300, CASE WHEN n % 100 = 0 THEN n / 100 % 10 ELSE 0 END, (n % 100 = 0)::int
    FROM generate_series(1, 20000) n, types t WHERE t.id = $1 RETURNING id, type_id, is_active, created_at
), tagged AS (
    INSERT INTO vehicle_tags SELECT m.id, g.id, g.position FROM (SELECT id, row_number() OVER () AS n FROM many) m, LATERAL (VALUES ($2::uuid, 0, 100), ($5, 1, 20000)) g(id, position, most) WHERE m.n <= g.most
)
INSERT INTO vehicle_params SELECT m.id, p.id, p.position, p.value, param_number(p.value), m.type_id, m.is_active, m.created_at FROM (SELECT *, row_number() OVER () AS n FROM many) m,
LATERAL (VALUES ($3::uuid, 0, m.n::text), ($4::uuid, 1, '"t' || m.n || '"')) p(id, position, value)`, owned, tag, number, text, common)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	other := a.newType(t)
	a.newVehicle(t, a.owner, m{"equipmentTypeId": other})
	_, err = a.db.Exec(t.Context(), "VACUUM ANALYZE")
	require.NoError(t, err)

	planOf := func(t *testing.T, by edgetest.Client, path, part string) (out string) {
		t.Helper()
		from := len(s.asked)
		by.Do(t, "GET", base+path, nil).Is(200)
		at := slices.IndexFunc(s.asked[from:], func(q asked) bool { return strings.Contains(q.sql, part) })
		require.GreaterOrEqual(t, at, 0)
		q := s.asked[from+at]
		rows, err := a.db.Query(t.Context(), "EXPLAIN "+q.sql, q.args...)
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return strings.Join(lines, "\n")
	}
	plan := func(t *testing.T, by edgetest.Client, query string) string {
		t.Helper()
		return planOf(t, by, "/vehicles?size=20&"+query, "vehicle_details")
	}
	for field, index := range map[string]string{
		"createdAt": "vehicles_(created_at|public)_idx", "updatedAt": "vehicles_updated_at_idx", "createdBy": "vehicles_created_by_idx", "updatedBy": "vehicles_updated_by_idx",
		"brandName": "vehicles_brand_idx", "modelName": "vehicles_model_idx", "ownerUserId": "vehicles_owner_idx",
		"licensePlate": "vehicles_plate_asc_idx", "licensePlate,desc": "vehicles_plate_desc_idx", "releaseYear": "vehicles_year_asc_idx", "releaseYear,desc": "vehicles_year_desc_idx",
	} {
		more := "&sort=isActive"
		for _, query := range []string{"sort=" + field, "sort=" + field + more} {
			for _, by := range []edgetest.Client{a.Client, a.admin} {
				got := plan(t, by, query)
				require.Regexp(t, "Index (Only )?Scan (Backward )?using "+index, got, query)
				require.NotContains(t, got, "Seq Scan on vehicles", query)
			}
		}
	}
	for query, index := range map[string]string{
		"equipmentTypeId=" + other: "vehicles_of_type_idx", "brandName=brand+7": "vehicles_brand_(folded|lower)_idx", "ownerUserId=owner+7": "vehicles_own(er)?_idx", "minRatingAvg=4.5": "vehicles_rating_idx",
		"releaseYearTo=1901": "vehicles_year_(asc|desc)_idx", "searchTagId=" + tag: "vehicle_tags_", "param=" + number + ",lte,20": "vehicle_params_listed_idx", "param=" + text + ",eq,t7": "vehicle_params_text_idx",
		"searchTagId=" + tag + "&param=" + number + ",lte,20": "vehicle_params_listed_idx",
	} {
		for _, more := range []string{"", "&sort=modelName&sort=isActive", "&licensePlate=A&brandName=Brand+20&releaseYearTo=2100&releaseYearFrom=1900"} {
			if strings.Contains(query, "brandName") && strings.Contains(more, "brandName") || strings.Contains(query, "releaseYearTo") && strings.Contains(more, "releaseYearTo") {
				continue
			}
			got := plan(t, a.Client, query+more)
			if !strings.Contains(more, "brandName") { // with more filters the planner has a choice
				require.Regexp(t, index, got, query+more)
			}
			require.NotRegexp(t, `Seq Scan on (vehicles|vehicle_tags|vehicle_params)`, got, query+more)
		}
	}
	facets := planOf(t, a.Client, "/vehicles/facets?equipmentTypeId="+other, "'range'")
	require.Contains(t, facets, "Index Only Scan using vehicles_of_type_idx on vehicles")
	require.Contains(t, facets, "Index Only Scan using vehicle_tags_pkey on vehicle_tags")
	require.NotRegexp(t, `Seq Scan on (vehicles|vehicle_tags|vehicle_params)`, facets)
	require.Regexp(t, "vehicles_plate_trgm_idx", plan(t, a.Client, "licensePlate=A1999&sort=modelName&sort=isActive"))
}
