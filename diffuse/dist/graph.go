package dist

import (
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Graph is the part of a normalised graph that a rank holds: a
// [diffuse.SharedOperator], a [diffuse.Filler] and a [diffuse.Parted] on the own rows.
type Graph struct {
	S       *csr.Matrix // own rows × n
	Degrees []float64   // of the own rows of the matrix that S was made from

	halo    *Halo
	local   *csr.Matrix // S with the columns of the halo's extended block
	x       *csr.Dense  // extended
	border  []bool      // own rows that need others
	threads int

	parted     bool // the components are known
	components []uint32
}

// Normalize returns the part of S = D^-1/2 W D^-1/2 for the own rows (× n) of a
// symmetric W, with the bits of [diffuse.Normalize]. Memory beside W: 8 bytes an
// entry, and the [Halo].
func Normalize(w *World, m *csr.Matrix, threads int) *Graph {
	g := &Graph{Degrees: csr.Degrees(m, threads), halo: haloOf(w, m), threads: threads}
	pattern := g.halo.localize(m)
	g.local = csr.ScaleSym(pattern, g.halo.first, Exchange(g.halo, g.Degrees), threads)
	_, _, data := g.local.Arrays()
	g.S = m.WithData(data)
	g.border = make([]bool, g.halo.own)
	alone := len(g.halo.receive) == 0 // nothing to wait for: all rows in one pass
	rows.Each(g.halo.own, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, _ := g.local.Row(i)
			g.border[i] = alone || len(cols) > 0 && (int(cols[0]) < g.halo.first || int(cols[len(cols)-1]) >= g.halo.first+g.halo.own)
		}
	})
	return g
}

// Halo returns the plan of the graph's columns.
func (g *Graph) Halo() *Halo { return g.halo }

// Localized returns a matrix with the pattern of S, whose columns are the
// halo's extended rows, and the values of m, which has the pattern too.
func (g *Graph) Localized(m *csr.Matrix) *csr.Matrix {
	_, _, data := m.Arrays()
	return g.local.WithData(data)
}

// Dim returns the number of own rows.
func (g *Graph) Dim() int { return g.halo.own }

// Apply computes the own rows of dst ← S·X from those of X.
func (g *Graph) Apply(dst, x *csr.Dense) {
	g.Begin(dst, x)
	rows.Each(dst.Rows, g.threads, func(lo, hi int) { g.ApplyRows(dst, x, lo, hi) })
}

// Whole returns the rows of S and the degrees of all ranks, nil where S has more entries than
// most.
func (g *Graph) Whole(most int) (*csr.Matrix, []float64) {
	count := []float64{0}
	g.halo.world.Fold(count, func(sum []float64) { sum[0] += float64(g.S.NNZ()) })
	if count[0] > float64(most) {
		return nil, nil
	}
	return gatherRows(g.S, func(lengths, cols []uint32, vals []float32) ([]uint32, []uint32, []float32) {
		return GatherAll(g.halo.world, lengths), GatherAll(g.halo.world, cols), GatherAll(g.halo.world, vals)
	}), GatherAll(g.halo.world, g.Degrees)
}

// chunk is the number of rows after which an exchange is let go on: a few
// hundred microseconds.
const chunk = 16 * rows.BlockSize

// Begin exchanges the rows of x, and meanwhile makes the rows of dst that need
// no others.
func (g *Graph) Begin(dst, x *csr.Dense) {
	if g.x == nil || g.x.Cols != x.Cols {
		g.x = csr.NewDense(len(g.halo.list), x.Cols)
	}
	own := g.x.Data[g.halo.first*x.Cols:]
	rows.Each(x.Rows, g.threads, func(lo, hi int) { copy(own[lo*x.Cols:], x.Data[lo*x.Cols:hi*x.Cols]) })
	request := g.halo.start(g.x)
	for from := 0; from < x.Rows; from += chunk {
		rows.Each(min(chunk, x.Rows-from), g.threads, func(lo, hi int) { g.apply(dst, from+lo, from+hi, false) })
		request.Test()
	}
	request.Wait()
}

// ApplyRows makes those of rows lo to hi−1 of dst that Begin has not.
func (g *Graph) ApplyRows(dst, _ *csr.Dense, lo, hi int) { g.apply(dst, lo, hi, true) }

// apply makes the rows of dst, from lo to hi−1, that are at the border, or those
// that are not.
func (g *Graph) apply(dst *csr.Dense, lo, hi int, border bool) {
	for lo < hi {
		end := lo
		for end < hi && g.border[end] == border {
			end++
		}
		if end > lo {
			csr.MulDenseRows(dst, g.local, g.x, lo, end)
		}
		for lo = end; lo < hi && g.border[lo] != border; {
			lo++
		}
	}
}

// FillReached is [diffuse.FillReached] over all ranks; f has the own rows.
func (g *Graph) FillReached(f *csr.Dense, alpha float64) {
	l := &layers{g: g, x: g.halo.exchange(f)}
	l.index()
	diffuse.FillReached(l.x, g.halo.first, g.local, alpha, g.threads, l)
	copy(f.Data, l.x.Data[g.halo.first*f.Cols:])
}

// layers joins the layers of the ranks.
type layers struct {
	g       *Graph
	x       *csr.Dense
	readers map[uint32][]uint32 // of the rows of others, in the extended block
}

// index finds the own rows that read each row of another rank.
func (l *layers) index() {
	l.readers = map[uint32][]uint32{}
	first, own := l.g.halo.first, l.g.halo.own
	for i := range own {
		cols, _ := l.g.local.Row(i)
		for _, j := range cols {
			if int(j) < first || int(j) >= first+own {
				l.readers[j] = append(l.readers[j], uint32(first+i))
			}
		}
	}
}

// Pass sends all rows of the halo, and which are new.
func (l *layers) Pass(filled []uint32) (arrived []uint32, any bool) {
	h := l.g.halo
	count := []float64{0}
	h.world.Fold(count, func(sum []float64) { sum[0] += float64(len(filled)) })
	if count[0] == 0 {
		return nil, false
	}
	h.start(l.x).Wait()
	fresh := make([]bool, h.own)
	for _, i := range filled {
		fresh[int(i)-h.first] = true
	}
	for i, is := range Exchange(h, fresh) {
		if is && (i < h.first || i >= h.first+h.own) {
			arrived = append(arrived, uint32(i))
		}
	}
	return arrived, true
}

// Readers returns the own rows with an entry in the column of an extended row.
func (l *layers) Readers(row uint32) []uint32 { return l.readers[row] }
