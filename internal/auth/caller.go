// Package auth turns bearer tokens into callers. It is the only package that
// imports the JWT library, so that a move to another one touches nothing else.
//
// This file: who the caller is, and how handlers learn it.
package auth

import (
	"context"
	"slices"
)

// Caller is the authenticated user of a request. The zero value is an
// anonymous caller.
type Caller struct {
	// Subject is the `sub` claim (contract 5.5): the user id that becomes the owner of
	// vehicles and the author of ratings. Empty for an anonymous caller.
	Subject string
	// Roles are the caller's roles without the ROLE_ prefix (contract 5.2).
	Roles []string
}

// Anonymous tells whether the request carried no token.
func (c Caller) Anonymous() bool { return c.Subject == "" }

// HasRole tells whether the caller has at least one of the roles.
func (c Caller) HasRole(roles ...string) bool {
	return slices.ContainsFunc(roles, func(r string) bool { return slices.Contains(c.Roles, r) })
}

// IsAdmin tells whether the caller is ADMIN or SUPERADMIN, who see and may
// change every record (contract 2.13, contract 2.14).
func (c Caller) IsAdmin() bool { return c.HasRole("ADMIN", "SUPERADMIN") }

type callerKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// FromContext returns the caller of the request, anonymous when there is none.
func FromContext(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
