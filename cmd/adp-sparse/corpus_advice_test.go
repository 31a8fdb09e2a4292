//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"
)

// adviceCases are faults that have an advice, which works when followed: the next case follows it.
func adviceCases(t *testing.T) []trouble {
	run := func(more string, files ...string) given { return reading(runText+"g"+more, files...) }
	graph := func(text string, more ...string) given {
		return given{args: "convert --out out.tsv --edges g", files: map[string]string{"g": text}}.with(more...)
	}
	var rising strings.Builder // a third column of seconds since the first event
	for k := range 300 {
		fmt.Fprintf(&rising, "%d %d %d\n", k*7%50, k*11%50+50, k*k/3)
	}
	const numbers = "1 2\t1\n2 3\t1\n3 1\t2\n3 4\t2\n"
	return []trouble{
		{"advice: labels from 1 of edges from 0", run(" --labels l", "g", "0\t1\n1\t2\n2\t3\n", "l", "1\tx\n4\ty\n"), 1, `l:2: node "4" is not in the graph … ; nodes of g are 0 to 3: if the ids count from 1, number both alike` + "\n"},
		{"advice: accepted: labels from 1 to 3 of edges from 0", run(" --labels l", "g", "0\t1\n1\t2\n2\t3\n", "l", "1\tx\n2\ty\n3\ty\n"), 0, `warning [counted-from-one]: labels: 3 nodes taken as counted from 0 (the first: "1"); the ids begin at 1, and nodes of g are 0 to 3: if the first row is node 1, number both alike`},
		{"advice: one column of labels, nodes from 1", run(" --labels l", "g", "1 2\n2 3\n3 4\n", "l", "x\ny\n"), 1, `l:1: 1 column, expected id label [weight]; labels without ids are of nodes 0, 1, …, and node "0" is not in the graph` + "\n"},
		{"advice: one column of labels, names", run(" --labels l", "l", "x\ny\nx\ny\n"), 1, `l: node "0" is not in the graph, and labels without ids are of nodes 0 to 3: write lines of the form id label` + "\n"},
		{"advice: one column of labels, a node without edges", run(" --labels l", "g", "0 1\n1 3\n", "l", "x\ny\n"), 1, `l:1: 1 column, expected id label [weight]; labels without ids are of nodes 0, 1, …, and node "2" is not in the graph` + "\n"},
		{"advice: a vector of labels, names", run(" --labels y.npy", "y.npy", string(int64s(1, 2))), 1, `y.npy: 2 labels, expected lines of the form id label: labels without ids are of nodes 0, 1, …, and node "0" is not in the graph` + "\n"},
		{"advice: values below 0", matrix("x.mtx", mm("symmetric", "3 3 2\n2 1 -1\n3 2 1\n")), 1, "x.mtx: row 0: value -1 in column 1, expected none below 0\n"},
		{"advice: values below 0, directed", matrix("x.mtx", mm("general", "3 3 2\n2 1 -1\n3 2 1\n"), "--directed"), 1, "x.mtx: row 0: value -0.5 in column 1, expected none below 0\n"},
		{"advice: two kinds of nodes", matrix("x.npz", coo(t, 2, 3, "0 1 1; 1 0 1")), 1, `x.npz: shape 2×3, expected a square matrix; if rows and columns are two kinds of nodes, a graph of both is, in Python: scipy.sparse.save_npz("graph.npz", scipy.sparse.bmat([[None, m], [m.T, None]], "csr")) of the matrix m` + "\n"},
		{"advice: a matrix with a direction", matrix("x.mtx", mm("general", "3 3 2\n2 1 1\n1 3 1\n")), 1, "expected a symmetric matrix; --directed makes (W+Wᵀ)/2 of a matrix that is not symmetric\n"},
		{"advice: accepted: a matrix with a direction, directed", matrix("x.mtx", mm("general", "3 3 2\n2 1 1\n1 3 1\n"), "--directed"), 0, "0\t1\t0.5\n0\t2\t0.5\n"},

		{"advice: accepted: blanks and tabs", run(" --labels l", "g", numbers, "l", "1\tx\n2\ty\n"), 0, `warning [joined-ids]: edges: 4 node ids that are two numbers read as one (the first: "1 2"); if they are two columns, write the same sign between all columns: blanks, tabs or commas`},
		{"advice: accepted: blanks and tabs, converted", graph(numbers), 0, "warning [joined-ids]: edges: "},
		{"advice: accepted: blanks and tabs, inspected", given{args: "inspect --edges g", files: map[string]string{"g": numbers}}, 0, "warning [joined-ids]: edges: "},
		{"advice: accepted: blanks and tabs, suggested", given{args: "suggest --edges g --labels s", files: map[string]string{"g": numbers, "s": "1\tx\n2\ty\n"}}, 0, "warning [joined-ids]: edges: "},
		{"advice: accepted: a weight behind a blank", graph("1,2 0.5\n2,3 1\n"), 0, "warning [joined-ids]: edges: 2 node ids"},
		{"advice: accepted: some ids with blanks", graph("1 2\t1\n5\t1\n"), 0, "1\t1 2\t1\n1\t5\t1\n"},

		{"advice: triples", graph("a pp b\nb pp c\nc pd d\nd pd e\n"), 1, `g:1: weight "b" is not a number; column 3 has ids of column 1, as in triples: say --columns 1,3, with --header yes if line 1 is a header` + "\n"},
		{"advice: accepted: triples", graph("a pp b\nb pp c\nc pd d\nd pd e\n", "--columns 1,3"), 0, "a\tb\t1\nb\tc\t1\nc\td\t1\nd\te\t1\n"},
		{"advice: triples below titles", graph("subject,predicate,object\na,pp,b\nb,pp,c\n"), 1, `g:1: weight "object" is not a number; column 3 has ids of column 1, as in triples: say --columns 1,3, with --header yes if line 1 is a header`},
		{"advice: accepted: triples below titles", graph("subject,predicate,object\na,pp,b\nb,pp,c\n", "--columns 1,3 --header yes"), 0, "a\tb\t1\nb\tc\t1\n"},
		{"advice: triples below titles, said", graph("subject,predicate,object\na,pp,b\nb,pp,c\n", "--header yes"), 1, `g:2: weight "b" is not a number; column 3 has ids of column 1, as in triples: say --columns 1,3`},
		{"advice: lists of neighbours are no triples", graph("a b c\nb a c\nc a b\n"), 1, `if the third column holds no weights, --columns 1,2 leaves it out`},
		{"advice: accepted: triples of a head and a tail", graph("head,relation,tail\na,pp,b\nb,pp,c\n"), 0, "a\tb\t1\nb\tc\t1\n"},
		{"advice: accepted: a sign between ends", graph("1 | 2\n2 | 3\n3 | 1\n"), 0, `warning [relation-like-column]: edges: 1 column with the same sign on all lines read as node ids (the first: line 1, "|"); if the ends of edges are in the others, say --columns 1,3; 1,2,3 says that the third one has weights`},
		{"advice: accepted: a sign between ends, said", graph("1 | 2\n2 | 3\n3 | 1\n", "--columns 1,3"), 0, "1\t2\t1\n"},
		{"advice: accepted: a letter before ends", graph("e 1 2\ne 2 3\ne 3 1\n"), 0, "if the ends of edges are in the others, say --columns 2,3; 1,2,3 says"},
		{"advice: words in the third column, below a header", graph("x,y,kind\n1,2,pp\n", "--header yes"), 1, `g:2: weight "pp" is not a decimal number, expected a decimal number of at least 0; if the third column holds no weights, --columns 1,2 leaves it out`},
		{"advice: accepted: words in the third column, below a header", graph("x,y,kind\n1,2,pp\n", "--header yes --columns 1,2"), 0, "1\t2\t1\n"},
		{"advice: accepted: titles of neo4j and a type", graph(":START_ID,:END_ID,:TYPE\na,b,KNOWS\nb,c,KNOWS\n"), 0, `1 column ignored (the first: ":TYPE") … ` + "a\tb\t1\nb\tc\t1\n"},
		{"advice: accepted: titles and a relation", graph("from,to,relation\na,b,KNOWS\nb,c,LIKES\n"), 0, `1 column ignored (the first: "relation") … ` + "a\tb\t1\nb\tc\t1\n"},
		{"advice: titles and a number", graph("from,to,since\na,b,3\nb,c,4\n"), 1, `g:1: weight "since" is not a number; if this line is a header, say --header yes, with --columns 1,2 if column 3 holds no weights` + "\n"},
		{"advice: accepted: titles and a number", graph("from,to,since\na,b,3\nb,c,4\n", "--header yes --columns 1,2"), 0, "a\tb\t1\nb\tc\t1\n"},

		{"advice: accepted: numbers of columns above names", graph("0,1\nanna,ben\nben,carla\ncarla,dora\n"), 0, `warning [numbered-header]: edges: 1 first line that counts the columns read as an edge (the first: line 1, "0 1"); if it is a header, as pandas writes above columns without titles, say --header yes`},
		{"advice: accepted: numbers of columns above names, said", graph("0,1\nanna,ben\nben,carla\ncarla,dora\n", "--header yes"), 0, "out.tsv: -rw-r--r-- anna\tben\t1\n"},
		{"advice: accepted: numbers of three columns above names", graph("0,1,2\nanna,ben,5\nben,carla,3\n"), 0, "warning [numbered-header]: edges: "},
		{"advice: accepted: numbers of columns above numbers", graph("0,1\n12,5\n5,7\n7,9\n9,12\n12,7\n3,5\n3,7\n3,9\n4,5\n4,7\n"), 0, "warning [numbered-header]: edges: "},

		{"advice: accepted: times from the first event", graph(rising.String()), 0, "warning [time-like-weights]: edges: 300 weights that read like a time read as a weight (the first: line 1); they never fall from line to line: if they are times, say --columns 1,2 to leave them out"},
		{"advice: accepted: times of Unix below titles", given{args: "inspect --edges g --header yes", files: map[string]string{"g": "source,target,time\na,b,1082008561\nb,c,1082008563\n"}}, 0, "warning [weight-title]: the third column of the edges was read as weights, and its title is \"time\": if it holds no weights, leave it out with --columns 1,2\nwarning [time-like-weights]: edges: 2 weights that read like a time read as a weight; if they are times, say --columns 1,2 to leave them out"},
		{"advice: accepted: times of Unix below plain titles", graph("source,target,weight\na,b,1082008561\nb,c,1082008563\n"), 0, "if they are times, say --header yes and --columns 1,2 to leave them out"},

		{"advice: accepted: lines of DOT", graph("a -> b;\nb -> c;\nc -> a;\n"), 0, "3 lines that end with a semicolon read without it (the first: line 1) … a\tb\t1\na\tc\t1\nb\tc\t1\n"},
		{"advice: accepted: lines of DOT, a blank before the end", graph("a -- b 2 ;\nb -- c 3 ;\n"), 0, "a\tb\t2\nb\tc\t3\n"},
		{"advice: lines of DOT without an end", graph("a -> b;\nb -> c\n"), 1, `g:2: "c" at the end of a line, expected a semicolon there as in the first line; if ids end with semicolons, say --columns 1,3`},
		{"advice: lines of DOT that begin to end", graph("a -> b\nb -> c;\n"), 1, `g:2: "c;" at the end of a line, expected no semicolon there as in the first line; if ids end with semicolons, say --columns 1,3`},
		{"advice: a missing weight below a title", graph("source,target,value\na,b,NA\nb,c,2\n"), 1, `"value"`},
		{"advice: accepted: ids that end with semicolons", graph("a -> b;\nb -> c\n", "--columns 1,3"), 0, "a\tb;\t1\nb\tc\t1\n"},

		{"advice: an adjacency matrix as text", graph(strings.Repeat("0 1 0 1 1 0\n", 6)), 1, `g:1: 6 columns, expected 2 or 3: src dst [weight]; a square table of numbers is an adjacency matrix: in Python: import numpy, scipy.sparse; scipy.sparse.save_npz("graph.npz", scipy.sparse.csr_matrix(numpy.loadtxt("g"))), with delimiter="," if there are commas; give graph.npz as --graph`},
		{"advice: a symmetric adjacency matrix as text", graph("0 1 1 0 0 1\n1 0 1 0 0 0\n1 1 0 1 0 0\n0 0 1 0 1 1\n0 0 0 1 0 1\n1 0 0 1 1 0\n"), 1, `g:1: 6 columns, expected 2 or 3: src dst [weight]; a square table of numbers is an adjacency matrix: in Python: `},
		{"advice: an adjacency matrix as text, for --graph", given{args: "inspect --graph k.txt", files: map[string]string{"k.txt": strings.Repeat("0.000000000000000000e+00 1.000000000000000000e+00 "+strings.Repeat("0.000000000000000000e+00 ", 32)+"\n", 34)}}, 1, `k.txt: a table of numbers, which is not read; of an adjacency matrix, in Python: import numpy, scipy.sparse; scipy.sparse.save_npz("graph.npz", scipy.sparse.csr_matrix(numpy.loadtxt("k.txt"))), with delimiter="," if there are commas, then --graph graph.npz; columns of edges are read by --edges`},
		{"advice: edges of many columns", graph("1 2 3 4 5\n2 3 4 5 6\n"), 1, "g:1: 5 columns, expected 2 or 3: src dst [weight]; --columns says which these are, such as 1,2 or 1,2,3\n"},
		{"advice: edges for --graph", given{args: "inspect --graph k.txt", files: map[string]string{"k.txt": "1 2\n2 3\n"}}, 2, `--graph "k.txt" is an edge list, which is read by --edges`},

		{"advice: labels in JSON, an object", run(" --labels l.json", "l.json", `{"a": "x", "d": "y"}`), 1, `l.json: a JSON object, expected labels: lines of the form id label [weight]; in Python: import csv, json; csv.writer(open("labels.csv", "w", newline="")).writerows(json.load(open("l.json")).items()) of an object {id: label}`},
		{"advice: labels in JSON, objects", run(" --labels l.json", "l.json", `[{"id": "a", "label": "x"}]`), 1, `l.json: a JSON array of objects, expected labels: lines of the form id label [weight]; in Python: import pandas; pandas.read_json("l.json").to_csv("labels.csv", index=False), then --label-id and --label-column with the titles`},
		{"advice: labels in JSON lines", run(" --labels l.jsonl", "l.jsonl", "{\"id\": \"a\", \"label\": \"x\"}\n{\"id\": \"d\", \"label\": \"y\"}\n"), 1, `l.jsonl: JSON, an object a line, expected labels: lines of the form id label [weight]; in Python: import pandas; pandas.read_json("l.jsonl", lines=True).to_csv(`},
		{"advice: labels in JSON, lists", run(" --labels l.json", "l.json", `{"a": [0, 1], "d": [1]}`), 1, `l.json: a JSON object of lists, expected labels: lines of the form id label [weight]; in Python: … for v in all) of an object {id: labels}, then --multilabel if a node has several; import pandas; pandas.read_json("l.json").to_csv("labels.csv", index=False) of an object {column: values}, then --label-id and --label-column with the titles`},
		{"advice: labels in JSON, a list", run(" --labels l.json", "l.json", "[0, 1, -1, 0]"), 1, `l.json: a JSON array, expected labels: lines of the form id label [weight]; in Python: import json; open("labels.txt", "w").writelines(`},
		{"advice: labels in JSON, pairs", run(" --labels l.json", "l.json", `[["a", "x"], ["d", "y"]]`), 1, `l.json: a JSON array of pairs, expected labels: … open("labels.csv"`},
		{"advice: labels in GraphML", run(" --labels l.graphml", "l.graphml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"+xmlOf("a b 2")), 1, `l.graphml: a GraphML (XML) file, expected labels: lines of the form id label [weight]; in Python: import networkx as nx, pandas; pandas.DataFrame.from_dict(dict(nx.read_graphml("l.graphml").nodes(data=True)), orient="index").to_csv("nodes.csv", index_label="id"), then --labels nodes.csv and --label-column with the title` + "\n"},
		{"advice: labels in GEXF", run(" --labels l.gexf", "l.gexf", "<?xml version=\"1.0\"?>\n<gexf version=\"1.2\"><graph></graph></gexf>\n"), 1, "l.gexf: a GEXF file, expected labels: "},
		{"advice: labels in GML", run(" --labels l.gml", "l.gml", "graph [\n  node [\n    id 0\n  ]\n]\n"), 1, "l.gml: a GML file, expected labels: "},
		{"advice: labels in Pajek", run(" --labels l.net", "l.net", "*Vertices 2\n1 \"a\"\n2 \"b\"\n"), 1, "l.net: a Pajek network, expected labels: "},
		{"advice: labels in Matrix Market", run(" --labels l.mtx", "l.mtx", mm("symmetric", "3 3 2\n2 1 1\n3 2 1\n")), 1, "l.mtx: a Matrix Market file, expected labels: "},
		{"advice: compressed labels in JSON", given{args: "run --out out --edges g --labels l.json.gz", files: map[string]string{"l.json.gz": packedFrom(t, ".gz", strings.NewReader(`{"a": "x", "d": "y"}`))}}, 1, "l.json.gz: a JSON object, expected labels: "},
		{"advice: true labels in GML", given{args: "eval --predictions p --truth l.gml", files: map[string]string{"p": "node\tlabel\tconfidence\tmargin\tstatus\na\tx\t1\t1\tpredicted\n", "l.gml": "graph [\n]\n"}}, 1, "l.gml: a GML file, expected labels: "},

		{"advice: accepted: ids in small letters and capitals", graph("N01 n02\nn01 N03\nN02 n03\n"), 0, `warning [similar-ids]: edges: 3 node ids that equal another but for spelling kept as another node (the first: "n01 / N01"); if they are one node, write both alike`},
		{"advice: accepted: ids in two forms of Unicode", graph("M\u00fcller b\nMu\u0308ller c\n"), 0, "warning [similar-ids]: edges: 1 node id that equals another but for spelling … write both alike: the second has letters and marks apart (NFD of Unicode, as macOS writes), the first is NFC"},
		{"advice: a label in another form of Unicode", run(" --labels l", "g", "M\u00fcller b\nb c\n", "l", "Mu\u0308ller x\nc y\n"), 1, `l:1: node "Mu\u0308ller" is not in the graph, but "Müller" is: write ids alike`},
		{"advice: accepted: classes in two forms of Unicode", run(" --labels l", "l", "a Gru\u0308n\nd Gr\u00fcn\n"), 0, "warning [similar-labels]: labels: 1 pair of labels alike but for spelling … if they mean the same, --match case makes them one"},
		{"advice: accepted: classes in two forms of Unicode, matched", run(" --labels l --match case", "l", "a Gru\u0308n\nd Gr\u00fcn\n"), 0, "seeds   2 in 1 class"},
	}
}
