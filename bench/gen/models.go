package gen

import (
	"math"
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// pairs draws the planted edges from i to larger nodes. The larger nodes of
// its class are i + (t+1)c, the others, in order, i + 1 + ⌊t/(c−1)⌋c +
// t mod (c−1), for t = 0, 1, …; from one edge to the next t grows by a
// geometrically distributed step.
func (g *Graph) pairs(random *rand.Rand, i int, e *csr.Edges) {
	n, c := g.opt.Nodes, g.opt.Classes
	for t := skip(random, g.within); t < float64(n); t += 1 + skip(random, g.within) {
		j := i + (int(t)+1)*c
		if j >= n {
			break
		}
		g.add(e, i, j, 1)
	}
	if c == 1 {
		return
	}
	for t := skip(random, g.between); t < float64(n); t += 1 + skip(random, g.between) {
		j := i + 1 + int(t)/(c-1)*c + int(t)%(c-1)
		if j >= n {
			break
		}
		g.add(e, i, j, 1)
	}
}

// skip draws how many pairs of probability p are no edge before one is, from
// log(1−p).
func skip(random *rand.Rand, log float64) float64 {
	if log == 0 {
		return math.Inf(1)
	}
	return math.Floor(math.Log(1-random.Float64()) / log)
}

// The quadrants of R-MAT as shares of 2^16: a draw of 64 bits is enough for
// four levels.
const (
	quadrantA  = 0.57 * (1 << 16)
	quadrantAB = (0.57 + 0.19) * (1 << 16)
	quadrantC  = (0.57 + 0.19 + 0.19) * (1 << 16)
)

// quadrants draws two different nodes.
func (g *Graph) quadrants(random *rand.Rand) (i, j uint32) {
	for i == j || max(i, j) >= uint32(g.opt.Nodes) {
		i, j = 0, 0
		draw := uint64(0)
		for level := range g.scale {
			if level%4 == 0 {
				draw = random.Uint64()
			}
			share := float64(uint16(draw))
			draw >>= 16
			i, j = i<<1, j<<1
			switch {
			case share < quadrantA:
			case share < quadrantAB:
				j |= 1
			case share < quadrantC:
				i |= 1
			default:
				i, j = i|1, j|1
			}
		}
	}
	return i, j
}

// point returns the place of a node: at random in its cell, by a hash of its
// number, so that neighbours find it without having it stored.
func (g *Graph) point(i int) (x, y float64) {
	v := splitmix.Mix(splitmix.Mix(uint64(i)+0x9e3779b97f4a7c15) ^ g.opt.Seed)
	return float64(i%g.side) + float64(v>>32)/(1<<32), float64(i/g.side) + float64(uint32(v))/(1<<32)
}

// near adds the edges from i to larger nodes within the radius.
func (g *Graph) near(i int, e *csr.Edges) {
	reach := int(math.Ceil(g.radius))
	column := i % g.side
	x, y := g.point(i)
	for down := 0; down <= reach; down++ {
		for right := max(-reach, -column); right <= min(reach, g.side-1-column); right++ {
			j := i + down*g.side + right
			if j <= i || j >= g.opt.Nodes {
				continue
			}
			px, py := g.point(j)
			d := float64((px-x)*(px-x)) + float64((py-y)*(py-y))
			if square := g.radius * g.radius; d < square {
				g.add(e, i, j, float32(math.Exp(-2*d/square))) // σ = radius/2
			}
		}
	}
}
