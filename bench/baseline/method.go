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
	Label labeller
}

type labeller = func(context.Context, *Problem) ([]int32, error)

// labelled labels by what is learned, such as a graph.
func labelled[A any](learn func(context.Context, *Problem) (A, error), label func(*Problem, context.Context, A) ([]int32, error)) labeller {
	return func(ctx context.Context, p *Problem) ([]int32, error) {
		a, err := learn(ctx, p)
		if err != nil {
			return nil, err
		}
		return label(p, ctx, a)
	}
}

// Methods returns all methods, in the order of the tables.
func Methods() []Method {
	return slices.Concat(propagation(), graphs(), diffusions(), inductive(), alternating())
}

// Select returns the methods and [Variants] with the given names, in the order
// of the tables, or all methods for no names.
func Select(names []string) ([]Method, error) {
	if len(names) == 0 {
		return Methods(), nil
	}
	return named("method", append(Methods(), Variants()...), func(m Method) string { return m.Name }, names)
}

// named returns those of all that have one of the names, in their order.
func named[T any](what string, all []T, nameOf func(T) string, names []string) ([]T, error) {
	var known []string
	for _, x := range all {
		known = append(known, nameOf(x))
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s %q, expected one of %v", what, name, known)
		}
	}
	return slices.DeleteFunc(all, func(x T) bool { return !slices.Contains(names, nameOf(x)) }), nil
}
