package multilabel

import "fmt"

// Score compares sets of labels with true ones.
type Score struct {
	Nodes int `json:"nodes"` // that were scored
	// MicroF1 is 2·hits / (labels predicted + labels true) over all nodes and classes; MacroF1 the
	// mean over the classes that a scored node truly has. Both are 0 where there are no labels.
	MicroF1 float64 `json:"micro_f1"`
	MacroF1 float64 `json:"macro_f1"`
	// Exact is the share of nodes whose set is the true one, Hamming the share of the n·c pairs of
	// node and class that are wrong.
	Exact     float64 `json:"exact"`
	Hamming   float64 `json:"hamming_loss"`
	Predicted float64 `json:"labels_a_node"`
	True      float64 `json:"true_labels_a_node"`
}

// Compare scores the predicted classes of nodes against the true ones: sets of
// numbers below classes, each without repeats. Unequal numbers of nodes panic.
func Compare(predicted, truth [][]int32, classes int) Score {
	if len(predicted) != len(truth) {
		panic(fmt.Sprintf("multilabel: %d predicted and %d true sets, expected one of each a node", len(predicted), len(truth)))
	}
	s := Score{Nodes: len(truth)}
	hits, got, want := make([]int, classes), make([]int, classes), make([]int, classes)
	wrong := 0
	for i := range truth {
		is := map[int32]bool{}
		for _, j := range truth[i] {
			is[j] = true
			want[j]++
		}
		found := 0
		for _, j := range predicted[i] {
			got[j]++
			if is[j] {
				hits[j]++
				found++
			}
		}
		misses := len(predicted[i]) + len(truth[i]) - 2*found
		wrong += misses
		if misses == 0 {
			s.Exact++
		}
		s.Predicted += float64(len(predicted[i]))
		s.True += float64(len(truth[i]))
	}
	allHits, all, present := 0, 0, 0
	for j := range want {
		allHits += hits[j]
		all += got[j] + want[j]
		if want[j] > 0 {
			present++
			s.MacroF1 += 2 * float64(hits[j]) / float64(got[j]+want[j])
		}
	}
	if s.Nodes == 0 {
		return s
	}
	n := float64(s.Nodes)
	s.MicroF1 = 2 * float64(allHits) / float64(max(all, 1))
	s.MacroF1 /= float64(max(present, 1))
	s.Exact /= n
	s.Predicted /= n
	s.True /= n
	s.Hamming = float64(wrong) / (n * float64(max(classes, 1)))
	return s
}
