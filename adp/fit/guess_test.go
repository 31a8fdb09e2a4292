package fit

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// TestGuess: V is the ridge of the mixture on rows of unit length, by the normal equations in
// float64; the share is that of the methods; all have the same bits for any number of threads.
// Without edges, or unasked, there is none.
func TestGuess(t *testing.T) {
	ctx := context.Background()
	sparse, _ := words(t, 300, 3, 30, 0.8, 8)
	dense := sparse
	dense.Sparse, dense.Dense = nil, csr.NewDense(300, 4)
	for k := range dense.Dense.Data {
		dense.Dense.Data[k] = float32(math.Sin(float64(3*k)) + float64(k/4%3))
	}
	for name, in := range map[string]Input{"sparse": sparse, "dense": dense} {
		var first *Result
		for _, threads := range []int{1, 2, 3, 8} {
			r, err := Run(ctx, in, Options{Guess: true, Run: adp.Options{Threads: threads}})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
			}
			if !reflect.DeepEqual(r.Guess, first.Guess) {
				t.Errorf("%s, %d threads: another guess", name, threads)
			}
		}
		g := first.Guess
		if (g.Standard != nil) != (name == "dense") {
			t.Fatalf("%s: standardised %v", name, g.Standard != nil)
		}
		if _, features, both := first.Combination.Shares(); math.Abs(g.Share-features-both/2) > 1e-12 {
			t.Errorf("%s: share %v of features %v and both %v", name, g.Share, features, both)
		}
		x := diffuse.Features{Sparse: in.Sparse, Dense: in.Dense}
		if g.Standard != nil {
			var err error
			if x, err = g.Standard.Apply(x, 1); err != nil {
				t.Fatal(err)
			}
		}
		n, d := x.Dims()
		c := first.F.Cols
		unit, targets := oracle.New(n, d), oracle.New(n, c)
		for i := range n {
			length, sum := 0.0, 0.0
			for j := range d {
				unit[i][j] = at(x, i, j)
				length += unit[i][j] * unit[i][j]
			}
			for j := range d {
				unit[i][j] /= math.Sqrt(max(length, 1e-300))
			}
			for _, v := range first.F.Row(i) {
				sum += float64(v)
			}
			for j, v := range first.F.Row(i) {
				targets[i][j] = float64(v)/sum - 1/float64(c)
			}
		}
		gram := oracle.Mul(oracle.Transpose(unit), unit)
		for j := range d {
			gram[j][j]++
		}
		want := oracle.Mul(oracle.Inverse(gram), oracle.Mul(oracle.Transpose(unit), targets))
		for i := range d {
			for j := range c {
				if math.Abs(float64(g.V.At(i, j))-want[i][j]) > 2e-4 {
					t.Fatalf("%s: V[%d][%d] is %v, expected %v", name, i, j, g.V.At(i, j), want[i][j])
				}
			}
		}
	}
	linked := Input{Edges: sparse.Edges, Seeds: sparse.Seeds}
	checkLinkedGuess(t, linked)
	alone := sparse
	alone.Edges = nil
	for _, c := range []struct {
		in  Input
		opt Options
	}{{alone, Options{Guess: true}}, {sparse, Options{}}, {sparse, Options{Guess: true, Combine: NoCombine}}} {
		if r, err := Run(ctx, c.in, c.opt); err != nil || r.Guess != nil {
			t.Errorf("%+v: a guess, %v", c.opt, err)
		}
	}
}

// checkLinkedGuess: of edges alone V, n×c, is the ridge of the mixture on the rows of T with unit length, and its share the
// weight of all methods but the run.
func checkLinkedGuess(t *testing.T, in Input) {
	t.Helper()
	r, err := Run(context.Background(), in, Options{Guess: true})
	if err != nil {
		t.Fatal(err)
	}
	n, c := r.F.Rows, r.F.Cols
	w, mean := oracle.New(n, n), meanWeight(in.Edges)
	for i := range n {
		cols, values := in.Edges.Row(i)
		for k, j := range cols {
			w[i][j] = float64(values[k]) / mean
		}
	}
	unit, targets := oracle.Hops(w, 1, 1), oracle.New(n, c)
	known := oracle.New(n, n)
	for i, row := range unit {
		if cols, _ := in.Edges.Row(i); len(cols) == 0 {
			clear(row)
			continue
		}
		length, sum := 0.0, 0.0
		for _, v := range row {
			length += v * v
		}
		for j := range row {
			row[j] /= math.Sqrt(length)
		}
		for _, v := range r.F.Row(i) {
			sum += float64(v)
		}
		for j, v := range r.F.Row(i) {
			if sum > 0 {
				targets[i][j], known[i][i] = float64(v)/sum-1/float64(c), 1
			}
		}
	}
	across := oracle.Mul(oracle.Transpose(unit), known)
	gram := oracle.Mul(across, unit)
	for j := range n {
		gram[j][j]++
	}
	want := oracle.Mul(oracle.Inverse(gram), oracle.Mul(across, targets))
	for i := range n {
		for j := range c {
			if math.Abs(float64(r.Guess.V.At(i, j))-want[i][j]) > 2e-4 {
				t.Fatalf("edges alone: V[%d][%d] is %v, expected %v", i, j, r.Guess.V.At(i, j), want[i][j])
			}
		}
	}
	if share := 1 - r.Combination.Members[0].Weight; math.Abs(r.Guess.Share-share) > 1e-12 || r.Guess.Standard != nil {
		t.Errorf("edges alone: share %v, expected %v", r.Guess.Share, share)
	}
}

func at(x diffuse.Features, i, j int) float64 {
	if x.Dense != nil {
		return float64(x.Dense.At(i, j))
	}
	return x.Sparse.At(i, j)
}
