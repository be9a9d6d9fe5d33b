package main

// This file: attacks among the faults.

import (
	"context"

	"github.com/google/uuid"

	"equipment-platform/internal/auth"
	"equipment-platform/verify/hostile/attack"
	"equipment-platform/verify/steady"
)

// attacks are what one caller does to the services while the others work, each for a while. What
// was acknowledged stays, and what was refused may be tried again.
func (p *platform) attacks(l *steady.Load) (faults []fault) {
	user, err := l.Token(auth.DevClaims{Subject: "attacker", Roles: []string{"USER"}})
	if err != nil {
		panic(err)
	}
	manager, err := l.Token(auth.DevClaims{Subject: "attacker", Roles: []string{"MANAGER"}})
	if err != nil {
		panic(err)
	}
	for _, a := range attack.All() {
		if a.Special {
			continue
		}
		faults = append(faults, fault{"attack: " + a.Name, func(ctx context.Context) error {
			target := attack.Target{
				Catalog: "http://" + p.addr["catalog"], Gateway: "http://" + p.addr["gateway"], User: user, Manager: manager, Admin: l.Admin,
				Type: l.Type, Large: l.Type, Params: []string{uuid.NewString()}, Tags: []string{uuid.NewString()}, Vehicles: l.Vehicles(),
			}
			ctx, end := context.WithTimeout(ctx, faultTime)
			defer end()
			a.Run(ctx, attack.New(target))
			return nil
		}})
	}
	return faults
}
