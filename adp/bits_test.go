package adp_test

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// TestSameBits: a graph of points, its F, the learned graph and the calibration have the
// same bits on every processor, whatever kernels it has and whether its compiler fuses
// products with sums. A change of the algorithm changes the hashes; then they are to
// be the same again on amd64, with GOAMD64=v3, and on arm64 (.ci/run does it by qemu).
func TestSameBits(t *testing.T) {
	const n, d, c = 240, 5, 4
	rng := rand.New(rand.NewPCG(3, 51))
	x, labels := csr.NewDense(n, d), make([]int, n)
	for i := range n {
		if labels[i] = -1; i < 5*c {
			labels[i] = i % c
		}
		for j := range d {
			x.Set(i, j, float32(rng.IntN(1000)+i%c*100*(j%2))/8)
		}
	}
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	hash := fnv.New64a()
	floats := func(values []float32) {
		for _, v := range values {
			binary.Write(hash, binary.LittleEndian, math.Float32bits(v))
		}
	}
	check := func(what string, want uint64) {
		t.Helper()
		if got := hash.Sum64(); got != want {
			t.Errorf("%s: hash %#x, expected %#x", what, got, want)
		}
		hash.Reset()
	}
	var w *csr.Matrix
	for _, weighting := range []knn.Weighting{knn.Adaptive, knn.SelfTuning, knn.SymmetricGaussian} {
		if w, _, err = knn.Graph(context.Background(), x, knn.GraphOptions{Search: knn.Options{K: 8}, Weighting: weighting}); err != nil {
			t.Fatal(err)
		}
		_, _, vals := w.Arrays()
		floats(vals)
	}
	check("weights", 0xa21ffe0a10a6ecb5)
	for _, test := range []struct {
		method adp.Method
		choice adp.Select
		solver diffuse.Solver
		want   uint64
	}{
		{adp.LGC, adp.Auto, diffuse.CG, 0xf969829a0baf2a95},
		{adp.LGC, adp.Auto, diffuse.Power, 0x932e262ff4f68703},
		{adp.GFHF, adp.Auto, diffuse.CG, 0x7e12081eb66565cb},
		{adp.ADP, adp.Full, diffuse.CG, 0x988c78b4dd4d3b4e},
		{adp.ADP, adp.None, diffuse.CG, 0xc47fb869cfb56354},
		{adp.ADP1, adp.Auto, diffuse.CG, 0x3f3dad0f7375b4fd},
	} {
		opt := adp.Options{Method: test.method, Select: test.choice, Solver: test.solver, TrialFolds: -1}
		r, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		floats(r.F.Data)
		_, cols, vals := r.Graph.Arrays()
		binary.Write(hash, binary.LittleEndian, cols)
		floats(vals)
		calibration, err := adp.Calibrate(context.Background(), w, y, opt.Chosen(r), 0)
		if err != nil {
			t.Fatal(err)
		}
		calibration.Apply(r, 0)
		floats(r.Confidence)
		check(test.method.String(), test.want)
	}
}
