package score

import "math"

// Confusion counts pairs of true and predicted class.
type Confusion struct {
	// Count[t][p] are the nodes of class t that were predicted as p; the last
	// column those without a label.
	Count [][]int
	Nodes int
}

// NewConfusion counts the nodes whose truth is known (not below 0) and that are
// not excluded; exclude may be nil. A label below 0 is none. A truth or label of c and
// more, of an excluded node too, and unequal lengths panic.
func NewConfusion(labels, truth []int32, c int, exclude []bool) *Confusion {
	checkLengths(labels, truth, exclude)
	checkLabels(labels, c)
	checkLabels(truth, c)
	m := &Confusion{Count: make([][]int, c)}
	for t := range m.Count {
		m.Count[t] = make([]int, c+1)
	}
	for i, t := range truth {
		if t < 0 || exclude != nil && exclude[i] {
			continue
		}
		p := int(labels[i])
		if p < 0 {
			p = c
		}
		m.Count[t][p]++
		m.Nodes++
	}
	return m
}

// Accuracy returns the share of nodes that have their class; 0 of none.
func (m *Confusion) Accuracy() float64 {
	right := 0
	for t, row := range m.Count {
		right += row[t]
	}
	return ratio(right, m.Nodes)
}

// ClassScore says how well one class was found.
type ClassScore struct {
	Support   int // nodes of the class
	Predicted int // nodes with its label
	// Precision is right/Predicted, Recall right/Support, F1 their harmonic
	// mean 2·right/(Predicted + Support); 0 where a divisor is 0.
	Precision, Recall, F1 float64
}

// Classes returns the scores of each class.
func (m *Confusion) Classes() []ClassScore {
	scores := make([]ClassScore, len(m.Count))
	for t, row := range m.Count {
		for p, count := range row {
			scores[t].Support += count
			if p < len(scores) {
				scores[p].Predicted += count
			}
		}
	}
	for t := range scores {
		s := &scores[t]
		right := m.Count[t][t]
		s.Precision, s.Recall = ratio(right, s.Predicted), ratio(right, s.Support)
		s.F1 = ratio(2*right, s.Predicted+s.Support)
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
	truth, label = make([]int, len(m.Count)), make([]int, len(m.Count)+1)
	for t, row := range m.Count {
		for p, count := range row {
			truth[t] += count
			label[p] += count
		}
	}
	return truth, label
}

// NMI returns the normalised mutual information of truth and labels,
// I(T;P) / ((H(T) + H(P))/2), 1 where both are one class. Nodes without a label
// are a class of their own.
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
	for t, row := range m.Count {
		for p, count := range row {
			if count > 0 {
				information += float64(count) / n * math.Log(float64(count)*n/(float64(truth[t])*float64(label[p])))
			}
		}
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
	for _, row := range m.Count {
		for _, count := range row {
			both += pairs(count)
		}
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
