// Package methodflags has the values of flags of methods that several commands take.
package methodflags

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Orders are the values of --reorder.
var Orders = map[string]adp.Order{"auto": adp.AutoOrder, "none": adp.GivenOrder, "degree": adp.DegreeOrder, "cluster": adp.ClusterOrder}

// Has reports whether the method of a name has a trait.
func Has(method string, t adp.Trait) bool {
	m, err := adp.ParseMethod(method)
	return err == nil && m.Has(t)
}

// Selects are the values of --select.
var Selects = map[string]adp.Select{"auto": adp.Auto, "fast": adp.Fast, "full": adp.Full, "none": adp.None}

// Combines are the values of --combine.
var Combines = map[string]fit.Combine{"auto": fit.AutoCombine, "none": fit.NoCombine}

// PlainRun are the options of run without flags, for commands that speak of its answer.
func PlainRun(threads int) fit.Options {
	return fit.Options{Run: adp.Options{Threads: threads}}
}

// BalanceOf is how a --class-prior weighs the classes.
func BalanceOf(prior string) diffuse.Balance {
	if prior == unweighed {
		return diffuse.Unbalanced
	}
	return diffuse.Balanced
}

// unweighed is the --class-prior of classes that are not weighed.
const unweighed = "none"
