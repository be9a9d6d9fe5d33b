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

// edited is the brand of the vehicles that were edited.
const edited = "Edited"

// Target is what the load goes to. Addresses are host:port.
type Target struct {
	Catalogs []string // each request goes to another one
	Gateway  string   // empty: none
	Brokers  []string
	Kafka    config.Kafka
	Key      *auth.DevKey // signs the callers' tokens
	// Proxied: a proxy stands before them that closes kept connections when it reads its configuration again.
	Proxied bool
}

// Load is a steady load. Make it with New, then Start it.
type Load struct {
	Admin, Owner, Manager string // tokens
	Type                  string // of all vehicles

	target Target
	client *http.Client
	turn   atomic.Uint64
	group  sync.WaitGroup
	gate   sync.RWMutex // held for reading by a writer while it is at work on one thing

	mu       sync.Mutex
	vehicles []string          // acknowledged
	edited   []string          // of these, those whose edit was acknowledged
	orders   map[string]string // published order id to vehicle
	ratings  int               // acknowledged
	unseen   int               // writes that were acknowledged and not there for their writer
	statuses map[string]map[int]int
	failures map[string]string // why there was no answer, by kind: the last one
	slowest  map[string]time.Duration
	written  []written
	hung     int
}

// written is an acknowledged write; its kind is "create" for a vehicle, "rate" for a rating.
type written struct {
	kind string
	at   time.Time
}

// New makes what the load needs in an empty catalogue.
func New(ctx context.Context, target Target) (*Load, error) {
	l := &Load{
		target: target, client: &http.Client{Timeout: clientLimit, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		orders: map[string]string{}, statuses: map[string]map[int]int{}, failures: map[string]string{}, slowest: map[string]time.Duration{},
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

// Ratings counts those that were acknowledged, each after its order's event had its effect.
func (l *Load) Ratings() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ratings
}

// Failed counts the answers that are no success, by what was asked, without those that a
// client has to expect: what was rated before its order's event had its effect, and what
// was edited while a rating raised its version, or with a tag that an earlier version of the
// catalog does not know.
func (l *Load) Failed() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	failed := map[string]int{}
	for kind, statuses := range l.statuses {
		for status, n := range statuses {
			if status/100 != 2 && (kind != "rate" || status/100 != 4) && (kind != "edit" || status != http.StatusConflict) {
				what := fmt.Sprintf("%s %d", kind, status)
				if status == 0 {
					what = fmt.Sprintf("%s no answer (%s)", kind, l.failures[kind])
				}
				failed[what] += n
			}
		}
	}
	return failed
}

// Pause is the longest time without an acknowledged write after the given one.
func (l *Load) Pause(after time.Time) time.Duration { return l.longest(after, "create", "rate") }

// PauseOfEvents is the longest time after the given one in which no order's event had its effect.
func (l *Load) PauseOfEvents(after time.Time) time.Duration { return l.longest(after, "rate") }

func (l *Load) longest(after time.Time, kinds ...string) (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.written {
		if slices.Contains(kinds, w.kind) && w.at.After(after) {
			longest, after = max(longest, w.at.Sub(after)), w.at
		}
	}
	return longest
}

// Mark is what was acknowledged until a moment.
type Mark struct {
	vehicles, edited []string
	ratings          int
}

// Still calls f while no write is under way, and returns what was acknowledged until then.
func (l *Load) Still(f func() error) (Mark, error) {
	l.gate.Lock()
	defer l.gate.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	return Mark{slices.Clone(l.vehicles), slices.Clone(l.edited), l.ratings}, f()
}

// Back forgets what was acknowledged after the mark, for a database that went back to it. What
// was published is not forgotten: the broker did not go back. Call it after Wait.
func (l *Load) Back(m Mark) { l.vehicles, l.edited, l.ratings = m.vehicles, m.edited, m.ratings }

func (l *Load) mustCreate(ctx context.Context, path string, body any) (string, error) {
	status, raw, _ := l.call(ctx, request{kind: "setup", method: "POST", url: l.catalog() + path, token: l.Admin, body: body})
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

// request is what is sent; what is empty is not.
type request struct {
	kind, method, url string
	token, key, match string // the caller's, the Idempotency-Key, the If-Match
	body              any
}

// call sends a request and keeps its status (0: no answer) and duration. It returns the entity
// tag too.
func (l *Load) call(ctx context.Context, r request) (status int, raw []byte, tag string) {
	var reader io.Reader
	if r.body != nil {
		raw, err := json.Marshal(r.body)
		if err != nil {
			return 0, nil, ""
		}
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, reader)
	if err != nil {
		return 0, nil, ""
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Partner-Access-Token", "sandbox-token")
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	if r.match != "" {
		req.Header.Set("If-Match", r.match)
	}
	switch {
	case r.key != "":
		req.Header.Set("Idempotency-Key", r.key)
	case (r.kind == "search" || r.kind == "edit") && l.target.Proxied:
		// a search may be repeated, though it is a POST, and so may an edit that names the version it is
		// for: so net/http takes this, which it does not send, where a kept connection was closed before
		// there was an answer
		req.Header["Idempotency-Key"] = []string{}
	}
	begun := time.Now()
	resp, err := l.client.Do(req)
	if err == nil {
		raw, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil {
			status, tag = resp.StatusCode, resp.Header.Get("ETag")
		}
	}
	took := time.Since(begun)
	if ctx.Err() != nil && status == 0 {
		return 0, nil, "" // the load was stopped, not the service
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.statuses[r.kind] == nil {
		l.statuses[r.kind] = map[int]int{}
	}
	l.statuses[r.kind][status]++
	if status == 0 {
		l.failures[r.kind] = fmt.Sprintf("%s, at %s after %s", err, time.Now().Format("15:04:05.000"), took.Round(time.Millisecond))
	}
	l.slowest[r.kind] = max(l.slowest[r.kind], took)
	if took >= clientLimit {
		l.hung++
	}
	return status, raw, tag
}

// Start starts the load, which goes on until stop is called or ctx ends; Wait waits for its end.
func (l *Load) Start(ctx context.Context) (stop context.CancelFunc) {
	ctx, stop = context.WithCancel(ctx)
	for range 3 {
		l.group.Go(func() { l.write(ctx) })
	}
	for range 3 {
		l.group.Go(func() { l.read(ctx) })
	}
	l.group.Go(func() { l.rate(ctx) })
	l.group.Go(func() { l.edit(ctx) })
	if l.target.Gateway != "" {
		l.group.Go(func() { l.exchange(ctx) })
	}
	return stop
}

// Wait waits until the load has ended, and with it every write that it had begun.
func (l *Load) Wait() { l.group.Wait() }

func (l *Load) write(ctx context.Context) {
	for ctx.Err() == nil {
		l.gate.RLock()
		if id := l.untilCreated(ctx, "create", "/vehicles", l.Owner, map[string]any{
			"equipmentTypeId": l.Type, "brandName": "Kubota", "modelName": "U" + uuid.NewString(),
		}); id != "" {
			l.mu.Lock()
			l.vehicles = append(l.vehicles, id)
			l.mu.Unlock()
			l.look(ctx, id)
		}
		l.gate.RUnlock()
		Pause(ctx, 20*time.Millisecond)
	}
}

// look demands that the writer sees what it wrote: no answer and 503 are no answer to
// that, 404 is.
func (l *Load) look(ctx context.Context, id string) {
	if status, _, _ := l.call(ctx, request{kind: "look", method: "GET", url: l.catalog() + "/vehicles/" + id, token: l.Owner}); status == http.StatusNotFound {
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
		status, raw, _ := l.call(deadline, request{kind: kind, method: "POST", url: l.catalog() + path, token: token, key: key, body: body})
		if status == http.StatusCreated {
			var out struct{ ID string }
			if json.Unmarshal(raw, &out) == nil {
				l.mu.Lock()
				l.written = append(l.written, written{kind, time.Now()})
				l.mu.Unlock()
				return out.ID
			}
		}
		Pause(deadline, 200*time.Millisecond)
	}
	return ""
}

func (l *Load) read(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		l.call(ctx, request{kind: "list", method: "GET", url: l.catalog() + "/vehicles?size=20"})
		if n%5 == 0 {
			l.call(ctx, request{kind: "search", method: "POST", url: l.catalog() + "/vehicles/semantic-search", body: map[string]any{"query": "excavator", "topK": 5}})
		}
		Pause(ctx, 10*time.Millisecond)
	}
}

// rate publishes an order for a vehicle and rates it once the event has had its
// effect.
func (l *Load) rate(ctx context.Context) {
	publisher := sampleevents.Publisher{Brokers: l.target.Brokers, TopicFileDeleted: l.target.Kafka.TopicFileDeleted, TopicOrderEvents: l.target.Kafka.TopicOrderEvents}
	for n := 0; ctx.Err() == nil; n++ {
		l.rateOne(ctx, publisher, n)
	}
}

func (l *Load) rateOne(ctx context.Context, publisher sampleevents.Publisher, n int) {
	l.gate.RLock()
	defer l.gate.RUnlock()
	l.mu.Lock()
	vehicle := ""
	if len(l.vehicles) > 0 {
		vehicle = l.vehicles[n%len(l.vehicles)]
	}
	l.mu.Unlock()
	customer := fmt.Sprintf("customer-%d", n)
	token, err := l.Token(auth.DevClaims{Subject: customer, Roles: []string{"USER"}})
	if vehicle == "" || err != nil {
		Pause(ctx, 50*time.Millisecond)
		return
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

// edit gives one vehicle after the other another brand, on condition that it is as it was read.
func (l *Load) edit(ctx context.Context) {
	for n := 0; ctx.Err() == nil; Pause(ctx, 50*time.Millisecond) {
		vehicles := l.Vehicles()
		if n == len(vehicles) {
			continue
		}
		l.gate.RLock()
		if l.untilEdited(ctx, vehicles[n]) {
			l.mu.Lock()
			l.edited = append(l.edited, vehicles[n])
			l.mu.Unlock()
		}
		l.gate.RUnlock()
		n++
	}
}

// untilEdited repeats an edit until it is acknowledged, or seen where its answer was lost; as
// untilCreated when the load ends. A vehicle that is gone is none.
func (l *Load) untilEdited(ctx context.Context, id string) bool {
	ctx = context.WithoutCancel(ctx)
	for range 300 {
		url := l.catalog() + "/vehicles/" + id
		status, raw, tag := l.call(ctx, request{kind: "look", method: "GET", url: url, token: l.Owner})
		var is struct{ BrandName string }
		switch {
		case status == http.StatusNotFound:
			return false
		case status == http.StatusOK && json.Unmarshal(raw, &is) == nil:
			if is.BrandName == edited {
				return true
			}
			if status, _, _ := l.call(ctx, request{kind: "edit", method: "PATCH", url: l.catalog() + "/vehicles/" + id, token: l.Owner, match: tag, body: map[string]any{"brandName": edited}}); status == http.StatusOK {
				return true
			}
		}
		Pause(ctx, 200*time.Millisecond)
	}
	return false
}

func (l *Load) exchange(ctx context.Context) {
	for ctx.Err() == nil {
		l.call(ctx, request{kind: "gateway", method: "GET", url: "http://" + l.target.Gateway + "/api/v1/exchange/organizations/my", token: l.Manager})
		Pause(ctx, 50*time.Millisecond)
	}
}
