package csr

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// graph returns a random symmetric W with isolated nodes and weights in
// [2^-7, 2^7], as a matrix and as the dense oracle has it.
func graph(t *testing.T, n int, seed uint64) (*Matrix, oracle.Mat) {
	t.Helper()
	src, dst, weight := gen.RandomGraph(n, min(1, 6/float64(max(n, 1))), seed, gen.Options{
		Isolated: n / 10, TwoComponents: seed%2 == 1, SelfLoops: 0.1, WeightSpread: 128,
	})
	want := oracle.Affinity(n, src, dst, weight)
	w, _, err := FromEdges(n, &Edges{Src: src, Dst: dst, Weight: weight}, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w, want
}

// near fails the test unless m equals want, entry by entry, up to the
// relative error tol, and has entries nowhere else.
func near(t *testing.T, what string, m *Matrix, want oracle.Mat, tol float64) {
	t.Helper()
	mustBeSound(t, m)
	for i, row := range dense(m) {
		for j, got := range row {
			if !(math.Abs(got-want[i][j]) <= tol*math.Abs(want[i][j])) {
				t.Fatalf("%s of %d rows: (%d,%d) is %v, want %v", what, m.rows, i, j, got, want[i][j])
			}
		}
	}
}

func TestTranspose(t *testing.T) {
	for _, n := range sizes {
		m := randomMatrix(rand.New(rand.NewPCG(uint64(n), 1)), n, n/2+3, 3, 5, true)
		got := Transpose(m, 2)
		mustBeSound(t, got)
		if got.rows != m.cols || got.cols != m.rows || got.NNZ() != m.NNZ() {
			t.Fatalf("%d×%d with %d entries", got.rows, got.cols, got.NNZ())
		}
		for i := range m.rows {
			cols, vals := m.Row(i)
			for k, j := range cols {
				if got.At(int(j), i) != float64(vals[k]) {
					t.Fatalf("(%d,%d) is %v, want %v", j, i, got.At(int(j), i), vals[k])
				}
			}
		}
		if !sameBits(Transpose(got, 1), m) {
			t.Error("twice is not the matrix again")
		}
	}
}

// scattered returns a matrix of about perRow entries a row; a third of the draws are of the first two columns, and the last
// quarter of the columns have none.
func scattered(rng *rand.Rand, rows, cols, perRow int) *Matrix {
	m := &Matrix{rows: rows, cols: cols, indptr: make([]int64, rows+1)}
	for i := range rows {
		var row []uint32
		for range perRow {
			j := rng.IntN(max(1, cols*3/4))
			if rng.IntN(3) == 0 {
				j = min(j, 1)
			}
			row = append(row, uint32(j))
		}
		slices.Sort(row)
		for _, j := range slices.Compact(row) {
			m.indices, m.data = append(m.indices, j), append(m.data, rng.Float32())
		}
		m.indptr[i+1] = int64(len(m.indices))
	}
	return m
}

// TestTransposeInBands: any number of threads gives the bits of one, with columns of many entries, of none, and fewer
// columns than threads.
func TestTransposeInBands(t *testing.T) {
	for _, cols := range []int{1, 2, 5, 900, 40_000} {
		m := scattered(rand.New(rand.NewPCG(3, uint64(cols))), transposeEntries, cols, 3)
		one := Transpose(m, 1)
		mustBeSound(t, one)
		for _, threads := range []int{2, 3, 8} {
			if !sameBits(Transpose(m, threads), one) {
				t.Errorf("%d columns, %d threads: other bits", cols, threads)
			}
		}
		if !sameBits(Transpose(one, 3), m) {
			t.Errorf("%d columns: twice is not the matrix again", cols)
		}
	}
}

func BenchmarkTranspose(b *testing.B) {
	m := scattered(rand.New(rand.NewPCG(1, 1)), 1_000_000, 1_000_000, 6)
	for _, threads := range []string{"1", "2"} {
		b.Run(threads, func(b *testing.B) {
			for range b.N {
				Transpose(m, int(threads[0]-'0'))
			}
		})
	}
}

func TestSymmetrize(t *testing.T) {
	rules := map[Symmetry]func(x, y float64) float64{
		Mean: func(x, y float64) float64 { return float64(float32((x + y) / 2)) },
		Max:  math.Max, Min: math.Min,
	}
	for _, n := range sizes {
		m := randomMatrix(rand.New(rand.NewPCG(uint64(n), 2)), n, n, min(40, float64(n)/2), 100, false)
		d := dense(m)
		for how, rule := range rules {
			want := oracle.New(n, n)
			entries := 0
			for i := range n {
				for j := range n {
					want[i][j] = rule(d[i][j], d[j][i])
					if want[i][j] != 0 {
						entries++
					}
				}
			}
			var first *Matrix
			for _, threads := range threadCounts {
				got := Symmetrize(m, how, threads)
				if first == nil {
					first = got
					near(t, "Symmetrize", got, want, 0)
					if got.NNZ() != entries {
						t.Errorf("n %d, rule %d: %d entries, want %d", n, how, got.NNZ(), entries)
					}
					if err := CheckSymmetric(got, 1); err != nil {
						t.Error(err)
					}
				}
				if !sameBits(got, first) {
					t.Errorf("n %d, rule %d: other bits with %d threads", n, how, threads)
				}
			}
		}
	}
}

func TestSymmetrizeByNoRule(t *testing.T) {
	defer func() {
		if fault := recover(); fault != "csr: unknown symmetry 9" {
			t.Errorf("panic %v", fault)
		}
	}()
	Symmetrize(Identity(2), 9, 1)
}

// The mean of a symmetric matrix is the matrix, at both ends of float32, and that of an
// edge in one direction is an edge, also in a Builder.
func TestSymmetrizeKeepsExtremes(t *testing.T) {
	for _, v := range []float32{math.SmallestNonzeroFloat32, 3 * math.SmallestNonzeroFloat32, math.MaxFloat32} {
		m, err := New(2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{v, v})
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []Symmetry{Mean, Max, Min} {
			if got := Symmetrize(m, how, 1); !sameBits(got, m) {
				t.Errorf("rule %d: %v became %v", how, v, got.data)
			}
		}
		oneWay := Edges{Src: []uint32{1}, Dst: []uint32{0}, Weight: []float32{v}}
		built, _, err := FromEdges(2, &oneWay, BuildOptions{Directed: true, Mean: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckAffinity(built, 1); err != nil || built.value(0, 1) == 0 {
			t.Errorf("an edge of weight %v in one direction became %v (%v)", v, built.data, err)
		}
		if m, err = New(2, 2, []int64{0, 0, 1}, []uint32{0}, []float32{v}); err != nil {
			t.Fatal(err)
		}
		if got := Symmetrize(m, Mean, 1); !sameBits(got, built) {
			t.Errorf("Symmetrize made %v of it", got.data)
		}
	}
}

func TestAdd(t *testing.T) {
	for _, n := range sizes {
		random := rand.New(rand.NewPCG(uint64(n), 3))
		a, b := randomMatrix(random, n, n+2, 5, 3, true), randomMatrix(random, n, n+2, 5, 3, true)
		want := oracle.New(n, n+2)
		if n > 0 {
			want = oracle.Add(1, dense(a), 0.75, dense(b))
		}
		first := Add(a, 0.75, b, 1)
		mustBeSound(t, first)
		for i, row := range dense(first) {
			for j, got := range row {
				if math.Abs(got-want[i][j]) > 1e-6*(math.Abs(a.At(i, j))+math.Abs(b.At(i, j))) {
					t.Fatalf("n %d: (%d,%d) is %v, want %v", n, i, j, got, want[i][j])
				}
			}
		}
		for _, threads := range threadCounts {
			if !sameBits(Add(a, 0.75, b, threads), first) {
				t.Errorf("n %d: other bits with %d threads", n, threads)
			}
		}
	}
}

func TestCheckSymmetric(t *testing.T) {
	w, _ := graph(t, 513, 1)
	if err := CheckSymmetric(w, 1); err != nil {
		t.Error(err)
	}
	i := slices.IndexFunc(w.indptr, func(p int64) bool { return p > 300 }) - 1
	changed := slices.Clone(w.data)
	changed[w.indptr[i]] = math.Nextafter32(changed[w.indptr[i]], 0)
	one, _ := New(2, 2, []int64{0, 1, 1}, []uint32{1}, []float32{3})
	zero, _ := New(2, 2, []int64{0, 1, 1}, []uint32{1}, []float32{0})
	if err := CheckSymmetric(zero, 1); err != nil {
		t.Errorf("a stored 0 has the mirror image 0: %v", err)
	}
	for _, c := range []struct {
		m    *Matrix
		want string
	}{
		{w.WithData(changed), "expected a symmetric matrix"},
		{one, "csr: row 0: value 3 in column 1 but 0 in the mirrored place"},
		{NewRowBuffer(2, 3, 1).Matrix(1), "csr: shape 2×3, expected a square matrix"},
	} {
		if err := CheckSymmetric(c.m, 1); err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrStructure) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestSymmetricSums: a sum of hashes sees every kind of fault that the look-up of each entry sees.
func TestSymmetricSums(t *testing.T) {
	w, _ := graph(t, 513, 1)
	rng := rand.New(rand.NewPCG(1, 2))
	var same, other int
	for draw := range 200 {
		data := slices.Clone(w.data)
		for range 1 + rng.IntN(4) { // some cancel
			k, l := rng.IntN(len(data)), rng.IntN(len(data))
			data[k], data[l] = data[l], data[k]
		}
		m := w.WithData(data)
		if draw%2 == 0 {
			m = Symmetrize(m, Mean, 1)
		}
		want := true
		for i := range m.rows {
			cols, vals := m.Row(i)
			for k, j := range cols {
				want = want && m.value(int(j), uint32(i)) == vals[k]
			}
		}
		if got := m.survey(2).difference == 0; got != want {
			t.Fatalf("sums are equal: %v, expected %v", got, want)
		}
		if want {
			same++
		} else {
			other++
		}
	}
	if same < 90 || other < 90 {
		t.Errorf("%d symmetric matrices, %d others: the test tells nothing", same, other)
	}
}

func TestDegreesAndNormalizeSym(t *testing.T) {
	for _, n := range sizes {
		w, d := graph(t, n, uint64(n))
		near(t, "W", w, d, 0)
		want := oracle.NormalizeSym(d)
		s, degrees := NormalizeSym(w, 1)
		near(t, "S", s, want, 1e-7)
		if err := CheckSymmetric(s, 1); err != nil {
			t.Error(err)
		}
		isolated := 0
		for i, v := range oracle.Degrees(d) {
			if math.Abs(degrees[i]-v) > 1e-14*v {
				t.Errorf("degree %d is %v, want %v", i, degrees[i], v)
			}
			if cols, _ := s.Row(i); degrees[i] == 0 {
				isolated++
				if len(cols) != 0 {
					t.Errorf("isolated node %d has entries in S", i)
				}
			}
		}
		if n >= 17 && isolated == 0 {
			t.Errorf("n %d: no isolated node to test", n)
		}
		for _, threads := range threadCounts {
			again, other := NormalizeSym(w, threads)
			if !sameBits(again, s) || !slices.Equal(other, degrees) || !slices.Equal(Degrees(w, threads), degrees) {
				t.Errorf("n %d: other bits with %d threads", n, threads)
			}
		}
	}
}

// A node with nothing but stored zeros is isolated: 0, never NaN.
func TestNormalizeSymOfZeros(t *testing.T) {
	m, err := New(2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := NormalizeSym(m, 1); s.data[0] != 0 || s.data[1] != 0 {
		t.Errorf("got %v", s.data)
	}
	// The ends of float32 do not overflow on the way.
	for _, v := range []float32{math.SmallestNonzeroFloat32, math.MaxFloat32} {
		if s, _ := NormalizeSym(m.WithData([]float32{v, v}), 1); math.Abs(float64(s.data[0])-1) > 1e-7 {
			t.Errorf("weight %v: S is %v, want 1", v, s.data)
		}
	}
}

func TestMulDense(t *testing.T) {
	for _, n := range sizes {
		for _, c := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 32} {
			random := rand.New(rand.NewPCG(uint64(n), uint64(c)))
			inner := n/2 + 3
			a := randomMatrix(random, n, inner, 4, 3, true)
			x := NewDense(inner, c)
			for k := range x.Data {
				x.Data[k] = float32(random.NormFloat64())
			}
			first := NewDense(n, c)
			for _, threads := range threadCounts {
				const guard = 12345
				data := slices.Repeat([]float32{guard}, n*c+8)
				got := &Dense{Rows: n, Cols: c, Data: data[4 : n*c+4]}
				MulDense(got, a, x, threads)
				if threads == 1 {
					first.CopyFrom(got)
				}
				if !sameFloats(got.Data, first.Data) {
					t.Errorf("n %d, c %d: other bits with %d threads", n, c, threads)
				}
				for _, v := range append(data[:4:4], data[n*c+4:]...) {
					if v != guard {
						t.Fatalf("n %d, c %d: wrote past the end", n, c)
					}
				}
			}
			for i := range n {
				cols, vals := a.Row(i)
				for q := range c {
					want, size := 0.0, 0.0
					for k, j := range cols {
						term := float64(vals[k]) * float64(x.At(int(j), q))
						want += term
						size += math.Abs(term)
					}
					if math.Abs(float64(first.At(i, q))-want) > 1e-6*size {
						t.Fatalf("n %d, c %d: (%d,%d) is %v, want %v", n, c, i, q, first.At(i, q), want)
					}
				}
			}
		}
	}
}

// product computes a·b with MulRows and a RowBuffer.
func product(t *testing.T, a, b *Matrix, threads int) *Matrix {
	t.Helper()
	buffer := NewRowBuffer(a.rows, b.cols, b.cols)
	err := MulRows(context.Background(), a, b, threads, func(worker, i int, row *Accumulator) error {
		if worker < 0 || worker >= threads {
			t.Errorf("worker %d of %d", worker, threads)
		}
		vals := make([]float32, len(row.Columns()))
		for k, j := range row.Columns() {
			vals[k] = row.Value(j)
		}
		buffer.Set(i, row.Columns(), vals)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return buffer.Matrix(threads)
}

func TestMulRows(t *testing.T) {
	for _, n := range sizes {
		random := rand.New(rand.NewPCG(uint64(n), 5))
		a, b := randomMatrix(random, n, 60, 5, 2, true), randomMatrix(random, 60, 40, 5, 2, true)
		first := product(t, a, b, 1)
		mustBeSound(t, first)
		for _, threads := range threadCounts {
			if !sameBits(product(t, a, b, threads), first) {
				t.Errorf("n %d: other bits with %d threads", n, threads)
			}
		}
		if n == 0 {
			continue
		}
		want, db := oracle.Mul(dense(a), dense(b)), dense(b)
		for i := range n {
			size := make([]float64, 40)
			cols, vals := a.Row(i)
			for k, l := range cols {
				for j, v := range db[l] {
					size[j] += math.Abs(float64(vals[k]) * v)
				}
			}
			for j := range size {
				if math.Abs(first.At(i, j)-want[i][j]) > 1e-6*size[j] {
					t.Fatalf("n %d: (%d,%d) is %v, want %v", n, i, j, first.At(i, j), want[i][j])
				}
			}
		}
	}
}

func TestMulRowsStops(t *testing.T) {
	m := Identity(5000)
	fault := errors.New("fault")
	for _, threads := range threadCounts {
		err := MulRows(context.Background(), m, m, threads, func(_, i int, _ *Accumulator) error {
			if i == 600 {
				return fault
			}
			return nil
		})
		if err != fault {
			t.Errorf("got %v", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := MulRows(ctx, m, m, threads, func(int, int, *Accumulator) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// The accumulator agrees with a map, also where its places wrap around.
func TestAccumulator(t *testing.T) {
	const cols = 50
	random := rand.New(rand.NewPCG(1, 6))
	a := NewAccumulator(cols)
	for trial := range 200 {
		if trial == 100 {
			a.Reset()
			a.sum.Base = math.MaxUint32 - 200 // as after many rows
		}
		a.Reset()
		want, order := map[uint32]float32{}, []uint32{}
		for range random.IntN(6) {
			row := randomMatrix(random, 1, cols, 20, 3, true)
			w := float32(random.NormFloat64())
			a.AddScaled(w, row.indices, row.data)
			for k, j := range row.indices {
				if _, ok := want[j]; !ok {
					order = append(order, j)
				}
				want[j] += float32(w * row.data[k]) // rounded, where a processor could fuse them
			}
		}
		if !slices.Equal(a.Columns(), order) {
			t.Fatalf("trial %d: columns %v, want %v", trial, a.Columns(), order)
		}
		for p, j := range order {
			if a.Values()[p] != want[j] {
				t.Fatalf("trial %d: column %d has value %v, want %v", trial, j, a.Values()[p], want[j])
			}
		}
		for j := range uint32(cols) {
			if a.Value(j) != want[j] {
				t.Fatalf("trial %d: column %d is %v, want %v", trial, j, a.Value(j), want[j])
			}
		}
	}
	if a.sum.Base > 1<<30 {
		t.Errorf("base %d has not wrapped", a.sum.Base)
	}
}

// A place given before the wrap is forgotten after it, though it would look new;
// the last places there are can be given.
func TestAccumulatorForgetsAtWrap(t *testing.T) {
	a := NewAccumulator(3)
	a.sum.Base = 1<<32 - 3
	a.AddScaled(1, []uint32{0, 1, 2}, []float32{5, 5, 5})
	if got := a.Columns(); !slices.Equal(got, []uint32{0, 1, 2}) || a.Value(2) != 5 {
		t.Errorf("columns %v, column 2 is %v", got, a.Value(2))
	}
	a.Reset()
	if a.Value(2) != 0 || len(a.Columns()) != 0 {
		t.Errorf("column 2 is %v, columns %v", a.Value(2), a.Columns())
	}
	a.AddScaled(1, []uint32{0, 1, 2}, []float32{1, 1, 1})
	a.AddScaled(2, []uint32{1, 2}, []float32{3, 0})
	if a.Value(1) != 7 || a.Value(2) != 1 || len(a.Columns()) != 3 {
		t.Errorf("column 2 is %v, columns %v", a.Value(2), a.Columns())
	}
}

// TopK keeps what a full sort puts first, with many ties, in any order of
// offers.
func TestTopK(t *testing.T) {
	for trial := range uint64(300) {
		random := rand.New(rand.NewPCG(trial, 7))
		n := random.IntN(200)
		vals := make([]float32, n)
		order := make([]uint32, n)
		for j := range order {
			order[j] = uint32(j)
			vals[j] = float32(random.IntN(8)) - 3
		}
		sorted := slices.Clone(order)
		slices.SortStableFunc(sorted, func(p, q uint32) int { // ties stay in order of columns
			switch {
			case vals[p] > vals[q]:
				return -1
			case vals[p] < vals[q]:
				return 1
			}
			return 0
		})
		for _, k := range []int{0, 1, 2, 5, n, n + 1} {
			top := NewTopK(k)
			for range 3 {
				random.Shuffle(n, func(p, q int) { order[p], order[q] = order[q], order[p] })
				top.Reset()
				for _, j := range order {
					top.Offer(j, vals[j])
				}
				if k > 0 && n >= k {
					if least, ok := top.Least(); ok && least > vals[sorted[k-1]] {
						t.Errorf("trial %d, k %d of %d: nothing below %v is taken, but the k-th is %v", trial, k, n, least, vals[sorted[k-1]])
					}
				}
				cols, kept := top.Entries()
				for p, j := range cols {
					if kept[p] != vals[j] {
						t.Fatalf("trial %d: column %d has value %v, want %v", trial, j, kept[p], vals[j])
					}
				}
				least, full := top.Least()
				if wantFull := k > 0 && n >= k; full != wantFull || full && least != vals[sorted[k-1]] {
					t.Errorf("trial %d, k %d of %d: least %v, %v", trial, k, n, least, full)
				}
				got, want := slices.Sorted(slices.Values(cols)), slices.Sorted(slices.Values(sorted[:min(k, n)]))
				if !slices.Equal(got, want) {
					t.Fatalf("trial %d, k %d: %v, want %v", trial, k, got, want)
				}
			}
		}
	}
}

// Rows set in any order, from several goroutines and with unsorted columns,
// come out as they were; the buffer can be used again.
func TestRowBuffer(t *testing.T) {
	for _, n := range sizes {
		random := rand.New(rand.NewPCG(uint64(n), 8))
		buffer := NewRowBuffer(n, 50, 20)
		for range 2 {
			want := randomMatrix(random, n, 50, 6, 5, true)
			for i := range n {
				if want.indptr[i+1]-want.indptr[i] > 20 {
					t.Fatal("a row too long for the test")
				}
			}
			var group sync.WaitGroup
			for worker := range 3 {
				group.Go(func() {
					for i := n - 1 - worker; i >= 0; i -= 3 {
						cols, vals := want.Row(i)
						cols, vals = slices.Clone(cols), slices.Clone(vals)
						slices.Reverse(cols)
						slices.Reverse(vals)
						buffer.Set(i, cols, vals)
						clear(cols) // they were copied
					}
				})
			}
			group.Wait()
			for _, threads := range threadCounts {
				got := buffer.Matrix(threads)
				mustBeSound(t, got)
				if !sameBits(got, want) {
					t.Errorf("n %d: another matrix with %d threads", n, threads)
				}
			}
		}
	}
}

func TestComponents(t *testing.T) {
	for seed := range uint64(40) {
		n := sizes[seed%5]
		src, dst, weight := gen.RandomGraph(n, min(1, 1.2/float64(max(n, 1))), seed, gen.Options{Isolated: n / 10})
		want := oracle.Components(oracle.Affinity(n, src, dst, weight))
		w, _, err := FromEdges(n, &Edges{Src: src, Dst: dst, Weight: weight}, BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		of, counts := Components(w, 1+int(seed%3))
		nodes := make([]int, len(counts))
		for i, c := range of {
			if int(c) != want[i] {
				t.Fatalf("seed %d: node %d is in component %d, want %d", seed, i, c, want[i])
			}
			nodes[c]++
		}
		if !slices.Equal(nodes, counts) || n >= 17 && len(counts) < 2 {
			t.Errorf("seed %d: sizes %v, want %v", seed, counts, nodes)
		}
	}
}

func TestSortRow(t *testing.T) {
	for trial := range uint64(100) {
		random := rand.New(rand.NewPCG(trial, 9))
		n := random.IntN(80)
		cols, vals := make([]uint32, n), make([]float32, n)
		for k, j := range random.Perm(n) {
			cols[k] = uint32(j) * 50_000_000
			vals[k] = float32(j) - 7
		}
		SortRow(cols, vals)
		for k := range cols {
			if cols[k] != uint32(k)*50_000_000 || vals[k] != float32(k)-7 {
				t.Fatalf("trial %d: place %d has column %d, value %v", trial, k, cols[k], vals[k])
			}
		}
	}
}

// BenchmarkComponents: 10⁶ nodes, 2·10⁷ entries without any order.
func BenchmarkComponents(b *testing.B) {
	const n = 1_000_000
	random, e := rand.New(rand.NewPCG(1, 2)), &Edges{}
	for i := range uint32(n) {
		for range 10 {
			e.Src, e.Dst = append(e.Src, i), append(e.Dst, uint32(random.IntN(n)))
		}
	}
	m, _, err := FromEdges(n, e, BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		findComponents(m, 0)
	}
}

// TestMulApart: a product of rows that lie apart has the bits of one of rows side by side, with rows of more than 512 entries; what is
// between the rows goes into nothing. Blocks larger than the cache have rows apart where that spares a line.
func TestMulApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	const n, m = 40, 1400
	e := &Edges{}
	for i := range uint32(n) {
		for range 5 + 1400*(i/(n-1)) {
			e.Src, e.Dst, e.Weight = append(e.Src, i), append(e.Dst, rng.Uint32N(m)), append(e.Weight, rng.Float32())
		}
	}
	a, _, err := FromEdges(m, e, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []int{1, 7, 10, 16, 23, 70} {
		x, want := NewDense(m, c), NewDense(m, c)
		for k := range x.Data {
			x.Data[k] = rng.Float32()
		}
		MulDense(want, a, x, 2)
		stride := c + 5
		apart, got := make([]float32, m*stride), NewDense(m, c)
		for k := range apart {
			apart[k] = float32(math.NaN())
		}
		for i := range m {
			copy(apart[i*stride:], x.Row(i))
		}
		MulApartRows(got, a, apart, stride, 0, 700)
		MulApartRows(got, a, apart, stride, 700, m)
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("%d columns: other bits", c)
		}
	}
	for c, want := range map[int]int{1: 1, 4: 4, 6: 6, 7: 8, 8: 8, 9: 16, 10: 16, 16: 16, 17: 32, 32: 32, 40: 48} {
		if got, small := Stride(1<<30, c), Stride(100, c); got != want || small != c {
			t.Errorf("%d columns: %d apart, of few rows %d, expected %d and %d", c, got, small, want, c)
		}
	}
}
