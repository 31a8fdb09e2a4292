package multilabel

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Odds say which labels a node has, by the probabilities p_ij that a label of node i is class j. The probability q_ij that j is among the
// labels of i has
//
//	ln(q_ij/(1−q_ij)) = o_j + b ln max(p_ij, 10⁻⁶),
//
// and node i has the labels { j : q_ij ≥ t_j }, and the class with the largest q_ij in any case.
type Odds struct {
	Slope   float64   `json:"slope"`   // b
	Offsets []float64 `json:"offsets"` // o_j
	Least   []float64 `json:"least"`   // t_j, see [Odds.Choose]
}

// The constants of [FitOdds] (docs/decisions/0048-several-labels.md): leastShare bounds p_ij from below, the others are the precisions of a,
// b and c, and of the δ_j.
const (
	leastShare     = 1e-6
	precisionStart = 0.1
	precisionSlope = 1.0
	precisionSize  = 1.0
	precisionClass = 2.0
)

// FitOdds fits o_j and b to m nodes whose labels are known: p, m×c, are what methods that did not know them say, truth has their
// classes. sizes, c numbers of sum 1, say how the labels of all known nodes are spread over the classes, and labels how many a node has.
// It maximises the likelihood of
//
//	o_j = a + g ln π_j + δ_j,   π_j = sizes[j]
//
// less ½(0.1(a − ln labels)² + (b−1)² + g² + 2 Σ_j δ_j²): without nodes q_ij is nearly labels·p_ij. Nodes whose row of p is 0 take no part. Least is 0.5 of each class, see [Odds.Choose]. Newton's method, O(m·c) an
// iteration, at most 50. Sizes of another length, or not above 0, panic.
func FitOdds(p *csr.Dense, truth [][]int32, sizes []float64, labels float64, threads int) *Odds {
	c := len(sizes)
	if p.Cols != c || p.Rows != len(truth) {
		panic(fmt.Sprintf("multilabel: %d×%d probabilities for %d nodes of %d classes", p.Rows, p.Cols, len(truth), c))
	}
	l := &logit{logs: make([]float64, p.Rows*c), has: make([]bool, p.Rows*c), sizes: make([]float64, c), threads: threads}
	for j, size := range sizes {
		if !(size > 0) {
			panic(fmt.Sprintf("multilabel: size %v of class %d, expected above 0", size, j))
		}
		l.sizes[j] = exact.Log(size)
	}
	rows.Each(p.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := total(p.Row(i))
			for j, v := range p.Row(i) {
				if l.logs[i*c+j] = 1; sum > 0 { // else 1 says that the row takes no part
					l.logs[i*c+j] = logShare(v, sum)
				}
			}
			for _, j := range truth[i] {
				l.has[i*c+int(j)] = true
			}
		}
	})
	at := point{theta: [3]float64{exact.Log(labels), 1, 0}, class: make([]float64, c)}
	at = l.best(at)
	out := &Odds{Slope: at.theta[1], Offsets: make([]float64, c), Least: make([]float64, c)}
	for j := range out.Offsets {
		out.Offsets[j], out.Least[j] = l.offset(at, j), 0.5
	}
	return out
}

// logShare is ln max(p, 10⁻⁶) of a share of a row.
func logShare(v float32, sum float64) float64 { return exact.Log(max(float64(v)/sum, leastShare)) }

// logit is the penalised likelihood of [FitOdds].
type logit struct {
	logs    []float64 // ln p_ij, m×c; 1 in a row that takes no part
	has     []bool    // m×c
	sizes   []float64 // ln π_j
	threads int
}

// point is where the likelihood is looked at: a, b and g, and the δ_j.
type point struct {
	theta [3]float64
	class []float64
}

var precisions = [3]float64{precisionStart, precisionSlope, precisionSize}

// offset is o_j.
func (l *logit) offset(at point, j int) float64 {
	return at.theta[0] + float64(at.theta[2]*l.sizes[j]) + at.class[j]
}

// The sums over the nodes of a class that the likelihood and its derivatives need: with w = q(1−q), r = y − q and x = ln p.
const (
	sumW = iota
	sumWX
	sumWXX
	sumR
	sumRX
	sumLog // of the likelihood
	sumWidth
)

// sums returns the sums of each class.
func (l *logit) sums(at point) []float64 {
	c := len(l.sizes)
	return rows.NewReducer(len(l.logs)/c, c*sumWidth).Sum(l.threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			for j := range c {
				x := l.logs[i*c+j]
				if x > 0 {
					break
				}
				z := l.offset(at, j) + float64(at.theta[1]*x)
				q, y, of := exact.Logistic(z), 0.0, sum[j*sumWidth:]
				if l.has[i*c+j] {
					y = 1
				}
				w, r := float64(q*(1-q)), y-q
				of[sumW] += w
				of[sumWX] += float64(w * x)
				of[sumWXX] += float64(float64(w*x) * x)
				of[sumR] += r
				of[sumRX] += float64(r * x)
				of[sumLog] += float64(y*z) - exact.Softplus(z)
			}
		}
	})
}

// value is the penalised likelihood.
func (l *logit) value(at, start point, sums []float64) (value float64) {
	for k, v := range at.theta {
		d := v - start.theta[k]
		value -= float64(0.5 * precisions[k] * d * d)
	}
	for j, d := range at.class {
		value += sums[j*sumWidth+sumLog] - float64(0.5*precisionClass*d*d)
	}
	return value
}

// best returns the maximum, from where the penalty is 0.
func (l *logit) best(start point) point {
	const most, enough, halvings = 50, 1e-9, 20
	at := start
	sums := l.sums(at)
	value := l.value(at, start, sums)
	for range most {
		step := l.step(at, start, sums)
		moved := false
		for range halvings {
			next := at.plus(step)
			nextSums := l.sums(next)
			if v := l.value(next, start, nextSums); v >= value {
				at, sums, value, moved = next, nextSums, v, true
				break
			}
			step.halve()
		}
		if !moved || step.size() < enough {
			break
		}
	}
	return at
}

// step is Newton's. The δ_j are eliminated: their part of the Hessian is diagonal.
func (l *logit) step(at, start point, sums []float64) point {
	var h [3][3]float64
	var g [3]float64
	for k := range g {
		h[k][k], g[k] = precisions[k], -float64(precisions[k]*(at.theta[k]-start.theta[k]))
	}
	c := len(l.sizes)
	across, diagonal, slope := make([][3]float64, c), make([]float64, c), make([]float64, c)
	for j := range c {
		s, size := sums[j*sumWidth:], l.sizes[j]
		sized := func(v float64) float64 { return float64(size * v) }
		across[j] = [3]float64{s[sumW], s[sumWX], sized(s[sumW])}
		diagonal[j] = s[sumW] + precisionClass
		slope[j] = s[sumR] - float64(precisionClass*at.class[j])
		of := [3][3]float64{
			{s[sumW], s[sumWX], sized(s[sumW])},
			{s[sumWX], s[sumWXX], sized(s[sumWX])},
			{sized(s[sumW]), sized(s[sumWX]), sized(sized(s[sumW]))},
		}
		own := [3]float64{s[sumR], s[sumRX], sized(s[sumR])}
		for a := range 3 {
			g[a] += own[a] - float64(across[j][a]*slope[j])/diagonal[j]
			for b := range 3 {
				h[a][b] += of[a][b] - float64(across[j][a]*across[j][b])/diagonal[j]
			}
		}
	}
	out := point{theta: solve3(h, g), class: make([]float64, c)}
	for j := range c {
		rest := slope[j]
		for a := range 3 {
			rest -= float64(across[j][a] * out.theta[a])
		}
		out.class[j] = rest / diagonal[j]
	}
	return out
}

// solve3 solves Hx = g for a positive definite H, by the factors LDLᵀ.
func solve3(h [3][3]float64, g [3]float64) (x [3]float64) {
	for k := range 3 {
		for i := k + 1; i < 3; i++ {
			factor := h[i][k] / h[k][k]
			for j := k; j < 3; j++ {
				h[i][j] -= float64(factor * h[k][j])
			}
			g[i] -= float64(factor * g[k])
		}
	}
	for i := 2; i >= 0; i-- {
		x[i] = g[i]
		for j := i + 1; j < 3; j++ {
			x[i] -= float64(h[i][j] * x[j])
		}
		x[i] /= h[i][i]
	}
	return x
}

func (p point) plus(step point) point {
	out := point{theta: p.theta, class: make([]float64, len(p.class))}
	for k, v := range step.theta {
		out.theta[k] += v
	}
	for j, v := range step.class {
		out.class[j] = p.class[j] + v
	}
	return out
}

func (p *point) halve() {
	for k := range p.theta {
		p.theta[k] /= 2
	}
	for j := range p.class {
		p.class[j] /= 2
	}
}

// size is the largest change.
func (p *point) size() (most float64) {
	for _, v := range p.theta {
		most = max(most, math.Abs(v))
	}
	for _, v := range p.class {
		most = max(most, math.Abs(v))
	}
	return most
}

// logOdds returns ln(q_ij/(1−q_ij)) of a share of a row.
func (o *Odds) logOdds(j int, v float32, sum float64) float64 {
	return o.Offsets[j] + float64(o.Slope*logShare(v, sum))
}

// The log-odds of nodes are counted in bins: 1/16 wide from −12 to 8, and all below and above in the first and last.
const (
	leastOdds = -12
	binsAUnit = 16
	allBins   = (8 - leastOdds) * binsAUnit
)

// Choose sets t_j for the rows i of f, n×c, but those with skip[i] (nil skips none) and rows of zeros,
//
//	t_j = √(u v_j),
//
// where labels of q_ij ≥ u have the largest micro-F1 that the q_ij let expect, 2 Σ q_ij over the labels by (their number + Σ q_ij over
// all), and those of q_ij ≥ v_j the largest F1 of class j. u alone gives few nodes a rare class, v_j alone gives many nodes wrong ones.
// Without rows t_j is 0.5. O(nc) and 2,560 bytes a class and thread.
func (o *Odds) Choose(f *csr.Dense, skip []bool, threads int) {
	c := len(o.Offsets)
	counts := make([][]int64, rows.Workers(threads))
	err := rows.Do(context.Background(), f.Rows, threads, func(worker, lo, hi int) error {
		if counts[worker] == nil {
			counts[worker] = make([]int64, c*allBins)
		}
		for i := lo; i < hi; i++ {
			sum := total(f.Row(i))
			if sum == 0 || skip != nil && skip[i] {
				continue
			}
			for j, v := range f.Row(i) {
				at := math.Floor((o.logOdds(j, v, sum) - leastOdds) * binsAUnit)
				counts[worker][j*allBins+int(min(max(at, 0), allBins-1))]++
			}
		}
		return nil
	})
	rows.Rethrow(err)
	all, micro := make([]int64, c*allBins), make([]int64, allBins)
	for _, some := range counts {
		for k, v := range some {
			all[k] += v
			micro[k%allBins] += v
		}
	}
	u := leastOf(micro)
	for j := range o.Least {
		o.Least[j] = math.Sqrt(u * leastOf(all[j*allBins:(j+1)*allBins]))
	}
}

// leastOf returns the least probability of the labels with the largest expected F1, by the counts of log-odds; 0.5 of none.
func leastOf(counts []int64) float64 {
	all := 0.0
	for k, count := range counts {
		all += float64(float64(count) * middle(k))
	}
	best, least, given, right := 0.0, 0.5, 0.0, 0.0
	for k := len(counts) - 1; k >= 0; k-- {
		if counts[k] == 0 {
			continue
		}
		given += float64(counts[k])
		right += float64(float64(counts[k]) * middle(k))
		if f := 2 * right / (given + all); f > best {
			best, least = f, exact.Logistic(leastOdds+float64(k)/binsAUnit)
		}
	}
	return least
}

// middle is the probability in the middle of a bin.
func middle(k int) float64 { return exact.Logistic(leastOdds + (float64(k)+0.5)/binsAUnit) }
