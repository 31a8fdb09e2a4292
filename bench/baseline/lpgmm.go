package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/queue"
	"github.com/adp-sparse/adp-sparse/knn"
)

const (
	geodesicNeighbours = 50  // pairs of a point that P holds
	marginWeight       = 0.1 // λ of LPGMM
)

// LPGMM is label propagation on geodesics with a margin term: the minimum
// over F, n×c, with rows on the simplex and F_l = Y_l, of
//
//	KL(P ‖ Q(F)) − λ/n Σ_i ‖F_i‖²,  Q_ij = ⟨F_i, F_j⟩ / Σ_kl ⟨F_k, F_l⟩.
//
// P_ij is the joint probability of pairs by their geodesic distance g_ij, as
// in t-SNE: P_j|i ∝ exp(−g_ij²/2σ_i²), P_ij = (P_j|i + P_i|j)/2n, where g is
// the length of shortest paths in the graph of the 10 nearest neighbours
// joined by the shortest links of its components, and σ_i the mean distance
// of the 27 nearest. The last term rewards rows near a corner of the simplex:
// wide margins.
//
// From the abstract are the connected graph, the geodesic joint probability,
// the Kullback–Leibler divergence and that margins are regularised; assumed
// are the form of Q and of the margin term, λ = 0.1, and that P holds the 50
// nearest of each point. On a set without features g is that of 1/W.
//
// Projected gradient steps with backtracking from the harmonic functions on
// P: the objective never rises. It stops at a relative fall below 1e-6 or
// after 200 steps. O(n(k log n)) for P once for a set, O(50nc) a step.
//
// M. Fan, X. Zhang, L. Du, L. Chen, D. Tao: Semi-Supervised Learning Through
// Label Propagation on Geodesics. IEEE Trans. Cybernetics 48(5), 2018.
func LPGMM(ctx context.Context, p *Problem) ([]int32, error) {
	pairs, err := p.geodesicPairs(ctx)
	if err != nil {
		return nil, err
	}
	start, _, err := diffuse.Harmonic(ctx, diffuse.Normalize(pairs, p.Threads), p.Seeds, p.options())
	if err != nil {
		return nil, err
	}
	d := newDivergence(pairs, start, p.Seeds.Mask())
	for range 200 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if before := d.value; !d.step() || before-d.value < 1e-6*math.Abs(before) {
			break
		}
	}
	return d.labels(), nil
}

// geodesicPairs returns P, symmetric, summing to 1.
func (d *Data) geodesicPairs(ctx context.Context) (*csr.Matrix, error) {
	return once(d, "geodesic", func() (*csr.Matrix, error) {
		lengths, err := d.lengths(ctx)
		if err != nil {
			return nil, err
		}
		n := d.N()
		k := min(geodesicNeighbours, n-1)
		buffer := csr.NewRowBuffer(n, n, k)
		for i := range n {
			cols, far := nearest(lengths, i, k)
			if len(cols) == 0 {
				continue
			}
			sigma := floats.Sum(far[:min(bandwidthNeighbours, len(far))]) / float64(min(bandwidthNeighbours, len(far)))
			vals, sum := make([]float64, len(far)), 0.0
			for m, g := range far {
				vals[m] = 1
				if sigma > 0 {
					vals[m] = math.Exp(-g * g / (2 * sigma * sigma))
				}
				sum += vals[m]
			}
			row := make([]float32, len(vals))
			for m, v := range vals {
				row[m] = float32(v / sum / float64(n))
			}
			buffer.Set(i, cols, row)
		}
		return csr.Symmetrize(buffer.Matrix(d.Threads), csr.Mean, d.Threads), nil
	})
}

// lengths returns the lengths of the edges of a connected neighbour graph.
func (d *Data) lengths(ctx context.Context) (*csr.Matrix, error) {
	if d.X == nil {
		_, _, vals := d.W.Arrays()
		data := make([]float32, len(vals))
		for k, v := range vals {
			data[k] = 1 / v
		}
		return d.W.WithData(data), nil
	}
	nb, err := d.neighbours(ctx)
	if err != nil {
		return nil, err
	}
	n := d.N()
	k := min(Neighbours, nb.K)
	buffer := csr.NewRowBuffer(n, n, k)
	for i := range n {
		cols, dist := nb.Nearest(k).Row(i)
		vals := make([]float32, len(dist))
		for m, v := range dist {
			vals[m] = max(v, knn.MinWeight) // duplicates are no missing edges
		}
		buffer.Set(i, cols, vals)
	}
	lengths := csr.Symmetrize(buffer.Matrix(d.Threads), csr.Max, d.Threads)
	joined, _, err := knn.Connect(ctx, lengths, d.X, knn.ConnectOptions{Weight: func(l knn.Link) float32 { return max(l.Dist, knn.MinWeight) }, Threads: d.Threads})
	return joined, err
}

// nearest returns the k nearest points of i by the lengths of paths, nearest
// first: Dijkstra's algorithm, stopped early.
func nearest(lengths *csr.Matrix, i, k int) (cols []uint32, dist []float64) {
	settled := map[uint32]bool{}
	var byLength queue.Queue[float64]
	byLength.Push(0, uint32(i))
	for length, at := range byLength.Drain() {
		if len(cols) == k {
			break
		}
		if settled[at] {
			continue
		}
		settled[at] = true
		if at != uint32(i) {
			cols, dist = append(cols, at), append(dist, length)
		}
		next, vals := lengths.Row(int(at))
		for m, j := range next {
			if !settled[j] {
				byLength.Push(length+float64(vals[m]), j)
			}
		}
	}
	return cols, dist
}

// divergence is the state of LPGMM.
type divergence struct {
	pairs    *csr.Matrix
	fixed    []bool
	free     []bool // a label reaches the point and it is not given
	f        [][]float64
	gradient [][]float64
	value    float64
	rate     float64
}

func newDivergence(pairs *csr.Matrix, start *csr.Dense, fixed []bool) *divergence {
	const smoothing = 0.01 // keeps ⟨F_i, F_j⟩ of all pairs above 0
	n, c := start.Rows, start.Cols
	d := &divergence{pairs: pairs, fixed: fixed, free: make([]bool, n), f: make([][]float64, n), gradient: make([][]float64, n), rate: 1}
	for i := range n {
		d.f[i], d.gradient[i] = make([]float64, c), make([]float64, c)
		sum := 0.0
		for j, v := range start.Row(i) {
			d.f[i][j] = float64(v)
			sum += float64(v)
		}
		if d.free[i] = sum > 0 && !fixed[i]; d.free[i] {
			for j := range d.f[i] {
				d.f[i][j] = (1-smoothing)*d.f[i][j]/sum + smoothing/float64(c)
			}
		}
	}
	d.value = d.objective(d.f)
	return d
}

// objective returns KL(P ‖ Q) without the constant Σ P log P, minus the
// margin term. Pairs of points that no label reaches take no part.
func (d *divergence) objective(f [][]float64) float64 {
	value, used := 0.0, 0.0
	mass := make([]float64, len(f[0]))
	for i := range f {
		floats.Add(mass, f[i])
		value -= marginWeight / float64(len(f)) * floats.Dot(f[i], f[i])
		cols, vals := d.pairs.Row(i)
		for k, j := range cols {
			if dot := floats.Dot(f[i], f[j]); d.free[i] || d.free[j] {
				value -= float64(vals[k]) * math.Log(max(dot, 1e-300))
				used += float64(vals[k])
			}
		}
	}
	return value + used*math.Log(floats.Dot(mass, mass))
}

// slope fills the gradient of the objective for the free points.
func (d *divergence) slope() {
	n, c := len(d.f), len(d.f[0])
	mass := make([]float64, c)
	used := 0.0
	for i := range n {
		floats.Add(mass, d.f[i])
		cols, vals := d.pairs.Row(i)
		for k, j := range cols {
			if d.free[i] || d.free[j] {
				used += float64(vals[k])
			}
		}
	}
	total := floats.Dot(mass, mass)
	for i := range n {
		g := d.gradient[i]
		clear(g)
		if !d.free[i] {
			continue
		}
		floats.AddScaled(g, 2*used/total, mass)
		floats.AddScaled(g, -2*marginWeight/float64(n), d.f[i])
		cols, vals := d.pairs.Row(i)
		for k, j := range cols {
			// P_ij and P_ji both hold the product.
			floats.AddScaled(g, -2*float64(vals[k])/max(floats.Dot(d.f[i], d.f[j]), 1e-300), d.f[j])
		}
	}
}

// step moves the free rows against the gradient, back onto the simplex, with
// the largest rate that lowers the objective; false if none does.
func (d *divergence) step() bool {
	d.slope()
	next := make([][]float64, len(d.f))
	for rate := 4 * d.rate; rate > 1e-9*d.rate; rate /= 4 {
		for i := range d.f {
			if next[i] = d.f[i]; d.free[i] {
				row := make([]float64, len(d.f[i]))
				// Rows are of size 1 and their gradients of size 1/n.
				floats.AddScaledTo(row, d.f[i], -rate*float64(len(d.f)), d.gradient[i])
				simplex(row, -1)
				next[i] = row
			}
		}
		if value := d.objective(next); value < d.value {
			d.f, d.value, d.rate = next, value, rate
			return true
		}
	}
	return false
}

func (d *divergence) labels() []int32 {
	y := make([]int32, len(d.f))
	for i, row := range d.f {
		if y[i] = int32(floats.MaxIdx(row)); row[y[i]] <= 0 {
			y[i] = -1
		}
	}
	return y
}
