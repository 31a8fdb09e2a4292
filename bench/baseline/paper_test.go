package baseline

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// folder writes a small set under the name of one of the paper's.
func folder(t *testing.T, name string, classes, each int) string {
	t.Helper()
	dir := t.TempDir()
	x := npy.AppendHeader(nil, "<f4", int64(classes*each), int64(2*classes))
	var labels bytes.Buffer
	for i := range classes * each {
		for j := range 2 * classes {
			v := float32(i%7) / 50
			if j/2 == i%classes {
				v = 1 + float32((i*j)%5)/10
			}
			x = binary.LittleEndian.AppendUint32(x, math.Float32bits(v))
		}
		fmt.Fprintf(&labels, "%d\t%d\n", i, i%classes)
	}
	for file, text := range map[string][]byte{name + ".features.npy": x, name + ".labels.tsv": labels.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPaper: a set that is there gets a row for each method with the paper's
// figure beside it, one that is not is skipped with its reason, and the
// files hold what was measured.
func TestPaper(t *testing.T) {
	methods, err := Select([]string{"ADP", "ADP1", "LGC", "KNN", "RDP"})
	if err != nil {
		t.Fatal(err)
	}
	sets, err := SelectSets([]string{"coil20", "yaleb:15", "orl"})
	if err != nil {
		t.Fatal(err)
	}
	var skipped []string
	known := 0
	e := Paper{
		Dir: folder(t, "coil20", 3, 15), Sets: sets, Methods: methods, Draws: 2, Seed: 1, Threads: 1,
		Skipped: func(s Set, err error) {
			if !errors.Is(err, ErrMissing) {
				t.Errorf("%s: %v", s.Name, err)
			}
			skipped = append(skipped, s.Name)
		},
		Known: func(*Outcome) error { known++; return nil },
	}
	out, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Rows) != 5 || len(skipped) != len(sets)-1 || known != 6 {
		t.Fatalf("%d rows, skipped %v, told %d times", len(out.Rows), skipped, known)
	}
	for _, r := range out.Rows {
		for _, c := range r.Cells {
			if mean, _ := c.Mean(); len(c.Accuracy) != 2 || mean < 0.9 {
				t.Errorf("%s %d: %v", c.Method, c.PerClass, c.Accuracy)
			}
		}
	}
	chosen := 0
	for _, r := range out.Traces {
		if r.Chosen && r.Index > 0 {
			chosen++
		}
	}
	if chosen != 2 {
		t.Errorf("%d chosen rounds, want the last of ADP and of ADP1", chosen)
	}
	for what, test := range map[string]struct {
		write func(*bytes.Buffer) error
		lines int
		want  []string
	}{
		"table 1":     {func(b *bytes.Buffer) error { return out.WriteTable(b, 1) }, 16, []string{"| 96.49±1.71 |", "| 99.80±0.10 |", "ADP †", "cited by the paper from Fang", "seconds", "- RDP (Bai et al. 2017)"}},
		"table 1 csv": {func(b *bytes.Buffer) error { return out.WriteTableCSV(b, 1) }, 1 + 5*6, []string{"coil20,1,RDP,diffusion,100.0000,0.0000,87.00±3.54,"}},
		"table 2 csv": {func(b *bytes.Buffer) error { return out.WriteTableCSV(b, 2) }, 1, nil},
		"figure 1":    {func(b *bytes.Buffer) error { return out.WriteFigure1(b) }, 41, []string{"coil20,1,ADP,20,", "coil20,1,ADP1,20,"}},
		"figure 2":    {func(b *bytes.Buffer) error { return out.WriteFigure2(b) }, 1 + 3*6, []string{"coil20,11,LGC,100.0000,0.0000"}},
		"draws":       {func(b *bytes.Buffer) error { return out.WriteDraws(b) }, 1 + 5*6*2, []string{"coil20,11,ADP,1,1.000000"}},
	} {
		var text bytes.Buffer
		if err := test.write(&text); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(text.String(), "\n"); lines < test.lines {
			t.Errorf("%s: %d lines, want %d", what, lines, test.lines)
		}
		for _, want := range test.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: no %q in\n%s", what, want, text.String())
			}
		}
	}
}

// TestPublishedSplit: one draw, of the split: its train has the labels, its
// test alone is tested on. Points of neither part are not.
func TestPublishedSplit(t *testing.T) {
	dir := folder(t, "wikipedia-txt", 3, 20)
	var split strings.Builder
	for i := range 60 {
		fmt.Fprintf(&split, "%d\t%s\n", i, [...]string{"train", "train", "train", "test", "val"}[i/3%5])
	}
	if err := os.WriteFile(filepath.Join(dir, "wikipedia.split.tsv"), []byte(split.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	sets, err := SelectSets([]string{"wikipedia", "orl"})
	if err != nil {
		t.Fatal(err)
	}
	if got := sets[0].Published(); !slices.Equal(got.PerClass, sets[0].PerClass) {
		t.Errorf("%s has no split, and has %v", got.Name, got.PerClass)
	}
	set := sets[1].Published()
	l, err := set.load(t.Context(), dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	seeds, exclude, err := l.draw(0, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	for i, out := range exclude {
		if !out {
			tested++
		}
		if out != (i/3%5 != 3) {
			t.Errorf("point %d: tested %v", i, !out)
		}
	}
	if n := len(seeds.List()); n != 36 || tested != 12 {
		t.Errorf("%d labelled, %d tested, want 36 and 12", n, tested)
	}
	methods, _ := Select([]string{"LGC", "ADP"})
	out, err := Paper{Dir: dir, Sets: []Set{set}, Methods: methods, Draws: 10, Threads: 1}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Rows {
		if len(r.Cells) != 1 || len(r.Cells[0].Accuracy) != 1 || r.Cells[0].Accuracy[0] < 0.9 {
			t.Errorf("%s: %v", r.Method.Name, r.Cells)
		}
	}
	var text bytes.Buffer
	if err := out.WriteTable(&text, 2); err != nil || !strings.Contains(text.String(), "published split") || !strings.Contains(text.String(), "67.5±1.1") {
		t.Errorf("%v\n%s", err, text.String())
	}
	if len(out.Figure2()) != 0 {
		t.Error("a published split has no place in figure 2")
	}
	if _, err := set.load(t.Context(), folder(t, "wikipedia-txt", 3, 20), 1); !errors.Is(err, ErrMissing) {
		t.Errorf("without a split: %v", err)
	}
}

// TestOpenGraph: where the graph is open ADP makes its own, once, and else none.
func TestOpenGraph(t *testing.T) {
	sets, _ := SelectSets([]string{"orl"})
	l, err := sets[0].load(t.Context(), folder(t, "orl", 3, 20), 1)
	if err != nil {
		t.Fatal(err)
	}
	y, _, err := l.draw(8, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	first, err := ADP(t.Context(), &Problem{Data: l.Data, Seeds: y})
	if err != nil {
		t.Fatal(err)
	}
	made := func() (graphs int) {
		for key := range l.kept {
			if strings.HasPrefix(key, "graph ") {
				graphs++
			}
		}
		return graphs
	}
	graphs := made()
	again, err := ADP(t.Context(), &Problem{Data: l.Data, Seeds: y})
	if err != nil || !slices.Equal(first, again) || graphs == 0 || made() != graphs {
		t.Errorf("%v, same labels %v, %d graphs and then %d", err, slices.Equal(first, again), graphs, made())
	}
	l.Open, l.kept = false, nil
	if _, err := ADP(t.Context(), &Problem{Data: l.Data, Seeds: y}); err != nil || made() != 0 {
		t.Errorf("%v, %d graphs beside W", err, made())
	}
}

// TestPublished: every figure belongs to a method and a set, and there is one
// for each number of labels, or one in all.
func TestPublished(t *testing.T) {
	columns := map[string]int{}
	for _, s := range Sets() {
		columns[s.Name] = len(s.PerClass)
	}
	for set, of := range published {
		for name, figures := range of {
			if _, err := Select([]string{name}); err != nil {
				t.Error(err)
			}
			if n := len(figures); n != 1 && n != columns[set] {
				t.Errorf("%s, %s: %d figures for %d columns", set, name, n, columns[set])
			}
		}
	}
}

// TestFigure: by the number of labels, also where others are asked for; one figure stands for all.
func TestFigure(t *testing.T) {
	sets, _ := SelectSets([]string{"coil20", "orl"})
	sets[0].PerClass = []int{4, 5}
	for _, test := range []struct {
		set      Set
		method   string
		perClass int
		want     string
	}{
		{sets[0], "ADP", 5, "99.44±0.99"}, {sets[0], "ADP", 4, "–"}, {sets[0], "LP", 5, "–"}, {sets[1], "ADP", 7, "80.4±1.2"},
	} {
		if got := figure(test.set, test.method, test.perClass); got != test.want {
			t.Errorf("%s %s %d: %s, want %s", test.set.Name, test.method, test.perClass, got, test.want)
		}
	}
}

// TestSelect: unknown names are refused and named.
func TestSelect(t *testing.T) {
	if _, err := Select([]string{"LGC", "magic"}); err == nil || !strings.Contains(err.Error(), `"magic"`) {
		t.Errorf("%v", err)
	}
	if _, err := SelectSets([]string{"iris"}); err == nil || !strings.Contains(err.Error(), `"iris"`) {
		t.Errorf("%v", err)
	}
	if sets, err := SelectSets([]string{"orl"}); err != nil || len(sets) != 1 {
		t.Errorf("%v, %v", sets, err)
	}
}
