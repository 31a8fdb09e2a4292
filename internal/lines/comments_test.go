package lines

import (
	"strings"
	"testing"
)

// TestComments: which lines are comments, by the file or as said, and how they are counted.
func TestComments(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		said             []string
		rows, notes      string
	}{
		{"SNAP", "g.tsv", "# a\tb\n%x\ny\tz\n", nil, "y|z", "2 comment lines skipped (the first: line 1, \"# a\\tb\")"},
		{"csv", "g.CSV.zst", "#a,b\n%x,y\n", nil, "#a|b %x|y", ""},
		{"csv, said", "g.csv", "#a,b\n%x,y\n", []string{"#"}, "%x|y", "1 comment line skipped (the first: line 1, \"#a,b\")"},
		{"none, said", "g", "#a b\n%x y\n", []string{}, "#a|b %x|y", ""},
		{"two letters", "g", "/ b\n// c\n", []string{"//"}, "/|b", "1 comment line skipped (the first: line 2, \"// c\")"},
		{"like data", "g", "a b\n#c b\n#d 5\n#b a\n", nil, "a|b", "3 comment lines that read like data skipped (the first: line 2, \"#c b\")"},
		{"cut", "g", "a b\n#b a\n#a b\n", nil, "a|b", "2 comment lines skipped (the first: line 2, \"#b a\")"},
		{"odd", "g.csv", "a,b\n# c,d\n##,e\n#f,g\n", nil, "a|b # c|d ##|e #f|g", "2 lines in the form of a comment read as data (the first: line 2, \"# c,d\")"},
		{"bytes", "g", "#\xff\x01\na b\n", nil, "a|b", "1 comment line skipped (the first: line 1, \"#�\\x01\")"},
		{"nothing", "g", "# a\n#b\n\n", nil, "", "2 comment lines skipped (the first: line 1, \"# a\"); 1 blank line skipped (the first: line 3)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewScanner(strings.NewReader(c.text), c.file)
			s.SetComments(CommentsOf(c.file, c.said))
			rows, _ := read(s)
			ids := map[string]bool{}
			for _, row := range rows {
				for id := range strings.SplitSeq(row, "|") {
					ids[id] = true
				}
			}
			got := s.Skips().Notes(true, func(id []byte) bool { return ids[string(id)] }).String()
			if strings.Join(rows, " ") != c.rows || got != c.notes || s.Err() != nil {
				t.Errorf("got  %q, %s, %v\nwant %q, %s", rows, got, s.Err(), c.rows, c.notes)
			}
		})
	}
	for text, ok := range map[string]bool{"#": true, "%": true, "//": true, "!": true, "": false, "a": false, "1": false, "-": false, ",": false, "\"": false, "#\t": false, "é": false, "_": false, ".": false, "+": false} {
		if err := CheckComments([]string{text}); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestTitles: what titles say.
func TestTitles(t *testing.T) {
	for pair, want := range map[[2]string][3]bool{
		{"Source", "TARGET"}:        {true, false, false},
		{"# source", "target"}:      {true, false, false},
		{"node", "label"}:           {false, true, false},
		{"Node_ID", "Class"}:        {false, true, false},
		{"userId", "movieId"}:       {false, false, true},
		{"book_id", "reader"}:       {false, false, true},
		{"person_a", "person_b"}:    {false, false, false},
		{"user", "user"}:            {false, false, false},
		{"", ""}:                    {false, false, false},
		{"follower_id", "followee"}: {false, false, false},
	} {
		a, b := []byte(pair[0]), []byte(pair[1])
		if got := [3]bool{AreEdgeTitles(a, b), AreLabelTitles(a, b), AreTwoKinds(pair[0], pair[1])}; got != want {
			t.Errorf("%q: %v, want %v", pair, got, want)
		}
	}
}

// TestIDTitles: titles that say plainly that a column holds ids, and those that numbers have too.
func TestIDTitles(t *testing.T) {
	for title, want := range map[string][2]bool{"ID": {true, false}, "# node": {true, false}, "user_id": {true, false}, "User": {false, true}, "name": {false, true}, "vertex": {false, true}, "customer_id": {false, true}, "Customer ID": {false, true}, "customerId": {false, true}, "userID": {true, false}, "patientID": {false, true}, "grid": {}, "GRID": {}, "Madrid": {}, "age": {}, "label": {}, "": {}} {
		if got := [2]bool{IsIDTitle([]byte(title)), MayBeIDTitle([]byte(title))}; got != want {
			t.Errorf("%q: %v, want %v", title, got, want)
		}
	}
}
