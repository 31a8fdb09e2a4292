package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// trainer fits the members of a pool to some seeds; they share what they have in common.
type trainer struct {
	*pool
	y            *diffuse.Seeds
	hidden       []diffuse.Seed         // the others
	told         map[member]*foldScores // by [member.key]: of the processes that their runs have tried on this fold, and see [pool.scoreEarly]
	labels       [poolGraphs]*csr.Dense // F of LGC on each graph, shares of rows
	guesses      [poolGraphs]*csr.Dense // G of the alternation
	similar      *csr.Dense             // scores of the kernel ridge, until they are used
	said         *csr.Dense             // P̄ of the teachers
	coefficients map[method]*csr.Dense  // V of the members that are taught, to explain
}

// scores calls take with the centred scores of the members from first on up to end, n×c, but those that are told.
// One block is held at a time, and at the end none of those that members share, unless nodes are to be
// explained by them.
func (t *trainer) scores(ctx context.Context, first, end int, take func(k int, f *csr.Dense)) error {
	for k, m := range t.members[first:end] {
		k += first
		if t.told[m.key()] != nil {
			continue
		}
		f, err := t.score(ctx, m)
		if err != nil {
			return err
		}
		if t == t.whole {
			t.noteKnown(f)
		}
		stack.Centre(f, t.opt.Threads)
		take(k, f)
	}
	if t != t.whole || len(t.asked) == 0 {
		t.labels, t.guesses = [poolGraphs]*csr.Dense{}, [poolGraphs]*csr.Dense{}
	}
	return nil
}

func (t *trainer) score(ctx context.Context, m member) (*csr.Dense, error) {
	if f := t.early[m.key()]; t == t.whole && f != nil {
		delete(t.early, m.key())
		return f, nil
	}
	switch m.method {
	case lgc:
		f, err := t.diffused(ctx, m.graph)
		if err != nil {
			return nil, err
		}
		return f.Clone(), nil
	case process:
		run := t.processes[m.graph]
		if t == t.whole {
			f := run.result.F.Clone()
			stack.Shares(f, t.opt.Threads)
			return f, nil
		}
		if run.spreads(t.opt.Alpha) {
			return t.score(ctx, member{method: lgc, graph: m.graph})
		}
		r, err := adp.Run(ctx, run.w, t.y, run.chosen)
		if err != nil {
			return nil, err
		}
		stack.Shares(r.F, t.opt.Threads)
		return r.F, r.Close()
	case alternate:
		g, err := t.guessed(ctx, m.graph)
		if err != nil {
			return nil, err
		}
		return g.Clone(), nil
	case smoothed:
		g, err := t.guessed(ctx, m.graph)
		if err != nil {
			return nil, err
		}
		return t.smooth(ctx, m.graph, g)
	case ridge:
		return t.ridgeOf(ctx, t.unit[m.graph])
	case plain, centred, summedHops, links, walks:
		return t.ridgeBy(ctx, t.kernels[m.key()])
	case degrees:
		return t.ridgeOf(ctx, t.places[m.graph])
	case unlike:
		return t.byUnlike(ctx, m.graph)
	case kernelRidge:
		return t.byKernel(ctx, t.kernels[m.key()])
	case logistic:
		return t.byLogistic(ctx)
	case forest:
		return t.byForest(ctx, m.graph)
	case bayes:
		return t.byTeachers(ctx, m.method, t.countWords)
	case distilled:
		return t.byTeachers(ctx, m.method, t.distilSaid)
	}
	return nil, fmt.Errorf("fit: no scores of method %q", methodNames[m.method])
}

// diffused returns F of LGC on a graph, as shares. It is solved side by side with those of the
// trainers that come next ([diffuse.Together]), but for one that the run has.
func (t *trainer) diffused(ctx context.Context, graph int) (*csr.Dense, error) {
	if t.graphs[graph] == t.graphs[onSum] && t.run.spreads(t.opt.Alpha) && t.whole.labels[graph] == nil {
		t.whole.labels[graph] = t.run.result.F.Clone()
		stack.Shares(t.whole.labels[graph], t.opt.Threads)
	}
	if t.labels[graph] != nil {
		return t.labels[graph], nil
	}
	g := t.graphs[graph]
	group := t.group(graph)
	starts := []*csr.Dense{csr.NewDense(t.y.Nodes, t.y.Classes)}
	if len(group) > 1 {
		var seeds []*diffuse.Seeds
		for _, other := range group {
			seeds = append(seeds, other.y)
		}
		var err error
		if starts, err = diffuse.Together(ctx, g, g.Degrees, seeds, t.labelOptions(), nil); err != nil {
			return nil, err
		}
	}
	work := diffuse.NewWorkspace(t.y.Nodes, t.y.Classes, t.opt.Threads)
	for k, other := range group {
		if _, err := work.LGC(ctx, starts[k], g, g.Degrees, other.y, other.labelOptions()); err != nil {
			return nil, err
		}
		stack.Shares(starts[k], t.opt.Threads)
		other.labels[graph] = starts[k]
	}
	return t.labels[graph], nil
}

// group returns the trainers whose labels on a graph are solved together with those of t: itself,
// and those after it that still need them.
func (t *trainer) group(graph int) []*trainer {
	group := t.after(func(other *trainer) bool { return other.labels[graph] != nil })
	return group[:diffuse.TogetherOf(t.y.Classes, len(group))]
}

// after returns a trainer, and those that come after it and still need what it needs: up to [seedSets].
func (t *trainer) after(has func(other *trainer) bool) []*trainer {
	group := []*trainer{t}
	if at := slices.Index(t.folds, t); at >= 0 {
		group = append(append(group, t.folds[at+1:]...), t.whole)
	}
	group = append(group[:1], slices.DeleteFunc(group[1:], has)...)
	return group[:min(len(group), int(seedSets(int64(t.y.Nodes))))]
}

// labelOptions are those of an F-step.
func (t *trainer) labelOptions() diffuse.Options {
	return diffuse.Options{Alpha: t.opt.Alpha, Balance: t.opt.Balance, Prior: t.opt.Prior, Tolerance: t.tolerance(), Threads: t.opt.Threads}
}

// The tolerances of the F-steps of a pool: a mixture of methods needs no last digits, and the weights that left-out seeds give it need
// fewer still, see [trainer.tolerance].
const (
	poolTolerance = 1e-4
	foldTolerance = 1e-3
)

// tolerance is that of its F-steps. A residual of ε‖b‖ is an error of about ε√(m/cn) in an entry of F, for m seeds, and a mean entry is
// m/cn: in a fold the error may be a tenth of that.
func (t *trainer) tolerance() float64 {
	if t == t.whole {
		return poolTolerance
	}
	mean := float64(len(t.y.List())) / float64(t.y.Classes) / float64(t.y.Nodes)
	return min(foldTolerance, max(poolTolerance, 0.1*math.Sqrt(mean)))
}
