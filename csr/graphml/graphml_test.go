package graphml_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/graphml"
)

// shown is a graph as text: names, then the entries above the diagonal.
func shown(g *edgelist.Graph) string {
	var b strings.Builder
	for i := range g.IDs.Len() {
		fmt.Fprintf(&b, "%s ", g.IDs.Name(i))
	}
	for i := range g.IDs.Len() {
		columns, values := g.W.Row(i)
		for k, j := range columns {
			if int(j) > i {
				fmt.Fprintf(&b, "| %s-%s %v ", g.IDs.Name(i), g.IDs.Name(int(j)), values[k])
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const (
	open = `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`
	keys = `<key id="w" for="edge" attr.name="weight" attr.type="float"><default> 4 </default></key><key id="v" for="edge" attr.name="value"/><key id="n" for="node" attr.name="weight"/>`
)

// document is a graph of these elements.
func document(elements string) string {
	return open + keys + `<graph edgedefault="undirected">` + elements + `</graph></graphml>`
}

// TestRead reads what networkx 2.8.8 wrote (testdata), and by hand what other
// programs write.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        graphml.Options
		want       string
	}{
		{"networkx", file(t, "networkx.graphml"), graphml.Options{}, "10 a alone b ü | 10-a 1 | a-b 0.5 | b-ü 2.25"},
		{"networkx, directed", file(t, "networkx-directed.graphml"), graphml.Options{Edges: edgelist.Options{Directed: true}}, "1 2 3 | 1-2 2 | 2-3 3.5"},
		{"default", document(`<edge source="b" target="a"/><node id="a"/><node id="b"><data key="n">7</data></node>`), graphml.Options{}, "a b | a-b 4"},
		{"networkx, whole and other numbers", strings.Replace(document(`<node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"><data key="z">2</data></edge><edge source="b" target="c"><data key="w">0.5</data></edge>`), `</key>`, `</key><key id="z" for="edge" attr.name="weight" attr.type="long"/>`, 1), graphml.Options{}, "a b c | a-b 2 | b-c 0.5"},
		{"Weight", strings.ReplaceAll(document(`<node id="a"/><node id="b"/><edge source="a" target="b"><data key="w">3</data></edge>`), `"weight"`, `"Weight"`), graphml.Options{}, "a b | a-b 3"},
		{"weight, when another case is asked for", strings.Replace(document(`<node id="a"/><node id="b"/><edge source="a" target="b"><data key="w">3</data><data key="W">5</data></edge>`), `</key>`, `</key><key id="W" for="edge" attr.name="Weight" attr.type="long"/>`, 1), graphml.Options{Weight: "Weight"}, "a b | a-b 5"},
		{"another key", document(`<node id="2"/><node id="1"/><edge source="2" target="1" directed="false"><data key="w">9</data><data key="v">1e-3</data></edge>`), graphml.Options{Weight: "value"}, "1 2 | 1-2 0.001"},
		{"yEd", "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE graphml>\n" + strings.Replace(document(`<desc>d</desc>
			<node id="n0"><port name="p"/><data key="d6"><y:ShapeNode xmlns:y="http://www.yworks.com/xml/graphml"><y:edge source="x" target="y"/></y:ShapeNode></data></node><node id="n1"/>
			<!-- <edge source="n0" target="n9"/> --><edge id="e0" source="n0" sourceport="p" target="n1"><desc>5</desc><data key="w"><![CDATA[2]]></data></edge><data key="w">8</data>`), "<graphml", "<graphml x='>'", 1), graphml.Options{}, "n0 n1 | n0-n1 2"},
		{"entities", document(`<node id="a&amp;&#98;"/><node id="c"/><edge source="a&#x26;b" target="c"><data key="w">&#49;0</data></edge>`), graphml.Options{}, "a&b c | a&b-c 10"},
		{"undirected edges of a graph that says directed", strings.Replace(document(`<node id="1"/><node id="2"/><edge source="2" target="1" directed="false"/><edge source="1" target="2" directed="false"/>`), "undirected", "directed", 1), graphml.Options{}, "1 2 | 1-2 8"},
		{"undirected, taken as directed", document(`<node id="1"/><node id="2"/><edge source="2" target="1"/>`), graphml.Options{Edges: edgelist.Options{Directed: true}}, "1 2 | 1-2 4"},
		{"many", document(`<node id="1"/><node id="2"/><edge source="2" target="1"/><edge source="1" target="2"><data key="w">0.5</data></edge><edge source="1" target="1"/>`), graphml.Options{}, "1 2 | 1-2 4.5"},
	} {
		g, err := graphml.Read(strings.NewReader(c.text), "x", c.opt)
		if err != nil || shown(g) != c.want {
			t.Errorf("%s: %v", c.name, err)
			if err == nil {
				t.Errorf("got %s, expected %s", shown(g), c.want)
			}
		}
	}
}

// TestRefuse: text that is no graph of GraphML is refused at its line.
func TestRefuse(t *testing.T) {
	two := `<node id="a"/><node id="b"/>` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "x: no graph, expected an element graphml with an element graph in it"},
		{open + "</graphml>", "x: no graph"},
		{"<html>\n</html>", `x:1: element "html", expected graphml`},
		{"a b 1\n", "x: no graph"},
		{document(""), "x: no edges"},
		{document(two + `<edge source="a" target="c"/>`), `x:2: an edge names node "c", which the file does not have`},
		{document(two + `<edge source="a"/>`), "x:2: edge without the attribute target"},
		{document(two + `<edge source="a" target=" "/>`), "x:2: edge without the attribute target"},
		{document(two + `<edge source="a" target="b&#9;c"/>`), `x:2: target "b\tc", expected no control characters`},
		{document(two + `<node id="b"/>`), `x:2: node "b" is given twice`},
		{document(two + `<edge source="a" target="b"><data key="w">x</data></edge>`), `x:2: weight "x" is not a decimal number`},
		{document(two + `<edge source="a" target="b"><data key="w"></data></edge>`), `x:2: weight "" is missing`},
		{document(two + `<edge source="a" target="b"><data key="w">-1</data></edge>`), `x:2: weight "-1" is negative`},
		{document(two + `<edge source="a" target="b"><data key="w">NaN</data></edge>`), `x:2: weight "NaN" is not finite`},
		{document(two + `<edge source="a" target="b" directed="true"/>`), `x:2: an edge with directed "true"`},
		{strings.Replace(document(two+`<edge source="a" target="b" directed="false"/><edge source="a" target="b"/>`), "undirected", "directed", 1), `x:2: an edge with directed "true" in a graph of others`},
		{document(two + `<edge source="a" target="b" directed="yes"/>`), `x:2: directed "yes", expected true or false`},
		{document(two + `<hyperedge/>`), "x:2: a hyperedge"},
		{document(two + `<node id="c"><graph edgedefault="directed"/></node>`), `x:2: a graph within "node"`},
		{document(two) + "\n", "x: no edges"},
		{strings.Replace(document(two), "</graph>", `</graph><graph edgedefault="undirected"/>`, 1), "x:2: a second graph"},
		{strings.Replace(document(two), `undirected`, "directed", 1), "x:1: edges are directed"},
		{strings.Replace(document(two), `undirected`, "both", 1), `x:1: edgedefault "both"`},
		{strings.Replace(document(two), ` 4 `, `four`, 1), `x:1: weight "four" is not a decimal number`},
		{strings.Replace(document(two), `id="w"`, ``, 1), `x:1: the key "weight" has no id`},
		{document(two)[:60], "x:1: unexpected EOF, expected well-formed XML"},
		{document(two + "<edge"), "x:2: "},
		{document(two + "</graph>"), "x:2: "},
		{document(two + "&lol;"), "x:2: invalid character entity &lol;"},
		{"<!DOCTYPE lolz [<!ENTITY lol \"lol\">]>\n" + document(two), "x:1: a document type that declares entities"},
		{`<?xml version="1.0" encoding="ISO-8859-1"?>` + document(two), `x:1: encoding "ISO-8859-1", expected UTF-8`},
		{document(two + strings.Repeat("<data>", 40)), "x:2: elements are nested more than 32 deep"},
		{document(two + "\n<edge source='" + strings.Repeat("a", 2<<20)), "x:3: an element longer than 1048576 bytes"},
		{document(two + "<!--" + strings.Repeat("a", 2<<20)), "x:2: an element longer than 1048576 bytes"},
		{document(two + strings.Repeat("a", 2<<20)), "x:2: an element longer than 1048576 bytes"},
		{"<!DOCTYPE " + strings.Repeat("a", 2<<20), "x:1: an element longer than 1048576 bytes"},
		{document(two + `<edge source="a" target="b"><data key="w">` + strings.Repeat(strings.Repeat("1", 1<<15)+"<i/>", 40)), "x:2: an element longer than 1048576 bytes"},
	} {
		_, err := graphml.Read(strings.NewReader(c.text), "x", graphml.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.300s\n\tgot %v, expected %s", c.text, err, c.want)
		}
	}
	_, err := graphml.Read(strings.NewReader(document(two)), "x", graphml.Options{Weight: "length"})
	if err == nil || !strings.HasPrefix(err.Error(), `x:1: no key of edges is called "length"`) {
		t.Error(err)
	}
}

// TestNames: nodes are called by a key, wherever it is declared and whenever the names come.
func TestNames(t *testing.T) {
	key := strings.Replace(keys, "</key>", `</key><key id="t" for="node" attr.name="title"/>`, 1)
	nodes := `<node id="0"><data key="t"> é </data></node><node id="1"><data key="t">2</data><data key="t">x</data></node>`
	for _, text := range []string{nodes + `<edge source="0" target="1"/>`, `<edge source="0" target="1"/>` + nodes} {
		g, err := graphml.Read(strings.NewReader(open+key+`<graph edgedefault="undirected">`+text+"</graph></graphml>"), "x", graphml.Options{Name: "title"})
		if err != nil || shown(g) != "2 é | 2-é 4" {
			t.Errorf("%s: %v", text, err)
			if err == nil {
				t.Errorf("got %s", shown(g))
			}
		}
	}
}

// TestNotes: what was not used is counted, and in doubt where it looks like what is missing.
func TestNotes(t *testing.T) {
	nodes := `<node id="n0"><data key="l">a</data></node><node id="n1"><data key="l">b</data></node>` + "\n"
	for _, c := range []struct {
		text, want string
		doubtful   int
	}{
		{`<edge source="n0" target="n1"><data key="w">3</data></edge>`, "", 0},
		{`<edge source="n0" target="n1"><data key="v">3</data></edge>`, `1 attribute ignored (the first: line 2, "value")`, 1}, // the key w has a default alone
		{`<edge source="n0" target="n1" z="3"><data key="w">3</data></edge>`, `1 attribute ignored (the first: line 2, "z")`, 0},
		{`<edge source="n0" target="n1"><data key="n">3</data></edge>`, `1 edge weight read by a key that is not declared for edges (the first: line 2, "weight")`, 0},
	} {
		bare := strings.ReplaceAll(nodes, "l\">", "none\"/><!--") // data without a value
		bare = strings.ReplaceAll(bare, "</data>", "-->")
		g, err := graphml.Read(strings.NewReader(document(bare+c.text)), "x", graphml.Options{})
		if err != nil || g.Notes.String() != c.want || len(g.Notes.Doubtful()) != c.doubtful {
			t.Errorf("%s: %v", c.text, err)
			if err == nil {
				t.Errorf("got %q, %v", g.Notes.String(), g.Notes.Doubtful())
			}
		}
	}
	g, err := graphml.Read(strings.NewReader(strings.Replace(document(nodes+`<edge source="n0" target="n1"><data key="v">3</data></edge>`), keys, `<key id="v" attr.name="value"/><key id="l" attr.name="label"/>`, 1)), "x", graphml.Options{})
	if err != nil || len(g.Notes.Doubtful()) != 2 {
		t.Errorf("%v: got %v", err, g)
	}
}

// FuzzGraphML asks that no text makes Read panic, and that what it accepts is
// an affinity with a name a row.
func FuzzGraphML(f *testing.F) {
	f.Add(document(`<node id="a"/><node id="b"/><edge source="a" target="b"><data key="w">2</data></edge>`), false)
	f.Add(`<graphml><graph edgedefault="directed"><edge source="1" target="1" weight="2"/><node id="1"><data key="n">x</data></node></graph></graphml>`, true)
	f.Add(document(`<node id="1"/><edge source="1" target="1"/>`), true)
	f.Add("<?xml version=\"1.0\"?><!DOCTYPE g>"+open+`<graph edgedefault="directed"><!-- c --><node id="&lt;"/><edge source="&lt;" target="&lt;"/></graph></graphml>`, true)
	f.Fuzz(func(t *testing.T, text string, directed bool) {
		named, _ := graphml.Read(strings.NewReader(text), "f", graphml.Options{Name: "n", Edges: edgelist.Options{Directed: directed}})
		g, err := graphml.Read(strings.NewReader(text), "f", graphml.Options{Edges: edgelist.Options{Directed: directed}})
		if err != nil && named != nil {
			t.Fatalf("accepted with names, refused without: %v", err)
		}
		if err != nil {
			return
		}
		if n, _ := g.W.Dims(); n != g.IDs.Len() {
			t.Fatalf("%d names of %d rows", g.IDs.Len(), n)
		}
		if err := csr.CheckAffinity(g.W, 1); err != nil {
			t.Fatal(err)
		}
	})
}
