package knn

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
)

// DefaultLinkSample is the default of ConnectOptions.Sample.
const DefaultLinkSample = 4096

// ConnectOptions are the options of [Connect]. The zero value measures
// Euclidean distances and gives every link the smallest weight of the graph.
type ConnectOptions struct {
	Metric Metric
	// Weight returns the positive weight of a link; nil means the smallest positive weight in the
	// graph, 1 if there is none.
	Weight func(l Link) float32
	// Sample is the largest number of points of a component that look for its links; zero means
	// 4096. A larger component, except the largest, which need not look, draws this many points by
	// Seed. Its links are then the shortest of the sampled points.
	Sample  int
	Seed    uint64
	Threads int // zero means GOMAXPROCS
}

// Link is an edge between components: points I < J and their distance.
type Link struct {
	I    uint32  `json:"i"`
	J    uint32  `json:"j"`
	Dist float32 `json:"distance"`
}

// Connect joins the connected components of the symmetric graph g of the points x by their shortest
// links. It returns the connected graph and the links, ordered by I and J. If no component is
// sampled (see ConnectOptions), they are a minimum spanning tree of the components, where the
// distance of two components is that of their nearest points. Zero vectors have no links by
// [Cosine] and [InnerProduct], which do not rank them: components of zero vectors alone stay apart.
//
// Borůvka's algorithm: in each round every component but the largest takes the shortest link that
// leaves it; a round at least halves their number, rounded up. A round costs m·n·d multiply-adds
// for the m points outside the largest component, in exact blocks as [Search] does.
//
// O. Borůvka, O jistém problému minimálním, 1926.
func Connect(ctx context.Context, g *csr.Matrix, x *csr.Dense, opt ConnectOptions) (*csr.Matrix, []Link, error) {
	if n, m := g.Dims(); n != m || n != x.Rows {
		panic(fmt.Sprintf("knn: %d×%d graph of %d points", n, m, x.Rows))
	}
	if err := opt.Metric.check(); err != nil {
		return nil, nil, err
	}
	if opt.Sample < 0 {
		return nil, nil, fmt.Errorf("%w: sample of %d points, expected at least 1, or 0 for the default", ErrOptions, opt.Sample)
	}
	of, sizes := csr.Components(g, opt.Threads)
	if len(sizes) <= 1 {
		return g, nil, nil
	}
	largest, err := checkFeatures(x, opt.Threads)
	if err != nil {
		return nil, nil, err
	}
	pts := newPoints(x, linked(x, opt.Metric), opt.Metric, largest, opt.Threads)
	parts := partitionOf(pts.row, of, len(sizes))
	if len(parts.sizes) <= 1 {
		return g, nil, nil
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 0x6c69_6e6b))
	var links []Link
	for len(parts.sizes) > 1 {
		shortest, err := leaving(ctx, pts, parts, rng, opt)
		if err != nil {
			return nil, nil, err
		}
		links = append(links, parts.join(shortest, pts)...)
	}
	slices.SortFunc(links, func(a, b Link) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	joined, err := addLinks(g, links, opt)
	return joined, links, err
}

// linked returns the points that may have links, ascending.
func linked(x *csr.Dense, metric Metric) []uint32 {
	all := allPoints(x.Rows)
	if !metric.byAngle() {
		return all
	}
	return slices.DeleteFunc(all, func(i uint32) bool { return isZero(x.Row(int(i))) })
}

// partition holds the components so far.
type partition struct {
	of    []uint32
	sizes []int
}

// partitionOf returns the partition of the given points by the components of all points. Components
// without any of the given points are left out.
func partitionOf(ids, of []uint32, components int) *partition {
	p := &partition{of: make([]uint32, len(ids))}
	number := slices.Repeat([]uint32{Missing}, components)
	for u, i := range ids {
		c := of[i]
		if number[c] == Missing {
			number[c] = uint32(len(p.sizes))
			p.sizes = append(p.sizes, 0)
		}
		p.of[u] = number[c]
		p.sizes[p.of[u]]++
	}
	return p
}

// largest returns the largest component, the first of equal ones.
func (p *partition) largest() uint32 {
	best := 0
	for c, size := range p.sizes {
		if size > p.sizes[best] {
			best = c
		}
	}
	return uint32(best)
}

// seekers returns the points that look for links: those outside the largest
// component, at most sample of each other component.
func (p *partition) seekers(sample int, rng *rand.Rand) []uint32 {
	if sample == 0 {
		sample = DefaultLinkSample
	}
	members := make([][]uint32, len(p.sizes))
	for i, c := range p.of {
		members[c] = append(members[c], uint32(i))
	}
	members[p.largest()] = nil
	var seekers []uint32
	for _, m := range members {
		if len(m) > sample {
			for _, at := range draw(rng, len(m), sample) {
				seekers = append(seekers, m[at])
			}
			continue
		}
		seekers = append(seekers, m...)
	}
	return seekers
}

// bridge is a link with its exact rank.
type bridge struct {
	rank float64
	i, j uint32
}

func (b bridge) compare(o bridge) int {
	return cmp.Or(cmp.Compare(b.rank, o.rank), cmp.Compare(b.i, o.i), cmp.Compare(b.j, o.j))
}

// leaving returns the shortest link that leaves each component but the
// largest, shortest first.
func leaving(ctx context.Context, pts *points, parts *partition, rng *rand.Rand, opt ConnectOptions) ([]bridge, error) {
	seek := newCandidateLists(pts, parts.seekers(opt.Sample, rng), 1)
	seek.class = parts.of
	if err := seek.askAll(ctx, blocksOf(allPoints(pts.count())), opt.Threads); err != nil {
		return nil, err
	}
	best := make([]bridge, len(parts.sizes))
	found := make([]bool, len(parts.sizes))
	var d rowScratch
	for q, u := range seek.query {
		near := seek.nearest(uint32(q), &d)[0]
		b := bridge{near.rank, min(u, near.id), max(u, near.id)}
		if c := parts.of[u]; !found[c] || b.compare(best[c]) < 0 {
			best[c], found[c] = b, true
		}
	}
	var shortest []bridge
	for c, b := range best {
		if found[c] {
			shortest = append(shortest, b)
		}
	}
	slices.SortFunc(shortest, bridge.compare)
	return shortest, nil
}

// join merges the components that the bridges link, and returns the links used: those between
// components not yet joined.
func (p *partition) join(bridges []bridge, pts *points) []Link {
	root := allPoints(len(p.sizes))
	find := func(c uint32) uint32 {
		for root[c] != c {
			root[c] = root[root[c]]
			c = root[c]
		}
		return c
	}
	var links []Link
	for _, b := range bridges {
		i, j := find(p.of[b.i]), find(p.of[b.j])
		if i != j {
			root[max(i, j)] = min(i, j)
			links = append(links, Link{pts.row[b.i], pts.row[b.j], pts.metric.distance(b.rank)})
		}
	}
	number := make([]uint32, len(root))
	var sizes []int
	for c := range root {
		if find(uint32(c)) == uint32(c) {
			number[c] = uint32(len(sizes))
			sizes = append(sizes, 0)
		}
	}
	for i, c := range p.of {
		p.of[i] = number[find(c)]
		sizes[p.of[i]]++
	}
	p.sizes = sizes
	return links
}

// addLinks returns g with the links as edges.
func addLinks(g *csr.Matrix, links []Link, opt ConnectOptions) (*csr.Matrix, error) {
	weight := opt.Weight
	if weight == nil {
		_, _, data := g.Arrays()
		smallest := float32(smallestPositive(data))
		weight = func(Link) float32 { return smallest }
	}
	var e csr.Edges
	for _, l := range links {
		e.Src, e.Dst = append(e.Src, l.I), append(e.Dst, l.J)
		e.Weight = append(e.Weight, weight(l))
	}
	n, _ := g.Dims()
	extra, _, err := csr.FromEdges(n, &e, csr.BuildOptions{Threads: opt.Threads})
	if err != nil {
		return nil, err
	}
	return csr.Add(g, 1, extra, opt.Threads), nil
}
