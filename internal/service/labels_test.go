package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestKeep: all known labels are kept before anybody is told that one was taken; one that
// cannot be is not taken.
func TestKeep(t *testing.T) {
	p := newProblem(t, true)
	var kept [][]byte
	var fault error
	p.graphs.Keep = func(known []byte) error {
		if fault == nil {
			kept = append(kept, slices.Clone(known))
		}
		return fault
	}
	m, c := start(t, p.graphs, Options{})
	for k, pairs := range [][]string{{"n20", "red"}, {"n20", "new"}, {"n20", "", "n00", ""}} {
		c.give(pairs...)
		if len(kept) != k+1 || string(kept[k]) != c.do("GET", "/v1/labels", "").Body.String() {
			t.Fatalf("%v: kept %d times, last %s", pairs, len(kept), kept[len(kept)-1])
		}
	}
	before := m.now.Load()
	fault = errors.New("no room")
	if w := c.do("POST", "/v1/labels", `{"labels": [{"node": "n21", "label": "red"}]}`); w.Code != 507 || !strings.Contains(w.Body.String(), "no room") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if m.now.Load() != before {
		t.Error("a label that could not be kept was taken")
	}
}

// TestWas: of two who label a node that neither has seen the other's label of, the second is told.
func TestWas(t *testing.T) {
	m, c := start(t, newProblem(t, true).graphs, Options{})
	post := func(label string) (int, string) {
		w := c.do("POST", "/v1/labels", `{"labels": [`+label+`]}`)
		return w.Code, w.Body.String()
	}
	if code, text := post(`{"node": "n20", "label": "red", "was": ""}`); code != 200 {
		t.Fatal(code, text)
	}
	code, text := post(`{"node": "n21", "label": "red", "was": ""}, {"node": "n20", "label": "blue", "was": ""}`)
	if code != 409 || !strings.Contains(text, `n20\" known to be \"red\" by now, expected without a known label`) {
		t.Error(code, text)
	}
	if l := m.now.Load(); l.version != 1 || l.known(21) != "" || l.known(20) != "red" {
		t.Errorf("version %d: some of it was taken", l.version)
	}
	for _, label := range []string{`{"node": "n20", "label": "blue", "was": "red"}`, `{"node": "n20", "label": "green"}`} {
		if code, text := post(label); code != 200 {
			t.Error(label, code, text)
		}
	}
}

// TestFromNothing: a service without any label answers everything, takes first labels, and is then as one
// that began with them.
func TestFromNothing(t *testing.T) {
	p := newProblem(t, false)
	p.graphs.Classes, p.graphs.Seeds = nil, &diffuse.Seeds{Nodes: 64}
	_, c := start(t, p.graphs, Options{})
	var s statusRecord
	if c.get("/v1/status", &s); len(s.Classes) != 0 || s.Seeds != 0 {
		t.Errorf("%+v", s)
	}
	for _, address := range []string{"/v1/predict?node=n20", "/v1/explain?node=n20", "/v1/neighbors?node=n20", "/v1/candidates", "/v1/labels"} {
		if w := c.do("GET", address, ""); w.Code != 200 {
			t.Errorf("%s: %d %s", address, w.Code, w.Body)
		}
	}
	var next struct{ Nodes []suggestRecord }
	if c.get("/v1/suggest?count=3", &next); len(next.Nodes) != 3 || next.Nodes[0].Status != "unreached" {
		t.Fatalf("%+v", next)
	}
	c.give("n20", "red")
	c.give("n40", "blue", "n02", "red")
	other := newProblem(t, false).graphs
	other.Classes = []string{"red", "blue"}
	var err error
	if other.Seeds, err = diffuse.NewSeeds(64, 2, []diffuse.Seed{{Node: 2, Weight: 1}, {Node: 20, Weight: 1}, {Node: 40, Class: 1, Weight: 1}}); err != nil {
		t.Fatal(err)
	}
	fresh, err := New(context.Background(), other, diffuse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Nodes []nodeRecord }
	for i, want := range fresh.now.Load().labels {
		c.get("/v1/predict?node="+strings.NewReplacer("<", "%3C", " ", "%20", "\"", "%22").Replace(name(i)), &all)
		if got := all.Nodes[0].Label; got != fresh.now.Load().class(want) {
			t.Errorf("%s: %s, in a new service %s", name(i), got, fresh.now.Load().class(want))
		}
	}
	c.give("n20", "", "n40", "", "n02", "")
	if c.get("/v1/status", &s); len(s.Classes) != 0 || s.Seeds != 0 || s.Given != 0 {
		t.Errorf("all taken away: %+v", s)
	}
}

// TestCandidates: of one class, from a margin on, the least first, and none that is known.
func TestCandidates(t *testing.T) {
	_, c := start(t, newProblem(t, false).graphs, Options{})
	var r struct {
		All   int
		Nodes []nodeRecord
	}
	c.get("/v1/candidates?label=green&least=0.2&count=7", &r)
	if len(r.Nodes) != min(7, r.All) || r.All == 0 || !slices.IsSortedFunc(r.Nodes, func(a, b nodeRecord) int {
		if a.Margin < b.Margin {
			return -1
		}
		return 1
	}) {
		t.Errorf("%+v", r)
	}
	for _, n := range r.Nodes {
		if n.Label != "green" || n.Status != "predicted" || n.Margin < 0.2 {
			t.Errorf("%+v", n)
		}
	}
	for address, says := range map[string]string{"?least=2": "expected 0 to 1", "?least=NaN": "expected 0 to 1", "?label=none": "no class"} {
		if w := c.do("GET", "/v1/candidates"+address, ""); w.Code < 400 || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d %s", address, w.Code, w.Body)
		}
	}
}
