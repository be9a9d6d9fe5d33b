package edge_test

// This file: who a request is counted for: subject or address, behind proxies too
// (contract 7.5).

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
)

func networks(t *testing.T, cidrs ...string) (out []*net.IPNet) {
	t.Helper()
	for _, cidr := range cidrs {
		_, network, err := net.ParseCIDR(cidr)
		require.NoError(t, err)
		out = append(out, network)
	}
	return out
}

func TestAddressBehindProxies(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		proxies   []string
		peer      string
		forwarded []string
		address   string
	}{
		"nobody is trusted":                {nil, "127.0.0.1", []string{"192.0.2.1"}, "127.0.0.1"},
		"the connection is no proxy":       {[]string{"10.0.0.0/8"}, "192.168.1.1", []string{"192.0.2.1"}, "192.168.1.1"},
		"not even loopback without a word": {[]string{"10.0.0.0/8"}, "127.0.0.1", []string{"192.0.2.1"}, "127.0.0.1"},
		"one proxy":                        {[]string{"10.0.0.0/8"}, "10.0.0.1", []string{"192.0.2.1"}, "192.0.2.1"},
		"what the caller wrote":            {[]string{"10.0.0.0/8"}, "10.0.0.1", []string{"198.51.100.7, 192.0.2.1"}, "192.0.2.1"},
		"two proxies":                      {[]string{"10.0.0.0/8"}, "10.0.0.1", []string{"198.51.100.7, 192.0.2.1, 10.9.9.9"}, "192.0.2.1"},
		"in several lines":                 {[]string{"10.0.0.0/8"}, "10.0.0.1", []string{"198.51.100.7", "192.0.2.1", "10.9.9.9"}, "192.0.2.1"},
		"nonsense":                         {[]string{"10.0.0.0/8"}, "10.0.0.1", []string{"192.0.2.1, x"}, "10.0.0.1"},
		"nothing":                          {[]string{"10.0.0.0/8"}, "10.0.0.1", nil, "10.0.0.1"},
		"IPv6":                             {[]string{"10.0.0.0/8", "fd00::/8"}, "fd00::1", []string{"2001:db8::5, 10.0.0.3"}, "2001:db8::5"},
		"IPv4 in IPv6":                     {[]string{"10.0.0.0/8"}, "::ffff:10.0.0.1", []string{"192.0.2.1"}, "192.0.2.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := optionsOf(t)
			o.TrustedProxies = networks(t, x.proxies...)
			s := newServer(t, o, func(c echo.Context) error { return c.String(http.StatusOK, c.RealIP()) })
			r := httptest.NewRequest(http.MethodGet, things, nil)
			r.RemoteAddr = net.JoinHostPort(x.peer, "1234")
			r.Header["X-Forwarded-For"] = x.forwarded
			w := httptest.NewRecorder()
			s.Echo.ServeHTTP(w, r)
			require.Equal(t, x.address, w.Body.String())
		})
	}
}

// Behind a trusted proxy each caller has a bucket, and one IPv6 network is one
// caller.
func TestBucketsBehindAProxy(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.RateLimitRPS, o.RateLimitBurst = 0.001, 2
	o.TrustedProxies = networks(t, "127.0.0.0/8")
	c := start(t, o, nil)
	from := func(address string) http.Header { return http.Header{"X-Forwarded-For": {"203.0.113.9, " + address}} }
	for _, address := range []string{"192.0.2.1", "192.0.2.2", "2001:db8:0:1::1", "2001:db8:0:2::1"} {
		for range 2 {
			get(t, c, "GET", things, from(address)).Is(200)
		}
		get(t, c, "GET", things, from(address)).Fails(429, "rate_limited")
	}
	get(t, c, "GET", things, from("2001:db8:0:1:ffff::77")).Fails(429, "rate_limited")
}

// An address that fails to authenticate again and again is told so before its next
// token is verified. What was verified already goes on, and so does everybody else.
func TestFailedAuthenticationIsLimited(t *testing.T) {
	t.Parallel()
	o := optionsOf(t)
	o.FailuresRPS, o.FailuresBurst = 0.001, 9
	o.TrustedProxies = networks(t, "127.0.0.0/8")
	c := start(t, o, nil)
	from := func(address, token string) http.Header {
		h := http.Header{"X-Forwarded-For": {address}}
		if token != "" {
			h.Set("Authorization", "Bearer "+token)
		}
		return h
	}
	known, weak := token(t, "known"), token(t, "weak")
	forged := known[:strings.LastIndexByte(known, '.')+1] + strings.Repeat("A", 342)
	get(t, c, "GET", things, from("192.0.2.1", known)).Is(200)
	for n := range 20 {
		get(t, c, "GET", things, from("192.0.2.1", known)).Is(200) // success costs nothing
		get(t, c, "GET", things, from("192.0.2.1", token(t, "new"+strconv.Itoa(n)))).Is(200)
	}
	for range 3 {
		get(t, c, "GET", things, from("192.0.2.1", forged)).Fails(401, "unauthorized")
		get(t, c, "POST", things, from("192.0.2.1", "")).Fails(401, "unauthorized")
		get(t, c, "POST", things, from("192.0.2.1", weak)).Fails(403, "forbidden")
	}
	for _, what := range []http.Header{from("192.0.2.1", forged), from("192.0.2.1", token(t, "unseen")), from("192.0.2.1", "x")} {
		a := get(t, c, "GET", things, what).Fails(429, "rate_limited")
		require.Regexp(t, `^[1-9]\d*$`, a.Header.Get("Retry-After"))
	}
	get(t, c, "POST", things, from("192.0.2.1", "")).Fails(429, "rate_limited")
	get(t, c, "POST", things, from("192.0.2.1", weak)).Fails(429, "rate_limited")
	get(t, c, "GET", things, from("192.0.2.1", known)).Is(200)
	get(t, c, "GET", things, from("192.0.2.1", "")).Is(200)
	get(t, c, "GET", things, from("192.0.2.2", token(t, "unseen"))).Is(200)
	get(t, c, "GET", things, from("192.0.2.2", forged)).Fails(401, "unauthorized")
}
