package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

func inductive() []Method {
	const kernel = "Gaussian kernel of the mean distance of the 27 nearest; γ_A l = 0.005 and γ_I l/n² = 0.045, the values of Belkin et al."
	return []Method{
		{"LapRLS", Inductive, "Belkin, Niyogi, Sindhwani 2006", kernel, LapRLS},
		{"DLSR", Inductive, "Luo et al. 2017", "of the text only the abstract was at hand: r = 2, λ = 0.1 and the form of the adjustment are ours", DLSR},
		{"GD", Inductive, "Gong et al. 2018", "of the text only the abstract was at hand: the teacher is LGC on the privileged features where a set has any, else on its own, and half of the loss is its; " + kernel, GD},
	}
}

// The weights of LapRLS, over labelled points.
const (
	ambient   = 0.005 // γ_A l
	intrinsic = 0.045 // γ_I l / n²
)

// LapRLS is Laplacian regularised least squares: f(x) = Σ_j a_j k(x_j, x)
// that minimises
//
//	1/l Σ_l (Y_l − f(x_l))² + γ_A ‖f‖²_K + γ_I/n² fᵀLf,
//	(J K + γ_A l I + γ_I l/n² L K) a = Y,
//
// a class each, with J the diagonal of the labelled points, L = D − W and the
// Gaussian kernel k(x, y) = exp(−‖x−y‖²/2σ²), σ the mean distance of the 27
// nearest. n²d and an LU of an n×n matrix, about 3n³, once for a set; n²c + l³
// a draw.
//
// M. Belkin, P. Niyogi, V. Sindhwani: Manifold Regularization. JMLR 7, 2006.
func LapRLS(ctx context.Context, p *Problem) ([]int32, error) {
	y := p.oneHot()
	return p.regress(ctx, p.mask(), y)
}

// mask is the diagonal J.
func (p *Problem) mask() []float64 {
	j := make([]float64, p.N())
	for _, s := range p.Seeds.List() {
		j[s.Node] = 1
	}
	return j
}

// regress labels by the kernel expansion that minimises
// Σ_i w_i‖T_i − f(x_i)‖² + γ_A l ‖f‖² + γ_I l/n² fᵀLf; target holds w_i T_i.
func (p *Problem) regress(ctx context.Context, weight []float64, target *mat.Dense) ([]int32, error) {
	f, err := p.expansion(ctx, weight, target, ambient, intrinsic)
	if err != nil {
		return nil, err
	}
	return largest(p.N(), f.RawRowView), nil
}

// expansion returns f on the points: Ka with (diag(w)K + γI + γ'LK) a = T.
//
// With w₀ the least weight, M = w₀K + γI + γ'LK and G = KM^-1, which do not
// depend on the labels and are made once, f = G(T − (w − w₀)f): a system of
// the points D with a larger weight, (I + G_DD(w − w₀)) f_D = (GT)_D.
func (p *Problem) expansion(ctx context.Context, weight []float64, target *mat.Dense, gammaA, gammaI float64) (*mat.Dense, error) {
	least := slices.Min(weight)
	g, err := p.response(ctx, least, gammaA, gammaI)
	if err != nil {
		return nil, err
	}
	var more []int
	for i, w := range weight {
		if w > least {
			more = append(more, i)
		}
	}
	n, c := target.Dims()
	f := mat.NewDense(n, c, nil)
	mul(f, g, target)
	if len(more) == 0 {
		return f, nil
	}
	system, right := mat.NewDense(len(more), len(more), nil), mat.NewDense(len(more), c, nil)
	columns := mat.NewDense(n, len(more), nil)
	for a, i := range more {
		right.SetRow(a, f.RawRowView(i))
		for b, j := range more {
			system.Set(a, b, g.At(i, j)*(weight[j]-least))
		}
		system.Set(a, a, system.At(a, a)+1)
		for j := range n {
			columns.Set(j, a, g.At(j, i)*(weight[i]-least))
		}
	}
	var at, change mat.Dense
	if err := at.Solve(system, right); err != nil {
		return nil, err
	}
	change.Mul(columns, &at)
	f.Sub(f, &change)
	return f, nil
}

// response returns G = K(wK + γI + γ'LK)^-1, made once: LU, about 3n³.
func (d *Data) response(ctx context.Context, weight, gammaA, gammaI float64) (*mat.Dense, error) {
	return once(d, fmt.Sprint("G", weight, gammaA, gammaI), func() (*mat.Dense, error) {
		k, err := d.gaussian(ctx)
		if err != nil {
			return nil, err
		}
		n := d.N()
		system := mat.NewDense(n, n, nil)
		laplacian(system, d.W, d.normalized().Degrees, k)
		for i := range n {
			row := system.RawRowView(i)
			for j, v := range k.RawRowView(i) {
				row[j] = weight*v + gammaI*row[j]
			}
			row[i] += gammaA
		}
		var factor mat.LU
		factor.Factorize(system)
		turned := mat.NewDense(n, n, nil)
		if err := factor.SolveTo(turned, true, k); err != nil {
			return nil, err
		}
		return mat.DenseCopyOf(turned.T()), nil
	})
}

// gaussian returns K, n×n, made once.
func (d *Data) gaussian(ctx context.Context) (*mat.Dense, error) {
	return once(d, "K", func() (*mat.Dense, error) {
		if err := checkSize(d.N()); err != nil {
			return nil, err
		}
		nb, err := d.neighbours(ctx)
		if err != nil {
			return nil, err
		}
		sigma := 0.0
		for _, v := range nb.Dist {
			sigma += float64(v) / float64(len(nb.Dist))
		}
		n := d.N()
		x := mat.NewDense(n, d.X.Cols, nil)
		for i := range n {
			for j, v := range d.X.Row(i) {
				x.Set(i, j, float64(v))
			}
		}
		k := mat.NewDense(n, n, nil)
		mul(k, x, x.T())
		square := make([]float64, n)
		for i := range n {
			square[i] = k.At(i, i)
		}
		k.Apply(func(i, j int, v float64) float64 {
			if sigma == 0 {
				return 1
			}
			return math.Exp(-max(square[i]+square[j]-2*v, 0) / (2 * sigma * sigma))
		}, k)
		return k, nil
	})
}

// gdImitation is the share of the teacher in the loss of GD.
const gdImitation = 0.5

// GD is generalised distillation: a learner that imitates a teacher, who
// knows more about the points. With the teacher's soft labels S (rows of sum
// 1) it is LapRLS with
//
//	(1−ρ)/l Σ_l ‖Y_l − f(x_l)‖² + ρ/n Σ_i ‖S_i − f(x_i)‖²
//
// for its loss, over the n points that the teacher has labels for; ρ = 0 is LapRLS. From the abstract are the learner's
// imitation of a teacher's soft labels beside the given ones; assumed are the
// squared loss, ρ = ½, LapRLS as the learner, and the teacher: LGC on the
// graph of the privileged features, or, where a set has none, on the
// learner's own, as the ADP paper gives ADP. Cost: that of LapRLS.
//
// C. Gong, X. Chang, M. Fang, J. Yang: Teaching Semi-Supervised Classifier via
// Generalized Distillation. IJCAI 2018.
func GD(ctx context.Context, p *Problem) ([]int32, error) {
	soft, err := p.teach(ctx)
	if err != nil {
		return nil, err
	}
	weight, target := p.imitate(soft, gdImitation)
	return p.regress(ctx, weight, target)
}

// teach returns the teacher's soft labels; rows that no label reaches are 0.
func (p *Problem) teach(ctx context.Context) (*csr.Dense, error) {
	graph, err := once(p.Data, "teacher", func() (*diffuse.Graph, error) {
		if p.Privileged == nil {
			return p.normalized(), nil
		}
		w, err := p.adaptive(ctx, p.Privileged, Neighbours)
		if err != nil {
			return nil, err
		}
		return diffuse.Normalize(w, p.Threads), nil
	})
	if err != nil {
		return nil, err
	}
	f, _, err := diffuse.LGC(ctx, graph, p.Seeds, p.options())
	if err != nil {
		return nil, err
	}
	for i := range f.Rows {
		sum := float32(0)
		for _, v := range f.Row(i) {
			sum += v
		}
		if sum > 0 {
			for j := range f.Row(i) {
				f.Row(i)[j] /= sum
			}
		}
	}
	return f, nil
}

// imitate returns l times the weight of each point in the loss, and
// weight·target.
func (p *Problem) imitate(soft *csr.Dense, rho float64) ([]float64, *mat.Dense) {
	taught := make([]bool, soft.Rows)
	count := 0
	for i := range taught {
		if taught[i] = diffuse.TopOf(soft.Row(i)).Class >= 0; taught[i] {
			count++
		}
	}
	weight, target := p.mask(), p.oneHot()
	target.Scale(1-rho, target)
	share := rho * float64(len(p.Seeds.List())) / float64(max(count, 1))
	for i := range weight {
		weight[i] *= 1 - rho
		if !taught[i] {
			continue
		}
		weight[i] += share
		row := target.RawRowView(i)
		for j, v := range soft.Row(i) {
			row[j] += share * float64(v)
		}
	}
	return weight, target
}
