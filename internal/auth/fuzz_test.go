package auth_test

// This file: no text is taken for a valid token unless the key signed it.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
)

func FuzzVerify(f *testing.F) {
	k := keys()
	p := newIDP(f, jwkOf(k.rsa, m{"kid": "a"}))
	v := verifierOf(f, p, auth.Settings{})
	for _, seed := range []string{
		"", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4IiwiZXhwIjo5OTk5OTk5OTk5fQ.",
		"eyJhbGciOiJIUzI1NiIsImtpZCI6ImEifQ.eyJzdWIiOiJ4IiwiZXhwIjo5OTk5OTk5OTk5fQ.AAAA",
		"eyJhbGciOiJSUzI1NiIsImtpZCI6ImEiLCJjcml0IjpbIngiXX0.e30.AAAA", strings.Repeat("a", 20_000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		caller, err := v.Verify(t.Context(), token)
		require.Error(t, err)
		require.Zero(t, caller)
		if len(token) > 20 {
			require.NotContains(t, err.Error(), token, "an error never holds the token")
		}
	})
}
