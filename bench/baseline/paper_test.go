package baseline

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
