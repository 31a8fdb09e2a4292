package labelfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// TestMatch: names are joined by what their match looks at, and by nothing else.
func TestMatch(t *testing.T) {
	number, word := Match{Number: true}, Match{Case: true}
	for _, c := range []struct {
		match Match
		a, b  string
		same  bool
	}{
		{Match{}, "1", "1.0", false},
		{number, "1", "1.0", true},
		{number, "1", "01", true},
		{number, "-1", "-1.00", true},
		{number, "0", "-0.0", true},
		{number, "1e3", "1000", true},
		{number, "0.5", ".50", true},
		{number, "1", "10", false},
		{number, "1", "1.5", false},
		{number, "100000000000000001", "100000000000000002", false},
		{number, "nan", "NaN", false},
		{number, "0x1", "1", false},
		{number, "A", "a", false},
		{word, "A", "a", true},
		{word, "Straße", "STRASSE", false},
		{word, "ÉTÉ", "été", true},
		{word, "cat", " cat ", true},
		{word, "cat", "cat\u00a0", true},
		{word, "big cat", "big  Cat", true},
		{word, `"cat"`, "cat", true},
		{word, "1", "1.0", false},
		{Match{true, true}, "1", "1.0 ", true},
	} {
		if a, b := c.match.Name(c.a), c.match.Name(c.b); (a == b) != c.same {
			t.Errorf("%+v: %q is %q, %q is %q", c.match, c.a, a, c.b, b)
		}
	}
	if _, err := ParseMatch([]string{"number", "size"}); !errors.Is(err, ErrMatch) {
		t.Error(err)
	}
	if m, err := ParseMatch([]string{"case", "number"}); err != nil || m != (Match{true, true}) {
		t.Error(m, err)
	}
}

// TestAlike: labels of two spellings are two classes with a doubt, and one where they are to match.
func TestAlike(t *testing.T) {
	const text = "0 1\n1 1.0\n2 A\n3 a\n4 b\n"
	l, err := Read(strings.NewReader(text), "f", numbered(5), Options{})
	if err != nil || len(l.Classes) != 5 {
		t.Fatal(l, err)
	}
	if doubts := l.Notes.Doubtful(); len(doubts) != 1 || doubts[0].Count != 2 || doubts[0].First != "1 / 1.0" || !strings.Contains(doubts[0].Advice, "Match number ") {
		t.Errorf("%+v", doubts)
	}
	l, err = Read(strings.NewReader(text), "f", numbered(5), Options{Match: Match{Number: true, Case: true}})
	if err != nil || strings.Join(l.Classes, " ") != "1 a b" || l.Notes.Count(notes.MatchedLabels) != 2 || len(l.Notes.Doubtful()) != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	// A node that has both spellings has one label where they match.
	const twice = "0 1\n0 1.0\n1 2\n"
	if _, err := Read(strings.NewReader(twice), "f", numbered(5), Options{}); err == nil {
		t.Error("two labels of a node were taken")
	}
	if l, err := Read(strings.NewReader(twice), "f", numbered(5), Options{Match: Match{Number: true}}); err != nil || l.Stats.Repeated != 1 {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestLabelsTwice: a second call returns the same labels and notes, and no label is taken after.
func TestLabelsTwice(t *testing.T) {
	c := NewCollector("f", ids.Sequence(3), Options{})
	for node, label := range []string{"b", "a", "A"} {
		if err := c.Add([]byte(strconv.Itoa(node)), []byte(label), 0, false, node+1); err != nil { // the weight is 1
			t.Fatal(err)
		}
	}
	first, err := c.Labels()
	if err != nil || first.Seeds[0].Weight != 1 {
		t.Fatal(first, err)
	}
	want := fmt.Sprintf("%+v", *first)
	second, err := c.Labels()
	if got := fmt.Sprintf("%+v", *second); err != nil || got != want {
		t.Errorf("%s, %v, expected %s", got, err, want)
	}
	if err := c.Add([]byte("0"), []byte("c"), 1, false, 4); err == nil || err.Error() != "f:4: a label after Labels, expected all labels before" {
		t.Error(err)
	}
}
