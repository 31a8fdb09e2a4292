package baseline

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

func propagation() []Method {
	return []Method{
		{"LP", Propagation, "Zhu, Ghahramani 2002", "", LP},
		{"GFHF", Propagation, "Zhu, Ghahramani, Lafferty 2003", "", GFHF},
		{"LGC", Propagation, "Zhou et al. 2004", "", LGC},
		{"GGMC", Propagation, "Wang, Jebara, Chang 2013", "", GGMC},
		{"LPGMM", Propagation, "Fan et al. 2018", "of the text only the abstract was at hand: the similarity of the output, the form of the margin term, its weight and the solver are ours", LPGMM},
		{"Poisson", Propagation, "Calder et al. 2020", "", Poisson},
	}
}

// LP is label propagation: until F settles,
//
//	F ← P F with P = D^-1 W;  F_l ← Y_l for the labelled points,
//
// whose fixed point is that of [GFHF]: F_i is the mean of its neighbours. It
// stops when no entry changes by more than 1e-6, or after 10,000 steps.
// O(nnz·c) a step, two n×c blocks.
//
// X. Zhu, Z. Ghahramani: Learning from labeled and unlabeled data with label
// propagation, CMU-CALD-02-107, 2002.
func LP(ctx context.Context, p *Problem) ([]int32, error) {
	f, err := propagate(ctx, p)
	if err != nil {
		return nil, err
	}
	return labels(f), nil
}

func propagate(ctx context.Context, p *Problem) (*csr.Dense, error) {
	const (
		tolerance = 1e-6
		steps     = 10000
	)
	degrees := p.normalized().Degrees
	clamp := func(f *csr.Dense) {
		for _, s := range p.Seeds.List() {
			clear(f.Row(int(s.Node)))
		}
		for _, s := range p.Seeds.List() {
			f.Set(int(s.Node), int(s.Class), s.Weight)
		}
	}
	f, next := csr.NewDense(p.N(), p.Seeds.Classes), csr.NewDense(p.N(), p.Seeds.Classes)
	clamp(f)
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		csr.MulDense(next, p.W, f, p.Threads)
		for i, d := range degrees {
			if d > 0 {
				row := next.Row(i)
				for j := range row {
					row[j] = float32(float64(row[j]) / d)
				}
			}
		}
		clamp(next)
		change := 0.0
		for k, v := range next.Data {
			change = max(change, math.Abs(float64(v-f.Data[k])))
		}
		f, next = next, f
		if change < tolerance {
			break
		}
	}
	return f, nil
}

// GFHF is Gaussian fields and harmonic functions: the minimum of
//
//	½ Σ_ij W_ij ‖F_i − F_j‖²  with F_l = Y_l,  F_u = L_uu^-1 W_ul Y_l,
//
// (the paper's Eq. gfhf), by [diffuse.Harmonic] without class mass
// normalisation. Conjugate gradients, O(nnz·c) an iteration.
//
// X. Zhu, Z. Ghahramani, J. Lafferty, ICML 2003.
func GFHF(ctx context.Context, p *Problem) ([]int32, error) { return p.gfhfOn(ctx, p.W) }

// LGC is learning with local and global consistency: the minimum of
//
//	½ Σ_ij W_ij ‖F_i/√D_ii − F_j/√D_jj‖² + μ/2 ‖F − Y‖²,
//	F = (1−α)(I − αS)^-1 Y,  α = 1/(1+μ) = 0.99
//
// (the paper's Eq. lgc_optimization), by [diffuse.LGC] with Y as it is.
// Conjugate gradients, O(nnz·c) an iteration.
//
// D. Zhou et al., NIPS 2004.
func LGC(ctx context.Context, p *Problem) ([]int32, error) { return p.lgcOn(ctx, p.W) }
