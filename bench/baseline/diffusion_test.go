package baseline

import (
	"math"
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

// TestRegularized: RDP and SRD are the closed form of the paper (Eq.
// solution1) by inverting the n²×n² matrix, without labels and with Z = YYᵀ.
func TestRegularized(t *testing.T) {
	p := connected(t, oracle.MaxStar-2)
	n := p.N()
	s := oracle.NormalizeSym(slow(dense(p.W)))
	rdp, err := RDP(p)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "RDP", rdp, oracle.AStar(s, oracle.New(n, n), Alpha), 1e-5)
	srd, err := SRD(p)
	if err != nil {
		t.Fatal(err)
	}
	y := slow(p.oneHot())
	near(t, "SRD", srd, oracle.AStar(s, oracle.Mul(y, oracle.Transpose(y)), Alpha), 1e-4)
}

// TestLimits: as α → 1 RDP is the projector on √d; on a graph whose degrees
// are all equal TPG is RDP; and SRD with labels of vanishing weight is RDP.
func TestLimits(t *testing.T) {
	p := connected(t, 15)
	a, err := regularized(p, 1-1e-5)
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
	rdp, err := RDP(regular)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "TPG of a ring", tpg, slow(rdp), 1e-6)

	faint, err := diffuse.NewSeeds(15, 2, []diffuse.Seed{{Node: 1, Class: 0, Weight: 1e-6}, {Node: 3, Class: 1, Weight: 1e-6}})
	if err != nil {
		t.Fatal(err)
	}
	p = &Problem{Data: p.Data, Seeds: faint}
	srd, err := SRD(p)
	if err != nil {
		t.Fatal(err)
	}
	if rdp, err = RDP(p); err != nil {
		t.Fatal(err)
	}
	near(t, "SRD without labels", srd, slow(rdp), 1e-9)
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
