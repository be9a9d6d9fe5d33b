// Package steady is the load under which things are broken, and the account of it
// afterwards. Writers repeat a request until it is acknowledged, as a good client does,
// with an Idempotency-Key that makes the repetition safe; each looks for what it wrote
// at once, elsewhere.
//
// This file: the load.
package steady

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/sampleevents"
)

// clientLimit is longer than the services' own deadline: a request that takes
// so long hung.
const clientLimit = 30 * time.Second

// Target is what the load goes to. Addresses are host:port.
type Target struct {
	Catalogs []string // each request goes to another one
	Gateway  string   // empty: none
	Broker   string
	Kafka    config.Kafka
	Key      *auth.DevKey // signs the callers' tokens
	// Proxied: a proxy stands before them that closes kept connections when it reads its configuration again.
	Proxied bool
}

// Load is a steady load. Make it with New, then Run it.
type Load struct {
	Admin, Owner, Manager string // tokens
	Type                  string // of all vehicles

	target Target
	client *http.Client
	turn   atomic.Uint64
	group  sync.WaitGroup

	mu       sync.Mutex
	vehicles []string          // acknowledged
	orders   map[string]string // published order id to vehicle
	ratings  int               // acknowledged
	unseen   int               // writes that were acknowledged and not there for their writer
	statuses map[string]map[int]int
	slowest  map[string]time.Duration
	written  []time.Time // when writes were acknowledged
	hung     int
}

// New makes what the load needs in an empty catalogue.
func New(ctx context.Context, target Target) (*Load, error) {
	l := &Load{
		target: target, client: &http.Client{Timeout: clientLimit, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		orders: map[string]string{}, statuses: map[string]map[int]int{}, slowest: map[string]time.Duration{},
	}
	var err error
	for into, claims := range map[*string]auth.DevClaims{
		&l.Admin: {Subject: "admin", Roles: []string{"ADMIN"}}, &l.Owner: {Subject: "owner", Roles: []string{"USER"}},
		&l.Manager: {Subject: "manager", Roles: []string{"MANAGER"}},
	} {
		if *into, err = l.Token(claims); err != nil {
			return nil, err
		}
	}
	groupID, err := l.mustCreate(ctx, "/groups", map[string]any{"name": "Group"})
	if err != nil {
		return nil, err
	}
	categoryID, err := l.mustCreate(ctx, "/groups/"+groupID+"/categories", map[string]any{"name": "Category"})
	if err != nil {
		return nil, err
	}
	l.Type, err = l.mustCreate(ctx, "/types", map[string]any{"title": "Excavator", "categoryIds": []string{categoryID}})
	return l, err
}

// Token signs a caller's token.
func (l *Load) Token(c auth.DevClaims) (string, error) {
	c.TTL = time.Hour
	return l.target.Key.Sign(c)
}

// Vehicles are those whose creation was acknowledged.
func (l *Load) Vehicles() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.vehicles)
}

// Failed counts the answers that are no success, by what was asked, without those that a
// client has to expect: what was rated before its order's event had its effect.
func (l *Load) Failed() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	failed := map[string]int{}
	for kind, statuses := range l.statuses {
		for status, n := range statuses {
			if status/100 != 2 && (kind != "rate" || status/100 != 4) {
				failed[fmt.Sprintf("%s %d", kind, status)] += n
			}
		}
	}
	return failed
}

// Pause is the longest time without an acknowledged write after the given one.
func (l *Load) Pause(after time.Time) (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range l.written {
		if at.After(after) {
			longest, after = max(longest, at.Sub(after)), at
		}
	}
	return longest
}

func (l *Load) mustCreate(ctx context.Context, path string, body any) (string, error) {
	status, raw := l.call(ctx, "setup", "POST", l.catalog()+path, l.Admin, "", body)
	if status != http.StatusCreated {
		return "", fmt.Errorf("%s: %d %s", path, status, raw)
	}
	var out struct{ ID string }
	return out.ID, json.Unmarshal(raw, &out)
}

// catalog is the next one's address.
func (l *Load) catalog() string {
	n := l.turn.Add(1)
	return "http://" + l.target.Catalogs[n%uint64(len(l.target.Catalogs))] + "/api/v1"
}

// call sends a request and keeps its status (0: no answer) and duration.
func (l *Load) call(ctx context.Context, kind, method, url, token, key string, body any) (int, []byte) {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return 0, nil
		}
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, reader)
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Partner-Access-Token", "sandbox-token")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	switch {
	case key != "":
		req.Header.Set("Idempotency-Key", key)
	case kind == "search" && l.target.Proxied:
		// a search may be repeated, though it is a POST: so net/http takes this, which it does not send,
		// where a kept connection was closed before there was an answer
		req.Header["Idempotency-Key"] = []string{}
	}
	begun := time.Now()
	status, raw := 0, []byte(nil)
	if resp, err := l.client.Do(req); err == nil {
		raw, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil {
			status = resp.StatusCode
		}
	}
	took := time.Since(begun)
	if ctx.Err() != nil && status == 0 {
		return 0, nil // the load was stopped, not the service
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.statuses[kind] == nil {
		l.statuses[kind] = map[int]int{}
	}
	l.statuses[kind][status]++
	l.slowest[kind] = max(l.slowest[kind], took)
	if took >= clientLimit {
		l.hung++
	}
	return status, raw
}

// Run starts the load, which goes on until ctx ends; Wait waits for its end.
func (l *Load) Run(ctx context.Context) {
	for range 3 {
		l.group.Go(func() { l.write(ctx) })
	}
	for range 3 {
		l.group.Go(func() { l.read(ctx) })
	}
	l.group.Go(func() { l.rate(ctx) })
	if l.target.Gateway != "" {
		l.group.Go(func() { l.exchange(ctx) })
	}
}

// Wait waits until the load has ended, and with it every write that it had begun.
func (l *Load) Wait() { l.group.Wait() }

func (l *Load) write(ctx context.Context) {
	for ctx.Err() == nil {
		if id := l.untilCreated(ctx, "create", "/vehicles", l.Owner, map[string]any{
			"equipmentTypeId": l.Type, "brandName": "Kubota", "modelName": "U" + uuid.NewString(),
		}); id != "" {
			l.mu.Lock()
			l.vehicles = append(l.vehicles, id)
			l.mu.Unlock()
			l.look(ctx, id)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// look demands that the writer sees what it wrote: no answer and 503 are no answer to
// that, 404 is.
func (l *Load) look(ctx context.Context, id string) {
	if status, _ := l.call(ctx, "look", "GET", l.catalog()+"/vehicles/"+id, l.Owner, "", nil); status == http.StatusNotFound {
		l.mu.Lock()
		l.unseen++
		l.mu.Unlock()
	}
}

// untilCreated repeats a creation with one key until it is acknowledged. When
// the load ends it goes on for a while: the account wants certainty.
func (l *Load) untilCreated(ctx context.Context, kind, path, token string, body any) string {
	key := uuid.NewString()
	deadline := context.WithoutCancel(ctx)
	for range 300 {
		status, raw := l.call(deadline, kind, "POST", l.catalog()+path, token, key, body)
		if status == http.StatusCreated {
			var out struct{ ID string }
			if json.Unmarshal(raw, &out) == nil {
				l.mu.Lock()
				l.written = append(l.written, time.Now())
				l.mu.Unlock()
				return out.ID
			}
		}
		pause(deadline, 200*time.Millisecond)
	}
	return ""
}

func (l *Load) read(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		l.call(ctx, "list", "GET", l.catalog()+"/vehicles?size=20", "", "", nil)
		if n%5 == 0 {
			l.call(ctx, "search", "POST", l.catalog()+"/vehicles/semantic-search", "", "", map[string]any{"query": "excavator", "topK": 5})
		}
		pause(ctx, 10*time.Millisecond)
	}
}

// rate publishes an order for a vehicle and rates it once the event has had its
// effect.
func (l *Load) rate(ctx context.Context) {
	publisher := sampleevents.Publisher{Brokers: []string{l.target.Broker}, TopicFileDeleted: l.target.Kafka.TopicFileDeleted, TopicOrderEvents: l.target.Kafka.TopicOrderEvents}
	for n := 0; ctx.Err() == nil; n++ {
		l.mu.Lock()
		vehicle := ""
		if len(l.vehicles) > 0 {
			vehicle = l.vehicles[n%len(l.vehicles)]
		}
		l.mu.Unlock()
		customer := fmt.Sprintf("customer-%d", n)
		token, err := l.Token(auth.DevClaims{Subject: customer, Roles: []string{"USER"}})
		if vehicle == "" || err != nil {
			pause(ctx, 50*time.Millisecond)
			continue
		}
		orderID := uuid.NewString()
		// the same event at every try: the broker may have kept one whose answer was lost
		event := sampleevents.OrderEvent{EventID: uuid.NewString(), OrderID: orderID, CustomerID: customer, VehicleID: vehicle, At: time.Now()}
		for { // as a producer that must not lose: until the broker has it
			if _, _, err := publisher.Order(context.WithoutCancel(ctx), event); err == nil {
				break
			}
		}
		l.mu.Lock()
		l.orders[orderID] = vehicle
		l.mu.Unlock()
		if l.untilCreated(ctx, "rate", "/vehicles/"+vehicle+"/ratings", token, map[string]any{"score": 4.5, "orderId": orderID}) != "" {
			l.mu.Lock()
			l.ratings++
			l.mu.Unlock()
		}
	}
}

func (l *Load) exchange(ctx context.Context) {
	for ctx.Err() == nil {
		l.call(ctx, "gateway", "GET", "http://"+l.target.Gateway+"/api/v1/exchange/organizations/my", l.Manager, "", nil)
		pause(ctx, 50*time.Millisecond)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
