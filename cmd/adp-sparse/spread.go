package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// spreadFlags are the flags of commands that spread labels (LGC) on a graph, or on the one
// that run learned on it.
type spreadFlags struct {
	graphFlags
	learned, balance, prior string
	opt                     diffuse.Options
}

func (f *spreadFlags) bindSpread(cmd *cobra.Command) {
	f.bind(cmd)
	f.bindLimit(cmd)
	flags := cmd.Flags()
	flags.Float64Var(&f.opt.Alpha, "alpha", 0.99, "diffusion weight α of the labels, between 0 and 1")
	flags.StringVar(&f.balance, "balance", "degree", "weigh classes by the degrees of their seeds: degree or none")
	flags.StringVar(&f.learned, "learned", "", "the graph that run --graph-out wrote, "+format.Learned()+": labels are spread on it, as by run")
	flags.StringVar(&f.prior, "class-prior", "equal", "expected class sizes that the run had: equal, seeds, or "+priorPairs)
}

func (f *spreadFlags) checkSpread() (err error) {
	if !(f.opt.Alpha > 0 && f.opt.Alpha < 1) {
		return usage.Errorf("--alpha %v, expected between 0 and 1, both excluded", f.opt.Alpha)
	}
	if f.opt.Balance, err = usage.Choose("balance", f.balance, balances); err != nil {
		return err
	}
	if err := checkPrior(f.features.given, f.opt.Balance); err != nil {
		return err
	}
	return f.check()
}

// spread is what labels are spread on.
type spread struct {
	graph   *graph         // as given
	learned *graph         // the same where none was learned
	normal  *diffuse.Graph // S of the learned one
	labels  *labelfile.Labels
	seeds   *diffuse.Seeds
	opt     diffuse.Options
}

// with reads the graphs and the labels, of which there may be none, and passes them on.
func (f *spreadFlags) with(ctx context.Context, std streams.Stdio, do func(*spread) error) error {
	given, err := f.read(ctx, std)
	if err != nil {
		return err
	}
	defer given.close()
	if f.learned == "" {
		return given.guard(func() error { return f.prepare(std, given, given, do) })
	}
	var learned *graph
	if err := given.guard(func() error {
		learned, err = f.readLearned(std, given)
		return err
	}); err != nil {
		return err
	}
	defer learned.close()
	return given.guard(func() error {
		return learned.guard(func() error { return f.prepare(std, given, learned, do) })
	})
}

// prepare reads the labels, and passes on what they are spread on.
func (f *spreadFlags) prepare(std streams.Stdio, given, learned *graph, do func(*spread) error) (err error) {
	s := &spread{graph: given, learned: learned, opt: f.opt}
	s.opt.Threads = f.threads
	if f.labels != "" {
		if s.labels, err = f.readLabels(std, given); err != nil {
			return err
		}
		if s.seeds, err = diffuse.NewSeeds(given.IDs.Len(), len(s.labels.Classes), s.labels.Seeds); err != nil {
			return err
		}
		if s.opt.Prior, err = statedPrior(f.prior, s.labels.Classes, s.seeds); err != nil {
			return err
		}
	}
	if err := f.memory.Allows("spreading labels", s.bytes()); err != nil { // before S is made
		return err
	}
	s.normal = diffuse.Normalize(learned.W, f.threads)
	if learned != given { // classes are balanced in the components of the given one
		s.opt.Within = diffuse.PartsOf(given.W, f.threads)
	}
	return do(s)
}

// bytes is the memory of the graphs, S, degrees and components.
func (s *spread) bytes() int64 {
	bytes := s.graph.held() + 4*int64(s.learned.W.NNZ()) + 24*int64(s.graph.IDs.Len())
	if s.learned != s.graph {
		bytes += s.learned.held()
	}
	return bytes
}

// class returns the name of a class, "" for none.
func (s *spread) class(j int32) string {
	if j < 0 {
		return ""
	}
	return s.labels.Classes[j]
}

// readLearned reads the learned graph of a graph, whose nodes it has in any order.
func (f *spreadFlags) readLearned(std streams.Stdio, given *graph) (*graph, error) {
	of, ok := format.ByName(f.learned)
	if !ok || !format.KeepsLearned(of) {
		return nil, usage.Errorf("--learned %q, expected %s, as run --graph-out writes them: an edge list loses the diagonal of a learned graph", f.learned, format.Learned())
	}
	from := graphFlags{graph: f.learned, learned: true, threads: f.threads, memory: f.memory}
	learned, err := from.readGraph(std)
	if err != nil {
		return nil, err
	}
	if err := learned.guard(func() error { return learned.orderAs(given, of.Names, f.learned, f.source(), f.threads) }); err != nil {
		return nil, errors.Join(err, learned.close())
	}
	return learned, nil
}

// orderAs brings the nodes of g into the order of another graph's, in which they are if
// they have no names.
func (g *graph) orderAs(other *graph, named bool, name, otherName string, threads int) error {
	n := g.IDs.Len()
	if m := other.IDs.Len(); n != m {
		return &lines.Error{File: name, Msg: fmt.Sprintf("%s nodes, expected the %s of %s", figures.Count(n), figures.Count(m), otherName)}
	}
	if !named {
		return nil
	}
	order, moved := make([]uint32, n), false
	for i := range order {
		at, ok := g.IDs.Lookup([]byte(other.IDs.Name(i)))
		if !ok {
			return &lines.Error{File: name, Msg: fmt.Sprintf("no node %s, which %s has: expected the graph that was learned on it", lines.Quote([]byte(other.IDs.Name(i))), otherName)}
		}
		order[i] = at
		moved = moved || int(at) != i
	}
	if moved {
		g.W = csr.Permute(g.W, order, threads)
	}
	return nil
}
