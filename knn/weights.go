package knn

import (
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Weighting is the function from a distance d of point i to its neighbour j to a weight w_ij.
type Weighting int

// The weightings. The mean distance of i's 27 nearest points (of all, where
// it has fewer) is m_i, and d_s(i) is the distance of its s-th nearest.
//
// Distances of Cosine are taken as they are. Of Manhattan the Gaussians take the root:
// exp(−4d/√(d_k(i) d_k(j))). An inner product is no distance: SymmetricGaussian then means CosineWeight, and the other
// Gaussians are an error.
const (
	// SymmetricGaussian is exp(−4d²/(d_k(i) d_k(j))) with k the number of
	// neighbours a point gets: J. Calder and D. Slepčev, Properly-weighted
	// graph Laplacian for semi-supervised learning, 2020, as in GraphLearning.
	// The default (docs/decisions/0002-weights.md).
	SymmetricGaussian Weighting = iota
	// Adaptive is the paper's adaptive Gaussian, local: exp(−d²/2σ_i²) with
	// σ_i = m_i.
	Adaptive
	// AdaptiveGlobal is the same with one σ, the mean of all m_i; points without
	// neighbours have none.
	AdaptiveGlobal
	// SelfTuning is exp(−d²/(σ_i σ_j)) with σ_i = d_7(i): L. Zelnik-Manor and
	// P. Perona, Self-tuning spectral clustering, NIPS 2004.
	SelfTuning
	// CosineWeight is max(0, cos), for neighbours by Cosine; the inner product
	// where it is positive, for neighbours by InnerProduct.
	CosineWeight
	// Uniform is 1.
	Uniform
)

var weightingNames = [...]string{"symmetric", "adaptive", "adaptive-global", "self-tuning", "cosine", "uniform"}

// ParseWeighting returns the weighting named symmetric, adaptive,
// adaptive-global, self-tuning, cosine or uniform.
func ParseWeighting(name string) (Weighting, error) {
	for w, known := range weightingNames {
		if known == name {
			return Weighting(w), nil
		}
	}
	return 0, fmt.Errorf("%w: weighting %q, expected symmetric, adaptive, adaptive-global, self-tuning, cosine or uniform", ErrOptions, name)
}

// String returns the name that ParseWeighting takes.
func (w Weighting) String() string {
	if w.valid() {
		return weightingNames[w]
	}
	return fmt.Sprintf("Weighting(%d)", int(w))
}

// MarshalText returns the name of the weighting.
func (w Weighting) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the name of a weighting.
func (w *Weighting) UnmarshalText(text []byte) (err error) {
	*w, err = ParseWeighting(string(text))
	return err
}

func (w Weighting) valid() bool { return w >= SymmetricGaussian && w <= Uniform }

// Fits reports whether neighbours by a metric can have the weighting: CosineWeight is for a cosine or InnerProduct, and the Gaussians but
// for SymmetricGaussian are for distances, so not for InnerProduct.
func (w Weighting) Fits(m Metric) bool {
	switch w {
	case SymmetricGaussian, Uniform:
		return true
	case CosineWeight:
		return m.byAngle()
	}
	return w.valid() && m != InnerProduct
}

const (
	adaptiveNeighbors   = 27
	selfTuningNeighbors = 7
)

// bandwidthNeighbors returns the number of neighbours that the bandwidths of a weighting depend on.
func (w Weighting) bandwidthNeighbors() int {
	switch w {
	case Adaptive, AdaptiveGlobal:
		return adaptiveNeighbors
	case SelfTuning:
		return selfTuningNeighbors
	}
	return 0
}

// MinWeight is the smallest weight that [Weights] gives. A neighbour whose weight would vanish gets
// it, so that it stays a neighbour. It is negligible beside ordinary weights, and far above the
// smallest float32.
const MinWeight = 0x1p-100

// WeightOptions are the options of [Weights].
type WeightOptions struct {
	K         int // neighbours a point that get weights; zero means all. More may be given for bandwidths.
	Weighting Weighting
	Threads   int // zero means GOMAXPROCS
}

// Weights returns the directed n×n matrix of w_ij for the first K neighbours j of each point i,
// without a diagonal; csr.Symmetrize makes it a graph. With neighbours among distinct points, the
// rows of copies are empty.
//
// A bandwidth is never below the smallest positive distance in nb, or 1 if there is none. So points
// with many duplicates get weights like the others: 1 to their duplicates and small ones to the
// rest. Weights lie between [MinWeight] and 1, except those of CosineWeight by InnerProduct.
//
// Errors wrap [ErrOptions], for a weighting that does not fit the metric, or [ErrNeighbors], for a
// number in nb that is not below n or is the point's own. Disagreeing shapes panic.
func Weights(nb *Neighbors, opt WeightOptions) (*csr.Matrix, error) {
	f, err := newWeigher(nb, opt)
	if err != nil {
		return nil, err
	}
	return f.matrix(nb, opt.Threads), nil
}

// matrix weighs the first k neighbours of every point.
func (f *weigher) matrix(nb *Neighbors, threads int) *csr.Matrix {
	buffer := csr.NewRowBuffer(nb.N, nb.N, f.k)
	rows.Each(nb.N, threads, func(lo, hi int) {
		w := make([]float32, f.k)
		for i := lo; i < hi; i++ {
			ids, dist := nb.Row(i)
			ids = ids[:min(f.k, len(ids))]
			if nb.isCopy(i) { // see GraphOf
				ids = nil
			}
			for p, j := range ids {
				w[p] = f.weight(uint32(i), j, float64(dist[p]))
			}
			buffer.Set(i, ids, w[:len(ids)])
		}
	})
	return buffer.Matrix(threads)
}

// weigher holds the data of each point that a weighting needs.
type weigher struct {
	weighting Weighting
	metric    Metric
	k         int
	sigma     []float64 // bandwidth of each point, nil where there is none
}

func newWeigher(nb *Neighbors, opt WeightOptions) (*weigher, error) {
	if err := nb.check(); err != nil {
		return nil, err
	}
	f := &weigher{weighting: opt.Weighting, metric: nb.Metric, k: opt.K}
	if f.k == 0 {
		f.k = nb.K
	}
	if nb.Metric == InnerProduct && f.weighting == SymmetricGaussian {
		f.weighting = CosineWeight
	}
	switch {
	case !f.weighting.valid():
		return nil, fmt.Errorf("%w: %v", ErrOptions, f.weighting)
	case f.k < 0 || f.k > nb.K:
		return nil, fmt.Errorf("%w: weights for %d neighbours of %d, expected 1 to all", ErrOptions, f.k, nb.K)
	case f.weighting == CosineWeight && !f.weighting.Fits(nb.Metric):
		return nil, fmt.Errorf("%w: weighting %v needs neighbours by a cosine or ip, these are by %v", ErrOptions, f.weighting, nb.Metric)
	case !f.weighting.Fits(nb.Metric):
		return nil, fmt.Errorf("%w: weighting %v needs distances, expected cosine or uniform with metric ip", ErrOptions, f.weighting)
	case f.weighting < CosineWeight:
		f.findBandwidths(nb, opt.Threads)
	}
	return f, nil
}

// findBandwidths sets sigma.
func (f *weigher) findBandwidths(nb *Neighbors, threads int) {
	f.sigma = make([]float64, nb.N)
	rows.Each(nb.N, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			_, dist := nb.Row(i)
			f.sigma[i] = f.bandwidth(dist)
		}
	})
	if f.weighting == AdaptiveGlobal {
		sum, points := 0.0, 0
		for i, s := range f.sigma {
			if ids, _ := nb.Row(i); len(ids) > 0 && !nb.isCopy(i) {
				sum += s
				points++
			}
		}
		for i := range f.sigma {
			f.sigma[i] = sum / float64(max(points, 1))
		}
	}
	floor := f.metric.length(smallestPositive(nb.Dist))
	for i, s := range f.sigma {
		f.sigma[i] = max(s, floor)
	}
}

// bandwidth returns σ of a point with the given distances.
func (f *weigher) bandwidth(dist []float32) float64 {
	switch {
	case len(dist) == 0:
		return 0
	case f.weighting == SelfTuning:
		return f.metric.length(float64(dist[min(selfTuningNeighbors, len(dist))-1]))
	case f.weighting == SymmetricGaussian:
		return f.metric.length(float64(dist[min(f.k, len(dist))-1]))
	}
	near, sum := dist[:min(adaptiveNeighbors, len(dist))], 0.0
	for _, d := range near {
		sum += f.metric.length(float64(d))
	}
	return sum / float64(len(near))
}

// smallestPositive returns the smallest positive finite distance, 1 if there
// is none.
func smallestPositive(dist []float32) float64 {
	smallest := math.Inf(1)
	for _, d := range dist {
		if d > 0 {
			smallest = min(smallest, float64(d))
		}
	}
	if math.IsInf(smallest, 1) {
		return 1
	}
	return smallest
}

// weight returns w_ij for a neighbour j of i at distance d.
func (f *weigher) weight(i, j uint32, d float64) float32 {
	if f.sigma == nil {
		return f.weighting.weight(f.metric, d, 0, 0)
	}
	return f.weighting.weight(f.metric, d, f.sigma[i], f.sigma[j])
}

// weight returns w_ij for a neighbour j of i at distance d, given the bandwidths
// of both.
func (w Weighting) weight(metric Metric, d, own, other float64) float32 {
	v := 1.0
	if w < CosineWeight {
		d = metric.length(d)
	}
	switch w {
	case Adaptive, AdaptiveGlobal:
		r := d / own
		v = exact.Exp(-r * r / 2)
	case SelfTuning:
		v = exact.Exp(-(d / own) * (d / other))
	case SymmetricGaussian:
		v = exact.Exp(-4 * (d / own) * (d / other))
	case CosineWeight:
		v = 1 - d
		if metric == InnerProduct {
			v = -d
		}
	}
	return float32(max(v, MinWeight))
}
