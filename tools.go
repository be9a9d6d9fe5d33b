//go:build tools

// Package tools pins the versions of the code generators that `make generate`
// runs: being imported here keeps them in go.mod and go.sum with checksums.
package tools

import (
	_ "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"
	_ "github.com/sqlc-dev/sqlc/cmd/sqlc"
)
