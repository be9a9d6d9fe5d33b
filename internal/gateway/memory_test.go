package gateway_test

// This file: JSON answers that are small on the wire and large in memory.

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// repeated is an object with a list of n equal elements.
func repeated(list, element string, n int) string {
	return `{"` + list + `":[` + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + `]}`
}

// TestAnswersAreBounded: in bytes and in values, whatever they are.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"objects":           {api + "/organizations/my", repeated("Organizations", "{}", 1_000_000), 502},
		"objects in memory": {api + "/documents", repeated("Documents", "{}", 200_000), 502}, // few values, but each is large
		"texts":             {api + "/counteragent-groups/g/counteragents", repeated("CounteragentBoxId", `""`, 1_000_000), 502},
		"nulls":             {api + "/organizations/my", repeated("Organizations", "null", 1_000_000), 502},
		"nested":            {api + "/organizations/my", repeated("Organizations", `{"Boxes":[{"Organization":{}}]}`, 250_000), 502},
		"unknown fields":    {api + "/organizations/my", repeated("New", "{}", 1_000_000), 502},
		"passed through":    {"/api/v1/vendor/waybill/waybills", repeated("items", "1", 1_000_000), 502},
		"depth":             {api + "/organizations/my", `{"New":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, 502},
		"cut":               {api + "/organizations/my", strings.TrimSuffix(repeated("Organizations", "{}", 100_000), "}"), 502},
		"more":              {api + "/organizations/my", repeated("Organizations", "{}", 10_000) + "{}", 502},
		"most values":       {"/api/v1/vendor/waybill/waybills", repeated("items", "1", 999_998), 200},
		"bytes":             {api + "/documents/protocol?messageId=m&entityId=e", `{"PrintForm":"` + strings.Repeat("QUJD", 16<<20) + `","Signature":""}`, 502},
		"white space":       {api + "/boxes", `{"BoxId":"b"}` + strings.Repeat(" ", 64<<20), 502},
	} {
		b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, c.body) })
		got := b.call("GET", c.path, "")
		if c.status == 200 {
			require.Equal(t, 200, got.StatusCode, name)
			require.JSONEq(t, c.body, string(got.body))
			continue
		}
		p := got.problem(t, c.status, "upstream_failed")
		if name != "cut" && name != "more" && name != "depth" {
			require.Equal(t, "The upstream's answer is too large to be passed on.", p.Message, name)
		}
	}
}

// TestLargeAnswersAreReadLikeSmallOnes: they are looked at before they are decoded.
func TestLargeAnswersAreReadLikeSmallOnes(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	answer := repeated("Organizations", `{"orgid":"o","New":{"Newer":1},"FullName":"A \\ \u0041","Boxes":[{"BoxId":"b","Newest":[1,{"x":2}]}],"OrganizationType":2}`, 1000)
	b.upstream.answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) })
	got := b.call("GET", api+"/organizations/my", "")
	require.Equal(t, 200, got.StatusCode)
	last := at(exact(t, got.body), "Organizations", 999)
	require.Equal(t, []any{"o", `A \ A`, "b", "Juridical"}, []any{at(last, "OrgId"), at(last, "FullName"), at(last, "Boxes", 0, "BoxId"), at(last, "OrganizationType")})
	require.NotContains(t, string(got.body), "New")
	families, err := b.metrics.Registry.Gather()
	require.NoError(t, err)
	for _, f := range families {
		if f.GetName() == "gateway_unknown_answer_fields_total" {
			require.InDelta(t, 2000, f.GetMetric()[0].GetCounter().GetValue(), 0)
			return
		}
	}
	t.Fatal("nothing was counted")
}

// TestAnswersShareMemory: a process of its own, whose peak is measured, in front of
// an upstream whose answers become a hundred times larger in memory.
func TestAnswersShareMemory(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"/GetMyOrganizations": repeated("Organizations", "{}", 280_000), // some 240 MB by the gateway's count
		"/V3/GetDocuments":    repeated("Documents", "{}", 1_000_000),
		"/GetBox":             `{"BoxId":"b"}`,
	}
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, answers[r.URL.Path]) }))
	t.Cleanup(up.Close)
	c := startChild(t, up.URL, "GOMEMLIMIT=700MiB")
	token, other := tokenFor(t, "tester", "ADMIN"), tokenFor(t, "other", "ADMIN")
	callAs := func(token, path string) *http.Response {
		t.Helper()
		req, err := http.NewRequest("GET", c.url+api+path, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("X-Partner-Access-Token", partnerToken)
		req.Header.Set("Accept-Encoding", "identity")
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		return resp
	}
	call := func(path string) *http.Response { return callAs(token, path) }
	read := func(resp *http.Response) (code any, size int) {
		t.Helper()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		if resp.StatusCode != 200 {
			var p problem
			require.NoError(t, json.Unmarshal(body, &p))
			return fmt.Sprint(resp.StatusCode, " ", p.Code, " ", resp.Header.Get("Retry-After")), len(body)
		}
		return resp.StatusCode, len(body)
	}
	for _, end := range []func(*http.Response){
		func(resp *http.Response) { _, size := read(resp); require.Greater(t, size, 20<<20) },
		func(resp *http.Response) { require.NoError(t, resp.Body.Close()) }, // the caller leaves
	} {
		var first *http.Response
		require.Eventually(t, func() bool { // once what the round before held is given back
			first = call("/organizations/my")
			return first.StatusCode == 200 || first.Body.Close() != nil
		}, testTimeout, time.Millisecond)
		// it is held as long as its caller has not taken it
		code, _ := read(call("/organizations/my"))
		require.Equal(t, "429 rate_limited 1", code, "its caller's quarter is taken")
		code, _ = read(callAs(other, "/organizations/my"))
		require.Equal(t, "503 overloaded 1", code, "all together would hold too much")
		code, _ = read(call("/boxes"))
		require.Equal(t, 200, code, "small ones pass")
		end(first)
	}
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			resp := call("/documents")
			if resp.StatusCode != http.StatusBadGateway || resp.Body.Close() != nil {
				t.Error(resp.Status)
			}
		})
	}
	group.Wait()
	require.Eventually(t, func() bool { code, _ := read(call("/organizations/my")); return code == 200 }, testTimeout, time.Millisecond)
	c.withinMemory(t, c.stop(t), 900*mib) // the container has 1 GiB
}
