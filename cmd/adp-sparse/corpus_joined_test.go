//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// joinedCases are edges, features and labels of several files, whose names must be those of one another.
func joinedCases() []trouble {
	table := func(ids ...string) string {
		text := "id,p,q\n"
		for i, id := range ids {
			text += fmt.Sprintf("%s,%d,%d\n", id, i/3*9+i, i%2)
		}
		return text
	}
	vector := func(labels ...int64) string {
		out := npy.AppendHeader(nil, "<i8", int64(len(labels)))
		for _, v := range labels {
			out = binary.LittleEndian.AppendUint64(out, uint64(v))
		}
		return string(out)
	}
	const (
		path  = "0 1\n1 2\n2 3\n3 4\n4 5\n"
		words = "6 2\n3 9 1\n0 0 0\n1 1 1\n5 9 2\n2 2 0\n4 8 1\n"
		mtx   = "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 5\n2 1\n3 2\n4 3\n5 4\n6 5\n"
		six   = "0 x\n5 y\n"
	)
	run := func(edges, features, labels string, more ...string) given {
		files := map[string]string{"g": edges, "x.csv": features, "y": labels}
		args := "run --edges g --features x.csv --id-column id --labels y --k 1 --method lgc --out out"
		if strings.HasPrefix(labels, "\x93") {
			files["y.npy"] = labels
			args = strings.Replace(args, "labels y", "labels y.npy", 1)
		}
		if strings.HasPrefix(edges, "%%") {
			files["g.mtx"] = edges
			args = strings.Replace(args, "edges g", "graph g.mtx", 1)
		}
		if strings.HasPrefix(features, "6 2\n") {
			files["x.vec"] = features
			args = strings.Replace(args, "x.csv --id-column id", "x.vec", 1)
		}
		return given{args: args, files: files}.with(more...)
	}
	own := run(path, table("5", "4", "3", "2", "1", "0"), "label\nx\n\n\n\n\ny\n", "--label-column label --label-rows")
	part, first, mixed := table("2", "3", "4", "5"), table("0", "1", "2", "3", "4", "5"), table("5", "4", "3", "2", "1", "0")
	return []trouble{
		{"joined: accepted: a label a node, features of some", run(path, part, vector(0, -1, -1, -1, -1, 1)), 0, "\n5\t1\t … \tseed\n0\t0\t"},
		{"joined: accepted: a label a row, features of some", run(path, part, vector(0, -1, -1, 1)), 0, "2\t0\t … \n5\t1\t"},
		{"joined: accepted: a line a node, features of some", run(path, part, "x\n-1\n-1\n-1\n-1\ny\n"), 0, "\n5\ty\t … \tseed\n0\tx\t"},
		{"joined: accepted: a row of a table a node, features of some", run(path, part, "kind\nx\n\"\"\n\"\"\n\"\"\n\"\"\ny\n", "--label-column kind --label-rows"), 0, "\n5\ty\t … \tseed\n0\tx\t"},
		{"joined: accepted: a row of a table a row, features of some", run(path, part, "kind\nx\n\"\"\n\"\"\ny\n", "--label-column kind --label-rows"), 0, "2\tx\t … \n5\ty\t"},
		{"joined: labels of neither the nodes nor the rows", run(path, part, vector(0, -1, 1)), 1, "y.npy: 3 labels, expected 4: one for each of the rows of the features, in their order (2 more nodes have no row)"},
		{"joined: labels of neither, and others may be skipped", run(path, part, vector(0, -1, 1), "--unknown-labels skip"), 1, "y.npy: 3 labels, expected 4: one for each of the rows"},
		{"joined: lines of neither", run(path, part, "x\n-1\ny\n"), 1, "one label for each of the 4 rows of the features, in their order (2 more nodes have no row); 3 lines"},
		{"joined: rows of a table of neither", run(path, part, "kind\nx\ny\nx\n", "--label-column kind --label-rows"), 1, "3 rows, expected 4, one for each row of the features (2 more nodes have no row)"},
		{"joined: labels of nodes with other names, features of some", run("a b\nb c\nc d\n", table("b", "c"), vector(0, -1, -1, 1)), 1, "y.npy: 4 labels, expected 2: one for each of the rows of the features"},
		{"joined: labels of rows or of numbers", run(path, mixed, vector(0, -1, -1, -1, -1, 1)), 1, "y.npy: labels without ids, and rows are named 0 to 5 in another order: row 5 is node 0, so that a label could be of a row or of the node with its number; expected lines of the form id label"},
		{"joined: lines of rows or of numbers", run(path, mixed, "x\n-1\n-1\n-1\n-1\ny\n"), 1, "y: labels without ids, and rows are named 0 to 5 in another order"},
		{"joined: rows of a table of rows or of numbers", own, 1, "y: labels without ids, and rows are named 0 to 5 in another order"},
		{"joined: labels of rows or of numbers from 1", run("1 2\n2 3\n", table("3", "1", "2"), vector(0, -1, 1)), 1, "rows are named 1 to 3 in another order: row 1 is node 1"},
		{"joined: accepted: the labels of words in any order", run(path, words, vector(0, -1, -1, -1, -1, 1)), 0, `warning [labels-by-row]: labels: 6 labels of one column read in the order of nodes (the first: "of node 0"); if they are in the order of the lines of x.vec, write lines of the form id label … ` + "\n0\t0\t … \n5\t1\t"},

		{"joined: accepted: edges from 0, features from 1", run(path, table("1", "2", "3", "4", "5", "6"), six), 0, `warning [counted-from-one]: edges: 6 nodes taken as counted from 0 (the first: "0"); g names nodes from 0 on, and x.csv from 1 on: if node 0 there is 1 here, number both alike`},
		{"joined: accepted: edges from 0, some features from 1", run(path, table("1", "2", "3", "6"), six), 0, "warning [counted-from-one]: edges: "},
		{"joined: accepted: edges from 1, features from 0", run("1 2\n2 3\n3 4\n4 5\n5 6\n", table("0", "1", "2", "3", "4", "5"), "1 x\n6 y\n"), 0, "g names nodes from 1 on, and x.csv from 0 on: if node 1 there is 0 here, number both alike"},
		{"joined: accepted: a matrix, features from 1", run(mtx, table("1", "2", "3", "4", "5", "6"), "1 x\n5 y\n"), 0, "g.mtx names nodes from 0 on, and x.csv from 1 on: if node 0 there is 1 here, say --index-base 1"},
		{"joined: accepted: a matrix from 1, features from 1", run(mtx, table("1", "2", "3", "4", "5", "6"), "1 x\n6 y\n", "--index-base 1"), 0, "graph     6 nodes … \n1\tx\t … \n6\ty\t"},
		{"joined: accepted: a matrix with names, features with names", run(mtx, table("a", "b", "c", "d", "e", "f"), "a x\nf y\n", "--nodes names").and("names", "f\ne\nd\nc\nb\na\n"), 0, "graph     6 nodes … \na\tx\t … \nf\ty\t"},
		{"joined: edges, features with names, and a base", run(path, first, six, "--index-base 1"), 2, "--index-base and --id-column both name the points; say one"},
		{"joined: accepted: names of either side alone", run("0 1\n1 2\n2 9\n9 8\n", table("0", "1", "2", "7"), "0 x\n2 y\n"), 0, `warning [featureless]: 2 nodes of the edges have no features (the first: "8"); 1 row of the features has no edges (the first: "7")`},
		{"joined: accepted: names in two spellings", run(path, table("00", "01", "2", "3", "4", "5"), "0 x\n5 y\n"), 0, `warning [similar-ids]: edges: 2 node ids that equal another but for spelling kept as another node (the first: "0 / 00"); if they are one node, write both alike`},
		{"joined: accepted: names in two forms of Unicode", run("Jose\u0301 Ann\nAnn Bob\n", table("José", "Ann", "Bob"), "Ann x\nBob y\n"), 0, "warning [similar-ids]: edges: 1 node id … the second has letters and marks apart"},
		{"joined: ids of edges became fractions", given{args: "run --edges g --features x.csv --labels s --k 1 --out out", files: map[string]string{"g": "0.0 1.0\n1.0 2.0\n", "x.csv": "1,2\n2,3\n3,1\n"}}, 1, `g: node "0.0" has no row in x.csv, but "0" has one: write ids as whole numbers (numpy.savetxt with fmt='%d'`},
		{"joined: ids of edges in another spelling", given{args: "run --edges g --features x.csv --labels s --k 1 --out out", files: map[string]string{"g": "00 01\n01 02\n", "x.csv": "1,2\n2,3\n3,1\n"}}, 1, `g: node "00" has no row in x.csv, but "0" has one: write both alike`},
		{"joined: edges of nodes that are columns", given{args: "run --edges g --features x.npy --labels s --k 1 --out out", files: map[string]string{"g": "0 1\n1 2\n2 3\n3 4\n", "x.npy": array([]int64{2, 5}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)}}, 1, `g: node "2" has no row in x.npy … (3 of 5 nodes have none); the features have 5 columns: if these are the points, save the transpose (numpy: X.T)`},
		{"joined: labels of nodes that are columns", pointsOf("x.npy", array([]int64{2, 5}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), "0 x\n4 y\n"), 1, `node "4" is not in the graph; the features have 5 columns: if these are the points, save the transpose (numpy: X.T); nodes are 0 to 1; --unknown-labels skip`},
		{"joined: a vector of labels of columns", given{args: "run --features x.npy --labels y.npy --k 1 --out out", files: map[string]string{"x.npy": array([]int64{2, 5}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), "y.npy": array([]int64{5}, 0, 1, 0, 1, 0)}}, 1, `y.npy: 5 labels, expected 2 … (-1, nan, or empty text, for none); the features have 5 columns: if these are the points, save the transpose (numpy: X.T)`},
		{"joined: true labels by row, whose first line was read as titles", given{args: "eval --predictions p --truth t.csv --label-column 2 --label-rows", files: map[string]string{"p": "node\tlabel\tconfidence\tmargin\tstatus\n0\tx\t1\t1\tpredicted\n1\ty\t1\t1\tpredicted\n", "t.csv": "1,x\n1,y\n"}}, 1, "t.csv: 1 rows below the first line, which was read as titles, expected 2, one for each node"},
		{"joined: accepted: a column of ids that is not the first", given{args: "run --edges g --labels l.csv --label-column party --out out --topk 2", files: map[string]string{"g": path, "l.csv": "age,id,party\n2,5,R\n3,4,G\n"}}, 0, `warning [id-columns]: labels: 1 column read as node ids (the first: "age"); if column "id" holds ids, say --label-id id`},
		{"joined: accepted: an index of rows with a title, beside ids", given{args: "run --edges g --labels l.csv --label-column party --out out --topk 2", files: map[string]string{"g": path, "l.csv": "index,Node ID,party\n2,5,R\n3,4,G\n"}}, 0, `warning [id-columns]: labels: 1 column read as node ids (the first: "index"); if column "Node ID" holds ids, say --label-id 2`},
		{"joined: accepted: labels of several classes between blanks", given{args: "run --edges g --labels l --out out --topk 2", files: map[string]string{"g": path, "l": "1\ta\n2\ta b\n3\tb\n4\tNew b\n"}}, 0, `warning [joined-labels]: labels: 1 label with parts that are labels too kept as one (the first: "a b")`},
		{"joined: Matrix Market as a table", vectors("x.csv", "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 1\n2 2 5\n3 1 4\n"), 1, "x.csv: a Matrix Market file, which is read as a graph and not as features; in Python: import scipy.io"},
		{"joined: Matrix Market, said to be a table", vectors("x.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 1\n2 2 5\n3 1 4\n", "--format csv"), 1, "x.mtx: a Matrix Market file, which is read as a graph"},
		{"joined: libsvm as a table", vectors("x.txt", "1 1:2.5 2:1\n2 1:1 2:3\n"), 1, `x.txt:1: column 2 is "1:2.5", as in files of libsvm: say --format libsvm`},
		{"joined: JSON of vectors", vectors("x.json", `{"0": [1, 2], "1": [2, 3]}`), 1, `orient="index").to_csv("table.csv", index_label="id") of an object {id: numbers}, then --id-column id`},
		{"joined: DIMACS, whose line is for a shell", given{args: "inspect --edges g.gr", files: map[string]string{"g.gr": "p sp 3 2\na 1 2 7\na 2 3 7\n"}}, 1, `{print $2, $3, (NF>3 ? $4 : 1)}' "g.gr" > graph.tsv`},
		{"joined: ends that are not the first columns", given{args: "inspect --edges g.csv", files: map[string]string{"g.csv": "id,source,target\n1,10,11\n2,11,12\n"}}, 1, `g.csv:1: weight "target" is not a number; this line has the titles of ends in other columns: say --columns source,target`},
		{"joined: GraphML that says directed, and edges that do not", matrix("g.graphml", `<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b" directed="false"/><edge source="b" target="a" directed="true"/></graph></graphml>`), 1, `an edge with directed "true" in a graph of others`},
		{"joined: accepted: GraphML whose edges all say undirected", matrix("g.graphml", `<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b" directed="false"/></graph></graphml>`), 0, "a\tb\t1\n"},
		{"joined: commas below a first line of KONECT", given{args: "inspect --edges g", files: map[string]string{"g": "% asym unweighted\n1,2\n2,3\n"}}, 1, `found "1,2", expected columns between tabs or spaces, as below a first line of KONECT`},
		{"joined: letters of other scripts in an error", vectors("x.csv", "节点,Höhe\n1,2\n2,3\n", "--id-column 节"), 1, `no column named "节" in the first line, expected one of "节点", "Höhe"`},
		{"joined: a minus sign for a hyphen", vectors("x.csv", "1,2\n2,−5\n"), 1, `"\u22125" is not in decimal form`},
		{"joined: accepted: lists of neighbours with commas", given{args: "inspect --edges g", files: map[string]string{"g": "0\t6,9,12\n1\t4,7,10\n2\t5,8\n"}}, 0, `warning [joined-ids]: edges: 3 node ids of several numbers read as one (the first: "4,7,10"); if they are lists of neighbours, write a line for each edge`},
		{"joined: JSON with an id past 64 bits", given{args: "inspect --edges g.jsonl", files: map[string]string{"g.jsonl": `{"src":18446744073709551616,"dst":1}` + "\n"}}, 1, `expected text or a whole number of 64 bits: write it in quotes`},
		{"joined: accepted: JSON with other titles of ends", given{args: "inspect --edges g.jsonl", files: map[string]string{"g.jsonl": `{"node1":"a","node2":"b"}` + "\n"}}, 0, "nodes"},
	}
}

// and returns g with another file.
func (g given) and(name, text string) given {
	g.files[name] = text
	return g
}
