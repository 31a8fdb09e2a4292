package fit

import (
	"context"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestKept: a model has what the run left, and says of new points what the run said of the same features, which may be in any units.
func TestKept(t *testing.T) {
	ctx := context.Background()
	in := cloud(t, 150, 3, 6, 8) // columns of two scales
	x := diffuse.Features{Dense: in.Dense}
	starts := 0
	for name, c := range map[string]struct {
		edges *csr.Matrix
		opt   Options
	}{
		"a mixture":  {nil, Options{Guess: true, Run: adp.Options{KeepFirst: true}, Graph: GraphOptions{Joinable: true, Scale: ScaledColumns}}},
		"one method": {nil, Options{Combine: NoCombine, Graph: GraphOptions{Joinable: true, Scale: ScaledColumns}}},
		"with edges": {in.Edges, Options{Guess: true, Run: adp.Options{KeepFirst: true}, Graph: GraphOptions{Joinable: true}}},
	} {
		in.Edges = c.edges
		r, err := Run(ctx, in, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		m := r.Model(adp.ADP, ids.Sequence(150), []string{"a", "b", "c"}, model.FeaturesOf(x, r.Affinity.Scaling), 2)
		if m.Joins == nil || m.F != r.F || (m.Edges != nil) != (c.edges != nil) || m.Start != map[bool]*csr.Dense{false: r.First}[r.First == r.F] || m.Rounds != len(r.Rounds)-1 {
			t.Errorf("%s: joins %v, edges %v, start %v, %d rounds", name, m.Joins != nil, m.Edges, m.Start != nil, m.Rounds)
		}
		if m.Start != nil {
			starts++
		}
		if name != "with edges" && m.Features.Scaling == nil {
			t.Errorf("%s: the columns are not scaled", name)
		}
		p, err := m.NewPredictor(ctx, x, 2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Predict(ctx, x, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		alike := 0
		for i, label := range got.Labels {
			if label == r.Labels[i] {
				alike++
			}
		}
		if alike < 140 {
			t.Errorf("%s: %d of 150 points get the label that the run gave them", name, alike)
		}
		if c.opt.Combine != NoCombine {
			continue
		}
		scaled := r.Affinity.Scaling.Apply(in.Dense, 1)
		index, err := m.Joins.Index(scaled, 1)
		if err != nil {
			t.Fatal(err)
		}
		near, err := index.Nearest(ctx, scaled, m.Joins.Search)
		if err != nil {
			t.Fatal(err)
		}
		w, err := m.Joins.Weights(near, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := adp.Predict(r.F, m.Degrees, w, m.Alpha, 0, 1); !slices.Equal(got.F.Data, want.F.Data) {
			t.Errorf("%s: another F than one step over the nearest scaled vectors", name)
		}
	}
	if starts == 0 {
		t.Error("no model has an F to start from")
	}
}
