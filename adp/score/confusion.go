package score

import (
	"math"
	"slices"
)

// Confusion counts pairs of true and predicted class. Its memory grows with the pairs that occur,
// not with the number of classes.
type Confusion struct {
	// Pairs holds the pairs that occur, by Truth and then by Label, those without a label last.
	Pairs []Pair
	C     int // number of classes
	Nodes int
}

// Pair counts the nodes of a class with a label.
type Pair struct {
	Truth, Label int32 // Label is -1 for none
	Count        int
}

// NewConfusion counts the nodes whose truth is known (not below 0) and that are not excluded;
// exclude may be nil. A label below 0 is none. A truth or label of c or more, even of an excluded
// node, and unequal lengths panic. Cost: a sort of n numbers.
func NewConfusion(labels, truth []int32, c int, exclude []bool) *Confusion {
	checkLengths(labels, truth, exclude)
	checkLabels(labels, c)
	checkLabels(truth, c)
	places := make([]uint64, 0, len(truth)) // truth and label, where none comes last
	for i, t := range truth {
		if t >= 0 && (exclude == nil || !exclude[i]) {
			places = append(places, uint64(t)<<32|uint64(uint32(max(labels[i], -1))))
		}
	}
	slices.Sort(places)
	m := &Confusion{C: c, Nodes: len(places)}
	for k, place := range places {
		if k == 0 || place != places[k-1] {
			m.Pairs = append(m.Pairs, Pair{Truth: int32(place >> 32), Label: int32(place)})
		}
		m.Pairs[len(m.Pairs)-1].Count++
	}
	return m
}

// Table returns the counts by truth (C rows) and label (C columns, and a last one for
// none). Memory: 8·C·(C+1).
func (m *Confusion) Table() [][]int {
	table := make([][]int, m.C)
	for t := range table {
		table[t] = make([]int, m.C+1)
	}
	for _, p := range m.Pairs {
		table[p.Truth][m.column(p.Label)] = p.Count
	}
	return table
}

// column returns the column of a label in a row: none is last.
func (m *Confusion) column(label int32) int {
	if label < 0 {
		return m.C
	}
	return int(label)
}

// Accuracy returns the share of nodes that have their class; 0 without nodes.
func (m *Confusion) Accuracy() float64 {
	right := 0
	for _, p := range m.Pairs {
		if p.Label == p.Truth {
			right += p.Count
		}
	}
	return ratio(right, m.Nodes)
}

// BalancedAccuracy returns the mean recall of the classes that occur as truth: 1/c where
// all nodes have one label, whatever the sizes of c classes. 0 of no nodes.
func (m *Confusion) BalancedAccuracy() float64 {
	sum, classes := 0.0, 0
	for _, s := range m.Classes() {
		if s.Support > 0 {
			sum += s.Recall
			classes++
		}
	}
	return sum / float64(max(classes, 1))
}

// ClassScore measures how well one class was found.
type ClassScore struct {
	Support   int // nodes of the class
	Predicted int // nodes with its label
	// Precision is right/Predicted, Recall right/Support, F1 their harmonic
	// mean 2·right/(Predicted + Support); 0 where a divisor is 0.
	Precision, Recall, F1 float64
}

// Classes returns the scores of each class.
func (m *Confusion) Classes() []ClassScore {
	right := make([]int, m.C)
	for _, p := range m.Pairs {
		if p.Label == p.Truth {
			right[p.Truth] = p.Count
		}
	}
	truth, label := m.sums()
	scores := make([]ClassScore, m.C)
	for t := range scores {
		scores[t] = ClassScore{
			Support: truth[t], Predicted: label[t],
			Precision: ratio(right[t], label[t]), Recall: ratio(right[t], truth[t]),
			F1: ratio(2*right[t], label[t]+truth[t]),
		}
	}
	return scores
}

// MacroF1 returns the mean F1 of the classes that occur, as truth or label.
func (m *Confusion) MacroF1() float64 {
	sum, classes := 0.0, 0
	for _, s := range m.Classes() {
		if s.Support+s.Predicted > 0 {
			sum += s.F1
			classes++
		}
	}
	if classes == 0 {
		return 0
	}
	return sum / float64(classes)
}

// sums returns the totals of rows and columns.
func (m *Confusion) sums() (truth, label []int) {
	truth, label = make([]int, m.C), make([]int, m.C+1)
	for _, p := range m.Pairs {
		truth[p.Truth] += p.Count
		label[m.column(p.Label)] += p.Count
	}
	return truth, label
}

// NMI returns the normalised mutual information of truth and labels, I(T;P) / ((H(T) + H(P))/2), 1
// if both are one class. Nodes without a label are a class of their own.
func (m *Confusion) NMI() float64 {
	truth, label := m.sums()
	n := float64(m.Nodes)
	entropy := func(counts []int) (h float64) {
		for _, count := range counts {
			if count > 0 {
				h -= float64(count) / n * math.Log(float64(count)/n)
			}
		}
		return h
	}
	information := 0.0
	for _, p := range m.Pairs {
		count := float64(p.Count)
		information += count / n * math.Log(count*n/(float64(truth[p.Truth])*float64(label[m.column(p.Label)])))
	}
	mean := (entropy(truth) + entropy(label)) / 2
	if mean == 0 {
		return 1
	}
	return max(0, information/mean)
}

// ARI returns the adjusted Rand index of truth and labels: the share of pairs
// of nodes on which they agree (together or apart), scaled so that chance is 0
// and identity 1. Nodes without a label are a class of their own.
//
// L. Hubert, P. Arabie: Comparing partitions, Journal of Classification 2,
// 1985.
func (m *Confusion) ARI() float64 {
	pairs := func(count int) float64 { return float64(count) * float64(count-1) / 2 }
	truth, label := m.sums()
	both, inTruth, inLabel := 0.0, 0.0, 0.0
	for _, p := range m.Pairs {
		both += pairs(p.Count)
	}
	for _, count := range truth {
		inTruth += pairs(count)
	}
	for _, count := range label {
		inLabel += pairs(count)
	}
	all := pairs(m.Nodes)
	if all == 0 {
		return 1
	}
	expected, most := inTruth*inLabel/all, (inTruth+inLabel)/2
	if most == expected {
		return 1
	}
	return (both - expected) / (most - expected)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
