package gateway

// This file: the answer of a token endpoint. What is required must be right; an
// optional field that is odd is left out, and the tokens reach the caller (contract 8.16).

import (
	"encoding/json"
	"math"
	"strconv"
)

// tokens are what a token endpoint gives. The optional ones are nil when the answer
// lacks them, or has something else in their place.
type tokens struct {
	access, kind             string
	expiresIn                *int32
	refresh, identity, scope *string
}

// tokenAnswer is the answer of a token endpoint, good or bad (RFC 6749), whatever
// is in its fields.
type tokenAnswer struct {
	AccessToken  json.RawMessage `json:"access_token"`
	TokenType    json.RawMessage `json:"token_type"`
	ExpiresIn    json.RawMessage `json:"expires_in"`
	RefreshToken json.RawMessage `json:"refresh_token"`
	IDToken      json.RawMessage `json:"id_token"`
	Scope        json.RawMessage `json:"scope"`
	Error        json.RawMessage `json:"error"`
}

// tokens reads the fields; ok reports whether there is an access token among them.
func (a tokenAnswer) tokens() (_ tokens, ok bool) {
	access, kind := textIn(a.AccessToken), textIn(a.TokenType)
	if access == nil {
		return tokens{}, false
	}
	if kind == nil {
		kind = new("Bearer")
	}
	return tokens{
		access: *access, kind: *kind, expiresIn: secondsIn(a.ExpiresIn),
		refresh: textIn(a.RefreshToken), identity: textIn(a.IDToken), scope: textIn(a.Scope),
	}, true
}

// refusal returns the code of a refusal, "" when there is none.
func (a tokenAnswer) refusal() string {
	if code := textIn(a.Error); code != nil {
		return *code
	}
	return ""
}

// textIn reads a text; nil when it is empty or none.
func textIn(raw json.RawMessage) *string {
	var text string
	if json.Unmarshal(raw, &text) != nil || text == "" {
		return nil
	}
	return &text
}

// secondsIn reads whole seconds from a number, a fraction, or the text of either;
// nil when it is none, or more than a 32-bit number holds.
func secondsIn(raw json.RawMessage) *int32 {
	number := string(raw)
	if text := textIn(raw); text != nil {
		number = *text
	}
	seconds, err := strconv.ParseFloat(number, 64)
	if err != nil || !(seconds >= 0 && seconds <= math.MaxInt32) {
		return nil
	}
	return new(int32(seconds))
}
