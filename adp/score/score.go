// Package score measures labellings: against the truth, and on a graph.
package score

import (
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Accuracy returns the share of nodes whose label is the truth, among those whose truth is known (≥
// 0) and that are not excluded, and their number. A missing label (< 0) counts as wrong. exclude
// may be nil. Unequal lengths panic.
func Accuracy(labels, truth []int32, exclude []bool) (share float64, nodes int) {
	checkLengths(labels, truth, exclude)
	right := 0
	for i, y := range truth {
		if y < 0 || exclude != nil && exclude[i] {
			continue
		}
		nodes++
		if labels[i] == y {
			right++
		}
	}
	if nodes == 0 {
		return 0, 0
	}
	return float64(right) / float64(nodes), nodes
}

// checkLengths panics unless the lengths are equal.
func checkLengths(labels, truth []int32, exclude []bool) {
	if len(labels) != len(truth) || exclude != nil && len(exclude) != len(truth) {
		panic(fmt.Sprintf("score: %d labels, %d true ones, %d marks of excluded nodes, expected one a node", len(labels), len(truth), len(exclude)))
	}
}

// checkLabels panics if a label is not below c.
func checkLabels(labels []int32, c int) {
	if i := slices.IndexFunc(labels, func(y int32) bool { return int(y) >= c }); i >= 0 {
		panic(fmt.Sprintf("score: node %d has label %d, expected below %d", i, labels[i], c))
	}
}

// Fit measures how well a labelling fits a graph.
type Fit struct {
	// Association is the mean over the classes that occur of (weight inside the class / weight of
	// the class): one minus the mean of the normalised cuts. Large is good. Edges to nodes without
	// a label are outside of every class.
	//
	// J. Shi, J. Malik: Normalized Cuts and Image Segmentation, PAMI 2000.
	Association float64
	// Modularity is Q = Σ_c (in_c/2m − (d_c/2m)²), with in_c twice the weight
	// inside class c and d_c the sum of its degrees.
	//
	// M. Newman, M. Girvan: Finding and evaluating community structure in
	// networks, Phys. Rev. E 69, 2004.
	Modularity float64
	// Largest is the share of the largest class among the labelled nodes.
	Largest float64
}

// OnGraph returns the fit of labels (−1: none) with c classes to the graph with the symmetric
// matrix w. One pass over the entries; 24·c bytes for 512 rows. A label of c or more, and labels of
// another number of nodes, panic.
func OnGraph(w *csr.Matrix, labels []int32, c int) Fit {
	return OnRows(w, labels, labels, c, 0, nil)
}

// OnRows is OnGraph if other processes have rows of w too. own are the labels of the own rows,
// labels those of the columns. across continues the sums over the rows of others; nil if there are
// none. threads of zero means GOMAXPROCS.
func OnRows(w *csr.Matrix, own, labels []int32, c, threads int, across rows.Folder) Fit {
	if n, m := w.Dims(); n != len(own) || m != len(labels) {
		panic(fmt.Sprintf("score: a graph of %d×%d nodes, %d and %d labels", n, m, len(own), len(labels)))
	}
	checkLabels(own, c)
	sums := rows.NewReducer(len(own), 3*c+1).Across(across).Sum(threads, func(lo, hi int, sum []float64) {
		inside, weight, size := sum[:c], sum[c:2*c], sum[2*c:3*c]
		for i := lo; i < hi; i++ {
			y := own[i]
			cols, vals := w.Row(i)
			in, all := 0.0, 0.0
			for k, j := range cols {
				v := float64(vals[k])
				all += v
				if labels[j] == y {
					in += v
				}
			}
			sum[3*c] += all
			if y >= 0 {
				inside[y] += in
				weight[y] += all
				size[y]++
			}
		}
	})
	inside, weight, size, total := sums[:c], sums[c:2*c], sums[2*c:3*c], sums[3*c]
	labelled, largest := 0.0, 0.0
	for _, nodes := range size {
		labelled += nodes
		largest = max(largest, nodes)
	}
	var fit Fit
	classes := 0
	for j := range weight {
		if weight[j] > 0 {
			classes++
			fit.Association += inside[j] / weight[j]
			fit.Modularity += inside[j]/total - weight[j]*weight[j]/(total*total)
		}
	}
	if classes > 0 {
		fit.Association /= float64(classes)
	}
	if labelled > 0 {
		fit.Largest = largest / labelled
	}
	return fit
}
