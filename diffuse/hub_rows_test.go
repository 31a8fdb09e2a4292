package diffuse

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// withHubs is S of a random graph in which some nodes are next to many.
func withHubs(t *testing.T, n int, seed uint64) *csr.Matrix {
	t.Helper()
	src, dst, weight := gen.RandomGraph(n, 4/float64(n), seed, gen.Options{WeightSpread: float64(seed % 2)}) // else many equal entries
	if seed%4 == 3 {                                                                                         // terms of very different sizes
		for k := range weight {
			weight[k] = float32(math.Ldexp(1, -12*(k%4)))
		}
	}
	for hub := range 3 {
		for i := hub + 1; i < n; i += hub + 1 {
			src, dst, weight = append(src, uint32(hub)), append(dst, uint32(i)), append(weight, 1)
		}
	}
	w, _ := graphOf(t, n, src, dst, weight)
	return normalized(w)
}

// term is an entry of a row in the making, in the order of its first touch.
type term struct {
	col uint32
	sum float32
}

func add(row []term, scale float32, cols []uint32, vals []float32) []term {
	for k, j := range cols {
		at := slices.IndexFunc(row, func(e term) bool { return e.col == j })
		if at < 0 {
			at = len(row)
			row = append(row, term{col: j})
		}
		row[at].sum += float32(scale * vals[k])
	}
	return row
}

// largestOf returns the k largest entries of a row, in order of column.
func largestOf(cols []uint32, vals []float32, k int) (kept []uint32, of []float32) {
	var row []term
	for q, l := range cols {
		row = append(row, term{l, vals[q]})
	}
	slices.SortStableFunc(row, func(x, y term) int { return -cmp.Compare(x.sum, y.sum) })
	row = row[:k]
	slices.SortFunc(row, func(x, y term) int { return cmp.Compare(x.col, y.col) })
	for _, e := range row {
		kept, of = append(kept, e.col), append(of, e.sum)
	}
	return kept, of
}

// truncatedByHand makes row i of an A-step without labels as the comment of HubRows says.
func truncatedByHand(s, a *csr.Matrix, i, k int, hubs HubRows) (cols []uint32, vals []float32, isTruncated bool) {
	work, near, linked := int64(0), int64(0), 0
	neighbors, links := s.Row(i)
	for _, j := range neighbors {
		ac, _ := a.Row(int(j))
		reach, close := int64(0), int64(0)
		for _, l := range ac {
			sl, _ := s.Row(int(l))
			reach += int64(len(sl))
			close += hubs.kept(int64(len(sl)))
		}
		work += reach
		if linked += min(len(ac), hubs.Links); len(ac) > hubs.Links {
			close = close * int64(hubs.Links) / int64(len(ac))
		}
		near += close
	}
	n, _ := s.Dims()
	terms := min(int(max(near, leastTerms)), hubs.Terms)
	if large := int64(n)*int64(s.NNZ()) > hubs.Above; large && work > hubs.Work {
		isTruncated = true
	} else {
		whole := work
		if !large && IsHeavy(work, int64(s.NNZ())) {
			whole = int64(s.NNZ()) / 8
		}
		whole += 4 * min(work, int64(n))
		isTruncated = whole > leastTerms*hubs.Ratio && whole > hubs.Ratio*int64(linked+terms)
	}
	var u, v []term
	for p, j := range neighbors {
		ac, av := a.Row(int(j))
		if isTruncated && len(ac) > hubs.Links {
			ac, av = largestOf(ac, av, hubs.Links)
		}
		u = add(u, links[p], ac, av)
	}
	count := func(e term) int {
		sl, _ := s.Row(int(e.col))
		return int(hubs.kept(int64(len(sl))))
	}
	degree := func(e term) int {
		sl, _ := s.Row(int(e.col))
		return len(sl)
	}
	exact := func(e term) uint32 {
		return math.Float32bits(e.sum/float32(math.Sqrt(float64(degree(e))))) >> 16
	}
	largest := uint32(0)
	for _, e := range u {
		largest = max(largest, exact(e))
	}
	size := func(e term) uint32 { return max(exact(e), largest-min(largest, 2047)) } // 128 for a factor of two
	kept := map[uint32]bool{}
	order := slices.Clone(u)
	slices.SortStableFunc(order, func(x, y term) int { return -cmp.Compare(size(x), size(y)) })
	left, full := terms, uint32(math.MaxUint32)
	for p := 0; p < len(order); {
		q, all := p, 0
		for ; q < len(order) && size(order[q]) == size(order[p]); q++ {
			all += count(order[q])
		}
		if all > left { // of these only some
			full = size(order[p])
			break
		}
		for ; p < q; p++ {
			kept[order[p].col] = true
		}
		left -= all
	}
	for _, e := range u {
		if size(e) == full && (count(e) <= left || len(kept) == 0) {
			kept[e.col] = true
			left -= count(e)
		}
	}
	for _, e := range u {
		if !isTruncated || kept[e.col] {
			sc, sv := s.Row(int(e.col))
			if isTruncated && len(sc) > max(hubs.Hub, hubs.Links) {
				sc, sv = largestOf(sc, sv, hubs.Links)
			}
			v = add(v, e.sum, sc, sv)
		}
	}
	self := float32(0)
	v = slices.DeleteFunc(v, func(e term) bool {
		if int(e.col) == i {
			self = e.sum
		}
		return int(e.col) == i || e.sum == 0
	})
	slices.SortFunc(v, func(x, y term) int { return cmp.Or(-cmp.Compare(x.sum, y.sum), cmp.Compare(x.col, y.col)) })
	v = append(v[:min(k, len(v))], term{uint32(i), self})
	slices.SortFunc(v, func(x, y term) int { return cmp.Compare(x.col, y.col) })
	for _, e := range v {
		cols, vals = append(cols, e.col), append(vals, e.sum)
	}
	return cols, vals, isTruncated
}

// TestTruncated: rows are truncated as HubRows says, to the bit, others are whole, for any threads, and
// where A has rows of its own. With α_A = 1 and no labels an A-step is topk(SAS).
func TestTruncated(t *testing.T) {
	racing.LongSum(t)
	rowsCut, rowsWhole := 0, 0
	for seed := range uint64(12) {
		n := 150
		s := withHubs(t, n, seed)
		a := s
		if seed%3 == 0 {
			a = csr.Add(withHubs(t, n, seed+100), 0.5, s, 1)
		}
		none := NewFactor(csr.NewDense(n, 2), Hard)
		all := &affinityStep{s: s, a: a, reach: make([]int64, n), near: make([]int64, n)}
		for i := range n {
			all.count(i)
		}
		for _, hubs := range []HubRows{{1, 2500, 4, 40, 8, 1000}, {1, 2500, 1000, 300, 8, 1000}, {1, all.work(20), 20, 1, 8, 1000}, {1, 1, 8, 1000, 8, 1000}, {1 << 60, 1, 8, 30, 1, 1000}, {1, 1 << 60, 8, 30, 1, 1000}, {1, 1, 8, 1000, 8, 20}, {1, 1, 30, 300, 1, 20}} {
			opt := AffinityOptions{TopK: 4, Alpha: 1, Hubs: hubs}
			for _, threads := range []int{1, 3} {
				opt.Threads = threads
				g := none.Times(s, 1)
				got, err := AStepRows(context.Background(), AffinityRows{S: s, A: a, G: g, Own: n, Nodes: n, Entries: s.NNZ()}, opt)
				if err != nil {
					t.Fatal(err)
				}
				for i := range n {
					cols, vals, isTruncated := truncatedByHand(s, a, i, opt.TopK, hubs)
					if !isTruncated && hubs.Above > 1 && all.work(i) > minHeavy {
						continue // made in a group, with other sums
					}
					if gotCols, gotVals := got.Row(i); !slices.Equal(gotCols, cols) || !slices.Equal(gotVals, vals) {
						t.Fatalf("graph %d, %+v, row %d, cut %v: %v %v, expected %v %v", seed, hubs, i, isTruncated, gotCols, gotVals, cols, vals)
					}
					if isTruncated {
						rowsCut++
					} else {
						rowsWhole++
					}
				}
			}
		}
	}
	if rowsCut < 1000 || rowsWhole < 1000 {
		t.Errorf("%d rows cut and %d whole: the test does not test both", rowsCut, rowsWhole)
	}
}

// TestCutNothing: a cut that leaves nothing out changes what a row is by its last digits at
// most, and rows are whole in small graphs, where they should be, and where all entries are kept.
func TestCutNothing(t *testing.T) {
	n := 300
	s := withHubs(t, n, 1)
	h := NewFactor(randomF(n, 3, 1), SqrtMargin)
	step := func(hubs HubRows, k int) *csr.Matrix {
		a, err := AStep(context.Background(), s, s, h, AffinityOptions{TopK: k, Alpha: 0.9, Zeta: 0.5 / h.MeanRowSum(nil), Threads: 1, Hubs: hubs})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	whole := step(HubRows{Above: -1}, 5)
	same := func(a *csr.Matrix) bool { return fmt.Sprint(a.Arrays()) == fmt.Sprint(whole.Arrays()) }
	if !same(step(HubRows{}, 5)) || !same(step(HubRows{Above: int64(n) * int64(s.NNZ()), Work: 1, Links: 1, Terms: 1}, 5)) {
		t.Error("rows are cut that should be whole")
	}
	if hubs := step(HubRows{Above: 1, Work: 1, Links: 2, Terms: 20}, 5); same(hubs) {
		t.Error("rows are whole that should be cut")
	}
	if a, want := step(HubRows{Above: 1, Work: 1, Links: 1, Terms: 1}, n-1), step(HubRows{Above: -1}, n-1); fmt.Sprint(a.Arrays()) != fmt.Sprint(want.Arrays()) {
		t.Error("rows are cut where all entries were asked for")
	}
	for _, hubs := range []HubRows{{1, 1, n, 1 << 40, 8, n}, {1, 1 << 40, 1, 1, 1 << 40, n}} { // not in groups, so other sums
		a := step(hubs, 5)
		for i := range n {
			cols, vals := a.Row(i)
			for k, j := range cols {
				if want := whole.At(i, int(j)); math.Abs(float64(vals[k])-want) > 1e-5*want {
					t.Fatalf("%+v: entry %d, %d is %v, expected %v", hubs, i, j, vals[k], want)
				}
			}
		}
	}
}

// TestCutByDefault: the numbers that Cut states.
func TestCutByDefault(t *testing.T) {
	s := withHubs(t, 2000, 1)
	none := NewFactor(csr.NewDense(2000, 2), Hard)
	step := func(hubs HubRows) string {
		a, err := AStep(context.Background(), s, s, none, AffinityOptions{TopK: 5, Alpha: 0.9, Threads: 2, Hubs: hubs})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(a.Arrays())
	}
	if step(HubRows{}) != step(HubRows{Above: 1 << 35}) || step(HubRows{}) == step(HubRows{Above: 1}) || step(HubRows{Above: 1}) != step(HubRows{1, 1 << 17, 64, 1 << 14, 16, 1 << 10}) {
		t.Error("the zero value is not what it is said to be")
	}
	for hubs, want := range map[HubRows]string{
		{}:          "rows over hubs: of n·nnz above 34359738368, those above 131072, and all of 16 times the work, to 64 links and 16384 terms, hubs of 1024",
		{Above: -1}: "nothing",
	} {
		if got := fmt.Sprint(hubs); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

// TestHubBytes: a graph without hubs takes nothing for them.
func TestHubBytes(t *testing.T) {
	s := withHubs(t, 2000, 1)
	const never = 1 << 40
	long := int64(0)
	for i := range 2000 {
		cols, _ := s.Row(i)
		if len(cols) > 64 { // of A
			long++
		}
		if len(cols) > 1024 { // of S
			long++
		}
	}
	plain, _ := graphOf(t, 3, []uint32{0, 1}, []uint32{1, 2}, []float32{1, 1})
	for _, c := range []struct {
		w    *csr.Matrix
		cut  HubRows
		want int64
	}{
		{plain, HubRows{}, 0},
		{plain, HubRows{Above: 1}, 0},
		{s, HubRows{Ratio: never}, 2000 * 64 * 3},
		{s, HubRows{Above: 1, Ratio: never}, 2000*4*3 + long*(64*16+16)},
		{s, HubRows{Above: 1, Work: 1 << 40, Ratio: never}, 0},
		{s, HubRows{Above: 1, Work: 1 << 40}, 2000*4*3 + long*(64*16+16)},
		{s, HubRows{}, 2000*4*3 + long*(64*16+16) + 2000*64*3}, // some rows of either kind
	} {
		if got := HubBytes(c.w, c.cut, 3); got != c.want {
			t.Errorf("%+v: %d bytes, expected %d", c.cut, got, c.want)
		}
	}
}

// TestStars: the work of an A-step, from S and from I, on a star, on two joined stars and on a wheel grows with the
// number of nodes, whatever the size.
func TestStars(t *testing.T) {
	racing.LongSum(t)
	shapes := map[string]func(n, i uint32) []uint32{ // the neighbours of node i before it
		"star": func(n, i uint32) []uint32 { return []uint32{0} },
		"two stars": func(n, i uint32) []uint32 {
			if i < n/2 {
				return []uint32{0}
			}
			return []uint32{1}
		},
		"wheel": func(n, i uint32) []uint32 {
			switch i {
			case 1:
				return []uint32{0}
			case n - 1:
				return []uint32{0, 1, i - 1}
			}
			return []uint32{0, i - 1}
		},
	}
	for name, before := range shapes {
		for _, n := range []uint32{1000, 3000, 10_000, 30_000, 100_000, 300_000} {
			var src, dst []uint32
			for i := uint32(1); i < n; i++ {
				for _, j := range before(n, i) {
					src, dst = append(src, i), append(dst, j)
				}
			}
			weight := make([]float32, len(src))
			for k := range weight {
				weight[k] = 1
			}
			w, _, err := csr.FromEdges(int(n), &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range []*csr.Matrix{w, csr.Identity(int(n))} {
				step := &affinityStep{s: w, a: a, nodes: int(n), reach: make([]int64, n), near: make([]int64, n), entries: w.NNZ()}
				step.opt.Hubs, step.truncating = HubRows{}.withDefaults(), HubRows{}.Applies(int(n), w.NNZ())
				for i := range int(n) {
					step.count(i)
				}
				all := int64(0)
				for i := range int(n) {
					work := step.work(i)
					if terms := step.truncates(i, work); terms == 0 {
						work = min(work, int64(2*w.NNZ())) // terms of the same l are added up first
					} else {
						links, _ := step.truncatedWork(i)
						work = min(links, int64(w.NNZ())) + int64(terms)
					}
					all += work + 4*min(work, int64(n))
				}
				if each := all / int64(n); each > 20_000 {
					t.Errorf("%s of %d nodes, A of %d entries: %d multiply-adds a row, expected at most 20,000", name, n, a.NNZ(), each)
				}
			}
		}
	}
}

// TestTruncatedInParts: the rule knows the whole graph, not the rows that a process has. A wheel
// beside as many other nodes has the same rows by itself.
func TestTruncatedInParts(t *testing.T) {
	truncated, whole := 0, 0
	for _, m := range []int{200, 300, 400} {
		n := 2 * m
		var src, dst []uint32
		for i := 1; i < m; i++ {
			src, dst = append(src, uint32(i), uint32(i)), append(dst, 0, uint32(i%(m-1)+1))
		}
		for i := m; i < n; i++ {
			src, dst = append(src, uint32(i)), append(dst, uint32(m+(i+1-m)%m))
		}
		weight := make([]float32, len(src))
		for k := range weight {
			weight[k] = 1
		}
		w, _ := graphOf(t, n, src, dst, weight)
		s := normalized(w)
		part := csr.Slice(s, 0, m)
		indptr, indices, data := part.Arrays()
		own, err := csr.New(m, m, indptr, indices, data)
		if err != nil {
			t.Fatal(err)
		}
		none := NewFactor(csr.NewDense(n, 2), Hard)
		for ratio := range int64(8) {
			opt := AffinityOptions{TopK: 4, Alpha: 1, Threads: 1, Hubs: HubRows{Above: 1 << 60, Links: 8, Terms: 30, Ratio: ratio + 1}}
			all, err := AStepRows(context.Background(), AffinityRows{S: s, A: s, G: none.Times(s, 1), Own: n, Nodes: n, Entries: s.NNZ()}, opt)
			if err != nil {
				t.Fatal(err)
			}
			alone, err := AStepRows(context.Background(), AffinityRows{S: own, A: own, G: NewFactor(csr.NewDense(m, 2), Hard).Times(own, 1), Own: m, Nodes: n, Entries: s.NNZ()}, opt)
			if err != nil {
				t.Fatal(err)
			}
			step := &affinityStep{s: s, a: s, nodes: n, entries: s.NNZ(), reach: make([]int64, n), near: make([]int64, n), opt: AffinityOptions{Hubs: opt.Hubs.withDefaults()}}
			for i := range n {
				step.count(i)
			}
			for i := range m {
				if step.truncates(i, step.work(i)) > 0 {
					truncated++
				} else {
					whole++
				}
				wantCols, wantVals := all.Row(i)
				if cols, vals := alone.Row(i); !slices.Equal(cols, wantCols) || !slices.Equal(vals, wantVals) {
					t.Fatalf("wheel of %d, ratio %d, row %d: %v, expected %v", m, ratio+1, i, cols, wantCols)
				}
			}
		}
	}
	if truncated < 100 || whole < 100 {
		t.Errorf("%d rows truncated and %d whole: the test does not test both", truncated, whole)
	}
}
