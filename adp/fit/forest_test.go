package fit

import (
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestSurroundings: x, Tx and T²x are those of a dense T, in any unit of degrees, and the last columns are the means of degrees; a node
// without edges has its own columns alone.
func TestSurroundings(t *testing.T) {
	in := cloud(t, 60, 3, 5, 4)
	x, err := prepare(&in, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	var edges csr.Edges // of all nodes but the last
	for i := range 59 {
		cols, values := in.Edges.Row(i)
		for k, j := range cols {
			if int(j) > i && j != 59 {
				edges.Src, edges.Dst, edges.Weight = append(edges.Src, uint32(i)), append(edges.Dst, j), append(edges.Weight, values[k]*float32(1+i%3))
			}
		}
	}
	w, _, err := csr.FromEdges(60, &edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g := normalized(w, meanWeight(w), 2)
	got, err := surroundings(t.Context(), x, g, 2)
	if err != nil {
		t.Fatal(err)
	}
	degrees, err := degreeMeans(t.Context(), g, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := make([][]float64, 60) // of one hop
	for i := range want {
		want[i] = make([]float64, 5)
		for j := range 5 {
			want[i][j] = float64(x.x.Dense.At(i, j))
		}
	}
	for hop := range 3 {
		for i, row := range want {
			for j, v := range row {
				if math.Abs(float64(got.At(i, 5*hop+j))-v) > 1e-5 {
					t.Fatalf("node %d, hop %d, column %d: %v, expected %v", i, hop, j, got.At(i, 5*hop+j), v)
				}
			}
			if !slices.Equal(got.Row(i)[15:], degrees.Row(i)) {
				t.Fatalf("node %d: degrees %v, expected %v", i, got.Row(i)[15:], degrees.Row(i))
			}
		}
		next := make([][]float64, 60)
		for i := range next {
			next[i] = make([]float64, 5)
			cols, values := w.Row(i)
			total := 0.0
			for _, v := range values {
				total += float64(v)
			}
			for k, at := range cols {
				for j, v := range want[at] {
					next[i][j] += float64(values[k]) / total * v
				}
			}
		}
		want = next
	}
}

// TestTreesWhereTheyPay: trees take part from two seeds a class on, of at least four columns without edges, of at most 500 with them.
func TestTreesWhereTheyPay(t *testing.T) {
	racing.LongSum(t)
	for _, c := range []struct {
		name                string
		columns, seeds      int // of each class
		edges, trees, lines bool
	}{
		{"a table", 6, 2, false, true, true},
		{"one seed a class", 6, 1, false, false, true},
		{"a plane", 2, 4, false, false, false},
		{"space", 3, 4, false, false, false},
		{"four columns", 4, 4, false, true, true},
		{"pictures", 150, 4, false, true, false},
		{"edges and a table", 6, 4, true, true, false},
		{"edges and a plane", 2, 4, true, true, false},
		{"edges and a text", 501, 4, true, false, false},
		{"edges, one seed a class", 6, 1, true, false, false},
	} {
		in := cloud(t, 120, 3, c.columns, c.seeds)
		if !c.edges {
			in.Edges = nil
		}
		r, err := Run(t.Context(), in, Options{Guess: true})
		if err != nil {
			t.Fatal(err)
		}
		has := func(m method) bool {
			return slices.ContainsFunc(r.Combination.Members, func(one Member) bool { return one.Method == methodTitles[m] })
		}
		if has(forest) != c.trees || has(logistic) != c.lines {
			t.Errorf("%s: trees %t and logistic regression %t, expected %t and %t", c.name, has(forest), has(logistic), c.trees, c.lines)
		}
		if r.TreeShare < 0 || r.TreeShare > 1 || r.TreeShare > 0 && (c.edges || !c.trees) {
			t.Errorf("%s: a share of %v for new points", c.name, r.TreeShare)
		}
	}
}

// TestTreesOfSkewedColumns: a class that thresholds in columns of long tails tell, is told by trees, which the run gives a share in the
// labels of new points; it is no share where nobody asks for new points.
func TestTreesOfSkewedColumns(t *testing.T) {
	racing.LongSum(t)
	in := cloud(t, 400, 2, 12, 40)
	in.Edges = nil
	labels := make([]int, 400)
	for i := range labels {
		labels[i] = -1
		for j := range 12 {
			in.Dense.Set(i, j, float32(math.Exp(6*math.Sin(float64(7*i+13*j+i*i%31*(j+1))))))
		}
		if i < 120 {
			labels[i] = low(in.Dense.Row(i))
		}
	}
	var err error
	if in.Seeds, err = diffuse.HardSeeds(labels); err != nil {
		t.Fatal(err)
	}
	for _, guess := range []bool{true, false} {
		r, err := Run(t.Context(), in, Options{Guess: guess})
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for i := 120; i < 400; i++ {
			if int(r.Labels[i]) == low(in.Dense.Row(i)) {
				right++
			}
		}
		if right < 250 {
			t.Errorf("%d of 280 are right, expected 250 or more; without trees they are 214", right)
		}
		if (r.TreeShare > 0) != guess {
			t.Errorf("asked %t: a share of %v", guess, r.TreeShare)
		}
	}
}

func low(x []float32) int {
	if x[0] < 1 && x[1] < 1 {
		return 1
	}
	return 0
}
