package fit

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// taught reports whether a member learns from what the others say. Such members come last in a pool.
func (m member) taught() bool { return m.method == bayes || m.method == distilled }

// teaches reports whether those that are taught hear a member. Walks are scored before the weights are known, and on some folds a run is known of
// the left-out seeds alone; label spreading stands in for it ([trainer.standIns]).
func (m member) teaches() bool { return !m.taught() && m.method != process && m.method != walks }

// untaught returns the number of members that are not taught.
func (p *pool) untaught() int {
	if at := slices.IndexFunc(p.members, member.taught); at >= 0 {
		return at
	}
	return len(p.members)
}

// lesson are the centred scores of a teacher, n×c, and their size.
type lesson struct {
	member int
	scores *csr.Dense
	size   float64
}

// standIns returns the lessons of label spreading in the place of the runs.
func (t *trainer) standIns(ctx context.Context) (lessons []lesson, err error) {
	for k, m := range t.members {
		if m.method != process {
			continue
		}
		f, err := t.score(ctx, member{method: lgc, graph: m.graph})
		if err != nil {
			return nil, err
		}
		stack.Centre(f, t.opt.Threads)
		lessons = append(lessons, lesson{k, f, t.size(m, f)})
	}
	return lessons, nil
}

// listen adds a lesson to
//
//	P̄ = Σ_r w_r P_r,
//
// by the weights and the temperatures of the teachers.
func (t *trainer) listen(l lesson) {
	f, by := l.scores, &t.teachers.Members[l.member]
	if t.said == nil {
		t.said = csr.NewDense(f.Rows, f.Cols)
	}
	rows.Each(f.Rows, t.opt.Threads, func(lo, hi int) {
		one := make([]float64, f.Cols)
		for i := lo; i < hi; i++ {
			z := f.Row(i)
			if !slices.ContainsFunc(z, func(v float32) bool { return v != 0 }) {
				continue // nothing is known
			}
			by.scale().Probabilities(one, z, l.size)
			for j, v := range one {
				t.said.Row(i)[j] += float32(by.Weight * v)
			}
		}
	})
}

// teachFolds scores the left-out seeds by the members that are taught. All folds together weigh the teachers, so that the lessons of the first fold
// wait for the last one.
func (p *pool) teachFolds(ctx context.Context, left *leftOut, lessons [][]lesson) error {
	untaught := p.untaught()
	if untaught == len(p.members) {
		return nil
	}
	if untaught > 0 {
		p.teachers = p.weigh(left, untaught, p.whole.y.Classes)
	}
	for at, t := range p.folds {
		for _, l := range lessons[at] {
			t.listen(l)
		}
		lessons[at] = nil
		if err := t.scores(ctx, untaught, len(p.members), func(k int, f *csr.Dense) { left.take(k, t.hiddenScores(p.members[k], f)) }); err != nil {
			return err
		}
		t.said = nil
	}
	return nil
}

// byTeachers returns the scores X̂V, n×c, of the V that learn makes of P̄, with the known labels in the rows of their nodes.
func (t *trainer) byTeachers(ctx context.Context, m method, learn func(ctx context.Context, said *csr.Dense) (*csr.Dense, error)) (*csr.Dense, error) {
	out := csr.NewDense(t.y.Nodes, t.y.Classes)
	if t.said == nil { // there is no teacher
		return out, nil
	}
	copy(out.Data, t.said.Data)
	tell(out, t.y)
	stack.Shares(out, t.opt.Threads)
	v, err := learn(ctx, out)
	if err != nil {
		return nil, err
	}
	if t == t.whole && len(t.asked) > 0 {
		if t.coefficients == nil {
			t.coefficients = map[method]*csr.Dense{}
		}
		t.coefficients[m] = v
	}
	return out, t.x.Apply(ctx, out, v)
}

// taughtReasons are those of the scores X̂V.
func (t *trainer) taughtReasons(m method) reason {
	v := t.coefficients[m]
	return func(ctx context.Context, why *Why, to *Voice) error {
		return to.sum(ctx, t.x, unitAt(t.y.Nodes, why.Node, 1), difference(v, why), t.dims())
	}
}

// wordCount is a of [diffuse.Bayes], in mean entries of X̂.
const wordCount = 0.1

// countWords returns V of naive Bayes.
func (t *trainer) countWords(ctx context.Context, said *csr.Dense) (*csr.Dense, error) {
	return diffuse.Bayes(ctx, t.x, said, t.count)
}

// distilSaid returns V of the ridge.
func (t *trainer) distilSaid(ctx context.Context, said *csr.Dense) (*csr.Dense, error) {
	return t.distil(ctx, t.x, said, nil)
}
