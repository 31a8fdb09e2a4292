// Package gen makes random graphs of any size with known classes, to measure
// on: planted partitions, R-MAT graphs, geometric ones and contextual block models.
//
// A graph is a number of blocks of edges, each drawn from a PCG of its own
// (made of the seed and the number of the block): blocks can be made in any
// order and by several threads, none needs the others, and the same options
// give the same graph everywhere. Nothing of the size of the graph is held.
//
// It stands under bench because graphs are drawn to be measured on; nothing
// that labels nodes depends on it.
package gen

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/csr"
)

// ErrOptions is wrapped by every error about options.
var ErrOptions = errors.New("gen: invalid options")

// Kind names a model of random graphs.
type Kind string

// The models.
const (
	// Planted is the planted partition: node i has class i mod c, and each
	// pair is an edge with one probability inside a class and another between
	// two, independently. All weights are 1.
	//
	// A. Condon, R. Karp: Algorithms for graph partitioning on the planted
	// partition model, 1999; drawn by skipping (V. Batagelj, U. Brandes, 2005).
	Planted Kind = "planted"
	// RMAT draws both ends of each edge bit by bit from the quadrants 0.57,
	// 0.19, 0.19, 0.05 of the adjacency matrix: hubs, at the low numbers, and
	// many isolated nodes. Pairs may be drawn more than once. It has no
	// classes.
	//
	// D. Chakrabarti, Y. Zhan, C. Faloutsos: R-MAT: A Recursive Model for
	// Graph Mining, 2004, with the probabilities of Graph500.
	RMAT Kind = "rmat"
	// Geometric has a point at random in each cell of a square grid, in order
	// of the rows, and an edge between points that are less than some radius
	// apart, of weight exp(−d²/2σ²) with σ half the radius: like a graph of
	// nearest neighbours in a plane, in a good order. The classes are the
	// regions nearest to random centres.
	Geometric Kind = "geometric"
	// CSBM is the contextual stochastic block model: node i has class i mod c, a pair is
	// an edge with probability (d + (c−1)λ√d)/n inside a class and (d − λ√d)/n between
	// two, independently, d the mean degree, and node i has p features
	//
	//	b_i = √(μ/n) u_{y_i} + z_i/√p,  u_k = √c (g_k − ḡ),  z_i, √p g_k ~ N(0, I_p).
	//
	// Of two classes it is the model of the text, with P = (d ± λ√d)/n and b_i = √(μ/n)
	// v_i u + z_i/√p for v_i = ±1, u ~ N(0, I_p/p), but for classes of equal size in place
	// of drawn ones. More classes keep what the text is about: λ² is the ratio of
	// signal to noise of the graph, and μ²/γ, γ = n/p, that of the features.
	// Two classes can be told from chance exactly where λ² + μ²/γ > 1. λ below 0 joins
	// nodes of different classes: heterophily. All weights are 1.
	//
	// Y. Deshpande, S. Sen, A. Montanari, E. Mossel: Contextual Stochastic Block Models.
	// NeurIPS 2018.
	CSBM Kind = "csbm"
)

// Options describe a graph.
type Options struct {
	Kind   Kind
	Nodes  int
	Degree float64 // mean number of neighbours. Zero means 10.
	// Classes is the number of classes, for the labels. Zero means 10, and 2 for CSBM.
	Classes int
	// Inside is the share of the edges that join nodes of a class, for
	// Planted. Zero means 0.8.
	Inside float64
	// Lambda and Mu are the strengths of edges and features of CSBM, Dims its number p of
	// features; zero is zero: no signal, no features.
	Lambda, Mu float64
	Dims       int
	// Words, if not zero, makes the features of CSBM counts of words in the place of those of the
	// model: each node has so many of Dims words, whose frequencies fall as 1/rank. Mu is then the
	// share, at most 1, that has ranks of the class; the others have the same ranks in all.
	Words int
	Seed  uint64
}

// Graph makes the edges and the labels of one graph.
type Graph struct {
	opt     Options
	within  float64 // Planted and CSBM: log(1−p) inside a class and between two
	between float64
	scale   int     // RMAT: bits of a node
	side    int     // Geometric: cells in a row of the grid
	radius  float64 // in cells
	centres [][2]float64
	means   [][]float64 // CSBM: √(μ/n) u_k
}

// New checks the options and returns the graph.
func New(opt Options) (*Graph, error) {
	if opt.Degree == 0 {
		opt.Degree = 10
	}
	if opt.Classes == 0 {
		opt.Classes = 10
		if opt.Kind == CSBM {
			opt.Classes = 2
		}
	}
	if opt.Inside == 0 {
		opt.Inside = 0.8
	}
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if opt.Nodes < 2 || opt.Nodes > csr.MaxDim {
		fault("%d nodes, expected 2 to %d", opt.Nodes, csr.MaxDim)
	}
	if !(opt.Degree > 0) || opt.Degree > float64(opt.Nodes-1) {
		fault("degree %v with %d nodes, expected above 0 and below the nodes", opt.Degree, opt.Nodes)
	}
	if opt.Classes < 1 || opt.Classes > opt.Nodes {
		fault("%d classes of %d nodes, expected at least 1", opt.Classes, opt.Nodes)
	}
	if !(opt.Inside > 0 && opt.Inside <= 1) {
		fault("share %v of edges inside classes, expected above 0 and at most 1", opt.Inside)
	}
	if opt.Dims < 0 || opt.Dims > csr.MaxDim {
		fault("%d features, expected 0 to %d", opt.Dims, csr.MaxDim)
	}
	if opt.Words < 0 || opt.Words > 0 && opt.Dims == 0 {
		fault("%d words of %d, expected at least 1 of both", opt.Words, opt.Dims)
	}
	if opt.Words > 0 && opt.Mu > 1 {
		fault("share %v of words of the class, expected at most 1", opt.Mu)
	}
	if !(opt.Mu >= 0) || math.IsInf(opt.Mu, 1) {
		fault("mu %v, expected at least 0", opt.Mu)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	g := &Graph{opt: opt}
	return g, g.prepare()
}

func (g *Graph) prepare() error {
	n, c := float64(g.opt.Nodes), float64(g.opt.Classes)
	switch g.opt.Kind {
	case Planted:
		in, out := g.opt.Degree, 0.0
		if c > 1 {
			in, out = in*g.opt.Inside, in*(1-g.opt.Inside)/(n-n/c)
		}
		in /= max(n/c-1, 1)
		if in > 1 || out > 1 {
			return fmt.Errorf("%w: %v edges a node inside classes of %.0f nodes", ErrOptions, g.opt.Degree*g.opt.Inside, n/c)
		}
		g.within, g.between = math.Log1p(-in), math.Log1p(-out)
	case CSBM:
		root := g.opt.Lambda * math.Sqrt(g.opt.Degree)
		in, out := (g.opt.Degree+(c-1)*root)/n, (g.opt.Degree-root)/n
		if !(in >= 0 && in <= 1 && out >= 0 && out <= 1) {
			return fmt.Errorf("%w: lambda %v at degree %v, expected probabilities of edges from 0 to 1, not %v inside a class and %v between two", ErrOptions, g.opt.Lambda, g.opt.Degree, in, out)
		}
		g.within, g.between = math.Log1p(-in), math.Log1p(-out)
		g.means = g.classMeans()
	case RMAT:
		for 1<<g.scale < g.opt.Nodes {
			g.scale++
		}
	case Geometric:
		g.side = int(math.Ceil(math.Sqrt(n)))
		g.radius = math.Sqrt((g.opt.Degree + 1) / math.Pi) // a node's own cell has no other
		random := g.random(centreBlock)
		for range g.opt.Classes {
			g.centres = append(g.centres, [2]float64{random.Float64() * float64(g.side), random.Float64() * n / float64(g.side)})
		}
	default:
		return fmt.Errorf("%w: kind %q, expected %s, %s, %s or %s", ErrOptions, g.opt.Kind, Planted, RMAT, Geometric, CSBM)
	}
	return nil
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return g.opt.Nodes }

// Weighted reports whether edges have weights other than 1.
func (g *Graph) Weighted() bool { return g.opt.Kind == Geometric }

// HasLabels reports whether the nodes have classes.
func (g *Graph) HasLabels() bool { return g.opt.Kind != RMAT }

// Edges returns about the number of edges.
func (g *Graph) Edges() int64 { return int64(float64(g.opt.Nodes) * g.opt.Degree / 2) }

// The sizes of blocks, part of the definition of every graph.
const (
	blockNodes = 1 << 13
	blockEdges = 1 << 16
)

// Numbers of random sources that are not those of blocks.
const (
	centreBlock = math.MaxUint64 - iota
	seedBlock
	meanBlock
)

// featureBlock is added to the numbers of blocks for the sources of their features.
const featureBlock = 1 << 63

// Blocks returns the number of blocks.
func (g *Graph) Blocks() int {
	if g.opt.Kind == RMAT {
		return int((g.Edges() + blockEdges - 1) / blockEdges)
	}
	return (g.opt.Nodes + blockNodes - 1) / blockNodes
}

// Block sets e to the edges of a block, in the memory that e has. An edge has
// the smaller node first, and no pair comes twice but with RMAT. With the other
// kinds every node occurs: one that has no larger neighbour as an edge to
// itself, which builders and readers drop, but not its node.
func (g *Graph) Block(block int, e *csr.Edges) {
	e.Src, e.Dst, e.Weight = e.Src[:0], e.Dst[:0], e.Weight[:0]
	if g.opt.Kind == RMAT {
		count := min(blockEdges, g.Edges()-int64(block)*blockEdges)
		random := g.random(uint64(block))
		for range count {
			i, j := g.quadrants(random)
			e.Src, e.Dst = append(e.Src, min(i, j)), append(e.Dst, max(i, j))
		}
		return
	}
	random := g.random(uint64(block))
	for i := block * blockNodes; i < min((block+1)*blockNodes, g.opt.Nodes); i++ {
		before := len(e.Src)
		if g.opt.Kind == Planted || g.opt.Kind == CSBM {
			g.pairs(random, i, e)
		} else {
			g.near(i, e)
		}
		if len(e.Src) == before {
			g.add(e, i, i, 1)
		}
	}
}

func (g *Graph) add(e *csr.Edges, i, j int, weight float32) {
	e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32(j))
	if g.Weighted() {
		e.Weight = append(e.Weight, weight)
	}
}

func (g *Graph) random(block uint64) *rand.Rand { return rand.New(rand.NewPCG(g.opt.Seed, block)) }

// Label returns the class of a node.
func (g *Graph) Label(i int) int {
	if g.opt.Kind == Planted || g.opt.Kind == CSBM {
		return i % g.opt.Classes
	}
	best, least := 0, math.Inf(1)
	x, y := g.point(i)
	for c, centre := range g.centres {
		dx, dy := x-centre[0], y-centre[1]
		if d := float64(dx*dx) + float64(dy*dy); d < least {
			best, least = c, d
		}
	}
	return best
}

// Seeds returns nodes drawn at random, perClass of each class, in no order.
func (g *Graph) Seeds(perClass int) ([]int, error) {
	few := fmt.Errorf("%w: a class has fewer than %d nodes, or very few", ErrOptions, perClass)
	if perClass > g.opt.Nodes/g.opt.Classes {
		return nil, few
	}
	random := g.random(seedBlock)
	left, count, taken := g.opt.Classes*perClass, make([]int, g.opt.Classes), map[int]bool{}
	var seeds []int
	for tries := 0; left > 0; tries++ {
		if tries > 1000*(len(count)*perClass+100) {
			return nil, few
		}
		i := random.IntN(g.opt.Nodes)
		if c := g.Label(i); !taken[i] && count[c] < perClass {
			taken[i] = true
			count[c]++
			left--
			seeds = append(seeds, i)
		}
	}
	return seeds, nil
}
