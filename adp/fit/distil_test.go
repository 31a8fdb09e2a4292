package fit

import (
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// TestDistilled: the scores are those of the ridge that the other methods but the run teach, with known labels in their rows, by the normal
// equations in float64; and they are the same for any number of threads.
func TestDistilled(t *testing.T) {
	in, _ := words(t, 200, 3, 30, 0.8, 6)
	in.Edges = nil
	g, err := NewGraph(t.Context(), in, GraphOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const asked = 150
	scored := func(threads int, pool ...string) *Why {
		own := in
		r, err := LabelInput(t.Context(), own, g, Options{Pool: pool, Explain: []int{asked}, Run: adp.Options{Threads: threads}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Why[0]
	}
	all := []string{"adp:sum", "ridge:sum", "dr:sum", "distilled:sum"}
	got := scored(1, all...)
	for _, threads := range []int{2, 3, 8} {
		if again := scored(threads, all...); !slices.Equal(again.Members[3].Scores, got.Members[3].Scores) {
			t.Errorf("%d threads: scores %v, of one thread %v", threads, again.Members[3].Scores, got.Members[3].Scores)
		}
	}
	if alone := scored(1, "distilled:sum"); alone.Members[0].Known {
		t.Errorf("with nobody to listen to it says %+v", alone.Members[0])
	}

	n, c := in.Nodes(), in.Seeds.Classes
	said := make([][]float64, n)
	for i := range said {
		said[i] = make([]float64, c)
	}
	p := poolOf(t, in, g, all...)
	for k, m := range p.members[1:3] {
		f, err := p.whole.score(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		lessMean(f)
		square, count := 0.0, 0
		for i := range n {
			if row := f.Row(i); slices.ContainsFunc(row, func(v float32) bool { return v != 0 }) {
				for _, v := range row {
					square += float64(v) * float64(v)
				}
				count += c
			}
		}
		size := math.Sqrt(square / float64(count))
		for i := range n {
			total := 0.0
			for _, v := range f.Row(i) {
				total += math.Exp(2 * float64(v) / size)
			}
			for j, v := range f.Row(i) {
				said[i][j] += p.members[k+1].prior * (0.98*math.Exp(2*float64(v)/size)/total + 0.02/float64(c))
			}
		}
	}
	for i, known := range in.Seeds.Mask() {
		if known {
			clear(said[i])
		}
	}
	for _, s := range in.Seeds.List() {
		said[s.Node][s.Class] = 1
	}
	targets, unit := oracle.New(n, c), oracle.New(n, 0)
	_, d := in.Sparse.Dims()
	for i := range n {
		total, length := 0.0, 0.0
		for _, v := range said[i] {
			total += v
		}
		for j, v := range said[i] {
			targets[i][j] = v/total - 1/float64(c)
		}
		unit[i] = make([]float64, d)
		for j := range d {
			unit[i][j] = in.Sparse.At(i, j)
			length += unit[i][j] * unit[i][j]
		}
		for j := range d {
			unit[i][j] /= math.Sqrt(length)
		}
	}
	gram := oracle.Mul(oracle.Transpose(unit), unit)
	for j := range d {
		gram[j][j]++
	}
	want := oracle.Mul(unit, oracle.Mul(oracle.Inverse(gram), oracle.Mul(oracle.Transpose(unit), targets)))[asked]
	mean := (want[0] + want[1] + want[2]) / 3
	for j, v := range got.Members[3].Scores {
		if math.Abs(v-(want[j]-mean)) > 1e-4 {
			t.Errorf("class %d has the score %v, expected %v", j, v, want[j]-mean)
		}
	}
	voice := got.Members[3]
	if lead := voice.Scores[got.Label] - voice.Scores[got.RunnerUp]; math.Abs(voice.Columns.Total-lead) > 1e-4 || math.Abs(voice.Nodes.Total-lead) > 1e-4 {
		t.Errorf("the parts add up to %v and %v, the score is ahead by %v", voice.Columns.Total, voice.Nodes.Total, lead)
	}
}

// lessMean takes the mean from each row.
func lessMean(f *csr.Dense) {
	for i := range f.Rows {
		sum := float32(0)
		for _, v := range f.Row(i) {
			sum += v / float32(f.Cols)
		}
		for j := range f.Row(i) {
			f.Row(i)[j] -= sum
		}
	}
}

// poolOf returns a pool with what its members need.
func poolOf(t *testing.T, in Input, g *Graph, names ...string) *pool {
	t.Helper()
	run, err := adp.Run(t.Context(), g.W, in.Seeds, adp.Options{Method: adp.LGC})
	if err != nil {
		t.Fatal(err)
	}
	r := &Result{Result: run}
	p, _, err := r.enter(t.Context(), &in, g, Options{Pool: names})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
