package attack

// This file: the attacks.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"equipment-platform/internal/sampleevents"
)

// All are the attacks, cheap ones for the attacker first.
func All() []Attack {
	return []Attack{
		{Name: "50 tags and 10 parameters in changing orders", On: "catalog", Run: manyFilters},
		{Name: "facets with 10 parameters", On: "catalog", Run: facets},
		{Name: "pages far from the beginning", On: "catalog", Run: deepPages},
		{Name: "pages of the largest vehicles", On: "catalog", Run: largePages},
		{Name: "pages of the largest vehicles, not read", On: "catalog", Run: unreadPages},
		{Name: "lists whose caller leaves", On: "catalog", Run: leaving},
		{Name: "searches with long texts", On: "catalog", Run: searches},
		{Name: "large bodies that are wrong at their end", On: "catalog", Run: wrongBodies},
		{Name: "probes", On: "catalog", Run: probes},
		{Name: "forged tokens of a known key", On: "catalog", Run: forged},
		{Name: "tokens of unknown keys while the key set hangs", On: "catalog", Run: unknownKeys, Special: true},
		{Name: "tags renamed all the time", On: "catalog", Run: renames, Special: true},
		{Name: "a file and a tag of very many vehicles deleted", On: "catalog", Run: deletions, Special: true},
		{Name: "headers that never end", On: "catalog", Run: slowHeaders},
		{Name: "uploads of a byte now and then", On: "gateway", Run: slowUploads},
		{Name: "answers of an upstream that explode", On: "gateway", Run: explodingAnswers, Special: true},
		{Name: "the largest messages at once", On: "gateway", Run: largeMessages},
	}
}

const api = "/api/v1"

var orders = []string{"createdAt", "updatedAt", "createdBy", "updatedBy", "brandName", "modelName", "equipmentTypeId", "ownerUserId", "licensePlate", "releaseYear", "isActive"}

func changingOrder(q url.Values) {
	for _, field := range some(4, orders) {
		q.Add("sort", field+[]string{",asc", ",desc"}[rand.IntN(2)])
	}
}

func (a *Attacker) paramFilters() (out []string) {
	for _, id := range some(10, a.Params) {
		out = append(out, fmt.Sprintf("%s,gte,%d", id, rand.IntN(10)))
	}
	return out
}

func manyFilters(ctx context.Context, a *Attacker) {
	a.many(ctx, 200, func() int {
		q := url.Values{"searchTagId": some(50, a.Tags), "param": a.paramFilters(), "size": {"100"}}
		changingOrder(q)
		return a.at(ctx, "GET", a.Catalog+api+"/vehicles?"+q.Encode(), "", nil)
	})
}

func facets(ctx context.Context, a *Attacker) {
	a.many(ctx, 200, func() int {
		q := url.Values{"equipmentTypeId": {a.Type}, "param": a.paramFilters(), "releaseYearFrom": {strconv.Itoa(1990 + rand.IntN(10))}}
		return a.at(ctx, "GET", a.Catalog+api+"/vehicles/facets?"+q.Encode(), "", nil)
	})
}

func deepPages(ctx context.Context, a *Attacker) {
	a.many(ctx, 380, func() int {
		q := url.Values{"page": {strconv.Itoa(400 + rand.IntN(400))}, "size": {"50"}, "sort": {"updatedBy", "modelName"}}
		return a.at(ctx, "GET", a.Catalog+api+"/vehicles?"+q.Encode(), "", nil)
	})
}

func (a *Attacker) largePage() string {
	return a.Catalog + api + "/vehicles?size=100&equipmentTypeId=" + a.Large
}

func largePages(ctx context.Context, a *Attacker) {
	a.many(ctx, 64, func() int { return a.at(ctx, "GET", a.largePage(), "", nil) })
}

func unreadPages(ctx context.Context, a *Attacker) {
	path := strings.TrimPrefix(a.largePage(), a.Catalog)
	a.holding(ctx, 200, a.Catalog, func(conn net.Conn) {
		_ = conn.(*net.TCPConn).SetReadBuffer(4096)
		if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path); err != nil {
			return
		}
		status := make([]byte, len("HTTP/1.1 200"))
		if _, err := io.ReadFull(conn, status); err != nil {
			a.count("cut")
			return
		}
		a.count(string(status[9:]))
		wait(ctx, time.Second)
	})
}

func leaving(ctx context.Context, a *Attacker) {
	a.many(ctx, 200, func() int {
		brief, cancel := context.WithTimeout(ctx, time.Duration(5+rand.IntN(30))*time.Millisecond)
		defer cancel()
		q := url.Values{"page": {strconv.Itoa(400 + rand.IntN(400))}, "size": {"50"}}
		changingOrder(q)
		return a.at(brief, "GET", a.Catalog+api+"/vehicles?"+q.Encode(), "", nil)
	})
}

func searches(ctx context.Context, a *Attacker) {
	a.many(ctx, 200, func() int {
		words := make([]string, 0, 200)
		for size := 0; size < 950; {
			word := uuid.NewString()[:3+rand.IntN(6)]
			words, size = append(words, word), size+len(word)+1
		}
		body, _ := json.Marshal(map[string]any{"query": strings.Join(words, " "), "topK": 50})
		return a.at(ctx, "POST", a.Catalog+api+"/vehicles/semantic-search", "", bytes.NewReader(body))
	})
}

func wrongBodies(ctx context.Context, a *Attacker) {
	body := []byte(`{"equipmentTypeId":"` + a.Type + `","brandName":"B","modelName":"M","params":[` + strings.Repeat(`{"paramId":"`+a.Params[0]+`","value":1},`, 15_000) + `{}]} x`)
	a.many(ctx, 64, func() int {
		return a.at(ctx, "POST", a.Catalog+api+"/vehicles", a.User, bytes.NewReader(body))
	})
}

func probes(ctx context.Context, a *Attacker) {
	a.many(ctx, 200, func() int { return a.at(ctx, "GET", a.Catalog+"/readyz", "", nil) })
}

func forged(ctx context.Context, a *Attacker) {
	at := strings.LastIndexByte(a.User, '.')
	a.many(ctx, 200, func() int {
		signature := []byte(a.User[at+1:])
		for range 8 {
			signature[rand.IntN(len(signature)-2)] = "ABCDEFGH"[rand.IntN(8)]
		}
		return a.at(ctx, "GET", a.Catalog+api+"/vehicles/"+pick(a.Vehicles), a.User[:at+1]+string(signature), nil)
	})
}

func unknownKeys(ctx context.Context, a *Attacker) {
	go a.at(ctx, "GET", a.Control+"/keys", "", nil)
	a.many(ctx, 300, func() int {
		return a.at(ctx, "GET", a.Catalog+api+"/vehicles/"+pick(a.Vehicles), a.Unknown, nil)
	})
}

// renames has somebody with many tags at work, and many readers, who all need the
// names.
func renames(ctx context.Context, a *Attacker) {
	go a.many(ctx, 1, func() int {
		wait(ctx, 250*time.Millisecond)
		body := fmt.Sprintf(`{"name":"tag %s"}`, uuid.NewString())
		return a.at(ctx, "PATCH", a.Catalog+api+"/tags/"+pick(a.Tags), a.Admin, strings.NewReader(body))
	})
	a.many(ctx, 20, func() int {
		return a.at(ctx, "GET", a.Catalog+api+"/vehicles/"+pick(a.Vehicles), "", nil)
	})
}

func deletions(ctx context.Context, a *Attacker) {
	a.at(ctx, "DELETE", a.Catalog+api+"/tags/"+a.Tagged, a.Admin, nil)
	publisher := sampleevents.Publisher{Brokers: a.Brokers, TopicFileDeleted: a.Topic}
	if _, err := publisher.File(ctx, sampleevents.FileEvent{EventID: uuid.NewString(), FileID: a.Linked, At: time.Now()}); err != nil && ctx.Err() == nil {
		a.count("cut")
	}
	<-ctx.Done()
}

func slowHeaders(ctx context.Context, a *Attacker) {
	a.holding(ctx, 1500, a.Catalog, func(conn net.Conn) {
		if _, err := io.WriteString(conn, "GET "+api+"/vehicles HTTP/1.1\r\nHost: x\r\n"); err != nil {
			return
		}
		a.count("open")
		for ctx.Err() == nil {
			wait(ctx, time.Second)
			if _, err := io.WriteString(conn, "X-A: b\r\n"); err != nil {
				a.count("cut")
				return
			}
		}
	})
}

func slowUploads(ctx context.Context, a *Attacker) {
	a.holding(ctx, 4150, a.Gateway, func(conn net.Conn) {
		if _, err := fmt.Fprintf(conn, "POST %s/exchange/shelves HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nX-Partner-Access-Token: sandbox-token\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\n.", api, a.Manager); err != nil {
			return
		}
		status := make([]byte, len("HTTP/1.1 429"))
		if _, err := io.ReadFull(conn, status); err == nil {
			a.count(string(status[9:]))
			wait(ctx, 2*time.Second+rand.N(4*time.Second)) // refused: it comes again
		}
	})
}

func explodingAnswers(ctx context.Context, a *Attacker) {
	a.many(ctx, 32, func() int {
		return a.at(ctx, "GET", a.Gateway+api+"/vendor/waybill/waybills", a.Manager, nil, "X-Partner-Apikey", "key")
	})
}

func largeMessages(ctx context.Context, a *Attacker) {
	body := []byte(`{"DocumentAttachments":[` + strings.Repeat(`{"SignedContent":{"Content":"`+strings.Repeat("QUJD", 25_000)+`"},"Comment":"x"},`, 150) + `{}`)
	a.many(ctx, 32, func() int {
		return a.at(ctx, "POST", a.Gateway+api+"/exchange/messages", a.Manager, bytes.NewReader(body))
	})
}
