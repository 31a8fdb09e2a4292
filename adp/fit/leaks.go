package fit

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The bounds of [Input.Leaks].
const (
	leastUntold = 10 // points without a known label that one value sets apart
	leastCoded  = 3  // classes that whole numbers are codes of
	leastEach   = 3  // labelled points of each of these
	leastOfTwo  = 12 // labelled points of each of two classes
)

// Leaks returns the columns of the features, from 0, that seem to hold the labels; nil for none. Labels are no features. By a column
// of the known ones alone left-out labels come out right, and those of other points do not. A column of all labels makes a run needless.
//
// With x_ij column j of point i, L the labelled points and y_i their classes, column j leaks where
//
//	x_ij = x_kj  exactly where  y_i = y_k,  for all i and k in L,
//
// so that each class has a value of its own, and where one of these is true too:
//
//   - The points without a label are ten or more, and have one value, which is of no class: as of none.
//   - There are three classes or more, of three points of L each, and their values are whole numbers. The points without a
//     label, one or more, have these values and one further at most.
//   - There are two classes, of twelve points of L each, their values are whole numbers, and all other points have these. The column is the
//     first or the last, where labels stand: others of two values may tell two classes.
//
// Features seldom do. There is no such column where L is of one class or has fewer than two points a class in the mean, nor where a
// label is in doubt or seeds are sets. Numbers that sparse features do not store are 0.
//
// Cost: a look-up a column and more for those that begin as the classes do, O(n·d) at most. In sparse features one class at
// most has the value 0, so that a leaking column is stored in one of two rows of unlike classes: d is the entries of these, and a
// look-up takes the logarithm of those of a row. Memory: 8 bytes a column.
func (in *Input) Leaks() (columns []int) {
	x := diffuse.Features{Dense: in.Dense, Sparse: in.Sparse}
	known, sizes := in.labelled(x), map[uint32]int{}
	for _, s := range known {
		sizes[s.Class]++
	}
	if len(sizes) < 2 || len(known) < 2*len(sizes) {
		return nil
	}
	coded, each, most := true, leastEach, 1
	if len(sizes) < leastCoded {
		each, most = leastOfTwo, 0
	}
	for _, size := range sizes {
		coded = coded && size >= each
	}
	_, d := x.Dims()
	for _, j := range suspects(x, known) {
		atEnd := j == 0 || j == d-1
		if leaks(x, j, known, coded && (atEnd || len(sizes) >= leastCoded), most) {
			columns = append(columns, j)
		}
	}
	return columns
}

// labelled returns the seeds of the points of x, in order.
func (in *Input) labelled(x diffuse.Features) []diffuse.Seed {
	switch {
	case in.Seeds == nil || in.Seeds.Sets || (x.Dense == nil) == (x.Sparse == nil):
		return nil
	case x.Dense != nil && len(x.Dense.Data) != x.Dense.Rows*x.Dense.Cols: // Run has the error
		return nil
	}
	n, _ := x.Dims()
	list := in.Seeds.List()
	if past := slices.IndexFunc(list, func(s diffuse.Seed) bool { return int(s.Node) >= n }); past >= 0 {
		return list[:past]
	}
	return list
}

// suspects returns the columns that can leak.
func suspects(x diffuse.Features, known []diffuse.Seed) (columns []int) {
	if x.Dense != nil {
		return rows.InOrder[int](x.Dense.Cols)
	}
	other := slices.IndexFunc(known, func(s diffuse.Seed) bool { return s.Class != known[0].Class })
	for _, s := range []diffuse.Seed{known[0], known[other]} {
		stored, _ := x.Sparse.Row(int(s.Node))
		for _, j := range stored {
			columns = append(columns, int(j))
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// leaks reports whether column j leaks. Coded says that whole numbers may be codes of the classes, and the other points have at
// most so many further values then. A point of two classes ends the first loop: its value is that of both.
func leaks(x diffuse.Features, j int, known []diffuse.Seed, coded bool, most int) bool {
	value := func(i int) float32 { return x.Dense.At(i, j) }
	if x.Dense == nil {
		value = func(i int) float32 { return float32(x.Sparse.At(i, j)) }
	}
	valueOf, classOf := map[uint32]float32{}, map[float32]uint32{}
	for _, s := range known {
		v := value(int(s.Node))
		has, seen := valueOf[s.Class]
		if of, taken := classOf[v]; seen && has != v || taken && of != s.Class {
			return false
		}
		valueOf[s.Class], classOf[v] = v, s.Class
		coded = coded && math.Trunc(float64(v)) == float64(v)
	}
	n, _ := x.Dims()
	untold, apart, further := 0, true, []float32(nil)
	for i := range n {
		if len(known) > 0 && int(known[0].Node) == i {
			known = known[1:]
			continue
		}
		untold++
		v := value(i)
		if _, ofClass := classOf[v]; ofClass {
			apart = false
		} else if !slices.Contains(further, v) {
			further = append(further, v)
		}
		if coded = coded && len(further) <= most; len(further) > 1 || !apart && !coded {
			return false
		}
	}
	return untold >= leastUntold || coded && untold > 0 // apart or coded
}
