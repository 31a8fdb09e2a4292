package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestExactByCodes: the neighbours by codes are those of the brute force, on every kernel, whatever
// the points: where codes are too rough to rule out a pair, and where they are exact.
func TestExactByCodes(t *testing.T) {
	racing.LongSum(t)
	for _, set := range datasets(1) {
		set.run(t, func(t *testing.T, metric Metric) {
			for _, name := range kernel.Names() {
				before := kernel.Select(name)
				defer kernel.Select(before)
				opt := Options{K: min(5, set.x.Rows-1), Metric: metric, Threads: 2}
				largest, err := checkFeatures(set.x, 2)
				if err != nil {
					t.Fatal(err)
				}
				equal := findGroups(set.x, 2)
				pts := newPoints(set.x, equal.first, metric, largest, 2)
				c, err := codesOf(context.Background(), pts)
				if err != nil {
					t.Fatal(err)
				}
				if c == nil || pts.count() < 2 {
					continue
				}
				f := newCandidateLists(pts, allPoints(pts.count()), min(opt.K, pts.count()-1))
				if err := f.exactBy(context.Background(), c, 2, nil); err != nil {
					t.Fatal(err)
				}
				nb := newNeighbors(set.x.Rows, opt.K, metric)
				if err := f.write(context.Background(), nb, equal, 2); err != nil {
					t.Fatal(err)
				}
				checkAgainst(t, set.x, nb, set.ties && metric != Cosine)
			}
		})
	}
}

// TestCodesBound: the ranks of all pairs lie between the bounds, which their codes are in reach of.
func TestCodesBound(t *testing.T) {
	for _, set := range datasets(4) {
		set.run(t, func(t *testing.T, metric Metric) {
			largest, err := checkFeatures(set.x, 1)
			if err != nil {
				t.Fatal(err)
			}
			pts := newPoints(set.x, allPoints(set.x.Rows), metric, largest, 1)
			c, err := codesOf(context.Background(), pts)
			if err != nil {
				t.Fatal(err)
			}
			if c == nil {
				return
			}
			size := c.width() * kernel.Rows
			panel := make([]byte, panels(pts.count())*size)
			c.pack(panel, allPoints(pts.count()))
			code := func(u, p int) int32 {
				return int32(panel[u/kernel.Rows*size+(p/kernel.StepBytes*kernel.Rows+u%kernel.Rows)*kernel.StepBytes+p%kernel.StepBytes])
			}
			for u := range pts.count() {
				for v := range u {
					apart := int32(0)
					for p := range c.origin {
						e := code(u, p) - code(v, p)
						apart += e * e
					}
					away := float64(c.away[u]) + float64(c.away[v])
					rank := pts.rank(uint32(u), uint32(v)) * pts.units
					low := c.low(apart, away)
					if float64(low) > rank || float64(c.upper(low, away)) < rank {
						t.Fatalf("%d, %d: rank %g, bounds %g and %g", u, v, rank, low, c.upper(low, away))
					}
					if reach := c.reach(atLeast(rank), away); apart > reach {
						t.Fatalf("%d, %d: apart %d, reach %d", u, v, apart, reach)
					}
					if reach := c.reach(float32(math.Inf(1)), away); apart > reach {
						t.Fatalf("%d, %d: apart %d is out of any reach", u, v, apart)
					}
				}
			}
		})
	}
}

// TestSearchByCodes: a search takes codes where the processor has them and they help, and finds the
// same as one without.
func TestSearchByCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const d, latent = 768, 6
	x := csr.NewDense(codesSample+100, d)
	axes := make([]float64, d*latent)
	for k := range axes {
		axes[k] = rng.NormFloat64()
	}
	for i := range x.Rows {
		for q := range latent {
			v := rng.Float64()
			for p := range d {
				x.Data[i*d+p] += float32(v * axes[q*d+p])
			}
		}
	}
	for _, metric := range []Metric{L2, Cosine} {
		var first *Neighbors
		for _, name := range kernel.Names()[:min(2, len(kernel.Names()))] { // others are slow
			before := kernel.Select(name)
			defer kernel.Select(before)
			f := newCandidateLists(newPoints(x, allPoints(x.Rows), metric, 30, 2), allPoints(x.Rows), 10)
			c, err := f.newCodes(context.Background())
			if err != nil || (c != nil) != kernel.HasBytes() {
				t.Errorf("%v, %s: codes %v, %v", metric, name, c != nil, err)
			}
			nb, report := mustSearch(t, x, Options{K: 10, Metric: metric, Method: Exact, Threads: 2})
			if report.Codes != kernel.HasBytes() {
				t.Errorf("%v, %s: the report has codes %v", metric, name, report.Codes)
			}
			if first == nil {
				first = nb
			}
			if !slices.Equal(nb.IDs, first.IDs) || !slices.Equal(nb.Dist, first.Dist) {
				t.Errorf("%v: %s finds other neighbours than %s", metric, name, kernel.Names()[0])
			}
		}
	}
}

// TestRoughCodes: codes are not taken where one far point makes them too rough.
func TestRoughCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 5))
	x := csr.NewDense(codesSample, 40)
	for at := range x.Data {
		x.Data[at] = float32(rng.NormFloat64())
	}
	x.Data[7] = 1e5
	f := newCandidateLists(newPoints(x, allPoints(x.Rows), L2, 1e5, 2), allPoints(x.Rows), 10)
	if c, err := f.newCodes(context.Background()); c != nil || err != nil {
		t.Errorf("codes with a step of %v, %v", c.step, err)
	}
}

// TestGraphBytes: before a search the estimate is of floats or bytes, whichever takes more, and after it of
// what was taken.
func TestGraphBytes(t *testing.T) {
	const n, d = 1 << 12, 512
	opt := GraphOptions{Search: Options{K: 10, Metric: Cosine, Method: Exact, Threads: 2}}
	before := GraphBytes(n, d, opt)
	by := func(codes bool) int64 {
		r := &GraphReport{Report: Report{Points: n, Dims: d, Codes: codes}}
		return r.Bytes(opt)
	}
	floats, bytes := by(false), by(true)
	if floats-bytes < 10*4*blockRows*d-n*(d+15) || before != floats {
		t.Errorf("%d bytes before, %d by floats, %d by bytes", before, floats, bytes)
	}
}
