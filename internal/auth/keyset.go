package auth

// This file: where the public keys come from (D5.1, D9.15).

import (
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
)

// KeySet keeps a JWKS fresh: it is fetched at start, every refresh interval,
// and when a token names an unknown key, but for that reason at most once in
// 10 seconds. A failed refresh keeps the keys that are there.
type KeySet struct {
	location string
	client   *http.Client
	log      *slog.Logger

	keys atomic.Pointer[jwk.Set]

	mu          sync.Mutex
	lastAttempt time.Time
}

// NewKeySet prepares the key set at an http(s) or file URL. It does not fetch:
// see Run.
func NewKeySet(location string, log *slog.Logger) (*KeySet, error) {
	u, err := url.Parse(location)
	isFile, isHTTP := err == nil && u.Scheme == "file", err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if !isFile && !isHTTP {
		return nil, fmt.Errorf("%q is not an http, https or file URL", location)
	}
	return &KeySet{location: location, client: &http.Client{Timeout: fetchTimeout}, log: log}, nil
}

// Run fetches the keys now and then every interval until ctx ends. An identity
// service that is down at start does not stop the service: tokens are refused
// until it answers.
func (k *KeySet) Run(ctx context.Context, interval time.Duration) {
	for {
		wait := interval
		if err := k.refresh(ctx); err != nil && ctx.Err() == nil {
			k.log.WarnContext(ctx, "JWKS refresh failed", "error", err)
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
// returns the keys then known. Callers that come within the hold-off get the
// keys as they are, so that made-up key ids cannot flood the identity service.
func (k *KeySet) afterUnknownKid(ctx context.Context) jwk.Set {
	k.mu.Lock()
	defer k.mu.Unlock()
	if time.Since(k.lastAttempt) >= unknownKidHoldoff {
		k.lastAttempt = time.Now()
		if err := k.refresh(context.WithoutCancel(ctx)); err != nil {
			k.log.WarnContext(ctx, "JWKS refresh for an unknown key id failed", "error", err)
		}
	}
	return k.current()
}

func (k *KeySet) refresh(ctx context.Context) error {
	raw, err := k.read(ctx)
	if err != nil {
		return err
	}
	set, err := parseSet(raw)
	if err != nil {
		return err
	}
	k.keys.Store(&set)
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
		usable = usable || err == nil && key.KeyType() != jwa.OctetSeq
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
