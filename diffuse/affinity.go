package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// AffinityOptions are the options of [AStep].
type AffinityOptions struct {
	// TopK is the number of entries kept in each row before symmetrising,
	// the diagonal not counted. n-1 or more, or less than 0, keeps whole rows,
	// all n columns of them: the paper's dense step, for small n.
	TopK int
	// Alpha is α_A in (0,1], the weight of the diffusion against I.
	Alpha float64
	// Zeta is the factor ζ' of Z = ζ'HHᵀ, at least 0.
	Zeta    float64
	Threads int // zero means GOMAXPROCS
	// Progress is called now and then, by any worker, with the rows done
	// since its last call.
	Progress func(rows int)
}

// AStep returns one step of the diffusion of the graph itself,
//
//	A' = topk(α_A S (A + ζ'HHᵀ) Sᵀ) + (1−α_A) I, made symmetric: (A' + A'ᵀ)/2,
//
// for symmetric n×n matrices S and A of values of at least 0 and H with n
// rows (the paper's Eq. iteration, truncated). Row i is computed as
//
//	u = Σ_j S_ij A_j,  v = Σ_l u_l S_l,  G = S H,
//	a_ij = α_A (v_j + ζ'⟨G_i, G_j⟩)  for the j in the pattern of v,
//
// and only its TopK largest entries are ever stored; of equal ones the
// smaller column stays. The diagonal entry a_ii + (1−α_A) always stays.
//
// Cost: Σ_i Σ_{j∈S_i} Σ_{l∈A_j} nnz(S_l) multiply-adds at most, and c for
// each candidate that an upper bound of ⟨G_i, G_j⟩ does not rule out.
// Memory: G (4·n·c bytes), 8·n·(TopK+1) for rows being collected, the result
// twice while it is made symmetric, and 24·n a worker.
func AStep(ctx context.Context, s, a *csr.Matrix, h *Factor, opt AffinityOptions) (*csr.Matrix, error) {
	n, _ := s.Dims()
	if an, am := a.Dims(); an != n || am != n {
		panic(fmt.Sprintf("diffuse: S is %d×%d, A %d×%d", n, n, an, am))
	}
	if opt.TopK < 0 || opt.TopK >= n-1 {
		opt.TopK = n - 1
	}
	step := newAffinityStep(s, h, opt)
	err := csr.MulRows(ctx, s, a, opt.Threads, func(worker, i int, u *csr.Accumulator) error {
		if step.workers[worker] == nil {
			step.workers[worker] = newAffinityWorker(n, opt.TopK)
		}
		step.row(step.workers[worker], i, u)
		return nil
	})
	if err != nil {
		return nil, err
	}
	truncated := step.out.Matrix(opt.Threads)
	step.out = nil
	return csr.Symmetrize(truncated, csr.Mean, opt.Threads), nil
}

// affinityStep is what all rows of one A-step share.
type affinityStep struct {
	s       *csr.Matrix
	g       *csr.Dense // S H √ζ', so that ζ' is in the products
	norms   []float32  // ‖G_j‖, rounded up
	opt     AffinityOptions
	out     *csr.RowBuffer
	workers []*affinityWorker
}

// slack keeps upper bounds above the rounding of float32 sums.
const slack = 1e-4

// affinityWorker is the scratch memory of one worker.
type affinityWorker struct {
	// Of the row in work: the class where G_i is largest, that entry, and the
	// norm of the rest of G_i, rounded up.
	class int
	most  float32
	rest  float32

	v    *csr.Accumulator
	top  *csr.TopK
	cols []uint32
	vals []float32
	done int
}

func newAffinityStep(s *csr.Matrix, h *Factor, opt AffinityOptions) *affinityStep {
	n, _ := s.Dims()
	step := &affinityStep{
		s: s, g: h.times(s, opt.Threads), norms: make([]float32, n), opt: opt,
		out: csr.NewRowBuffer(n, n, opt.TopK+1), workers: make([]*affinityWorker, rows.Workers(opt.Threads)),
	}
	root := float32(math.Sqrt(opt.Zeta))
	rows.Each(n, opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := 0.0
			row := step.g.Row(i)
			for j := range row {
				row[j] *= root
				sum += float64(row[j]) * float64(row[j])
			}
			step.norms[i] = float32(math.Sqrt(sum) * (1 + slack))
		}
	})
	return step
}

func newAffinityWorker(n, k int) *affinityWorker {
	return &affinityWorker{
		v: csr.NewAccumulator(n), top: csr.NewTopK(k),
		cols: make([]uint32, 0, k+1), vals: make([]float32, 0, k+1),
	}
}

// row computes, truncates and stores row i from u = (S A)_i.
func (step *affinityStep) row(w *affinityWorker, i int, u *csr.Accumulator) {
	w.v.Reset()
	for _, l := range u.Columns() {
		cols, vals := step.s.Row(int(l))
		w.v.AddScaled(u.Value(l), cols, vals)
	}
	w.top.Reset()
	w.split(step.g.Row(i))
	if n := len(step.norms); step.opt.TopK == n-1 {
		for j := range n {
			step.offer(w, i, uint32(j))
		}
	} else {
		for _, j := range w.v.Columns() {
			step.offer(w, i, j)
		}
	}
	cols, vals := w.top.Entries()
	alpha := float32(step.opt.Alpha)
	diagonal := alpha*(w.v.Value(uint32(i))+step.dot(i, i)) + (1 - alpha)
	w.cols = append(append(w.cols[:0], cols...), uint32(i))
	w.vals = append(append(w.vals[:0], vals...), diagonal)
	step.out.Set(i, w.cols, w.vals)
	if w.done++; w.done == rows.BlockSize && step.opt.Progress != nil {
		step.opt.Progress(w.done)
		w.done = 0
	}
}

// split sets the bound's parts: with a the largest class of G_i,
// ⟨G_i, G_j⟩ ≤ G_ia G_ja + ‖G_i without a‖ ‖G_j‖.
func (w *affinityWorker) split(gi []float32) {
	w.class, w.most = 0, 0
	sum := 0.0
	for k, v := range gi {
		sum += float64(v) * float64(v)
		if v > w.most {
			w.class, w.most = k, v
		}
	}
	rest := sum - float64(w.most)*float64(w.most)
	w.rest = float32(math.Sqrt(max(rest, 0)) * (1 + slack))
}

// offer computes a_ij and offers it to the top k, unless its upper bound
// shows that it cannot be among them.
func (step *affinityStep) offer(w *affinityWorker, i int, j uint32) {
	if int(j) == i {
		return
	}
	v, alpha := w.v.Value(j), float32(step.opt.Alpha)
	if least, full := w.top.Least(); full {
		bound := v + w.most*step.g.At(int(j), w.class) + w.rest*step.norms[j]
		if alpha*bound*(1+slack) < least {
			return
		}
	}
	if a := alpha * (v + step.dot(i, int(j))); a > 0 {
		w.top.Offer(j, a)
	}
}

// dot returns ζ'⟨G_i, G_j⟩.
func (step *affinityStep) dot(i, j int) float32 {
	gi := step.g.Row(i)
	gj := step.g.Row(j)[:len(gi)]
	var sum float32
	for k, v := range gi {
		sum += v * gj[k]
	}
	return sum
}
