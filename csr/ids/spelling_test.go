package ids

import (
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// TestRespelled: whole numbers in another spelling, and what is none.
func TestRespelled(t *testing.T) {
	for name, want := range map[string]string{
		"1.0": "1", "1.": "1", "01": "1", "+1": "1", "-0": "0", "-07": "-7", "1.000000000000000000e+00": "1", "1.2e+01": "12", "9007199254740992.0": "9007199254740992",
		"Mu\u0308ller": "M\u00fcller", "\u00a0Mu\u0308ller": "M\u00fcller", "M\u00fcller": "",
		"1": "", "-1": "", "1.5": "", "1e5": "", "12e3": "", "": "", "a": "", "1.0.0": "", "1,0": "", "1_0": "", "0x1": "", "nan": "", "9007199254740993.5": "", "1.0e400": "", "+": "", ".": "", "v1.0": "",
	} {
		if got, ok := Respelled([]byte(name)); string(got) != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", name, got, ok, want)
		}
	}
}

// TestNoteSpelling: names that others equal are noted, and names with a point where all are whole.
func TestNoteSpelling(t *testing.T) {
	for _, c := range []struct {
		names string
		want  string
	}{
		{"1 2 a", ""},
		{"01 02", ""},
		{"1 01 a", `1 node id that equals another but for spelling kept as another node (the first: "1 / 01")`},
		{"1 1.0 2.0 +1", `2 node ids that equal another but for spelling kept as another node (the first: "1 / 1.0"); 1 node id that is a whole number with a point read as text (the first: "2.0")`},
		{"0.0 1.0", `2 node ids that are a whole number with a point read as text (the first: "0.0")`},
		{`"a" a " "" b"`, `1 node id in quotes read with them (the first: "\"a\"")`},
		{"1.0 1.1 2.0", ""},
		{"Mu\u0308ller M\u00fcller a", `1 node id that equals another but for spelling kept as another node (the first: "` + "M\u00fcller / Mu\u0308ller" + `")`},
		{"Mu\u0308ller a", ""},
		{"n01 N01 n02 N02 n03 N03 n04", `3 node ids that equal another but for spelling kept as another node (the first: "n01 / N01")`},
		{"ANNA Anna BEN Ben CARL Carl", `3 node ids that equal another but for spelling kept as another node (the first: "Anna / ANNA")`},
		{"n01 N01 n02 N02", ""},
		{"The the One one Red red words are many a b c d e f g h i j k l m n o p q r s t u v", ""},
		{"a A b B c C d D", ""},
		{"aBc AbC abc aBC xYz Xyz xyZ", ""},
		{"N01 N02 N03", ""},
		{"1.0.0 2.0", `1 node id that is a whole number with a point read as text (the first: "2.0")`},
	} {
		var list notes.List
		table := NewTable()
		for name := range strings.FieldsSeq(c.names) {
			if _, err := table.Add([]byte(name)); err != nil {
				t.Fatal(err)
			}
		}
		table.NoteSpelling(&list)
		if got := list.String(); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.names, got, c.want)
		}
	}
	var list notes.List
	Sequence(5).NoteSpelling(&list)
	Integers([]int64{1, 5}).NoteSpelling(&list)
	if len(list) > 0 {
		t.Error(list)
	}
}

// TestAlike: a name is found in the spelling that the table has.
func TestAlike(t *testing.T) {
	for _, c := range []struct{ names, name, want string }{
		{"0.0 1.0", "0", "0.0"},
		{"000 016", "16", "016"},
		{"000 016", "016.0", "016"},
		{"0.000000000000000000e+00 1.600000000000000000e+01", "16", "1.600000000000000000e+01"},
		{`"p000" "p016"`, "p016", `"p016"`},
		{`'a' "1"`, "1.0", `"1"`},
		{"a b", `"a"`, "a"},
		{"1 2", "01", "1"},
		{"1 a", "1", ""}, // itself
		{"1 a", "2", ""},
		{"1.5 a", "1", ""},
		{"a", "A", ""},
		{`"`, "", ""},
	} {
		table := NewTable()
		for name := range strings.FieldsSeq(c.names) {
			if _, err := table.Add([]byte(name)); err != nil {
				t.Fatal(err)
			}
		}
		if got := table.Alike([]byte(c.name)); string(got) != c.want {
			t.Errorf("%s in %s: %q, want %q", c.name, c.names, got, c.want)
		}
	}
	for _, table := range []*Table{Sequence(5), Integers([]int64{1, 3})} {
		if got := table.Alike([]byte("3.0")); string(got) != "3" {
			t.Errorf("%q", got)
		}
		if got := table.Alike([]byte("3")); got != nil {
			t.Errorf("%q", got)
		}
	}
}
