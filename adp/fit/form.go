package fit

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// form says how well a graph foresees its own entries. They are dealt to two halves, and labels from the seeds spread over each. Size is the mean
// homophily, without its sign, of a half by the labels of the other: below least the graph has no structure. Stability says how far
// the labels of both halves are the same ([agreement]).
type form struct{ size, least, stability float64 }

// The least form of a large graph, and the standard errors of 1/√N, for the N edges of a half, that chance adds to it.
const (
	plainForm = 0.06
	formNoise = 2
)

// structured reports whether the graph has structure.
func (f form) structured() bool { return f.size >= f.least }

// beyond is the size beyond chance.
func (f form) beyond() float64 { return max(0, f.size-f.least) }

// strength is the geometric mean of the size beyond chance and the stability.
func (f form) strength() float64 { return math.Sqrt(f.beyond() * f.stability) }

// Where the size of the edges beyond chance is bareLead times that of the features' graph, that graph has next to no structure, and
// features tell by those of neighbours. A lead of the edges below leastLead is not worth a run on them
// (docs/decisions/0056-stronger-structure.md).
const bareLead, leastLead = 2.5, 0.1

// lead says which of two graphs with structure has the stronger one: from 1, that of f, to 0, the other, by their strengths s and s′: min(1, s/s′). Neighbours
// by features are steadier than edges by their making, so that edges as strong as they are lead. Nil where the other has next to no structure.
func (f form) lead(other form) *float64 {
	if f.beyond() >= bareLead*other.beyond() {
		return nil
	}
	lead := 1.0
	if s := other.strength(); s > 0 {
		lead = min(1, f.strength()/s)
	}
	if lead < leastLead {
		lead = 0
	}
	return &lead
}

// formOf returns the form of a graph of the pool.
func (p *pool) formOf(ctx context.Context, graph int) (form, error) {
	s := p.graphs[graph].S
	var halves [2]*csr.Matrix
	for k := range halves {
		halves[k] = s.Where(func(i int, j uint32) bool {
			low, high := min(uint64(i), uint64(j)), max(uint64(i), uint64(j))
			return splitmix.Mix(splitmix.Number(low)+high)&1 == uint64(k)
		})
	}
	y := p.whole.y
	f := form{least: plainForm + formNoise/math.Sqrt(float64(s.NNZ())/4)} // each edge has two entries
	var labels [2][]int32
	for k, half := range halves {
		spread, _, err := diffuse.LGC(ctx, diffuse.Normalize(half, p.opt.Threads), y, p.whole.labelOptions())
		if err != nil {
			return form{}, err
		}
		labels[k] = classesOf(spread)
		f.size += math.Abs(homophily(halves[1-k], labels[k], y.Classes, p.opt.Threads)) / 2
	}
	for _, s := range y.List() { // seeds agree with themselves
		labels[0][s.Node] = -1
	}
	f.stability = agreement(labels[0], labels[1], y.Classes)
	return f, nil
}

// agreement returns how far two labellings of n nodes agree beyond chance, from 0 to 1: Cohen's κ = (p − e)/(1 − e) of the m nodes
// that both label, times m/n. The share of equal labels is p, and e is the share that labels of the same frequencies would have by chance. Labels of
// −1 are none.
func agreement(a, b []int32, classes int) float64 {
	ofA, ofB := make([]float64, classes), make([]float64, classes)
	both, equal, chance := 0.0, 0.0, 0.0
	for i, j := range a {
		if j < 0 || b[i] < 0 {
			continue
		}
		both++
		ofA[j]++
		ofB[b[i]]++
		if j == b[i] {
			equal++
		}
	}
	for j, n := range ofA {
		chance += float64(n*ofB[j]) / both
	}
	if !(chance < both) { // one class, or no node
		return 0
	}
	return max(0, (equal-chance)/(both-chance)) * both / float64(len(a))
}
