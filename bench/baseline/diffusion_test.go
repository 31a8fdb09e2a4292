package baseline

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// transition returns P = D^-1 W.
func transition(w oracle.Mat) oracle.Mat {
	p := oracle.Scale(1, w)
	for i, d := range oracle.Degrees(w) {
		for j := range p[i] {
			p[i][j] /= d
		}
	}
	return p
}

// TestWalks: RandomWalk is W times P ten times; PageRank and TPG are fixed
// points of their steps, by their definitions.
func TestWalks(t *testing.T) {
	p := connected(t, 20)
	w := slow(dense(p.W))
	step := transition(w)
	identity := oracle.Identity(20)
	want := w
	for range Steps {
		want = oracle.Mul(want, step)
	}
	a, err := RandomWalk(p)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "W P¹⁰", a, want, 1e-6)
	if a, err = PageRank(p); err != nil {
		t.Fatal(err)
	}
	near(t, "PageRank", a, oracle.Add(Alpha, oracle.Mul(slow(a), step), 1-Alpha, identity), 1e-6)
	if a, err = TPG(p); err != nil {
		t.Fatal(err)
	}
	near(t, "TPG", a, oracle.Add(Alpha, oracle.Mul(oracle.Mul(step, slow(a)), oracle.Transpose(step)), 1-Alpha, identity), 1e-6)
}

// TestRegularized: RDP is the limit of its iteration for S of the 10 largest of
// a row, by definition; for S itself it is the closed form of the paper (Eq.
// solution1) without labels, by inverting the n²×n² matrix.
func TestRegularized(t *testing.T) {
	p := crowded(t)
	n := p.N()
	rdp, err := RDP(p)
	if err != nil {
		t.Fatal(err)
	}
	s := largestOf(oracle.NormalizeSym(slow(dense(p.W))), 10)
	want := s
	for range 400 {
		want = oracle.Add(1/1.18, oracle.Mul(oracle.Mul(s, want), oracle.Transpose(s)), 1-1/1.18, oracle.Identity(n))
	}
	near(t, "RDP", rdp, want, 1e-6)

	p = connected(t, oracle.MaxStar-2)
	n = p.N()
	whole, err := regularized(p.normalized().S, Alpha)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "all of S", whole, oracle.AStar(oracle.NormalizeSym(slow(dense(p.W))), oracle.New(n, n), Alpha), 1e-5)
}

// largestOf keeps the k largest entries of each row, and takes the mean with
// the transpose.
func largestOf(m oracle.Mat, k int) oracle.Mat {
	kept := oracle.New(len(m), len(m))
	for i, row := range m {
		order := make([]int, len(row))
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[b], row[a]) })
		for _, j := range order[:min(k, len(order))] {
			kept[i][j] = row[j]
		}
	}
	return oracle.Add(0.5, kept, 0.5, oracle.Transpose(kept))
}

// TestSRD: the affinity is the limit of the iteration of its authors' program,
// by definition: degrees as self-affinity, the 10 largest of a row with them,
// pairs of labelled points joined or parted. The graph has labelled points of
// one class that are joined, that are not among the largest, and of different
// classes that are joined.
func TestSRD(t *testing.T) {
	p, n := crowded(t), 16
	w := slow(dense(p.W))
	degrees := oracle.Degrees(w)
	own := oracle.Scale(1, w)
	for i, d := range degrees {
		own[i][i] = d
	}
	full := oracle.NormalizeSym(own)
	s := largestOf(full, 10)
	given := oracle.New(n, n)
	for i, d := range degrees {
		given[i][i] = d / slices.Max(degrees)
	}
	y := p.seedLabels()
	joined, parted := 0, 0
	for i := range n {
		for j := range n {
			switch {
			case i == j || y[i] < 0 || y[j] < 0:
			case y[i] != y[j]:
				if s[i][j] != 0 {
					parted++
				}
				s[i][j] = 0
			case s[i][j] == 0:
				joined++
				s[i][j], given[i][j] = full[i][j], full[i][j]
			}
		}
	}
	if joined == 0 || parted == 0 {
		t.Fatalf("%d pairs joined, %d parted: no test", joined, parted)
	}
	const alpha = 1 / 1.18
	want := s
	for range 400 {
		want = oracle.Add(alpha, oracle.Mul(oracle.Mul(s, want), oracle.Transpose(s)), 1-alpha, given)
	}
	for i := range n {
		for j := range n {
			if y[i] >= 0 && y[j] >= 0 && y[i] != y[j] {
				want[i][j] = 0
			}
		}
	}
	a, err := reinforce(t.Context(), p, 1000, 1e-12)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "SRD", a, want, 1e-6)
	if a, err = SRD(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	near(t, "SRD as it ends", a, want, 1e-2)
}

// crowded is a graph of 16 points where each has more than 10 neighbours, with
// two classes of three labels.
func crowded(t *testing.T) *Problem {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 16))
	e := &csr.Edges{}
	for i := range 16 {
		for j := range i {
			if (i+j)%7 != 0 {
				e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, uint32(j)), append(e.Weight, float32(0.05+rng.Float64()))
			}
		}
	}
	w, _, err := csr.FromEdges(16, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := range 8 {
		list = append(list, diffuse.Seed{Node: uint32(2 * i), Class: uint32(i % 2), Weight: 1})
	}
	seeds, err := diffuse.NewSeeds(16, 2, list)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{Data: &Data{W: w, Threads: 1}, Seeds: seeds}
}

// TestSettled: (L_uu + λI) F_u = −L_ul Y_l with the normalised Laplacian of
// all of A, by definition.
func TestSettled(t *testing.T) {
	p := crowded(t)
	a, err := RDP(p)
	if err != nil {
		t.Fatal(err)
	}
	f, err := SettledOn(t.Context(), p, a)
	if err != nil {
		t.Fatal(err)
	}
	s := oracle.NormalizeSym(slow(a))
	y := p.seedLabels()
	for i := range 16 {
		for k := range 2 {
			rest := (1+settledRidge)*f.At(i, k) - oracle.Mul(s, slow(f))[i][k]
			if y[i] >= 0 {
				rest = f.At(i, k)
				if y[i] == k {
					rest--
				}
			}
			if math.Abs(rest) > 1e-9 {
				t.Errorf("point %d, class %d: off by %g", i, k, rest)
			}
		}
	}
}

// TestProgram: two rounds of the ADP authors' program, by definition: degrees as
// self-affinity, products of entries with W.
func TestProgram(t *testing.T) {
	p := crowded(t)
	w := slow(dense(p.W))
	degrees := oracle.Degrees(w)
	own := oracle.Scale(1, w)
	for i, d := range degrees {
		own[i][i] = d
	}
	masked := func(m oracle.Mat) oracle.Mat {
		out := oracle.New(16, 16)
		for i := range m {
			for j, v := range m[i] {
				out[i][j] = v * w[i][j]
			}
		}
		return out
	}
	s := masked(oracle.NormalizeSym(own))
	a := s
	for _, steps := range []int{1, 10} {
		a = s
		var f oracle.Mat
		for round := range 10 {
			dense := mat.NewDense(16, 16, nil)
			dense.Apply(func(i, j int, _ float64) float64 { return a[i][j] }, dense)
			found, err := p.settle(t.Context(), dense, 1e-3)
			if err != nil {
				t.Fatal(err)
			}
			before := f
			if f = slow(found); round > 0 {
				sum := 0.0
				for i := range f {
					for k := range f[i] {
						sum += math.Pow(f[i][k]-before[i][k], 2)
					}
				}
				if math.Sqrt(sum) < 1e-2 {
					break
				}
			}
			z := masked(oracle.NormalizeSym(oracle.Mul(f, oracle.Transpose(f))))
			for range steps {
				a = oracle.Scale(0.99, oracle.Mul(oracle.Mul(s, oracle.Add(1, a, 1, z)), oracle.Transpose(s)))
				for i, d := range degrees {
					a[i][i] += 0.01 * d / slices.Max(degrees)
				}
			}
			a = masked(oracle.NormalizeSym(a))
		}
		got, err := p.program(t.Context(), steps)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "F", got, f, 1e-5)
	}
}

// TestLimits: as α → 1 RDP is the projector on √d; and on a graph whose degrees
// are all equal TPG is RDP at TPG's α.
func TestLimits(t *testing.T) {
	p := connected(t, 15)
	a, err := regularized(p.normalized().S, 1-1e-5)
	if err != nil {
		t.Fatal(err)
	}
	degrees := oracle.Degrees(slow(dense(p.W)))
	total := 0.0
	for _, d := range degrees {
		total += d
	}
	want := oracle.New(15, 15)
	for i := range want {
		for j := range want {
			want[i][j] = math.Sqrt(degrees[i]*degrees[j]) / total
		}
	}
	near(t, "α → 1", a, want, 1e-2)

	ring := &csr.Edges{}
	for i := range 11 {
		ring.Src, ring.Dst = append(ring.Src, uint32(i)), append(ring.Dst, uint32((i+1)%11))
	}
	w, _, err := csr.FromEdges(11, ring, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	regular := &Problem{Data: &Data{W: w, Threads: 1}}
	tpg, err := TPG(regular)
	if err != nil {
		t.Fatal(err)
	}
	rdp, err := regularized(regular.normalized().S, Alpha)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "TPG of a ring", tpg, slow(rdp), 1e-6)
}

// TestTooManyPoints: dense methods refuse more points than they are meant
// for, before they allocate.
func TestTooManyPoints(t *testing.T) {
	w, err := csr.New(6000, 6000, make([]int64, 6001), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, learn := range []func(*Problem) (*mat.Dense, error){RandomWalk, PageRank, TPG, RDP} {
		if _, err := learn(&Problem{Data: &Data{W: w, Threads: 1}}); err == nil {
			t.Error("6,000 points were taken")
		}
	}
}
