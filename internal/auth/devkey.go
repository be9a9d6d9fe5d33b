package auth

// This file: development tokens, signed with a local key whose public half is
// in the development JWKS. Production refuses them (see cmd/catalog).

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jwk"
	"github.com/lestrrat-go/jwx/v2/jwt"
)

// DevKey signs development tokens. RSA, because checking an RSA signature is
// the cheapest of the allowed algorithms and every request checks one.
type DevKey struct {
	key jwk.Key
}

// LoadDevKey reads the private key at path (PEM, PKCS #8), and makes one when
// the file is missing, readable by its owner only.
func LoadDevKey(path string) (*DevKey, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		raw, err = makeKeyFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("development key: %w", err)
	}
	block, _ := pem.Decode(raw)
	if block == nil {
		return nil, fmt.Errorf("development key %s is not PEM", path)
	}
	private, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("development key %s: %w", path, err)
	}
	rsaKey, ok := private.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("development key %s is not an RSA key", path)
	}
	key, err := jwk.FromRaw(rsaKey)
	if err != nil {
		return nil, err
	}
	return &DevKey{key: key}, errors.Join(jwk.AssignKeyID(key), key.Set(jwk.AlgorithmKey, jwa.RS256))
}

func makeKeyFile(path string) ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	raw := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return raw, os.WriteFile(path, raw, 0o600)
}

// JWKS is the public half of the key as a JWKS document.
func (d *DevKey) JWKS() ([]byte, error) {
	public, err := d.key.PublicKey()
	if err != nil {
		return nil, err
	}
	set := jwk.NewSet()
	if err := set.AddKey(public); err != nil {
		return nil, err
	}
	raw, err := json.MarshalIndent(set, "", "  ")
	return append(raw, '\n'), err
}

// WriteJWKS writes the JWKS to a file, for AUTH_JWKS_URL=file://….
func (d *DevKey) WriteJWKS(path string) error {
	raw, err := d.JWKS()
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o644)
}

// DevClaims are what a development token says.
type DevClaims struct {
	Subject  string
	Roles    []string
	TTL      time.Duration
	Issuer   string // set when AUTH_ISSUER is, so that the token passes
	Audience string // set when AUTH_AUDIENCE is
}

// Sign makes a token with the claim `roles`.
func (d *DevKey) Sign(c DevClaims) (string, error) {
	if !validSubject(c.Subject) {
		return "", errors.New("sub is not one that a token may have: 1 to 255 characters that can be seen, and not system")
	}
	now := time.Now()
	b := jwt.NewBuilder().Subject(c.Subject).IssuedAt(now).Expiration(now.Add(c.TTL)).Claim("roles", c.Roles)
	if c.Issuer != "" {
		b = b.Issuer(c.Issuer)
	}
	if c.Audience != "" {
		b = b.Audience([]string{c.Audience})
	}
	token, err := b.Build()
	if err != nil {
		return "", err
	}
	signed, err := jwt.Sign(token, jwt.WithKey(jwa.RS256, d.key))
	return string(signed), err
}
