// Package lint holds the house rules that a test can check: who may import whom.
// CONTRIBUTING.md and docs/design.md say why.
package lint
