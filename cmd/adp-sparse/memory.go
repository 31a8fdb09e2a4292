package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
)

// holds refuses a graph file that is read into memory, and not mapped, where
// its entries alone are past the limit.
func holds(l limit.Memory, name string) error {
	if filepath.Ext(name) == ".csr" || name == "-" {
		return nil
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil // reading says what is wrong
	}
	return l.Allows("reading "+name, 2*info.Size())
}

// tooMuch says what can be done about a file that does not fit.
func tooMuch(l limit.Memory, err error) error {
	return limit.Error{Message: fmt.Sprintf("%v; the limit is %s (%s); what needs less: convert --edges FILE --out FILE.csr --memory-limit SIZE, then --graph FILE.csr", err, figures.Bytes(l.Bytes), l.From)}
}

// work is what a run does, as far as its memory depends on it.
type work struct {
	opt                 adp.Options
	calibrate, diagnose bool
	beside              int64 // what is neither graph nor classes
}

// bytes estimates the memory of the work on a graph that has been read; a
// mapped W stays in its file.
func (k work) bytes(graph *graph, classes int) int64 {
	bytes := fit.EstimateBytes(graph.W, classes, fit.Options{Run: k.opt, Calibrate: k.calibrate})
	if k.diagnose {
		bytes = max(bytes, adp.DiagnoseBytes(graph.W, classes, k.opt, diagnoseVectors))
	}
	bytes += k.beside
	return limit.WithRuntime(bytes - graph.W.Bytes() + graph.held())
}

// peak estimates the memory of the work and of reading before it.
func (k work) peak(graph *graph, classes int) int64 {
	return max(limit.WithRuntime(graph.peak), k.bytes(graph, classes))
}

// isMapped reports whether W lies in its file.
func (g *graph) isMapped() bool { return g.file != nil && g.file.Matrix() == g.W }

// held is the memory of a graph that has been read: none where it lies in its file.
func (g *graph) held() int64 {
	if g.isMapped() {
		return 0
	}
	return g.W.Bytes() + g.IDs.Bytes()
}

// mappedBytes is the part of a mapped file that a run reads: it is resident
// where there is room, and needs none.
func (g *graph) mappedBytes() int64 {
	if g.file == nil {
		return 0
	}
	return g.file.Matrix().Bytes() + g.file.IDs().Bytes()
}

// fits returns the work as it fits the limit: with fewer class columns at a time
// where all together do not. What does not fit so either is refused, with what
// would.
func fits(l limit.Memory, k work, graph *graph, classes int) (work, error) {
	need := k.bytes(graph, classes)
	for columns := classes / 2; need > l.Bytes && columns > 0; columns /= 2 {
		k.opt.ClassColumns = columns
		need = k.bytes(graph, classes)
	}
	if need <= l.Bytes {
		l.Collect(k.peak(graph, classes))
		return k, nil
	}
	var ways []string
	try := func(way string, bytes int64) {
		if bytes <= l.Bytes && bytes < need {
			ways = append(ways, fmt.Sprintf("%s (%s)", way, figures.Bytes(bytes)))
		}
	}
	mapped := graph.held()
	if mapped > 0 {
		try("--graph FILE.csr, which convert makes", need-mapped)
	}
	with := func(change func(*work)) work {
		other := k
		change(&other)
		return other
	}
	for _, other := range []struct {
		way string
		work
	}{
		{"without --calibrate and --diagnose", with(func(k *work) { k.calibrate, k.diagnose = false, false })},
		{"--select fast", with(func(k *work) { k.opt.Select = adp.Fast })},
		{"--select none", with(func(k *work) { k.opt.Select = adp.None })},
		{"--method lgc", work{opt: adp.Options{Method: adp.LGC, ClassColumns: 1}, beside: k.beside}},
		{"--scratch FOLDER, on a disk", with(func(k *work) { k.opt.Scratch = "." })},
		{"--scratch FOLDER --reorder none", with(func(k *work) { k.opt.Scratch, k.opt.Order = ".", adp.GivenOrder })},
		{"--scratch FOLDER --reorder none --select none", with(func(k *work) { k.opt.Scratch, k.opt.Order, k.opt.Select = ".", adp.GivenOrder, adp.None })},
	} {
		if other.opt.Scratch != k.opt.Scratch && !k.opt.Method.Has(adp.KeepsSparse) {
			continue
		}
		bytes := other.bytes(graph, classes)
		if try(other.way, bytes); bytes > l.Bytes && mapped > 0 {
			try(other.way+" with --graph FILE.csr", bytes-mapped)
		}
	}
	help := "nothing that is known makes it fit"
	if len(ways) > 0 {
		help = "what fits: " + strings.Join(ways, "; ")
	}
	return k, limit.Error{Message: fmt.Sprintf("the run needs about %s, the limit is %s (%s); %s", figures.Bytes(need), figures.Bytes(l.Bytes), l.From, help)}
}
