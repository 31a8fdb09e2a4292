package labelfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// TestDoubtsFaults: files whose ids or columns are others than they seem are refused, with the way out.
func TestDoubtsFaults(t *testing.T) {
	numbers, names := ids.Sequence(200), tableOf(t, "000", "016", "a")
	const index = "0,60,1\n1,151,2\n2,139,2\n3,7,1\n4,0,2\n"
	const wrong = "f:1: column 1 counts the lines from 0 to 4, and column 2 has another node on each: an index of rows, expected id label [weight]; write the file without it (pandas: index=False, R: row.names=FALSE); if column 1 holds ids, write titles above: node, label, weight"
	const titled = `f:1: column 1 has the title "", as an index of rows that pandas or R wrote: say which columns hold labels and ids, `
	header, skip := Options{Header: true}, Options{SkipUnknown: true}
	for name, c := range map[string]struct {
		text  string
		nodes *ids.Table
		opt   Options
		want  string
	}{
		"an index of pandas":              {",node,y\n0,60,1\n1,151,2\n", numbers, Options{}, titled + "labelfile.Columns.Label y and labelfile.Columns.ID node"},
		"an index of pandas, as a header": {",node,y\n0,60,1\n1,151,2\n", numbers, header, titled + "labelfile.Columns.Label y and labelfile.Columns.ID node"},
		"an old index":                    {"Unnamed: 0,node,y\n0,60,1\n", numbers, Options{}, `f:1: column 1 has the title "Unnamed: 0", as an index`},
		"an index of R":                   {"\"\",\"node\",\"label\"\n\"1\",\"60\",\"red\"\n", numbers, Options{}, titled + "labelfile.Columns.Label label and labelfile.Columns.ID node"},
		"an index of unusual titles":      {",who is it,kind of\n0,60,1\n", numbers, Options{}, titled + "labelfile.Columns.Label 3 and labelfile.Columns.ID 2, or 1 if this column names the nodes"},
		"an index of a table":             {",sl,sw,species\n0,5.1,3.5,red\n", numbers, Options{}, titled + "labelfile.Columns.Label species and labelfile.Columns.ID 1 if this column names the nodes, else the one that does"},
		"an index of numbers":             {",0,1\n0,60,1\n", numbers, Options{}, titled + "labelfile.Columns.Label 1 and labelfile.Columns.ID 0"},
		"an index of equal titles":        {",a,a\n0,60,1\n", numbers, Options{}, titled + "labelfile.Columns.Label 3 and labelfile.Columns.ID 2"},
		"an index that holds ids":         {",y,weight\n0,60,1\n", numbers, Options{}, titled + "labelfile.Columns.Label y and labelfile.Columns.ID 1"},
		"an index above four columns":     {",node,y,age\n0,60,1,9\n", numbers, Options{}, titled + "labelfile.Columns.Label y and labelfile.Columns.ID node"},
		"a series":                        {",0\n60,red\n", numbers, Options{}, "f:1: empty node id in column 1; if this line is a header, say labelfile.Options.Header: the index of rows below then holds the ids"},
		"an index without titles":         {index, numbers, Options{}, wrong},
		"the same, with weights of 0":     {strings.ReplaceAll(index, ",2\n", ",0\n"), numbers, Options{}, wrong},
		"the same, unknown nodes skipped": {index, numbers, skip, wrong},

		"an index before names":      {"0,a,1\n1,000,2\n", names, Options{}, `f:1: node "0" is not in the graph, but "a" of column 2 is: an index of rows, expected id label [weight]; write the file without it (pandas: index=False, R: row.names=FALSE)`},
		"an index of R before names": {"1,a,1\n2,000,2\n", names, Options{}, `f:1: node "1" is not in the graph, but "a" of column 2 is: an index`},
		"a list between commas":      {"1,['a', 'b']\n", numbers, Options{}, `f:1: "['a'" to "'b']" look like a list of labels, expected id label [weight]; if these are several labels of a node, write a row for each (labelfile.Options.Multi)`},
		"a list of four":             {"1,[a,b,c,d]\n", numbers, Options{}, `f:1: "[a" to "d]" look like a list of labels`},
		"a list behind a blank":      {"1 ['a', 'b']\n", numbers, Options{}, `f:1: "1 ['a'" to "'b']" look like a list of labels`},
		"a list between blanks":      {"1 (2 3)\n", numbers, skip, `f:1: "(2" to "3)" look like a list of labels`},

		"an unknown node": {"5,a,1\n2,000,2\n", names, Options{}, `f:1: node "5" is not in the graph; if this line`},
	} {
		_, err := Read(strings.NewReader(c.text), "f", c.nodes, c.opt)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got  %v\nwant %s", name, err, c.want)
		}
	}
}

// TestDoubts: files that may mean something else are read, with a note.
func TestDoubts(t *testing.T) {
	numbers := ids.Sequence(200)
	unordered := "60,0\n151,1\n139,1\n7,0\n22,1\n"
	for name, c := range map[string]struct {
		text  string
		nodes *ids.Table
		opt   Options
		want  string // code and count of notes
	}{
		"an index of few lines":              {"0,60,1\n1,151,2\n2,139,2\n", numbers, Options{}, "index-like-column 1"},
		"an index from 1":                    {"1,60,1\n2,151,2\n3,139,2\n", numbers, Options{}, "index-like-column 1"},
		"an index, a node twice":             {"0,60,1\n1,151,2\n2,139,2\n3,7,1\n4,60,1\n", numbers, Options{}, "index-like-column 1"},
		"each node its own label":            {"0 0 1\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 1\n", numbers, Options{}, "index-like-column 1"},
		"labels that repeat":                 {"0 0 1\n1 1 1\n2 0 1\n3 1 1\n4 2 1\n5 2 1\n", numbers, Options{}, ""},
		"two lines":                          {"0 60 1\n1 151 2\n", numbers, Options{}, ""},
		"no third column":                    {"0 60\n1 151\n2 139\n3 7\n4 1\n", numbers, Options{}, ""},
		"lists":                              {"0\t['a', 'b']\n1\t{a, b}\n2\t[1, 2, 3]\n3\t['a' 'b']\n", numbers, Options{}, "joined-labels 4"},
		"a list of a class, and one of two":  {"0\t[1]\n1\t[1, 2]\n", numbers, Options{}, "joined-labels 1"},
		"lists of one, and intervals":        {"0\t['a']\n1\t['b']\n2\t[0, 10]\n3\t(10, 20)\n4\t[]\n5\t(20, 30]\n", numbers, Options{}, ""},
		"a name that ends with a bracket":    {"0,a (x)\n", numbers, Options{}, ""},
		"a label that is no node":            {"0 60 1\n1 151 2\n2 200 2\n3 7 1\n4 1 1\n", numbers, Options{}, ""},
		"ids from 2":                         {"2 60 1\n3 151 2\n4 139 2\n5 7 1\n6 1 1\n", numbers, Options{}, ""},
		"titles above":                       {"node label weight\n0 60 1\n1 151 2\n2 139 2\n3 7 1\n4 0 1\n", numbers, Options{}, "header-lines 1"},
		"a header of numbers":                {"0,1\n" + unordered, numbers, Options{}, "numbered-header 1"},
		"a header of numbers, three columns": {"0,1,2\n60,0,1\n151,1,1\n139,1,2\n7,0,2\n22,1,1\n", numbers, Options{}, "numbered-header 1"},
		"a header of numbers above words":    {"0,1\n60,red\n151,blue\n", numbers, Options{}, "numbered-header 1"},
		"it is one":                          {"0,1\n" + unordered, numbers, Options{Header: true}, ""},
		"ids in order":                       {"0,1\n7,0\n22,1\n60,0\n139,1\n151,1\n", numbers, Options{}, ""},
		"ids in the order of texts":          {"0,1\n139,1\n151,1\n22,1\n60,0\n7,0\n", numbers, Options{}, ""},
		"ids in order in each class":         {"0,1\n22,1\n139,1\n151,1\n7,0\n60,0\n", numbers, Options{}, ""},
		"few lines in no order":              {"0,1\n60,0\n7,0\n22,1\n9,0\n", numbers, Options{}, ""},
		"another first line":                 {"0,2\n" + unordered, numbers, Options{}, ""},
		"words, and the first label again":   {"0,1\n60,red\n151,1\n", numbers, Options{}, ""},
		"words and numbers":                  {"0,1\n60,red\n151,1.5\n", numbers, Options{}, ""},
		"labels of two words":                {"5 T 2\n9 T 1\n7 C 1\n3 T 2\n8 T 1\n4 C 1\n", numbers, Options{}, "class-like-weights 6"},
		"some labels of two words":           {"5 T 2\n9 T 1\n7 C\n3 T 2\n8 T 1\n", numbers, Options{}, "class-like-weights 4 default-label-weights 1"},
		"weights between tabs":               {"5\tT\t2\n9\tT\t1\n3\tT\t2\n8\tT\t1\n", numbers, Options{}, ""},
		"weights below titles":               {"node label weight\n5 T 2\n9 T 1\n3 T 2\n8 T 1\n", numbers, Options{}, "header-lines 1"},
		"weights of many values":             {"5 T 2\n9 T 1\n7 C 1\n3 T 4\n8 T 7\n4 C 2\n", numbers, Options{}, ""},
		"weights with fractions":             {"5 T 2\n9 T 1\n3 T 2\n8 T 1\n7 C 0.5\n", numbers, Options{}, ""},
		"weights of 1":                       {"5 T 1\n9 T 1\n3 C 1\n8 C 1\n", numbers, Options{}, ""},
		"numbers of classes":                 {"5,T,0\n9,T,0\n3,C,1\n8,C,1\n", numbers, Options{}, "class-like-weights 4"},
		"numbers of classes below titles":    {"node,label,weight\n5,T,0\n9,T,0\n3,C,1\n8,C,1\n", numbers, Options{}, "header-lines 1"},
		"a weight of each class":             {"5,T,1\n9,T,1\n3,C,5\n8,C,5\n", numbers, Options{}, ""},
		"a number for a class of one":        {"5,T,1\n9,T,1\n3,C,2\n", numbers, Options{}, ""},
		"a whole number for each node":       {wholes(10, 37), numbers, Options{}, "number-labels 10"},
		"whole numbers, close together":      {wholes(10, 1), numbers, Options{}, ""},
		"a few whole numbers":                {wholes(9, 37), numbers, Options{}, ""},
		"whole numbers, one of two nodes":    {wholes(12, 37) + "199 37\n", numbers, Options{}, ""},
	} {
		l, err := Read(strings.NewReader(c.text), "f", c.nodes, c.opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, n := range l.Notes {
			got = append(got, fmt.Sprint(n.Code, " ", n.Count))
		}
		if is := strings.Join(got, " "); is != c.want {
			t.Errorf("%s: got %q, want %q", name, is, c.want)
		}
	}
}

// wholes labels n nodes by the multiples of a number.
func wholes(n, times int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%d %d\n", (i*7+3)%200, (i+1)*times)
	}
	return text.String()
}
