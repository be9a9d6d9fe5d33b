package devstack

// This file: what `make run` says when everything is up: addresses, tokens,
// commands.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"equipment-platform/internal/auth"
)

const tokenLife = 30 * 24 * time.Hour

// people are the ready-made development users: an owner of demo vehicles, a
// customer of demo orders, an admin, and one for the document exchange.
func (s Stack) people() ([]Person, error) {
	key, err := auth.LoadDevKey(s.DevKey)
	if err != nil {
		return nil, err
	}
	people := []Person{
		{Name: "admin", Subject: "admin-01", Roles: []string{"ADMIN"}},
		{Name: "owner", Subject: "owner-01", Roles: []string{"USER"}},
		{Name: "customer", Subject: "customer-01", Roles: []string{"USER"}},
		{Name: "manager", Subject: "manager-01", Roles: []string{"MANAGER"}},
	}
	for i := range people {
		people[i].Token, err = key.Sign(auth.DevClaims{
			Subject: people[i].Subject, Roles: people[i].Roles, TTL: tokenLife,
			Issuer: s.Variables["AUTH_ISSUER"], Audience: s.Variables["AUTH_AUDIENCE"],
		})
		if err != nil {
			return nil, err
		}
	}
	return people, nil
}

func (s Stack) summary(_ context.Context, r *running) error {
	people, err := s.people()
	if err != nil {
		return err
	}
	tokens := filepath.Join(s.Dir, "tokens")
	if err := os.MkdirAll(tokens, 0o700); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, `
The platform is running.

  web app            http://%s
  catalog            http://%s     docs: http://%[2]s/docs
  gateway            http://%s     docs: http://%[3]s/docs
  provider sandbox   http://%s
  file service       %s
  logs               %s

Bearer tokens, also in %s:
`, s.WebAddr, catalogAddr, gatewayAddr, sandboxAddr, s.FilesURL, r.logs, tokens)
	for _, p := range people {
		if err := os.WriteFile(filepath.Join(tokens, p.Name), []byte(p.Token+"\n"), 0o600); err != nil {
			return err
		}
		fmt.Fprintf(s.Out, "  %-9s %s\n", p.Name, p.Token)
	}
	fmt.Fprintf(s.Out, `
Try:
  curl -s http://%[1]s/api/v1/vehicles?size=2
  curl -s http://%[1]s/api/v1/vehicles/semantic-search -H 'Content-Type: application/json' -d '{"query": "dig a trench in a narrow yard", "topK": 3}'
  curl -s 'http://%[1]s/api/v1/vehicles?view=own' -H "Authorization: Bearer $(cat %[2]s/owner)"

Ctrl-C stops everything; the data is kept in %[3]s.
`, catalogAddr, tokens, s.Dir)
	return nil
}
