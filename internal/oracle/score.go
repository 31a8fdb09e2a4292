package oracle

import "slices"

// Modularity returns Newman's modularity of labels on a symmetric W,
//
//	Q = Σ_c [ w_c/2m − (d_c/2m)² ],
//
// with 2m the sum of W, w_c the sum of w_ij over pairs in class c (each edge
// twice) and d_c the sum of degrees in c. labels[i] is a class from 0, or −1
// for none: such a node counts in 2m only. 0 for a graph without edges.
func Modularity(w Mat, labels []int) float64 {
	inside, total := classWeights(w, labels)
	all := 0.0
	for _, d := range Degrees(w) {
		all += d
	}
	q := 0.0
	for c := range inside {
		if all > 0 {
			q += inside[c]/all - (total[c]/all)*(total[c]/all)
		}
	}
	return q
}

// InsideShare returns one minus the mean normalised cut: the mean over the
// classes that have any weight of
//
//	w_c / d_c,
//
// with w_c and d_c as in Modularity. 0 when no class has weight.
func InsideShare(w Mat, labels []int) float64 {
	inside, total := classWeights(w, labels)
	sum, classes := 0.0, 0
	for c := range inside {
		if total[c] > 0 {
			sum += inside[c] / total[c]
			classes++
		}
	}
	if classes == 0 {
		return 0
	}
	return sum / float64(classes)
}

// classWeights returns for each class w_c, the weight inside (each edge
// twice), and d_c, the degrees of its nodes.
func classWeights(w Mat, labels []int) (inside, total []float64) {
	classes := 0
	if len(labels) > 0 {
		classes = max(0, slices.Max(labels)+1)
	}
	inside, total = make([]float64, classes), make([]float64, classes)
	for i, row := range w {
		for j, v := range row {
			if labels[i] < 0 {
				continue
			}
			total[labels[i]] += v
			if labels[i] == labels[j] {
				inside[labels[i]] += v
			}
		}
	}
	return inside, total
}
