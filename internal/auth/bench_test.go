package auth_test

// This file: what the check of a token costs, the first time and again.

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"equipment-platform/internal/auth"
)

func BenchmarkVerify(b *testing.B) {
	dir := b.TempDir()
	key, err := auth.LoadDevKey(filepath.Join(dir, "dev.pem"))
	if err == nil {
		err = key.WriteJWKS(filepath.Join(dir, "jwks.json"))
	}
	if err != nil {
		b.Fatal(err)
	}
	set, err := auth.NewKeySet("file://"+filepath.Join(dir, "jwks.json"), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	newVerifier := func() *auth.Verifier {
		v, err := auth.NewVerifier(set, auth.Settings{RolesClaim: "roles", Algorithms: []string{"RS256"}})
		if err != nil {
			b.Fatal(err)
		}
		return v
	}
	tokens := make([]string, 512)
	for i := range tokens {
		if tokens[i], err = key.Sign(auth.DevClaims{Subject: fmt.Sprint("caller-", i), Roles: []string{"MANAGER"}, TTL: time.Hour}); err != nil {
			b.Fatal(err)
		}
	}
	verifier := newVerifier()
	verify := func(b *testing.B, token string) {
		b.Helper()
		if _, err := verifier.Verify(b.Context(), token); err != nil {
			b.Fatal(err)
		}
	}
	verify(b, tokens[0]) // fetches the keys
	verify(b, tokens[0]) // is remembered with them
	b.Run("known", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := verifier.Recent(tokens[0]); !ok {
				b.Fatal("forgotten")
			}
		}
	})
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			if n%len(tokens) == 0 {
				verifier = newVerifier() // which remembers none
			}
			verify(b, tokens[n%len(tokens)])
			n++
		}
	})
}
