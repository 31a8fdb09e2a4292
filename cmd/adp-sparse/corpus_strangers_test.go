//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// strangerCases are files as other programs and people write them: read as they are meant, or refused
// with what to do.
func strangerCases(t *testing.T) []trouble {
	graph := func(name, content string, more string) given {
		return reading("convert --out out.tsv --edges "+name+more, name, content)
	}
	labels := func(name, content string, more string) given {
		return reading(runText+"g --labels "+name+more, name, content)
	}
	u1 := func(values string) string { return string(npy.AppendHeader(nil, "|u1", int64(len(values)))) + values }
	const lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
	return []trouble{
		{"stranger: tuples of Python", graph("g.txt", "(0, 1)\n(1, 2)\n(2, 0)\n", ""), 1, `g.txt:1: "(0" and "1)" are a pair as Python prints it, expected lines of the form: src dst [weight]; write the file with nx.write_edgelist … say --header no if these are ids`},
		{"stranger: lists of Python", graph("g.txt", "[0, 1, 0.5]\n[1, 2, 0.5]\n", ""), 1, `g.txt:1: "[0" and "0.5]" are a pair as Python prints it`},
		{"stranger: accepted: names with brackets", graph("g.csv", "(R)-x,(S)-x\n(S)-x,y (z)\n", ""), 0, "(R)-x\t(S)-x\t1\n(S)-x\ty (z)\t1\n"},
		{"stranger: accepted: brackets that are names", graph("g.csv", "(a,b)\nb),(a\n", " --header no"), 0, "(a\tb)\t2\n"},
		{"stranger: accepted: arrows", graph("g.txt", "0 -> 1\n1 -> 2\n2 -> 0\n", ""), 0, "0\t1\t1\n0\t2\t1\n1\t2\t1\n"},
		{"stranger: accepted: arrows and weights", graph("g.txt", "a -- b 0.5\nb -- c 2\n", ""), 0, "a\tb\t0.5\nb\tc\t2\n"},
		{"stranger: accepted: arrows of two kinds", graph("g.txt", "a -- b\nb -> c\n", ""), 0, "a\tb\t1\nb\tc\t1\n"},
		{"stranger: an arrow on the first line alone", graph("g.txt", "a -- 2\nb -- 2\na b 1\n", ""), 1, `g.txt:3: "b" in column 2, expected an arrow between two ids, as "--" in the first line; if column 2 holds ids, say --header no`},
		{"stranger: accepted: a node whose name is an arrow", graph("g.txt", "a -- 2\nb -- 2\na b 1\n", " --header no"), 0, "--\ta\t2\n--\tb\t2\na\tb\t1\n"},
		{"stranger: accepted: a graph of arrows is written to be read", graph("g.jsonl", `{"src":"--","dst":"->"}`+"\n"+`{"src":"--","dst":"'s"}`+"\n", ""), 0, "--\t's\t1\n->\t--\t1\n"},
		{"stranger: ids that are all arrows are not written", graph("g.jsonl", `{"src":"--","dst":"->"}`+"\n", ""), 1, `all ids are arrows, such as "--", expected one that is none for the first line`},
		{"stranger: SIF", graph("g.sif", "0 pp 1\n1 pp 2 3\n", ""), 1, `g.sif: a SIF file of Cytoscape, which is not read; in a shell: awk`},
		{"stranger: TGF", graph("g.tgf", "0 first\n1 second\n#\n0 1\n", ""), 1, `g.tgf: a TGF file, which is not read; in a shell: sed`},
		{"stranger: a pointer of Git LFS for edges", graph("g.tsv", lfs, ""), 1, `g.tsv:1: "version https://git-lfs.github.com/spec/v1" is a pointer of Git LFS, expected the file itself: git lfs pull gets it`},
		{"stranger: a pointer of Git LFS for labels", labels("l.tsv", lfs, ""), 1, `l.tsv:1: "version https://git-lfs.github.com/spec/v1" is a pointer of Git LFS`},
		{"stranger: a pointer of Git LFS for features", vectors("x.csv", lfs), 1, `x.csv:1: "version https://git-lfs.github.com/spec/v1" is a pointer of Git LFS`},
		{"stranger: a page of HTML for labels", labels("l.tsv", "<!DOCTYPE html>\n<html>\n", ""), 1, `l.tsv:1: "<!DOCTYPE html>" is a page of HTML, expected the file itself: download it anew`},
		{"stranger: a line for Excel above edges", graph("g.csv", "sep=;\nSource;Target\na;b\n", ""), 1, `g.csv:1: "sep=;" is a line for Excel, expected data: remove it`},
		{"stranger: a line for Excel above features", vectors("x.csv", "sep=,\n1,2\n3,4\n"), 1, `x.csv:1: "sep=," is a line for Excel, expected data: remove it`},
		{"stranger: accepted: titles of neo4j", graph("g.csv", ":START_ID(Person),weight:float,:END_ID(Person),:TYPE\na,0.5,b,KNOWS\nb,2,c,KNOWS\n", ""), 0, "a\tb\t0.5\nb\tc\t2\n"},
		{"stranger: accepted: titles of neo4j above labels", labels("l.csv", "name:ID(Person),label:string\na,x\nd,y\n", ""), 0, "labels: 1 line of titles read as such"},
		{"stranger: columns between |", graph("g.csv", "a|b|1\nb|c|1\n", ""), 1, `g.csv:1: 1 column, expected 2 or 3: src dst [weight]; found "a|b|1", expected columns between tabs, commas, semicolons or spaces`},
		{"stranger: columns between blanks below tabs", graph("g", "a\tb\nb c\n", ""), 1, `g:2: 1 column, expected 2 or 3: src dst [weight]; found "b c", expected columns between tabs, as in the first line`},
		{"stranger: line ends of old Macs", graph("g", "a b\rb c\r", ""), 1, `g:1: control byte 0x0d, expected UTF-8 text; lines end as on old Macs: write them anew (tr '\r' '\n')`},
		{"stranger: Latin-1", graph("g", "M\xfcller b\n", ""), 1, `is not UTF-8: save it as UTF-8, such as by iconv -f latin1 -t utf-8`},
		{"stranger: commas at the ends of lines of edges", graph("g.csv", "a,b,\nb,c,\n", ""), 1, `g.csv:1: weight "" is missing, expected a decimal number of at least 0; if the third column holds no weights, --columns 1,2 leaves it out`},
		{"stranger: accepted: commas at the ends of lines of edges", graph("g.csv", "a,b,\nb,c,\n", " --columns 1,2"), 0, "a\tb\t1\nb\tc\t1\n"},
		{"stranger: dates in the third column", graph("g.csv", "a,b,2004-04-01\n", ""), 1, `weight "2004-04-01" is not a decimal number, expected a decimal number of at least 0; if the third column holds no weights, --columns 1,2 leaves it out`},
		{"stranger: signs are not left out", graph("g.csv", "a,b,-1\nb,c,1\n", ""), 1, "g.csv:1: weight \"-1\" is negative, expected at least 0\n"},
		{"stranger: accepted: times as weights", graph("g", "1 2 1082040961\n2 3 1085493599\n", ""), 0, `warning [time-like-weights]: edges: 2 weights that read like a time read as a weight; if they are times, say --columns 1,2 to leave them out`},
		{"stranger: accepted: years as weights of labels", labels("l", "a x 2013\nd y 2015\n", ""), 0, `warning [time-like-weights]: labels: 2 weights that read like a time read as a weight; if they are times, leave their column out`},
		{"stranger: accepted: a missing id", graph("g.csv", "a,b\nb,nan\nc,nan\n", ""), 0, `warning [missing-like-ids]: edges: 1 node id that is written for a missing one read as a node (the first: "nan"); if it means that an id is missing, leave its lines out`},
		{"stranger: accepted: a mark of UTF-8 in joined files", graph("g.csv", "a,b\n\ufeffa,c\n", ""), 0, `warning [similar-ids]: edges: 1 node id that equals another but for spelling kept as another node (the first: "a / \ufeffa")`},
		{"stranger: accepted: a no-break space", graph("g.csv", "a.b,b\na.b\u00a0,c\n", ""), 0, `warning [similar-ids]`},
		{"stranger: lists of neighbours with colons", graph("g", "0: 1 2\n1: 0 2\n", ""), 1, `g:1: id "0:", as before a list of neighbours, expected lines of the form: src dst [weight]; write a line for each edge; say --header no if this is an id`},
		{"stranger: a comment of C", graph("g.csv", "// friends\na,b\nb,c\n", ""), 1, `g.csv:2: 1 column, expected 2 or 3: src dst [weight]; found "a,b", expected columns between spaces, as in the first line`},
		{"stranger: a matrix of pandas", graph("g.csv", ",a,b,c\na,0,1,1\nb,1,0,0\nc,1,0,0\n", ""), 1, `g.csv:1: this looks like an adjacency matrix, with the names of nodes above and beside it, expected lines of the form: src dst [weight]; in Python: import networkx as nx, pandas; t = pandas.read_csv("g.csv", index_col=0).fillna(0); t.columns = t.index; nx.write_weighted_edgelist(nx.from_pandas_adjacency(t), "edges.tsv", delimiter="\t")`},
		{"stranger: a matrix of users and items", graph("g.csv", ",a,b,c\nx,0,1,1\ny,1,0,0\nz,1,0,0\n", ""), 1, `; if this is a matrix, write a line for each entry: the names of its row and column, and its weight`},
		{"stranger: a zip archive of edges", graph("g.zip", "PK\x03\x04", ""), 1, `g.zip: a zip archive, which is not read; in a shell: unzip "g.zip"`},
		{"stranger: a zip archive of features", vectors("x.csv.zip", "PK\x03\x04"), 1, `unknown format of features "zip" … ; unpack it first (unzip)`},
		{"stranger: features of an unknown ending", vectors("iris.data", "1,2\n3,4\n"), 1, `unknown format of features "data" … ; if it is one of these, --format says which`},

		{"stranger: JSON, adjacency data", graph("g.json", `{"directed": false, "multigraph": false, "graph": [], "nodes": [], "adjacency": []}`, ""), 1, `g.json: a JSON object of adjacency lists, which is not read; in Python: import json, networkx as nx; nx.write_graphml(nx.adjacency_graph(`},
		{"stranger: JSON, lists of neighbours", graph("g.json", `{"a": ["b"], "b": ["a"]}`, ""), 1, `g.json: a JSON object of lists, which is not read; in Python: … nx.from_dict_of_lists(`},
		{"stranger: JSON, pairs", graph("g.json", "[\n [0, 1],\n [1, 2]\n]\n", ""), 1, `g.json: a JSON array of pairs, which is not read; in Python: import csv, json; `},
		{"stranger: JSON, objects", graph("g.json", `[{"source": "a", "target": "b"}]`, ""), 1, `g.json: a JSON array of objects, which is not read; in Python: import pandas; `},
		{"stranger: JSON lines by another name", graph("g.json", "{\"src\": 1, \"dst\": 2}\n{\"src\": 2, \"dst\": 3}\n", ""), 1, `g.json: JSON, an object a line, which is not read; give it the ending .jsonl`},
		{"stranger: .npz of PyTorch Geometric", matrix("g.npz", archive(t, map[string]string{"edge_index.npy": "", "x.npy": ""})), 1, `numpy.savetxt("graph.tsv", d["edge_index"].T, fmt="%d"), which writes an edge list`},
		{"stranger: .npz of pairs", matrix("g.npz", archive(t, map[string]string{"edges.npy": "", "node_labels.npy": ""})), 1, `numpy.savetxt("graph.tsv", d["edges"], fmt="%d"), which writes an edge list`},
		{"stranger: .npz of a matrix in parts", matrix("g.npz", archive(t, map[string]string{"adj_data.npy": "", "adj_indptr.npy": ""})), 1, `scipy.sparse.csr_matrix((d["adj_data"], d["adj_indices"], d["adj_indptr"]), d["adj_shape"])`},

		{"stranger: accepted: empty labels below titles", labels("l.csv", "id,label\na,x\nb,\nd,y\n", ""), 0, "seeds   2 in 2 classes"},
		{"stranger: empty labels", labels("l.csv", "a,x\nb,\nd,y\n", ""), 1, `l.csv:2: empty label in column 2; leave the line out, or say --labels-header if the first line is a header: below one an empty label is none`},
		{"stranger: words as weights of labels", labels("l.tsv", "a\tx\ttrain\nd\ty\ttest\n", ""), 1, `l.tsv:1: weight "train" is not a decimal number, expected a decimal number of at least 0; if the third column holds no weights, leave it out`},
		{"stranger: quotes between tabs", labels("l.tsv", "\"a\"\t\"x\"\n\"d\"\t\"y\"\n", ""), 1, `l.tsv:1: node "\"a\"" is not in the graph, but "a" is: between tabs and blanks quotes are letters; write the file without (R: quote=FALSE), or with commas`},
		{"stranger: a vector of labels of nodes from 1", reading(runText+"g --labels y.npy", "g", "1 2\n2 3\n3 4\n4 1\n", "y.npy", u1("\x00\x01\x01\x00")), 1, `y.npy: node "0" is not in the graph, and labels without ids are of nodes 0 to 3: write lines of the form id label, or count nodes from 0`},
		{"stranger: a label a line of nodes from 1, none for the first", reading(runText+"g --labels l", "g", "1 2\n2 3\n3 4\n4 1\n", "l", "-1\n5\n-1\n7\n"), 1, `l: node "0" is not in the graph, and labels without ids are of nodes 0 to 3`},
		{"stranger: more labels than nodes with edges", reading(runText+"g --labels l", "g", "0 1\n1 2\n", "l", "5\n-1\n7\n-1\n"), 1, `l:1: 1 column, expected id label [weight], or lines of one label for each of the 3 nodes, in their order; 4 lines, the first "5"; --unknown-labels skip leaves out those of nodes that have no edges`},
		{"stranger: accepted: more labels than nodes with edges", reading(runText+"g --labels l --unknown-labels skip", "g", "0 1\n1 2\n", "l", "5\n-1\n7\n-1\n"), 0, "seeds   2 in 2 classes"},
		{"stranger: a title above a label a line", reading(runText+"g --labels l", "g", "0 1\n1 2\n", "l", "species\n0\n1\n0\n"), 1, `l:1: 1 column, expected id label [weight], or lines of one label for each of the 3 nodes, in their order; 4 lines, the first "species"; if the first line is a header, say --labels-header, else write lines of the form id label`},
		{"stranger: a title above a label a line, unknown ones skipped", reading(runText+"g --labels l --missing NA --unknown-labels skip", "g", "0 1\n1 2\n", "l", "species\nx\nNA\ny\n"), 1, `4 lines, the first "species"; if the first line is a header, say --labels-header`},
		{"stranger: a number above a label a line, unknown ones skipped", reading(runText+"g --labels l --unknown-labels skip", "g", "0 1\n1 2\n", "l", "0\nx\n-1\ny\n"), 1, `4 lines, the first "0"; if the first line is a header, say --labels-header`},
		{"stranger: accepted: 0 above numbers, a label a line", reading(runText+"g --labels l --unknown-labels skip", "g", "0 1\n1 2\n", "l", "0\n2\n-1\n1\n"), 0, `warning [numbered-header]: labels: 1 first line that counts the columns read as a label (the first: line 1, "0"); there is a line more than nodes: if it is a header, as pandas writes above a column without a title, say --labels-header`},
		{"stranger: accepted: a title above a label a line", reading(runText+"g --labels l --labels-header", "g", "0 1\n1 2\n", "l", "species\n0\n-1\n1\n"), 0, "seeds   2 in 2 classes"},
		{"stranger: a title above true labels", byTruth("species\nx\ny\nx\n"), 1, `t.csv:1: 1 column, expected id label [weight], or lines of one label for each of the 3 nodes, in their order; 4 lines, the first "species"; if the first line is a header, say --truth-header`},
		{"stranger: a number above true labels", byTruth("0\nx\ny\nx\n"), 1, `4 lines, the first "0"; if the first line is a header, say --truth-header`},
		{"stranger: accepted: a title above true labels", byTruth("species\nx\ny\nx\n", "--truth-header"), 0, "accuracy      1.0000"},
		{"stranger: accepted: true labels without a title", byTruth("x\ny\nx\n"), 0, "accuracy      1.0000"},
		{"stranger: true labels in a table with an index of rows", byTruth(",p,q,kind\n0,1,5,x\n1,2,6,y\n2,3,7,x\n"), 1, `t.csv:1: column 1 has the title "", as an index of rows that pandas or R wrote: say which columns hold labels and ids, --label-column kind and --label-id 1 if this column names the nodes`},
		{"stranger: accepted: true labels in a table with an index of rows", byTruth(",p,q,kind\n0,1,5,x\n1,2,6,y\n2,3,7,x\n", "--label-column kind --label-id 1"), 0, "accuracy      1.0000"},
		{"stranger: true labels in a table without ids", byTruth("p,q,kind\n.1,5,x\n.2,6,y\n.3,7,x\n", "--label-column kind"), 1, `t.csv: no labels of nodes of the predictions, expected rows with an id and a label; ids are those of column "p": if it holds none, --label-id says which column does, --label-rows that rows are the nodes in their order`},
		{"stranger: true labels in a table without ids, whose first column repeats", byTruth("age,kind\n1,x\n1,y\n2,x\n", "--label-column kind"), 1, `t.csv:3: node "1" has label "y", but "x" on line 2; expected one label a node, or a weight with each, or eval --multilabel; ids are those of column "age": if it holds none, --label-id says which`},
		{"stranger: accepted: true labels by row", byTruth("p,q,kind\n1,5,x\n2,6,y\n1,7,x\n", "--label-column kind --label-rows"), 0, "accuracy      1.0000"},
		{"stranger: accepted: true labels by row, of names that have none", byTruth("kind\nx\ny\nx\n", "--label-column kind --label-rows"), 0, "accuracy      1.0000"},
		{"stranger: true labels by row, of nodes from 1", given{args: "eval --predictions p --truth t.csv --label-column kind --label-rows", files: map[string]string{"p": "node\tlabel\tconfidence\tmargin\tstatus\n1\tx\t1\t1\tpredicted\n2\ty\t1\t1\tpredicted\n", "t.csv": "kind\nx\ny\n"}}, 1, `t.csv: node "0" is not in the predictions, and labels without ids are of nodes 0 to 1`},
		{"stranger: too few true labels by row", byTruth("p,kind\n1,x\n2,y\n", "--label-column kind --label-rows"), 1, "t.csv: 2 rows, expected 3, one for each node of the predictions"},
		{"stranger: too many true labels by row", byTruth("p,kind\n1,x\n2,y\n1,x\n1,y\n", "--label-column kind --label-rows"), 1, "t.csv: 4 rows, expected 3, one for each node of the predictions"},
		{"stranger: rows and ids", byTruth("p,kind\n1,x\n", "--label-column kind --label-rows --label-id p"), 2, "--label-rows says that no column holds ids, and --label-id which does; say one"},
		{"stranger: rows of one column", byTruth("x\ny\nx\n", "--label-rows"), 2, "--label-rows is for --label-column"},
		{"stranger: labels beside features in another table", besides("age,q,kind\n0,7,x\n2,6,y\n1,5,\n2,4,x\n"), 1, `l.csv:1: column 1, "age", holds ids if no other is said to, but it is a feature: if it names the points, say so of the features; else --label-id says which column does, --label-rows that rows are the nodes in their order`},
		{"stranger: accepted: labels by row, beside features in another table", besides("age,q,kind\n0,7,x\n2,6,y\n1,5,\n2,4,x\n", "--label-rows"), 0, "0\tx\t … \n1\ty\t … \n3\tx\t"},
		{"stranger: accepted: ids of a column that is a feature", besides("age,q,kind\n0,7,x\n2,6,y\n", "--label-id age"), 0, "0\tx\t … \n2\ty\t"},
		{"stranger: accepted: ids of another title", besides("Age,q,kind\n0,7,x\n2,6,y\n"), 0, `labels: 1 column read as node ids (the first: "Age"); 1 column ignored (the first: "q")`},
		{"stranger: accepted: own labels, rows counted from 1", ownLabels("p,kind\n1,x\n3,y\n7,\n", "--index-base 1"), 0, "1\tx\t … \n2\ty\t"},
		{"stranger: a line for Excel above columns of labels", labels("l.csv", "sep=;\nid;kind\na;x\nd;y\n", " --label-column kind"), 1, `l.csv:1: "sep=;" is a line for Excel, expected data: remove it`},
		{"stranger: labels of the names of rows that are not said", reading("run --features x.csv --k 1 --out out --labels l", "x.csv", "account,sum\n71,2\n35,1\n24,7\n", "l", "0 x\n35 y\n"), 1, `l:2: node "35" is not in the graph; nodes are 0 to 2; --unknown-labels skip ignores such labels; if a column of x.csv names the rows, say --id-column, if another file does, --nodes`},
		{"stranger: labels of ids in another column", labels("l.csv", "mark,name,kind\nQC1,a,x\nQC2,d,y\n", " --label-column kind"), 1, `l.csv:2: node "QC1" is not in the graph; nodes are called such as "a"; ids are those of column "mark": if it holds none, --label-id says which column does, --label-rows that rows are the nodes in their order; --unknown-labels skip ignores such labels`},
		{"stranger: ids that Excel shortened", graph("g.csv", "1.2345E+15,7\n7,8\n", ""), 0, `warning [decimal-ids]: edges: 1 node id … an id that was shortened to powers of ten, as Excel does, may stand for several nodes: take it from the source`},
		{"stranger: labels of libsvm", labels("x.libsvm", "1 1:2 3:1\n0 2:1\n", ""), 1, `x.libsvm: a libsvm file, expected labels: lines of the form id label [weight]; in a shell: awk 'NF && !/^#/ {print n++ "\t" $1}' "x.libsvm" > labels.tsv, then --missing with the label that says none`},
		{"stranger: labels of libsvm, by column", labels("x.libsvm", "+1 qid:3 1:2 3:1\n0 2:1\n", " --label-column 1"), 1, `x.libsvm: a libsvm file, expected labels`},
		{"stranger: accepted: labels with colons", reading(runText+"g --labels l", "g", "0 1\n1 2\n2 3\n", "l", "0 1:2\n3 2:2\n"), 0, "seeds   2 in 2 classes"},
		{"stranger: accepted: distances to neighbours", matrix("g.mtx", pairs(func(d int) string { return fmt.Sprint(d) }), "--directed"), 0, `warning [distance-like-weights]: edges: 60 weights that read like a distance read as a weight; nodes list their nearest ones by them, and a large weight joins strongly: make weights of distances, such as exp(-4 d²/s²) with the largest distance s of the node, or give them to run --neighbors (.npz)`},
		{"stranger: accepted: distances as edges", graph("g", edgesOf(pairs(func(d int) string { return fmt.Sprint(d) })), ""), 0, `warning [distance-like-weights]: edges: 60 weights that read like a distance read as a weight (the first: line 1); nodes list their nearest ones by them, and a large weight joins strongly: make weights of distances`},
		{"stranger: accepted: similarities as edges", graph("g", edgesOf(pairs(func(d int) string { return fmt.Sprint(1 / float64(1+d)) })), ""), 0, "memory … warning [duplicates]: 16 duplicates merged\nout.tsv"},
		{"stranger: distances without a direction", matrix("g.mtx", pairs(func(d int) string { return fmt.Sprint(d) })), 1, "expected a symmetric matrix; its values read like distances to nearest neighbours: scipy.sparse.save_npz writes such a matrix for run --neighbors\n"},
		{"stranger: accepted: similarities of neighbours", matrix("g.mtx", pairs(func(d int) string { return fmt.Sprint(1 / float64(1+d)) }), "--directed"), 0, "30 nodes, 88 entries"},
		{"stranger: accepted: numbers as labels", labels("l.csv", "a,0.25\nb,1.5\nd,2.75\n", ""), 0, `warning [fractional-labels]: labels: 3 labels that are a number with a fraction read as the name of a class (the first: "0.25"); numbers are not predicted: make classes of them, such as low and high`},
		{"stranger: accepted: -1 of unsigned labels", reading(runText+"g --labels y.npy", "g", "0 1\n1 2\n2 3\n3 4\n", "y.npy", u1("\x00\xff\xff\x01\xff")), 0, `warning [wrapped-labels]: labels: 3 labels that are -1 of an unsigned type read as a class (the first: "255"); if it means unknown, save them with -1 there, as y.astype(int)`},

		{"stranger: accepted: labels among the features", vectors("x.csv", "a,b,target\n1,2,0\n3,4,1\n5,6,1\n"), 0, `warning [label-like-columns]: features: 1 column with the title of a label read as a feature (the first: "target"); if it holds labels, which are no features, say --drop-columns target`},
		{"stranger: commas at the ends of lines of features", vectors("x.csv", "a,b\n1,2,\n3,4,\n"), 1, "x.csv:2: 3 columns, expected 2 as in the first line; the line ends with a separator: write the file without"},
	}
}

// pairs is a matrix of 30 points in pairs, each pair further from the one before. Rows have the two nearest: the other
// one of the pair, and the end of the pair before.
func pairs(value func(d int) string) string {
	const n = 30
	at := func(i int) int { m := i / 2; return 3*m*(m+1)/2 + m + i%2 }
	var b strings.Builder
	fmt.Fprintf(&b, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, 2*n)
	for i := range n {
		before := i/2*2 - 1
		if i < 2 {
			before = 2
		}
		for _, j := range []int{i ^ 1, before} {
			fmt.Fprintf(&b, "%d %d %s\n", i+1, j+1, value(max(at(i)-at(j), at(j)-at(i))))
		}
	}
	return b.String()
}

// edgesOf makes an edge list of such a matrix.
func edgesOf(matrix string) string { return strings.SplitN(matrix, "\n", 3)[2] }

// byTruth scores predictions of nodes 0 to 2, x, y and x, by true labels in t.csv.
func byTruth(truth string, more ...string) given {
	const predictions = "node\tlabel\tconfidence\tmargin\tstatus\n0\tx\t1\t1\tpredicted\n1\ty\t1\t1\tpredicted\n2\tx\t1\t1\tpredicted\n"
	return given{args: "eval --predictions p --truth t.csv", files: map[string]string{"p": predictions, "t.csv": truth}}.with(more...)
}

// besides runs on features of two columns, age and q, with labels in another table.
func besides(labels string, more ...string) given {
	return given{args: "run --features x.csv --k 1 --method lgc --labels l.csv --out out --label-column kind", files: map[string]string{"x.csv": "age,q\n0,7\n2,6\n1,5\n2,4\n", "l.csv": labels}}.with(more...)
}
