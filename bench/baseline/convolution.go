package baseline

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

// The parameters of SGC: hops of the published figures, and the default weight decay of
// the authors' program.
const (
	sgcHops  = 2
	sgcDecay = 5e-6
)

// SGC is simple graph convolution, a network without its nonlinearities: logistic
// regression on features after K = 2 hops,
//
//	softmax(S̃²XΘ + b),  min 1/l Σ_l −log softmax + γ/2 ‖Θ‖²,  γ = 5·10⁻⁶,
//
// rows of counts in X sum to 1. The text takes 100 steps of Adam and tunes γ on validation
// labels; here it is the minimum. The products of X once for a set; then as [Logistic].
//
// F. Wu, T. Zhang, A. Souza, C. Fifty, T. Yu, K. Weinberger: Simplifying Graph
// Convolutional Networks. ICML 2019.
func SGC(ctx context.Context, p *Problem) ([]int32, error) {
	x, err := once(p.Data, "S̃²X", func() (*csr.Matrix, error) {
		x, err := p.shares()
		for range sgcHops {
			if err == nil {
				x, err = p.hop(ctx, x)
			}
		}
		return x, err
	})
	if err != nil {
		return nil, err
	}
	h, err := p.softmax(ctx, x, sgcDecay)
	if err != nil {
		return nil, err
	}
	return labels(h), nil
}

// The parameters of APPNP in its text.
const (
	teleport      = 0.1
	teleportSteps = 10
)

// APPNP is personalised PageRank of predictions,
//
//	F ← (1−α)S̃F + αH from F = H,  10 steps, α = 0.1,
//
// with H the probabilities of [Logistic] in place of a network's. 10ec beyond H.
//
// J. Klicpera, A. Bojchevski, S. Günnemann: Predict then Propagate: Graph Neural Networks
// meet Personalized PageRank. ICLR 2019.
func APPNP(ctx context.Context, p *Problem) ([]int32, error) {
	h, err := p.logistic(ctx)
	if err != nil {
		return nil, err
	}
	f, err := p.spread(ctx, p.looped().S, h, 1-teleport, teleportSteps, false)
	if err != nil {
		return nil, err
	}
	return labels(f), nil
}

// The parameters of Correct and Smooth, and the largest factor of a correction.
const (
	correctAlpha = 0.8
	smoothAlpha  = 0.8
	smoothSteps  = 50
	mostScale    = 1000
)

// CorrectSmooth is Correct and Smooth ("autoscale") on logistic regression. With H the
// base's probabilities and Y the labels of the seeds, S without loops:
//
//	E_l = Y_l − H_l, else 0;   Ê ← αSÊ + (1−α)E from Ê = E, 50 steps
//	G_i = H_i + σ Ê_i/‖Ê_i‖₁,  σ the mean ‖E_l‖₁;   G_l = Y_l
//	F ← αSF + (1−α)G from F = G, 50 steps, within [0,1]
//
// The base is fitted as [SGC] is, but on X: nearly without a penalty, as the authors'
// linear one has none, for the errors to be those of a fit. The text tunes α on
// validation labels; of the correction it is that of the authors' linear base on
// ogbn-arxiv, of the smoothing that of PyTorch Geometric's example. 100ec beyond H.
//
// Q. Huang, H. He, A. Singh, S.-N. Lim, A. Benson: Combining Label Propagation and Simple
// Models Out-performs Graph Neural Networks. ICLR 2021.
func CorrectSmooth(ctx context.Context, p *Problem) ([]int32, error) {
	x, err := p.shares()
	if err != nil {
		return nil, err
	}
	h, err := p.softmax(ctx, x, sgcDecay)
	if err != nil {
		return nil, err
	}
	if err := p.correct(ctx, h); err != nil {
		return nil, err
	}
	f, err := p.spread(ctx, p.normalized().S, h, smoothAlpha, smoothSteps, true)
	if err != nil {
		return nil, err
	}
	return labels(f), nil
}

// correct replaces probabilities H by G.
func (p *Problem) correct(ctx context.Context, h *csr.Dense) error {
	e := csr.NewDense(h.Rows, h.Cols)
	total := 0.0
	seeds := p.Seeds.List()
	for _, s := range seeds {
		row := e.Row(int(s.Node))
		for k, v := range h.Row(int(s.Node)) {
			row[k] = -v
		}
		row[s.Class]++
		total += absolute(row)
	}
	spread, err := p.spread(ctx, p.normalized().S, e, correctAlpha, smoothSteps, false)
	if err != nil {
		return err
	}
	mean := total / float64(len(seeds))
	for i := range h.Rows {
		scale := mean / absolute(spread.Row(i))
		if math.IsNaN(scale) || scale > mostScale {
			scale = 1
		}
		for k, v := range spread.Row(i) {
			h.Row(i)[k] += float32(scale * float64(v))
		}
	}
	for _, s := range seeds {
		clear(h.Row(int(s.Node)))
		h.Row(int(s.Node))[s.Class] = 1
	}
	return nil
}
