package edgelist

import (
	"fmt"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// TestTables: columns by title or number, headers of other programs, KONECT, comments: which edges
// are read, and what is said of the rest.
func TestTables(t *testing.T) {
	usual := blockSize
	defer func() { blockSize = usual }()
	for _, c := range []struct {
		name, file, text string
		opt              Options
		edges, notes     string
	}{
		{"Gephi", "g.csv", "Source,Target,Type,Id,Label,timeset,Weight\na,b,Undirected,0,,,2.0\nb,c,Undirected,1,,,1.0\n", Options{}, "a-b 2, b-c 1", "1 line of titles read as such; 4 columns ignored: Type, Id, Label, timeset"},
		{"Gephi, said", "g.csv", "Source,Target,Type,Id,Label,timeset,Weight\na,b,Undirected,0,,,2.0\n", Options{Columns: []string{"Source", "Target"}}, "a-b 1", "1 line of titles read as such; 5 columns ignored: Type, Id, Label, timeset, Weight"},
		{"Gephi, semicolons", "g.csv", "Source;Target;Weight\na;b;2\nb;c;1\n", Options{}, "a-b 2, b-c 1", "1 line of titles read as such"},
		{"Gephi, semicolons, header said", "g.csv", "Source;Target;Weight\na;b;2\nb;c;1\n", Options{Header: HeaderYes}, "a-b 2, b-c 1", ""},
		{"semicolons", "g", "a;b;2\nb;c;1\n", Options{}, "a-b 2, b-c 1", ""},
		{"semicolons in names", "g", "a;b c;d\nc;d e\n", Options{}, "a;b-c;d 1, c;d-e 1", ""},
		{"semicolons in names, commas", "g", "a;b,c;d\nc;d,e\n", Options{}, "a;b-c;d 1, c;d-e 1", ""},
		{"an index of pandas", "g", ",source,target,weight\n0,a,b,2\n1,b,c,1\n", Options{}, "a-b 2, b-c 1", "1 line of titles read as such; 1 column ignored: "},
		{"another order", "g", "weight\ttarget\tsource\n2\tb\ta\n", Options{}, "a-b 2", "1 line of titles read as such"},
		{"ratings by title", "g.csv", "user,item,rating,timestamp\nu1,i1,3,100\nu2,i1,2,101\n", Options{Columns: []string{"user", "item", "rating"}}, "i1-u1 3, i1-u2 2", "1 line of titles read as such; 1 column ignored: timestamp"},
		{"ratings by number", "g.csv", "u1,i1,3,100\nu2,i1,2,101\n", Options{Columns: []string{"1", "2", "3"}}, "i1-u1 3, i1-u2 2", "1 column ignored: 4"},
		{"numbers below a header", "g.csv", "u,i,r,t\nu1,i1,3,100\n", Options{Columns: []string{"2", "1"}, Header: HeaderYes}, "i1-u1 1", "2 columns ignored: r, t"},
		{"tabs that were trimmed", "g.tsv", "a\tb\t2\t\nb\tc\t1\n", Options{Columns: []string{"1", "2"}}, "a-b 1, b-c 1", "1 column ignored: 3"},
		{"time is no weight", "g.csv", "src,dst,weight,time\n1,2,1,100\n2,3,1,101\n", Options{}, "1-2 1, 2-3 1", "1 line of titles read as such; 1 column ignored: time"},
		{"counts may be", "g.csv", "src,dst,count,time\n1,2,4,100\n", Options{}, "1-2 1", "1 line of titles read as such; 2 columns ignored: count, time! if column \"count\" holds weights, say edgelist.Options.Columns src,dst,count"},

		{"KONECT with time", "out.toy", "% sym positive\n% 4 5 5\n1 2 1 1082040961\n2 3 1 1082040962\n3 4 2\t1082040963\n4  5 1 1082040964\n", Options{}, "1-2 1, 2-3 1, 3-4 2, 4-5 1", "1 column ignored: time; 1 header of KONECT read: % sym positive; 1 comment line skipped: % 4 5 5"},
		{"KONECT, tabs and spaces", "out.toy", "% sym unweighted\n1\t2\n2 3\n3  4 \n", Options{}, "1-2 1, 2-3 1, 3-4 1", "1 header of KONECT read: % sym unweighted"},
		{"KONECT, both directions", "out.toy", "% asym posweighted\n1 2 3\n2 1 1\n", Options{}, "1-2 2", "1 header of KONECT read: % asym posweighted"},
		{"KONECT, two sides", "out.bip", "% bip unweighted\n% 6 3 2\n1 1\n1 2\n2 1\n", Options{}, "L1-R1 1, L1-R2 1, L2-R1 1", "1 header of KONECT read: % bip unweighted; 1 comment line skipped: % 6 3 2"},
		{"KONECT, two sides, weights and time", "out.bip", "% bip weighted\n1 1 5 100\n2 1 3 101\n", Options{}, "L1-R1 5, L2-R1 3", "1 column ignored: time; 1 header of KONECT read: % bip weighted"},
		{"two kinds, said", "g.csv", "userId,movieId,rating\n1,1,3\n2,1,4\n", Options{Columns: []string{"userId", "movieId", "rating"}, Bipartite: true}, "L1-R1 3, L2-R1 4", "1 line of titles read as such"},
		{"two kinds", "g.csv", "userId,movieId,rating\n1,2,3\n2,1,4\n", Options{Columns: []string{"userId", "movieId", "rating"}}, "1-2 7", "1 line of titles read as such; 1 line of titles of two kinds of nodes read as one kind: userId movieId! if 1 is not the same in both columns, say edgelist.Options.Bipartite"},
		{"two kinds of names", "g.csv", "user,item,rating\nu1,i2,3\n", Options{Header: HeaderYes}, "i2-u1 3", ""},
		{"no header of KONECT", "g", "% symmetric things\n1 2\n2 3\n", Options{}, "1-2 1, 2-3 1", "1 comment line skipped: % symmetric things"},

		{"SNAP", "g", "# Directed graph: x.txt\n# Nodes: 5 Edges: 7\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n", Options{}, "1-2 1, 2-3 1", "3 comment lines skipped: # Directed graph: x.txt"},
		{"SNAP, without blanks", "g", "#FromNodeId\tToNodeId\n#nodes\t5\n#1\t2\n1\t2\n2\t3\n#2\t4\n", Options{}, "1-2 1, 2-3 1", "4 comment lines skipped: #FromNodeId\tToNodeId"},
		{"titles above names", "g", "#source\ttarget\n% x\na\tb\n", Options{}, "a-b 1", "2 comment lines skipped: #source\ttarget"},
		{"hashtags", "g.tsv", "#go\t#rust\n#rust\tpython\npython\tjava\n", Options{}, "java-python 1", "2 comment lines that read like data skipped: #go\t#rust! if it is data, say Options.Comments none"},
		{"hashtags above numbers", "g.tsv", "#go\t5\n5\t6\n", Options{}, "5-6 1", "1 comment line that reads like data skipped: #go\t5! if it is data, say Options.Comments none"},
		{"hashtags below", "g.tsv", "python\tjava\njava\t#rust\n#go\tpython\n%x\tjava\n# no\tdata\n", Options{}, "#rust-java 1, java-python 1", "1 comment line skipped: # no\tdata; 2 comment lines that read like data skipped: #go\tpython! if it is data, say Options.Comments none"},
		{"edges that were cut", "g.tsv", "python\tjava\njava\trust\n#python\trust\n", Options{}, "java-python 1, java-rust 1", "1 comment line skipped: #python\trust"},
		{"hashtags that are data", "g.tsv", "#go\t#rust\n#rust\tpython\npython\tjava\n", Options{Comments: []string{}}, "#go-#rust 1, #rust-python 1, java-python 1", ""},
		{"hashtags in csv", "g.csv.gz", "c,java\nx,#go\n#go,x\n%p,x\n", Options{}, "#go-x 2, %p-x 1, c-java 1", ""},
		{"hashtags below a header", "g.tsv", "# made by me\nsrc\tdst\nc\tjava\n#go\tx\n", Options{Header: HeaderYes}, "#go-x 1, c-java 1", "1 comment line skipped: # made by me"},
		{"comments in csv", "g.csv", "a,b\n# by me, yesterday\n", Options{}, "# by me-yesterday 1, a-b 1", "1 line in the form of a comment read as data: # by me, yesterday! if it is a comment, say Options.Comments '#'"},
		{"comments in csv, said", "g.csv", "a,b\n# by me, yesterday\n%x,b\n", Options{Comments: []string{"#"}}, "%x-b 1, a-b 1", "1 comment line skipped: # by me, yesterday"},
		{"other comments", "g", "// x\na b\n#c b\n! y\n", Options{Comments: []string{"//", "!"}}, "#c-b 1, a-b 1", "2 comment lines skipped: // x"},
		{"blank lines", "g", "\na b\n\n \nb c\n\n", Options{}, "a-b 1, b-c 1", "4 blank lines skipped"},
		{"weights of some", "g", "a b 2\nb c\nc d 1\n", Options{}, "a-b 2, b-c 1, c-d 1", "1 edge without a weight given weight 1"},
		{"weights of one number", "g", "1 2\n2 3 2\n3 4 1\n4 5\n" + strings.Repeat("4 5\n", 30), Options{}, "1-2 1, 2-3 2, 3-4 1, 4-5 31", "32 edges without a weight given weight 1"},
		{"arrows", "g", "a -> b\nb -- c\nc → a\n", Options{}, "a-b 1, a-c 1, b-c 1", "1 column ignored: 2"},
		{"a node whose name is an arrow", "g", "a -- 2\nb -- 2\na b 1\n", Options{Header: HeaderNo}, "---a 2, ---b 2, a-b 1", ""},
		{"no counts: an id above", "g", "5 4\n1 2\n2 3\n3 4\n4 6\n", Options{}, "1-2 1, 2-3 1, 3-4 1, 4-5 1, 4-6 1", ""},
		{"no counts: more lines", "g", "5 4\n1 2\n2 3\n3 4\n4 5\n3 5\n", Options{}, "1-2 1, 2-3 1, 3-4 1, 3-5 1, 4-5 2", ""},
		{"counts below a header", "g", "5 4\n1 2\n2 3\n3 4\n4 5\n", Options{Header: HeaderYes}, "1-2 1, 2-3 1, 3-4 1, 4-5 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, blockSize = range []int{usual, 40, 1} {
				c.opt.Threads = 2
				g, err := Read(strings.NewReader(c.text), c.file, c.opt)
				if err != nil {
					t.Fatal(err)
				}
				sound(t, g)
				if got := named3(g); got != c.edges {
					t.Errorf("blocks of %d: edges %s\nwant %s", blockSize, got, c.edges)
				}
				if got := said(g); got != c.notes {
					t.Errorf("blocks of %d: notes %s\nwant %s", blockSize, got, c.notes)
				}
			}
		})
	}
}

// named3 shows edges with names.
func named3(g *Graph) string {
	var all []string
	n, _ := g.W.Dims()
	for i := range n {
		cols, vals := g.W.Row(i)
		for k, j := range cols {
			if int(j) > i {
				all = append(all, fmt.Sprintf("%s-%s %v", g.IDs.Name(i), g.IDs.Name(int(j)), vals[k]))
			}
		}
	}
	return strings.Join(all, ", ")
}

// said shows notes without lines.
func said(g *Graph) string {
	var all []string
	for _, n := range g.Notes {
		first := n.First
		n.Line, n.First = 0, ""
		text := n.String()
		if n.Code == "header-lines" {
			first = ""
		}
		if first != "" || n.Code == "ignored-columns" {
			text += ": " + first
		}
		if n.Advice != "" {
			text += "! " + n.Advice
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// TestTableFaults: what is refused, with what to do.
func TestTableFaults(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		opt              Options
		want             string
	}{
		{"four columns", "g", "a b 1 100\nb c 1 101\n", Options{}, "g:1: 4 columns, expected 2 or 3: src dst [weight]; edgelist.Options.Columns says which these are, such as 1,2 or 1,2,3"},
		{"titles of other things", "g.csv", "user,item,rating,timestamp\n1,1,3,100\n", Options{}, "g.csv:1: 4 columns, expected 2 or 3: src dst [weight]; edgelist.Options.Columns says which"},
		{"no such title", "g.csv", "user,item,rating\n1,1,3\n", Options{Columns: []string{"a", "item"}}, `g.csv:1: no column named "a" in the first line, expected one of "user", "item", "rating", or a number from 1 to 3`},
		{"no such number", "g.csv", "1,1,3\n", Options{Columns: []string{"1", "4"}}, "g.csv:1: 3 columns, expected column 4"},
		{"a title without a header", "g.csv", "a,b,3\n", Options{Columns: []string{"a", "b"}, Header: HeaderNo}, `the column "a" has a name, which a file without a header cannot have`},
		{"one column twice", "g.csv", "a,b,3\n", Options{Columns: []string{"1", "1"}}, `column "1" is named twice`},
		{"a row of another width", "g.csv", "a,b,3\nb,c\n", Options{Columns: []string{"1", "2"}}, "g.csv:2: 2 columns, expected 3 as in the first line"},
		{"a weight that is missing", "g.csv", "Source,Target,Type,Weight\na,b,U,\n", Options{}, `g.csv:2: weight "" is missing`},
		{"one name", "g", "a b\n", Options{Columns: []string{"1"}}, "1 column, expected 2 or 3"},
		{"a matrix of numbers below numbers", "g.csv", ",0,1,2\n0,,1,0.5\n1,1,,0\n2,0.5,0,\n", Options{}, `g.csv:1: this looks like an adjacency matrix, with the names of nodes above and beside it, expected lines of the form: src dst [weight]; in Python: import networkx as nx, pandas; t = pandas.read_csv("g.csv", index_col=0).fillna(0);`},
		{"a matrix with a title, between tabs", "g.tsv", "node\ta\tb\tc\na\t0\t1\t1\nb\t1\t0\t0\nc\t1\t0\t0\n", Options{Header: HeaderYes}, `g.tsv:1: this looks like an adjacency matrix, with the names of nodes above and beside it, expected lines of the form: src dst [weight]; in Python: import networkx as nx, pandas; t = pandas.read_csv("g.tsv", index_col=0, sep="\t")`},
		{"a matrix of R", "g.csv", "\"\",\"a\",\"b\",\"c\"\n\"a\",0,1,1\n\"b\",1,0,0\n\"c\",1,0,0\n", Options{}, `g.csv:1: this looks like an adjacency matrix`},
		{"a table of other names", "g.csv", ",a,b,c\na,0,1,1\nb,1,0,0\nd,1,0,0\n", Options{}, `g.csv:1: column 1 has the title "", as an index`},
		{"a table of words", "g.csv", "a,a,b,c\na,0,1,1\nb,1,0,x\nc,1,0,0\n", Options{}, `g.csv:1: 4 columns, expected 2 or 3`},
		{"a table of more rows", "g.csv", "a,a,b,c\na,0,1,1\nb,1,0,0\nc,1,0,0\nd,1,0,0\n", Options{}, `g.csv:1: 4 columns, expected 2 or 3`},
		{"titles in quotes", "g", "\"from\" \"to\" \"weight\"\n\"a\" \"b\" 1\n", Options{}, `g:1: weight "\"weight\"" is not a number; between tabs and blanks quotes are letters; write the file without (R: quote=FALSE), or with commas`},
		{"more columns than titles", "g", "src dst\n1 a b\n2 b c\n", Options{Header: HeaderYes}, "g:2: 3 columns below a header of 2, expected as many; R writes names of rows so: write the file with row.names=FALSE"},
		{"an arrow on the first lines alone", "g", "a -- 2\nb -- 2\na b 1\n", Options{}, `g:3: "b" in column 2, expected an arrow between two ids, as "--" in the first line; if column 2 holds ids, say edgelist.HeaderNo`},
		{"counts", "g", "5 4\n1 2\n2 3\n3 4\n4 5\n", Options{}, `g:1: "5 4" reads like counts of nodes and edges, not like an edge: 4 lines follow, and no id is above 5; say edgelist.HeaderYes if they are counts, edgelist.HeaderNo if it is an edge`},
		{"counts of a matrix", "g", "# x\n5 5 4\n1 2\n2 3\n3 4\n4 5\n", Options{}, `g:2: "5 5 4" reads like counts`},
		{"counts of nodes from 0", "g", "5 6\n0 1\n1 2\n2 3\n3 4\n4 0\n0 2\n", Options{}, `g:1: "5 6" reads like counts`},
		{"counts of both directions", "g", "3 2\n1 2\n2 1\n2 3\n3 2\n", Options{}, `g:1: "3 2" reads like counts`},
		{"one count", "g", "4\n1 2\n2 3\n", Options{}, "g:1: 1 column, expected 2 or 3: src dst [weight]; if the line is a count, say edgelist.HeaderYes"},
		{"lists of neighbours", "g.adjlist", "1 2 3\n2 3 4\n3 4 5\n", Options{}, `g.adjlist:1: this looks like lists of neighbours, as networkx writes them, expected lines of the form: src dst [weight]; in Python: nx.write_edgelist(nx.read_adjlist("g.adjlist"), "edges.tsv", data=False)`},
		{"lists of neighbours by networkx", "g.txt", "#a.py\n# GMT Wed Nov 25 12:00:00 2026\n# \n1 2 3\n2 3 4\n", Options{}, "g.txt:4: this looks like lists of neighbours"},
		{"lists of neighbours of many lengths", "g.txt", "1 2 3\n2 3 4 5\n", Options{}, "g.txt:2: 4 columns, expected 2 or 3: src dst [weight]; the first line has 3: lists of neighbours are not read, write pairs"},
		{"a list of none", "g.txt", "1 2 3\n2 3\n3\n", Options{}, "g.txt:3: 1 column, expected 2 or 3: src dst [weight]; the first line has 3: lists of neighbours"},
		{"KONECT, edges come and go", "out.x", "% asym dynamic\n1 2 1 100\n", Options{}, `out.x:2: "% asym dynamic" says that edges appear and disappear`},
		{"KONECT, weights of none", "out.x", "% sym unweighted\n1 2 5\n", Options{}, `out.x: weights other than 1 below the header "% sym unweighted"`},
		{"KONECT, below 0", "out.x", "% sym signed\n1 2 -1\n", Options{}, `out.x:2: weight "-1" is negative`},
		{"nothing but comments", "g", "#a b\n#b c\n", Options{}, "g: no edges, expected lines of the form: src dst [weight]; 2 lines were skipped as comments: if they are data, say Options.Comments none"},
		{"comments in csv", "g.csv", "#\n# me\na,b\n", Options{Header: HeaderNo}, "g.csv:1: 1 column, expected 2 or 3: src dst [weight]; if lines that start so are comments, say Options.Comments '#'"},
		{"comments that data start with", "g", "a b\n", Options{Comments: []string{"x"}}, `comments that start with "x", expected # or %`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text), c.file, c.opt)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestJudgedTitles reads lines of two titles as such, and says so, where no title is a node.
func TestJudgedTitles(t *testing.T) {
	for _, c := range []struct{ file, text, titles, first string }{
		{"g.csv", "Source,Target\nann,bob\nbob,cy\n", "Source Target", "ann"},
		{"g", "# a graph\nfrom to\nann bob\nbob cy\n", "from to", "ann"},
		{"g.csv", "# source, target\n0, 1\n1, 2\n", "# source target", "0"},
		{"g.csv", "city,town\n1,2\n2,3\n", "city town", "1"},
	} {
		g, err := Read(strings.NewReader(c.text), c.file, Options{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		noted := g.Notes.Only(notes.Header)
		if g.IDs.Len() != 3 || g.IDs.Name(0) != c.first || len(noted) != 1 || noted[0].First != c.titles || noted[0].Line != strings.Count(c.text[:strings.Index(c.text, strings.Fields(c.titles)[0])], "\n")+1 {
			t.Errorf("%q: %d nodes, the first %s, notes %v", c.text, g.IDs.Len(), g.IDs.Name(0), g.Notes)
		}
	}
}
