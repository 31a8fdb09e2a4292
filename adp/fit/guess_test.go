package fit

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestGuess: V is the ridge of the mixture on rows of unit length, by the normal equations in
// float64; the share is that of the methods, of words alone that of [adp.ShareOf]; all have the same bits for any number of threads.
// Unasked there is none, and of features alone that trees take neither.
func TestGuess(t *testing.T) {
	racing.LongSum(t)
	ctx := context.Background()
	sparse, _ := words(t, 300, 3, 30, 0.8, 8)
	dense := sparse
	dense.Sparse, dense.Dense = nil, csr.NewDense(300, 4)
	for k := range dense.Dense.Data {
		dense.Dense.Data[k] = float32(math.Sin(float64(3*k)) + float64(k/4%3))
	}
	alone, numbers := sparse, dense
	alone.Edges, numbers.Edges = nil, nil
	counts, _ := words(t, 300, 3, 160, 0.8, 8)
	_, _, values := counts.Sparse.Arrays()
	for k := range values {
		values[k] *= float32(1 + k%9)
	}
	islands := sparse
	islands.Edges = joinedUpTo(t, sparse.Edges, 120)
	for name, in := range map[string]Input{"islands": islands, "sparse": sparse, "dense": dense, "alone": alone, "counts": counts} {
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
		first.Tell(in.Seeds)
		if (g.Standard != nil) != (name == "dense") {
			t.Fatalf("%s: standardised %v", name, g.Standard != nil)
		}
		if g.Roots != (name == "counts") {
			t.Fatalf("%s: roots %v", name, g.Roots)
		}
		if _, features, both := first.Combination.Shares(); in.Edges == nil {
			if want, _ := sharesOfHeld(first, in, unitRows(t, g, in), nil); g.Share != want || want == 0 {
				t.Errorf("%s: share %v, expected %v", name, g.Share, want)
			}
		} else if math.Abs(g.Share-features-both/2) > 1e-12 {
			t.Errorf("%s: share %v of features %v and both %v", name, g.Share, features, both)
		}
		want := distilledBy(first, unitRows(t, g, in), nil)
		for i := range g.V.Rows {
			for j := range g.V.Cols {
				if math.Abs(float64(g.V.At(i, j))-want[i][j]) > 2e-4 {
					t.Fatalf("%s: V[%d][%d] is %v, expected %v", name, i, j, g.V.At(i, j), want[i][j])
				}
			}
		}
		if (g.Near != nil) != (in.Edges != nil) {
			t.Fatalf("%s: what neighbours say is %v", name, g.Near)
		}
		if g.Near != nil {
			checkNear(t, name, first, in)
		}
	}
	linked := Input{Edges: sparse.Edges, Seeds: sparse.Seeds}
	checkLinkedGuess(t, linked)
	for _, c := range []struct {
		in  Input
		opt Options
	}{{numbers, Options{Guess: true}}, {sparse, Options{}}, {sparse, Options{Guess: true, Combine: NoCombine}}} {
		if r, err := Run(ctx, c.in, c.opt); err != nil || r.Guess != nil {
			t.Errorf("%+v: a guess, %v", c.opt, err)
		}
	}
}

// unitRows returns the rows of the features at unit length, standardised or of roots as the guess says.
func unitRows(t *testing.T, g *adp.Guess, in Input) oracle.Mat {
	t.Helper()
	x := diffuse.Features{Sparse: in.Sparse, Dense: in.Dense}
	if g.Standard != nil {
		var err error
		if x, err = g.Standard.Apply(x, 1); err != nil {
			t.Fatal(err)
		}
	}
	n, d := x.Dims()
	unit := oracle.New(n, d)
	for i := range n {
		length := 0.0
		for j := range d {
			if unit[i][j] = at(x, i, j); g.Roots {
				unit[i][j] = math.Sqrt(unit[i][j])
			}
			length += unit[i][j] * unit[i][j]
		}
		for j := range d {
			unit[i][j] /= math.Sqrt(max(length, 1e-300))
		}
	}
	return unit
}

// checkNear: V and A are halves of the ridge on features and the means of those of neighbours, and the share is that of nodes held back.
func checkNear(t *testing.T, name string, r *Result, in Input) {
	t.Helper()
	unit := unitRows(t, r.Guess, in)
	both := oracle.New(len(unit), 2*len(unit[0]))
	for i := range both {
		copy(both[i], unit[i])
		cols, values := in.Edges.Row(i)
		total := 0.0
		for _, v := range values {
			total += float64(v)
		}
		for k, j := range cols {
			for at, v := range unit[j] {
				both[i][len(unit[0])+at] += float64(values[k]) / total * v
			}
		}
	}
	near, want := r.Guess.Near, distilledBy(r, both, nil)
	around := oracle.Mul(unit, want[len(unit[0]):])
	compare := func(what string, got *csr.Dense, want oracle.Mat) {
		t.Helper()
		for i := range got.Rows {
			for j, v := range got.Row(i) {
				if math.Abs(float64(v)-want[i][j]) > 5e-4 {
					t.Fatalf("%s: %s[%d][%d] of neighbours is %v, expected %v", name, what, i, j, v, want[i][j])
				}
			}
		}
	}
	compare("V", near.V, want[:len(unit[0])])
	compare("A", near.Around, around)
	if share, blend := sharesOfHeld(r, in, unit, both); near.Share != share || near.Blend != blend {
		t.Errorf("%s: shares %v and %v with neighbours' features, expected %v and %v", name, near.Share, near.Blend, share, blend)
	}
}

// distilledBy returns V of the ridge that nodes with the features of the rows teach but those held back, by the normal equations.
func distilledBy(r *Result, unit oracle.Mat, held []int) oracle.Mat {
	c := r.F.Cols
	taught, targets := oracle.New(len(unit), len(unit[0])), oracle.New(len(unit), c)
	for i, row := range unit {
		if slices.Contains(held, i) {
			continue
		}
		copy(taught[i], row)
		sum := 0.0
		for _, v := range r.F.Row(i) {
			sum += float64(v)
		}
		for j, v := range r.F.Row(i) {
			targets[i][j] = float64(v)/sum - 1/float64(c)
		}
	}
	gram := oracle.Mul(oracle.Transpose(taught), taught)
	for j := range gram {
		gram[j][j]++
	}
	return oracle.Mul(oracle.Inverse(gram), oracle.Mul(oracle.Transpose(taught), targets))
}

// sharesOfHeld finds the shares by their definition: each fifth of the nodes is held back once, and those count that give most nodes
// the label of the run. Features of nodes and of their neighbours are nil for none.
func sharesOfHeld(r *Result, in Input, unit, both oracle.Mat) (share, blend float64) {
	n, c := r.F.Rows, r.F.Cols
	foreseen := func(rows oracle.Mat) oracle.Mat {
		out := oracle.New(n, c)
		for turn := range 5 {
			var held []int
			for i := turn; i < n; i += 5 {
				held = append(held, i)
			}
			scores, square := oracle.Mul(rows, distilledBy(r, rows, held)), 0.0
			for _, row := range scores {
				mean := totalOf(row) / float64(c)
				for j := range row {
					row[j] -= mean
					square += row[j] * row[j]
				}
			}
			size := math.Sqrt(square / float64(n*c))
			all := oracle.New(n, c)
			for i, row := range scores {
				for class, v := range row {
					all[i][class] = math.Exp(1.5 * v / size)
				}
				total := totalOf(all[i])
				for class, v := range all[i] {
					all[i][class] = 0.98*v/total + 0.02/float64(c)
				}
			}
			bias := biasBy(r.F, all, held)
			for _, i := range held {
				for class, v := range all[i] {
					out[i][class] = v * math.Exp(bias[class])
				}
				total := totalOf(out[i])
				for class := range out[i] {
					out[i][class] /= total
				}
			}
		}
		return out
	}
	own, blends := foreseen(unit), []float64{0}
	near := own
	if both != nil {
		near, blends = foreseen(both), []float64{0, 0.25, 0.5, 0.75, 1}
	}
	most := -1
	for _, u := range blends {
		for _, t := range []float64{0, 0.25, 0.5, 0.75, 1} {
			same := 0
			for i := range n {
				if both != nil && alone(in.Edges, i) {
					continue
				}
				step, mixed := make([]float64, c), make([]float64, c)
				cols, values := r.Affinity.W.Row(i)
				for k, j := range cols {
					for class, v := range r.F.Row(int(j)) {
						step[class] += float64(values[k]) * float64(v)
					}
				}
				label := 0
				for class, v := range r.F.Row(i) {
					if v > r.F.Row(i)[label] {
						label = class
					}
					mixed[class] = (1-t)*step[class]/max(totalOf(step), 1e-300) + t*((1-u)*own[i][class]+u*near[i][class])
				}
				if slices.Max(mixed) == mixed[label] {
					same++
				}
			}
			if same > most {
				share, blend, most = t, u, same
			}
		}
	}
	return share, blend
}

// biasBy returns the bias with which the eighth powers of the rows have the mean of those of F, over the nodes that are not held back.
func biasBy(f *csr.Dense, all oracle.Mat, held []int) []float64 {
	bias := make([]float64, f.Cols)
	wanted, had := make([]float64, f.Cols), make([]float64, f.Cols)
	power := func(sum []float64, at func(class int) float64) {
		row := make([]float64, f.Cols)
		for class := range row {
			row[class] = math.Pow(at(class), 8)
		}
		total := totalOf(row)
		for class, v := range row {
			sum[class] += v / total
		}
	}
	for range 500 {
		clear(wanted)
		clear(had)
		for i, row := range all {
			if !slices.Contains(held, i) {
				power(wanted, func(class int) float64 { return float64(f.At(i, class)) })
				power(had, func(class int) float64 { return row[class] * math.Exp(bias[class]) })
			}
		}
		for class := range bias {
			bias[class] += math.Log(wanted[class]/had[class]) / 8
		}
	}
	return bias
}

// joinedUpTo returns the weights between the first nodes.
func joinedUpTo(t *testing.T, w *csr.Matrix, first int) *csr.Matrix {
	t.Helper()
	n, _ := w.Dims()
	indptr, indices, values := []int64{0}, []uint32{}, []float32{}
	for i := range n {
		cols, own := w.Row(i)
		for k, j := range cols {
			if i < first && int(j) < first {
				indices, values = append(indices, j), append(values, own[k])
			}
		}
		indptr = append(indptr, int64(len(indices)))
	}
	left, err := csr.New(n, n, indptr, indices, values)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

func alone(w *csr.Matrix, i int) bool {
	cols, _ := w.Row(i)
	return len(cols) == 0
}

func totalOf(row []float64) (sum float64) {
	for _, v := range row {
		sum += v
	}
	return sum
}

// checkLinkedGuess: of edges alone V, n×c, is the ridge of the mixture on the rows of T with unit length, and its share the
// weight of all methods but the run.
func checkLinkedGuess(t *testing.T, in Input) {
	t.Helper()
	r, err := Run(context.Background(), in, Options{Guess: true})
	if err != nil {
		t.Fatal(err)
	}
	r.Tell(in.Seeds)
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

// TestTell: the rows of known nodes are the shares of their labels until they are put back; those of one method stay.
func TestTell(t *testing.T) {
	y, err := diffuse.NewSeeds(3, 2, []diffuse.Seed{{Node: 0, Class: 1, Weight: 1}, {Node: 2, Class: 0, Weight: 3}, {Node: 2, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	before := []float32{0.7, 0.3, 0.5, 0.5, 0.1, 0.9}
	r := &Result{Result: &adp.Result{F: &csr.Dense{Rows: 3, Cols: 2, Data: slices.Clone(before)}}}
	if r.Tell(y); !slices.Equal(r.F.Data, before) {
		t.Errorf("the F of one method became %v", r.F.Data)
	}
	r.Combination = &Combination{}
	back := r.Tell(y)
	if want := []float32{0, 1, 0.5, 0.5, 0.75, 0.25}; !slices.Equal(r.F.Data, want) {
		t.Errorf("%v, expected %v", r.F.Data, want)
	}
	if back(); !slices.Equal(r.F.Data, before) {
		t.Errorf("%v after all, expected %v", r.F.Data, before)
	}
}
