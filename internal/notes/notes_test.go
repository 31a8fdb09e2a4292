package notes

import "testing"

// TestList: kinds are counted together, the lowest line is kept, and an advice makes a warning.
func TestList(t *testing.T) {
	var l, later List
	l.Add(Comments, 2, 7, "# seven")
	later.Add(Comments, 1, 3, "# three")
	later.Doubt(CommentData, 1, 4, "#go\tA", "say --comment none if it is data")
	later.Add(Columns, 0, 1, "none")
	l.Join(later)
	const want = `3 comment lines skipped (the first: line 3, "# three"); 1 comment line that reads like data skipped (the first: line 4, "#go\tA")`
	if got := l.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if d := l.Doubtful(); len(d) != 1 || d[0].Code != CommentData.Code {
		t.Errorf("doubtful: %v", d)
	}
	if l.Count(Comments) != 3 || l.Count(Columns) != 0 {
		t.Errorf("counts: %v", l)
	}
}

// TestPlural: the noun takes the s, not its clause.
func TestPlural(t *testing.T) {
	for noun, want := range map[string]string{
		"column":                            "columns",
		"line in the form of a comment":     "lines in the form of a comment",
		"edge between nodes of the run":     "edges between nodes of the run",
		"edge without a weight":             "edges without a weight",
		"comment line that reads like data": "comment lines that read like data",
	} {
		if got := plural(noun); got != want {
			t.Errorf("%s: %s, want %s", noun, got, want)
		}
	}
}
