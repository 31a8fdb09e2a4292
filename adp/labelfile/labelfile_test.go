package labelfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/panics"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

func tableOf(t testing.TB, names ...string) *ids.Table {
	t.Helper()
	table := ids.NewTable()
	for _, name := range names {
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

// show writes labels as one line, seeds in order of node and class.
func show(l *Labels, nodes *ids.Table) string {
	var seeds []string
	for _, s := range l.Seeds {
		seeds = append(seeds, fmt.Sprintf("%s=%s:%v", nodes.Name(int(s.Node)), l.Classes[s.Class], s.Weight))
	}
	slices.Sort(seeds)
	return fmt.Sprint(l.Classes, " ", strings.Join(seeds, " "))
}

func TestRead(t *testing.T) {
	nodes := tableOf(t, "a", "b", "c", "#d", "New York")
	var packed bytes.Buffer
	w, err := stream.Writer(&packed, ".gz")
	if err == nil {
		_, err = io.WriteString(w, "a X\nb Y\n")
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		opt        Options
		want       string
		stats      Stats
	}{
		{"plain", "b Y\na X\n", Options{}, "[X Y] a=X:1 b=Y:1", Stats{Lines: 2}},
		{"gzip", packed.String(), Options{}, "[X Y] a=X:1 b=Y:1", Stats{Lines: 2}},
		{"commas, CRLF, comments", "# x\r\na,the first\r\n\r\nNew York,Y", Options{}, "[Y the first] New York=Y:1 a=the first:1", Stats{Lines: 2}},
		{"numeric classes", "a 10\nb 9\nc -1", Options{}, "[-1 9 10] a=10:1 b=9:1 c=-1:1", Stats{Lines: 3, MissingLike: 1, MissingTexts: "-1"}},
		{"one word makes all bytes", "a 10\nb 9\nc x", Options{}, "[10 9 x] a=10:1 b=9:1 c=x:1", Stats{Lines: 3}},
		{"header", "node label\na X", Options{Header: true}, "[X] a=X:1", Stats{Lines: 1}},
		{"header that is data", "b Y\na X", Options{Header: true}, "[X] a=X:1", Stats{Lines: 1, HeaderData: "b"}},
		{"like missing", "a None\nb X\nc NA", Options{}, "[NA None X] a=None:1 b=X:1 c=NA:1", Stats{Lines: 3, MissingLike: 2, MissingTexts: "NA,None"}},
		{"like missing in a spreadsheet", "a #N/A\nb X\nc missing", Options{}, "[#N/A X missing] a=#N/A:1 b=X:1 c=missing:1", Stats{Lines: 3, MissingLike: 2, MissingTexts: "#N/A,missing"}},
		{"like missing in databases", "a \\N\nb X\nc n.a.", Options{}, "[X \\N n.a.] a=\\N:1 b=X:1 c=n.a.:1", Stats{Lines: 3, MissingLike: 2, MissingTexts: "\\N,n.a."}},
		{"a code beside words", "a 9999\nb X\nc Y", Options{}, "[9999 X Y] a=9999:1 b=X:1 c=Y:1", Stats{Lines: 3, MissingLike: 1, MissingTexts: "9999"}},
		{"a code below 0 that most labels are", "a -99\nb 0\nc -99", Options{}, "[-99 0] a=-99:1 b=0:1 c=-99:1", Stats{Lines: 3, MissingLike: 2, MissingTexts: "-99"}},
		{"a code below 0 beside others", "a -9\nb 0\nc -1", Options{}, "[-9 -1 0] a=-9:1 b=0:1 c=-1:1", Stats{Lines: 3}},
		{"a code beside numbers", "a 9999\nb 0\nc 1", Options{}, "[0 1 9999] a=9999:1 b=0:1 c=1:1", Stats{Lines: 3}},
		{"99 that most labels are", "a 99\nb 1\nc 99", Options{}, "[1 99] a=99:1 b=1:1 c=99:1", Stats{Lines: 3, MissingLike: 2, MissingTexts: "99"}},
		{"a code that most labels are", "a 9999\nb 0\nc 9999", Options{}, "[0 9999] a=9999:1 b=0:1 c=9999:1", Stats{Lines: 3, MissingLike: 2, MissingTexts: "9999"}},
		{"a code beside numbers and words", "a 9999\nb 0\nc X", Options{}, "[0 9999 X] a=9999:1 b=0:1 c=X:1", Stats{Lines: 3}},
		{"a code beside fractions", "a -9\nb 0.5\nc 1.5", Options{}, "[-9 0.5 1.5] a=-9:1 b=0.5:1 c=1.5:1", Stats{Lines: 3}},
		{"-1 beside a number and text", "a -1\nb X\nc 5", Options{}, "[-1 5 X] a=-1:1 b=X:1 c=5:1", Stats{Lines: 3, MissingLike: 1, MissingTexts: "-1"}},
		{"-1 beside numbers", "a -1\nb 0\nc 1", Options{}, "[-1 0 1] a=-1:1 b=0:1 c=1:1", Stats{Lines: 3, MissingLike: 1, MissingTexts: "-1"}},
		{"-1 beside fractions", "a -1\nb 0.5\nc -1", Options{}, "[-1 0.5] a=-1:1 b=0.5:1 c=-1:1", Stats{Lines: 3, MissingLike: 2, MissingTexts: "-1"}},
		{"-1 and 1", "a -1\nb 1", Options{}, "[-1 1] a=-1:1 b=1:1", Stats{Lines: 2}},
		{"-1 beside others below 0", "a -1\nb 0\nc -2", Options{}, "[-2 -1 0] a=-1:1 b=0:1 c=-2:1", Stats{Lines: 3}},
		{"-1 beside text", "a -1\nb X", Options{}, "[-1 X] a=-1:1 b=X:1", Stats{Lines: 2, MissingLike: 1, MissingTexts: "-1"}},
		{"missing", "a None\nb X\nc NA\nq None", Options{Missing: []string{"None", "NA"}}, "[X] b=X:1", Stats{Lines: 1, Blank: 3}},
		{"unknown", "a X\nz Y\nq X 2", Options{SkipUnknown: true}, "[X] a=X:1", Stats{Lines: 3, Unknown: 2}},
		{"repeated", "a X\na X\na X", Options{}, "[X] a=X:1", Stats{Lines: 3, Repeated: 2}},
		{"repeated with weights", "a X 0.5\na X 2\na X\na X 0.25", Options{}, "[X] a=X:2", Stats{Lines: 4, Repeated: 3}},
		{"soft", "a X 0.5\nb Y\na Y 0.25\na X 0.75", Options{}, "[X Y] a=X:0.75 a=Y:0.25 b=Y:1", Stats{Lines: 4, Repeated: 1}},
		{"weight 0 says nothing", "a X\na Y 0\nb Z 0\nc Y", Options{}, "[X Y] a=X:1 c=Y:1", Stats{Lines: 4, Zero: 2, ZeroClasses: `"Z"`}},
		{"the ends of weights", "a X 1e9\nb X 1e-9", Options{}, "[X] a=X:1e+09 b=X:1e-09", Stats{Lines: 2}},
		{"weights of unknown nodes do not matter", "a X\nz Y 1e300", Options{SkipUnknown: true}, "[X] a=X:1", Stats{Lines: 2, Unknown: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(strings.NewReader(c.text), "f", nodes, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if show(got, nodes) != c.want || got.Stats != c.stats {
				t.Errorf("got  %s %+v\nwant %s %+v", show(got, nodes), got.Stats, c.want, c.stats)
			}
		})
	}
}

func TestReadFaults(t *testing.T) {
	nodes := tableOf(t, "a", "b", "c")
	for _, c := range []struct {
		name, text string
		opt        Options
		want       []string
	}{
		{"unknown", "a X\n\nz Y", Options{}, []string{`f:3: node "z" is not in the graph`, "labelfile.Options.SkipUnknown ignores"}},
		{"unknown on the first line", "person party\na X", Options{}, []string{`f:1: node "person" is not in the graph`, "labelfile.Options.Header"}},
		{"unknown on the first line, a class as others", "person X\na X\nb X", Options{}, []string{`f:1: node "person" is not in the graph`, "labelfile.Options.Header"}},
		{"unknown on the first line, a class of one as another", "person Z\na X\nb X\nc Y", Options{}, []string{`f:1: node "person" is not in the graph`, "labelfile.Options.Header"}},
		{"unknown on the first line, and further down", "person party\na X\nz X", Options{}, []string{`f:3: node "z" is not in the graph`}},
		{"two labels", "a X\nb X\na Y", Options{}, []string{`f:3: node "a" has label "Y", but "X" on line 1`, "a weight with each"}},
		{"two labels, one weight", "a X 0.5\na Y", Options{}, []string{`f:2: node "a" has label "Y", but "X" on line 1`}},
		{"two labels, other weight", "a X\na Y 0.5", Options{}, []string{`f:2: node "a" has label "Y", but "X" on line 1`}},
		{"two labels, a bare repetition between", "a X 0.5\na X\na Y 0.5", Options{}, []string{`f:3: node "a" has label "Y", but "X" on line 1`}},
		{"two labels, a bare repetition after", "a X 0.5\na Y 0.5\na X", Options{}, []string{`f:3: node "a" has label "X" without a weight, but another label above`}},
		{"weight", "a X nan", Options{}, []string{`f:1: weight "nan" is not finite`}},
		{"negative", "a X -1", Options{}, []string{`f:1: weight "-1" is negative`}},
		{"large", "a X 2e9", Options{}, []string{`f:1: label weight "2e+09", expected 0 or between 1e-09 and 1e+09`}},
		{"small", "a X 1e-10", Options{}, []string{`f:1: label weight "1e-10"`}},
		{"one column", "a X\nb", Options{}, []string{"f:2: 1 column, expected 2 or 3: id label [weight]"}},
		{"four columns", "a X 1 2", Options{}, []string{"f:1: 4 columns"}},
		{"empty label", "a,X\nb,,1", Options{}, []string{"f:2: empty label in column 2"}},
		{"empty id", "a,X\n,X", Options{}, []string{"f:2: empty node id in column 1"}},
		{"control byte", "a X\nb \x1b[2J", Options{}, []string{"f:2: control byte 0x1b"}},
		{"empty", "", Options{}, []string{"f: no labels of nodes of the graph"}},
		{"header only", "node label", Options{Header: true}, []string{"f: no labels"}},
		{"nothing known", "z X", Options{SkipUnknown: true}, []string{"f: no labels"}},
		{"nothing but zeros", "a X 0", Options{}, []string{"f: no labels"}},
		{"cut gzip", "\x1f\x8b\x08\x00", Options{}, []string{"f: reading after line 0:"}},
		{"line 100,001", strings.Repeat("a X\n", 100_000) + "z X", Options{}, []string{`f:100001: node "z"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text), "f", nodes, c.opt)
			if err == nil {
				t.Fatal("no error")
			}
			for k, part := range c.want {
				if !strings.Contains(err.Error(), part) || k == 0 && !strings.HasPrefix(err.Error(), part) {
					t.Errorf("got %v, want %s", err, part)
				}
			}
			var read *lines.ReadError
			if !errors.Is(err, lines.ErrSyntax) && !errors.As(err, &read) {
				t.Errorf("%T", err)
			}
		})
	}
	_, err := Read(strings.NewReader("node label\nz X"), "f", nodes, Options{Header: true})
	if err == nil || strings.Contains(err.Error(), "labelfile.Options.Header") {
		t.Errorf("the header was skipped, but: %v", err)
	}
}

// Whether a file is good, and what it says, does not depend on the order of
// its lines.
func TestReadIgnoresOrder(t *testing.T) {
	nodes := tableOf(t, "a", "b", "c")
	good, bad := 0, 0
	for trial := range uint64(150) {
		random := rand.New(rand.NewPCG(trial, 1))
		var list []string
		for range 1 + random.IntN(6) {
			weight := []string{"", " 0.5", " 2", " 0"}[random.IntN(4)]
			list = append(list, string(rune('a'+random.IntN(3)))+" "+string(rune('X'+random.IntN(3)))+weight)
		}
		want, wantErr := Read(strings.NewReader(strings.Join(list, "\n")), "f", nodes, Options{})
		for range 3 {
			random.Shuffle(len(list), func(p, q int) { list[p], list[q] = list[q], list[p] })
			got, err := Read(strings.NewReader(strings.Join(list, "\n")), "f", nodes, Options{})
			switch {
			case (err == nil) != (wantErr == nil):
				t.Fatalf("trial %d: %q gives %v, in another order %v", trial, list, err, wantErr)
			case err != nil:
				bad++
			case show(got, nodes) != show(want, nodes) || got.Stats != want.Stats:
				t.Fatalf("trial %d: %q gives %s, in another order %s", trial, list, show(got, nodes), show(want, nodes))
			default:
				good++
			}
		}
	}
	if good < 50 || bad < 50 {
		t.Errorf("%d good and %d bad files say little", good, bad)
	}
}

// resultOf returns a made-up result of n nodes and c classes.
func resultOf(random *rand.Rand, n, c int) *adp.Result {
	r := &adp.Result{
		Labels: make([]int32, n), F: csr.NewDense(n, c), Status: make([]adp.Status, n),
		Confidence: make([]float32, n), Margin: make([]float32, n),
	}
	for i := range n {
		r.Status[i] = adp.Status(random.IntN(4))
		if r.Status[i] == adp.Unreached {
			r.Labels[i] = -1
			continue
		}
		r.Labels[i] = int32(random.IntN(c))
		r.Confidence[i], r.Margin[i] = random.Float32(), random.Float32()
		for j := range c {
			r.F.Set(i, j, float32(math.Exp2(-100*random.Float64())))
		}
	}
	return r
}

func TestWriteReadRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "#b", "%", "New York", "ü, x", `"x", y`, "\ufeffmark", "7", "node"}
	classes := []string{"one", "#two", "the third, of three"}
	nodes := tableOf(t, names...)
	for range 50 {
		r := resultOf(random, len(names), len(classes))
		for _, table := range []Table{{}, {Proba: true}, {Comma: true}, {Comma: true, Proba: true}} {
			var out bytes.Buffer
			if err := Write(&out, r, nodes, classes, table); err != nil {
				t.Fatal(err)
			}
			got, err := ReadPredictions(&out, "f")
			if err != nil || len(got) != len(names) {
				t.Fatalf("%d rows, %v", len(got), err)
			}
			for i, p := range got {
				label := ""
				if r.Labels[i] >= 0 {
					label = classes[r.Labels[i]]
				}
				if p.Node != names[i] || p.Label != label || p.Status != r.Status[i].String() ||
					math.Abs(p.Confidence-float64(r.Confidence[i])) > 5.1e-7 || math.Abs(p.Margin-float64(r.Margin[i])) > 5.1e-7 {
					t.Errorf("%s: got %+v, want label %q, %v, %v, %v", names[i], p, label, r.Confidence[i], r.Margin[i], r.Status[i])
				}
			}
		}
	}
}

func TestWrite(t *testing.T) {
	r := &adp.Result{
		Labels: []int32{1, -1}, F: &csr.Dense{Rows: 2, Cols: 2, Data: []float32{1, 3, 0, 0}},
		Confidence: []float32{0.75, 0}, Margin: []float32{0.5, 0}, Status: []adp.Status{adp.Seed, adp.Unreached},
	}
	var out bytes.Buffer
	if err := Write(&out, r, tableOf(t, "a", "b"), []string{"X", "Y"}, Table{Proba: true}); err != nil {
		t.Fatal(err)
	}
	want := "node\tlabel\tconfidence\tmargin\tstatus\tX\tY\n" +
		"a\tY\t0.750000\t0.500000\tseed\t0.250000\t0.750000\n" +
		"b\t\t0.000000\t0.000000\tunreached\t0.000000\t0.000000\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// The columns of --proba add up to 1 in every row that a seed reaches, also
// where F is as small as float32 goes, and to 0 in the others.
func TestWriteProba(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	const n, c = 200, 7
	r := resultOf(random, n, c)
	for i := 0; i < n; i += 3 {
		for j := range c {
			r.F.Set(i, j, r.F.At(i, j)*0x1p-120)
		}
		if r.Labels[i] >= 0 {
			r.F.Set(i, 0, math.SmallestNonzeroFloat32)
		}
	}
	var out bytes.Buffer
	if err := Write(&out, r, ids.Sequence(n), strings.Split("abcdefg", ""), Table{Proba: true}); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
		sum, v, want := 0.0, 0.0, 1.0
		for _, field := range strings.Split(line, "\t")[5:] {
			if _, err := fmt.Sscan(field, &v); err != nil {
				t.Fatal(err)
			}
			sum += v
		}
		if r.Labels[i] < 0 {
			want = 0
		}
		if !(math.Abs(sum-want) <= c*5.1e-7) {
			t.Errorf("row %d sums to %v: %s", i, sum, line)
		}
	}
}

// A name that would break the file is refused; a class name with a tab can
// come from a label file of commas.
func TestWriteRefusesNames(t *testing.T) {
	nodes := tableOf(t, "a")
	labels, err := Read(strings.NewReader("a,X,1\na,X\tY,1"), "f", nodes, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := resultOf(rand.New(rand.NewPCG(1, 4)), 1, 2)
	if err := Write(io.Discard, r, nodes, labels.Classes, Table{}); !errors.Is(err, ErrName) {
		t.Errorf("classes %q: %v", labels.Classes, err)
	}
	for _, name := range []string{"", "X\tY", "X\n", "X\r", " X", "X ", "\xff", "\x00"} {
		var out bytes.Buffer
		if err := Write(&out, r, nodes, []string{"ok", name}, Table{}); !errors.Is(err, ErrName) || out.Len() > 0 {
			t.Errorf("class %q: error %v, wrote %q", name, err, out.String())
		}
		if err := Write(&out, r, tableOf(t, name), []string{"ok", "good"}, Table{}); !errors.Is(err, ErrName) {
			t.Errorf("node %q: error %v, wrote %q", name, err, out.String())
		}
	}
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestWriteReportsFullDisk(t *testing.T) {
	for _, n := range []int{1, 50_000} {
		r := resultOf(rand.New(rand.NewPCG(1, 5)), n, 2)
		if err := Write(&full{left: 20}, r, ids.Sequence(n), []string{"X", "Y"}, Table{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%d rows: got %v", n, err)
		}
	}
}

func TestReadPredictionsFaults(t *testing.T) {
	const header = "node\tlabel\tconfidence\tmargin\tstatus\n"
	for text, want := range map[string]string{
		"":                                      "expected the header: node label confidence margin status",
		"a\tX\n":                                "expected the header",
		"node\tlabel\tconfidence\tmargin\n":     "expected the header",
		"node\tlabel\tmargin\tconfidence\tst\n": "expected the header",
		header + "a\tX\t1\t1\n":                 "f:2: 4 columns, expected at least 5",
		header + "a\tX\tone\t1\tseed\n":         `f:2: confidence "one" is not a decimal number, expected one such as 0.25`,
		header + "a\tX\t1\t\tseed\n":            `f:2: margin "" is missing, expected one such as 0.25`,
		header + "a\tX\t1\t1\ts\x00\n":          "f:2: control byte 0x00",
		header + "a\tX\t0x1p-1\t1\tseed\n":      `f:2: confidence "0x1p-1" is not a decimal number`,
		header + "a\tX\t1\t0x1p-1\tseed\n":      `f:2: margin "0x1p-1" is not a decimal number`,
		header + "a\tX\t1\t1\tunreached\n":      `f:2: label "X" and status unreached, expected no label of an unreached node`,
		header + "a\t\t1\t1\tuncertain\n":       "f:2: no label and status uncertain, expected unreached",
		"\x1f\x8b":                              "f: reading after line 0",
	} {
		if _, err := ReadPredictions(strings.NewReader(text), "f"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	if got, err := ReadPredictions(strings.NewReader(header), "f"); len(got) != 0 || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

// Reading labels never panics; what it reads is within the shapes it says,
// each pair of node and class once.
func FuzzLabels(f *testing.F) {
	for _, text := range []string{"a X\nb Y", "a\tX\t0.5\na\tY\t0.5\n", "a,1,0\nb,2,1e9\n# x\nc,3", "node label\nz X", "a X\na X 2\na X", "\x1f\x8b\x08", "a,X\tY"} {
		f.Add([]byte(text), false, false)
		f.Add([]byte(text), true, true)
	}
	nodes := tableOf(f, "a", "b", "c", "#d", "1", "2")
	f.Fuzz(func(t *testing.T, text []byte, header, skip bool) {
		_, _ = ReadPredictions(bytes.NewReader(text), "f")
		got, err := Read(bytes.NewReader(text), "f", nodes, Options{Header: header, SkipUnknown: skip})
		if err != nil {
			return
		}
		seen := map[[2]uint32]bool{}
		for _, s := range got.Seeds {
			pair := [2]uint32{s.Node, s.Class}
			if seen[pair] || int(s.Node) >= nodes.Len() || int(s.Class) >= len(got.Classes) || !(s.Weight > 0 && s.Weight <= maxWeight) {
				t.Errorf("seed %+v of %d classes", s, len(got.Classes))
			}
			seen[pair] = true
		}
		s := got.Stats
		if s.Lines != len(got.Seeds)+s.Unknown+s.Repeated+s.Zero || !skip && s.Unknown > 0 {
			t.Errorf("%d seeds of %+v", len(got.Seeds), s)
		}
		// Every class has a seed.
		of := make([]bool, len(got.Classes))
		for _, s := range got.Seeds {
			of[s.Class] = true
		}
		if slices.Contains(of, false) {
			t.Errorf("a class of %q has no seed", got.Classes)
		}
	})
}

// TestSeedOfNothing: a seed whose row of F is 0, as of a class too small beside others,
// has its labels with a share of 0.
func TestSeedOfNothing(t *testing.T) {
	f := csr.NewDense(2, 2)
	f.Set(0, 1, 1)
	sets, err := multilabel.New(f, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := diffuse.NewSeeds(2, 2, []diffuse.Seed{{Node: 0, Class: 1, Weight: 1}, {Node: 1, Class: 0, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	r := &adp.Result{Status: []adp.Status{adp.Seed, adp.Seed}}
	var out bytes.Buffer
	if err := WritePredictions(&out, MultiPredictions(r, sets, seeds, tableOf(t, "a", "b"), 0, []string{"X", "Y"}), Table{Comma: true}); err != nil {
		t.Fatal(err)
	}
	if want := "node,label,confidence,margin,status\na,Y,1.000000,"; !strings.HasPrefix(out.String(), want) || !strings.HasSuffix(out.String(), "\nb,X,0.000000,0.000000,seed\n") {
		t.Errorf("got\n%s", out.String())
	}
}

// TestNamesOfOthers: a result is written with as many names as it has nodes and classes.
func TestNamesOfOthers(t *testing.T) {
	r := &adp.Result{
		Labels: []int32{0, 1}, Confidence: make([]float32, 2), Margin: make([]float32, 2), Status: make([]adp.Status, 2),
		F: csr.NewDense(2, 2),
	}
	two := []string{"X", "Y"}
	for name, write := range map[string]func(){
		"fewer nodes":   func() { _ = Write(io.Discard, r, tableOf(t, "a"), two, Table{}) },
		"more nodes":    func() { _ = Write(io.Discard, r, tableOf(t, "a", "b", "c"), two, Table{}) },
		"fewer classes": func() { _ = Write(io.Discard, r, tableOf(t, "a", "b"), two[:1], Table{}) },
		"more classes":  func() { _ = Write(io.Discard, r, tableOf(t, "a", "b"), append(two, "Z"), Table{Proba: true}) },
		"rows":          func() { Predictions(r, tableOf(t, "a"), two) },
	} {
		if said := panics.Of(write); !strings.HasPrefix(said, "labelfile: ") {
			t.Errorf("%s: %q", name, said)
		}
	}
	to, err := NewWriter(io.Discard, two, Table{})
	if err != nil {
		t.Fatal(err)
	}
	if said := panics.Of(func() { _ = to.Add(r, tableOf(t, "a", "b", "c"), 2) }); !strings.HasPrefix(said, "labelfile: ") {
		t.Errorf("a piece past the end: %q", said)
	}
}

// TestJudgedTitles reads a first line of an unknown node as titles where its label can be none.
func TestJudgedTitles(t *testing.T) {
	for _, text := range []string{"person party\na X\nb X", "person,party,strength\na,X,1\nb,X,1\n", "person\tparty\na\tX\nb\tX\n"} {
		got, err := Read(strings.NewReader(text), "f", tableOf(t, "a", "b", "c"), Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if noted := got.Notes.Only(notes.Header); len(got.Seeds) != 2 || len(noted) != 1 || noted[0].Line != 1 {
			t.Errorf("%q: %v, notes %v", text, got.Seeds, got.Notes)
		}
	}
}
