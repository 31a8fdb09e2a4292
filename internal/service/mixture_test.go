package service

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// slowly is a mixture that says the same class of all nodes: that of as many labels as are known, round and round.
// Each waits for what it is to return.
type slowly struct {
	begun chan Known
	end   chan error
}

func (s *slowly) mix(ctx context.Context, known Known) (*csr.Dense, error) {
	s.begun <- known
	select {
	case err := <-s.end:
		if err != nil && err.Error() == "panic" {
			panic("of the mixture")
		}
		return allOf(known, len(known.Seeds.List())), err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// allOf gives all nodes a class with a probability of 0.7.
func allOf(known Known, class int) *csr.Dense {
	c := len(known.Classes)
	p := csr.NewDense(known.Seeds.Nodes, c)
	for i := range p.Rows {
		for j := range c {
			p.Set(i, j, float32(0.3/float64(c-1)))
		}
		p.Set(i, class%c, 0.7)
	}
	return p
}

// TestMixtureInBackground: answers are those of the last mixture, with what is known since, and say how far behind
// they are; one that fails leaves the last one, and the next label makes it again.
func TestMixtureInBackground(t *testing.T) {
	g := newProblem(t, false).graphs
	slow, faults := &slowly{make(chan Known, 1), make(chan error)}, make(chan error, 1)
	known := Known{g.Classes, g.Seeds}
	g.Mixture, g.Mixed, g.Took, g.Fault = slow.mix, allOf(known, 1), time.Hour, func(err error) { faults <- err }
	m, c := start(t, g, Options{})
	defer c.Handler.(*Server).Close()
	var status statusRecord
	at := func(what string, behind int, want map[string]string) {
		t.Helper()
		for begin := time.Now(); ; time.Sleep(time.Millisecond) { // what arrives is stored a little later
			if c.get("/v1/status", &status); status.Behind == behind || time.Since(begin) > 10*time.Second {
				break
			}
		}
		if !status.Mixture || status.Behind != behind {
			t.Errorf("%s: %+v", what, status)
		}
		for node, label := range want {
			var got struct{ Nodes []nodeRecord }
			c.get("/v1/predict?node="+node, &got)
			if x := got.Nodes[0]; x.Label != label || x.Known == "" && x.Confidence < 0.69 {
				t.Errorf("%s: %s is %+v, expected %s", what, node, x, label)
			}
		}
	}
	name := func(known, k int) string { return g.Classes[known%k] }
	first := len(g.Seeds.List())
	at("the start", 0, map[string]string{"n33": g.Classes[1], "n62": g.Classes[1]})

	if change := c.give("n33", g.Classes[0]); change.Behind != 1 || change.Changed != 1 {
		t.Errorf("%+v", change)
	}
	<-slow.begun // of one label more
	at("one label", 1, map[string]string{"n33": g.Classes[0], "n62": g.Classes[1]})
	if change := c.give("n34", "violet"); change.Behind != 2 {
		t.Errorf("%+v", change)
	}
	at("two labels", 2, map[string]string{"n34": "violet", "n62": g.Classes[1]})
	slow.end <- nil
	if second := <-slow.begun; len(second.Classes) != 4 || len(second.Seeds.List()) != first+2 {
		t.Errorf("the second mixture is of %v", second)
	}
	at("the mixture of the first", 1, map[string]string{"n33": g.Classes[0], "n34": "violet", "n62": name(first+1, 3)})
	slow.end <- errors.New("no memory")
	if err := <-faults; err.Error() != "no memory" {
		t.Error(err)
	}
	at("after a fault", 1, map[string]string{"n34": "violet", "n62": name(first+1, 3)})
	c.give("n34", "") // violet is gone, and in no mixture
	if third := <-slow.begun; len(third.Classes) != 3 {
		t.Errorf("the third mixture is of %v", third.Classes)
	}
	slow.end <- errors.New("panic")
	if err := <-faults; err == nil {
		t.Error("no fault of a panic")
	}
	c.give("n35", g.Classes[2])
	<-slow.begun
	slow.end <- nil
	at("all labels", 0, map[string]string{"n33": g.Classes[0], "n35": g.Classes[2], "n62": name(first+2, 3)})

	// What is asked meanwhile.
	var why explainRecord
	c.get("/v1/explain?node=n62", &why)
	if !why.ByGraph {
		t.Errorf("%+v", why)
	}
	// A class that loses its labels has no more nodes, though the mixture that is made has it.
	c.give("n35", "")
	<-slow.begun
	gone := uint32((first + 1) % 3)
	var all []Label
	for _, s := range m.now.Load().seeds.List() {
		if s.Class == gone {
			all = append(all, Label{Node: int(s.Node)})
		}
	}
	if _, err := m.Give(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	for _, behind := range []int{2, 1} {
		var got struct{ Nodes []nodeRecord }
		at("without a class", behind, nil)
		c.get("/v1/predict?node=n62", &got)
		for _, score := range got.Nodes[0].Scores {
			if score.Label == g.Classes[gone] {
				t.Errorf("%d behind: %+v", behind, got.Nodes[0])
			}
		}
		if behind == 2 {
			slow.end <- nil
		}
	}
	<-slow.begun // Close ends it
}

// TestMixtureAtOnce: who gives a label waits for a mixture that is quick, so that all that it changes is told; of
// one class there is none, and the graph answers.
func TestMixtureAtOnce(t *testing.T) {
	g := newProblem(t, false).graphs
	known := Known{g.Classes, g.Seeds}
	g.Mixed, g.Fault = allOf(known, 1), func(err error) { t.Error(err) }
	g.Mixture = func(_ context.Context, known Known) (*csr.Dense, error) {
		return allOf(known, len(known.Seeds.List())), nil
	}
	m, c := start(t, g, Options{})
	defer c.Handler.(*Server).Close()
	for k, node := range []string{"n33", "n34", "n35"} {
		if change := c.give(node, g.Classes[0]); change.Behind != 0 || change.Changed < 50 {
			t.Errorf("label %d: %+v", k, change)
		}
	}
	var all []Label
	for _, s := range m.now.Load().seeds.List() {
		if s.Class != 0 {
			all = append(all, Label{Node: int(s.Node)})
		}
	}
	if _, err := m.Give(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	if l := m.now.Load(); l.p != nil || l.behind() != 0 || l.class(l.labels[20]) != g.Classes[0] {
		t.Errorf("of one class: %d behind, label %q", l.behind(), l.class(l.labels[20]))
	}
}

// TestMixtureFromNothing: where nothing was known at first, answers are by the graph until the first mixture is there,
// and say that they are behind; one class alone has none.
func TestMixtureFromNothing(t *testing.T) {
	g := newProblem(t, false).graphs
	slow := &slowly{make(chan Known, 1), make(chan error)}
	g.Seeds, g.Classes = &diffuse.Seeds{Nodes: g.Seeds.Nodes}, nil
	g.Mixture, g.Took, g.Fault = slow.mix, time.Hour, func(err error) { t.Error(err) }
	_, c := start(t, g, Options{})
	defer c.Handler.(*Server).Close()
	at := func(what string, behind int, mixture bool) {
		t.Helper()
		var status statusRecord
		for begin := time.Now(); ; time.Sleep(time.Millisecond) {
			if c.get("/v1/status", &status); status.Behind == behind && status.Mixture == mixture {
				return
			} else if time.Since(begin) > 10*time.Second {
				t.Fatalf("%s: %+v", what, status)
			}
		}
	}
	at("the start", 0, false)
	c.give("n33", "red")
	at("one class", 0, false) // there is no mixture of it
	if change := c.give("n34", "blue"); change.Behind != 1 {
		t.Errorf("two classes: %+v", change)
	}
	if known := <-slow.begun; len(known.Classes) != 2 {
		t.Errorf("the first mixture is of %v", known.Classes)
	}
	at("while the first mixture is made", 1, false)
	slow.end <- nil
	at("the first mixture", 0, true)
}
