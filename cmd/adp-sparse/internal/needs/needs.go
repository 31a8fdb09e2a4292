// Package needs estimates the memory of a run, and fits the run to a limit.
package needs

import (
	"fmt"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/diagnose"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Work is what a run does, as far as its memory depends on it.
type Work struct {
	Opt                 adp.Options
	Calibrate, Diagnose bool
	Several             bool       // nodes may have several labels
	Beside              int64      // bytes of neither graph nor classes
	Input               *fit.Input // of a mixture, with its seeds; nil for none
	Explain             []int      // nodes that it explains
}

// Bytes estimates the memory of the work on a graph. W and edges that are mapped take none.
func (k Work) Bytes(graph *opened.Graph, classes int) int64 {
	opt := fit.Options{Run: k.Opt, Calibrate: k.Calibrate, Explain: k.Explain, Several: k.Several}
	bytes := fit.EstimateBytes(graph.W, classes, opt)
	if k.Input != nil {
		bytes = fit.PoolBytes(k.Input, graph.Affinity(), opt)
		if k.Input.Edges != graph.W {
			bytes -= graph.Mapped(k.Input.Edges)
		}
	}
	if k.Diagnose {
		bytes = max(bytes, diagnose.Bytes(graph.W, classes, k.Opt, DiagnoseVectors))
	}
	bytes += k.Beside
	return limit.WithRuntime(bytes - graph.W.Bytes() + graph.Held())
}

// convertible is the part of the work's memory that would lie in a mapped file if convert had made one of the edges. A graph
// of features is in no file.
func (k Work) convertible(graph *opened.Graph) int64 {
	switch {
	case graph.Made == nil:
		return graph.Held()
	case k.Input != nil && k.Input.Edges != nil:
		return k.Input.Edges.Bytes() - graph.Mapped(k.Input.Edges)
	}
	return 0
}

// Peak estimates the memory of the work and of reading before it.
func (k Work) Peak(graph *opened.Graph, classes int) int64 {
	return max(limit.WithRuntime(graph.Peak), k.Bytes(graph, classes))
}

// Estimate is the peak that a run tells: that of the work, and the files that are mapped, whose pages stay where memory is free.
func (k Work) Estimate(graph *opened.Graph, classes int) int64 {
	return k.Peak(graph, classes) + graph.MappedBytes()
}

// Unmixed returns what a mixture of edges alone needs where it does not fit the limit and the run without it does, else 0. Such
// a graph is labelled by the run alone: nothing that was asked for is lost.
func Unmixed(l limit.Memory, k Work, graph *opened.Graph, classes int) int64 {
	if k.Input == nil || k.Input.Dense != nil || k.Input.Sparse != nil {
		return 0
	}
	need := k.Bytes(graph, classes)
	k.Opt.ClassColumns = 1 // the least, see Fits
	mixed := k.Bytes(graph, classes)
	if k.Input = nil; min(need, mixed) <= l.Bytes || k.Bytes(graph, classes) > l.Bytes {
		return 0
	}
	return need
}

// Fits returns the work with as many class columns at a time as fit the limit. Work that does not
// fit with one column is an error that names what fits.
func Fits(l limit.Memory, k Work, graph *opened.Graph, classes int) (Work, error) {
	need := k.Bytes(graph, classes)
	for columns := classes / 2; need > l.Bytes && columns > 0; columns /= 2 {
		k.Opt.ClassColumns = columns
		need = k.Bytes(graph, classes)
	}
	if need <= l.Bytes {
		l.Collect(k.Peak(graph, classes))
		return k, nil
	}
	var ways []string
	try := func(way string, bytes int64) {
		if bytes <= l.Bytes && bytes < need {
			ways = append(ways, fmt.Sprintf("%s (%s)", way, figures.Bytes(bytes)))
		}
	}
	if mapped := k.convertible(graph); mapped > 0 {
		try("--graph FILE.csr, which convert makes", need-mapped)
	}
	with := func(change func(*Work)) Work {
		other := k
		change(&other)
		return other
	}
	for threads := rows.Workers(k.Opt.Threads) / 2; threads > 0; threads /= 2 {
		bytes := with(func(k *Work) { k.Opt.Threads = threads }).Bytes(graph, classes)
		if try(fmt.Sprintf("--threads %d", threads), bytes); bytes <= l.Bytes {
			break
		}
	}
	for _, other := range []struct {
		way string
		Work
	}{
		{"without --calibrate and --diagnose", with(func(k *Work) { k.Calibrate, k.Diagnose = false, false })},
		{"--combine none", with(func(k *Work) { k.Input = nil })},
		{"--select fast", with(func(k *Work) { k.Opt.Select = adp.Fast })},
		{"--select none", with(func(k *Work) { k.Opt.Select, k.Input = adp.None, nil })},
		{"--method lgc", Work{Opt: adp.Options{Method: adp.LGC, ClassColumns: 1}, Beside: k.Beside}},
		{"--scratch FOLDER, on a disk", with(func(k *Work) { k.Opt.Scratch, k.Input = ".", nil })},
		{"--scratch FOLDER --reorder none", with(func(k *Work) { k.Opt.Scratch, k.Opt.Order, k.Input = ".", adp.GivenOrder, nil })},
		{"--scratch FOLDER --reorder none --select none", with(func(k *Work) { k.Opt.Scratch, k.Opt.Order, k.Opt.Select, k.Input = ".", adp.GivenOrder, adp.None, nil })},
	} {
		if other.Opt.Scratch != k.Opt.Scratch && !k.Opt.Method.Has(adp.KeepsSparse) {
			continue
		}
		bytes := other.Bytes(graph, classes)
		if try(other.way, bytes); bytes > l.Bytes {
			if mapped := other.convertible(graph); mapped > 0 {
				try(other.way+" with --graph FILE.csr", bytes-mapped)
			}
		}
	}
	help := "nothing that is known makes it fit"
	if len(ways) > 0 {
		help = "what fits: " + strings.Join(ways, "; ")
	}
	return k, limit.Error{Message: fmt.Sprintf("the run needs about %s, the limit is %s (%s); %s", figures.Bytes(need), figures.Bytes(l.Bytes), l.From, help)}
}

// DiagnoseVectors is the number of random vectors of --diagnose.
const DiagnoseVectors = 8
