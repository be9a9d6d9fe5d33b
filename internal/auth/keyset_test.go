package auth_test

// This file: where the keys come from and when they are fetched (contract 5.1, contract 9.15).

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
)

func TestLocations(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "x", "/path/jwks.json", "ftp://x/jwks", "https://", "http:///jwks", "://", "file"} {
		_, err := auth.NewKeySet(bad, slog.Default())
		require.Error(t, err, bad)
	}
	k := keys()
	path := filepath.Join(t.TempDir(), "jwks.json")
	raw, err := json.Marshal(m{"keys": []m{jwkOf(k.ed, m{"kid": "k"})}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, raw, 0o600))
	set, err := auth.NewKeySet("file://"+path, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	_, err = newVerifier(t, set, auth.Settings{}).Verify(t.Context(), sign(t, m{"alg": "EdDSA", "kid": "k"}, claimsWith(nil), "EdDSA", k.ed))
	require.NoError(t, err, "the first token fetches")
}

// An unknown kid refreshes, but at most once in 10 seconds, however many come.
func TestUnknownKidRefreshesOnce(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, jwkOf(k.rsa, m{"kid": "old"}))
	v := verifierOf(t, p, auth.Settings{})
	require.EqualValues(t, 1, p.fetches.Load())
	p.publish(t, jwkOf(k.rsa, m{"kid": "old"}), jwkOf(k.ed, m{"kid": "new"}))
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			_, err := v.Verify(t.Context(), sign(t, m{"alg": "EdDSA", "kid": "new"}, claimsWith(nil), "EdDSA", k.ed))
			require.NoError(t, err, "the new key was fetched")
		})
	}
	group.Wait()
	require.EqualValues(t, 2, p.fetches.Load())
	for range 5 {
		_, err := v.Verify(t.Context(), sign(t, m{"alg": "EdDSA", "kid": "made up"}, claimsWith(nil), "EdDSA", k.ed))
		require.Error(t, err)
	}
	require.EqualValues(t, 2, p.fetches.Load(), "made-up key ids do not flood the identity service")
	_, err := v.Verify(t.Context(), sign(t, m{"alg": "RS256", "kid": "old"}, claimsWith(nil), "RS256", k.rsa))
	require.NoError(t, err)
}

func TestIdentityServiceThatIsDown(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, jwkOf(k.ed, m{"kid": "k"}))
	p.status.Store(http.StatusServiceUnavailable)
	set, err := auth.NewKeySet(p.URL, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	go set.Run(t.Context(), 5*time.Millisecond)
	v := newVerifier(t, set, auth.Settings{})
	token := sign(t, m{"alg": "EdDSA", "kid": "k"}, claimsWith(nil), "EdDSA", k.ed)
	_, err = v.Verify(t.Context(), token)
	require.Error(t, err)
	require.Error(t, set.Ready(t.Context()))
	p.status.Store(http.StatusOK)
	require.Eventually(t, func() bool { return set.Ready(t.Context()) == nil }, 10*time.Second, time.Millisecond)
	_, err = v.Verify(t.Context(), token)
	require.NoError(t, err)
	// down again, or answering nonsense: the keys that are there stay
	for _, nonsense := range []string{"", "nonsense", "{}", `{"error":"x"}`, `{"keys":null}`, `{"keys":"x"}`, `{"keys":[{}]}`, `{"keys":[1]}`, "[]", "null", "<html>"} {
		p.body.Store(nonsense)
		before := p.fetches.Load()
		require.Eventually(t, func() bool { return p.fetches.Load() > before+2 }, 10*time.Second, time.Millisecond)
		_, err = v.Verify(t.Context(), token)
		require.NoError(t, err, nonsense)
	}
	p.status.Store(http.StatusInternalServerError)
	before := p.fetches.Load()
	require.Eventually(t, func() bool { return p.fetches.Load() > before+2 }, 10*time.Second, time.Millisecond)
	_, err = v.Verify(t.Context(), token)
	require.NoError(t, err)
}

// followed makes a verifier that follows the keys of p, and a token that it
// accepts, signed with key k.
func followed(t *testing.T, p *idp) (v *auth.Verifier, token string) {
	t.Helper()
	set, err := auth.NewKeySet(p.URL, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	go set.Run(t.Context(), 5*time.Millisecond)
	require.Eventually(t, func() bool { return set.Ready(t.Context()) == nil }, 10*time.Second, time.Millisecond)
	v = newVerifier(t, set, auth.Settings{})
	token = sign(t, m{"alg": "EdDSA", "kid": "k"}, claimsWith(nil), "EdDSA", keys().ed)
	_, err = v.Verify(t.Context(), token)
	require.NoError(t, err)
	return v, token
}

// A key that was taken away is refused after the next refresh.
func TestKeysAreTakenAway(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, jwkOf(k.ed, m{"kid": "k"}))
	v, token := followed(t, p)
	p.publish(t, jwkOf(k.ec, m{"kid": "other"}))
	require.Eventually(t, func() bool {
		_, err := v.Verify(t.Context(), token)
		return err != nil
	}, 10*time.Second, 5*time.Millisecond)
}

// A set without a key that could check anything is a slip: the keys from before
// stay.
func TestSetsWithoutUsableKeys(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, jwkOf(k.ed, m{"kid": "k"}))
	v, token := followed(t, p)
	for _, useless := range [][]m{{}, {{"kty": "oct", "kid": "k", "k": b64([]byte("secret"))}}, {{"kid": "no type"}}, {jwkOf(k.ec, m{"use": "enc"})}, {jwkOf(k.ec, m{"key_ops": []string{"sign"}})}} {
		p.publish(t, useless...)
		before := p.fetches.Load()
		require.Eventually(t, func() bool { return p.fetches.Load() > before+2 }, 10*time.Second, time.Millisecond)
		_, err := v.Verify(t.Context(), token)
		require.NoError(t, err)
	}
	empty := newIDP(t)
	never, err := auth.NewKeySet(empty.URL, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	go never.Run(t.Context(), 5*time.Millisecond)
	require.Eventually(t, func() bool { return empty.fetches.Load() > 2 }, 10*time.Second, time.Millisecond)
	require.Error(t, never.Ready(t.Context()))
}

// Keys of a kind that this service does not know do not spoil the others
// (RFC 7517 section 5), and secret or private ones never verify.
func TestForeignKeysInTheSet(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, m{"kty": "AKP", "kid": "pq", "alg": "ML-DSA-44", "pub": "AAAA"}, m{"kty": "oct", "kid": "k", "k": b64([]byte("secret"))},
		m{"kty": "EC", "crv": "secp256k1", "kid": "btc", "x": "AA", "y": "AA"}, m{"kid": "no type"}, jwkOf(k.ed, m{"kid": "k"}))
	v := verifierOf(t, p, auth.Settings{})
	_, err := v.Verify(t.Context(), sign(t, m{"alg": "EdDSA", "kid": "k"}, claimsWith(nil), "EdDSA", k.ed))
	require.NoError(t, err)
	_, err = v.Verify(t.Context(), sign(t, m{"alg": "HS256", "kid": "k"}, claimsWith(nil), "HS256", []byte("secret")))
	require.Error(t, err)
}
