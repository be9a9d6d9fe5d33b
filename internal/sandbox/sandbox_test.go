package sandbox

// This file: what the sandbox refuses and the faults that it makes; whole
// stories are told through the gateway, in that package's tests.

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func start(t *testing.T) string {
	t.Helper()
	handler, err := New(slog.New(slog.DiscardHandler)).Handler()
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// ask sends a request and returns status, headers and text.
func ask(t *testing.T, method, target, body string, header ...string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+Token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, resp.Header, string(text)
}

func TestCredentialsAndBoxes(t *testing.T) {
	t.Parallel()
	url := start(t)
	own, other := "?boxId="+BoxID, "?boxId="+CounteragentBoxID
	for _, c := range []struct {
		name, method, path, body string
		want                     int
		header                   []string
	}{
		{"own box", "GET", "/GetBox" + own, "", 200, nil},
		{"own box by its short form", "GET", "/GetBox?boxId=00000000-0000-4000-8000-0000000000b1", "", 200, nil},
		{"another's box", "GET", "/GetBox" + other, "", 403, nil},
		{"unknown box", "GET", "/GetBox?boxId=x", "", 404, nil},
		{"missing box", "GET", "/GetBox", "", 400, nil},
		{"unknown token", "GET", "/GetBox" + own, "", 401, []string{"Authorization", "Bearer x"}},
		{"no bearer", "GET", "/GetBox" + own, "", 401, []string{"Authorization", Token}},
		{"the other side", "GET", "/GetBox" + other, "", 200, []string{"Authorization", "Bearer " + CounteragentToken}},
		{"unknown field", "POST", "/V2/KeyValueStorageGet" + own, `{"X":1}`, 400, nil},
		{"unknown enum", "GET", "/GetContent?typeNamedId=Contract&function=a&version=b&titleIndex=0&contentType=Pdf", "", 400, nil},
		{"unknown operation", "GET", "/V9/Nothing", "", 404, nil},
		{"wrong method", "DELETE", "/GetBox" + own, "", 405, nil},
		{"unknown message", "GET", "/V6/GetMessage" + own + "&messageId=x", "", 404, nil},
		{"no key", "GET", "/transport/uuid", "", 401, nil},
		{"wrong key", "GET", "/waybill/waybills", "", 401, []string{"x-partner-apikey", "x"}},
		{"key", "GET", "/logistics/transportations", "", 200, []string{"x-partner-apikey", APIKey}},
		{"unknown waybill", "GET", "/waybill/waybills/x", "", 404, []string{"x-partner-apikey", APIKey}},
	} {
		status, header, text := ask(t, c.method, url+c.path, c.body, c.header...)
		require.Equal(t, c.want, status, "%s: %s", c.name, text)
		if status >= 400 {
			require.True(t, strings.HasPrefix(header.Get("Content-Type"), "text/plain"), c.name)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	url := start(t) + "/GetBox?boxId=" + BoxID
	status, header, _ := ask(t, "GET", url, "", "X-Sandbox-Fault", "503;2")
	require.Equal(t, 503, status)
	require.Equal(t, "2", header.Get("Retry-After"))
	status, _, _ = ask(t, "GET", url, "", "X-Sandbox-Fault", "404")
	require.Equal(t, 404, status)
	status, _, text := ask(t, "GET", url, "", "X-Sandbox-Fault", "garbage")
	require.Equal(t, 200, status)
	require.Contains(t, text, "garbage")
	begin := time.Now()
	status, _, _ = ask(t, "GET", url, "", "X-Sandbox-Fault", "slow")
	require.Equal(t, 200, status)
	require.GreaterOrEqual(t, time.Since(begin), slowness)
	status, _, _ = ask(t, "GET", url, "", "X-Sandbox-Fault", "unheard of")
	require.Equal(t, 400, status)
	for fault, phase := range map[string]string{"timeout": "answer", "cut": "body"} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		require.NoError(t, err)
		req.Header.Set("X-Sandbox-Fault", fault)
		resp, err := http.DefaultTransport.RoundTrip(req)
		if phase == "body" {
			require.NoError(t, err)
			_, err = io.ReadAll(resp.Body)
			require.NoError(t, resp.Body.Close())
		}
		require.Error(t, err, fault)
		cancel()
	}
}

func TestIdentityHostRefuses(t *testing.T) {
	t.Parallel()
	base := start(t) + "/identity"
	status, _, text := ask(t, "GET", base+"/.well-known/openid-configuration", "")
	require.Equal(t, 200, status)
	require.Contains(t, text, base+"/connect/token")
	status, _, _ = ask(t, "GET", base+"/connect/authorize?client_id="+ClientID+"&redirect_uri=https%3A%2F%2Fevil.example&response_type=code", "")
	require.Equal(t, 400, status, "no redirect to an address that is not registered")
	authorize := url.Values{"client_id": {ClientID}, "redirect_uri": {RedirectURI}, "response_type": {"code"}, "scope": {"openid offline_access"}, "state": {"s"}, "nonce": {"n"}}
	code := func() string {
		status, header, _ := ask(t, "GET", base+"/connect/authorize?"+authorize.Encode(), "")
		require.Equal(t, 302, status)
		back, err := url.Parse(header.Get("Location"))
		require.NoError(t, err)
		require.Equal(t, "s", back.Query().Get("state"))
		return back.Query().Get("code")
	}
	redeem := func(change map[string]string) (int, string) {
		form := url.Values{"grant_type": {"authorization_code"}, "code": {code()}, "client_id": {ClientID}, "client_secret": {ClientSecret}, "redirect_uri": {RedirectURI}}
		for name, v := range change {
			form.Set(name, v)
		}
		status, _, text := ask(t, "POST", base+"/connect/token", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
		return status, text
	}
	status, text = redeem(nil)
	require.Equal(t, 200, status, text)
	require.Contains(t, text, "id_token")
	for name, change := range map[string]map[string]string{
		"invalid_client":         {"client_secret": "wrong"},
		"invalid_grant":          {"code": "unknown"},
		"unsupported_grant_type": {"grant_type": "password"},
	} {
		status, text = redeem(change)
		require.Equal(t, 400, status)
		require.Contains(t, text, name)
	}
	status, text = redeem(map[string]string{"redirect_uri": "https://evil.example"})
	require.Equal(t, 400, status)
	require.Contains(t, text, "invalid_grant")
}
