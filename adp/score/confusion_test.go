package score

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestConfusionGolden: the scores that scikit-learn 1.2 gives these 60 labels.
func TestConfusionGolden(t *testing.T) {
	truth, labels := make([]int32, 60), make([]int32, 60)
	for i := range int32(60) {
		truth[i] = (i*7 + i/5) % 4
		if labels[i] = truth[i]; i%3 == 0 {
			labels[i] = i * 5 % 4
		}
	}
	m := NewConfusion(labels, truth, 4, nil)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"accuracy", m.Accuracy(), 0.75},
		{"macro-F1", m.MacroF1(), 0.74},
		{"NMI", m.NMI(), 0.3894656429186175},
		{"ARI", m.ARI(), 0.42663636635469304},
		{"precision of 0", m.Classes()[0].Precision, 0.85714286},
		{"recall of 0", m.Classes()[0].Recall, 0.75},
		{"F1 of 0", m.Classes()[0].F1, 0.8},
	} {
		if math.Abs(c.got-c.want) > 1e-8 {
			t.Errorf("%s %v, expected %v", c.name, c.got, c.want)
		}
	}
	if s := m.Classes()[0]; s.Support != 24 || s.Predicted != 21 || m.Nodes != 60 {
		t.Errorf("class 0: %+v of %d", s, m.Nodes)
	}
}

// TestConfusionInvariants: ARI is the definition by pairs of nodes; names of
// labels do not matter to NMI and ARI; seeds and unknown truths do not count,
// missing labels are wrong.
func TestConfusionInvariants(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		n, c := 40, 3
		truth, labels, exclude, renamed := make([]int32, n), make([]int32, n), make([]bool, n), make([]int32, n)
		for i := range n {
			truth[i], labels[i], exclude[i] = int32(random.IntN(c+1)-1), int32(random.IntN(c+1)-1), random.IntN(5) == 0
			if random.IntN(2) == 0 {
				labels[i] = max(truth[i], 0)
			}
			renamed[i] = map[int32]int32{-1: -1, 0: 1, 1: 2, 2: 0}[labels[i]]
		}
		m, other := NewConfusion(labels, truth, c, exclude), NewConfusion(renamed, truth, c, exclude)
		share, nodes := Accuracy(labels, truth, exclude)
		if m.Nodes != nodes || math.Abs(m.Accuracy()-share) > 1e-12 {
			t.Errorf("accuracy %v of %d, expected %v of %d", m.Accuracy(), m.Nodes, share, nodes)
		}
		if math.Abs(m.NMI()-other.NMI()) > 1e-12 || math.Abs(m.ARI()-other.ARI()) > 1e-12 {
			t.Errorf("other names: NMI %v and %v, ARI %v and %v", m.NMI(), other.NMI(), m.ARI(), other.ARI())
		}
		// Pairs: a together in both, b and d in one, e in neither.
		var a, b, d, e float64
		for i := range n {
			for j := range i {
				if truth[i] < 0 || truth[j] < 0 || exclude[i] || exclude[j] {
					continue
				}
				switch inTruth, inLabel := truth[i] == truth[j], labels[i] == labels[j]; {
				case inTruth && inLabel:
					a++
				case inTruth:
					b++
				case inLabel:
					d++
				default:
					e++
				}
			}
		}
		if want := 2 * (a*e - b*d) / ((a+b)*(b+e) + (a+d)*(d+e)); math.Abs(m.ARI()-want) > 1e-12 {
			t.Errorf("ARI %v, by pairs %v", m.ARI(), want)
		}
	}
	same := []int32{0, 1, 1, 2}
	if m := NewConfusion(same, same, 3, nil); m.NMI() != 1 || m.ARI() != 1 || m.MacroF1() != 1 {
		t.Errorf("identical: NMI %v, ARI %v, F1 %v", m.NMI(), m.ARI(), m.MacroF1())
	}
	if m := NewConfusion(nil, nil, 3, nil); m.Accuracy() != 0 || m.NMI() != 1 || m.ARI() != 1 || m.MacroF1() != 0 {
		t.Errorf("nothing: %v %v %v %v", m.Accuracy(), m.NMI(), m.ARI(), m.MacroF1())
	}
}

// TestConfusionTable: the pairs that occur, and all of them.
func TestConfusionTable(t *testing.T) {
	truth := []int32{2, 0, 2, -1, 2, 0, 0}
	labels := []int32{-1, 0, 0, 1, 0, -7, 1}
	m := NewConfusion(labels, truth, 3, []bool{6: true})
	if want := []Pair{{0, 0, 1}, {0, -1, 1}, {2, 0, 2}, {2, -1, 1}}; !slices.Equal(m.Pairs, want) || m.Nodes != 5 || m.C != 3 {
		t.Errorf("%+v, expected %v", m, want)
	}
	if got, want := m.Table(), [][]int{{1, 0, 0, 1}, {0, 0, 0, 0}, {2, 0, 0, 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	if got, want := m.BalancedAccuracy(), 1.0/4; got != want { // 1 of 2, none of 3, and a class that does not occur
		t.Errorf("balanced accuracy %v, expected %v", got, want)
	}
	if got := NewConfusion(nil, nil, 3, nil).BalancedAccuracy(); got != 0 {
		t.Errorf("balanced accuracy %v of no nodes", got)
	}
}

// TestConfusionOfManyClasses: memory grows with the nodes, not with the square of
// the classes.
func TestConfusionOfManyClasses(t *testing.T) {
	const c = 1 << 21 // a table would take 32 TiB
	m := NewConfusion([]int32{c - 1, -1}, []int32{c - 1, 5}, c, nil)
	if m.Accuracy() != 0.5 || len(m.Classes()) != c || m.NMI() != 1 {
		t.Errorf("accuracy %v, %d classes, NMI %v", m.Accuracy(), len(m.Classes()), m.NMI())
	}
}
