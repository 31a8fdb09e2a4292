//go:build unix

package main

import (
	"testing"
)

// reading is a case of a command on some files.
func reading(args string, files ...string) given {
	all := map[string]string{}
	for k := 0; k < len(files); k += 2 {
		all[files[k]] = files[k+1]
	}
	return given{args: args, files: all}
}

const (
	runText  = "run --out out --method lgc --edges "
	hashtags = "#go\t#rust\n#rust\tpython\npython\tjava\n"
	gephi    = "Source,Target,Type,Id,Label,timeset,Weight\na,b,Undirected,0,,,2.0\nb,c,Undirected,1,,,1.0\n"
	ratings  = "user,item,rating,timestamp\na,b,3,100\nb,c,2,101\nc,d,1,102\n"
	vectors5 = "name,x,y\ncat,1,0\n#go,.9,0\ndog,0,1\n%c,0,.9\n"
)

// readingCases are lines and columns of text that once vanished, or were read as something else:
// each kind in each format, with what is said of it.
func readingCases(t *testing.T) []trouble {
	return []trouble{
		// Lines that start like comments.
		{"read: SNAP's comments are counted", edges("# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\na\tb\nb\tc\nc\td\n"), 0, `read    edges: 2 comment lines skipped (the first: line 1, "# Nodes: 4 Edges: 3")`},
		{"read: edges like comments", reading(runText+"g.tsv --labels l", "g.tsv", hashtags, "l", "python x\n"), 0, `read    edges: 2 comment lines that read like data skipped (the first: line 1, "#go\t#rust") … warning [comment-like-data]: edges: 2 comment lines that read like data skipped (the first: line 1, "#go\t#rust"); if it is data, say --comment none`},
		{"read: edges that are no comments", reading(runText+"g.tsv --labels l --comment none", "g.tsv", hashtags, "l", "#go x\njava y\n"), 0, "#go\tx"},
		{"read: edges of csv", reading(runText+"g.csv --labels l.csv", "g.csv", "c,java\nx,#go\n#go,java\n", "l.csv", "c,x\n#go,y\n"), 0, "graph   4 nodes, 3 edges"},
		{"read: edges below a header", reading(runText+"g.tsv --header yes --labels l.csv", "g.tsv", "# by me\nsrc\tdst\nc\tjava\n#go\tjava\n", "l.csv", "c,x\n#go,y\n"), 0, "graph   3 nodes, 2 edges"},
		{"read: a comment in csv", reading(runText+"g.csv --labels s", "g.csv", "# by me\na,b\n"), 1, `g.csv:1: weight "me" is not a number; if this line is a header, say --header yes; if the third column holds no weights, --columns 1,2 leaves it out; if lines that start so are comments, say --comment '#'`},
		{"read: a comment in csv, said", reading(runText+"g.csv --labels s --comment #", "g.csv", "# by me\na,b\nb,d\n"), 0, `read    edges: 1 comment line skipped (the first: line 1, "# by me")`},
		{"read: a comment of two words in csv", reading(runText+"g.csv --labels s", "g.csv", "a,b\nb,d\n# by me, yesterday\n"), 0, `warning [data-like-comments]: edges: 1 line in the form of a comment read as data (the first: line 3, "# by me, yesterday"); if it is a comment, say --comment '#'`},
		{"read: other comments", reading(runText+"g --labels s --comment //,!", "g", "// x\na b\n! y\nb d\n"), 0, "edges: 2 comment lines skipped"},
		{"read: comments that start with a letter", reading(runText + "g --labels s --comment x"), 2, `--comment: comments that start with "x", expected # or % or another sign that no data start with, or none`},
		{"read: nothing but comments", edges("#a b\n#b c\n"), 1, "g: no edges, expected lines of the form: src dst [weight]; 2 lines were skipped as comments: if they are data, say --comment none"},
		{"read: convert keeps ids like comments", reading("convert --edges g.csv --out out.csv", "g.csv", "#go,#rust\n%p,#go\n"), 0, "#go,#rust,1 … "},
		{"read: convert counts", reading("convert --edges g.tsv --out out.csr", "g.tsv", "# c\n"+hashtags), 0, `read    edges: 1 comment line skipped (the first: line 1, "# c"); 2 comment lines that read like data skipped … warning [comment-like-data]`},
		{"read: inspect counts", reading("inspect --edges g.tsv", "g.tsv", hashtags), 0, "warning [comment-like-data]: edges: 2 … "},
		{"read: partition warns", reading("partition --edges g.tsv --parts 1 --out out.parts", "g.tsv", hashtags), 0, "warning [comment-like-data]: edges: 2"},
		{"read: suggest warns", reading("suggest --edges g.tsv --labels s --count 1", "g.tsv", "a\tb\nb\tc\nc\td\n#go\ta\n"), 0, "warning [comment-like-data]: edges: 1"},
		{"read: explain warns", reading("explain --edges g.tsv --labels s --node b", "g.tsv", "a\tb\nb\tc\nc\td\n#go\ta\n"), 0, "warning [comment-like-data]: edges: 1"},
		{"read: seeds like comments", reading(runText+"g.csv --labels l.tsv", "g.csv", "#go,java\njava,c\n", "l.tsv", "#go\tx\nc\ty\n"), 0, `warning [comment-like-data]: labels: 1 comment line that reads like data skipped (the first: line 1, "#go\tx"); if it is data, say --comment none`},
		{"read: seeds in csv", reading(runText+"g.csv --labels l.csv", "g.csv", "#go,java\njava,c\n", "l.csv", "#go,x\nc,y\n"), 0, "seeds   2 in 2 classes"},
		{"read: seeds in a column", reading(runText+"g.csv --labels l.csv --label-column cls", "g.csv", "#go,java\njava,c\n", "l.csv", "node,cls\n#go,x\nc,y\n"), 0, "seeds   2 in 2 classes"},
		{"read: comments in a table of labels", reading(runText+"g --labels l.csv --label-column cls --comment #", "l.csv", "# by me\nnode,cls\na,x\n# b\nd,y\n"), 0, "labels: 2 comment lines skipped"},
		{"read: truth like comments", reading("eval --predictions p.tsv --truth l.tsv", "p.tsv", "node\tlabel\tconfidence\tmargin\tstatus\n#go\tx\t1\t1\tpredicted\nc\ty\t1\t1\tpredicted\n", "l.tsv", "#go\tx\nc\ty\n"), 0, "warning [comment-like-data]: truth: 1"},
		{"read: vectors like comments", reading("run --features v.csv --id-column name --labels l --k 1 --out out --method lgc", "v.csv", vectors5, "l", "cat a\ndog b\n"), 0, "4 points of 2 dimensions"},
		{"read: vectors like comments, spaces", reading("run --features v.txt --id-column 1 --labels l --k 1 --out out --method lgc", "v.txt", "# 1 0\ncat .9 0\n% 0 1\ndog 0 .9\n", "l", "cat a\ndog b\n"), 0, "4 points of 2 dimensions"},
		{"read: comments among numbers", vectors("v.csv", "# x,y\n1,0\n.9,0\n0,1\n0,.9\n"), 0, `features: 1 comment line skipped (the first: line 1, "# x,y")`},

		// A first line of counts.
		{"read: counts", edges("5 4\n1 2\n2 3\n3 4\n4 5\n"), 1, `g:1: "5 4" reads like counts of nodes and edges, not like an edge: 4 lines follow, and no id is above 5; say --header yes if they are counts, --header no if it is an edge`},
		{"read: counts of a matrix", edges("5 5 4\n1 2\n2 3\n3 4\n4 5\n"), 1, `g:1: "5 5 4" reads like counts`},
		{"read: accepted: counts, said", reading(runText+"g --labels l --header yes", "g", "5 4\n1 2\n2 3\n3 4\n4 5\n", "l", "1 x\n5 y\n"), 0, "graph   5 nodes, 4 edges"},
		{"read: accepted: no counts", reading(runText+"g --labels l", "g", "5 4\n1 2\n2 3\n3 4\n4 6\n", "l", "1 x\n5 y\n"), 0, "graph   6 nodes, 5 edges"},
		{"read: one count", edges("4\n1 2\n2 3\n"), 1, "g:1: 1 column, expected 2 or 3: src dst [weight]; if the line is a count, say --header yes"},

		// KONECT.
		{"read: KONECT with time", reading(runText+"out.toy --labels l", "out.toy", "% sym positive\n% 4 5 5\n1 2 1 1082040961\n2 3 1 1082040962\n3 4 1 1082040963\n4 5 1 1082040964\n", "l", "1 x\n5 y\n"), 0, `edges: 1 column ignored (the first: "time"); 1 header of KONECT read (the first: line 1, "% sym positive")`},
		{"read: KONECT, two sides", reading("convert --edges out.bip --out out.tsv", "out.bip", "% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 1\n"), 0, "L1\tR1\t1\nL1\tR2\t1\nL2\tR1\t1\n"},
		{"read: KONECT, labels of a side", reading(runText+"out.bip --labels l", "out.bip", "% bip unweighted\n1 1\n1 2\n2 1\n", "l", "1 x\n"), 1, `l:1: node "1" is not in the graph, whose nodes are of two kinds, as in files of KONECT that say bip: expected "L1" for a node on the left, "R1" for one on the right`},
		{"read: KONECT, both directions", reading("convert --edges out.x --out out.tsv", "out.x", "% asym posweighted\n1 2 3\n2 1 1\n"), 0, "1\t2\t2"},
		{"read: KONECT, edges come and go", edges("% asym dynamic\n1 2 1 100\n"), 1, `g:2: "% asym dynamic" says that edges appear and disappear, expected the edges of one time`},

		{"read: two kinds of nodes", reading("convert --edges g.csv --out out.tsv --columns userId,movieId", "g.csv", "userId,movieId,rating\n1,2,3\n2,1,4\n"), 0, `warning [two-kinds]: edges: 1 line of titles of two kinds of nodes read as one kind (the first: "userId movieId"); if 1 is not the same in both columns, say --bipartite`},
		{"read: two kinds of nodes, said", reading("convert --edges g.csv --out out.tsv --columns userId,movieId --bipartite", "g.csv", "userId,movieId,rating\n1,2,3\n2,1,4\n"), 0, "L1\tR2\t1\nL2\tR1\t1\n"},
		{"read: two kinds of nodes of JSON lines", reading("convert --edges g.jsonl --out out.tsv --bipartite", "g.jsonl", "{\"src\":1,\"dst\":2}\n"), 2, "--bipartite is for --edges in text; g.jsonl is a JSON-lines file"},

		// Columns.
		{"read: Gephi", reading("convert --edges g.csv --out out.tsv", "g.csv", gephi), 0, "4 columns ignored (the first: \"Type, Id, Label, timeset\") … a\tb\t2"},
		{"read: Gephi, semicolons", reading("convert --edges g.csv --out out.tsv", "g.csv", "Source;Target;Weight\na;b;2\nb;c;1\n"), 0, "a\tb\t2"},
		{"read: four columns", reading("convert --edges g.csv --out out.tsv", "g.csv", ratings), 1, "g.csv:1: 4 columns, expected 2 or 3: src dst [weight]; --columns says which these are, such as 1,2 or 1,2,3"},
		{"read: four columns by title", reading("convert --edges g.csv --out out.tsv --columns user,item,rating", "g.csv", ratings), 0, "1 column ignored (the first: \"timestamp\") … a\tb\t3"},
		{"read: four columns by number", reading("convert --edges g.csv --out out.csr --columns 1,2 --header yes --memory-limit 64MiB", "g.csv", ratings), 0, "2 columns ignored"},
		{"read: weights that are not read", reading("convert --edges g.csv --out out.tsv", "g.csv", "src,dst,count,time\na,b,3,100\n"), 0, `warning [ignored-columns]: edges: 2 columns ignored (the first: "count, time"); if column "count" holds weights, say --columns src,dst,count`},
		{"read: weights of JSON that are not read", reading("convert --edges g.jsonl --out out.tsv", "g.jsonl", "{\"src\":1,\"dst\":2,\"value\":5}\n"), 0, `warning [ignored-attributes]: edges: 1 attribute ignored (the first: "\"value\""); if "value" is the weight, call it weight`},
		{"read: fewer titles than columns", edges("src dst\n1 a b\n2 b c\n", "--header yes"), 1, "g:2: 3 columns below a header of 2, expected as many"},
		{"read: lists of neighbours", reading(runText+"g.adjlist --labels s", "g.adjlist", "1 2 3\n2 3 4\n3 4 5\n"), 1, `g.adjlist: an adjacency list, which is not read; in Python: import networkx as nx; nx.write_edgelist(nx.read_adjlist("g.adjlist"), "graph.tsv", data=False)`},
		{"read: lists of neighbours of many lengths", edges("1 2 3\n2 3 4 5\n"), 1, "g:2: 4 columns, expected 2 or 3: src dst [weight]; the first line has 3: lists of neighbours are not read"},

		// Labels.
		{"read: titles of labels", reading(runText+"g --labels l.csv", "l.csv", "node,label\na,x\nd,y\n"), 0, `labels: 1 line of titles read as such (the first: line 1, "node label")`},
		{"read: one label a line", reading(runText+"g --labels l.csv", "g", "0,1\n1,2\n2,3\n3,4\n", "l.csv", "3\n-1\n-1\n-1\n5\n"), 0, "labels: 5 labels of one column read in the order of nodes"},
		{"read: too few labels of one column", reading(runText+"g --labels l.csv", "g", "0,1\n1,2\n2,3\n3,4\n", "l.csv", "3\n-1\n5\n"), 1, "l.csv:1: 1 column, expected id label [weight], or lines of one label for each of the 5 nodes, in their order; 3 lines"},
		{"read: labels of four columns", reading(runText+"g --labels l.csv", "l.csv", "node,age,size,cls\na,1,2,x\n"), 1, "l.csv:1: 4 columns, expected 2 or 3: id label [weight]; --label-column says which column of a table with a header holds the labels"},
	}
}
