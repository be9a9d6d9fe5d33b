// Package demo carries the demo catalogue and its search judgments as data.
// Nothing but the embedded files belongs in it: what they become (ids, rows,
// passages) is decided by those who load them.
package demo

import "embed"

// Data holds one JSON array per file: groups, categories, units, params, tags,
// types, vehicles and search-judgments. Records refer to each other by readable
// keys, never by ids; a loader makes the ids.
//
//go:embed *.json
var Data embed.FS
