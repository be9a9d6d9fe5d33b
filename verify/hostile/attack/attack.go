// Package attack is what one caller with ordinary means can do to the services: the
// means are HTTP, one address, one token of each role that it may have, and events that
// the services consume. Each attack goes on until its context ends.
//
// This file: what attacks share.
package attack

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Target is what is attacked, and with which means. It travels as JSON.
type Target struct {
	Catalog, Gateway string // base URLs
	// Control is where the keys hang while a request to Control+"/keys" is open; empty: they
	// cannot.
	Control string
	// User and Manager are tokens of the attacker, of no other role; Admin is somebody whose work the
	// attacker waits for. Unknown has a key that nobody knows.
	User, Manager, Admin, Unknown string

	Type     string   // that binds Params
	Params   []string // NUMBER
	Large    string   // a type whose vehicles are as large as they may be
	Vehicles []string
	Tags     []string
	Linked   string // a file that very many vehicles link
	Tagged   string // a tag of very many vehicles
	Brokers  []string
	Topic    string // of deleted files
}

// Attack is one of them.
type Attack struct {
	Name string
	// On is the service that it is aimed at: catalog or gateway.
	On  string
	Run func(context.Context, *Attacker)
	// Special attacks need what not every target has: keys that hang, an upstream that explodes, a
	// large dictionary, something that very many vehicles share.
	Special bool
}

// Attacker is a caller at work.
type Attacker struct {
	Target
	client *http.Client

	mu     sync.Mutex
	counts map[string]int
}

// Address is where attackers call from: another one than everybody else's, on loopback.
const Address = "127.0.0.66"

// New makes an attacker.
func New(t Target) *Attacker {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(Address)}, Timeout: 5 * time.Second}
	line := rate.NewLimiter(bandwidth, 1<<20)
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		return slowLine{conn, line}, err
	}
	return &Attacker{Target: t, counts: map[string]int{}, client: &http.Client{
		Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 1024, DisableCompression: true},
		Timeout:   time.Minute,
	}}
}

// bandwidth is what the attacker's line takes, in bytes a second: a gigabit. Without it
// large bodies would measure the loopback of one machine.
const bandwidth = 125e6

// slowLine is a connection on the attacker's line.
type slowLine struct {
	net.Conn

	line *rate.Limiter
}

func (c slowLine) Write(p []byte) (sent int, err error) {
	for len(p) > 0 && err == nil {
		part := p[:min(len(p), 64<<10)]
		if err := c.line.WaitN(context.Background(), len(part)); err != nil {
			return sent, err
		}
		var n int
		n, err = c.Conn.Write(part)
		sent += n
		p = p[len(part):]
	}
	return sent, err
}

// Counts is what the attacker was answered, by status; "cut" is none.
func (a *Attacker) Counts() map[string]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := map[string]int{}
	for name, n := range a.counts {
		out[name] = n
	}
	return out
}

func (a *Attacker) count(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[name]++
}

// at calls once, reads the answer to its end, and reports its status, 0 for none.
func (a *Attacker) at(ctx context.Context, method, url, token string, body io.Reader, headers ...string) int {
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		panic(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("X-Partner-Access-Token", "sandbox-token")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := a.client.Do(req)
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	switch {
	case ctx.Err() != nil:
		return 0 // the attack is over
	case err != nil:
		a.count("cut")
		// a dialer that is refused must not spin
		wait(ctx, 20*time.Millisecond)
		return 0
	}
	a.count(strconv.Itoa(resp.StatusCode))
	return resp.StatusCode
}

// many has n callers do the same until ctx ends. Whoever is refused waits for a
// moment, far shorter than Retry-After says: an attacker is not polite, but a
// loop of refusals would measure this program alone.
func (a *Attacker) many(ctx context.Context, n int, once func() int) {
	var callers sync.WaitGroup
	for range n {
		callers.Go(func() {
			for ctx.Err() == nil {
				switch once() {
				case 429, 503, 401, 403:
					wait(ctx, 50*time.Millisecond)
				}
			}
		})
	}
	callers.Wait()
}

// holding has n connections of its own, each kept by hold until ctx ends.
func (a *Attacker) holding(ctx context.Context, n int, base string, hold func(net.Conn)) {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(Address)}, Timeout: 5 * time.Second}
	var held sync.WaitGroup
	for range n {
		held.Go(func() {
			for ctx.Err() == nil {
				conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(base, "http://"))
				if err != nil {
					a.count("cut")
					wait(ctx, 100*time.Millisecond)
					continue
				}
				stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
				hold(conn)
				stop()
				_ = conn.Close()
			}
		})
	}
	held.Wait()
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func pick(of []string) string { return of[rand.IntN(len(of))] }

// some takes n different ones.
func some(n int, of []string) []string {
	out := make([]string, 0, n)
	for _, i := range rand.Perm(len(of))[:min(n, len(of))] {
		out = append(out, of[i])
	}
	return out
}
