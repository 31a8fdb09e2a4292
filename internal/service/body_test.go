package service

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestBodyKeys: keys are taken in their own letters alone; in others, encoding/json
// takes more than those that differ in case, a list was dropped without a word.
func TestBodyKeys(t *testing.T) {
	m, c := start(t, newProblem(t, false).graphs, Options{})
	const x, y = `[{"node": "n30", "label": "red"}]`, `[{"node": "n31", "label": "red"}]`
	for _, test := range []struct{ body, says string }{
		{`{"labels": ` + x + `, "labelſ": ` + y + `}`, `key \"label\\u017f\" before byte 55, expected labels, node, label or was`},
		{`{"labels": ` + x + `, "label\u017f": ` + y + `}`, `key \"label\\u017f\"`},
		{`{"labelſ": ` + x + `}`, `key \"label\\u017f\"`},
		{`{"LABELS": ` + x + `}`, `key \"LABELS\"`},
		{`{"labels": ` + x + `, "Labels": ` + y + `}`, `key \"Labels\"`},
		{`{"labels": [{"node": "n30", "Node": "n31", "label": "red"}]}`, `key \"Node\"`},
		{`{"labels": ` + x + `, "\u006cabels": ` + y + `}`, `\"labels\" is given twice`},
		{`{"labels": ` + x + `, "node": "n30"}`, `unknown field \"node\"`},
		{`{"labels": [{"labels": [], "node": "n30", "label": "red"}]}`, `unknown field \"labels\"`},
	} {
		if w := c.do("POST", "/v1/labels", test.body); w.Code != 400 || !strings.Contains(w.Body.String(), test.says) {
			t.Errorf("%s: %d %s, expected %s", test.body, w.Code, w.Body, test.says)
		}
	}
	if v := m.now.Load().version; v != 0 {
		t.Errorf("the labelling changed %d times", v)
	}
	if w := c.do("POST", "/v1/labels", `{"\u006cabels": `+x+`}`); w.Code != 200 {
		t.Errorf("an escape: %d %s", w.Code, w.Body)
	}
}

// TestBodyCharacters: U+FFFD that is meant is a character as others; one that stands for half
// of a character is refused wherever it is, also beside one that is meant.
func TestBodyCharacters(t *testing.T) {
	names := ids.NewTable()
	for _, name := range []string{"a", "\ufffd", "\U0001f600", `\ud800`} {
		if _, err := names.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	w, _, err := csr.FromEdges(4, &csr.Edges{Src: []uint32{0, 1, 2}, Dst: []uint32{1, 2, 3}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := diffuse.NewSeeds(4, 1, []diffuse.Seed{{Node: 0, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(context.Background(), Graphs{Names: names, Original: w, Learned: w, Classes: []string{"red"}, Seeds: seeds}, diffuse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t, NewServer(m, Options{})}
	for _, test := range []struct {
		node, label string // as JSON has them
		code        int
	}{
		{`\ufffd`, `x`, 200},
		{`\uFFFD`, `x`, 200},
		{"\ufffd", `x`, 200},
		{`a`, `\ufffd`, 200},
		{`a`, `r\uFFFD\ufffdd`, 200},
		{`\ud83d\ude00`, `\uD83D\uDE00`, 200},
		{`\\ud800`, `\\udc00`, 200}, // backslashes
		{`\\ud800`, `\"\/\\`, 200},
		{`a`, `\ud800`, 400},
		{`a`, `\udc00`, 400},
		{`a`, `\uDC00\uD800`, 400},
		{`a`, `\ud83d\ud83d\ude00`, 400},
		{`a`, `\ud83dx`, 400},
		{`a`, `\ud83d\n`, 400},
		{`a`, `\ud83d\ufffd`, 400},
		{`a`, `\ufffd\ud800`, 400},
		{"a", "\ufffd" + `\ud800`, 400},
		{`a`, `\\\ud800`, 400},
		{`\ud800`, `x`, 400},
		{"\ufffd" + `\ud800`, `x`, 400},
	} {
		w := c.do("POST", "/v1/labels", `{"labels": [{"node": "`+test.node+`", "label": "`+test.label+`"}]}`)
		if w.Code != test.code || w.Code != 200 && !strings.Contains(w.Body.String(), `\\u with half of a character at byte`) {
			t.Errorf("%s, %s: %d %s, expected %d", test.node, test.label, w.Code, w.Body, test.code)
			continue
		}
		var node, label string
		for _, x := range []struct {
			text string
			to   *string
		}{{test.node, &node}, {test.label, &label}} {
			if err := json.Unmarshal([]byte(`"`+x.text+`"`), x.to); err != nil {
				t.Fatal(err)
			}
		}
		if got := c.do("GET", "/v1/labels", "").Body.String(); w.Code == 200 && !strings.Contains(got, node+"\t"+label+"\n") {
			t.Errorf("%s, %s: %q", test.node, test.label, got)
		}
	}
}

// TestHalfCharacter: there is half of a character where the decoder makes a U+FFFD of another
// character, in all texts of five of these pieces.
func TestHalfCharacter(t *testing.T) {
	pieces := []string{"", `\ud83d`, `\uDE00`, `\\`, `\"`, `\u0075`, "ud83d", "é"}
	halves := 0
	for k := range len(pieces) * len(pieces) * len(pieces) * len(pieces) * len(pieces) {
		text := `"`
		for range 5 {
			text += pieces[k%len(pieces)]
			k /= len(pieces)
		}
		text += `"`
		var value string
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := strings.Contains(value, "\ufffd")
		if want {
			halves++
		}
		if at := halfCharacter([]byte(text)); at >= 0 != want {
			t.Errorf("%s: %d, decoded as %q", text, at, value)
		}
	}
	if halves < 10000 {
		t.Errorf("%d texts with halves: the test tells little", halves)
	}
}
