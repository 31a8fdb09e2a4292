package fit

import (
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// TestTaught: the scores of the ridge and of naive Bayes are those that the other methods teach, by their own weights and temperatures, with label
// spreading in the place of the run and known labels in their rows; in float64, the ridge by the normal equations. They are the same for any
// number of threads.
func TestTaught(t *testing.T) {
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
	all := []string{"adp:sum", "ridge:sum", "dr:sum", "bayes:sum", "distilled:sum"}
	got := scored(1, all...)
	for _, threads := range []int{2, 3, 8} {
		again := scored(threads, all...)
		for k := range all {
			if !slices.Equal(again.Members[k].Scores, got.Members[k].Scores) {
				t.Errorf("%d threads: %s has scores %v, of one thread %v", threads, all[k], again.Members[k].Scores, got.Members[k].Scores)
			}
		}
	}
	for _, name := range all[3:] {
		if alone := scored(1, name); alone.Members[0].Known {
			t.Errorf("with nobody to listen to %s says %+v", name, alone.Members[0])
		}
	}

	n, c := in.Nodes(), in.Seeds.Classes
	said := make([][]float64, n)
	for i := range said {
		said[i] = make([]float64, c)
	}
	p := poolOf(t, in, g, all...)
	if _, err := p.leaveOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	for k, m := range []member{{method: lgc}, p.members[1], p.members[2]} {
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
		by := p.teachers.Members[k]
		tau := by.Temperature / math.Sqrt(square/float64(count))
		for i := range n {
			total := 0.0
			for _, v := range f.Row(i) {
				total += math.Exp(tau * float64(v))
			}
			for j, v := range f.Row(i) {
				said[i][j] += by.Weight * (0.98*math.Exp(tau*float64(v))/total + 0.02/float64(c))
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
	counts, entries, mean := oracle.New(d, c), 0.0, 0.0
	for i := range n {
		total, length := 0.0, 0.0
		for _, v := range said[i] {
			total += v
		}
		for j, v := range said[i] {
			targets[i][j] = v/total - 1/float64(c)
		}
		unit[i] = make([]float64, d)
		for w := range d {
			unit[i][w] = in.Sparse.At(i, w)
			length += unit[i][w] * unit[i][w]
		}
		for w := range d {
			if unit[i][w] /= math.Sqrt(length); unit[i][w] > 0 {
				entries, mean = entries+1, mean+unit[i][w]
			}
			for j := range c {
				counts[w][j] += unit[i][w] * said[i][j] / total
			}
		}
	}
	gram := oracle.Mul(oracle.Transpose(unit), unit)
	for j := range d {
		gram[j][j]++
	}
	others := oracle.New(d, c) // −ln of the counts of the other classes
	for j := range c {
		sum := 0.0
		for w := range d {
			others[w][j] = 0.1 * mean / entries
			for l := range c {
				if l != j {
					others[w][j] += counts[w][l]
				}
			}
			sum += others[w][j]
		}
		for w := range d {
			others[w][j] = -math.Log(others[w][j] / sum)
		}
	}
	want := [][]float64{
		oracle.Mul(unit, others)[asked],
		oracle.Mul(unit, oracle.Mul(oracle.Inverse(gram), oracle.Mul(oracle.Transpose(unit), targets)))[asked],
	}
	for k, scores := range want {
		voice, mean := got.Members[3+k], (scores[0]+scores[1]+scores[2])/3
		for j, v := range voice.Scores {
			if math.Abs(v-(scores[j]-mean)) > 1e-4 {
				t.Errorf("%s: class %d has the score %v, expected %v", all[3+k], j, v, scores[j]-mean)
			}
		}
		if lead := voice.Scores[got.Label] - voice.Scores[got.RunnerUp]; math.Abs(voice.Columns.Total-lead) > 1e-4 || math.Abs(voice.Nodes.Total-lead) > 1e-4 {
			t.Errorf("%s: the parts add up to %v and %v, the score is ahead by %v", all[3+k], voice.Columns.Total, voice.Nodes.Total, lead)
		}
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
