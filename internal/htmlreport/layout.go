package htmlreport

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/spatial/barneshut"
	"gonum.org/v1/gonum/spatial/r2"

	"github.com/adp-sparse/adp-sparse/adp/calibrate"
)

// layout returns places of n nodes: neighbours near each other, all others apart.
// It starts from the given places, about 0, or, for nil, lays out the components one
// after the other, each from two diffusion coordinates, and puts them side by side.
func layout(ctx context.Context, n int, edges []edge, start []r2.Vec) []r2.Vec {
	edges = weighable(edges)
	if start != nil {
		const rounds = 80
		return settle(ctx, edges, start, 0.05*math.Sqrt(float64(n)), rounds)
	}
	at := make([]r2.Vec, n)
	parts := components(n, edges)
	boxes := make([]r2.Box, len(parts))
	for c, part := range parts {
		const rounds = 160
		size := len(part.nodes)
		places := settle(ctx, part.edges, diffusionStart(size, part.edges), 0.1*math.Sqrt(float64(size)), rounds)
		boxes[c] = r2.NewBox(places[0].X, places[0].Y, places[0].X, places[0].Y)
		for k, i := range part.nodes {
			at[i] = places[k]
			boxes[c] = boxes[c].Union(r2.Box{Min: places[k], Max: r2.Add(places[k], r2.Vec{X: 1e-9, Y: 1e-9})})
		}
	}
	for c, shift := range shelves(boxes) {
		for _, i := range parts[c].nodes {
			at[i] = r2.Add(at[i], shift)
		}
	}
	var middle r2.Vec
	for _, v := range at {
		middle = r2.Add(middle, r2.Scale(1/float64(n), v))
	}
	for i := range at {
		at[i] = r2.Sub(at[i], middle)
	}
	return at
}

// weighable returns edges with weights above 0 and finite: shares of sums of others
// are NaN, and the tree of the nodes' push never ends on a place that is.
func weighable(edges []edge) []edge {
	edges = slices.Clone(edges)
	for k, e := range edges {
		if !(e.weight > 0) {
			e.weight = math.SmallestNonzeroFloat32
		}
		edges[k].weight = min(e.weight, math.MaxFloat32)
	}
	return edges
}

// component is a part of a graph that hangs together. Its edges number its nodes from
// 0 on.
type component struct {
	nodes []int
	edges []edge
}

// components returns those of a graph, the largest first.
func components(n int, edges []edge) []component {
	lists := neighbourLists(n, edges)
	of, place, distance := make([]int, n), make([]int, n), unreached(n)
	var parts []component
	for i := range n {
		if distance[i] >= 0 {
			continue
		}
		nodes := breadthFirst(lists, i, distance)
		slices.Sort(nodes)
		for k, j := range nodes {
			of[j], place[j] = len(parts), k
		}
		parts = append(parts, component{nodes: nodes})
	}
	for _, e := range edges {
		c := of[e.a]
		parts[c].edges = append(parts[c].edges, edge{place[e.a], place[e.b], e.weight})
	}
	slices.SortStableFunc(parts, func(a, b component) int { return cmp.Compare(len(b.nodes), len(a.nodes)) })
	return parts
}

// neighbourLists returns the neighbours of each node.
func neighbourLists(n int, edges []edge) [][]int {
	lists := make([][]int, n)
	for _, e := range edges {
		lists[e.a], lists[e.b] = append(lists[e.a], e.b), append(lists[e.b], e.a)
	}
	return lists
}

// unreached are the distances of n nodes that no search has come to.
func unreached(n int) []int { return slices.Repeat([]int{-1}, n) }

// breadthFirst sets the distances, in edges, of the nodes that edges lead to from one,
// and returns these nodes, the farthest last.
func breadthFirst(lists [][]int, from int, distance []int) []int {
	distance[from] = 0
	nodes := []int{from}
	for k := 0; k < len(nodes); k++ {
		for _, j := range lists[nodes[k]] {
			if distance[j] < 0 {
				distance[j] = distance[nodes[k]] + 1
				nodes = append(nodes, j)
			}
		}
	}
	return nodes
}

// shelves returns what moves boxes, the largest first, side by side into rows whose
// widths are about their height together.
func shelves(boxes []r2.Box) []r2.Vec {
	const gap = 1.5
	area, width := 0.0, 0.0
	for _, b := range boxes {
		size := b.Size()
		area += (size.X + gap) * (size.Y + gap)
		width = max(width, size.X+gap)
	}
	width = max(width, math.Sqrt(area))
	shift := make([]r2.Vec, len(boxes))
	var at r2.Vec
	high := 0.0
	for c, b := range boxes {
		size := b.Size()
		if at.X > 0 && at.X+size.X+gap > width+1e-9 {
			at, high = r2.Vec{Y: at.Y + high}, 0
		}
		shift[c] = r2.Sub(at, b.Min)
		at.X += size.X + gap
		high = max(high, size.Y+gap)
	}
	return shift
}

// settle lets forces act on places, and returns the new ones: edges pull, nodes push
// each other away (by the tree of Barnes and Hut), and all are drawn to 0. A node moves
// by at most heat in the first round, and less and less. Where the context ends, so do the rounds.
//
// T. Fruchterman, E. Reingold: Graph drawing by force-directed placement,
// Software: Practice and Experience 1991. J. Barnes, P. Hut: A hierarchical
// O(N log N) force-calculation algorithm, Nature 1986.
func settle(ctx context.Context, edges []edge, start []r2.Vec, heat float64, rounds int) []r2.Vec {
	const theta, gravity = 0.9, 0.025
	f := &field{at: slices.Clone(start), edges: slices.Clone(edges), degree: make([]float64, len(start))}
	f.strengths()
	for round := 0; round < rounds && ctx.Err() == nil; round++ {
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

// strengths replaces the weights of the edges by multiples of their mean, between
// bounds: one heavy edge must not be all that a drawing shows, and one of hardly any
// weight is drawn as long as all others, so that its ends are not to lie far apart.
func (f *field) strengths() {
	const least, most = 0.2, 5
	sum := 0.0
	for _, e := range f.edges {
		sum += e.weight
	}
	for k := range f.edges {
		e := &f.edges[k]
		e.weight = min(max(e.weight*float64(len(f.edges))/sum, least), most)
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

// diffusionStart places the nodes of a component by the ranks of two diffusion
// coordinates, so that no two lie at one place: eigenvectors of S of the largest
// eigenvalues after the first, D^1/2, by some steps of subspace iteration. It starts
// from distances along edges, which unfold a long and thin component that so few
// steps would not.
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
	random := rand.New(rand.NewPCG(1, 1)) // parts what is equally far
	x := pivots(n, edges)
	length := max(math.Sqrt(float64(n)), slices.Max(x[0])) // of a box for nodes that are about 1 apart
	next := [2][]float64{make([]float64, n), make([]float64, n)}
	for c := range x {
		for i := range x[c] {
			x[c][i] += 0.5 * (random.Float64() - 0.5)
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
	height := float64(n) / length
	for rank, i := range calibrate.Ascending(x[0]) {
		at[i].X = length * ((float64(rank)+0.5)/float64(n) - 0.5)
	}
	for rank, i := range calibrate.Ascending(x[1]) {
		at[i].Y = height * ((float64(rank)+0.5)/float64(n) - 0.5)
	}
	return at
}

// pivots returns two coordinates of the nodes of a component: how much nearer one end
// of it is than the other, and the distance from the node farthest from both.
func pivots(n int, edges []edge) (x [2][]float64) {
	lists := neighbourLists(n, edges)
	from := func(i int) (distance []int, last int) {
		distance = unreached(n)
		nodes := breadthFirst(lists, i, distance)
		return distance, nodes[len(nodes)-1]
	}
	_, end := from(0)
	near, other := from(end)
	far, _ := from(other)
	aside := 0
	for i := range n {
		if min(near[i], far[i]) > min(near[aside], far[aside]) {
			aside = i
		}
	}
	third, _ := from(aside)
	x[0], x[1] = make([]float64, n), make([]float64, n)
	for i := range n {
		x[0][i], x[1][i] = float64(near[i]-far[i]), float64(third[i])
	}
	return x
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
