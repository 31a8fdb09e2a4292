package diffuse

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/queue"
)

// Gatherer is an operator that can show every process S and the degrees of all nodes.
type Gatherer interface {
	// Whole returns nil where S has more entries than most. All processes call it together.
	Whole(most int) (s *csr.Matrix, degrees []float64)
}

// Whole returns S and the degrees.
func (g *Graph) Whole(most int) (*csr.Matrix, []float64) {
	if g.S.NNZ() > most {
		return nil, nil
	}
	return g.S, g.Degrees
}

// A system with no more entries and right sides than smallSystem is solved again by elimination,
// if that takes no more than smallWork multiply-adds: a fraction of a millisecond. One that
// conjugate gradients fail on may have hardSystem entries and take hardWork, about a second, and
// 16 bytes an entry. hardSystem entries may be added.
const (
	smallSystem = 1 << 13
	smallWork   = 1 << 17
	hardSystem  = 1 << 22
	hardWork    = 1 << 29
)

// faintest is the smallest number of an elimination; less is 0. Below 2^-1022 float64 has fewer
// digits, and the smallest of all does not get smaller when it is halved: along a path it would
// reach every node.
const faintest = 0x1p-1000

// grounded is the system of an M-matrix that has no negative row sum,
//
//	e_i x_i + Σ_j w_ij (x_i − x_j) = b_i,
//
// for the nodes that are in it, with weights w_ij = α S_ij √(d_i d_j) between them. The excess
// e_i, at least 0, is kept beside the weights. The diagonal of the matrix, their sum, does not
// tell it: beside weights of 10^8 it is rounded away.
type grounded struct {
	s      *csr.Matrix
	roots  []float64 // √d
	alpha  float64
	has    []bool
	excess []float64
}

func newGrounded(s *csr.Matrix, degrees []float64, alpha float64, has []bool) *grounded {
	g := &grounded{s: s, roots: make([]float64, len(degrees)), alpha: alpha, has: has, excess: make([]float64, len(degrees))}
	for i, d := range degrees {
		g.roots[i] = math.Sqrt(d)
	}
	return g
}

// weight returns w_ij for an entry of S.
func (g *grounded) weight(i int, j uint32, s float32) float64 {
	return float64(g.alpha*float64(s)) * float64(g.roots[i]*g.roots[j])
}

// edge is the weight between a node and another.
type edge struct {
	to     uint32
	weight float64
}

// elimination eliminates the nodes of a system, those of the fewest neighbours first. A node k
// leaves its excess, right side and edges to its neighbours, in proportion to their weights:
//
//	p = e_k + Σ_j w_kj,  e_i += w_ki e_k/p,  b_i += w_ki b_k/p,  w_ij += w_ki w_kj/p.
//
// No two numbers are ever subtracted. So each entry of x is right to its own size, to about 10^-16
// for each node, whatever the range of the weights, where all b are at least 0 (W. Grassmann,
// M. Taksar, D. Heyman: Regenerative Analysis and Steady State Distributions for Markov Chains,
// Operations Research 33, 1985; A. Alfa, J. Xue, Q. Ye: Accurate Computation of the Smallest
// Eigenvalue of a Diagonally Dominant M-Matrix, Mathematics of Computation 71, 2002).
type elimination struct {
	edges  [][]edge // of each node, some to nodes that are gone
	excess []float64
	x      []float64 // n×c: the right sides, then the solution
	c      int
	live   []int // neighbours that are not gone
	gone   []bool
	place  []int32          // of a neighbour in the edges of one node, −1 for none
	queue  queue.Queue[int] // by the number of neighbours
	order  []uint32
	pivots []float64
	work   int // multiply-adds that are left
	room   int // entries that may be added
}

// eliminate makes b, n×c, the solution of the system. It returns false if that takes more than
// work multiply-adds; b is then lost.
func (g *grounded) eliminate(ctx context.Context, b []float64, c, work int) (bool, error) {
	n := len(g.has)
	e := &elimination{
		edges: make([][]edge, n), excess: append([]float64(nil), g.excess...), x: b, c: c,
		live: make([]int, n), gone: make([]bool, n), place: make([]int32, n), work: work, room: hardSystem,
	}
	for i, is := range g.has {
		e.place[i] = -1
		if e.gone[i] = !is; !is {
			continue
		}
		cols, vals := g.s.Row(i)
		for k, j := range cols {
			if int(j) != i && g.has[j] {
				e.edges[i] = append(e.edges[i], edge{j, g.weight(i, j, vals[k])})
			}
		}
		e.live[i] = len(e.edges[i])
		e.queue.Push(e.live[i], uint32(i))
	}
	for degree, k := range e.queue.Drain() {
		if e.gone[k] || degree != e.live[k] {
			continue
		}
		if len(e.order)%1024 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if e.remove(int(k)); e.work < 0 {
			return false, nil
		}
	}
	e.substitute()
	return true, nil
}

// remove eliminates node k.
func (e *elimination) remove(k int) {
	e.gone[k] = true
	left := e.edges[k][:0]
	pivot := e.excess[k]
	for _, to := range e.edges[k] {
		if !e.gone[to.to] {
			left = append(left, to)
			pivot += to.weight
		}
	}
	e.edges[k] = left
	e.order, e.pivots = append(e.order, uint32(k)), append(e.pivots, pivot)
	if pivot == 0 { // nothing is known of it: x is 0
		clear(e.x[k*e.c : (k+1)*e.c])
		return
	}
	for _, to := range left {
		e.pass(k, int(to.to), to.weight/pivot)
	}
	for _, to := range left {
		e.queue.Push(e.live[to.to], to.to)
	}
}

// pass gives node i its share of what node k leaves.
func (e *elimination) pass(k, i int, share float64) {
	e.excess[i] += float64(share * e.excess[k])
	from := e.x[k*e.c : (k+1)*e.c]
	to := e.x[i*e.c : (i+1)*e.c]
	for j, v := range from {
		if added := float64(share * v); added >= faintest {
			to[j] += added
		}
	}
	e.live[i]--
	e.work -= e.c + len(e.edges[k])
	if len(e.edges[k]) == 1 { // no edges to share
		return
	}
	kept := e.edges[i][:0]
	for _, edge := range e.edges[i] {
		if !e.gone[edge.to] {
			e.place[edge.to] = int32(len(kept))
			kept = append(kept, edge)
		}
	}
	e.work -= len(e.edges[i])
	for _, other := range e.edges[k] {
		if int(other.to) == i {
			continue
		}
		added := float64(share * other.weight)
		if at := e.place[other.to]; at >= 0 {
			kept[at].weight += added
		} else {
			kept = append(kept, edge{other.to, added})
			e.live[i]++
			if e.room--; e.room < 0 {
				e.work = -1
			}
		}
	}
	for _, edge := range kept {
		e.place[edge.to] = -1
	}
	e.edges[i] = kept
}

// substitute computes x_k = (b_k + Σ_j w_kj x_j)/p of the nodes, the last first.
func (e *elimination) substitute() {
	for at := len(e.order) - 1; at >= 0; at-- {
		k, pivot := int(e.order[at]), e.pivots[at]
		if pivot == 0 {
			continue
		}
		row := e.x[k*e.c : (k+1)*e.c]
		for _, to := range e.edges[k] {
			share := e.x[int(to.to)*e.c : (int(to.to)+1)*e.c]
			for j, v := range share {
				row[j] += float64(to.weight * v)
			}
		}
		for j := range row {
			if row[j] /= pivot; row[j] < faintest {
				row[j] = 0
			}
		}
	}
}

// storeRow stores factor·x in a row of float32. With fill, a row that float32 does not hold with
// all digits is scaled up as [FillReached] does it, which keeps the shares of the classes. It
// reports whether it was.
func storeRow(row []float32, x []float64, factor float64, fill bool) (scaled bool) {
	top := 0.0
	for _, v := range x {
		top = max(top, float64(factor*v))
	}
	if scaled = fill && top > 0 && top < least; scaled {
		factor *= least / top
	}
	for j, v := range x {
		row[j] = float32(factor * v)
	}
	return scaled
}

// effort returns how many entries a system may have that is solved by elimination, and how many
// multiply-adds that may take: no more than the products that MaxIterations allows.
func effort(hard bool, nnz, c int, opt Options) (entries, work int) {
	if entries, work = smallSystem, smallWork; hard {
		entries, work = hardSystem, hardWork
	}
	return entries, int(min(float64(work), float64(opt.MaxIterations)*float64(nnz)*float64(c)))
}

// eliminated marks the solution as converged, and drops a residual above the tolerance, which conjugate gradients
// left.
func (s *Stats) eliminated(tolerance float64) {
	s.Converged = true
	if !(s.Residual <= tolerance) {
		s.Residual = 0
	}
}
