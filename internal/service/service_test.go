package service

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/suggest"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// problem is a graph of three communities of 60 nodes, two pairs of nodes that
// hang on nothing else (60 and 61, 62 and 63), and its dense affinity. A node has
// a name that would break out of a page.
type problem struct {
	graphs Graphs
	dense  oracle.Mat
}

const hostile = `<img src=x onerror="alert(1)">`

func newProblem(t testing.TB, soft bool) problem {
	t.Helper()
	const n, c = 60, 3
	src, dst, weight, class := gen.PlantedPartition(n, c, 0.3, 0.03, 7)
	for k := range weight {
		weight[k] = 0.5 + float32(k%7)/4
	}
	src, dst, weight = append(src, n, n+2), append(dst, n+1, n+3), append(weight, 1, 1)
	w, _, err := csr.FromEdges(n+4, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := ids.NewTable()
	for i := range n + 4 {
		name := fmt.Sprintf("n%02d", i)
		if i == 5 {
			name = hostile
		}
		if _, err := names.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	var list []diffuse.Seed
	for i := range 9 {
		list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(class[i]), Weight: 1})
	}
	if soft {
		list = append(list, diffuse.Seed{Node: 0, Class: uint32((class[0] + 1) % c), Weight: 0.5})
	}
	list = append(list, diffuse.Seed{Node: n, Class: 1, Weight: 1})
	seeds, err := diffuse.NewSeeds(n+4, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return problem{Graphs{Names: names, Original: w, Learned: w, Classes: []string{"red", "green", "blue"}, Seeds: seeds}, oracle.Affinity(n+4, src, dst, weight)}
}

// start returns the service of a problem, and a client of it.
func start(t testing.TB, g Graphs, opt Options) (*Model, *client) {
	t.Helper()
	m, err := New(context.Background(), g, diffuse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, &client{t, NewServer(m, opt)}
}

// client asks a handler.
type client struct {
	testing.TB
	http.Handler
}

func (c *client) do(method, address, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+address, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for k := 0; k < len(header); k += 2 {
		if r.Header.Set(header[k], header[k+1]); header[k] == "Host" {
			r.Host = header[k+1]
		}
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w
}

// get asks and decodes the answer.
func (c *client) get(address string, into any) {
	c.Helper()
	c.decode(c.do("GET", address, ""), into)
}

func (c *client) decode(w *httptest.ResponseRecorder, into any) {
	c.Helper()
	if w.Code != 200 {
		c.Fatalf("%d %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		c.Fatalf("%v: %s", err, w.Body)
	}
}

func (c *client) give(pairs ...string) (r changeRecord) {
	c.Helper()
	type label struct {
		Node  string `json:"node"`
		Label string `json:"label"`
	}
	var body struct {
		Labels []label `json:"labels"`
	}
	for k := 0; k < len(pairs); k += 2 {
		body.Labels = append(body.Labels, label{pairs[k], pairs[k+1]})
	}
	text, err := json.Marshal(body)
	if err != nil {
		c.Fatal(err)
	}
	c.decode(c.do("POST", "/v1/labels", string(text)), &r)
	return r
}

func name(i int) string {
	if i == 5 {
		return hostile
	}
	return fmt.Sprintf("n%02d", i)
}

// TestPredict: labels, confidence and scores are those of a dense solve.
func TestPredict(t *testing.T) {
	p := newProblem(t, true)
	_, c := start(t, p.graphs, Options{})
	scale := diffuse.Normalize(p.graphs.Original, 1).Scale(p.graphs.Seeds, diffuse.Options{})
	y := oracle.New(64, 3)
	for k, s := range p.graphs.Seeds.List() {
		y[s.Node][s.Class] = scale[k] * float64(s.Weight)
	}
	f := oracle.LGC(p.dense, y, 0.99)
	given := map[int]int{}
	for _, s := range p.graphs.Seeds.List() {
		given[int(s.Node)] = int(s.Class)
	}
	delete(given, 0) // soft: the diffusion decides
	for i := range 64 {
		var r struct{ Nodes []nodeRecord }
		c.get("/v1/predict?node="+url.QueryEscape(name(i)), &r)
		got, sum, top := r.Nodes[0], 0.0, 0
		for j, v := range f[i] {
			sum += v
			if v > f[i][top] {
				top = j
			}
		}
		want := nodeRecord{Node: name(i), Status: "unreached"}
		if sum > 1e-12 {
			want.Status, want.Label, want.Confidence = "predicted", p.graphs.Classes[top], f[i][top]/sum
		}
		if j, ok := given[i]; ok {
			want.Label = p.graphs.Classes[j]
		}
		if _, ok := given[i]; ok || i == 0 {
			want.Status = "seed"
		}
		if got.Node != want.Node || got.Label != want.Label || got.Status != want.Status || math.Abs(got.Confidence-want.Confidence) > 1e-4 {
			t.Errorf("node %d: %+v, expected %+v", i, got, want)
		}
		shares := 0.0
		for k, s := range got.Scores {
			shares += s.Share
			if j := slices.Index(p.graphs.Classes, s.Label); math.Abs(s.Share-f[i][j]/sum) > 1e-4 || k > 0 && s.Share > got.Scores[k-1].Share {
				t.Errorf("node %d: scores %v", i, got.Scores)
			}
		}
		if sum > 1e-12 && math.Abs(shares-1) > 1e-6 {
			t.Errorf("node %d: scores sum to %v", i, shares)
		}
	}
}

// TestExplain: the listed contributions and the rest are the whole score, and by
// class they are the scores of the prediction.
func TestExplain(t *testing.T) {
	p := newProblem(t, true)
	_, c := start(t, p.graphs, Options{})
	for _, i := range []int{0, 5, 17, 40, 59, 61} {
		var r explainRecord
		c.get("/v1/explain?top=100&node="+url.QueryEscape(name(i)), &r)
		all, byClass := r.Rest, map[string]float64{}
		for _, part := range r.Parts {
			all += part.Share
			byClass[part.Label] += part.Share
			if len(part.Path) == 0 || part.Path[0] != name(i) || part.Path[len(part.Path)-1] != part.Seed {
				t.Errorf("node %d: path %v to %s", i, part.Path, part.Seed)
			}
		}
		for _, s := range r.Scores {
			if math.Abs(byClass[s.Label]-s.Share) > 1e-4 {
				t.Errorf("node %d: %s has contributions of %v, score %v", i, s.Label, byClass[s.Label], s.Share)
			}
		}
		if math.Abs(all-1) > 1e-6 || len(r.Parts) != r.Seeds || r.Rest != 0 {
			t.Errorf("node %d: %v of the score, %d of %d parts", i, all, len(r.Parts), r.Seeds)
		}
		var few explainRecord
		c.get("/v1/explain?top=1&node="+url.QueryEscape(name(i)), &few)
		if len(few.Parts) != 1 || math.Abs(few.Rest+few.Parts[0].Share-1) > 1e-6 {
			t.Errorf("node %d: one part %+v, rest %v", i, few.Parts, few.Rest)
		}
	}
	var r explainRecord
	if c.get("/v1/explain?node=n62", &r); r.Label != "" || len(r.Parts) != 0 {
		t.Errorf("unreached: %+v", r)
	}
}

// TestGive: after labels were given, corrected and taken away, all is as in a
// service that knew them from the start; what changed is what differs.
func TestGive(t *testing.T) {
	for name, parted := range map[string]bool{"one graph": false, "a learned graph in more parts": true} {
		t.Run(name, func(t *testing.T) { testGive(t, parted) })
	}
}

// TestFlip: without the known labels that explain names a node has the label that it says,
// and not with one of them given back.
func TestFlip(t *testing.T) {
	p := newProblem(t, false)
	flipped := 0
	for i := 10; i < 60; i++ {
		_, c := start(t, p.graphs, Options{})
		var why explainRecord
		c.get("/v1/explain?top=100&node="+url.QueryEscape(name(i)), &why)
		label := func() string {
			var r struct{ Nodes []nodeRecord }
			c.get("/v1/predict?node="+url.QueryEscape(name(i)), &r)
			return r.Nodes[0].Label
		}
		known := map[string]string{}
		for _, part := range why.Parts {
			known[part.Seed] = part.Label
		}
		for k, node := range why.Flip {
			if got := label(); got != why.Label {
				t.Errorf("%s: %s without %d of %v", name(i), got, k, why.Flip)
			}
			if known[node] != why.Label {
				t.Errorf("%s: %s in %v is of %q", name(i), node, why.Flip, known[node])
			}
			c.give(node, "")
			flipped++
		}
		if got := label(); got != why.FlipTo || got == why.Label {
			t.Errorf("%s of %s: %s without %v, told %s", name(i), why.Label, got, why.Flip, why.FlipTo)
		}
	}
	if flipped < 60 {
		t.Errorf("%d labels taken away: the test tells little", flipped)
	}
}

func testGive(t *testing.T, parted bool) {
	p := newProblem(t, true)
	if parted {
		edges := &csr.Edges{}
		for i := range 60 {
			cols, vals := p.graphs.Original.Row(i)
			for k, j := range cols {
				if int(j) < i && j/30 == uint32(i/30) {
					edges.Src, edges.Dst, edges.Weight = append(edges.Src, uint32(i)), append(edges.Dst, j), append(edges.Weight, vals[k])
				}
			}
		}
		edges.Src, edges.Dst, edges.Weight = append(edges.Src, 60, 62), append(edges.Dst, 61, 63), append(edges.Weight, 1, 1)
		learned, _, err := csr.FromEdges(64, edges, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p.graphs.Learned = learned
	}
	m, c := start(t, p.graphs, Options{})
	labels := func() map[string]string {
		all := map[string]string{}
		for i := range 64 {
			var r struct{ Nodes []nodeRecord }
			c.get("/v1/predict?node="+url.QueryEscape(name(i)), &r)
			all[name(i)] = r.Nodes[0].Label
		}
		return all
	}
	for _, step := range [][]string{
		{"n20", "red", "n30", "blue"},
		{"n20", "green"},
		{"n01", "", "n40", "violet"}, // a new class
		{"n60", ""},                  // the only one of its part: its neighbour has no label again
		{"n62", "violet", "n60", "red"},
		{"n61", "blue"}, // two classes in a part
		{"n63", "green", "n61", "violet"},
		{"n61", ""},
		{"n00", "red"}, // a soft one becomes plain
		{"n40", ""},
		{"n60", "red"}, // as it is
		{"n62", ""},    // the last violet one: the class stays, without a node
		{"n63", "teal", "n62", "violet", "n40", "red"}, // its place is taken, and it makes one of its own
		{"n63", "", "n62", ""},
		{"n61", "violet", "n62", "brown"},
		{"n61", "", "n62", ""},
	} {
		before := labels()
		change := c.give(step...)
		after := labels()
		differ := 0
		for node, label := range after {
			if label != before[node] {
				differ++
				if !slices.Contains(change.Nodes, changedRecord{node, before[node], label}) {
					t.Errorf("%v: %s is not in the changes %v", step, node, change.Nodes)
				}
			}
		}
		if change.Changed != differ || len(change.Nodes) != differ {
			t.Errorf("%v: %d changes, %d nodes differ", step, change.Changed, differ)
		}
		l := m.now.Load()
		fresh := p.graphs
		fresh.Classes, fresh.Seeds = l.classes, l.seeds
		other, err := New(context.Background(), fresh, diffuse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := other.now.Load()
		if !slices.Equal(l.labels, o.labels) {
			t.Errorf("%v: labels differ from those of a new service", step)
		}
		solved, _, err := diffuse.LGC(context.Background(), diffuse.Normalize(fresh.Learned, 1), l.seeds, diffuse.Options{Within: diffuse.Normalize(fresh.Original, 1)})
		if err != nil {
			t.Fatal(err)
		}
		most := float64(slices.Max(o.f.Data))
		for k, v := range l.f.Data {
			if math.Abs(float64(v-o.f.Data[k])) > 1e-5*most || (v == 0) != (o.f.Data[k] == 0) {
				t.Fatalf("%v: F[%d] is %v, in a new service %v", step, k, v, o.f.Data[k])
			}
			if math.Abs(float64(v-solved.Data[k])) > 1e-5*most {
				t.Fatalf("%v: F[%d] is %v, solved for %v", step, k, v, solved.Data[k])
			}
		}
	}
	var s statusRecord
	if c.get("/v1/status", &s); s.Labelling != 16 || len(s.Classes) != 3 || s.Given != 6 {
		t.Errorf("%+v", s)
	}
}

// TestLabelsFile: the known labels come back as lines, soft ones with weights.
func TestLabelsFile(t *testing.T) {
	p := newProblem(t, true)
	_, c := start(t, p.graphs, Options{})
	c.give("n62", "violet", "n08", "")
	w := c.do("GET", "/v1/labels", "")
	text := w.Body.String()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if w.Code != 200 || len(lines) != 11 || lines[len(lines)-1] != "n62\tviolet" || strings.Contains(text, "n08") ||
		!strings.HasPrefix(lines[0], "n00\t") || !strings.HasSuffix(lines[0]+lines[1], "\t0.5") && !strings.HasSuffix(lines[0], "\t0.5") || strings.Count(text, hostile) != 1 {
		t.Errorf("%d %s", w.Code, text)
	}
}

// TestSuggest: the nodes of package suggest on the learned graph, with the labels that are
// known.
func TestSuggest(t *testing.T) {
	p := newProblem(t, false)
	m, c := start(t, p.graphs, Options{})
	want, err := suggest.Next(context.Background(), m.graph, p.graphs.Learned, suggest.Doubt(m.now.Load().f, p.graphs.Seeds.Mask()), 6, 1)
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Nodes []suggestRecord }
	c.get("/v1/suggest?count=6", &r)
	if len(r.Nodes) != 6 {
		t.Fatal(r.Nodes)
	}
	for k, got := range r.Nodes {
		if x := want[k]; got.Node != name(x.Node) || got.Value != x.Value || got.Uncertainty != x.Uncertainty || got.Coverage != x.Coverage {
			t.Errorf("%d: %+v, expected %+v", k, got, x)
		}
	}
	var pairs []string
	for i := range 64 {
		pairs = append(pairs, name(i), "red")
	}
	c.give(pairs...)
	if c.get("/v1/suggest", &r); len(r.Nodes) != 0 {
		t.Errorf("all is known, but %v", r.Nodes)
	}
}

// TestNeighbors: the heaviest edges of the learned graph with the weights of
// both graphs, and all edges between the nodes that are listed.
func TestNeighbors(t *testing.T) {
	p := newProblem(t, false)
	learned := csr.Add(csr.Identity(64), 2, p.graphs.Original, 1) // with a diagonal, and other weights
	p.graphs.Learned = learned
	_, c := start(t, p.graphs, Options{})
	var s statusRecord
	if c.get("/v1/status", &s); s.Learned != p.graphs.Original.NNZ()/2 || s.Edges != s.Learned {
		t.Errorf("%d and %d edges", s.Edges, s.Learned)
	}
	for _, i := range []int{5, 33, 62} {
		var r struct {
			Node      nodeRecord
			Neighbors []neighborRecord
			Links     []linkRecord
		}
		c.get("/v1/neighbors?top=4&node="+url.QueryEscape(name(i)), &r)
		var weights []float64
		for j, v := range p.dense[i] {
			if v > 0 && j != i {
				weights = append(weights, v)
			}
		}
		slices.SortFunc(weights, func(a, b float64) int { return cmp.Compare(b, a) })
		weights = weights[:min(4, len(weights))]
		if len(r.Neighbors) != len(weights) || r.Node.Node != name(i) {
			t.Fatalf("node %d: %+v", i, r)
		}
		links := 0
		for k, n := range r.Neighbors {
			if math.Abs(n.Original-weights[k]) > 1e-6 || math.Abs(n.Weight-2*weights[k]) > 1e-6 {
				t.Errorf("node %d: neighbour %+v, expected weight %v", i, n, weights[k])
			}
			a, _ := p.graphs.Names.Lookup([]byte(n.Node))
			for _, m := range r.Neighbors[:k] {
				b, _ := p.graphs.Names.Lookup([]byte(m.Node))
				if p.dense[a][b] > 0 {
					links++
				}
			}
		}
		if len(r.Links) != links {
			t.Errorf("node %d: %d links, expected %d", i, len(r.Links), links)
		}
	}
}

// TestRefusals: each wrong question has its status and says what was expected,
// and changes nothing.
func TestRefusals(t *testing.T) {
	p := newProblem(t, false)
	m, open := start(t, p.graphs, Options{})
	_, closed := start(t, p.graphs, Options{Token: "correct-horse-battery"})
	var many strings.Builder
	for range mostNodes + 1 {
		many.WriteString("&node=n01")
	}
	for _, test := range []struct {
		c                     *client
		method, address, body string
		header                []string
		code                  int
		says                  string
	}{
		{open, "GET", "/v1/predict", "", nil, 400, "no node, expected node=NAME one to 1000 times"},
		{open, "GET", "/v1/explain", "", nil, 400, "no node, expected node=NAME once"},
		{open, "GET", "/v1/predict?" + many.String(), "", nil, 400, "node is given 1001 times, expected 1000 at most"},
		{open, "GET", "/v1/predict?node=zz%0a", "", nil, 404, `zz\\n\" is not in the graph`},
		{open, "GET", "/v1/explain?node=n01&node=n02", "", nil, 400, "once"},
		{open, "GET", "/v1/explain?node=n01&top=0", "", nil, 400, "top="},
		{open, "GET", "/v1/suggest?count=1e9", "", nil, 400, "count="},
		{open, "GET", "/v1/nothing", "", nil, 404, "openapi.json"},
		{open, "DELETE", "/v1/labels", "", nil, 405, "no DELETE /v1/labels, expected GET, POST"},
		{open, "POST", "/v1/status", "{}", nil, 405, "no POST /v1/status, expected GET"},
		{open, "GET", "/page/app.js", "", nil, 404, "no GET /page/app.js"},
		{open, "GET", "/v2/status", "", nil, 404, "no GET /v2/status"},
		{open, "POST", "/v1/labels", `{}`, nil, 400, "0 labels"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n01", "label": "red"}], "more": 1}`, nil, 400, "more"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n01", "label": "red"}]} {}`, nil, 400, "more follows"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n01"}]}`, nil, 400, "no label"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n01", "label": "a\tb"}]}`, nil, 400, "separator"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n99", "label": "red"}]}`, nil, 404, "n99"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n10", "label": "red"}, {"node": "n10", "label": "blue"}]}`, nil, 400, "twice"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n10", "label": "` + strings.Repeat("x", mostName+1) + `"}]}`, nil, 409, "1001 bytes, expected at most 1000"},
		{open, "POST", "/v1/labels", `{"labels": [`, nil, 400, "JSON"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n10", "label": 7}]}`, nil, 400, `expected: number before byte 38, expected {\"labels\": [{`},
		{open, "POST", "/v1/labels", `[1]`, nil, 400, `expected: array before byte 1, expected {\"labels\": [{`},
		{open, "POST", "/v1/labels", "{\"labels\": [{\"node\": \"n10\", \"label\": \"r\xffd\"}]}", nil, 400, "not UTF-8"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n10", "label": "r\ud800d"}]}`, nil, 400, "half of a character"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n10", "label": "red", "label": "blue"}]}`, nil, 400, `\"label\" is given twice`},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n10", "label": "red"}], "labels": [{"node": "n11", "label": "red"}]}`, nil, 400, `\"labels\" is given twice`},
		{open, "POST", "/v1/labels", strings.Repeat("[", 1<<19), nil, 400, "JSON"},
		{open, "POST", "/v1/labels", `{"labels": []}`, []string{"Content-Type", "text/plain"}, 415, "application/json"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "` + strings.Repeat("x", mostBody) + `"}]}`, nil, 413, "bytes"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n10", "label": "red"}]}`, []string{"Sec-Fetch-Site", "cross-site"}, 403, "another site's page"},
		{open, "GET", "/v1/status", "", []string{"Sec-Fetch-Site", "cross-site"}, 403, "another site's page"},
		{open, "GET", "/v1/predict?node=n10", "", []string{"Origin", "https://evil.example"}, 403, "another site's page"},
		{open, "GET", "/v1/status", "", []string{"Origin", "http://localhost", "Sec-Fetch-Site", "same-origin"}, 200, "nodes"},
		{open, "GET", "/v1/status", "", []string{"Sec-Fetch-Site", "none"}, 200, "nodes"},
		{open, "GET", "/", "", []string{"Sec-Fetch-Site", "cross-site"}, 200, "<!DOCTYPE html>"},
		{open, "POST", "/v1/labels", `{"labels": [{"node": "n10", "label": "red"}]}`, []string{"Origin", "https://evil.example"}, 403, "another site's page"},
		{open, "GET", "/v1/status", "", []string{"Host", "evil.example"}, 403, "expected this machine"},
		{open, "GET", "/", "", []string{"Host", "evil.example:8650"}, 403, "expected this machine"},
		{open, "GET", "/v1/status", "", []string{"Host", "127.0.0.1.evil.example"}, 403, "expected this machine"},
		{open, "GET", "/v1/status", "", []string{"Host", "[::1]:8650"}, 200, "nodes"},
		{open, "GET", "/v1/status", "", []string{"Host", "127.0.0.1:8650"}, 200, "nodes"},
		{closed, "GET", "/v1/status", "", nil, 401, "token"},
		{closed, "GET", "/v1/status", "", []string{"Authorization", "Bearer wrong"}, 401, "token"},
		{closed, "GET", "/v1/status", "", []string{"Authorization", "Basic correct-horse-battery"}, 401, "token"},
		{closed, "GET", "/v1/nothing", "", nil, 401, "token"},
		{closed, "GET", "/v1/status", "", []string{"Authorization", "Bearer correct-horse-battery", "Host", "graph.example"}, 200, "nodes"},
		{closed, "GET", "/", "", []string{"Host", "graph.example"}, 200, "<!DOCTYPE html>"},
	} {
		w := test.c.do(test.method, test.address, test.body, test.header...)
		if w.Code != test.code || !strings.Contains(w.Body.String(), test.says) {
			t.Errorf("%s %.60s %v: %d %.200s, expected %d, %q", test.method, test.address, test.header, w.Code, w.Body, test.code, test.says)
		}
		if allow := w.Header().Get("Allow"); (w.Code == 405) != (allow != "") || !strings.HasSuffix(test.says, allow) {
			t.Errorf("%s %.60s: %d with Allow: %s", test.method, test.address, w.Code, allow)
		}
		if w.Code >= 400 && w.Header().Get("Content-Type") != "application/json" && strings.HasPrefix(test.address, "/v1") {
			t.Errorf("%s %.60s: fault of type %s", test.method, test.address, w.Header().Get("Content-Type"))
		}
	}
	if v := m.now.Load().version; v != 0 {
		t.Errorf("the labelling changed %d times", v)
	}
	var all []string
	for _, s := range p.graphs.Seeds.List() {
		all = append(all, fmt.Sprintf(`{"node": %q, "label": ""}`, name(int(s.Node))))
	}
	if w := open.do("POST", "/v1/labels", `{"labels": [`+strings.Join(all, ",")+`]}`); w.Code != 200 {
		t.Errorf("no label left: %d %s", w.Code, w.Body)
	}
	var status statusRecord
	if open.get("/v1/status", &status); len(status.Classes) != 0 || status.Seeds != 0 || status.Given != len(all) {
		t.Errorf("no label left: %+v", status)
	}
}

// TestEnded: a question whose time is over, and one while the service stops, is
// answered so, and changes nothing.
func TestEnded(t *testing.T) {
	p := newProblem(t, false)
	m, c := start(t, p.graphs, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, r := range []*http.Request{
		httptest.NewRequest("GET", "http://localhost/v1/explain?node=n30", nil),
		httptest.NewRequest("GET", "http://localhost/v1/suggest", nil),
		httptest.NewRequest("POST", "http://localhost/v1/labels", strings.NewReader(`{"labels": [{"node": "n30", "label": "red"}]}`)),
	} {
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		c.ServeHTTP(w, r.WithContext(ctx))
		if w.Code != 503 {
			t.Errorf("%s: %d %s", r.URL, w.Code, w.Body)
		}
	}
	if m.now.Load().version != 0 {
		t.Error("the labelling changed")
	}
	w := httptest.NewRecorder()
	if code := writeFault(w, context.DeadlineExceeded); code != 503 || !strings.Contains(w.Body.String(), "--request-timeout") {
		t.Error(w.Body)
	}
}

// TestTurns: all turns taken, a question waits until its time is over.
func TestTurns(t *testing.T) {
	p := newProblem(t, false)
	m, _ := start(t, p.graphs, Options{})
	s := NewServer(m, Options{Concurrent: 1})
	s.turns <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/v1/status", nil).WithContext(ctx))
	if w.Code != 503 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	<-s.turns
	w = httptest.NewRecorder()
	if s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/v1/status", nil)); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// slow is an asker that does not read its answer.
type slow struct {
	*httptest.ResponseRecorder
	writing chan bool
	read    chan struct{}
}

func (s *slow) Write(text []byte) (int, error) {
	s.writing <- true
	<-s.read
	return s.ResponseRecorder.Write(text)
}

// TestFits: labels that would need too much memory are refused, and change nothing. All
// that there are at the start are spread at once.
func TestFits(t *testing.T) {
	g, most := newProblem(t, false).graphs, 2
	g.Fits = func(classes, columns int) error {
		if classes > 4 || columns > most {
			return fmt.Errorf("%d classes, %d columns", classes, columns)
		}
		return nil
	}
	if _, err := New(t.Context(), g, diffuse.Options{}); err == nil || err.Error() != "3 classes, 3 columns" {
		t.Errorf("%v, expected 3 classes, 3 columns", err)
	}
	most = 3
	m, c := start(t, g, Options{})
	most = 2
	c.give("n30", "new")
	for _, test := range []struct{ body, says string }{
		{`{"node": "n31", "label": "newer"}`, "5 classes, 1 columns"},
		{`{"node": "n31", "label": "red"}, {"node": "n32", "label": "green"}, {"node": "n33", "label": "blue"}`, "4 classes, 3 columns"},
	} {
		if w := c.do("POST", "/v1/labels", `{"labels": [`+test.body+`]}`); w.Code != 409 || !strings.Contains(w.Body.String(), test.says) {
			t.Errorf("%s: %d %s", test.body, w.Code, w.Body)
		}
	}
	c.give("n30", "")
	c.give("n31", "newer") // in the place of the other one
	if l := m.now.Load(); l.version != 3 || len(l.classes) != 4 || l.classes[3] != "newer" {
		t.Errorf("labelling %d of %q", l.version, l.classes)
	}
}

// TestSlowReader: who does not read an answer keeps no turn, and not the graph.
func TestSlowReader(t *testing.T) {
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	guarded := 0
	s := NewServer(m, Options{Concurrent: 1, Guard: func(f func() error) error {
		guarded++
		defer func() { guarded-- }()
		return f()
	}})
	for _, address := range []string{"/v1/labels", "/v1/predict?node=n01"} {
		w := &slow{httptest.NewRecorder(), make(chan bool, 1), make(chan struct{})}
		ended := make(chan bool)
		go func() {
			s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+address, nil))
			ended <- true
		}()
		<-w.writing
		if len(s.turns) != 0 || guarded != 0 {
			t.Errorf("%s: %d turns taken, %d in the guard, while the answer is written", address, len(s.turns), guarded)
		}
		close(w.read)
		if <-ended; w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("%s: %d %s", address, w.Code, w.Body)
		}
	}
}

// TestLabelsFileOfAnyName: the file of known labels reads back whatever the nodes are
// called, or is refused with the name.
func TestLabelsFileOfAnyName(t *testing.T) {
	for _, test := range []struct {
		names [2]string
		says  string
	}{
		{names: [2]string{"#1", "a,b"}},
		{names: [2]string{`"q"`, "%2 3"}},
		{names: [2]string{`"q"`, "a,b"}},
		{names: [2]string{"a\tb", "c"}, says: `\"a\\tb\" has the separator`},
		{names: [2]string{"#1", "a\tb"}, says: `\"a\\tb\" has the separator`},
		{names: [2]string{"a\nb", "c"}, says: "control byte"},
	} {
		w, _, err := csr.FromEdges(2, &csr.Edges{Src: []uint32{0}, Dst: []uint32{1}}, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		table := ids.NewTable()
		for _, name := range test.names {
			if _, err := table.Add([]byte(name)); err != nil {
				t.Fatal(err)
			}
		}
		seeds, err := diffuse.NewSeeds(2, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 0.5}, {Node: 0, Class: 1, Weight: 0.25}, {Node: 1, Class: 1, Weight: 1}})
		if err != nil {
			t.Fatal(err)
		}
		classes := []string{"#y", `say "x"`}
		_, c := start(t, Graphs{Names: table, Original: w, Learned: w, Classes: classes, Seeds: seeds}, Options{})
		answer := c.do("GET", "/v1/labels", "")
		if test.says != "" {
			if answer.Code != 409 || !strings.Contains(answer.Body.String(), test.says) {
				t.Errorf("%q: %d %s", test.names, answer.Code, answer.Body)
			}
			continue
		}
		got, err := labelfile.Read(answer.Body, "labels", table, labelfile.Options{})
		if err != nil || !slices.Equal(got.Classes, classes) || !slices.Equal(got.Seeds, seeds.List()) {
			t.Errorf("%q: %d, read back as %+v, %v", test.names, answer.Code, got, err)
		}
	}
}

// TestSmallestWeight: a seed whose weight is the smallest there is, in a class that counts
// less than others, is a seed still.
func TestSmallestWeight(t *testing.T) {
	p := newProblem(t, false)
	var list []diffuse.Seed
	for i := range uint32(6) {
		list = append(list, diffuse.Seed{Node: i, Class: min(i, 1), Weight: 1})
	}
	list = append(list, diffuse.Seed{Node: 60, Class: 1, Weight: math.SmallestNonzeroFloat32})
	seeds, err := diffuse.NewSeeds(64, 3, list)
	if err != nil {
		t.Fatal(err)
	}
	p.graphs.Seeds = seeds
	m, _ := start(t, p.graphs, Options{})
	if got := m.now.Load().labels[61]; got != 1 {
		t.Errorf("label %d of the node beside it", got)
	}
}

// TestGiveWaits: labels that are given while others are being spread wait for them, and
// no longer than they may.
func TestGiveWaits(t *testing.T) {
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	m.change <- struct{}{}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := m.Give(ctx, []Label{{Node: 30, Class: "red"}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected that of the context", err)
	}
	<-m.change
	if _, err := m.Give(context.Background(), []Label{{Node: 30, Class: "red"}}); err != nil {
		t.Error(err)
	}
}

// TestGuard: a fault of the graph is told to the log, and not to strangers.
func TestGuard(t *testing.T) {
	p := newProblem(t, false)
	var told []error
	_, c := start(t, p.graphs, Options{
		Guard: func(func() error) error { return fmt.Errorf("/secret/path was cut short") },
		Log:   func(err error) { told = append(told, err) },
	})
	w := c.do("GET", "/v1/status", "")
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || len(told) != 1 {
		t.Errorf("%d %s, told %v", w.Code, w.Body, told)
	}
}

// TestReadersWhileLabelsAreGiven: answers are of one labelling or the next,
// whole; the race detector sees no more.
func TestReadersWhileLabelsAreGiven(t *testing.T) {
	p := newProblem(t, false)
	_, c := start(t, p.graphs, Options{})
	var group sync.WaitGroup
	for k := range 3 {
		group.Go(func() {
			for round := range 4 {
				for _, address := range []string{"/v1/status", "/v1/explain?node=n33", "/v1/suggest", "/v1/neighbors?node=n20"} {
					if w := c.do("GET", address, ""); w.Code != 200 {
						t.Errorf("%s: %d %s", address, w.Code, w.Body)
					}
				}
				body := fmt.Sprintf(`{"labels": [{"node": %q, "label": "new%d"}]}`, name(20+k), round)
				if w := c.do("POST", "/v1/labels", body); w.Code != 200 {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
	group.Wait()
	var s statusRecord
	if c.get("/v1/status", &s); s.Labelling != 12 || s.Given != 3 || s.Seeds != 10+3 || len(s.Classes) > 3+4 {
		t.Errorf("%+v", s)
	}
	last := slices.IndexFunc(s.Classes, func(c classRecord) bool { return c.Label == "new3" })
	if last < 3 || s.Classes[last].Seeds != 3 {
		t.Errorf("%+v, expected three labels new3", s.Classes)
	}
}

// TestLabellingOfRequest: who gives labels is told the number of the labelling that they
// made, also where others give some at the time.
func TestLabellingOfRequest(t *testing.T) {
	_, c := start(t, newProblem(t, false).graphs, Options{Concurrent: 16})
	const clients, rounds = 16, 100
	told := make([]bool, clients*rounds+1)
	var lock sync.Mutex
	var group sync.WaitGroup
	for k := range clients {
		group.Go(func() {
			for round := range rounds {
				labelling := c.give(name(20+k), fmt.Sprint("new", round%2)).Labelling
				lock.Lock()
				if told[labelling] {
					t.Errorf("two requests made labelling %d", labelling)
				}
				told[labelling] = true
				lock.Unlock()
			}
		})
	}
	group.Wait()
}

// TestFiles: the page asks for nothing from elsewhere, and may not.
func TestFiles(t *testing.T) {
	p := newProblem(t, false)
	_, c := start(t, p.graphs, Options{})
	for address, file := range files {
		w := c.do("GET", address, "")
		if w.Code != 200 || w.Header().Get("Content-Type") != file.kind || !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %d %v", address, w.Code, w.Header())
		}
		text := strings.ReplaceAll(w.Body.String(), "http://www.w3.org/2000/svg", "") // a name, not an address
		if strings.Contains(text, "http://") || strings.Contains(text, "https://") || bytes.Contains(w.Body.Bytes(), []byte("innerHTML")) {
			t.Errorf("%s names an address, or makes markup of text", address)
		}
	}
	var names struct{ Nodes []string }
	if c.get("/v1/nodes?prefix=n1&count=5", &names); !slices.Equal(names.Nodes, []string{"n10", "n11", "n12", "n13", "n14"}) {
		t.Error(names)
	}
	if c.get("/v1/nodes?prefix=n13", &names); !slices.Equal(names.Nodes, []string{"n13"}) {
		t.Error(names)
	}
}

// TestFarNodes: a label turns no node that another one is much nearer to, however far all are: the entries
// filled into rows that numbers do not hold compare only if all classes are solved for together.
func TestFarNodes(t *testing.T) {
	const n = 4001
	e := &csr.Edges{}
	for i := range uint32(n - 1) {
		e.Src, e.Dst = append(e.Src, i), append(e.Dst, i+1)
	}
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := diffuse.NewSeeds(n, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 3000, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	most := 2
	g := Graphs{Names: ids.Sequence(n), Original: w, Learned: w, Classes: []string{"a", "b"}, Seeds: y, Fits: func(_, columns int) error {
		if columns > most {
			return fmt.Errorf("%d columns", columns)
		}
		return nil
	}}
	m, c := start(t, g, Options{})
	before := m.now.Load()
	c.give("2999", "b")
	for i, label := range m.now.Load().labels {
		if near := label == before.labels[i]; !near && (i < 1490 || i > 1510) {
			t.Fatalf("node %d: %d, before %d", i, label, before.labels[i])
		}
	}
	most = 1
	if r := c.do("POST", "/v1/labels", `{"labels": [{"node": "2998", "label": "b"}]}`); r.Code != 409 || !strings.Contains(r.Body.String(), "2 columns") {
		t.Errorf("%d %s", r.Code, r.Body)
	}
}
