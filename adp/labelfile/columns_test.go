package labelfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

func abc(t testing.TB) *ids.Table {
	t.Helper()
	table := ids.NewTable()
	for _, name := range []string{"a", "b", "c, d"} {
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

// seedText is labels as text, in order.
func seedText(l *labelfile.Labels, nodes *ids.Table) string {
	var all []string
	for _, s := range l.Seeds {
		all = append(all, fmt.Sprintf("%s=%s*%g", nodes.Name(int(s.Node)), l.Classes[s.Class], s.Weight))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestReadColumns: separators, quotes, columns by name and number, rows as
// nodes, weights and rows without a label.
func TestReadColumns(t *testing.T) {
	nodes := abc(t)
	for _, c := range []struct {
		text    string
		columns labelfile.Columns
		nodes   *ids.Table
		want    string
		blank   int
	}{
		{"id,x,kind\na,1,red\nb,2,\n\"c, d\",3,\"dark, \"\"blue\"\"\"\n", labelfile.Columns{Label: "kind"}, nodes, `a=red*1 c, d=dark, "blue"*1`, 1},
		{"\xef\xbb\xbfkind;who\r\nred; a \r\nblue;b\r\n", labelfile.Columns{Label: "kind", ID: "who"}, nodes, "a=red*1 b=blue*1", 0},
		{"x\tw\tkind\ta,b\n1\t0.5\tred\ta\n2\t2\tblue\tc, d\n", labelfile.Columns{Label: "3", ID: "a,b", Weight: "w"}, nodes, "a=red*0.5 c, d=blue*2", 0},
		{"kind,kind,1\na,x,b\nc,z,a\n", labelfile.Columns{Label: "2", ID: "1"}, nodes, "a=z*1 b=x*1", 0},
		{"x,kind\n1,red\n2,\n3,blue\n", labelfile.Columns{Label: "kind", Rows: true}, ids.Sequence(3), "0=red*1 2=blue*1", 1},
	} {
		l, err := labelfile.ReadColumns(strings.NewReader(c.text), "f", c.nodes, c.columns, labelfile.Options{})
		if err != nil || seedText(l, c.nodes) != c.want || l.Stats.Blank != c.blank {
			t.Errorf("%q: %v, %+v", c.text, err, l)
		}
	}
}

// TestOtherIDs: a column of numbers of rows, read as ids, is doubtful beside one whose title and nodes say that it holds
// them.
func TestOtherIDs(t *testing.T) {
	for text, want := range map[string]string{
		"index,id,kind\n0,5,x\n1,6,y\n":               `if column "id" holds ids, say labelfile.Columns.ID id`,
		"no,customer_id,kind\n0,5,x\n1,6,y\n":         `if column "customer_id" holds ids, say labelfile.Columns.ID customer_id`,
		"degree,uid,kind\n0,5,x\n1,6,y\n":             `if column "uid" holds ids, say labelfile.Columns.ID uid`,
		"no,kind,Node ID\n0,x,5\n1,y,6\n":             `if column "Node ID" holds ids, say labelfile.Columns.ID 3`,
		"idx,kind,name\n0,x,5\n1,y,6\n":               `if column "name" holds ids, say labelfile.Columns.ID name`,
		"index,name,kind\n0,Ann,x\n1,Ben,y\n":         "", // the names are no nodes
		"index,id,kind\n0,0,x\n1,1,y\n":               "", // both say the same
		"id,user_id,kind\n0,5,x\n1,6,y\n":             "",
		"node,index,kind\n5,0,x\n6,1,y\n":             "",
		"paper,age,kind\n0,5,x\n1,6,y\n":              "",
		"customer_id,product_id,kind\n0,5,x\n1,6,y\n": "",
	} {
		l, err := labelfile.ReadColumns(strings.NewReader(text), "f", ids.Sequence(9), labelfile.Columns{Label: "kind"}, labelfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range l.Notes.Only(notes.IDColumn).Doubtful() {
			got += n.Advice
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestReadColumnsFaults: the line and what was expected.
func TestReadColumnsFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "f:1: empty, expected a line with the names of columns",
		"id,kind\n":             "f: no labels of nodes of the graph",
		"id,kind\na,\n":         "f: no labels of nodes of the graph",
		"\xff\xfei\x00":         `f:1: this looks like UTF-16, expected UTF-8, such as by iconv -f UTF-16 -t UTF-8`,
		"id,sort\na,x\n":        `f:1: no column named "kind" in the first line`,
		"kind,id\nx,a\n":        `f:1: column "kind" holds both ids and labels`,
		"id,kind,kind\na,x,y\n": `f:1: two columns are named "kind"; say its number`,
		"id,kind\na,x\nb\n":     "f:3: 1 column, expected 2 as in the first line",
		"id,kind\na,x\nb,x,y\n": "f:3: 3 columns, expected 2 as in the first line",
		"id,kind\n,x\n":         "f:2: empty node id in column 1",
		"id,kind\nz,x\n":        `f:2: node "z" is not in the graph; nodes are called such as "a"; labelfile.Options.SkipUnknown`,
		"id,kind\na,x\na,y\n":   `f:3: node "a" has label "y", but "x" on line 2`,
		"id,kind\na,\"x\n":      `f:2: extraneous or missing " in quoted-field`,
		"id,kind\na,x\"y\n":     `f:2: bare " in non-quoted-field`,
		"id,kind\na,\"x\ny\"\n": `f:2: label "x\ny", expected UTF-8 without control characters`,
		"id,kind\na,\xff\n":     `f:2: label "\xff", expected UTF-8 without control characters`,
		"id,kind\na,x\nb,\"" + strings.Repeat("x\n", 1<<20): "f:3: a row longer than 1048576 bytes",
		strings.Repeat("x,", 1<<20):                         "f:1: a row longer than 1048576 bytes",
	} {
		_, err := labelfile.ReadColumns(strings.NewReader(text), "f", abc(t), labelfile.Columns{Label: "kind"}, labelfile.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q: got %v, expected %s", text, err, want)
		}
	}
	_, err := labelfile.ReadColumns(strings.NewReader("id,kind,w\na,x,-1\n"), "f", abc(t), labelfile.Columns{Label: "kind", Weight: "w"}, labelfile.Options{})
	if err == nil || err.Error() != `f:2: weight "-1" is negative, expected at least 0` {
		t.Error(err)
	}
}

// TestMulti: several labels a node without weights, where that is asked for.
func TestMulti(t *testing.T) {
	nodes := abc(t)
	l, err := labelfile.Read(strings.NewReader("a\tx\na\ty\nb\ty\na\tx\n"), "f", nodes, labelfile.Options{Multi: true})
	if err != nil || seedText(l, nodes) != "a=x*1 a=y*1 b=y*1" || l.Stats.Repeated != 1 {
		t.Errorf("%v, %+v", err, l)
	}
	if _, err := labelfile.Read(strings.NewReader("a\tx\na\ty\n"), "f", nodes, labelfile.Options{}); err == nil || !strings.HasSuffix(err.Error(), "or labelfile.Options.Multi") {
		t.Error(err)
	}
	// Who has asked for several labels is not told to ask for them.
	if _, err := labelfile.Read(strings.NewReader("a,['x', 'y']\n"), "f", nodes, labelfile.Options{Multi: true}); err == nil || !strings.HasSuffix(err.Error(), "; if these are several labels of a node, write a row for each") {
		t.Error(err)
	}
}

// FuzzColumns asks that no text makes ReadColumns panic.
func FuzzColumns(f *testing.F) {
	f.Add("id,kind\na,x\n\"c, d\",\"y\"\"\"\n", "kind", "")
	f.Add("kind;id;w\nx;a;0.5\n", "1", "2")
	f.Add("id\tkind\r\na\t\r\n\r\nb\tz", "kind", "id")
	f.Fuzz(func(t *testing.T, text, label, id string) {
		l, err := labelfile.ReadColumns(strings.NewReader(text), "f", abc(t), labelfile.Columns{Label: label, ID: id}, labelfile.Options{SkipUnknown: true})
		if err == nil && (len(l.Seeds) == 0 || len(l.Classes) == 0) {
			t.Error("no labels and no error")
		}
	})
}
