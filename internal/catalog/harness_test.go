package catalog_test

// This file: the server that the tests of this package call, on a database of
// each test's own, and the callers.

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/catalog"
	"equipment-platform/internal/database"
	"equipment-platform/internal/edge"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/internal/embedding"
	"equipment-platform/internal/testdb"
	"equipment-platform/openapi"
)

// contract is shared: it also remembers which statuses each operation gave.
var contract = sync.OnceValue(func() *edgetest.Contract {
	spec, err := openapi.Load(openapi.Catalog)
	if err != nil {
		panic(err)
	}
	c, err := edgetest.NewContract(spec)
	if err != nil {
		panic(err)
	}
	return c
})

// identity signs the tokens of all tests. Its file goes at once: testdb.Main
// ends the process, so nothing that is put off to the end would run.
var identity = sync.OnceValue(func() *auth.DevKey {
	dir, err := os.MkdirTemp("", "catalog-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	key, err := auth.LoadDevKey(filepath.Join(dir, "dev.pem"))
	if err != nil {
		panic(err)
	}
	return key
})

// api is a running catalog with its callers.
type api struct {
	edgetest.Client // anonymous
	db              *pgxpool.Pool

	admin, owner, other, customer, manager edgetest.Client
}

// setup starts a catalog on an empty database. options change the server.
func setup(tb testing.TB, options ...func(*edge.Options)) *api {
	tb.Helper()
	return setupWith(tb, embedding.NewLexical(), options...)
}

func setupWith(tb testing.TB, embedder embedding.Embedder, options ...func(*edge.Options)) *api {
	tb.Helper()
	db, err := database.Open(tb.Context(), testdb.New(tb), 8, tb.Name())
	require.NoError(tb, err)
	tb.Cleanup(db.Close)
	client := serve(tb, catalog.Options{DB: db, Embedder: embedder}, options...)
	return &api{
		Client: client, db: db,
		admin: client.As(token(tb, "admin", "ADMIN")), owner: client.As(token(tb, "owner", "USER")),
		other: client.As(token(tb, "other", "USER")), customer: client.As(token(tb, "customer", "USER")),
		manager: client.As(token(tb, "manager", "MANAGER")),
	}
}

// serve starts a catalog as the program wires it, with a verifier of the tests'
// tokens, and returns its anonymous caller.
func serve(tb testing.TB, c catalog.Options, options ...func(*edge.Options)) edgetest.Client {
	tb.Helper()
	o := edge.Options{
		Verifier: verifier(tb), Log: slog.New(slog.DiscardHandler), Metrics: edge.NewMetrics(),
		CORSDomain: "platform.example", Docs: true, RequestTimeout: 30 * time.Second,
		Ready: map[string]func(context.Context) error{"database": func(ctx context.Context) error { return database.Check(ctx, c.DB) }},
	}
	for _, change := range options {
		change(&o)
	}
	server, _, err := catalog.NewServer(c, o)
	require.NoError(tb, err)
	listener := httptest.NewServer(server.Echo)
	tb.Cleanup(listener.Close)
	return edgetest.Client{Base: listener.URL, Contract: contract()}
}

func verifier(tb testing.TB) *auth.Verifier {
	tb.Helper()
	jwks := filepath.Join(tb.TempDir(), "jwks.json")
	require.NoError(tb, identity().WriteJWKS(jwks))
	keys, err := auth.NewKeySet("file://"+jwks, slog.New(slog.DiscardHandler))
	require.NoError(tb, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	tb.Cleanup(stop)
	go keys.Run(ctx, time.Hour)
	require.Eventually(tb, func() bool { return keys.Ready(tb.Context()) == nil }, 10*time.Second, time.Millisecond)
	v, err := auth.NewVerifier(keys, auth.Settings{RolesClaim: "roles", Algorithms: []string{"RS256"}})
	require.NoError(tb, err)
	return v
}

// token signs a token of a user with roles.
func token(tb testing.TB, sub string, roles ...string) string {
	tb.Helper()
	signed, err := identity().Sign(auth.DevClaims{Subject: sub, Roles: roles, TTL: time.Hour})
	require.NoError(tb, err)
	return signed
}

// m is a JSON object.
type m = map[string]any

const base = "/api/v1"

// newGroup creates a group and returns its id; so do the others below.
func (a *api) newGroup(tb testing.TB) string {
	tb.Helper()
	return a.admin.Do(tb, "POST", base+"/groups", m{"name": "Group " + unique()}).Is(201).ID()
}

func (a *api) newCategory(tb testing.TB, groupID string) string {
	tb.Helper()
	return a.admin.Do(tb, "POST", base+"/groups/"+groupID+"/categories", m{"name": "Category " + unique()}).Is(201).ID()
}

func (a *api) newTag(tb testing.TB) string {
	tb.Helper()
	return a.admin.Do(tb, "POST", base+"/tags", m{"name": "tag " + unique()}).Is(201).ID()
}

func (a *api) newUnit(tb testing.TB) string {
	tb.Helper()
	return a.admin.Do(tb, "POST", base+"/units", m{"code": unique(), "label": "Unit", "unitSystem": "SI"}).Is(201).ID()
}

func (a *api) newParam(tb testing.TB, body m) string {
	tb.Helper()
	full := m{"name": "Param " + unique(), "valueType": "NUMBER"}
	for key, value := range body {
		full[key] = value
	}
	return a.admin.Do(tb, "POST", base+"/params", full).Is(201).ID()
}

// newType creates a type that binds params, in a category of its own.
func (a *api) newType(tb testing.TB, params ...string) string {
	tb.Helper()
	refs := []m{}
	for _, id := range params {
		refs = append(refs, m{"paramId": id})
	}
	body := m{"title": "Type " + unique(), "categoryIds": []string{a.newCategory(tb, a.newGroup(tb))}, "params": refs}
	return a.admin.Do(tb, "POST", base+"/types", body).Is(201).ID()
}

// newVehicle creates a vehicle of the caller and returns its id.
func (a *api) newVehicle(tb testing.TB, by edgetest.Client, body m) string {
	tb.Helper()
	full := m{"brandName": "Brand", "modelName": "Model"}
	for key, value := range body {
		full[key] = value
	}
	if full["equipmentTypeId"] == nil {
		full["equipmentTypeId"] = a.newType(tb)
	}
	return by.Do(tb, "POST", base+"/vehicles", full).Is(201).ID()
}

// entitle writes an order that entitles a customer, as its event would.
func (a *api) entitle(tb testing.TB, customer, vehicleID, status string) (orderID string) {
	tb.Helper()
	orderID = uuid.NewString()
	_, err := a.db.Exec(tb.Context(), `INSERT INTO order_entitlements (order_id, customer_id, vehicle_id, status, event_timestamp)
VALUES ($1, $2, $3, $4, now())`, orderID, customer, vehicleID, status)
	require.NoError(tb, err)
	return orderID
}

func unique() string { return uuid.NewString()[:8] }

func TestMain(tests *testing.M) { testdb.Main(tests) }

func mustJSON(tb testing.TB, v any) string {
	tb.Helper()
	raw, err := json.Marshal(v)
	require.NoError(tb, err)
	return string(raw)
}
