package auth

// This file: where the public keys come from (contract 5.1, contract 9.15).

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jwk"
)

const (
	fetchTimeout      = 10 * time.Second
	maxJWKSBytes      = 1 << 20
	unknownKidHoldoff = 10 * time.Second
	// patience is what a request with an unknown key waits for a fetch: an identity
	// service that hangs must not hang its callers.
	patience = 2 * time.Second
)

// KeySet keeps a JWKS fresh: it is fetched at start, every refresh interval,
// and when a token names an unknown key, but for that reason at most once in
// 10 seconds. A failed refresh keeps the keys that are there. One fetch runs at a
// time; whoever wants one meanwhile waits for it, each with a patience of its own.
type KeySet struct {
	location string
	client   *http.Client
	log      *slog.Logger

	keys     atomic.Pointer[jwk.Set]
	fetched  atomic.Int64 // Unix time in ns of the last success, of the start before it
	failures atomic.Uint64

	mu          sync.Mutex
	running     *fetch // nil: none
	lastAttempt time.Time
	raw         []byte // what the keys were read from
}

// fetch is one that runs or has ended.
type fetch struct {
	ended chan struct{}
	err   error // after ended
}

// NewKeySet prepares the key set at an http(s) or file URL. It does not fetch:
// see Run.
func NewKeySet(location string, log *slog.Logger) (*KeySet, error) {
	u, err := url.Parse(location)
	isFile, isHTTP := err == nil && u.Scheme == "file", err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if !isFile && !isHTTP {
		return nil, fmt.Errorf("%q is not an http, https or file URL", location)
	}
	k := &KeySet{location: location, client: &http.Client{Timeout: fetchTimeout}, log: log}
	k.fetched.Store(time.Now().UnixNano())
	return k, nil
}

// Run fetches the keys now and then every interval until ctx ends. An identity
// service that is down at start does not stop the service: tokens are refused
// until it answers.
func (k *KeySet) Run(ctx context.Context, interval time.Duration) {
	for {
		wait := interval
		if err := k.refresh(ctx); err != nil {
			wait = min(interval, unknownKidHoldoff)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// Ready is a check of readiness: it fails until keys have been loaded once.
func (k *KeySet) Ready(context.Context) error {
	if k.keys.Load() == nil {
		return errors.New("no keys have been loaded yet")
	}
	return nil
}

func (k *KeySet) current() jwk.Set {
	if s := k.keys.Load(); s != nil {
		return *s
	}
	return jwk.NewSet()
}

// afterUnknownKid refreshes because a token named a key that is not there and
// returns the keys then known, after patience at the latest. Callers that come
// within the hold-off get the keys as they are, so that made-up key ids cannot flood
// the identity service.
func (k *KeySet) afterUnknownKid(ctx context.Context) jwk.Set {
	k.mu.Lock()
	f := k.running
	if f == nil && time.Since(k.lastAttempt) >= unknownKidHoldoff {
		k.lastAttempt = time.Now()
		f = k.begin(ctx)
	}
	k.mu.Unlock()
	if f != nil {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		_ = f.wait(ctx) // the keys that are there then
	}
	return k.current()
}

// refresh fetches, or waits for the fetch that runs.
func (k *KeySet) refresh(ctx context.Context) error {
	k.mu.Lock()
	f := k.running
	if f == nil {
		f = k.begin(ctx)
	}
	k.mu.Unlock()
	return f.wait(ctx)
}

// wait returns when the fetch or the patience of ctx has ended.
func (f *fetch) wait(ctx context.Context) error {
	select {
	case <-f.ended:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin starts a fetch, which goes on when the caller that wanted it has left: the
// others want it too. It needs the lock.
func (k *KeySet) begin(ctx context.Context) *fetch {
	f := &fetch{ended: make(chan struct{})}
	k.running = f
	ctx = context.WithoutCancel(ctx)
	go func() {
		raw, err := k.read(ctx)
		k.mu.Lock()
		defer k.mu.Unlock()
		if err == nil {
			err = k.store(raw)
		}
		if f.err = err; err != nil {
			k.failures.Add(1)
			k.log.WarnContext(ctx, "JWKS refresh failed", "error", err)
		}
		k.running = nil
		close(f.ended)
	}()
	return f
}

// store takes a fetched set. The same set stays the same, so that tokens which were
// verified with it need not be verified again. It needs the lock.
func (k *KeySet) store(raw []byte) error {
	if k.raw == nil || !bytes.Equal(raw, k.raw) {
		set, err := parseSet(raw)
		if err != nil {
			return err
		}
		k.keys.Store(&set)
		k.raw = raw
	}
	k.fetched.Store(time.Now().UnixNano())
	return nil
}

// parseSet reads a JWKS. A key of a kind that this service does not know is
// left out and does not spoil the others (RFC 7517, section 5).
func parseSet(raw []byte) (jwk.Set, error) {
	var list struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(raw, &list); err != nil || list.Keys == nil {
		return nil, errors.New("the answer is not a JWKS")
	}
	set, failed, usable := jwk.NewSet(), error(nil), false
	for _, one := range list.Keys {
		key, err := jwk.ParseKey(one)
		if err == nil {
			err = set.AddKey(key)
		}
		failed = errors.Join(failed, err)
		usable = usable || err == nil && key.KeyType() != jwa.OctetSeq && mayVerify(key)
	}
	if !usable { // more likely a slip than a wish to refuse everybody
		return nil, errors.Join(errors.New("the JWKS has no key that can check a token; the keys from before stay"), failed)
	}
	return set, nil
}

func (k *KeySet) read(ctx context.Context) ([]byte, error) {
	if path, ok := strings.CutPrefix(k.location, "file://"); ok {
		return os.ReadFile(path)
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, k.location, nil)
	if err != nil {
		return nil, err
	}
	resp, err := k.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("JWKS endpoint answered %s", resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, maxJWKSBytes))
}
