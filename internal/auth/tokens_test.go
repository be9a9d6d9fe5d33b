package auth_test

// This file: tokens made by hand, so that they can be wrong in every way, and
// an identity service to check them against.

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
)

type m = map[string]any

// keys are made once: RSA keys take long.
var keys = sync.OnceValue(func() (k struct {
	rsa, rsa2 *rsa.PrivateKey
	ec        *ecdsa.PrivateKey
	ed        ed25519.PrivateKey
}) {
	k.rsa, _ = rsa.GenerateKey(rand.Reader, 2048)
	k.rsa2, _ = rsa.GenerateKey(rand.Reader, 2048)
	k.ec, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, k.ed, _ = ed25519.GenerateKey(rand.Reader)
	return k
})

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// jwkOf is the public half of a key as a JWK.
func jwkOf(key any, more m) m {
	out := m{}
	switch k := key.(type) {
	case *rsa.PrivateKey:
		out = m{"kty": "RSA", "n": b64(k.N.Bytes()), "e": "AQAB"}
	case *ecdsa.PrivateKey:
		point, _ := k.PublicKey.Bytes()
		out = m{"kty": "EC", "crv": "P-256", "x": b64(point[1:33]), "y": b64(point[33:])}
	case ed25519.PrivateKey:
		out = m{"kty": "OKP", "crv": "Ed25519", "x": b64(k.Public().(ed25519.PublicKey))}
	}
	for name, value := range more {
		out[name] = value
	}
	return out
}

// sign makes a compact JWT. alg in the header and the way of signing are
// independent: signer says how.
func sign(tb testing.TB, header m, claims any, signer string, key any) string {
	tb.Helper()
	h, err := json.Marshal(header)
	require.NoError(tb, err)
	c, ok := claims.([]byte)
	if !ok {
		c, err = json.Marshal(claims)
		require.NoError(tb, err)
	}
	text := b64(h) + "." + b64(c)
	digest := sha256.Sum256([]byte(text))
	var signature []byte
	switch signer {
	case "RS256":
		signature, err = rsa.SignPKCS1v15(rand.Reader, key.(*rsa.PrivateKey), crypto.SHA256, digest[:])
	case "PS256":
		signature, err = rsa.SignPSS(rand.Reader, key.(*rsa.PrivateKey), crypto.SHA256, digest[:], &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
	case "ES256":
		r, s, e := ecdsa.Sign(rand.Reader, key.(*ecdsa.PrivateKey), digest[:])
		require.NoError(tb, e)
		signature = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	case "EdDSA":
		signature = ed25519.Sign(key.(ed25519.PrivateKey), []byte(text))
	case "HS256":
		mac := hmac.New(sha256.New, key.([]byte))
		mac.Write([]byte(text))
		signature = mac.Sum(nil)
	case "none":
	}
	require.NoError(tb, err)
	return text + "." + b64(signature)
}

// idp is an identity service whose key set can change and fail.
type idp struct {
	*httptest.Server
	body    atomic.Value // string
	status  atomic.Int32
	fetches atomic.Int32
}

func newIDP(tb testing.TB, jwks ...m) *idp {
	tb.Helper()
	p := &idp{}
	p.publish(tb, jwks...)
	p.status.Store(http.StatusOK)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.fetches.Add(1)
		w.WriteHeader(int(p.status.Load()))
		_, _ = w.Write([]byte(p.body.Load().(string)))
	}))
	tb.Cleanup(p.Close)
	return p
}

func (p *idp) publish(tb testing.TB, jwks ...m) {
	tb.Helper()
	raw, err := json.Marshal(m{"keys": jwks})
	require.NoError(tb, err)
	p.body.Store(string(raw))
}

var anyAlgorithm = []string{"RS256", "PS256", "ES256", "EdDSA"}

// verifierOf returns a verifier that has fetched the keys.
func verifierOf(tb testing.TB, p *idp, s auth.Settings) *auth.Verifier {
	tb.Helper()
	set, err := auth.NewKeySet(p.URL, slog.New(slog.DiscardHandler))
	require.NoError(tb, err)
	go set.Run(tb.Context(), time.Hour)
	require.Eventually(tb, func() bool { return set.Ready(tb.Context()) == nil }, 10*time.Second, time.Millisecond)
	return newVerifier(tb, set, s)
}

func newVerifier(tb testing.TB, set *auth.KeySet, s auth.Settings) *auth.Verifier {
	tb.Helper()
	if s.RolesClaim == "" {
		s.RolesClaim = "roles"
	}
	if s.Algorithms == nil {
		s.Algorithms = anyAlgorithm
	}
	v, err := auth.NewVerifier(set, s)
	require.NoError(tb, err)
	return v
}

func in(d time.Duration) int64 { return time.Now().Add(d).Unix() }

// claimsWith are good claims with changes; a nil value leaves one out.
func claimsWith(changes m) m {
	c := m{"sub": "user-1", "exp": in(time.Hour), "roles": []string{"USER"}}
	for name, value := range changes {
		if value == nil {
			delete(c, name)
		} else {
			c[name] = value
		}
	}
	return c
}
