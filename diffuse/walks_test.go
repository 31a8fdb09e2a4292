package diffuse

import (
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// distances returns the number of edges from each node to the nearest of some, -1 where there is no way.
func distances(graph oracle.Mat, from ...int) []int {
	far := make([]int, len(graph))
	for i := range far {
		far[i] = -1
	}
	for _, i := range from {
		far[i] = 0
	}
	for d := range graph {
		for i := range graph {
			for j, w := range graph[i] {
				if far[i] == d && w > 0 && far[j] < 0 {
					far[j] = d + 1
				}
			}
		}
	}
	return far
}

// walksBy returns Ẑ of the cells of some nodes, in float64.
func walksBy(graph oracle.Mat, cell []int32, cells, steps int) oracle.Mat {
	n, degrees := len(graph), oracle.Degrees(graph)
	z, at, volume, all := oracle.New(n, cells), oracle.New(n, cells), make([]float64, cells), 0.0
	for i, c := range cell {
		if all += degrees[i]; c >= 0 {
			at[i][c] = 1
			volume[c] += degrees[i]
		}
	}
	walk := oracle.New(n, n)
	for i, row := range graph {
		for j, w := range row {
			if degrees[i] > 0 {
				walk[i][j] = w / degrees[i]
			}
		}
	}
	for range steps {
		at = oracle.Mul(walk, at)
		z = oracle.Add(1, z, 1/float64(steps), at)
	}
	mean, reached := make([]float64, cells), 0.0
	for i, row := range z {
		for g, v := range row {
			row[g] = math.Log(1 + v*all/volume[g])
			mean[g] += row[g]
		}
		if cell[i] >= 0 {
			reached++
		}
	}
	for i, row := range z {
		for g := range row {
			if row[g] -= mean[g] / reached; cell[i] < 0 {
				row[g] = 0
			}
		}
	}
	return unitOf(z)
}

// TestWalks: rows are those of dense products in float64, the cells of the nearest centres; where there are no more nodes with
// edges than cells each is one. Nodes without a cell have rows of zeros. The bits are the same for any threads.
func TestWalks(t *testing.T) {
	for seed := range uint64(12) {
		w, graph := randomGraph(t, seed)
		for _, cells := range []int{3, 1000} {
			var first []float32
			for _, threads := range []int{1, 3} {
				g := Normalize(w, threads)
				z, err := Walks(t.Context(), g, cells, 4, threads)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = z.Data
				}
				if !slices.Equal(first, z.Data) {
					t.Errorf("graph %d, %d threads: other bits", seed, threads)
				}
				cell := newWalking(g, cells).cell
				if off := worstDifference(z, walksBy(graph, cell, z.Cols, 4)); off > 1e-5 {
					t.Errorf("graph %d, %d cells: off by %.1e", seed, cells, off)
				}
			}
			checkCells(t, graph, newWalking(Normalize(w, 1), cells))
		}
	}
}

// TestWalksExtremes: with the least and the largest weights that a graph may have, rows are of unit length or 0, and finite.
func TestWalksExtremes(t *testing.T) {
	const n = 40
	edges := &csr.Edges{}
	for i := range uint32(n - 1) {
		weight := []float32{1, math.SmallestNonzeroFloat32, math.MaxFloat32}[i/3%3]
		edges.Src, edges.Dst, edges.Weight = append(edges.Src, i), append(edges.Dst, i+1), append(edges.Weight, weight)
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range []int{5, n} {
		z, err := Walks(t.Context(), Normalize(w, 2), cells, 20, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if length := math.Sqrt(squares(z.Row(i))); !(length == 0 || math.Abs(length-1) < 1e-5) {
				t.Errorf("%d cells: row %d has a length of %v", cells, i, length)
			}
		}
	}
}

// checkCells: each node is of the centre, or of one of the centres, that the fewest edges lead to, and has none where none does.
func checkCells(t *testing.T, graph oracle.Mat, w *walking) {
	t.Helper()
	far := make([][]int, len(w.centres))
	for g, l := range w.centres {
		if far[g] = distances(graph, int(l)); w.cell[l] != int32(g) {
			t.Errorf("centre %d is of cell %d", g, w.cell[l])
		}
	}
	nearest, volume := distances(graph, asInts(w.centres)...), make([]float64, len(w.centres))
	for i, g := range w.cell {
		switch {
		case w.Degrees[i] == 0 || nearest[i] < 0:
			if g >= 0 {
				t.Errorf("node %d, which no centre reaches, is of cell %d", i, g)
			}
		case g < 0 || far[g][i] != nearest[i]:
			t.Errorf("node %d is of cell %d, expected one whose centre is %d edges away", i, g, nearest[i])
		default:
			volume[g] += w.Degrees[i]
		}
	}
	all := 0.0
	for _, d := range w.Degrees {
		all += d
	}
	for g, v := range w.volume {
		if math.Abs(v-volume[g]/all) > 1e-12 {
			t.Errorf("cell %d has a volume of %v, expected %v", g, v, volume[g]/all)
		}
	}
}

func asInts(nodes []uint32) (out []int) {
	for _, i := range nodes {
		out = append(out, int(i))
	}
	return out
}
