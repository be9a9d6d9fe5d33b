package main

// This file: the steady load. Writers repeat a request until it is acknowledged,
// as a good client does, with an Idempotency-Key that makes the repetition safe.

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
	"equipment-platform/internal/sampleevents"
	"equipment-platform/verify/hostile/attack"
)

// clientLimit is longer than the services' own deadline: a request that takes
// so long hung.
const clientLimit = 30 * time.Second

type flag = atomic.Bool

type load struct {
	p       *platform
	client  *http.Client
	admin   string
	owner   string
	manager string
	typeID  string

	group sync.WaitGroup

	mu       sync.Mutex
	vehicles []string          // acknowledged
	orders   map[string]string // published order id to vehicle
	ratings  int               // acknowledged
	statuses map[string]map[int]int
	slowest  map[string]time.Duration
	hung     int
}

func newLoad(ctx context.Context, p *platform) (*load, error) {
	l := &load{
		p: p, client: &http.Client{Timeout: clientLimit, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		orders: map[string]string{}, statuses: map[string]map[int]int{}, slowest: map[string]time.Duration{},
	}
	var err error
	for into, claims := range map[*string]auth.DevClaims{
		&l.admin: {Subject: "admin", Roles: []string{"ADMIN"}}, &l.owner: {Subject: "owner", Roles: []string{"USER"}},
		&l.manager: {Subject: "manager", Roles: []string{"MANAGER"}},
	} {
		if *into, err = l.token(claims); err != nil {
			return nil, err
		}
	}
	groupID, err := l.mustCreate(ctx, "/groups", l.admin, map[string]any{"name": "Group"})
	if err != nil {
		return nil, err
	}
	categoryID, err := l.mustCreate(ctx, "/groups/"+groupID+"/categories", l.admin, map[string]any{"name": "Category"})
	if err != nil {
		return nil, err
	}
	l.typeID, err = l.mustCreate(ctx, "/types", l.admin, map[string]any{"title": "Excavator", "categoryIds": []string{categoryID}})
	return l, err
}

func (l *load) token(c auth.DevClaims) (string, error) {
	c.TTL = time.Hour
	return l.p.key.Sign(c)
}

func (l *load) mustCreate(ctx context.Context, path, token string, body any) (string, error) {
	status, raw := l.call(ctx, "setup", "POST", "catalog", "/api/v1"+path, token, "", body)
	if status != http.StatusCreated {
		return "", fmt.Errorf("%s: %d %s", path, status, raw)
	}
	var out struct{ ID string }
	return out.ID, json.Unmarshal(raw, &out)
}

// call sends a request and keeps its status (0: no answer) and duration.
func (l *load) call(ctx context.Context, kind, method, service, path, token, key string, body any) (int, []byte) {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return 0, nil
		}
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+l.p.addr[service]+path, reader)
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Partner-Access-Token", "sandbox-token")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
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

// run starts the load; wait waits for its end.
func (l *load) run(ctx context.Context) {
	for range 3 {
		l.group.Go(func() { l.write(ctx) })
	}
	for range 3 {
		l.group.Go(func() { l.read(ctx) })
	}
	l.group.Go(func() { l.rate(ctx) })
	l.group.Go(func() { l.exchange(ctx) })
}

func (l *load) wait() { l.group.Wait() }

func (l *load) write(ctx context.Context) {
	for ctx.Err() == nil {
		if id := l.untilCreated(ctx, "create", "/vehicles", l.owner, map[string]any{
			"equipmentTypeId": l.typeID, "brandName": "Kubota", "modelName": "U" + uuid.NewString(),
		}); id != "" {
			l.mu.Lock()
			l.vehicles = append(l.vehicles, id)
			l.mu.Unlock()
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// untilCreated repeats a creation with one key until it is acknowledged. When
// the load ends it goes on for a while: the account wants certainty.
func (l *load) untilCreated(ctx context.Context, kind, path, token string, body any) string {
	key := uuid.NewString()
	deadline := context.WithoutCancel(ctx)
	for range 300 {
		status, raw := l.call(deadline, kind, "POST", "catalog", "/api/v1"+path, token, key, body)
		if status == http.StatusCreated {
			var out struct{ ID string }
			if json.Unmarshal(raw, &out) == nil {
				return out.ID
			}
		}
		pause(deadline, 200*time.Millisecond)
	}
	return ""
}

func (l *load) read(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		l.call(ctx, "list", "GET", "catalog", "/api/v1/vehicles?size=20", "", "", nil)
		if n%5 == 0 {
			l.call(ctx, "search", "POST", "catalog", "/api/v1/vehicles/semantic-search", "", "", map[string]any{"query": "excavator", "topK": 5})
		}
		pause(ctx, 10*time.Millisecond)
	}
}

// rate publishes an order for a vehicle and rates it once the event has had its
// effect.
func (l *load) rate(ctx context.Context) {
	publisher := sampleevents.Publisher{Brokers: []string{l.p.broker.Address()}, TopicFileDeleted: l.p.kafka.TopicFileDeleted, TopicOrderEvents: l.p.kafka.TopicOrderEvents}
	for n := 0; ctx.Err() == nil; n++ {
		l.mu.Lock()
		vehicle := ""
		if len(l.vehicles) > 0 {
			vehicle = l.vehicles[n%len(l.vehicles)]
		}
		l.mu.Unlock()
		customer := fmt.Sprintf("customer-%d", n)
		token, err := l.token(auth.DevClaims{Subject: customer, Roles: []string{"USER"}})
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

func (l *load) exchange(ctx context.Context) {
	for ctx.Err() == nil {
		l.call(ctx, "gateway", "GET", "gateway", "/api/v1/exchange/organizations/my", l.manager, "", nil)
		pause(ctx, 50*time.Millisecond)
	}
}

// attacks are what one caller does to the services while the others work, each for a while. What
// was acknowledged stays, and what was refused may be tried again.
func (l *load) attacks() (faults []fault) {
	user, err := l.token(auth.DevClaims{Subject: "attacker", Roles: []string{"USER"}})
	if err != nil {
		panic(err)
	}
	manager, err := l.token(auth.DevClaims{Subject: "attacker", Roles: []string{"MANAGER"}})
	if err != nil {
		panic(err)
	}
	for _, a := range attack.All() {
		if a.Special {
			continue
		}
		faults = append(faults, fault{"attack: " + a.Name, func(ctx context.Context) error {
			l.mu.Lock()
			target := attack.Target{
				Catalog: "http://" + l.p.addr["catalog"], Gateway: "http://" + l.p.addr["gateway"], User: user, Manager: manager, Admin: l.admin,
				Type: l.typeID, Large: l.typeID, Params: []string{uuid.NewString()}, Tags: []string{uuid.NewString()}, Vehicles: slices.Clone(l.vehicles),
			}
			l.mu.Unlock()
			ctx, end := context.WithTimeout(ctx, faultTime)
			defer end()
			a.Run(ctx, attack.New(target))
			return nil
		}})
	}
	return faults
}
