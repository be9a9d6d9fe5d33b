package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"equipment-platform/internal/auth"
	"equipment-platform/internal/config"
	"equipment-platform/internal/program"
)

// jwksCommand prints the public half of the development key, for
// AUTH_JWKS_URL=file://….
func jwksCommand() *cobra.Command {
	return program.Describes(&cobra.Command{
		Use: "jwks", Short: "Print the JWKS of the development key; refused in production", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := config.Load[config.Token]()
			if err != nil {
				return err
			}
			if settings.Process.Production() {
				return errors.New("development keys are refused in production")
			}
			key, err := auth.LoadDevKey(settings.Development.DevKey)
			if err != nil {
				return err
			}
			raw, err := key.JWKS()
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(raw)
			return err
		},
	}, config.Describe[config.Token])
}

func tokenCommand() *cobra.Command {
	var sub, roles string
	var ttl time.Duration
	c := &cobra.Command{
		Use: "token", Short: "Print a signed development token; refused in production", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			settings, err := config.Load[config.Token]()
			if err != nil {
				return err
			}
			if settings.Process.Production() {
				return errors.New("development tokens are refused in production")
			}
			if ttl <= 0 {
				return errors.New("--ttl must be positive")
			}
			key, err := auth.LoadDevKey(settings.Development.DevKey)
			if err != nil {
				return err
			}
			token, err := key.Sign(auth.DevClaims{
				Subject: sub, Roles: strings.FieldsFunc(roles, func(r rune) bool { return r == ',' || r == ' ' }), TTL: ttl,
				Issuer: settings.Issuer, Audience: settings.Audience,
			})
			if err != nil {
				return fmt.Errorf("--sub: %w", err)
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), token)
			return err
		},
	}
	c.Flags().StringVar(&sub, "sub", "", "user id")
	c.Flags().StringVar(&roles, "roles", "USER", "roles, separated by commas")
	c.Flags().DurationVar(&ttl, "ttl", 24*time.Hour, "how long the token is valid")
	return program.Describes(c, config.Describe[config.Token])
}
