package dist

import (
	"cmp"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/forest"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Components returns the smallest node of the connected component of each own row,
// nil where the whole graph is connected. All ranks call it together; it is found in
// the first call. Each rank joins its extended rows by its own entries, and then all
// join what has come out as one in two ranks: three exchanges, whatever the graph,
// and 8 bytes a pair of components of ranks that meet.
func (g *Graph) Components() []uint32 {
	if !g.parted {
		g.parted, g.components = true, g.findComponents()
	}
	return g.components
}

func (g *Graph) findComponents() []uint32 {
	h := g.halo
	sets := forest.New(len(h.list)) // in the order of the nodes: the smallest stands for all
	rows.Each(h.own, g.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, _ := g.local.Row(i)
			for _, j := range cols {
				sets.Unite(uint32(h.first+i), j)
			}
		}
	})
	labels := make([]uint32, h.own)
	for i := range labels {
		labels[i] = h.list[sets.Find(uint32(h.first+i))]
	}
	var pairs []pair // of labels here and at the rank of a row
	for k, there := range Exchange(h, labels) {
		if k < h.first || k >= h.first+h.own {
			if here := h.list[sets.Find(uint32(k))]; here != there {
				pairs = append(pairs, pair{min(here, there), max(here, there)})
			}
		}
	}
	joined := joinPairs(h.world, distinct(pairs))
	elsewhere := []float64{0} // rows that are not with node 0
	h.world.Fold(elsewhere, func(sum []float64) {
		for i, label := range labels {
			labels[i] = joined.of(label)
			if labels[i] != 0 {
				sum[0]++
			}
		}
	})
	if elsewhere[0] == 0 {
		return nil
	}
	return labels
}

// pair is two labels of one component.
type pair struct{ low, high uint32 }

func distinct(pairs []pair) []pair {
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high)) })
	return slices.Compact(pairs)
}

// joining is the labels that pairs join, in order, and their sets.
type joining struct {
	labels []uint32
	sets   forest.Forest
}

// joinPairs joins the labels of the pairs of all ranks.
func joinPairs(w *World, pairs []pair) joining {
	send := make([][]byte, w.Size())
	for q := range send {
		if q != w.Rank() {
			send[q] = bytesOf(pairs)
		}
	}
	for q, received := range w.Exchange(send) {
		if q != w.Rank() {
			pairs = append(pairs, itemsOf[pair](received)...)
		}
	}
	var j joining
	for _, p := range pairs {
		j.labels = append(j.labels, p.low, p.high)
	}
	slices.Sort(j.labels)
	j.labels = slices.Compact(j.labels)
	j.sets = forest.New(len(j.labels))
	for _, p := range pairs {
		j.sets.Unite(j.place(p.low), j.place(p.high))
	}
	return j
}

func (j joining) place(label uint32) uint32 {
	at, _ := slices.BinarySearch(j.labels, label)
	return uint32(at)
}

// of returns the smallest label that a label is joined with.
func (j joining) of(label uint32) uint32 {
	at, ok := slices.BinarySearch(j.labels, label)
	if !ok {
		return label
	}
	return j.labels[j.sets.Find(uint32(at))]
}
