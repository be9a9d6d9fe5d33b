// Package sql embeds the schema migrations, so that `catalog migrate` needs
// nothing but its binary.
package sql

import "embed"

// Migrations holds migrations/*.sql for golang-migrate.
//
//go:embed migrations/*.sql
var Migrations embed.FS
