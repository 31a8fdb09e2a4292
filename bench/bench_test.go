package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
	"github.com/adp-sparse/adp-sparse/internal/panics"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// folder makes a set of a planted partition, as edges and as features (two
// coordinates a point, classes on a grid).
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	src, dst, _, class := gen.PlantedPartition(120, 3, 0.3, 0.01, 1)
	var edges, labels, split, features bytes.Buffer
	points := csr.NewDense(120, 2)
	for k := range src {
		fmt.Fprintf(&edges, "%d\t%d\n", src[k], dst[k])
	}
	for i, y := range class {
		fmt.Fprintf(&labels, "%d\tclass%d\n", i, y)
		points.Set(i, 0, 3*float32(y)+float32(i%7)/10)
		points.Set(i, 1, float32(i%11)/10)
		part := "test"
		if i < 9 {
			part = "train"
		}
		fmt.Fprintf(&split, "%d\t%s\n", i, part)
	}
	if err := vecs.WriteDists(&features, "f.features.npy", points.Data, points.Rows, points.Cols); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]*bytes.Buffer{
		"f.features.npy": &features, "f.edges.tsv": &edges, "f.labels.tsv": &labels, "f.split.tsv": &split,
		"p.edges.tsv": &edges, "p.labels.tsv": &labels, "p.split.tsv": &split,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDraw: a draw has perClass nodes of each class, all of small classes,
// only labelled ones, depends on seed and number alone, and differs between
// draws.
func TestDraw(t *testing.T) {
	truth := []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, -1, -1}
	differ := false
	for draw := range uint64(20) {
		seeds := Draw(truth, 3, 2, 7, draw)
		count := map[uint32]int{}
		nodes := map[uint32]bool{}
		for _, s := range seeds {
			if truth[s.Node] != int32(s.Class) || nodes[s.Node] {
				t.Fatalf("draw %d: %+v", draw, seeds)
			}
			nodes[s.Node] = true
			count[s.Class]++
		}
		if count[0] != 2 || count[1] != 2 || count[2] != 1 {
			t.Errorf("draw %d: %v seeds a class", draw, count)
		}
		if !slices.Equal(seeds, Draw(truth, 3, 2, 7, draw)) {
			t.Errorf("draw %d is not repeatable", draw)
		}
		differ = differ || !slices.Equal(seeds, Draw(truth, 3, 2, 7, draw+1))
	}
	if !differ {
		t.Error("all draws are the same")
	}
	if said := panics.Of(func() { Draw(truth, 2, 2, 7, 0) }); said != "bench: node 11 is in class 2, expected below 2" {
		t.Errorf("a class too many: %q", said)
	}
	if said := panics.Of(func() { Draw(truth, 3, -1, 7, 0) }); said != "bench: -1 nodes of each class, expected at least 0" {
		t.Errorf("fewer than no nodes: %q", said)
	}
}

// TestDrawAny: classes have seeds as they have nodes, only labelled ones, each once; draws are repeatable and differ.
func TestDrawAny(t *testing.T) {
	truth := make([]int32, 1000)
	for i := range truth {
		if i%10 == 0 {
			truth[i] = 1
		}
		if i%3 == 0 {
			truth[i] = -1
		}
	}
	count := [2]int{}
	for draw := range uint64(20) {
		seeds := DrawAny(truth, 100, 7, draw)
		nodes := map[uint32]bool{}
		for _, s := range seeds {
			if truth[s.Node] != int32(s.Class) || s.Weight != 1 {
				t.Fatalf("draw %d: %+v", draw, s)
			}
			nodes[s.Node] = true
			count[s.Class]++
		}
		if len(nodes) != 100 || !slices.Equal(seeds, DrawAny(truth, 100, 7, draw)) || slices.Equal(seeds, DrawAny(truth, 100, 7, draw+1)) {
			t.Errorf("draw %d: %d nodes", draw, len(nodes))
		}
	}
	if count[1] < 150 || count[1] > 250 { // of 2,000, a tenth
		t.Errorf("%v seeds a class", count)
	}
	if all := DrawAny(truth, 5000, 7, 0); len(all) != 666 {
		t.Errorf("%d of all 666", len(all))
	}
	if said := panics.Of(func() { DrawAny(truth, -1, 7, 0) }); said != "bench: -1 nodes, expected at least 0" {
		t.Errorf("fewer than no nodes: %q", said)
	}
}

func TestParseSet(t *testing.T) {
	dir := folder(t)
	for _, test := range []struct {
		text string
		ok   bool
	}{{"p", true}, {"p@edges", true}, {"p@knn", false}, {"p@magic", false}, {"q", false}, {"p:x", false}, {"p:2", false}, {"f:2@knn", true}, {"p@both", false}, {"f@both", true}, {"f", true}, {"f@auto", true}} {
		if _, err := ParseSet(dir, test.text); (err == nil) != test.ok {
			t.Errorf("%s: error %v", test.text, err)
		}
	}
}

// TestBoth: the graph of a set of edges and features is that of the edges, with the default's share
// of neighbours beside; from it, the same labels are drawn and the edges can be chosen.
func TestBoth(t *testing.T) {
	var graphs [3]*Graph
	for k, kind := range []string{"both", "edges", "knn"} {
		set, err := ParseSet(folder(t), "f@"+kind)
		if err != nil {
			t.Fatal(err)
		}
		if graphs[k], err = set.Load(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	both, edges, near := graphs[0], graphs[1], graphs[2]
	at, missing := edges.IDs.Match(both.IDs)
	if len(missing) > 0 {
		t.Fatalf("nodes %v are in no row", missing)
	}
	want, _ := csr.Blend(csr.Embed(edges.W, at, 120, 1), near.W, 0.25, 1)
	same := func(w *csr.Matrix, why string) {
		t.Helper()
		for i := range 120 {
			cols, vals := w.Row(i)
			wantCols, wantVals := want.Row(i)
			if !slices.Equal(cols, wantCols) || !slices.Equal(vals, wantVals) {
				t.Fatalf("%s: row %d is %v by %v, want %v by %v", why, i, cols, vals, wantCols, wantVals)
			}
		}
	}
	same(both.W, "both")
	y, err := diffuse.NewSeeds(120, 3, Draw(both.Truth, 3, 4, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	w, err := both.Choose(context.Background(), y)
	if err != nil {
		t.Fatal(err)
	}
	same(w, "chosen where all labels are right")
}

// TestAccuracy: on an easy graph LGC is right, every method has a value a
// draw, and the table has a row.
func TestAccuracy(t *testing.T) {
	sets, err := ParseSets(folder(t), []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	methods := []Method{{Name: "lgc", Options: adp.Options{Method: adp.LGC}}, {Name: "adp"}}
	cells, err := Accuracy{Sets: sets, Methods: methods, PerClass: []int{2, 1000}, Draws: 3, Seed: 1}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != 2 {
		t.Errorf("%d cells, expected 2: 1000 labels leave nothing to test on", len(cells))
	}
	for _, c := range cells {
		if mean, sd := c.Mean(); len(c.Accuracy) != 3 || mean < 0.9 || sd > 0.1 {
			t.Errorf("%s: %v", c.Method, c.Accuracy)
		}
	}
	var table strings.Builder
	if err := WriteAccuracy(&table, cells, methods); err != nil || !strings.Contains(table.String(), "| p   | 2 ") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

// TestDrawn: the file of each draw says what Draw drew, and a draw whose file
// cannot be written ends the experiment.
func TestDrawn(t *testing.T) {
	sets, err := ParseSets(folder(t), []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	a := Accuracy{Sets: sets, PerClass: []int{1, 3}, Draws: 2, Seed: 5}
	a.EachDraw = func(d Drawn) error {
		files[d.File()] = true
		var text bytes.Buffer
		if err := d.Write(&text); err != nil {
			return err
		}
		read, err := labelfile.Read(&text, d.File(), d.Graph.IDs, labelfile.Options{})
		if err != nil {
			return err
		}
		if want := Draw(d.Graph.Truth, 3, d.PerClass, 5, uint64(d.Draw)); !slices.Equal(read.Seeds, want) || !slices.Equal(read.Classes, d.Graph.Classes) {
			t.Errorf("%s: %v %v, want %v %v", d.File(), read.Seeds, read.Classes, want, d.Graph.Classes)
		}
		return nil
	}
	if _, err := a.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"p-1-0.seeds.tsv", "p-1-1.seeds.tsv", "p-3-0.seeds.tsv", "p-3-1.seeds.tsv"} {
		if !files[name] || len(files) != 4 {
			t.Errorf("files %v, want %s among four", files, name)
		}
	}
	if name := (Drawn{Set: "s@both", Splits: AtRandom, PerClass: 2, Draw: 3}).File(); name != "s-both-random-2-3.seeds.tsv" {
		t.Errorf("file %s", name)
	}
	if name := (Drawn{Set: "yaleb:15@l1", PerClass: 2}).File(); name != "yaleb-15-l1-2-0.seeds.tsv" {
		t.Error(name)
	}
	full := errors.New("disk full")
	a.EachDraw = func(Drawn) error { return full }
	if _, err := a.Run(context.Background()); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

// TestRounds: rounds are passed on with their accuracy: that of the chosen one
// is the accuracy of the run. A method's own observer is called as well.
func TestRounds(t *testing.T) {
	sets, err := ParseSets(folder(t), []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	var rounds []RoundRecord
	a := Accuracy{
		Sets: sets, PerClass: []int{1}, Draws: 3, Seed: 1,
		Methods: []Method{
			{Name: "lgc", Options: adp.Options{Method: adp.LGC}},
			{Name: "adp", Options: adp.Options{Select: adp.None, MinChange: -1, Beta: 1e-9, Rounds: 3, Observer: func(adp.Round) { own++ }}},
		},
		EachRound: func(r RoundRecord) { rounds = append(rounds, r) },
	}
	cells, err := a.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	chosen, count := map[string][]float64{}, map[string]int{}
	for _, r := range rounds {
		count[r.Method]++
		if r.Chosen {
			if r.Method == "adp" && r.Index != 3 {
				t.Errorf("round %d is chosen, want the last", r.Index)
			}
			chosen[r.Method] = append(chosen[r.Method], r.Accuracy)
		}
		if r.Nodes != 120 || r.Set != "p" || r.PerClass != 1 || r.Labels != nil || r.Literal {
			t.Errorf("%+v", r)
		}
	}
	if count["lgc"] != 3 || count["adp"] != 12 || own != 12 {
		t.Errorf("%v rounds, %d seen by the method's own observer", count, own)
	}
	for _, c := range cells {
		if !slices.Equal(chosen[c.Method], c.Accuracy) {
			t.Errorf("%s: chosen rounds %v, cells %v", c.Method, chosen[c.Method], c.Accuracy)
		}
	}
	var text strings.Builder
	if err := WriteRounds(&text, []RoundRecord{
		{Set: "s", Method: "m", PerClass: 2, Draw: 3, Nodes: 8, Accuracy: 0.75, Chosen: true, Round: adp.Round{Index: 4, Setting: adp.Setting{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}, DeltaF: 0.01, Changed: 2, Association: 0.9, Modularity: 0.3, Largest: 0.5}},
	}); err != nil || !strings.HasSuffix(text.String(), "chosen,largest\ns,2,m,3,4,5,0.5,0.9,0.750000,0.01,0.250000,0.900000,0.300000,1,0.500000\n") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// TestDifferences: paired differences over the same draws, with the interval
// of Student's t: for d = (0.1, 0.3), mean 0.2, sd 0.1414, t(1) = 12.706.
func TestDifferences(t *testing.T) {
	cells := []Cell{
		{Set: "s", Method: "base", PerClass: 1, Accuracy: []float64{0.5, 0.6}},
		{Set: "s", Method: "other", PerClass: 1, Accuracy: []float64{0.6, 0.9}},
	}
	pairs := Differences(cells, 2)
	if len(pairs) != 1 || math.Abs(pairs[0].Mean-0.2) > 1e-12 || math.Abs(pairs[0].Half-1.2706) > 1e-3 {
		t.Fatalf("%+v", pairs)
	}
	var text strings.Builder
	if err := WriteDifferences(&text, pairs, []Method{{Name: "base"}, {Name: "other"}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"other − base", "+0.2000", "-1.0706 to +1.4706", "mean +0.2000, worst +0.2000 over 1 rows; interval above 0 in 0, below 0 in 0"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in:\n%s", want, text.String())
		}
	}
	text.Reset()
	if err := WriteCSV(&text, cells); err != nil || !strings.Contains(text.String(), "s,1,other,1,0.900000\n") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// TestRunsScore: predictions are compared with the truth by name, on tested
// nodes alone.
func TestRunsScore(t *testing.T) {
	dir := folder(t)
	set, err := ParseSet(dir, "p")
	if err != nil {
		t.Fatal(err)
	}
	g, err := set.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	seeds, tested, err := Runs{}.split(set, g)
	if err != nil || len(seeds) != 9 {
		t.Fatal(len(seeds), err)
	}
	text := "node\tlabel\tconfidence\tmargin\tstatus\n"
	for i, y := range g.Truth {
		label, status := g.Classes[y], "predicted"
		switch {
		case i%10 == 0:
			label, status = "", "unreached"
		case i%10 == 1:
			label = g.Classes[(y+1)%3]
		}
		text += fmt.Sprintf("%d\t%s\t0.5\t0.1\t%s\n", i, label, status)
	}
	file := filepath.Join(dir, "out.tsv")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var r RunRecord
	if err := r.score(g, file, tested); err != nil {
		t.Fatal(err)
	}
	// Nodes 9 to 119 are tested: 11 end in 0, 11 in 1, of 111.
	if r.Tested != 111 || r.Unreached != 11 || r.Accuracy != 89.0/111 {
		t.Errorf("%+v", r)
	}
}

// TestSplitOfUnlabelled: nodes of a split that have no true label are left out.
func TestSplitOfUnlabelled(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p.edges.tsv": "0 1\n1 2\n2 3\n", "p.labels.tsv": "0 a\n3 b\n", "p.split.tsv": "0 train\n1 train\n2 test\n3 test\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	set, err := ParseSet(dir, "p")
	if err != nil {
		t.Fatal(err)
	}
	g, err := set.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	seeds, tested, err := Runs{}.split(set, g)
	if err != nil || !slices.Equal(seeds, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}}) || !slices.Equal(tested, []bool{false, false, false, true}) {
		t.Fatalf("seeds %v, tested %v, %v", seeds, tested, err)
	}
	if got := string(seedLines(g, seeds)); got != "0\ta\n" {
		t.Errorf("lines %q", got)
	}
}

// TestCached: a graph is made once, in a folder that need not be there; while another
// process writes the same graph, its own is used.
func TestCached(t *testing.T) {
	s := Set{base: "p", Cache: filepath.Join(t.TempDir(), "a", "b")}
	w, err := csr.New(2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{2, 2})
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	build := func() (*csr.Matrix, error) { made++; return w, nil }
	for k := range 2 {
		got, err := s.cached("knn", build)
		if err != nil || !reflect.DeepEqual(got, w) || made != 1 {
			t.Fatalf("call %d: %v, %v, made %d times", k, got, err, made)
		}
	}
	other, err := outfile.Create(outfile.OS{}, filepath.Join(s.Cache, "p-0-l1.csr"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Discard()
	if got, err := s.cached("l1", build); err != nil || got != w || made != 2 {
		t.Errorf("%v, %v, made %d times", got, err, made)
	}
	if _, err := (Set{base: "p", Cache: filepath.Join(s.Cache, "p-0-knn.csr")}).cached("knn", build); err == nil || made != 2 {
		t.Errorf("a file as the folder: %v, made %d times", err, made)
	}
}
