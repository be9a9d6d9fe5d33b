package main

// This file: what callers do all the time: they come whether they are answered or not.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"equipment-platform/internal/auth"
)

const (
	callers      = 8
	callerLimit  = 30 * time.Second // longer than the services' own deadlines
	readEvery    = 50 * time.Millisecond
	writeEvery   = 100 * time.Millisecond
	searchEvery  = 500 * time.Millisecond
	gatewayEvery = 200 * time.Millisecond
)

// traffic makes requests until ctx ends, and waits for what is under way.
func (p *platform) traffic(ctx context.Context) (wait func(), err error) {
	manager, err := p.key.Sign(auth.DevClaims{Subject: "manager", Roles: []string{"MANAGER"}, TTL: 2 * time.Hour})
	if err != nil {
		return nil, err
	}
	owner, err := p.key.Sign(auth.DevClaims{Subject: "owner", Roles: []string{"USER"}, TTL: 2 * time.Hour})
	if err != nil {
		return nil, err
	}
	var clients []*http.Client // each a caller with an address of its own
	for n := range callers {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(10+n))}}
		clients = append(clients, &http.Client{Timeout: callerLimit, Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 64}})
	}
	var group sync.WaitGroup
	every := func(interval time.Duration, ask func(*http.Client)) {
		group.Go(func() {
			ticker := time.NewTicker(interval)
			defer ticker.Stop()
			for n := 0; ; n++ {
				select {
				case <-ctx.Done():
					return
				case <-ticker.C:
					group.Go(func() { ask(clients[n%callers]) })
				}
			}
		})
	}
	catalog, gateway := "http://"+p.addr["catalog"]+"/api/v1", "http://"+p.addr["gateway"]+"/api/v1"
	every(readEvery, func(c *http.Client) { ask(ctx, c, http.MethodGet, catalog+"/vehicles?size=5", "", nil) })
	every(writeEvery, func(c *http.Client) {
		ask(ctx, c, http.MethodPost, catalog+"/vehicles", owner, map[string]any{"equipmentTypeId": p.typeID, "brandName": "Kubota", "modelName": "U27"})
	})
	every(searchEvery, func(c *http.Client) {
		ask(ctx, c, http.MethodPost, catalog+"/vehicles/semantic-search", "", map[string]any{"query": "excavator", "topK": 3})
	})
	every(gatewayEvery, func(c *http.Client) {
		ask(ctx, c, http.MethodGet, gateway+"/exchange/organizations/my", manager, nil)
	})
	return group.Wait, nil
}

// ask makes a request; what the answer is, the metrics say.
func ask(ctx context.Context, c *http.Client, method, url, token string, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	if body == nil {
		raw = nil
	}
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(raw))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("X-Partner-Access-Token", "sandbox-token")
	}
	resp, err := c.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
}
