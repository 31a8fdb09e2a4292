// Package edgejson reads and writes edge lists as JSON lines, an object an edge:
//
//	{"src": "anna", "dst": "ben", "weight": 0.5}
//
// Ids, weights, duplicates and the order of nodes follow the rules of package csr/edgelist.
package edgejson

import "github.com/adp-sparse/adp-sparse/internal/lines"

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax

// ErrName is wrapped when an id cannot be written.
var ErrName = lines.ErrName
