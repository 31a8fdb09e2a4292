package labelfile

import (
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// TestText: headers, comments and labels of one column: what is read, and what is said of the rest.
func TestText(t *testing.T) {
	names := tableOf(t, "a", "b", "c", "#go", "%p")
	five := ids.Sequence(5)
	for _, c := range []struct {
		name, file, text string
		nodes            *ids.Table
		opt              Options
		want, notes      string
	}{
		{"titles", "l.csv", "node,label\na,X\nb,Y\n", names, Options{}, "[X Y] a=X:1 b=Y:1", `1 line of titles read as such (the first: line 1, "node label")`},
		{"titles, weights", "l", "# x\nID\tClass\tweight\na\tX\t.5\nb\tY\t1\n", names, Options{}, "[X Y] a=X:0.5 b=Y:1", `1 line of titles read as such (the first: line 2, "ID Class weight"); 1 comment line skipped (the first: line 1, "# x")`},
		{"titles that are a node", "l", "node label\nb x\n", tableOf(t, "node", "b"), Options{}, "[label x] b=x:1 node=label:1", ""},
		{"semicolons", "l", "a;X\nb;Y\n", names, Options{}, "[X Y] a=X:1 b=Y:1", ""},
		{"comments", "l.tsv", "# by me\na\tX\n#b\tY\n#c\tX\n\nc\tY\n", names, Options{}, "[X Y] a=X:1 c=Y:1", `3 comment lines skipped (the first: line 1, "# by me"); 1 blank line skipped (the first: line 5)`},
		{"nodes like comments", "l.tsv", "#go\tX\nb\tY\n% p\n", names, Options{}, "[Y] b=Y:1", `1 comment line skipped (the first: line 3, "% p"); 1 comment line that reads like data skipped (the first: line 1, "#go\tX")! if it is data, say Options.Comments none`},
		{"a node that is called as comments start", "l", "# X\na Y\n", tableOf(t, "a", "#"), Options{}, "[Y] a=Y:1", `1 comment line that reads like data skipped (the first: line 1, "# X")! if it is data, say Options.Comments none`},
		{"nodes that are no comments", "l.tsv", "#go\tX\nb\tY\n%p\tY\n", names, Options{Comments: []string{}}, "[X Y] #go=X:1 %p=Y:1 b=Y:1", ""},
		{"nodes in csv", "l.csv", "#go,X\nb,Y\n", names, Options{}, "[X Y] #go=X:1 b=Y:1", ""},
		{"nodes below a header", "l.tsv", "# x\nnode\tlabel\n#go\tX\nb\tY\n", names, Options{Header: true}, "[X Y] #go=X:1 b=Y:1", `1 comment line skipped (the first: line 1, "# x")`},
		{"words above numbers", "l", "#seeds chosen\n#5 1\n0 1\n1 2\n", five, Options{}, "[1 2] 0=1:1 1=2:1", `2 comment lines skipped (the first: line 1, "#seeds chosen")`},

		{"one column", "node-label.csv", "3\n-1\nNaN\n-1\n5\n", five, Options{}, "[3 5] 0=3:1 4=5:1", `5 labels of one column read in the order of nodes (the first: line 1, "3")`},
		{"one column below a title", "l.csv", "label\nx\ny\ny\nx\nx\n\n", five, Options{}, "[x y] 0=x:1 1=y:1 2=y:1 3=x:1 4=x:1", ""},
		{"one column of 1 and -1", "l.csv", "1\n-1\n-1\n-1\n1\n", five, Options{}, "[-1 1] 0=1:1 1=-1:1 2=-1:1 3=-1:1 4=1:1", ""},
		{"one column in quotes", "l.csv", "\"a\"\n\"\"\n\"Iris, setosa\"\n\"\"\n\"a\"\"b\"\n", five, Options{}, `[Iris, setosa a a"b] 0=a:1 2=Iris, setosa:1 4=a"b:1`, `5 labels of one column read in the order of nodes (the first: line 1, "a")`},
		{"one column, some in quotes", "l.csv.gz", "a\n\"\"\nNew_York\n\"\"\n\"New York\"\n", five, Options{}, "[New York New_York a] 0=a:1 2=New_York:1 4=New York:1", ""},
		{"one column, the first of two words in quotes", "l.csv", "\"New York\"\n\"a\"\n1\n-1\nnan\n", five, Options{}, "[1 New York a] 0=New York:1 1=a:1 2=1:1", ""},
		{"one column of 1 and -1, one empty", "l.csv", "1\n-1\n\"\"\n-1\n1\n", five, Options{}, "[-1 1] 0=1:1 1=-1:1 3=-1:1 4=1:1", ""},
		{"one column in quotes, no csv", "l", "\"a\"\n\"b\"\n\"\"\n\"a\"\nc\n", five, Options{}, `["" "a" "b" c] 0="a":1 1="b":1 2="":1 3="a":1 4=c:1`, `5 labels of one column read in the order of nodes (the first: line 1, "\"a\""); 2 labels in quotes read as the name of a class (the first: "\"a\"")! ` + lines.QuotesAreLetters},
		{"empty quotes that are missing", "l.tsv", "a\tX\nb\t\"\"\n", names, Options{Missing: []string{""}}, "[X] a=X:1", ""},
		{"one column, rows with names", "l.csv", "x\ny\nx\ny\nx\n", names, Options{Rows: 5}, "[x y] #go=y:1 %p=x:1 a=x:1 b=y:1 c=x:1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := Read(strings.NewReader(c.text), c.file, c.nodes, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(l, c.nodes); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := said(l); c.notes != "" && got != c.notes {
				t.Errorf("notes %s\nwant  %s", got, c.notes)
			}
		})
	}
	for _, c := range []struct {
		name, file, text string
		nodes            *ids.Table
		opt              Options
		want             string
	}{
		{"too few of one column", "l.csv", "1\n2\n3\n", five, Options{}, "l.csv:1: 1 column, expected id label [weight], or lines of one label for each of the 5 nodes, in their order; 3 lines, the first \"1\""},
		{"bars", "l", "0|x\n2|y\n", five, Options{}, `l:1: "0|x" is one column, expected id label [weight] between tabs, commas, semicolons or spaces`},
		{"bars below a header, a line a node", "l", "id|label\n0|x\n1|x\n2|y\n3|y\n", five, Options{}, `l:1: "id|label" is one column, expected`},
		{"colons and names", "l.csv", "a:x\nb:y\n", names, Options{SkipUnknown: true}, `l.csv:1: "a:x" is one column, expected`},
		{"bars, a node twice", "l", "0|x\n1|y\n1|z\n", five, Options{}, `3 lines, the first "0|x"`},
		{"a blank line", "l.csv", "1\n\n2\n3\n4\n", five, Options{}, "l.csv:3: a blank line above, among labels of one column: write -1 or nan where there is none"},
		{"a second column", "l.csv", "1\n2 3\n", five, Options{}, "l.csv:2: 2 columns, expected 1 as in the first line"},
		{"two in quotes", "l.csv", "1\n\"2\" 3\n", five, Options{}, `l.csv:2: "3" after a quoted field, expected quotes as in RFC 4180`},
		{"nodes of other names", "l.csv", "1\n2\n1\n2\n1\n", names, Options{}, `l.csv: node "0" is not in the graph, and labels without ids are of nodes 0 to 4`},
		{"four columns", "l.csv", "id,a,b,cls\na,1,2,X\n", names, Options{}, "l.csv:1: 4 columns, expected 2 or 3: id label [weight]; labelfile.Columns.Label says which column"},
		{"two kinds", "l", "1 X\n", tableOf(t, "L1", "R1"), Options{}, `l:1: node "1" is not in the graph, whose nodes are of two kinds, as in files of KONECT that say bip: expected "L1" for a node on the left, "R1" for one on the right`},
		{"nothing but comments", "l", "#a X\n", names, Options{}, "l: no labels of nodes of the graph, expected lines of the form: id label [weight]; 1 line was skipped as a comment"},
		{"comments in csv", "l.csv", "# by me\na,X\n", names, Options{}, "l.csv:1: 2 columns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "comments in csv" {
				c.want = "say Options.Comments '#'"
			}
			_, err := Read(strings.NewReader(c.text), c.file, c.nodes, c.opt)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func said(l *Labels) string {
	var all []string
	for _, n := range l.Notes {
		text := n.String()
		if n.Advice != "" {
			text += "! " + n.Advice
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// TestColumnComments: a table has no comments but those that are asked for, outside quotes.
func TestColumnComments(t *testing.T) {
	nodes := tableOf(t, "a", "b", "#go")
	const table = "\ufeff# by me\n#, \"\nnode,cls,note\na,X,\"#x\n#y\"\n#go,Y,\n// b,X\nb,Y,\n"
	if _, err := ReadColumns(strings.NewReader(table), "l.csv", nodes, Columns{Label: "cls"}, Options{}); err == nil {
		t.Error("the comments were no fault")
	}
	l, err := ReadColumns(strings.NewReader(strings.Replace(table, "#go,Y,\n", "", 1)), "l.csv", nodes, Columns{Label: "cls"}, Options{Comments: []string{"#", "//"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(l, nodes), "[X Y] a=X:1 b=Y:1"; got != want || said(l) != `1 column ignored (the first: "note"); 3 comment lines skipped (the first: line 1)` {
		t.Errorf("got %q, %s, want %q", got, said(l), want)
	}
	l, err = ReadColumns(strings.NewReader("node,cls\na,X\n#go,Y\n"), "l.csv", nodes, Columns{Label: "cls"}, Options{})
	if err != nil || show(l, nodes) != "[X Y] #go=Y:1 a=X:1" {
		t.Errorf("got %v, %v", l, err)
	}
	_, err = ReadColumns(strings.NewReader("node,cls\n# c\na\n"), "l.csv", nodes, Columns{Label: "cls"}, Options{Comments: []string{"#"}})
	if err == nil || !strings.HasPrefix(err.Error(), "l.csv:3: 1 column") {
		t.Errorf("a line after a comment: %v", err)
	}
}
