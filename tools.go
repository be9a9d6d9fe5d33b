//go:build tools

// Package tools pins the versions of the programs that the Makefile runs, code
// generators and the test runner: being imported here keeps them in go.mod and
// go.sum with checksums.
package tools

import (
	_ "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen"
	_ "github.com/sqlc-dev/sqlc/cmd/sqlc"
	_ "gotest.tools/gotestsum"
)
