package htmlreport

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/spatial/barneshut"
	"gonum.org/v1/gonum/spatial/r2"
)

// layout returns places of n nodes, about 0: neighbours near each other, all
// others apart. It starts from the given places, or, for nil, from two diffusion
// coordinates, and lets forces act: edges pull, nodes push each other away (by
// the tree of Barnes and Hut), and all are drawn to the centre.
//
// T. Fruchterman, E. Reingold: Graph drawing by force-directed placement,
// Software: Practice and Experience 1991. J. Barnes, P. Hut: A hierarchical
// O(N log N) force-calculation algorithm, Nature 1986.
func layout(n int, edges []edge, start []r2.Vec) []r2.Vec {
	const theta, gravity = 0.9, 0.025
	rounds := 160
	f := &field{at: slices.Clone(start), edges: slices.Clone(edges), degree: make([]float64, n)}
	f.strengths()
	if start == nil {
		f.at = diffusionStart(n, edges)
	}
	heat := 0.1 * math.Sqrt(float64(n)) // nodes are about 1 apart
	if start != nil {
		heat, rounds = heat/2, rounds/2
	}
	for round := range rounds {
		push, pulls := f.repulsion(theta), f.pull()
		limit := heat * (1 - float64(round)/float64(rounds))
		for i := range f.at {
			step := r2.Add(push[i], r2.Scale(1/(1+f.degree[i]), pulls[i]))
			step = r2.Sub(step, r2.Scale(gravity, f.at[i]))
			if length := r2.Norm(step); length > limit {
				step = r2.Scale(limit/length, step)
			}
			f.at[i] = r2.Add(f.at[i], step)
		}
	}
	return f.at
}

// field is a layout under way.
type field struct {
	at     []r2.Vec
	edges  []edge
	degree []float64
}

// strengths replaces the weights of the edges by multiples of their mean, up to
// a bound: one heavy edge must not be all that a drawing shows.
func (f *field) strengths() {
	const most = 5
	sum := 0.0
	for _, e := range f.edges {
		sum += e.weight
	}
	for k := range f.edges {
		e := &f.edges[k]
		e.weight = min(e.weight*float64(len(f.edges))/sum, most)
		f.degree[e.a] += e.weight
		f.degree[e.b] += e.weight
	}
}

// body is a node as the tree sees it. All have the mass 1: of other masses the
// library's tree (v0.17) makes wrong centres, as it divides those of single
// bodies by them.
type body struct{ at r2.Vec }

func (b *body) Coord2() r2.Vec { return b.at }
func (b *body) Mass() float64  { return 1 }

// repulsion returns the push on each node, as a multiple of 1 + its degree: in
// proportion to the sum of 1/(d(1+d²/n)) over all others at distance d.
func (f *field) repulsion(theta float64) []r2.Vec {
	bodies := make([]barneshut.Particle2, len(f.at))
	for i, at := range f.at {
		bodies[i] = &body{at}
	}
	far := float64(len(f.at)) // past √n the push fades: parts that nothing joins do not drift off
	away := func(_, _ barneshut.Particle2, _, m float64, v r2.Vec) r2.Vec {
		d := max(r2.Norm2(v), 0.01)
		return r2.Scale(-m/(d*(1+d/far)), v)
	}
	force := make([]r2.Vec, len(f.at))
	plane, err := barneshut.NewPlane(bodies)
	if err != nil { // nodes too near each other for a tree: all pairs
		plane, theta = &barneshut.Plane{Particles: bodies}, 0
	}
	for i, b := range bodies {
		force[i] = r2.Scale(repulse, plane.ForceOn(b, theta, away))
	}
	return force
}

// repulse weighs the push of nodes against the pull of edges.
const repulse = 0.5

// pull returns the sums of the edges of each node, as vectors: their force is
// their length.
func (f *field) pull() []r2.Vec {
	force := make([]r2.Vec, len(f.at))
	for _, e := range f.edges {
		v := r2.Scale(e.weight, r2.Sub(f.at[e.b], f.at[e.a]))
		force[e.a] = r2.Add(force[e.a], v)
		force[e.b] = r2.Sub(force[e.b], v)
	}
	return force
}

// diffusionStart places nodes by the ranks of two diffusion coordinates, so that
// no two lie at one place: eigenvectors of S of the largest eigenvalues after
// the first, D^1/2, by some steps of subspace iteration.
func diffusionStart(n int, edges []edge) []r2.Vec {
	degree := make([]float64, n)
	for _, e := range edges {
		degree[e.a] += e.weight
		degree[e.b] += e.weight
	}
	first := make([]float64, n)
	for i, d := range degree {
		first[i] = math.Sqrt(d)
	}
	normalise(first)
	random := rand.New(rand.NewPCG(1, 1))
	var x, next [2][]float64
	for c := range x {
		x[c], next[c] = make([]float64, n), make([]float64, n)
		for i := range x[c] {
			x[c][i] = random.Float64() - 0.5
		}
	}
	for range 60 {
		for c := range x {
			copy(next[c], x[c]) // (I+S)/2 has no eigenvalue below 0
			for _, e := range edges {
				s := e.weight / math.Sqrt(degree[e.a]*degree[e.b])
				next[c][e.a] += s * x[c][e.b]
				next[c][e.b] += s * x[c][e.a]
			}
			x[c], next[c] = next[c], x[c]
			without(x[c], first)
			if c == 1 {
				without(x[1], x[0])
			}
			normalise(x[c])
		}
	}
	at := make([]r2.Vec, n)
	width := math.Sqrt(float64(n))
	for rank, i := range order(x[0]) {
		at[i].X = width * ((float64(rank)+0.5)/float64(n) - 0.5)
	}
	for rank, i := range order(x[1]) {
		at[i].Y = width * ((float64(rank)+0.5)/float64(n) - 0.5)
	}
	return at
}

// order returns the places of values in increasing order.
func order(values []float64) []int {
	places := make([]int, len(values))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return places
}

func normalise(x []float64) {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	if sum == 0 {
		return
	}
	for i := range x {
		x[i] /= math.Sqrt(sum)
	}
}

// without takes the part of x along the unit vector u away.
func without(x, u []float64) {
	dot := 0.0
	for i := range x {
		dot += x[i] * u[i]
	}
	for i := range x {
		x[i] -= dot * u[i]
	}
}
