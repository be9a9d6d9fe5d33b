package auth

// This file: what makes a bearer token valid (contract 5.5, contract 5.1, contract 5.2).

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jwk"
	"github.com/lestrrat-go/jwx/v2/jws"
	"github.com/lestrrat-go/jwx/v2/jwt"

	"equipment-platform/internal/blank"
)

const (
	leeway           = 30 * time.Second
	maxSubjectLength = 255
	maxTokenBytes    = 16 << 10
)

// keyTypes are the algorithms that can ever be allowed, with the type of key
// each one needs. Symmetric algorithms and `none` are not among them: with
// them anybody who knows the public key could sign.
var keyTypes = map[jwa.SignatureAlgorithm]jwa.KeyType{
	jwa.RS256: jwa.RSA,
	jwa.PS256: jwa.RSA,
	jwa.ES256: jwa.EC,
	jwa.EdDSA: jwa.OKP,
}

// Settings say which tokens are accepted.
type Settings struct {
	Issuer     string   // `iss` that is required; empty: not checked
	Audience   string   // `aud` that must be among the token's; empty: not checked
	RolesClaim string   // dotted path of the claim with the roles
	Algorithms []string // allowed signature algorithms, a subset of RS256, PS256, ES256, EdDSA
}

// Verifier checks tokens. It is safe for concurrent use.
type Verifier struct {
	keys       *KeySet
	algorithms []jwa.SignatureAlgorithm
	rolesPath  []string
	validate   []jwt.ValidateOption
	recent     verifiedTokens
}

// NewVerifier makes a verifier; an algorithm outside the supported ones is an
// error.
func NewVerifier(keys *KeySet, s Settings) (*Verifier, error) {
	v := &Verifier{
		keys:      keys,
		rolesPath: strings.Split(s.RolesClaim, "."),
		validate: []jwt.ValidateOption{
			jwt.WithAcceptableSkew(leeway),
			jwt.WithRequiredClaim(jwt.ExpirationKey),
			jwt.WithRequiredClaim(jwt.SubjectKey),
		},
	}
	if s.Issuer != "" {
		v.validate = append(v.validate, jwt.WithIssuer(s.Issuer))
	}
	if s.Audience != "" {
		v.validate = append(v.validate, jwt.WithAudience(s.Audience))
	}
	for _, name := range s.Algorithms {
		alg := jwa.SignatureAlgorithm(name)
		if _, ok := keyTypes[alg]; !ok {
			return nil, fmt.Errorf("algorithm %q is not one of RS256, PS256, ES256, EdDSA", name)
		}
		v.algorithms = append(v.algorithms, alg)
	}
	if len(v.algorithms) == 0 {
		return nil, errors.New("no signature algorithm is allowed")
	}
	return v, nil
}

// Recent returns the caller of a token that Verify accepted a moment ago, with the
// keys that are still the current ones. It costs a hash.
func (v *Verifier) Recent(token string) (Caller, bool) {
	if len(token) > maxTokenBytes {
		return Caller{}, false
	}
	return v.recent.get(hashOf(token), v.keys.keys.Load(), time.Now())
}

func hashOf(token string) [sha256.Size]byte {
	var room [1 << 10]byte // on the stack: most tokens fit
	return sha256.Sum256(append(room[:0], token...))
}

// Verify checks signature and claims of a compact JWT and returns its caller.
// The error says what is wrong and never holds the token.
func (v *Verifier) Verify(ctx context.Context, token string) (Caller, error) {
	if len(token) > maxTokenBytes {
		return Caller{}, errors.New("token is too long")
	}
	hash, keys := hashOf(token), v.keys.keys.Load()
	payload, err := v.verifySignature(ctx, token)
	if err != nil {
		return Caller{}, err
	}
	claims := jwt.New()
	if err := json.Unmarshal(payload, claims); err != nil { // not jwt.Parse, which would read a token in the token
		return Caller{}, errors.New("claims cannot be read")
	}
	if err := jwt.Validate(claims, v.validate...); err != nil {
		return Caller{}, errors.New(reasonOf(err))
	}
	if !claims.Expiration().Add(leeway).After(time.Now()) {
		return Caller{}, errors.New("token has expired") // jwx takes 0 for never
	}
	sub := claims.Subject()
	if !validSubject(sub) {
		return Caller{}, errors.New("sub must name somebody in 1 to 255 printable characters")
	}
	caller := Caller{Subject: sub, Roles: rolesAt(claims, v.rolesPath)}
	if keys != nil && keys == v.keys.keys.Load() { // not across a refresh: the key may be gone
		v.recent.put(hash, verified{caller, claims.Expiration().Add(leeway), keys})
	}
	return caller, nil
}

func (v *Verifier) verifySignature(ctx context.Context, token string) ([]byte, error) {
	msg, err := jws.Parse([]byte(token), jws.WithCompact())
	if err != nil || len(msg.Signatures()) != 1 {
		return nil, errors.New("not a signed compact JWT")
	}
	header := msg.Signatures()[0].ProtectedHeaders()
	if len(header.Critical()) > 0 {
		// RFC 7515: an extension that is marked critical and not understood makes the token invalid
		return nil, errors.New("critical header extensions are not supported")
	}
	if mediaType := strings.ToLower(header.ContentType()); strings.TrimPrefix(mediaType, "application/") == "jwt" {
		return nil, errors.New("tokens in tokens are not accepted")
	}
	alg := header.Algorithm()
	if !slices.Contains(v.algorithms, alg) {
		return nil, errors.New("signature algorithm is not allowed")
	}
	candidates := matching(v.keys.current(), alg, header.KeyID())
	if len(candidates) == 0 {
		candidates = matching(v.keys.afterUnknownKid(ctx), alg, header.KeyID())
	}
	for _, key := range candidates {
		if payload, err := jws.Verify([]byte(token), jws.WithKey(alg, key)); err == nil {
			return payload, nil
		}
	}
	if len(candidates) == 0 {
		return nil, errors.New("signing key is not known")
	}
	return nil, errors.New("signature does not match")
}

// matching returns the keys that may verify a token with this algorithm and
// key id. A key without `alg` serves the allowed algorithms of its type
// (contract 9.15); a token without `kid` is tried with each fitting key.
func matching(set jwk.Set, alg jwa.SignatureAlgorithm, kid string) []jwk.Key {
	var out []jwk.Key
	for i := range set.Len() {
		key, _ := set.Key(i)
		switch {
		case kid != "" && key.KeyID() != kid,
			key.KeyType() != keyTypes[alg],
			key.Algorithm().String() != "" && key.Algorithm().String() != alg.String(),
			!mayVerify(key):
		default:
			out = append(out, key)
		}
	}
	return out
}

// mayVerify reports whether a key is published for signatures (RFC 7517, 4.2 and
// 4.3; contract 9.17).
func mayVerify(key jwk.Key) bool {
	operations := key.KeyOps()
	return (key.KeyUsage() == "" || key.KeyUsage() == string(jwk.ForSignature)) &&
		(len(operations) == 0 || slices.Contains(operations, jwk.KeyOpVerify))
}

func reasonOf(err error) string {
	switch {
	case errors.Is(err, jwt.ErrTokenExpired()):
		return "token has expired"
	case errors.Is(err, jwt.ErrTokenNotYetValid()), errors.Is(err, jwt.ErrInvalidIssuedAt()):
		return "token is not valid yet"
	case errors.Is(err, jwt.ErrInvalidIssuer()):
		return "issuer is not accepted"
	case errors.Is(err, jwt.ErrInvalidAudience()):
		return "audience is not accepted"
	case errors.Is(err, jwt.ErrRequiredClaim()):
		return "exp and sub are required"
	default:
		return "claims are not valid"
	}
}

// systemSubject is in the records what the platform itself does (contract 9.17).
const systemSubject = "system"

// validSubject refuses what could not be stored, shown or told from the platform:
// the subject becomes ownerUserId, createdBy and authorUserId.
func validSubject(sub string) bool {
	return !blank.Text(sub) && strings.TrimSpace(sub) != systemSubject && utf8.ValidString(sub) && utf8.RuneCountInString(sub) <= maxSubjectLength &&
		strings.IndexFunc(sub, unicode.IsControl) < 0
}

// rolesAt reads the roles at a dotted path: an array of strings, or one string
// with roles separated by spaces or commas. Anything else grants nothing.
func rolesAt(claims jwt.Token, path []string) []string {
	// a claim whose name itself has dots wins over the path
	value, ok := claims.Get(strings.Join(path, "."))
	if !ok {
		value, _ = claims.Get(path[0])
		for _, step := range path[1:] {
			m, _ := value.(map[string]any)
			value = m[step]
		}
	}
	var raw []string
	switch v := value.(type) {
	case string:
		raw = strings.FieldsFunc(v, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	case []string:
		raw = v
	case []any:
		for _, item := range v {
			if s, ok := item.(string); ok {
				raw = append(raw, s)
			}
		}
	}
	roles := make([]string, 0, len(raw))
	for _, r := range raw {
		roles = append(roles, strings.TrimPrefix(r, "ROLE_"))
	}
	return roles
}
