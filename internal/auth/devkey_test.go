package auth_test

// This file: development keys and their tokens.

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
)

func TestDevKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "dev.pem")
	key, err := auth.LoadDevKey(path)
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	jwks := filepath.Join(t.TempDir(), "jwks.json")
	require.NoError(t, key.WriteJWKS(jwks))
	raw, err := os.ReadFile(jwks)
	require.NoError(t, err)
	require.NotContains(t, string(raw), `"d"`, "no private half")

	again, err := auth.LoadDevKey(path)
	require.NoError(t, err)
	token, err := again.Sign(auth.DevClaims{Subject: "me", Roles: []string{"ADMIN"}, TTL: time.Hour, Issuer: "i", Audience: "a"})
	require.NoError(t, err)
	set, err := auth.NewKeySet("file://"+jwks, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	caller, err := newVerifier(t, set, auth.Settings{Issuer: "i", Audience: "a"}).Verify(t.Context(), token)
	require.NoError(t, err)
	require.True(t, caller.IsAdmin())
	require.Equal(t, "me", caller.Subject)

	for _, sub := range []string{"", " ", "\u200b", "system", " system", "a\x00b", strings.Repeat("x", 256)} { // contract 9.17: nobody would take it
		_, err := again.Sign(auth.DevClaims{Subject: sub, TTL: time.Hour})
		require.Error(t, err, "%q", sub)
	}

	for name, content := range map[string]string{"empty": "", "text": "x", "PEM of nothing": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		bad := filepath.Join(t.TempDir(), "bad.pem")
		require.NoError(t, os.WriteFile(bad, []byte(content), 0o600))
		_, err := auth.LoadDevKey(bad)
		require.ErrorContains(t, err, "development key", name)
	}
}
