package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// readModel reads a model, in place where that can be.
func readModel(name string, std streams.Stdio) (m *model.Model, err error) {
	err = inputs.Read(name, std, func(r io.Reader, shown string, size int64) error {
		plain, size, err := format.Decompress(r, shown, size)
		if err != nil {
			return err
		}
		if at, ok := plain.(io.ReaderAt); ok && size >= 0 {
			m, err = model.Read(at, shown, size)
		} else {
			m, err = model.ReadStream(plain, shown)
		}
		return err
	})
	return m, err
}

// checkForModel refuses names that a model, whose text is JSON, cannot hold: predict would not
// find what they name.
func (f *featureFlags) checkForModel() error {
	for _, flag := range []struct {
		name   string
		values []string
	}{
		{"features", []string{f.file}},
		{"array", []string{f.array}},
		{"id-column", []string{f.pick.id}},
		{"feature-columns", f.pick.only},
		{"drop-columns", f.pick.drop},
	} {
		for _, value := range flag.values {
			if !utf8.ValidString(value) {
				return usage.Errorf("--%s %s is not UTF-8, and --model keeps the name for predict: give it another one", flag.name, lines.Quote([]byte(value)))
			}
		}
	}
	return nil
}

// writeModel writes what the run found for later.
func (f *runFlags) writeModel(out *outputs.Set, graph *graph, labels *labelfile.Labels, result *fit.Result) error {
	if f.model == "" {
		return nil
	}
	chosen := result.Rounds[result.Chosen]
	m := &model.Model{
		Program: program.Version(), Method: f.method, Alpha: chosen.Alpha,
		Choice: chosen.Setting,
		Rounds: len(result.Rounds) - 1, SeedPrior: result.OfSeeds,
		Products: result.Rounds[0].Solve.Iterations,
		Classes:  labels.Classes, Nodes: graph.IDs, Several: f.multilabel,
		F: result.F, Degrees: result.Degrees(graph.W, f.opt.Method, f.threads),
		Features: graph.Features, Joins: graph.Joins,
	}
	if f.old != nil {
		m.Rounds, m.Products = f.old.Rounds, f.old.Products // of the run that started from nothing
	}
	if result.First != result.F {
		m.Start = result.First
	}
	return out.Write(f.model, m.Write)
}

// warmFacts say where a run started.
type warmFacts struct {
	File  string `json:"file"`
	Nodes int    `json:"known_nodes"` // that the model has too
	// Products of S in round 0, and in that of the run without a start that the
	// model goes back to.
	Products     int `json:"products"`
	FromNothing  int `json:"products_from_nothing"`
	SavedPercent int `json:"saved_percent"`
	// KeptChoice says that the choice of the model's run was kept, and not made
	// anew: of ADP. Rounds and RoundsFromNothing are A-steps, without those on left-out
	// seeds.
	KeptChoice        bool `json:"kept_choice"`
	Rounds            int  `json:"rounds"`
	RoundsFromNothing int  `json:"rounds_from_nothing"`
	// Graph is of vectors, else nil. OtherGraph says on what the choice was made where
	// that is another kind of graph.
	Graph      *keptGraph `json:"graph,omitempty"`
	OtherGraph string     `json:"other_graph,omitempty"`

	leftOut bool // seeds were, for whatever purpose
}

// readWarm reads the model that the run starts from, if any, before the graph is made as
// it says.
func (f *runFlags) readWarm(std streams.Stdio) (err error) {
	if f.warm == "" {
		return nil
	}
	if f.old, err = readModel(f.warm, std); err != nil {
		return err
	}
	if f.old.Start != nil {
		f.old.F = nil // nothing starts from it
	}
	f.kept = f.features.keep(f.old)
	return nil
}

// oldBytes are those of the model while the graph is made.
func (f *runFlags) oldBytes() int64 {
	if f.old == nil {
		return 0
	}
	n, c := int64(f.old.Nodes.Len()), int64(len(f.old.Classes))
	return f.old.Nodes.Bytes() + 4*n*c
}

// readBeside reads the graph beside what is held already.
func (f *runFlags) readBeside(ctx context.Context, std streams.Stdio, held int64) (*graph, error) {
	limit := f.memory
	if held > 0 {
		f.memory.Bytes = max(limit.Bytes-held, 1)
	}
	graph, err := f.read(ctx, std)
	if f.memory = limit; err == nil {
		graph.peak += held
	}
	return graph, err
}

// start starts the run from the model, if any.
func (f *runFlags) start(graph *graph, labels *labelfile.Labels) *warmFacts {
	f.opt.KeepFirst = f.model != ""
	if f.old == nil {
		return nil
	}
	var start *csr.Dense
	facts := &warmFacts{File: f.warm, FromNothing: f.old.Products, RoundsFromNothing: f.old.Rounds, Graph: f.kept}
	if f.kept != nil {
		f.kept.Chosen = len(graph.KNN.Choice) > 0
	}
	facts.leftOut = f.calibrate != "off" || f.kept != nil && f.kept.Chosen
	if f.opt.Method.Has(adp.Tries) {
		facts.KeptChoice, facts.OtherGraph = true, otherGraph(f.old, graph.KNN)
		f.opt.Alpha = f.old.Alpha
		if f.old.Choice.TopK == 0 {
			f.method, f.opt.Method = "lgc", adp.LGC
		} else {
			f.opt = f.opt.Alone(f.old.Choice)
		}
	}
	if start, facts.Nodes = f.old.From(graph.IDs, labels.Classes); facts.Nodes > 0 {
		f.opt.Start = start
	}
	f.old.F, f.old.Start, f.old.Nodes = nil, nil, nil // what is left is small
	return facts
}

// kept reports whether the choice of an earlier run was kept.
func (w *warmFacts) kept() bool { return w != nil && w.KeptChoice }

// finish fills in what round 0 cost.
func (w *warmFacts) finish(rounds []adp.Round) {
	if w == nil {
		return
	}
	w.Products, w.Rounds = rounds[0].Solve.Iterations, len(rounds)-1
	if w.FromNothing > 0 && w.Nodes > 0 {
		w.SavedPercent = max(0, 100*(w.FromNothing-w.Products)/w.FromNothing)
	}
}

func (w *warmFacts) print(to io.Writer, nodes int) {
	if w == nil {
		return
	}
	var text bytes.Buffer
	if w.Nodes == 0 {
		fmt.Fprintf(&text, "%s has none of the %s nodes: round 0 started from nothing", w.File, figures.Count(nodes))
	} else {
		fmt.Fprintf(&text, "round 0 started from %s, which has %s of %s nodes: %d products, %d from nothing", w.File, figures.Count(w.Nodes), figures.Count(nodes), w.Products, w.FromNothing)
		if w.FromNothing > 0 {
			fmt.Fprintf(&text, " (%d %% saved)", w.SavedPercent)
		}
	}
	if w.KeptChoice {
		fmt.Fprintf(&text, "; its choice was kept: %d rounds in place of %d", w.Rounds, w.RoundsFromNothing)
		if !w.leftOut {
			text.WriteString(", and no left-out seeds")
		}
	}
	w.Graph.print(&text)
	fmt.Fprintln(to, streams.Clean(text.String()))
}
