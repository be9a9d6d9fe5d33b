// Package demo carries the demo catalogue with its search judgments, and loads it
// through the catalog's own operations. Nothing of the development stack belongs
// in it: `catalog seed` is part of the production program.
//
// This file: the data. load.go turns records into requests.
package demo

import "embed"

// Data holds one JSON array per file: groups, categories, units, params, tags,
// types, vehicles and search-judgments. Records refer to each other by readable
// keys, never by ids; a loader makes the ids.
//
//go:embed *.json
var Data embed.FS
