package auth

// This file: the identity tokens of another party's sign-in.

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/lestrrat-go/jwx/v2/jwt"
)

// ErrMalformedIDToken is the error of what is no identity token at all.
var ErrMalformedIDToken = errors.New("the identity token cannot be read")

// CheckIDToken checks an OpenID Connect identity token that came straight from the
// token endpoint: then its signature proves nothing more and is left alone, but it
// must be of this issuer, for this client, for this nonce, and not expired (OpenID
// Connect Core 3.1.3.7). A slash at the end of an issuer makes no difference.
// The error says what is wrong and never holds the token.
func CheckIDToken(raw, issuer, clientID, nonce string) error {
	claims, err := jwt.ParseInsecure([]byte(raw))
	if err != nil {
		return ErrMalformedIDToken
	}
	given, _ := claims.Get("nonce")
	switch {
	case strings.TrimRight(claims.Issuer(), "/") != strings.TrimRight(issuer, "/"):
		return errors.New("the identity token is of another issuer")
	case !slices.Contains(claims.Audience(), clientID):
		return errors.New("the identity token is for another client")
	case !claims.Expiration().Add(leeway).After(time.Now()): // one without `exp` is of the year 1
		return errors.New("the identity token has expired")
	case given != nonce:
		return errors.New("the identity token has another nonce")
	default:
		return nil
	}
}
