package catalog_test

// This file: the table of all operations against its reviewed copy in
// testdata, and what holds for each of them: it succeeds, refuses callers
// without a token or role (contract 5.6), and is in the samples.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	published "equipment-platform/internal/contract"
	"equipment-platform/internal/edge/edgetest"
	"equipment-platform/openapi"
)

var update = flag.Bool("update", false, "write testdata anew")

// operation is a row of testdata/operations.tsv.
type operation struct {
	id, method, path, roles, statuses string
}

func goldenOperations(tb testing.TB) (out []operation) {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "operations.tsv"))
	require.NoError(tb, err)
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n")[1:] {
		f := strings.Split(line, "\t")
		require.Len(tb, f, 5, line)
		out = append(out, operation{f[0], f[1], f[2], f[3], f[4]})
	}
	return out
}

func TestOperationsAreTheReviewedOnes(t *testing.T) {
	t.Parallel()
	spec, err := openapi.Load(openapi.Catalog)
	require.NoError(t, err)
	list, err := published.Operations(spec)
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("operation\tmethod\tpath\troles\tstatuses\n")
	for _, op := range list {
		item := spec.Paths.Value(op.Path).GetOperation(op.Method)
		roles, _ := item.Extensions["x-roles"].(string)
		if roles == "" {
			roles = "anonymous"
		}
		require.Equal(t, roles != "anonymous", op.Protected, op.ID)
		var statuses []string
		for status := range item.Responses.Map() {
			statuses = append(statuses, status)
		}
		slices.Sort(statuses)
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", op.ID, op.Method, op.Path, roles, strings.Join(statuses, " "))
	}
	path := filepath.Join("testdata", "operations.tsv")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	}
	golden, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(golden), b.String(), "review the change, then: go test ./internal/catalog -run Operations -update")
}

// contract 9.1: every operation can answer 400, 409 and 500, protected ones 401 and
// 403; with a body 413 and 415; anonymous ones 401 for a bad token (contract 5.3).
func TestOperationsHaveTheStatusesOfTheContract(t *testing.T) {
	t.Parallel()
	for _, op := range goldenOperations(t) {
		want := []string{"400", "401", "409", "500"}
		if op.roles != "anonymous" {
			want = append(want, "403")
		}
		if op.method == "POST" || op.method == "PUT" || op.method == "PATCH" {
			want = append(want, "413", "415")
		}
		require.Subset(t, strings.Fields(op.statuses), want, op.id)
	}
}

func TestEveryOperationSucceeds(t *testing.T) {
	t.Parallel()
	samples := newFixture(t, setup(t)).samples(t)
	var sampled, all []string
	for _, s := range samples {
		a := s.by.Do(t, s.method, s.path, s.body).Is(s.status)
		if s.status == 204 {
			require.Empty(t, a.Body)
		}
		require.Positive(t, contract().Seen(s.operation, s.status), "the sample is of another operation")
		sampled = append(sampled, s.operation)
	}
	for _, op := range goldenOperations(t) {
		all = append(all, op.id)
	}
	require.ElementsMatch(t, all, sampled, "every operation has a sample")
}

// roleGroups is the table of contract 5.6.
var roleGroups = map[string][]string{
	"CATALOG_WRITE": {"ADMIN", "SUPERADMIN"},
	"VEHICLE_WRITE": {"USER", "EXECUTOR", "MANAGER", "SUPERVISOR", "ADMIN", "SUPERADMIN"},
	"RATING_WRITE":  {"USER"},
	"AUTHENTICATED": allRoles,
	"anonymous":     allRoles,
}

var allRoles = []string{"USER", "EXECUTOR", "MANAGER", "SUPERVISOR", "OPERATOR", "INTEGRATION", "SERVICE", "ADMIN", "SUPERADMIN", "", "STRANGER"}

func TestRolesOfEveryOperation(t *testing.T) {
	t.Parallel()
	f := newFixture(t, setup(t))
	groupOf := map[string]string{}
	for _, op := range goldenOperations(t) {
		groupOf[op.id] = op.roles
	}
	samples := f.samples(t)
	for _, s := range samples {
		group := groupOf[s.operation]
		allowed, known := roleGroups[group]
		require.True(t, known, group)
		if group != "anonymous" {
			f.Do(t, s.method, s.path, s.body).Fails(401, "unauthorized")
		}
		f.As("nonsense").Do(t, s.method, s.path, s.body).Fails(401, "unauthorized")
		for _, role := range allRoles {
			// a caller who owns nothing: what is allowed may still be a 404
			a := f.As(token(t, "nobody", role)).Do(t, s.method, s.path, s.body)
			if slices.Contains(allowed, role) {
				require.NotContains(t, []int{401, 403}, a.Status, "%s as %q: %s", s.operation, role, a)
			} else {
				a.Fails(403, "forbidden")
			}
		}
	}
}

func TestRoleSpellings(t *testing.T) {
	t.Parallel()
	a := setup(t)
	vehicle := a.newVehicle(t, a.owner, nil)
	for _, c := range []struct {
		roles  []string
		group  int // of creating a group
		rating int // of rating: 422 is an order that nobody knows
	}{
		{[]string{"ROLE_ADMIN"}, 201, 403},
		{[]string{"ROLE_SUPERADMIN"}, 201, 403},
		{[]string{"admin"}, 403, 403},
		{[]string{"Admin"}, 403, 403},
		{[]string{"role_ADMIN"}, 403, 403},
		{[]string{"ROLE_ROLE_ADMIN"}, 403, 403},
		{[]string{"ADMIN "}, 403, 403},
		{[]string{"USER"}, 403, 422},
		{[]string{"ROLE_USER"}, 403, 422},
		{[]string{"user"}, 403, 403},
		{[]string{"USER", "EXECUTOR"}, 403, 403},
		{[]string{"EXECUTOR", "USER"}, 403, 403},
		{[]string{"USER", "ROLE_EXECUTOR"}, 403, 403},
		{[]string{"USER", "executor"}, 403, 422},
		{[]string{"USER", "ADMIN"}, 201, 422},
		{[]string{"ADMIN"}, 201, 403},
		{[]string{"SUPERADMIN"}, 201, 403},
		{[]string{"MANAGER"}, 403, 403},
		{nil, 403, 403},
	} {
		caller := a.As(token(t, "somebody", c.roles...))
		require.Equal(t, c.group, caller.Do(t, "POST", base+"/groups", m{"name": "Group"}).Status, "%q", c.roles)
		body := m{"score": 5, "orderId": "a507d6fc-24e8-43a8-85c8-c303b3a6d40b"}
		require.Equal(t, c.rating, caller.Do(t, "POST", base+"/vehicles/"+vehicle+"/ratings", body).Status, "%q", c.roles)
	}
}

// contract 5.4: 401 before 403 before 400 (and 413, 415) before 404.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	a := setup(t)
	path := base + "/groups/0b6f3c52-8a4e-4f0e-8b8e-2f6f1f0c9a01"
	bad := []byte(`{"name":`)
	large := append([]byte(`{"name":"`), make([]byte, 2<<20)...)
	text := edgetest.Header{Name: "Content-Type", Value: "text/plain"}
	a.Do(t, "PUT", path, bad).Fails(401, "unauthorized")
	a.Do(t, "PUT", path, bad, text).Fails(401, "unauthorized")
	a.owner.Do(t, "PUT", path, bad).Fails(403, "forbidden")
	a.owner.Do(t, "PUT", path, bad, text).Fails(403, "forbidden")
	a.owner.Do(t, "PUT", base+"/groups/no-uuid", bad).Fails(403, "forbidden")
	require.Contains(t, []int{401, 0}, doLarge(t, a.Client, path, large))
	require.Contains(t, []int{403, 0}, doLarge(t, a.owner, path, large))
	a.admin.Do(t, "PUT", path, bad).Fails(400, "validation_failed", "body")
	a.admin.Do(t, "PUT", base+"/groups/no-uuid", m{"name": "x"}).Fails(400, "validation_failed", "id")
	a.admin.Do(t, "PUT", path, m{}).Fails(400, "validation_failed", "name")
	a.admin.Do(t, "PUT", path, m{"name": "x"}).Fails(404, "not_found")
	a.admin.Do(t, "PUT", path, m{"name": "x"}, edgetest.IfMatch(`"7"`)).Fails(404, "not_found")
}
