// Package openapi embeds the hand-written contracts so that the services can
// publish exactly the files that people read.
package openapi

import _ "embed"

// Catalog is the published contract of the catalog service, as written.
//
//go:embed catalog.yaml
var Catalog []byte
