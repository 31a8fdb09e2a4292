package labelfile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// fromOne are the nodes 1 to n.
func fromOne(n int) *ids.Table {
	values := make([]int64, n)
	for k := range values {
		values[k] = int64(k + 1)
	}
	return ids.Integers(values)
}

// TestStrange: labels of unknown nodes say how the graph has these nodes, and the way out.
func TestStrange(t *testing.T) {
	numbers, zeros := ids.Sequence(200), tableOf(t, "000", "016", "a")
	quoted, fractions := tableOf(t, `"p000"`, `"p016"`), tableOf(t, "0.0", "16.0")
	const skipped = `no labels of nodes of the graph: node `
	skip := Options{SkipUnknown: true}
	for name, c := range map[string]struct {
		text  string
		nodes *ids.Table
		opt   Options
		want  string
	}{
		"zeros before":                         {"0 x\n", zeros, Options{}, `f:1: node "0" is not in the graph, but "000" is: write ids alike`},
		"zeros before, and no such":            {"5 x\n", tableOf(t, "000", "016"), Options{}, `f:1: node "5" is not in the graph, whose ids are such as "000": write ids alike`},
		"fractions":                            {"0 x\n", fractions, Options{}, `f:1: node "0" is not in the graph, but "0.0" is: ids of the graph became fractions; save them as whole numbers (numpy.savetxt with fmt='%d'; in pandas astype(int))`},
		"fractions, and no such":               {"5 x\n", fractions, Options{}, `f:1: node "5" is not in the graph, whose ids are such as "0.0": ids of the graph became fractions`},
		"quotes":                               {"p000 x\n", quoted, Options{}, `f:1: node "p000" is not in the graph, but "\"p000\"" is: between tabs and blanks quotes are letters; write the graph without (R: quote=FALSE), or with commas`},
		"quotes in the labels":                 {"\"a\" x\n", zeros, Options{}, `f:1: node "\"a\"" is not in the graph, but "a" is: between tabs and blanks quotes are letters; write the file without`},
		"quotes, and no such":                  {"\"b\" x\n", zeros, Options{}, `f:1: node "\"b\"" is not in the graph; between tabs and blanks quotes are letters`},
		"quotes, below names of rows":          {"\"1\" \"a\" \"x\"\n", zeros, Options{}, `f:1: weight "\"x\"" is not a decimal number, expected a decimal number of at least 0; between tabs and blanks quotes are letters`},
		"labels of several words":              {"a deep learning\n", zeros, Options{}, `f:1: weight "learning" is not a decimal number, expected a decimal number of at least 0; labels of several words need tabs or commas between the columns; names of rows`},
		"a third column":                       {"a\tx\ty\n", zeros, Options{}, `f:1: weight "y" is not a decimal number, expected a decimal number of at least 0; if the third column holds no weights`},
		"a class with the name of a node":      {"016 a\nx a\n", zeros, Options{}, `f:2: node "x" is not in the graph; nodes are called such as "000"; labelfile.Options.SkipUnknown ignores such labels`},
		"the label first":                      {"x\ta\n", zeros, Options{}, `f:1: node "x" is not in the graph, but its label "a" is: expected the node before its label`},
		"fractions in the labels":              {"a x\n0.0 y\n", tableOf(t, "0", "a"), Options{}, `f:2: node "0.0" is not in the graph, but "0" is: ids became fractions`},
		"skipped: zeros before":                {"node x\n0 x\n", zeros, skip, `f:2: ` + skipped + `"0" is unknown, but "000" is one: write ids alike`},
		"skipped: fractions":                   {"0 x\n16 y\n", fractions, skip, `f:1: ` + skipped + `"0" is unknown, but "0.0" is one: ids of the graph became fractions`},
		"skipped: fractions, and no such":      {"5 x\n6 y\n", fractions, skip, `f:1: ` + skipped + `"5" is unknown, and ids are such as "0.0": ids of the graph became fractions`},
		"skipped: quotes":                      {"p000 x\n", quoted, skip, `f:1: ` + skipped + `"p000" is unknown, but "\"p000\"" is one: between tabs`},
		"skipped: fractions in the labels":     {"0.0 x\n", numbers, skip, `f:1: ` + skipped + `"0.0" is unknown, but "0" is one: ids became fractions`},
		"skipped: predictions":                 {"0 x\n", fractions, Options{SkipUnknown: true, Of: "the predictions"}, `f:1: no labels of nodes of the predictions: node "0" is unknown, but "0.0" is one: ids of the predictions became`},
		"counted from 0":                       {"0 x\n1 y\n", fromOne(5), Options{}, `f:1: node "0" is not in the graph, whose nodes are 1 to 5: labels seem to count from 0; number both alike, or leave the label of node 0 out if it has no edges`},
		"counted from 0, below":                {"1 x\n\n0 y\n", fromOne(5), Options{}, `f:3: node "0" is not in the graph, whose nodes are 1 to 5`},
		"counted from 0, and nothing else":     {"0 x\n", fromOne(5), skip, `f:1: no labels of nodes of the graph: nodes are 1 to 5, and node "0" is unknown: labels seem`},
		"node 0 is unknown, a node is missing": {"0 x\n1 y\n", ids.Integers([]int64{1, 2, 4}), Options{}, `f:1: node "0" is not in the graph; if this line is a header, say labelfile.Options.Header; labelfile.Options.SkipUnknown`},
		"a node that is a column":              {"100 x\n", ids.Sequence(64), Options{Dims: 101}, `f:1: node "100" is not in the graph; the features have 101 columns: if these are the points, save the transpose (numpy: X.T); if this line`},
		"a node that is a column, from 1":      {"1 x\n101 x\n", fromOne(5), Options{Dims: 101}, `f:2: node "101" is not in the graph; the features have 101 columns`},
		"a node past the columns":              {"1 x\n101 x\n", ids.Sequence(64), Options{Dims: 101}, `f:2: node "101" is not in the graph; nodes are 0 to 63; labelfile.Options.SkipUnknown`},
		"a node that is the title of a column": {"s1 x\n", tableOf(t, "g1", "g2"), Options{Dims: 3, Features: []string{"s0", "s1", "s2"}}, `f:1: node "s1" is not in the graph; the features have 3 columns`},
		"a label for each column":              {"x\ny\nx\n", ids.Sequence(2), Options{Dims: 3}, `f:1: 1 column, expected id label [weight], or lines of one label for each of the 2 nodes, in their order; 3 lines, the first "x"; the features have 3 columns`},
		"a name with a suffix":                 {"AAAC-1 x\nCCGT y\n", tableOf(t, "AAAC-1", "CCGT-1"), Options{}, `f:2: node "CCGT" is not in the graph; nodes are called such as "CCGT-1"; labelfile.Options.SkipUnknown ignores such labels`},
		"a name in an unknown one":             {"AAAC x\ns_CCGT y\n", tableOf(t, "AAAC", "CCGT"), Options{}, `f:2: node "s_CCGT" is not in the graph; nodes are called such as "CCGT"; labelfile.Options.SkipUnknown ignores such labels`},
		"a part of a name by chance":           {"AAAC x\nCCG y\n", tableOf(t, "AAAC", "CCGT"), Options{}, `f:2: node "CCG" is not in the graph; nodes are called such as "AAAC"; labelfile.Options.SkipUnknown ignores such labels`},
		"a name where nodes are numbers":       {"0 x\nCCG y\n", ids.Sequence(7), Options{}, `f:2: node "CCG" is not in the graph; nodes are 0 to 6; labelfile.Options.SkipUnknown ignores such labels`},
		"skipped: other names":                 {"id x\nCCGT y\n", tableOf(t, "AAAC-1", "CCGT-1"), skip, `f: no labels of nodes of the graph, expected lines of the form: id label [weight]; node "CCGT" is unknown, and nodes are called such as "CCGT-1"`},
		"node 9 is unknown":                    {"1 x\n9 y\n", fromOne(5), Options{}, `f:2: node "9" is not in the graph; nodes are called such as "1"; labelfile.Options.SkipUnknown ignores such labels`},
	} {
		_, err := Read(strings.NewReader(c.text), "f", c.nodes, c.opt)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got  %v\nwant %s", name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "1 to 5: labels") && strings.Contains(err.Error(), "SkipUnknown") {
			t.Errorf("%s: advice that moves all other labels: %v", name, err)
		}
	}
}

// TestStrangeNotes: labels that are skipped, and those that may mean none, are noted.
func TestStrangeNotes(t *testing.T) {
	numbers, skip := ids.Sequence(200), Options{SkipUnknown: true}
	for name, c := range map[string]struct {
		text  string
		nodes *ids.Table
		opt   Options
		want  string // codes and counts
	}{
		"counted from 0":                       {"0 x\n1 y\n2 x\n", fromOne(5), skip, "counted-from-zero 2"},
		"node 0 is unknown, and n is labelled": {"0 x\n1 y\n5 x\n", fromOne(5), skip, ""},
		"node 0 is unknown, a node is missing": {"0 x\n1 y\n", ids.Integers([]int64{1, 2, 4}), skip, ""},
		"zeros before, of some":                {"0 x\n7 y\n", tableOf(t, "000", "7"), skip, "similar-ids 1"},
		"zeros before, in the labels":          {"00 x\n7 y\n", numbers, skip, "similar-ids 1"},
		"a dash":                               {"0 red\n1 -\n2 blue\n", numbers, Options{}, "missing 1 -"},
		"-1.0":                                 {"0 0.0\n1 1.0\n2 -1.0\n3 -1.0\n", numbers, Options{}, "missing 2 -1.0"},
		"-1 of savetxt":                        {"0 0\n1 1\n2 -1.000000000000000000e+00\n", numbers, Options{}, "missing 1 -1.000000000000000000e+00"},
		"-1.0 and 1.0":                         {"0 -1.0\n1 1.0\n", numbers, Options{}, ""},
		"-1.0 beside -2.0":                     {"0 -1.0\n1 1.0\n2 -2.0\n", numbers, Options{}, ""},
		"-99":                                  {"0 1\n1 0\n2 -99\n3 999\n", numbers, Options{}, ""},
		"a column of savetxt":                  {"0.0e+00\n-1.000000000000000000e+00\n1.0e+00\n", ids.Sequence(3), Options{}, "labels-by-row 3 blank 1"},
	} {
		l, err := Read(strings.NewReader(c.text), "f", c.nodes, c.opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		l.Notes.Drop(notes.SimilarLabels)
		var got []string
		for _, n := range l.Notes {
			got = append(got, fmt.Sprint(n.Code, " ", n.Count))
		}
		if l.Stats.MissingLike > 0 {
			got = append(got, fmt.Sprint("missing ", l.Stats.MissingLike, " ", l.Stats.MissingTexts))
		}
		if l.Stats.Blank > 0 {
			got = append(got, fmt.Sprint("blank ", l.Stats.Blank))
		}
		if is := strings.Join(got, " "); is != c.want {
			t.Errorf("%s: got %q, want %q", name, is, c.want)
		}
	}
}
