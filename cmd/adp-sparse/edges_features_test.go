package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEdgesCounted: the summary counts edges alike with features and without: each once, and no loops.
func TestEdgesCounted(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\nd d\nb a\n", "x.csv", "id,x,y\na,1,0\nb,2,1\nc,1,2\nd,1,4\n", "s", "a x\nd y\n")
	for _, more := range [][]string{nil, {"--features", dir + "/x.csv", "--id-column", "id"}} {
		args := append([]string{"run", "--edges", dir + "/g", "--labels", dir + "/s"}, more...)
		if code, _, errs := call(args...); code != 0 || !strings.HasPrefix(errs, "read      4 nodes, 3 edges, ") {
			t.Errorf("%q: exit %d, %s", more, code, errs)
		}
	}
}

// TestEdgesAndFeatures: the graph that is labelled is that of the edges with that of
// the features added, at its share of the weight, however the nodes are named and
// numbered in either.
func TestEdgesAndFeatures(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(1, 93))
	var edges, named, mtx, plain, table, names, seeds strings.Builder
	name := func(i int) string { return "n" + strconv.Itoa(i*7%n) } // rows are in another order than edges
	weights := map[[2]int]float64{}
	for k := range 70 {
		i, j := k%n, rng.IntN(n)
		if i == j || weights[[2]int{i, j}] > 0 || weights[[2]int{j, i}] > 0 {
			continue
		}
		weights[[2]int{i, j}] = float64(1 + rng.IntN(3))
		fmt.Fprintf(&edges, "%d\t%d\t%v\n", i, j, weights[[2]int{i, j}])
		fmt.Fprintf(&named, "%s,%s,%v\n", name(i), name(j), weights[[2]int{i, j}])
	}
	fmt.Fprintf(&mtx, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n, n, len(weights))
	for at, w := range weights {
		fmt.Fprintf(&mtx, "%d %d %v\n", max(at[0], at[1])+1, min(at[0], at[1])+1, w)
	}
	table.WriteString("id,x,y\n")
	for i := range n {
		x, y := rng.NormFloat64()+float64(4*(i%2)), rng.NormFloat64()
		fmt.Fprintf(&plain, "%.6f,%.6f\n", x, y)
		fmt.Fprintf(&table, "%s,%.6f,%.6f\n", name(i), x, y)
		fmt.Fprintln(&names, name(i))
		if i < 12 {
			fmt.Fprintf(&seeds, "%s\t%c\n", name(i), 'a'+i%2)
		}
	}
	var rows strings.Builder
	for i := range 12 {
		fmt.Fprintf(&rows, "%d\t%c\n", i, 'a'+i%2)
	}
	dir := files(t, "e.tsv", edges.String(), "named.csv", named.String(), "g.mtx", mtx.String(), "x.csv", plain.String(),
		"table.csv", table.String(), "names", names.String(), "s", seeds.String(), "rows", rows.String())
	at := func(name string) string { return dir + "/" + name }
	learned := func(args ...string) map[[2]string]float64 {
		t.Helper()
		code, _, errs := call(append([]string{"run", "--method", "lgc", "--k", "4", "--metric", "l2", "--graph-out", at("out.tsv"), "--quiet"}, args...)...)
		if code != 0 {
			t.Fatalf("%v: exit %d, %s", args, code, errs)
		}
		text, err := os.ReadFile(at("out.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		got := map[[2]string]float64{}
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			w, err := strconv.ParseFloat(f[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			got[[2]string{f[0], f[1]}] = w
			got[[2]string{f[1], f[0]}] = w
		}
		degree := map[string]float64{}
		for at, w := range got {
			degree[at[0]] += w
		}
		for at, w := range got {
			got[at] = w / math.Sqrt(degree[at[0]]*degree[at[1]])
		}
		return got
	}
	// S of the graph that LGC writes, W: of the edges, and of the weights that knn writes.
	code, _, errs := call("knn", "--features", at("x.csv"), "--k", "4", "--metric", "l2", "--out", at("knn.tsv"))
	if code != 0 {
		t.Fatal(errs)
	}
	text, err := os.ReadFile(at("knn.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	sum := [2]float64{}
	want := map[[2]int]float64{}
	near := map[[2]int]float64{}
	for line := range strings.Lines(string(text)) {
		var i, j int
		var w float64
		if _, err := fmt.Sscan(line, &i, &j, &w); err != nil {
			t.Fatal(err)
		}
		near[[2]int{i, j}] = w
		sum[1] += w
	}
	for at, w := range weights {
		want[at] += w
		want[[2]int{at[1], at[0]}] += w
		sum[0] += w
	}
	const share = 0.4
	for at, w := range near {
		w *= share / (1 - share) * sum[0] / sum[1]
		want[at] += w
		want[[2]int{at[1], at[0]}] += w
	}
	degree := [n]float64{}
	for at, w := range want {
		degree[at[0]] += w
	}
	check := func(what string, got map[[2]string]float64, name func(int) string) {
		t.Helper()
		if len(got) != len(want) {
			t.Errorf("%s: %d entries, want %d", what, len(got), len(want))
		}
		for at, w := range want {
			w /= math.Sqrt(degree[at[0]] * degree[at[1]])
			if v := got[[2]string{name(at[0]), name(at[1])}]; v < 0.9999*w || v > 1.0001*w {
				t.Fatalf("%s: entry %v is %v in S, want %v", what, at, v, w)
			}
		}
	}
	given := []string{"--feature-share", "0.4"}
	check("numbered", learned(append(given, "--edges", at("e.tsv"), "--features", at("x.csv"), "--labels", at("rows"))...), strconv.Itoa)
	check("a matrix", learned(append(given, "--graph", at("g.mtx"), "--features", at("x.csv"), "--labels", at("rows"))...), strconv.Itoa)
	if code, _, errs := call("convert", "--edges", at("named.csv"), "--out", at("g.csr")); code != 0 {
		t.Fatal(errs)
	}
	check("mapped", learned(append(given, "--graph", at("g.csr"), "--features", at("table.csv"), "--id-column", "id", "--labels", at("s"))...), name)
	check("named", learned(append(given, "--edges", at("named.csv"), "--features", at("table.csv"), "--id-column", "id", "--labels", at("s"))...), name)
	check("names in a file", learned(append(given, "--edges", at("named.csv"), "--features", at("x.csv"), "--nodes", at("names"), "--labels", at("s"))...), name)
	check("a matrix and names in a file", learned(append(given, "--graph", at("g.mtx"), "--features", at("x.csv"), "--nodes", at("names"), "--labels", at("s"))...), name)
}

// TestEdgesBesideFeatures: which nodes there are, what is refused, and that all commands
// take both.
func TestEdgesBesideFeatures(t *testing.T) {
	edges := strings.Builder{}
	table := strings.Builder{}
	for i := range 60 { // rings of the classes of points, by edges
		fmt.Fprintf(&edges, "p%d p%d\n", i, (i+3)%60)
	}
	edges.WriteString("p5 extra\nextra other\n")
	table.WriteString("id,x,y\n")
	for i, line := range strings.Split(strings.TrimSpace(pointRows()), "\n") {
		fmt.Fprintf(&table, "p%d,%s\n", i, line)
	}
	dir := files(t, "e", edges.String(), "x.csv", table.String(), "points.csv", pointRows(), "s", "p0 a\np1 b\np2 c\np3 a\np4 b\np5 c\n",
		"rows", "0 a\n1 b\n2 c\n", "ring", "0 1\n1 2\n2 60\n", "else", "u v\nv w\n", "new.csv", "id,x,y\nq,5.4,0.9\n")
	at := func(name string) string { return dir + "/" + name }
	both := []string{"--edges", at("e"), "--features", at("x.csv"), "--id-column", "id", "--k", "5"}
	with := func(command string, flags []string, more ...string) []string {
		return append(append([]string{command}, flags...), more...)
	}
	code, out, errs := call(with("run", both, "--labels", at("s"), "--report", at("r.json"), "--verbose")...)
	if code != 0 || !strings.Contains(errs, "62 nodes") || !strings.Contains(errs, "0.25 of the weight is of features") ||
		!strings.Contains(errs, "warning [featureless]: 2 nodes of the edges have no features (the first: \"extra\")\n") {
		t.Fatalf("exit %d, %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")[1:]
	if len(lines) != 62 || !strings.HasPrefix(lines[61], "other\tc\t") {
		t.Errorf("%d nodes, the last %q", len(lines), lines[len(lines)-1])
	}
	for i, line := range lines[:60] {
		if !strings.HasPrefix(line, fmt.Sprintf("p%d\t%c\t", i, 'a'+i%3)) {
			t.Errorf("node %d: %q", i, line)
		}
	}
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{with("inspect", both, "--labels", at("s")), 0, ""},
		{with("explain", both, "--labels", at("s"), "--node", "other"), 0, ""},
		{with("suggest", both, "--labels", at("s")), 0, ""},
		{with("explain", both, "--labels", at("s"), "--node", "p1", "--combine", "all"), 2, "--combine \"all\" is not one of its values: auto, none"},
		{with("suggest", both, "--combine", "none"), 2, "--combine is for --labels"},
		{with("tune", both, "--labels", at("s"), "--methods", "lgc", "--alphas", "0.9"), 0, ""},
		{with("tune", both, "--labels", at("s"), "--methods", "lgc", "--alphas", "0.9", "--feature-shares", "0.1,0.5"), 0, "--feature-share 0.5 --method lgc --alpha 0.9: "},
		{with("tune", both, "--labels", at("s"), "--methods", "lgc", "--feature-shares", "1"), 2, "--feature-share 1, expected between 0 and 1"},
		{[]string{"tune", "--edges", at("e"), "--labels", at("s"), "--feature-shares", "0.1"}, 2, "--feature-shares is for --features beside --edges or --graph"},
		{with("run", both, "--labels", at("s"), "--out", at("o"), "--multilabel"), 0, ""},
		{with("run", both, "--labels", at("s"), "--out", at("o"), "--memory-limit", "64MiB"), 0, ""},
		{[]string{"run", "--edges", at("ring"), "--features", at("points.csv"), "--labels", at("rows")}, 1, `ring: node "60" has no row in ` + at("points.csv") + ", whose rows are the nodes 0 to 59; --nodes or --id-column gives them names (1 of 4 nodes have none)"},
		{[]string{"run", "--edges", at("else"), "--features", at("x.csv"), "--id-column", "id", "--labels", at("s")}, 1, `else: node "u" has no row in ` + at("x.csv") + `, whose rows have names, the first "p0" (3 of 3 nodes have none)`},
		{[]string{"run", "--edges", at("else"), "--features", at("points.csv"), "--labels", at("rows")}, 1, `node "u" has no row`},
		{[]string{"run", "--edges", "-", "--features", "-", "--labels", at("rows")}, 2, "only one input can be standard input"},
		{[]string{"run", "--edges", at("e"), "--nodes", at("s"), "--labels", at("s")}, 2, "--nodes is for --graph and --features"},
	} {
		if code, _, errs := call(test.args...); code != test.code || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit %d, %s", test.args, code, errs)
		}
	}
	// New points join by their features, where all nodes have some.
	ring := strings.Builder{}
	for i := range 60 {
		fmt.Fprintf(&ring, "p%d p%d\n", i, (i+3)%60)
	}
	if err := os.WriteFile(at("ring60"), []byte(ring.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	both[1] = at("ring60")
	if code, _, errs := call(with("run", both, "--labels", at("s"), "--model", at("m.npz"), "--out", at("o"))...); code != 0 {
		t.Fatal(errs)
	}
	code, out, errs = call("predict", "--model", at("m.npz"), "--points", at("new.csv"), "--id-column", "id")
	if code != 0 || !strings.Contains(out, "\nq\tb\t") {
		t.Errorf("a new point: exit %d, %s%s", code, out, errs)
	}
}

// TestEdgesAlone: features that say nothing of the classes are left aside where seeds tell,
// unless their share was asked for.
func TestEdgesAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 94))
	var edges, points, seeds strings.Builder
	const n = 400
	for i := range n {
		for range 3 {
			j := rng.IntN(n)
			if rng.IntN(10) < 6 {
				j = (i + 4*j) % n // of the same class
			}
			if i != j {
				fmt.Fprintln(&edges, i, j)
			}
		}
		fmt.Fprintf(&points, "%g,%g\n", rng.NormFloat64(), rng.NormFloat64())
		if i < 200 {
			fmt.Fprintf(&seeds, "%d %c\n", i, 'a'+i%4)
		}
	}
	dir := files(t, "e", edges.String(), "x.csv", points.String(), "s", seeds.String())
	args := []string{"run", "--edges", dir + "/e", "--features", dir + "/x.csv", "--labels", dir + "/s", "--method", "lgc", "--verbose"}
	code, chosen, errs := call(args...)
	if code != 0 || !strings.Contains(errs, "graph chosen  edges, by which") || strings.Contains(errs, "of the weight is of features") {
		t.Errorf("exit %d, %s", code, errs)
	}
	code, want, errs := call("run", "--edges", dir+"/e", "--labels", dir+"/s", "--method", "lgc")
	if code != 0 {
		t.Fatal(errs)
	}
	if sortedLines(chosen) != sortedLines(want) {
		t.Error("the edges alone, as chosen, give other labels than without features")
	}
	code, _, errs = call(append(args, "--feature-share", "0.5")...)
	if code != 0 || strings.Contains(errs, "graph chosen  edges, by") || !strings.Contains(errs, "0.5 of the weight is of features") {
		t.Errorf("with a share: exit %d, %s", code, errs)
	}
}

// TestFeaturesAlone: edges that say nothing of the classes are left aside where seeds tell.
func TestFeaturesAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 94))
	var edges, points, seeds strings.Builder
	const n = 400
	for i := range n {
		for range 4 {
			if j := rng.IntN(n); j != i {
				fmt.Fprintln(&edges, i, j)
			}
		}
		fmt.Fprintf(&points, "%g,%g\n", 2.5*float64(i%4)+rng.NormFloat64(), rng.NormFloat64())
		if i < 200 {
			fmt.Fprintf(&seeds, "%d %c\n", i, 'a'+i%4)
		}
	}
	dir := files(t, "e", edges.String(), "x.csv", points.String(), "s", seeds.String())
	both := []string{"run", "--edges", dir + "/e", "--features", dir + "/x.csv", "--labels", dir + "/s", "--method", "lgc", "--verbose"}
	code, chosen, errs := call(append(both, "--model", dir+"/m.npz")...)
	if code != 0 || !strings.Contains(errs, "graph chosen  knn l2, by which") || strings.Contains(errs, "of the weight is of features") || !strings.Contains(errs, "10 neighbours by l2") {
		t.Errorf("exit %d, %s", code, errs)
	}
	code, want, errs := call("run", "--features", dir+"/x.csv", "--graph-kind", "knn", "--labels", dir+"/s", "--method", "lgc")
	if code != 0 || chosen != want {
		t.Errorf("the features alone, as chosen, give other labels than without edges: exit %d, %s", code, errs)
	}
	if code, out, errs := call("predict", "--model", dir+"/m.npz", "--points", dir+"/x.csv"); code != 0 || strings.Count(out, "\n") != n+1 {
		t.Errorf("predict: exit %d, %s", code, errs)
	}
}

// sortedLines returns the lines of a text in order: nodes of edges come in that of the edges.
func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
