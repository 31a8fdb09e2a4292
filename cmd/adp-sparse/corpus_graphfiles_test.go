//go:build unix

package main

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// graphMLOf is a graph of five nodes in a row, with these keys, data of the nodes, and data or
// attributes of the edges.
func graphMLOf(keys string, node, edge func(k int) string) string {
	var b strings.Builder
	b.WriteString("<graphml>" + keys + `<graph edgedefault="undirected">` + "\n")
	for k := range 5 {
		b.WriteString(`<node id="n` + string(rune('0'+k)) + `">` + node(k) + "</node>\n")
	}
	for k := range 4 {
		data, attributes := edge(k), ""
		if !strings.HasPrefix(data, "<") {
			data, attributes = "", data
		}
		b.WriteString(`<edge source="n` + string(rune('0'+k)) + `" target="n` + string(rune('1'+k)) + `" ` + attributes + ">" + data + "</edge>\n")
	}
	return b.String() + "</graph></graphml>"
}

// graphFileCases are graphs of other programs, whose attributes stand where GraphML has them
// elsewhere, and matrices.
func graphFileCases(t *testing.T) []trouble {
	none := func(int) string { return "" }
	every := func(text string) func(int) string {
		return func(k int) string { return strings.ReplaceAll(text, "#", string("9118"[k])) }
	}
	some := func(text string) func(int) string {
		return func(k int) string { return map[bool]string{true: text}[k%2 == 0] }
	}
	names := func(text string) func(int) string {
		return func(k int) string { return strings.ReplaceAll(text, "@", string("abcde"[k])) }
	}
	file := func(name string) string {
		text, err := os.ReadFile("../../testdata/formats/" + name)
		must(t, err)
		return string(text)
	}
	read := func(keys string, node, edge func(int) string, more ...string) given {
		return matrix("x.graphml", graphMLOf(keys, node, edge), more...)
	}
	label := func(labels string, keys string, node, edge func(int) string, more ...string) given {
		return given{
			args:  strings.Join(append([]string{"run --graph x.graphml --labels s --method lgc --out out"}, more...), " "),
			files: map[string]string{"x.graphml": graphMLOf(keys, node, edge), "s": labels},
		}
	}
	const (
		weight = `<key id="w" for="edge" attr.name="weight"/>`
		data   = `<data key="w">#</data>`
		called = `<key id="v" for="node" attr.name="name"/>`
		name   = `<data key="v">@</data>`
		drawn  = `<data key="d6"><y:ShapeNode xmlns:y="y"><y:NodeLabel>@<y:LabelModel/></y:NodeLabel></y:ShapeNode></data>`
		edged  = `<data key="d9"><y:PolyLineEdge xmlns:y="y"><y:EdgeLabel>#</y:EdgeLabel></y:PolyLineEdge></data>`
	)
	right := "n0\tn1\t9\nn1\tn2\t1\nn2\tn3\t1\nn3\tn4\t8\n"
	return []trouble{
		{"graphml: accepted: weights by a key of nodes", read(strings.Replace(weight, "edge", "node", 1), none, every(data)), 0, "4 edge weights read by a key that is not declared for edges (the first: line 7, \"weight\") … " + right},
		{"graphml: accepted: weights without a key", read("", none, every(`<data key="weight">#</data>`)), 0, "4 edge weights read by a key that is not declared … " + right},
		{"graphml: accepted: weights as attributes of elements", read("", none, every(`weight="#"`)), 0, "4 edge weights read by a key that is not declared … " + right},
		{"graphml: accepted: one id for two keys, as of Cytoscape", read(`<key id="w" for="node" attr.name="size"/>`+weight, none, every(data)), 0, right},
		{"graphml: accepted: weights of another name", read(`<key id="w" for="edge" attr.name="interaction strength"/>`, none, every(data)), 0, `warning [ignored-attributes]: edges: 1 attribute ignored (the first: line 7, "interaction strength"); no edge has a weight of its own: if "interaction strength" is one, say --weight-key "interaction strength"`},
		{"graphml: accepted: numbers without a key", read("", none, every(data)), 0, `if "w" is one, say --weight-key "w"`},
		{"graphml: accepted: numbers in attributes of elements", read("", none, every(`strength="#"`)), 0, `if "strength" is one, say --weight-key "strength"`},
		{"graphml: accepted: numbers as labels of edges, of yEd", read("", none, every(edged)), 0, `if "EdgeLabel" is one, say --weight-key "EdgeLabel"`},
		{"graphml: accepted: labels of edges as weights", read("", none, every(edged), "--weight-key EdgeLabel"), 0, right},
		{"graphml: accepted: attributes of elements as weights", read("", none, every(`strength="#"`), "--weight-key strength"), 0, right},
		{"graphml: accepted: words are no weights", read("", none, every(`<data key="kind">pp</data>`)), 0, `1 attribute ignored (the first: line 7, "kind")`},
		{"graphml: accepted: some edges without a weight", read(weight, none, some(`<data key="w">2</data>`)), 0, `warning [default-weights]: edges: 2 edges without a weight given weight 1 (the first: line 8, "n1 – n2"); give each edge a weight, or the key a default`},
		{"graphml: accepted: no edge with a weight, which a key promises", read(weight, none, none), 0, "warning [default-weights]: edges: 4 edges without a weight"},
		{"graphml: an empty weight", read("", none, every(`<data key="weight"></data>`)), 1, `x.graphml:7: weight "" is missing`},
		{"graphml: an empty weight by a key", read(weight, none, every(`<data key="w"/>`)), 1, `x.graphml:7: weight "" is missing`},
		{"graphml: two weights of an edge", read(weight, none, every(data+`<data key="Weight">5</data>`)), 1, `x.graphml:7: an edge with the weights "9" (of "weight") and "5" (of "Weight"), expected one; --weight-key says which`},
		{"graphml: a weight key that no edge has", read("", none, every(`<data key="strength">#</data>`), "--weight-key stength"), 1, `x.graphml:1: no key of edges is called "stength", expected one of "strength"`},
		{"graphml: labels by names that are not used", label("a x\ne y\n", called+weight, names(name), every(data)), 1, `s:2: node "e" is not in the graph … nodes of x.graphml have names beside their ids: --name-key "name" calls them by these`},
		{"graphml: labels by names of yEd that are not used", label("a x\ne y\n", "", names(drawn), none), 1, `--name-key "NodeLabel" calls them by these`},
		{"graphml: labels by numbers of nodes", label("0 x\n4 y\n", "", none, none), 1, `s:1: node "0" is not in the graph … nodes are called n0, n1, …`},
		{"graphml: accepted: names that are not used", label("n0 x\nn4 y\n", called+weight, names(name), every(data)), 0, `warning [unused-names]: edges: 5 names of a node not used (the first: line 2, "name"); nodes are called by their ids, such as "n0": --name-key "name" calls them by their names`},
		{"graphml: accepted: names by a key", label("a x\ne y\n", called+weight, names(name), every(data), "--name-key name"), 0, "a\tx\t … e\ty\t"},
		{"graphml: accepted: names of yEd", read(weight, names(drawn), every(data), "--name-key NodeLabel"), 0, "a\tb\t9\nb\tc\t1\n"},
		{"graphml: accepted: names after the edges", given{args: "convert --graph x.graphml --name-key v --out out.tsv", files: map[string]string{
			"x.graphml": `<graphml><graph edgedefault="undirected"><edge source="1" target="2"/><node id="1"><data key="v">a</data></node><node id="2"><data key="v">b</data></node><edge source="2" target="1" weight="2"/></graph></graphml>`,
		}}, 0, "a\tb\t3\n"},
		{"graphml: names that repeat", read(called, func(int) string { return `<data key="v">a</data>` }, none, "--name-key name"), 1, `x.graphml:3: name "a" of node "n1" is that of another node already, expected names that differ`},
		{"graphml: a node without a name", read(called, some(`<data key="v">a</data>`), none, "--name-key name"), 1, `x.graphml:3: node "n1" has no "name", expected the name of each node; nodes have "name"`},
		{"graphml: names by a key for a matrix", given{args: "convert --graph x.mtx --name-key name --out out.tsv", files: map[string]string{"x.mtx": ""}}, 2, "--name-key is for --graph in a GraphML file; x.mtx is a Matrix Market file"},
		{"graphml: names by a key for text", command("convert --edges g --name-key name --out out.tsv"), 2, "--name-key is for --graph in a GraphML file"},
		{"graphml: an edge of another kind", read("", none, every(`directed="true"`)), 1, `x.graphml:7: an edge with directed "true" in a graph of others, expected one kind`},
		{"graphml: accepted: ports", read(weight, none, every(data+`<data key="p"/>`)), 0, right},
		{"graph: accepted: weights of vertices in METIS", matrix("x.graph", "2 1 010 2\n3 4 2\n5 6 1\n"), 0, `4 weights of a node ignored (the first: line 2, "3") … ` + "0\t1\t1\n"},
		{"graph: accepted: an array in .mtx", matrix("x.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n3\n3\n0\n"), 0, "0\t1\t3\n"},
		{"graph: accepted: a symmetric array in .mtx", matrix("x.mtx", "%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n2\n0\n3\n0\n"), 0, "0\t1\t1\n0\t2\t2\n1\t2\t3\n"},
		{"graph: an array in .mtx that is cut", matrix("x.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n3\n3\n"), 1, "x.mtx:5: ends after 3 entries, expected the 4"},
		{"graph: an array in .mtx that is too long", matrix("x.mtx", "%%MatrixMarket matrix array real general\n1 1\n0\n3\n"), 1, "x.mtx:4: an entry after the 1"},
		{"graph: an array in .mtx of rows in lines", matrix("x.mtx", "%%MatrixMarket matrix array real general\n2 2\n0 3\n3 0\n"), 1, "x.mtx:3: 2 fields, expected one value in a line of an array"},
		{"graph: an array in .mtx, without values", matrix("x.mtx", "%%MatrixMarket matrix array pattern general\n2 2\n"), 1, "x.mtx:1: an array of the field pattern"},
		{"graph: an array of four billion rows", matrix("x.mtx", "%%MatrixMarket matrix array real general\n4294967295 4294967295\n0\n"), 1, "ends after 1 entries"},
		{"graph: complex .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 0 1\n"), 1, `x.mtx:1: "complex" matrices are not read, expected real, integer, pattern; by absolute values, in Python: import scipy.io; scipy.io.mmwrite(`},
		{"graph: hermitian .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate real hermitian\n2 2 1\n2 1 1\n"), 1, `"hermitian" matrices are not read … abs(scipy.io.mmread(`},
		{"graph: skew-symmetric .mtx", matrix("x.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n"), 1, `"skew-symmetric" matrices are not read … abs(scipy.io.mmread("x.mtx")))`},
		{"graph: an entry of .mtx given twice", matrix("x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n2 1 1\n"), 1, `x.mtx: entry (1, 2) is given twice, expected once; to add them, in Python: import scipy.io; scipy.io.mmwrite("matrix.mtx", scipy.io.mmread("x.mtx").tocsr())`},
		{"graph: accepted: coo in .npz", matrix("x.npz", file("routes/coo.npz")), 0, "3\t5\t1.6777216e+07\n"},
		{"graph: accepted: csc in .npz", matrix("x.npz", file("routes/csc.npz")), 0, "3\t5\t1.6777216e+07\n"},
		{"graph: an unknown sparse format", matrix("x.npz", archive(t, map[string]string{"format.npy": string(npy.AppendHeader(nil, "|S3")) + "lil", "shape.npy": ""})), 1, `x.npz: sparse format "lil", expected csr, csc, coo, bsr or dia; in Python: `},
	}
}

// foreignCases are files in formats that other programs write, and that are not read: each is named
// for what it is, with the line that converts it.
func foreignCases(*testing.T) (cases []trouble) {
	for _, c := range []struct{ name, ending, content, says string }{
		{"GEXF", ".gexf", `<?xml version="1.0"?><!-- x --><gexf version="1.3"/>`, "a GEXF file, which is not read; in Python: import networkx as nx; nx.write_graphml(nx.read_gexf("},
		{"Pajek", ".net", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2 1\n", "a Pajek network, which is not read; in Python: import igraph; "},
		{"Pajek of a project", ".paj", "*Network x\n% c\n*vertices 2\n1 a\n", "a Pajek network"},
		{"GML", ".gml", "Creator \"igraph\"\nVersion 1\ngraph\n[\n  directed 0\n]\n", "a GML file, which is not read; in Python: "},
		{"GML of networkx", ".gml", "graph [\n  node [\n", "a GML file"},
		{"DOT", ".dot", "/* c */\nstrict graph g {\n a -- b;\n}\n", "a DOT file of Graphviz, which is not read; in Python: "},
		{"LEDA", ".lgr", "LEDA.GRAPH\nstring\n", "a LEDA graph, which is not read; in Python: "},
		{"LGL", ".lgl", "# a\nb .5\nc\n# b\nc 2\n", "an LGL file, which is not read; in Python: "},
		{"networkx's adjacency list", ".adjlist", "#x.py\n# GMT Wed Nov 25 14:36:15 2026\n# \nann bob carl\n", "an adjacency list, which is not read; in Python: "},
		{"networkx's adjacency list of several lines", ".multiline_adjlist", "#x.py\n# GMT Wed Nov 25 14:36:15 2026\n# \nann 1\nbob {'weight': 0.5}\n", "an adjacency list of several lines, which is not read; in Python: "},
		{"DIMACS", ".dimacs", "c x\np edge 2 1\ne 1 2\n", "a DIMACS graph, which is not read; "},
		{"GDF", ".gdf", "nodedef>name VARCHAR\na\n", "a GDF file, which is not read; export GraphML from Gephi"},
		{"UCINET", ".dl", "dl n=2 format=edgelist1\n", "a UCINET DL file, which is not read; in Python: "},
		{"Cytoscape's JSON", ".cyjs", `{"format_version": "1.0", "elements": {"nodes": []}}`, "a graph in Cytoscape's JSON, which is not read; in Python: "},
		{"node-link JSON", ".json", `{"directed": false, "nodes": [], "links": []}`, "a JSON object, which is not read; in Python: "},
		{"HDF5", ".h5", "\x89HDF\r\n\x1a\n", "an HDF5 file, which is not read; in Python: "},
		{"MATLAB", ".mat", "MATLAB 5.0 MAT-file", "a MATLAB file, which is not read; in Python: "},
		{"R", ".rds", "X\n\x00\x00\x00\x03", "a file of R, which is not read; in R: "},
		{"a pickle", ".gpickle", "\x80\x04\x95\x00", "a pickle of Python, which is not read; in Python: "},
		{"numpy", ".npy", "\x93NUMPY\x01\x00", "an array of numpy, which is not read; in Python: "},
		{"sparse6", ".s6", ">>sparse6<<:Bf\n", "a file of sparse6, which is not read; in Python: "},
		{"XGMML", ".xgmml", `<?xml version="1.0"?><graph label="x" xmlns="http://www.cs.rpi.edu/XGMML">`, "an XGMML file, which is not read; export GraphML from Cytoscape"},
	} {
		for _, by := range []struct{ flag, file string }{{"--graph", "x" + c.ending}, {"--edges", "x" + c.ending}, {"--edges", "x"}, {"--graph", "x"}, {"--edges", "x.txt"}} {
			cases = append(cases, trouble{
				"foreign: " + c.name + " by " + by.flag + " " + by.file,
				given{args: "convert --out out.tsv " + by.flag + " " + by.file, files: map[string]string{by.file: c.content}},
				1, by.file + ": " + c.says,
			})
		}
	}
	start := map[string]string{".h5ad": "\x89HDF\r\n\x1a\n", ".adjlist": "#routes.py\na b c\n"}
	for _, c := range []struct{ name, ending, says string }{
		{"AnnData", ".h5ad", "an AnnData file, which is not read"},
		{"Excel", ".xlsx", "an Excel file, which is not read"},
		{"PyTorch", ".pt", "a file of PyTorch, which is not read"},
		{"an adjacency list", ".adjlist", "an adjacency list, which is not read; in Python: "},
	} {
		for _, flag := range []string{"--graph", "--edges"} {
			cases = append(cases, trouble{"foreign: " + c.name + " by " + flag, given{args: "convert --out out.tsv " + flag + " x" + c.ending, files: map[string]string{"x" + c.ending: cmp.Or(start[c.ending], "PK\x03\x04")}}, 1, c.says})
		}
	}
	return append(cases,
		trouble{"foreign: accepted: an edge list that is called .net", given{args: "convert --out out.tsv --edges x.net", files: map[string]string{"x.net": "a b\nb c\n"}}, 0, "a\tb\t1\n"},
		trouble{"foreign: accepted: an edge list that is called .dot", given{args: "convert --out out.tsv --edges x.dot", files: map[string]string{"x.dot": "graph node\nnode graph2\n"}}, 0, "graph\tnode\t1\n"},
		trouble{"foreign: accepted: JSON lines with other keys first", given{args: "convert --out out.tsv --edges x.jsonl", files: map[string]string{"x.jsonl": `{"graph": 1, "src": "a", "dst": "b"}` + "\n"}}, 0, "a\tb\t1\n"},
		trouble{"foreign: accepted: an edge list with the nodes c, p and max", given{args: "convert --out out.tsv --edges x", files: map[string]string{"x": "c d 1\np max 3\n"}}, 0, "max\tp\t3\n"},
		trouble{"foreign: accepted: comments of a word in an edge list", given{args: "convert --out out.tsv --edges x", files: map[string]string{"x": "# friends\n1 2\n2 3\n# enemies\n3 4\n"}}, 0, "1\t2\t1\n"},
	)
}

// rowCases are labels whose ids count rows from 1, where rows are nodes 0 to n−1.
var rowCases = func() (cases []trouble) {
	files := map[string]string{
		"x.mtx":    "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 4\n2 1\n3 2\n4 3\n5 4\n",
		"x.graph":  "5 4\n2\n1 3\n2 4\n3 5\n4\n",
		"x.libsvm": "1 1:1 2:1\n1 1:1 2:1.1\n1 1:1.1 2:1\n2 1:3 2:1\n2 1:3 2:1.1\n",
		"x.csv":    "1,1\n1,1.1\n1.1,1\n3,1\n3,1.1\n",
	}
	run := func(file, labels string, more ...string) given {
		args := "run --graph " + file
		if file == "x.libsvm" || file == "x.csv" {
			args = "run --k 2 --features " + file
		}
		return given{args: strings.Join(append([]string{args + " --labels s --method lgc --out out"}, more...), " "), files: map[string]string{file: files[file], "s": labels}}
	}
	const one = "warning [counted-from-one]: labels: 2 nodes taken as counted from 0 (the first: \"1\"); the ids begin at 1, and rows are nodes 0 to 4: if the first row is node 1, say --index-base 1"
	for _, file := range []string{"x.mtx", "x.graph", "x.libsvm"} {
		cases = append(cases,
			trouble{"rows: accepted: labels from 1 beside " + file, run(file, "1 A\n4 B\n"), 0, one},
			trouble{"rows: a label of the last row, from 1, beside " + file, run(file, "1 A\n5 B\n"), 1, `s:2: node "5" is not in the graph … rows are nodes 0 to 4: if the ids count from 1, say --index-base 1`},
		)
	}
	for _, file := range []string{"x.mtx", "x.graph", "x.libsvm", "x.csv"} {
		cases = append(cases,
			trouble{"rows: accepted: --index-base 1 beside " + file, run(file, "1 A\n5 B\n", "--index-base 1"), 0, "\n1\tA\t … \n5\tB\t"},
			trouble{"rows: a label of row 0, from 1, beside " + file, run(file, "0 A\n5 B\n", "--index-base 1"), 1, `s:1: node "0" is not in the graph, whose nodes are 1 to 5 … --index-base 1 counts rows from 1: leave it out if they count from 0`},
		)
	}
	const predictions = "node\tlabel\tconfidence\tmargin\tstatus\n0\tA\t1\t1\tpredicted\n1\tA\t1\t1\tpredicted\n2\tB\t1\t1\tpredicted\n3\tB\t1\t1\tpredicted\n"
	return append(cases,
		trouble{"rows: accepted: labels of rows 1 to 3 beside a table", run("x.csv", "1 A\n2 A\n3 B\n"), 0, "warning [counted-from-one]: labels: 3 nodes taken as counted from 0"},
		trouble{"rows: accepted: a label that is skipped, beside a table", run("x.csv", "1 A\n5 B\n4 B\n", "--unknown-labels skip"), 0, "warning [counted-from-one]: labels: 2 nodes taken as counted from 0"},
		trouble{"rows: accepted: truth from 1", given{args: "eval --predictions p --truth s", files: map[string]string{"p": predictions, "s": "1 A\n2 A\n3 B\n4 B\n"}}, 0, "warning [counted-from-one]: truth: 3 nodes taken as counted from 0 … predictions are of nodes 0 to 3"},
		trouble{"rows: accepted: no label that tells how labels count", run("x.mtx", "2 A\n4 B\n"), 0, "labels: 5 rows of a file that counts from 1 taken as nodes 0, 1, … (--index-base 1: nodes 1, 2, …)"},
		trouble{"rows: --index-base 2", run("x.mtx", "1 A\n5 B\n", "--index-base 2"), 2, "--index-base 2, expected 0 or 1"},
		trouble{"rows: --index-base for edges", command(onPath + " --index-base 1"), 2, "--index-base is for --graph and --features, where nodes are rows"},
		trouble{"rows: --index-base beside --nodes", run("x.mtx", "1 A\n5 B\n", "--index-base 1 --nodes s"), 2, "--index-base and --nodes both name the rows; say one"},
		trouble{"rows: --index-base of a graph with names", given{args: "inspect --graph x.graphml --index-base 1", files: map[string]string{"x.graphml": graphML(`<edge source="a" target="b"/>`)}}, 2, "--index-base: the nodes of x.graphml have names"},
		trouble{"rows: accepted: edges from 1 beside rows from 0", given{args: "run --edges g --features x.csv --k 2 --labels s --combine none --method lgc --out out", files: map[string]string{"g": "1 2\n2 3\n3 4\n", "x.csv": files["x.csv"], "s": "0 A\n4 B\n"}}, 0, "warning [counted-from-one]: edges: 4 nodes taken as counted from 0 … g names nodes from 1 on, and rows of x.csv are nodes from 0 on: if row 0 is node 1, say --index-base 1"},
		trouble{"rows: edges from 1 to n beside rows from 0", given{args: "run --edges g --features x.csv --k 2 --labels s --method lgc --out out", files: map[string]string{"g": "1 2\n2 3\n3 4\n4 5\n", "x.csv": files["x.csv"], "s": "0 A\n4 B\n"}}, 1, `g: node "5" has no row in x.csv, whose rows are the nodes 0 to 4 … --index-base 1 numbers them from 1`},
		trouble{"rows: accepted: edges from 1 and rows from 1", given{args: "run --edges g --features x.csv --index-base 1 --k 2 --labels s --combine none --method lgc --out out", files: map[string]string{"g": "1 2\n2 3\n3 4\n4 5\n", "x.csv": files["x.csv"], "s": "1 A\n5 B\n"}}, 0, "\n1\tA\t … \n5\tB\t"},
		trouble{"rows: accepted: from 1, converted", given{args: "convert --graph x.mtx --index-base 1 --out out.tsv", files: map[string]string{"x.mtx": files["x.mtx"]}}, 0, "1\t2\t1\n"},
	)
}()
