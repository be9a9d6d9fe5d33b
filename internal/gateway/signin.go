package gateway

// This file: the sign-in to the provider, an OpenID Connect authorization code
// flow with PKCE (contract 8.10). The state carries what the second step needs, sealed,
// so that any replica can finish what another began.

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"equipment-platform/gen/gatewayapi"
	"equipment-platform/internal/auth"
	"equipment-platform/internal/edge"
)

const (
	stateKeySize  = 32
	stateLifetime = 10 * time.Minute
)

// SignIn says how users sign in to the provider.
type SignIn struct {
	Issuer       string // base URL of the identity host
	ClientID     string
	ClientSecret string // stays here
	RedirectURI  string
	Scopes       string
	// StateKey seals the state, 32 bytes; nil: one is made, which only this
	// process can open.
	StateKey []byte
}

func (s SignIn) configured() bool {
	return s.Issuer != "" && s.ClientID != "" && s.RedirectURI != ""
}

func (s SignIn) endpoint(name string) string {
	return strings.TrimRight(s.Issuer, "/") + "/connect/" + name
}

// state is what the callback brings back.
type state struct {
	Subject  string    `json:"s"`
	Verifier string    `json:"v"`
	Nonce    string    `json:"n"`
	Expires  time.Time `json:"e"`
}

// sealer encrypts and authenticates states.
type sealer struct{ aead cipher.AEAD }

func newSealer(key []byte) (*sealer, error) {
	if len(key) != stateKeySize {
		return nil, fmt.Errorf("the state key has %d bytes instead of %d", len(key), stateKeySize)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &sealer{aead: aead}, err
}

// stateContext keeps a sealed state from being anything else that the same key
// may ever seal.
var stateContext = []byte("provider sign-in state, 1")

func (s *sealer) seal(v state) (string, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, plain, stateContext)), nil
}

func (s *sealer) open(sealed string) (v state, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return v, err
	}
	plain, err := s.aead.Open(nil, nil, raw, stateContext)
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(plain, &v)
}

// GetAuthSettings answers what a front end needs to send the user to sign in.
func (g *Gateway) GetAuthSettings(ctx context.Context, _ gatewayapi.GetAuthSettingsRequestObject) (gatewayapi.GetAuthSettingsResponseObject, error) {
	if !g.signIn.configured() {
		return nil, errNotConfigured("sign-in")
	}
	v := state{
		Subject: auth.FromContext(ctx).Subject, Verifier: secret(), Nonce: secret(),
		Expires: time.Now().Add(stateLifetime),
	}
	sealed, err := g.state.seal(v)
	if err != nil {
		return nil, err
	}
	challenge := sha256.Sum256([]byte(v.Verifier))
	return gatewayapi.GetAuthSettings200JSONResponse{
		AuthorizationEndpoint: g.signIn.endpoint("authorize"),
		ClientId:              g.signIn.ClientID,
		RedirectUri:           g.signIn.RedirectURI,
		ResponseType:          "code",
		Scope:                 g.signIn.Scopes,
		State:                 sealed,
		Nonce:                 v.Nonce,
		CodeChallenge:         base64.RawURLEncoding.EncodeToString(challenge[:]),
		CodeChallengeMethod:   "S256",
	}, nil
}

// secret makes 256 random bits; as a PKCE verifier it has the 43 characters
// that RFC 7636 asks for.
func secret() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

var (
	errState = edge.NewProblem(http.StatusBadRequest, "state_invalid", "The state is not one of this caller, or it has expired: begin the sign-in again.").
			With(map[string]string{"state": "is foreign or expired"})
	errCode = edge.NewProblem(http.StatusBadRequest, "code_invalid", "The identity host does not accept the code: begin the sign-in again.").
		With(map[string]string{"code": "is not accepted"})
)

// ExchangeAuthCode exchanges the authorization code for tokens.
func (g *Gateway) ExchangeAuthCode(ctx context.Context, req gatewayapi.ExchangeAuthCodeRequestObject) (gatewayapi.ExchangeAuthCodeResponseObject, error) {
	if !g.signIn.configured() {
		return nil, errNotConfigured("sign-in")
	}
	if uri := req.Body.RedirectUri; uri != nil && *uri != g.signIn.RedirectURI {
		return nil, edge.InvalidField("redirectUri", "is not the configured one")
	}
	v, err := g.state.open(req.Body.State)
	if err != nil {
		return nil, errState.Because(err)
	}
	mine := subtle.ConstantTimeCompare([]byte(v.Subject), []byte(auth.FromContext(ctx).Subject)) == 1
	if !mine || time.Now().After(v.Expires) {
		return nil, errState
	}
	given, err := g.redeem(ctx, req.Body.Code, v.Verifier)
	if err != nil {
		return nil, err
	}
	if given.identity != nil {
		err := auth.CheckIDToken(*given.identity, g.signIn.Issuer, g.signIn.ClientID, v.Nonce)
		switch {
		case errors.Is(err, auth.ErrMalformedIDToken):
			return nil, errFailed("identity host", err)
		case err != nil:
			return nil, errCode.Because(err)
		}
	}
	return gatewayapi.ExchangeAuthCode200JSONResponse{
		AccessToken: given.access, TokenType: given.kind, ExpiresIn: given.expiresIn,
		RefreshToken: given.refresh, IdToken: given.identity, Scope: given.scope,
	}, nil
}

// redeem asks the identity host for tokens, once: a code must not go out twice.
func (g *Gateway) redeem(ctx context.Context, code, verifier string) (tokens, error) {
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {g.signIn.RedirectURI},
		"client_id": {g.signIn.ClientID}, "client_secret": {g.signIn.ClientSecret}, "code_verifier": {verifier},
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.signIn.endpoint("token"), strings.NewReader(form.Encode()))
	if err != nil {
		return tokens{}, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := g.identity.exchange(req)
	if err != nil {
		return tokens{}, err
	}
	body, err := readAll(resp, maxText)
	if err != nil {
		return tokens{}, err
	}
	var answer tokenAnswer
	_ = json.Unmarshal(bytes.TrimPrefix(body, []byte(byteOrderMark)), &answer) // what is no JSON has no tokens and no error
	given, ok := answer.tokens()
	switch {
	case resp.StatusCode == http.StatusOK && ok:
		return given, nil
	case resp.StatusCode == http.StatusOK:
		return tokens{}, unusable(resp, errors.New("the answer holds no access token"))
	case answer.refusal() == "invalid_grant":
		return tokens{}, errCode
	case resp.StatusCode == http.StatusBadRequest, resp.StatusCode == http.StatusUnauthorized:
		// invalid_client and the like: our settings, not the caller's request
		return tokens{}, edge.NewProblem(http.StatusBadGateway, "upstream_unauthorized", "The identity host does not accept this service.").
			Because(fmt.Errorf("token endpoint: %d", resp.StatusCode))
	default:
		resp.Body = http.NoBody
		return tokens{}, g.identity.refusal(req, resp)
	}
}
