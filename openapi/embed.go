// Package openapi embeds the hand-written contracts so that the services can
// publish exactly the files that people read.
package openapi

import (
	_ "embed"

	"github.com/getkin/kin-openapi/openapi3"
)

// Catalog is the published contract of the catalog service, as written.
//
//go:embed catalog.yaml
var Catalog []byte

// Files is the contract of the file service, as far as the web app needs one.
//
//go:embed files.yaml
var Files []byte

// Load parses a contract. It is a few MiB when parsed: whoever starts a service
// does it once and passes it on.
func Load(document []byte) (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(document)
}
