package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/predict"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// grown is a graph that grew: 240 old nodes and 60 new ones of three classes, with edges and features
// that both know some of the class.
type grown struct {
	class []int
	x     [][]float32
	edges map[[2]int]float64 // of a smaller and a larger node
}

const oldNodes, newNodes = 240, 60

func newGrown() *grown {
	rng := rand.New(rand.NewPCG(32, 5))
	g := &grown{edges: map[[2]int]float64{}}
	for i := range oldNodes + newNodes {
		g.class = append(g.class, i%3)
		row := make([]float32, 6)
		for j := range row {
			row[j] = float32(rng.NormFloat64())
		}
		row[i%3] += 1.5
		g.x = append(g.x, row)
		if i == 250 {
			continue // a new node without edges
		}
		for range 3 {
			j := rng.IntN(i + 1)
			if rng.IntN(4) > 0 {
				j = j/3*3 + i%3
			}
			if j < i {
				g.edges[[2]int{j, i}] = float64(1 + rng.IntN(3))
			}
		}
	}
	return g
}

// text returns the vectors and the edges of the nodes from lo to hi−1, with names, and the edges that
// end there.
func (g *grown) text(lo, hi int) (vectors, edges string) {
	var x, e strings.Builder
	x.WriteString("name,a,b,c,d,e,f\n")
	for i := lo; i < hi; i++ {
		fmt.Fprintf(&x, "n%d,%v,%v,%v,%v,%v,%v\n", i, g.x[i][0], g.x[i][1], g.x[i][2], g.x[i][3], g.x[i][4], g.x[i][5])
		for j := range i {
			if w := g.edges[[2]int{j, i}]; w > 0 {
				fmt.Fprintf(&e, "n%d\tn%d\t%v\n", i, j, w)
			}
		}
	}
	return x.String(), e.String()
}

func (g *grown) files(t *testing.T) string {
	t.Helper()
	oldX, oldE := g.text(0, oldNodes)
	newX, newE := g.text(oldNodes, oldNodes+newNodes)
	seeds := ""
	for i := range 15 {
		seeds += fmt.Sprintf("n%d\tc%d\n", i, g.class[i])
	}
	numbered := func(text string) string { return strings.ReplaceAll(text, "n", "") }
	bare := func(text string) string {
		var b strings.Builder
		for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
			_, rest, _ := strings.Cut(line, ",")
			b.WriteString(rest + "\n")
		}
		return b.String()
	}
	return files(t, "x.csv", oldX, "e.tsv", oldE, "new.csv", newX, "new.tsv", newE, "s.tsv", seeds,
		"bare.csv", bare(oldX), "numbers.tsv", numbered(oldE), "bare-new.csv", bare(newX), "numbers-new.tsv", numbered(newE), "rows.tsv", numbered(seeds))
}

// TestPredictEdges: new points with edges and features get the row of the equation, and few of them
// another label than a run on all nodes gives; the rows are the same for all blocks and threads, and
// for numbered nodes.
func TestPredictEdges(t *testing.T) {
	g := newGrown()
	dir := g.files(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	if code, _, errs := call("run", "--edges", in("e.tsv"), "--features", in("x.csv"), "--id-column", "name", "--labels", in("s.tsv"), "--out", in("o"), "--model", in("m")); code != 0 {
		t.Fatal(errs)
	}
	args := []string{"predict", "--model", in("m"), "--points", in("new.csv"), "--id-column", "name", "--edges", in("new.tsv"), "--proba"}
	code, out, errs := call(append(args, "--report", in("r.json"))...)
	if code != 0 {
		t.Fatal(errs)
	}
	m, err := points.ReadModel(in("m"), streams.Stdio{})
	must(t, err)
	if m.Guess == nil || m.Joins == nil || !(m.Edges.Beta > 0) || m.Degrees != nil {
		t.Fatalf("guess %v, joins %v, edges %+v, %d degrees, expected all but these", m.Guess != nil, m.Joins != nil, m.Edges, len(m.Degrees))
	}
	want, right := g.mixed(t, m, "n"), 0
	for i := range newNodes {
		for j := range 3 {
			got, err := strconv.ParseFloat(column(out, 5+j)[i], 64)
			if err != nil || math.Abs(got-want[i][j]) > 1e-5 {
				t.Fatalf("point %d, class %d: %v, expected %v", i, j, got, want[i][j])
			}
		}
		if column(out, 1)[i] == fmt.Sprint("c", g.class[oldNodes+i]) {
			right++
		}
	}
	if right < 45 { // by chance 20; of the nodes of the run .92 are right
		t.Errorf("%d of 60 labels are right", right)
	}
	var r predict.Report
	must(t, json.Unmarshal([]byte(read(t, in("r.json"))), &r))
	between, used := 0, 0
	for at := range g.edges {
		switch {
		case at[0] >= oldNodes:
			between++
		case at[1] >= oldNodes:
			used++
		}
	}
	if e := r.Edges; e.Used != used || e.BetweenNew != between || e.BetweenOld != 0 || e.Unknown != 0 || e.Without != 1 || r.Alone != m.Guess.Share {
		t.Errorf("%+v, expected %d edges used and %d between new points", e, used, between)
	}
	if !strings.Contains(errs, fmt.Sprintf("edges           %d used; 1 of the points have none", used)) {
		t.Errorf("summary: %s", errs)
	}
	for _, block := range []string{"1", "7", "60"} {
		for _, threads := range []string{"1", "2", "3", "8"} {
			if _, again, errs := call(append(args, "--block", block, "--threads", threads, "--quiet")...); again != out {
				t.Errorf("another output with blocks of %s and %s threads: %s", block, threads, errs)
			}
		}
	}
	// Without names, points go on with the numbers of the nodes.
	if code, _, errs := call("run", "--edges", in("numbers.tsv"), "--features", in("bare.csv"), "--labels", in("rows.tsv"), "--out", in("o"), "--model", in("numbered")); code != 0 {
		t.Fatal(errs)
	}
	code, bare, errs := call("predict", "--model", in("numbered"), "--points", in("bare-new.csv"), "--edges", in("numbers-new.tsv"), "--proba", "--block", "7")
	if names := strings.ReplaceAll(out, "\nn", "\n"); code != 0 || bare != names {
		t.Errorf("numbered nodes: %s\n%.200s\n%.200s", errs, bare, names)
	}
}

// mixed returns P_x = (1−t) F_x/Σ F_x + t ((1−u) H_x + u N_x) of the new points, F_x over the weights W_e + βW_f, with the t of H_x and without N_x
// for those without edges. The names of nodes begin with prefix.
func (g *grown) mixed(t *testing.T, m *model.Model, prefix string) [][]float64 {
	t.Helper()
	dense := func(lo, hi int) *csr.Dense {
		x := csr.NewDense(hi-lo, 6)
		for i := lo; i < hi; i++ {
			copy(x.Row(i-lo), g.x[i])
		}
		return x
	}
	ctx := context.Background()
	x := dense(oldNodes, oldNodes+newNodes)
	index, err := knn.NewIndex(m.Features.Points(dense(0, oldNodes), 1), m.Joins.Metric, 1)
	must(t, err)
	near, err := index.Nearest(ctx, m.Features.Points(x, 1), m.Joins.Search)
	must(t, err)
	ofFeatures, err := m.Joins.Weights(near, 1)
	must(t, err)
	h, err := m.Guess.Of(ctx, diffuse.Features{Dense: x}, 1)
	must(t, err)
	features := diffuse.Features{Dense: x}
	if m.Guess.Standard != nil {
		features, err = m.Guess.Standard.Apply(features, 1)
		must(t, err)
	}
	z, err := diffuse.Scores(ctx, features.Unit(m.Guess.Roots, 1), m.Guess.Near.V, 1)
	must(t, err)
	out := make([][]float64, newNodes)
	for i := range out {
		around, edges := make([]float64, 3), 0.0
		for old := range oldNodes {
			w := g.edges[[2]int{old, oldNodes + i}]
			edges += w
			for j, v := range m.Guess.Near.Around.Row(old) {
				around[j] += w * float64(v)
			}
		}
		own, share := make([]float64, 3), m.Guess.Share
		for j := range own {
			own[j] = float64(h.At(i, j))
		}
		if edges > 0 {
			mean, all := 0.0, 0.0
			for j := range around {
				around[j] = around[j]/edges + float64(z.At(i, j))
				mean += around[j] / 3
			}
			for j := range around {
				around[j] = math.Exp(1.5 * (around[j] - mean) / m.Guess.Near.Size)
				all += around[j]
			}
			biased := 0.0
			for j := range around {
				if around[j] = 0.98*around[j]/all + 0.02/3; slices.Max(z.Row(i)) > slices.Min(z.Row(i)) { // with features
					around[j] *= math.Exp(m.Guess.Near.Bias[j])
				}
				biased += around[j]
			}
			for j := range own {
				own[j] = (1-m.Guess.Near.Blend)*own[j] + m.Guess.Near.Blend*around[j]/biased
			}
			share = m.Guess.Near.Share
		}
		sum, total := make([]float64, 3), 0.0
		for old := range oldNodes {
			w := g.edges[[2]int{old, oldNodes + i}] + m.Edges.Beta*ofFeatures.At(i, old)
			node, ok := m.Nodes.Lookup([]byte(prefix + strconv.Itoa(old)))
			if !ok || int(node) != old {
				t.Fatalf("node %d is %d of the model", old, node)
			}
			for j, v := range m.F.Row(old) {
				sum[j] += w * float64(v)
				total += w * float64(v)
			}
		}
		for j, v := range sum {
			out[i] = append(out[i], (1-share)*v/total+share*own[j])
		}
	}
	return out
}

// TestPredictByEdges: after a run on edges alone new nodes are those of the new edges, with the step
// of F.
func TestPredictByEdges(t *testing.T) {
	g := newGrown()
	dir := g.files(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	if code, _, errs := call("run", "--edges", in("e.tsv"), "--labels", in("s.tsv"), "--method", "lgc", "--out", in("o"), "--model", in("m")); code != 0 {
		t.Fatal(errs)
	}
	m, err := points.ReadModel(in("m"), streams.Stdio{})
	must(t, err)
	code, out, errs := call("predict", "--model", in("m"), "--edges", in("new.tsv"), "--proba")
	if code != 0 {
		t.Fatal(errs)
	}
	names, predicted := column(out, 0), column(out, 1)
	for k, name := range names {
		x, err := strconv.Atoi(name[1:])
		must(t, err)
		best, top, sum := make([]float64, 3), 0, 0.0
		for old := range oldNodes {
			if w := g.edges[[2]int{old, x}]; w > 0 {
				node, _ := m.Nodes.Lookup([]byte("n" + strconv.Itoa(old)))
				for j := range best {
					v := w / math.Sqrt(m.Degrees[node]) * float64(m.F.At(int(node), j))
					best[j] += v
					sum += v
				}
			}
		}
		for j, v := range best {
			if v > best[top] {
				top = j
			}
			got, err := strconv.ParseFloat(column(out, 5+j)[k], 64)
			if want := v / max(sum, 1e-300); err != nil || math.Abs(got-want) > 1e-5 {
				t.Fatalf("%s, class %d: %v, expected %v", name, j, got, want)
			}
		}
		if sum > 0 && predicted[k] != m.Classes[top] {
			t.Errorf("%s is %s, expected %s", name, predicted[k], m.Classes[top])
		}
	}
	if len(names) != newNodes-1 || strings.Contains(out, "\nn250\t") {
		t.Errorf("%d new nodes, expected those of the edges", len(names))
	}
}

// TestPredictSparse: new points of sparse features get the row of the equation, whose neighbours are found
// among dense copies here, and of features alone the row that dense points get. The rows are the same for all
// blocks and threads. Other vectors than those of the run are refused.
func TestPredictSparse(t *testing.T) {
	g := newGrown()
	var libsvm [2]strings.Builder
	for i, row := range g.x {
		to := &libsvm[i/oldNodes]
		fmt.Fprint(to, g.class[i])
		for j, v := range row {
			row[j] = max(v, 0)
			if row[j] > 0 {
				fmt.Fprintf(to, " %d:%v", j+1, row[j])
			}
		}
		to.WriteString("\n")
	}
	dir := g.files(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(in("x.svm"), []byte(libsvm[0].String()), 0o644))
	must(t, os.WriteFile(in("new.svm"), []byte(libsvm[1].String()), 0o644))
	if code, _, errs := call("run", "--edges", in("numbers.tsv"), "--features", in("x.svm"), "--labels", in("rows.tsv"), "--out", in("o"), "--model", in("m")); code != 0 {
		t.Fatal(errs)
	}
	m, err := points.ReadModel(in("m"), streams.Stdio{})
	must(t, err)
	if m.Guess == nil || m.Joins == nil || m.Features.Sum == 0 {
		t.Fatalf("guess %v, joins %v, features %+v, expected all", m.Guess != nil, m.Joins != nil, m.Features)
	}
	args, want, right := []string{"predict", "--model", in("m"), "--points", in("new.svm"), "--proba"}, g.mixed(t, m, ""), 0
	withEdges := append(args, "--edges", in("numbers-new.tsv"))
	code, out, errs := call(append(withEdges, "--report", in("r.json"))...)
	if code != 0 {
		t.Fatal(errs)
	}
	compare := func(name string, want [][]float64) {
		t.Helper()
		for i := range newNodes {
			for j := range 3 {
				if got, err := strconv.ParseFloat(column(out, 5+j)[i], 64); err != nil || math.Abs(got-want[i][j]) > 1e-5 {
					t.Fatalf("%s, point %d, class %d: %v, expected %v", name, i, j, got, want[i][j])
				}
			}
		}
	}
	compare("with edges", want)
	for i, label := range column(out, 1) {
		if label == fmt.Sprint("c", g.class[oldNodes+i]) {
			right++
		}
	}
	if right < 45 {
		t.Errorf("%d of 60 labels are right", right)
	}
	var r predict.Report
	must(t, json.Unmarshal([]byte(read(t, in("r.json"))), &r))
	if r.Stored != oldNodes || r.Dims != 6 || r.Joins == nil || r.Alone != m.Guess.Share || !strings.Contains(errs, "240 vectors of 6 dimensions") || !strings.Contains(errs, "each joined to") {
		t.Errorf("report %+v, summary %s", r, errs)
	}
	for _, block := range []string{"1", "7", "60"} {
		for _, threads := range []string{"1", "2", "3", "8"} {
			if _, again, errs := call(append(withEdges, "--block", block, "--threads", threads, "--quiet")...); again != out {
				t.Errorf("another output with blocks of %s and %s threads: %s", block, threads, errs)
			}
		}
	}
	if code, out, errs = call(append(args, "--quiet")...); code != 0 {
		t.Fatal(errs)
	}
	g.edges = nil
	compare("without edges", g.mixed(t, m, ""))
	if code, out, errs = call("predict", "--model", in("m"), "--points", in("bare-new.csv"), "--proba", "--quiet"); code != 0 {
		t.Fatal(errs)
	}
	compare("dense points among sparse ones", g.mixed(t, m, ""))
	// Features alone, sparse and dense.
	alone := map[string][][]float64{}
	for _, form := range [][2]string{{"x.svm", "new.svm"}, {"bare.csv", "bare-new.csv"}} {
		if code, _, errs := call("run", "--features", in(form[0]), "--labels", in("rows.tsv"), "--metric", "cosine", "--scale", "none", "--method", "lgc", "--out", in("o"), "--model", in("alone")); code != 0 {
			t.Fatal(errs)
		}
		if code, out, errs = call("predict", "--model", in("alone"), "--points", in(form[1]), "--proba", "--quiet"); code != 0 {
			t.Fatal(errs)
		}
		rows := make([][]float64, newNodes)
		for i := range rows {
			for j := range 3 {
				v, err := strconv.ParseFloat(column(out, 5+j)[i], 64)
				must(t, err)
				rows[i] = append(rows[i], v)
			}
		}
		alone[form[0]] = rows
	}
	compare("features alone, dense", alone["x.svm"])
	must(t, os.WriteFile(in("x.svm"), []byte(strings.Replace(libsvm[0].String(), ":0.", ":0.9", 1)), 0o644))
	if code, _, errs := call(args...); code != exits.Data || !strings.Contains(errs, "x.svm: ") || !strings.Contains(errs, "CRC-32C") {
		t.Errorf("changed vectors: exit %d, %s", code, errs)
	}
}

// TestPredictWidth: rows of libsvm whose last columns are 0 are points of all columns; other files must
// have as many as the run.
func TestPredictWidth(t *testing.T) {
	dir := newGrown().files(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	var svm strings.Builder
	for i, row := range newGrown().x[:oldNodes] {
		fmt.Fprintf(&svm, "0 %d:1 %d:%v\n", 1+i%3, 4+i%3, math.Abs(float64(row[3])))
	}
	must(t, os.WriteFile(in("x.svm"), []byte(svm.String()), 0o644))
	must(t, os.WriteFile(in("short.svm"), []byte("0 1:1\n0 2:1\n"), 0o644))
	must(t, os.WriteFile(in("wide.svm"), []byte("0 1:1 9:1\n"), 0o644))
	must(t, os.WriteFile(in("short.csv"), []byte("1,0\n0,1\n"), 0o644))
	if code, _, errs := call("run", "--edges", in("numbers.tsv"), "--features", in("x.svm"), "--labels", in("rows.tsv"), "--out", in("o"), "--model", in("m")); code != 0 {
		t.Fatal(errs)
	}
	if code, out, errs := call("predict", "--model", in("m"), "--points", in("short.svm")); code != 0 || strings.Join(column(out, 1), " ") != "c0 c1" {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	for _, file := range []string{"wide.svm", "short.csv"} {
		if code, _, errs := call("predict", "--model", in("m"), "--points", in(file)); code != exits.Data || !strings.Contains(errs, "expected 6 like the stored ones") {
			t.Errorf("%s: exit %d, %s", file, code, errs)
		}
	}
}

// TestPredictSaysWhose: the summary does not speak of features after a run on edges alone, and tells the
// part of the regression on the nodes that a point is joined to.
func TestPredictSaysWhose(t *testing.T) {
	dir := newGrown().files(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	named := []string{"--id-column", "name"}
	for _, test := range []struct {
		features, points []string
		says, not        string
	}{
		{nil, nil, "of the answer of a point that has edges, by the nodes that it is joined to\n", "features alone"},
		{append(named, "--features", in("x.csv")), append(named, "--points", in("new.csv")), "features alone  ", "regression"},
	} {
		if code, _, errs := call(append([]string{"run", "--edges", in("e.tsv"), "--labels", in("s.tsv"), "--out", in("o"), "--model", in("m")}, test.features...)...); code != 0 {
			t.Fatal(errs)
		}
		code, _, errs := call(append([]string{"predict", "--model", in("m"), "--edges", in("new.tsv"), "--out", in("o"), "--report", in("r")}, test.points...)...)
		if code != 0 || !strings.Contains(errs, test.says) || strings.Contains(errs, test.not) {
			t.Errorf("exit %d, %s, expected %q and no %q", code, errs, test.says, test.not)
		}
		if report := read(t, in("r")); !strings.Contains(report, `"features_alone": 0.`) {
			t.Errorf("no part of the regression in %s", report)
		}
	}
}

// TestPredictEdgesErrors: what a model or a file of edges is not for is refused, and nothing is
// dropped in silence.
func TestPredictEdgesErrors(t *testing.T) {
	dir := newGrown().files(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(in("odd.tsv"), []byte("n240\tn0\nn240\tn999\nn998\tn997\nn1\tn2\nn241\tn240\nn242\tn242\n"), 0o644))
	must(t, os.WriteFile(in("bad.tsv"), []byte("n240\tn0\t-1\n"), 0o644))
	for name, args := range map[string][]string{
		"both":  {"--edges", in("e.tsv"), "--features", in("x.csv"), "--id-column", "name", "--labels", in("s.tsv")},
		"edges": {"--edges", in("e.tsv"), "--labels", in("s.tsv"), "--method", "lgc"},
		"alone": {"--features", in("x.csv"), "--id-column", "name", "--labels", in("s.tsv"), "--method", "lgc"},
		"plain": {"--edges", in("e.tsv"), "--features", in("x.csv"), "--id-column", "name", "--labels", in("s.tsv"), "--method", "lgc", "--feature-share", "0.3"},
	} {
		if code, _, errs := call(append([]string{"run", "--out", in("o"), "--model", in(name)}, args...)...); code != 0 {
			t.Fatal(errs)
		}
	}
	named := []string{"--points", in("new.csv"), "--id-column", "name"}
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{exits.Usage, "say where the new points are: --points FILE, or --edges FILE", []string{"--model", in("both")}},
		{exits.Usage, "alone is of features alone, or of a version", []string{"--model", in("alone"), "--edges", in("new.tsv")}},
		{exits.Usage, "edges is of edges, and has nothing to join --points by; new points need --edges FILE without --points", append(named, "--model", in("edges"))},
		{exits.Usage, "--duplicates is for --edges", append(named, "--model", in("both"), "--duplicates", "max")},
		{exits.Usage, "--features is for --points", []string{"--model", in("both"), "--edges", in("new.tsv"), "--features", in("x.csv")}},
		{exits.Usage, "--header", []string{"--model", in("both"), "--edges", in("new.tsv"), "--header", "maybe"}},
		{exits.Usage, "only one input can be standard input", []string{"--model", in("both"), "--edges", "-", "--points", "-", "--format", "csv"}},
		{exits.Usage, "same file", []string{"--model", in("both"), "--edges", in("new.tsv"), "--out", in("new.tsv")}},
		{exits.Data, "bad.tsv:1", append(named, "--model", in("both"), "--edges", in("bad.tsv"))},
		{exits.Data, `e.tsv: point "n0" has the name of a node of the run`, []string{"--model", in("both"), "--points", in("x.csv"), "--id-column", "name", "--edges", in("e.tsv")}},
		{exits.IO, "none.tsv", append(named, "--model", in("both"), "--edges", in("none.tsv"))},
		{0, "1 between new points, 1 between nodes of the run, 2 of unknown nodes", append(named, "--model", in("both"), "--edges", in("odd.tsv"))},
		{0, "warning [self-loops]", append(named, "--model", in("both"), "--edges", in("odd.tsv"))},
		{0, "1 used; 59 of the points have none", append(named, "--model", in("both"), "--edges", in("odd.tsv"))},
		{0, "edges not used", append(named, "--model", in("plain"), "--edges", in("new.tsv"))},
	} {
		code, _, errs := call(append([]string{"predict"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit %d, expected %d and %q; %s", test.args, code, test.code, test.says, errs)
		}
	}
}

// TestPredictNumbered: points without names go on with the numbers of the run's nodes. Edges that call them
// 0, 1, … are refused where none is of another node, and warned of beside others.
func TestPredictNumbered(t *testing.T) {
	old := "1,0\n1,.1\n1,.2\n0,1\n.1,1\n.2,1\n"
	t.Chdir(files(t, "x.csv", old, "g", "0 1\n1 2\n3 4\n4 5\n2 3\n", "s", "0 A\n3 B\n", "new.csv", "1,.3\n.3,1\n", "plain", "0 5\n1 3\n", "mixed", "0 5\n6 0\n7 3\n", "right", "6 0\n7 3\n"))
	if code, _, errs := call(strings.Fields("run --edges g --features x.csv --k 2 --labels s --method lgc --out o --model m --quiet")...); code != exits.OK {
		t.Fatal(errs)
	}
	const naming = "the first point without a name is 6 here, after the nodes of the run, and not 0; --id-column names points"
	for _, test := range []struct {
		args string
		code int
		says string
	}{
		{"--points new.csv --edges plain", exits.Data, "plain: all ends of edges are nodes of the run, expected edges of new points; " + naming + "\n"},
		{"--points new.csv --edges plain --block 1", exits.Data, "plain: all ends of edges"},
		{"--points new.csv --edges mixed", exits.OK, "warning [numbered-points]: edges: 1 edge between nodes of the run not used; if they are edges of new points, name these otherwise: " + naming + "\n"},
		{"--points new.csv --edges right", exits.OK, "2 used; 0 of the points have none"},
	} {
		code, out, errs := call(strings.Fields("predict --model m " + test.args)...)
		if code != test.code || !strings.Contains(errs, test.says) || code != exits.OK && out != "" || test.args == "--points new.csv --edges right" && strings.Contains(errs, "warning") {
			t.Errorf("%s: exit %d, %s; expected %d, %q", test.args, code, errs, test.code, test.says)
		}
	}
	// After a run that counts from 1, points go on with n+1. Edges that count as the run does not are warned of.
	must(t, os.WriteFile("g1", []byte("1 2\n2 3\n4 5\n5 6\n3 4\n"), 0o600))
	must(t, os.WriteFile("s1", []byte("1 A\n4 B\n"), 0o600))
	must(t, os.WriteFile("right1", []byte("7 1\n8 4\n"), 0o600))
	if code, _, errs := call(strings.Fields("run --edges g1 --features x.csv --index-base 1 --k 2 --labels s1 --method lgc --out o --model m1 --quiet")...); code != exits.OK {
		t.Fatal(errs)
	}
	const shifted = "warning [counted-from-one]: edges: 4 nodes taken as counted from 0 (the first: \"%d\"); %s names nodes from %d on, and the run from %d on: if node %d there is %d here, number both alike\n"
	var rows [2]string
	for base, model := range []string{"m", "m1"} {
		code, out, errs := call("predict", "--model", model, "--points", "new.csv", "--edges", []string{"right", "right1"}[base], "--block", "1")
		if code != exits.OK || strings.Contains(errs, "warning") || !strings.Contains(errs, "2 used; 0 of the points have none") || column(out, 0)[0] != fmt.Sprint(6+base) || column(out, 0)[1] != fmt.Sprint(7+base) {
			t.Errorf("%s: exit %d, %s%s", model, code, out, errs)
		}
		rows[base] = strings.Join(column(out, 2), " ")
		edges, other := []string{"right1", "right"}[base], 1-base
		if code, _, errs := call("predict", "--model", model, "--points", "new.csv", "--edges", edges); code != exits.OK || !strings.Contains(errs, fmt.Sprintf(shifted, other, edges, other, base, other, base)) {
			t.Errorf("%s with %s: exit %d, %s", model, edges, code, errs)
		}
	}
	if rows[0] != rows[1] {
		t.Errorf("confidence %s from 0, %s from 1", rows[0], rows[1])
	}
	const alike = "warning [similar-ids]: edges: %s kept as another node (the first: %q); if they are one node, write both alike\n"
	for edges, want := range map[string]string{
		"6.0 0\n7.0 3\n": fmt.Sprintf(alike, "2 node ids that equal another but for spelling", "6 / 6.0"),
		"6 00\n7 3\n":    fmt.Sprintf(alike, "1 node id that equals another but for spelling", "0 / 00"),
	} {
		must(t, os.WriteFile("other", []byte(edges), 0o600))
		if code, _, errs := call(strings.Fields("predict --model m --points new.csv --edges other")...); code != exits.OK || !strings.Contains(errs, want) {
			t.Errorf("%q: exit %d, %s; expected %q", edges, code, errs, want)
		}
	}
	must(t, os.WriteFile("named.csv", []byte("id,a,b\n6.0,1,.3\n7.0,.3,1\n"), 0o600))
	if code, _, errs := call(strings.Fields("predict --model m --points named.csv --id-column id --edges right")...); code != exits.OK || !strings.Contains(errs, fmt.Sprintf(alike, "2 node ids that equal another but for spelling", "6.0 / 6")) {
		t.Errorf("points with fractions: exit %d, %s", code, errs)
	}
	if code, _, errs := call(strings.Fields("run --edges g --features x.csv --graph-kind lle --k 2 --labels s --out o --model m")...); code != exits.OK || !strings.Contains(errs, "[unjoinable-model]: new points cannot join the graph of features: predict labels them by their edges and by regression on features alone; ") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if code, _, errs := call(strings.Fields("run --edges g --features x.csv --graph-kind lle --k 2 --labels s --method lgc --out o --model m2")...); code != exits.OK || !strings.Contains(errs, "predict labels them by --edges alone; ") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if code, _, errs := call("predict", "--model", "m2", "--edges", "right"); code != exits.OK {
		t.Error(errs)
	}
	if code, _, errs := call("predict", "--model", "m", "--points", "new.csv", "--edges", "right"); code != exits.OK {
		t.Error(errs)
	}
	if code, _, errs := call(strings.Fields("run --edges g --labels s --method lgc --out o --model m")...); code != exits.OK || strings.Contains(errs, "unjoinable") {
		t.Fatal(code, errs)
	}
	if code, out, errs := call("predict", "--model", "m", "--edges", "plain"); code != exits.Data || out != "" || !strings.Contains(errs, "plain: all ends of edges are nodes of the run, expected edges of new points\n") {
		t.Errorf("edges alone: exit %d, %s", code, errs)
	}
}
