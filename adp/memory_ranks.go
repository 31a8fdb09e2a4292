package adp

import (
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// afterRanks is After of package adp/ranks.
type afterRanks struct{ calibrate, f, graph bool }

// rankMemory is Memory of package adp/ranks.
type rankMemory struct {
	root                              bool // rank 0
	own, entries, nodes, all, classes int64
	variation                         float64 // of the degrees

	hubs bool     // rows may be made in groups or truncated, as [diffuse.HubBytes] says for a whole graph
	away [5]int64 // rows of other ranks, at each number of steps from the own ones
}

// measureRank measures the rank's own rows of W. All ranks call it together.
func measureRank(world *dist.World, w *csr.Matrix, classes int) *rankMemory {
	p := &rankRows{world: world}
	lo, hi, n := world.Rows()
	m := &rankMemory{
		root: world.Rank() == 0, own: int64(hi - lo), entries: int64(w.NNZ()), nodes: int64(n),
		all: int64(p.total(w.NNZ())), classes: int64(classes), variation: p.degreeVariation(w),
	}
	d := m.degree()
	m.hubs = m.variation > maxDegreeVariation || diffuse.IsHeavy(int64(d*d*d), m.all)
	m.reach(w, lo)
	return m
}

// bytes is Memory.Bytes of package adp/ranks.
func (m *rankMemory) bytes(opt Options, after afterRanks) int64 {
	opt, err := opt.WithDefaults(int(m.nodes))
	if err != nil {
		return m.base() // the run reports the fault
	}
	work, learned := m.run(opt)
	bytes := m.base() + work
	if m.root && opt.Checkpoint != nil {
		bytes += m.checkpoint(learned, opt)
	}
	if after.calibrate {
		fold := opt
		fold.TrialFolds = -1
		work, _ = m.run(fold)
		bytes = max(bytes, m.result(learned)+m.base()+work)
	}
	if m.root {
		bytes = max(bytes, 8*m.entries+m.result(learned)+m.gathered(learned, after))
	}
	return bytes
}

// reach sets the number of rows at each distance. Those at one step are counted. In a good
// partition few own rows are at the border, and each further step adds about as many rows as the
// last. Where all own rows are at the border, each reached row leads to as many new rows as it has
// entries.
func (m *rankMemory) reach(w *csr.Matrix, lo int) {
	if m.own == 0 {
		return
	}
	border := 0
	for i := range int(m.own) {
		cols, _ := w.Row(i)
		if len(cols) > 0 && (int(cols[0]) < lo || int(cols[len(cols)-1]) >= lo+int(m.own)) {
			border++
		}
	}
	m.away[1] = int64(dist.HaloRows(w, lo))
	step := 1 + float64(border)/float64(m.own)*max(m.degree()-1, 0)
	for k := 2; k < len(m.away); k++ {
		m.away[k] = min(m.nodes-m.own, int64(float64(m.away[k-1])*step))
	}
}

// degree returns the mean number of entries in a row.
func (m *rankMemory) degree() float64 { return float64(m.all) / float64(max(m.nodes, 1)) }

// block returns the bytes of a block of class columns.
func (m *rankMemory) block() int64 { return 4*m.own*m.classes + 1 }

// base returns the bytes held throughout, beside the class blocks.
func (m *rankMemory) base() int64 {
	return 16*m.entries + 44*m.own + m.block()/32 + m.halo(m.away[1])
}

// halo returns the bytes of a plan to exchange rows and of the extended block that it fills.
func (m *rankMemory) halo(others int64) int64 {
	return 4*(m.own+2*others) + 3*m.nodes/16 + 4*m.classes*(m.own+2*others)
}

// solving returns the bytes of the class blocks.
func (m *rankMemory) solving(opt Options) int64 {
	blocks := int64(4) // F, R, P and Q
	if opt.Method.Has(LearnsSparse) {
		blocks++ // the last F
		if opt.Select != None {
			blocks += 2 // of LGC, and the mean
		}
		if opt.folds() > 0 {
			blocks += 2 + opt.heldTogether(int(m.classes))
		}
	}
	return blocks * m.block()
}

// run returns the bytes of a run beside the base, and the entries of the largest graph that it
// learns on this rank.
func (m *rankMemory) run(opt Options) (work, learned int64) {
	blocks := m.solving(opt)
	work = blocks
	if !opt.Method.Has(LearnsSparse) {
		return work, 0
	}
	for _, set := range opt.settings(int(m.nodes), int(m.classes), shape{m.variation, 1}) {
		g := m.learnedSize(set)
		learned = max(learned, g.entries)
		work = max(work, blocks+m.rounds(g, opt, !set.Fresh))
	}
	if opt.folds() > 0 { // folds that are solved together, and the rows of others that they need
		work = max(work, blocks+opt.heldTogether(int(m.classes))*(4*m.block()+4*m.classes*(m.own+2*m.away[1])))
	}
	return work, learned
}

// learnedSize estimates the sizes for the own rows. It takes rows to keep as many entries as they
// may.
func (m *rankMemory) learnedSize(set Setting) graphSize {
	k := float64(set.TopK)
	if set.TopK < 0 {
		k = float64(m.nodes)
	}
	g := graphSize{kept: int64((k + 1) * float64(m.own)), symmetric: int64((1.5*k + 1) * float64(m.own))}
	g.entries = g.symmetric
	if set.Anchor > 0 {
		g.entries += int64(max(m.degree()-k/2, m.degree()/2) * float64(m.own))
	}
	return g
}

// rounds returns the bytes of the rounds of a setting, beside the class blocks; walks says whether its
// A-steps take walks.
func (m *rankMemory) rounds(g graphSize, opt Options, walks bool) int64 {
	graph, workers := 8*g.entries+8*m.own, int64(rows.Workers(opt.Threads))
	held, second, third := int64(0), m.away[2], m.away[3]
	// In the first A-step A is S. Later ones reach further: an entry of A joins nodes up to three
	// steps apart, but mostly near ones.
	fetchedA := float64(m.away[1]) * m.degree()
	if opt.Rounds > 1 {
		held, second, third = graph, m.away[3], m.away[4]
		fetchedA = max(fetchedA, float64(m.away[1])*float64(g.entries)/float64(max(m.own, 1)))
	}
	if opt.Select != None {
		held += graph // of the best round
	}
	fetched := int64(fetchedA + float64(second)*m.degree())
	extended := m.own + third
	collect := 16*fetched + 8*(m.entries+g.entries) + 16*extended + // rows of S and A
		4*m.classes*(m.own+extended) + 20*extended + 3*m.nodes/16 +
		2*(8*g.kept+8*m.own)
	if walks {
		collect += workers * 24 * extended
	}
	switch {
	case !walks || !m.hubs:
	case opt.Hubs.Applies(int(m.nodes), int(m.all)):
		collect += workers*4*extended + 16*min(g.entries+fetched, 64*extended)
	default:
		collect += workers*64*extended + 8*(m.entries+fetched)
	}
	mirror := 48*g.kept + 16*m.own
	symmetrize := 24*g.kept + 8*g.symmetric + 16*m.own
	add := 8*(g.symmetric+g.entries) + 16*m.own
	solve := 16*g.entries + 24*m.own + m.halo(m.away[2])
	return held + max(collect, mirror, symmetrize, add, solve)
}

// result returns the bytes that the result of a rank keeps.
func (m *rankMemory) result(learned int64) int64 {
	return m.block() + 21*m.own + 8*max(learned, m.entries)
}

// whole extrapolates the entries of this rank to those of the whole graph.
func (m *rankMemory) whole(entries int64) int64 {
	return int64(float64(entries) / float64(max(m.own, 1)) * float64(m.nodes))
}

// gathered returns the bytes that rank 0 receives.
func (m *rankMemory) gathered(learned int64, after afterRanks) int64 {
	bytes := 40 * m.nodes
	if after.f {
		bytes += 12 * m.classes * m.nodes
	}
	if after.graph {
		bytes += 18*m.whole(max(learned, m.entries)) + 24*m.nodes
	}
	return bytes
}

// checkpoint returns the bytes that rank 0 needs for a state, while its last rows arrive.
func (m *rankMemory) checkpoint(learned int64, opt Options) int64 {
	block := 4 * m.classes * m.nodes
	if !opt.Method.Has(LearnsSparse) {
		return 2 * block
	}
	return 4*block + 3*8*m.whole(learned)
}
