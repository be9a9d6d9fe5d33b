package auth_test

// This file: which tokens are valid, who they say the caller is, and attacks
// on them (contract 5.5, contract 5.1, contract 5.2).

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"equipment-platform/internal/auth"
)

func TestAlgorithmsAndKeys(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t,
		jwkOf(k.rsa, m{"kid": "bare"}), // no alg: serves the allowed algorithms of its type
		jwkOf(k.rsa2, m{"kid": "rs", "alg": "RS256", "use": "sig"}),
		jwkOf(k.rsa2, m{"kid": "enc", "use": "enc"}),
		jwkOf(k.rsa2, m{"kid": "oaep", "alg": "RSA-OAEP"}),
		jwkOf(k.rsa2, m{"kid": "verify", "key_ops": []string{"verify"}}),
		jwkOf(k.rsa2, m{"kid": "sign", "key_ops": []string{"sign", "encrypt"}}),
		jwkOf(k.rsa2, m{"kid": "wrap", "use": "sig", "key_ops": []string{"wrapKey"}}),
		jwkOf(k.rsa2, m{"kid": "tls", "use": "tls"}),
		jwkOf(k.ec, m{"kid": "ec"}), jwkOf(k.ed, m{"kid": "ed", "alg": "EdDSA"}),
	)
	v := verifierOf(t, p, auth.Settings{})
	der, err := x509.MarshalPKIXPublicKey(&k.rsa.PublicKey)
	require.NoError(t, err)
	publicPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	good := claimsWith(nil)
	for _, c := range []struct {
		name   string
		header m
		signer string
		key    any
		valid  bool
	}{
		{"RS256", m{"alg": "RS256", "kid": "bare"}, "RS256", k.rsa, true},
		{"PS256 with a key without alg", m{"alg": "PS256", "kid": "bare"}, "PS256", k.rsa, true},
		{"ES256", m{"alg": "ES256", "kid": "ec"}, "ES256", k.ec, true},
		{"EdDSA", m{"alg": "EdDSA", "kid": "ed"}, "EdDSA", k.ed, true},
		{"with alg and use", m{"alg": "RS256", "kid": "rs"}, "RS256", k.rsa2, true},
		{"no kid, tried with each", m{"alg": "RS256"}, "RS256", k.rsa2, true},
		{"typ", m{"alg": "RS256", "kid": "bare", "typ": "at+jwt"}, "RS256", k.rsa, true},

		{"none", m{"alg": "none"}, "none", nil, false},
		{"none in other letters", m{"alg": "nOnE", "kid": "bare"}, "none", nil, false},
		{"RS256 without a signature", m{"alg": "RS256", "kid": "bare"}, "none", nil, false},
		{"no alg", m{"kid": "bare"}, "RS256", k.rsa, false},
		{"HS256 with the public key as PEM", m{"alg": "HS256", "kid": "bare"}, "HS256", publicPEM, false},
		{"HS256 with the public key as DER", m{"alg": "HS256", "kid": "bare"}, "HS256", der, false},
		{"HS256 with the modulus", m{"alg": "HS256", "kid": "bare"}, "HS256", k.rsa.N.Bytes(), false},
		{"HMAC under the name RS256", m{"alg": "RS256", "kid": "bare"}, "HS256", publicPEM, false},
		{"RS512 is not allowed", m{"alg": "RS512", "kid": "bare"}, "RS256", k.rsa, false},
		{"lower case alg", m{"alg": "rs256", "kid": "bare"}, "RS256", k.rsa, false},
		{"another key", m{"alg": "RS256", "kid": "bare"}, "RS256", k.rsa2, false},
		{"kid of another key", m{"alg": "RS256", "kid": "rs"}, "RS256", k.rsa, false},
		{"kid of another type", m{"alg": "RS256", "kid": "ec"}, "RS256", k.rsa, false},
		{"PS256 with an RS256 key", m{"alg": "PS256", "kid": "rs"}, "PS256", k.rsa2, false},
		{"PSS under the name RS256", m{"alg": "RS256", "kid": "bare"}, "PS256", k.rsa, false},
		{"an encryption key", m{"alg": "RS256", "kid": "enc"}, "RS256", k.rsa2, false},
		{"a key of an encryption algorithm", m{"alg": "RS256", "kid": "oaep"}, "RS256", k.rsa2, false},
		{"a key for verifying", m{"alg": "RS256", "kid": "verify"}, "RS256", k.rsa2, true},
		{"a key for signing", m{"alg": "RS256", "kid": "sign"}, "RS256", k.rsa2, false},
		{"a key for wrapping", m{"alg": "RS256", "kid": "wrap"}, "RS256", k.rsa2, false},
		{"a key of another use", m{"alg": "RS256", "kid": "tls"}, "RS256", k.rsa2, false},
		{"a token in the token, as the header has it", m{"alg": "RS256", "kid": "bare", "cty": "JWT"}, "RS256", k.rsa, false},
		{"as a media type", m{"alg": "RS256", "kid": "bare", "cty": "application/Jwt"}, "RS256", k.rsa, false},
		{"unknown kid", m{"alg": "RS256", "kid": "nobody"}, "RS256", k.rsa, false},
		{"SQL in kid", m{"alg": "RS256", "kid": "' OR 1=1 --"}, "RS256", k.rsa, false},
		{"kid as a path", m{"alg": "HS256", "kid": "../../dev/null"}, "HS256", []byte{}, false},
		{"embedded key", m{"alg": "RS256", "jwk": jwkOf(k.rsa2, nil), "kid": "bare"}, "RS256", k.rsa2, false},
		{"embedded key without kid", m{"alg": "ES256", "jwk": jwkOf(k.ec, nil), "kid": "bare"}, "ES256", k.ec, false},
		{"foreign key set", m{"alg": "RS256", "jku": "http://127.0.0.1:1/jwks", "kid": "nobody"}, "RS256", k.rsa2, false},
		{"certificate", m{"alg": "RS256", "x5u": "http://127.0.0.1:1/x", "kid": "nobody"}, "RS256", k.rsa2, false},
		{"crit", m{"alg": "RS256", "kid": "bare", "crit": []string{"exp"}, "exp": 1}, "RS256", k.rsa, false},
		{"crit of something unknown", m{"alg": "RS256", "kid": "bare", "crit": []string{"x"}, "x": true}, "RS256", k.rsa, false},
		{"unencoded payload", m{"alg": "RS256", "kid": "bare", "b64": false, "crit": []string{"b64"}}, "RS256", k.rsa, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			caller, err := v.Verify(t.Context(), sign(t, c.header, good, c.signer, c.key))
			if c.valid {
				require.NoError(t, err)
				require.Equal(t, auth.Caller{Subject: "user-1", Roles: []string{"USER"}}, caller)
			} else {
				require.Error(t, err)
				require.True(t, caller.Anonymous())
			}
		})
	}
	// only what is allowed
	strict := verifierOf(t, p, auth.Settings{Algorithms: []string{"ES256"}})
	_, err = strict.Verify(t.Context(), sign(t, m{"alg": "RS256", "kid": "bare"}, good, "RS256", k.rsa))
	require.Error(t, err)
	for _, bad := range [][]string{{"HS256"}, {"none"}, {"RS256", "HS512"}, {"rs256"}, {""}, {}} {
		_, err := auth.NewVerifier(nil, auth.Settings{RolesClaim: "roles", Algorithms: bad})
		require.Error(t, err, bad)
	}
}

func TestBrokenTokens(t *testing.T) {
	t.Parallel()
	k := keys()
	v := verifierOf(t, newIDP(t, jwkOf(k.rsa, m{"kid": "k"})), auth.Settings{})
	good := sign(t, m{"alg": "RS256", "kid": "k"}, claimsWith(nil), "RS256", k.rsa)
	parts := strings.Split(good, ".")
	asJSON, err := json.Marshal(m{"payload": parts[1], "protected": parts[0], "signature": parts[2]})
	require.NoError(t, err)
	other := sign(t, m{"alg": "RS256", "kid": "k"}, claimsWith(m{"sub": "admin"}), "RS256", keys().rsa2)
	for name, token := range map[string]string{
		"empty": "", "a word": "x", "two parts": parts[0] + "." + parts[1], "four parts": good + ".x", "dots": "..", "no signature": parts[0] + "." + parts[1] + ".",
		"other claims": parts[0] + "." + strings.Split(other, ".")[1] + "." + parts[2], "no base64": "!." + parts[1] + "." + parts[2], "JSON form": string(asJSON),
		"cut off": good[:len(good)-4], "flipped": good[:len(good)-8] + "AAAA" + good[len(good)-4:], "very long": good + strings.Repeat("x", 1<<20),
		"payload is no JSON":   sign(t, m{"alg": "RS256", "kid": "k"}, []byte("nonsense"), "RS256", k.rsa),
		"payload is an array":  sign(t, m{"alg": "RS256", "kid": "k"}, []byte("[]"), "RS256", k.rsa),
		"payload is null":      sign(t, m{"alg": "RS256", "kid": "k"}, []byte("null"), "RS256", k.rsa),
		"a token in a token":   sign(t, m{"alg": "RS256", "kid": "k"}, []byte(good), "RS256", k.rsa),
		"an unsigned one":      sign(t, m{"alg": "RS256", "kid": "k"}, []byte(sign(t, m{"alg": "none"}, claimsWith(nil), "none", nil)), "RS256", k.rsa),
		"a foreign one":        sign(t, m{"alg": "RS256", "kid": "k"}, []byte(other), "RS256", k.rsa),
		"one of HS256":         sign(t, m{"alg": "RS256", "kid": "k"}, []byte(sign(t, m{"alg": "HS256"}, claimsWith(nil), "HS256", []byte("x"))), "RS256", k.rsa),
		"one in JSON form":     sign(t, m{"alg": "RS256", "kid": "k"}, asJSON, "RS256", k.rsa),
		"payload has two subs": sign(t, m{"alg": "RS256", "kid": "k"}, []byte(`{"sub":"a","sub":5,"exp":9999999999}`), "RS256", k.rsa),
	} {
		_, err := v.Verify(t.Context(), token)
		require.Error(t, err, name)
		if token != "" {
			require.NotContains(t, err.Error(), token)
		}
	}
	_, err = v.Verify(t.Context(), good)
	require.NoError(t, err)
}

func TestClaims(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, jwkOf(k.rsa, m{"kid": "k"}))
	open, strict := verifierOf(t, p, auth.Settings{}), verifierOf(t, p, auth.Settings{Issuer: "https://id.example", Audience: "catalog"})
	const second = time.Second
	for _, c := range []struct {
		name    string
		v       *auth.Verifier
		changes m
		valid   bool
	}{
		{"good", open, nil, true},
		{"expired", open, m{"exp": in(-time.Minute)}, false},
		{"expired within the leeway", open, m{"exp": in(-20 * second)}, true},
		{"expired beyond the leeway", open, m{"exp": in(-40 * second)}, false},
		{"no exp", open, m{"exp": nil}, false},
		{"exp is a text", open, m{"exp": "soon"}, false},
		{"exp is zero", open, m{"exp": 0}, false},
		{"exp is negative", open, m{"exp": -1}, false},
		{"exp is huge", open, m{"exp": json.RawMessage("1e300")}, false},
		{"exp has a fraction", open, m{"exp": float64(in(time.Hour)) + 0.5}, true},
		{"exp is null", open, m{"exp": json.RawMessage("null")}, false},
		{"not yet", open, m{"nbf": in(time.Minute)}, false},
		{"not yet within the leeway", open, m{"nbf": in(20 * second)}, true},
		{"nbf long ago", open, m{"nbf": in(-time.Hour)}, true},
		{"issued in the future", open, m{"iat": in(time.Minute)}, false},
		{"issued within the leeway", open, m{"iat": in(20 * second)}, true},
		{"issued long ago", open, m{"iat": in(-24 * time.Hour)}, true},
		{"no sub", open, m{"sub": nil}, false},
		{"empty sub", open, m{"sub": ""}, false},
		{"sub is a number", open, m{"sub": 5}, false},
		{"sub is null", open, m{"sub": json.RawMessage("null")}, false},
		{"sub is a list", open, m{"sub": []string{"a"}}, false},
		{"sub of 255", open, m{"sub": strings.Repeat("й", 255)}, true},
		{"sub of 255 emoji", open, m{"sub": strings.Repeat("😀", 255)}, true},
		{"sub of 256", open, m{"sub": strings.Repeat("x", 256)}, false},
		{"sub of white space", open, m{"sub": " \u00a0\u3000"}, false},
		{"sub that nobody sees", open, m{"sub": "\u200b\u3164"}, false},
		{"the platform itself", open, m{"sub": "system"}, false},
		{"the platform with spaces", open, m{"sub": " system\u00a0"}, false},
		{"the name of a system", open, m{"sub": "system-1"}, true},
		{"sub with U+0000", open, m{"sub": "a\x00b"}, false},
		{"issuer is not checked", open, m{"iss": "anybody", "aud": "anything"}, true},
		{"issuer and audience", strict, m{"iss": "https://id.example", "aud": "catalog"}, true},
		{"audience among others", strict, m{"iss": "https://id.example", "aud": []string{"other", "catalog"}}, true},
		{"no issuer", strict, m{"aud": "catalog"}, false},
		{"other issuer", strict, m{"iss": "https://id.example/", "aud": "catalog"}, false},
		{"no audience", strict, m{"iss": "https://id.example"}, false},
		{"other audience", strict, m{"iss": "https://id.example", "aud": []string{"Catalog", "catalog2"}}, false},
	} {
		_, err := c.v.Verify(t.Context(), sign(t, m{"alg": "RS256", "kid": "k"}, claimsWith(c.changes), "RS256", k.rsa))
		require.Equal(t, c.valid, err == nil, "%s: %v", c.name, err)
		if err != nil {
			require.NotContains(t, err.Error(), `"`, "the reason stands in a quoted header")
		}
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	k := keys()
	p := newIDP(t, jwkOf(k.rsa, m{"kid": "k"}))
	for _, c := range []struct {
		claim  string
		claims m
		want   []string
	}{
		{"roles", m{"roles": []string{"USER", "ROLE_ADMIN"}}, []string{"USER", "ADMIN"}},
		{"roles", m{"roles": "USER ADMIN"}, []string{"USER", "ADMIN"}},
		{"roles", m{"roles": "USER,ROLE_ADMIN"}, []string{"USER", "ADMIN"}},
		{"roles", m{"roles": " USER , ADMIN\tX "}, []string{"USER", "ADMIN", "X"}},
		{"roles", m{"roles": "USER"}, []string{"USER"}},
		{"roles", m{"roles": ""}, []string{}},
		{"roles", m{"roles": []string{}}, []string{}},
		{"roles", m{"roles": nil}, []string{}},
		{"roles", m{"roles": []string{"user", "role_ADMIN", "ROLE_ROLE_ADMIN"}}, []string{"user", "role_ADMIN", "ROLE_ADMIN"}},
		{"roles", m{"roles": m{"ADMIN": true}}, []string{}},
		{"roles", m{"roles": 5}, []string{}},
		{"roles", m{"roles": true}, []string{}},
		{"roles", m{"Roles": []string{"ADMIN"}, "roles": nil}, []string{}},
		{"realm_access.roles", m{"realm_access": m{"roles": []string{"MANAGER"}}}, []string{"MANAGER"}},
		{"realm_access.roles", m{"realm_access": m{"roles": "MANAGER,USER"}}, []string{"MANAGER", "USER"}},
		{"realm_access.roles", m{"realm_access": "roles"}, []string{}},
		{"realm_access.roles", m{"roles": []string{"ADMIN"}}, []string{}},
		{"resource_access.catalog.roles", m{"resource_access": m{"catalog": m{"roles": []string{"USER"}}}}, []string{"USER"}},
		{"resource_access.catalog.roles", m{"resource_access": m{"other": m{"roles": []string{"ADMIN"}}}}, []string{}},
		{"scope", m{"scope": "USER EXECUTOR", "roles": nil}, []string{"USER", "EXECUTOR"}},
		{"https://x.example/roles", m{"https://x.example/roles": []string{"USER"}}, []string{"USER"}},
	} {
		v := verifierOf(t, p, auth.Settings{RolesClaim: c.claim})
		caller, err := v.Verify(t.Context(), sign(t, m{"alg": "RS256", "kid": "k"}, claimsWith(c.claims), "RS256", k.rsa))
		require.NoError(t, err)
		require.Equal(t, c.want, caller.Roles, "%s of %v", c.claim, c.claims)
	}
	// what is no text among the roles grants nothing
	v := verifierOf(t, p, auth.Settings{})
	caller, err := v.Verify(t.Context(), sign(t, m{"alg": "RS256", "kid": "k"}, claimsWith(m{"roles": []any{1, nil, "USER", []string{"ADMIN"}}}), "RS256", k.rsa))
	require.NoError(t, err)
	require.False(t, caller.IsAdmin())
}
