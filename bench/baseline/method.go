package baseline

import (
	"context"
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Kind says what a method learns.
type Kind string

// The kinds of methods, as the paper's sections sort them.
const (
	Propagation Kind = "propagation" // labels on a given graph
	Graph       Kind = "graph"       // a graph from features, then LGC
	Diffusion   Kind = "diffusion"   // a graph from a graph, then LGC
	Inductive   Kind = "inductive"   // a function of features
	Alternating Kind = "alternating" // graph and labels together: ADP
	Variant     Kind = "variant"     // a row at another setting
)

// Problem is what a method is given: points, their graph, and the labels of
// a few of them.
type Problem struct {
	*Data
	Seeds *diffuse.Seeds
}

// Method is a row of the comparison.
type Method struct {
	Name      string
	Kind      Kind
	Reference string
	// Assumed says what the published texts leave open and how it was
	// filled here; empty where nothing was.
	Assumed string
	// Label returns the class of each of the n points, -1 for a point that
	// no label reaches.
	Label func(ctx context.Context, p *Problem) ([]int32, error)
}

// Methods returns all methods, in the order of the tables.
func Methods() []Method {
	return slices.Concat(propagation(), graphs(), diffusions(), inductive(), alternating())
}

// Select returns the methods and [Variants] with the given names, in the order
// of the tables, or all methods for no names.
func Select(names []string) ([]Method, error) {
	all := Methods()
	if len(names) == 0 {
		return all, nil
	}
	all = append(all, Variants()...)
	var known []string
	for _, m := range all {
		known = append(known, m.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("method %q, expected one of %v", name, known)
		}
	}
	return slices.DeleteFunc(all, func(m Method) bool { return !slices.Contains(names, m.Name) }), nil
}
