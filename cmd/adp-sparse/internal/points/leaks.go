package points

import (
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// noteLeaks notes columns of the features that seem to hold the labels. One whose title says so has a note already.
func noteLeaks(k *opened.Built, x *csr.Dense, y *diffuse.Seeds) {
	if x == nil || y == nil || y.Sets || k.Notes.Count(notes.LabelTitles) > 0 {
		return
	}
	known := make(map[uint32]uint32, y.Labelled())
	nodes := make([]uint32, 0, y.Labelled())
	for _, s := range y.List() {
		if class, twice := known[s.Node]; twice && class != s.Class {
			return // a label in doubt
		} else if !twice && int(s.Node) < x.Rows {
			known[s.Node] = s.Class
			nodes = append(nodes, s.Node)
		}
	}
	for j := range x.Cols {
		if !leaks(x, j, nodes, known) {
			continue
		}
		out := "leave it out of the file"
		if name := k.FlagName(j + 1); name != "" {
			out = "say --drop-columns " + name
		}
		k.Notes.Doubt(notes.LabelValues, 1, 0, k.ColumnName(j+1), "it has a value for each class: if it holds the labels, which are no features, "+out)
	}
}

// leaks reports whether column j seems to hold the labels: among points with a known one each class has a value of its
// own, and the others have one further value, as of none. Or, of three classes or more, all points have whole
// numbers, no more than one beside those of the classes. Features seldom do.
func leaks(x *csr.Dense, j int, nodes []uint32, known map[uint32]uint32) bool {
	const leastNone, leastEach, leastClasses = 10, 3, 3
	valueOf, classOf, count := map[uint32]float32{}, map[float32]uint32{}, map[uint32]int{}
	for _, i := range nodes {
		v, class := x.At(int(i), j), known[i]
		has, seen := valueOf[class]
		if of, taken := classOf[v]; seen && has != v || taken && of != class {
			return false
		}
		valueOf[class], classOf[v] = v, class
		count[class]++
	}
	if len(valueOf) < 2 || len(nodes) < 2*len(valueOf) {
		return false
	}
	codes := len(valueOf) >= leastClasses
	for _, n := range count {
		codes = codes && n >= leastEach
	}
	for v := range classOf {
		codes = codes && v == float32(int64(v))
	}
	others, constant, further := 0, true, map[float32]bool{}
	for i := range x.Rows {
		if _, isKnown := known[uint32(i)]; isKnown {
			continue
		}
		others++
		v := x.At(i, j)
		_, ofClass := classOf[v]
		if !ofClass {
			further[v] = true
		}
		constant = constant && !ofClass
		if len(further) > 1 || !constant && !codes {
			return false
		}
	}
	return constant && others >= leastNone || codes && others > 0
}
