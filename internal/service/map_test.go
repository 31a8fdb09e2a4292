package service

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestMap: neighbours lie nearer each other than other nodes do, the labels are those of the moment, and a
// server that is closed works no more.
func TestMap(t *testing.T) {
	p := newProblem(t, false)
	m, c := start(t, p.graphs, Options{})
	if w := c.do("GET", "/v1/map/places", ""); w.Code != 409 {
		t.Errorf("before anybody asked: %d", w.Code)
	}
	var state struct {
		Ready bool
		Done  float64
	}
	c.get("/v1/map", &state)
	<-c.Handler.(*Server).atlas.ended
	if c.get("/v1/map", &state); !state.Ready {
		t.Fatal(state)
	}
	text := c.do("GET", "/v1/map/places", "").Body.Bytes()
	at := func(i int) (x, y float64) {
		return float64(binary.LittleEndian.Uint16(text[4*i:])), float64(binary.LittleEndian.Uint16(text[4*i+2:]))
	}
	between := func(i, j int) float64 {
		x, y := at(i)
		u, v := at(j)
		return math.Hypot(x-u, y-v)
	}
	var near, all []float64
	for i := range 60 {
		cols, _ := p.graphs.Learned.Row(i)
		for j := range 60 {
			if _, found := slices.BinarySearch(cols, uint32(j)); found {
				near = append(near, between(i, j))
			} else if i != j {
				all = append(all, between(i, j))
			}
		}
	}
	mean := func(x []float64) (sum float64) {
		for _, v := range x {
			sum += v / float64(len(x))
		}
		return sum
	}
	if len(text) != 4*64 || mean(near) > 0.75*mean(all) {
		t.Errorf("%d bytes; neighbours are %.0f apart, others %.0f", len(text), mean(near), mean(all))
	}
	c.give("n20", "violet")
	text, l := c.do("GET", "/v1/map/labels", "").Body.Bytes(), m.now.Load()
	for i := range 64 {
		class, status := int32(binary.LittleEndian.Uint16(text[4*i:]))-1, text[4*i+3]
		if class != l.labels[i] || map[byte]string{0: "seed", 1: "predicted", 2: "uncertain", 3: "unreached"}[status] != l.status(i).String() {
			t.Errorf("%s: class %d, status %d, expected %d, %s", name(i), class, status, l.labels[i], l.status(i))
		}
	}
	var names struct{ Nodes []string }
	if c.get("/v1/nodes?at=63&at=5", &names); !slices.Equal(names.Nodes, []string{"n63", hostile}) {
		t.Error(names)
	}
	for _, query := range []string{"at=64", "at=-1", "at=x", "at=1&prefix=n"} {
		if w := c.do("GET", "/v1/nodes?"+query, ""); w.Code != 400 {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
	var log told
	_, broken := start(t, p.graphs, Options{Log: log.add, Guard: func(func() error) error { panic("broken") }})
	broken.Handler.(*Server).startMap()
	<-broken.Handler.(*Server).atlas.ended
	if said := log.take(); len(said) != 1 || !strings.Contains(said[0], "the map: ") || !strings.Contains(said[0], "broken") {
		t.Errorf("told %q", said)
	}
	_, other := start(t, p.graphs, Options{})
	other.Handler.(*Server).Close()
	if other.get("/v1/map", &state); state.Ready {
		t.Error("a closed server makes a map")
	}
}
