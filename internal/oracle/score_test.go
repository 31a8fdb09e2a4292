package oracle

import "testing"

// Two triangles joined by one edge: 2m = 14, six of each class's seven ends
// stay inside.
var triangles = Affinity(7,
	[]uint32{0, 1, 2, 3, 4, 5, 2}, []uint32{1, 2, 0, 4, 5, 3, 3}, []float32{1, 1, 1, 1, 1, 1, 1})

func TestScoresByHand(t *testing.T) {
	for _, c := range []struct {
		what               string
		labels             []int
		modularity, inside float64
	}{
		{"two triangles", []int{0, 0, 0, 1, 1, 1, 0}, 6.0/7 - 0.5, 6.0 / 7},
		{"one class", []int{0, 0, 0, 0, 0, 0, 0}, 0, 1},
		{"a class of no weight", []int{0, 0, 0, 2, 2, 2, 1}, 6.0/7 - 0.5, 6.0 / 7},
		{"three nodes without a class", []int{0, 0, 0, -1, -1, -1, -1}, 6.0/14 - 0.25, 6.0 / 7},
		{"nobody has a class", []int{-1, -1, -1, -1, -1, -1, -1}, 0, 0},
	} {
		near(t, c.what+": modularity", Mat{{Modularity(triangles, c.labels)}}, Mat{{c.modularity}}, 1e-15)
		near(t, c.what+": inside", Mat{{InsideShare(triangles, c.labels)}}, Mat{{c.inside}}, 1e-15)
	}
	near(t, "no edges", Mat{{Modularity(New(2, 2), []int{0, 1}), InsideShare(New(2, 2), []int{0, 1})}}, Mat{{0, 0}}, 0)
}
