package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
)

// units writes 300 points of two classes to x.csv and 40 more to new.csv, of which a column in
// thousands says nothing and one in hundredths does, the same with columns scaled to y.csv and
// ynew.csv, and labels of the first six.
func units(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(4, 1))
	const stored, all = 300, 340
	x := csr.NewDense(all, 3)
	labels := ""
	for i := range all {
		class := float64(i % 2)
		x.Set(i, 0, float32(5*class+random.NormFloat64()))
		x.Set(i, 1, float32(40+(5*class+random.NormFloat64())/50))
		x.Set(i, 2, float32(5e4+1000*random.NormFloat64()))
		if i < 6 {
			labels += fmt.Sprintf("%d c%d\n", i, i%2)
		}
	}
	known := &csr.Dense{Rows: stored, Cols: 3, Data: x.Data[:3*stored]}
	scaling, err := knn.ScalingOf(known, 1)
	must(t, err)
	scaled := scaling.Apply(x, 1)
	text := func(x *csr.Dense, from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "%v,%v,%v\n", x.At(i, 0), x.At(i, 1), x.At(i, 2))
		}
		return b.String()
	}
	return files(t, "x.csv", text(x, 0, stored), "new.csv", text(x, stored, all), "y.csv", text(scaled, 0, stored), "ynew.csv", text(scaled, stored, all), "s", labels)
}

// TestScale: columns of unlike units are scaled unless something is said of the metric or the scale,
// and the summary says so; graph, labels, model and predictions are those of a file with
// scaled columns.
func TestScale(t *testing.T) {
	dir := units(t)
	run := func(file string, more ...string) (out, told string) {
		t.Helper()
		code, _, errs := call(append([]string{"run", "--verbose", "--features", dir + "/" + file, "--labels", dir + "/s", "--out", dir + "/out", "--graph-out", dir + "/g.tsv", "--model", dir + "/" + file + ".model", "--report", dir + "/r.html", "--combine", "none"}, more...)...)
		if code != 0 {
			t.Fatalf("%s %v: exit %d, %s", file, more, code, errs)
		}
		return read(t, dir+"/out") + read(t, dir+"/g.tsv"), errs
	}
	right := func(out string, from int) (count int) {
		for i, label := range column(out, 1)[:40] {
			if label == fmt.Sprintf("c%d", (from+i)%2) {
				count++
			}
		}
		return count
	}
	plain, told := run("x.csv", "--scale", "none")
	if right(plain, 0) > 35 || strings.Contains(told, "scaled") || !strings.Contains(told, "say --scale columns") {
		t.Errorf("as they are: %d of 40 right, %s", right(plain, 0), told)
	}
	if l2, _ := run("x.csv", "--metric", "l2"); l2 != plain {
		t.Error("--metric l2 is not of the columns as they are")
	}
	for _, test := range []struct {
		metric string
		more   []string
	}{
		{"l2", []string{"--metric", "l2", "--scale", "columns"}},
		{"manhattan", []string{"--metric", "manhattan", "--scale", "columns"}},
		{"manhattan", []string{"--graph-kind", "knn"}},
	} {
		want, _ := run("y.csv", "--scale", "none", "--metric", test.metric)
		out, told := run("x.csv", test.more...)
		if out != want || !strings.Contains(told, "by "+test.metric+" of scaled columns (largest spread ") || strings.Contains(told, "say --scale") {
			t.Errorf("%v: other results than those of scaled columns, or nothing is said: %s", test.more, told)
		}
		if page := read(t, dir+"/r.html"); !strings.Contains(page, "columns scaled") {
			t.Error("the page does not say that columns were scaled")
		}
		if right(want, 0) < 38 {
			t.Errorf("%v: %d of 40 right", test.more, right(want, 0))
		}
	}
	predict := func(file string) string {
		t.Helper()
		code, out, errs := call("predict", "--model", dir+"/"+file+".csv.model", "--points", dir+"/"+strings.Replace(file, "x", "", 1)+"new.csv", "--quiet")
		if code != 0 {
			t.Fatal(errs)
		}
		return out
	}
	got, other := predict("x"), predict("y")
	if got != other || right(got, 300) != 40 {
		t.Errorf("new points: %d of 40 right, the same as with scaled columns: %t", right(got, 300), got == other)
	}
}

// TestScaleIsChosen: columns of like units are scaled where left-out seeds say that it is better,
// and those of unlike ones left as they are.
func TestScaleIsChosen(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	var like, unlike, labels strings.Builder
	for i := range 200 {
		class := float64(i % 2)
		// In like the column of the smallest numbers tells, in unlike that of the largest, among
		// others that say nothing; there classes are in six groups.
		fmt.Fprintf(&like, "%.4f", 3+2*class+0.2*random.NormFloat64())
		for range 3 {
			fmt.Fprintf(&like, ",%.4f", 20+8*random.NormFloat64())
		}
		fmt.Fprintf(&unlike, "%.4f", 1e4+3e3*float64(i%6)+300*random.NormFloat64())
		for range 25 {
			fmt.Fprintf(&unlike, ",%.4f", 5+random.NormFloat64())
		}
		like.WriteString("\n")
		unlike.WriteString("\n")
		if i < 50 {
			fmt.Fprintf(&labels, "%d c%d\n", i, i%2)
		}
	}
	dir := files(t, "like.csv", like.String(), "unlike.csv", unlike.String(), "s", labels.String())
	for name, want := range map[string]string{"like": "knn manhattan scaled, by which", "unlike": "knn l2, by which"} {
		code, _, errs := call("run", "--verbose", "--features", dir+"/"+name+".csv", "--labels", dir+"/s", "--method", "lgc", "--out", dir+"/out", "--model", dir+"/model")
		if code != 0 || !strings.Contains(errs, "graph chosen") || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %s", name, code, errs)
		}
		if scaled := strings.Contains(read(t, dir+"/model"), `"scaling"`); scaled != (name == "like") {
			t.Errorf("%s: the model's columns are scaled: %t", name, scaled)
		}
	}
	if _, _, errs := call("run", "--verbose", "--features", dir+"/like.csv", "--scale", "none", "--labels", dir+"/s", "--method", "lgc", "--out", dir+"/out"); strings.Contains(errs, "scaled") || !strings.Contains(errs, "graph chosen") {
		t.Errorf("--scale none: %s", errs)
	}
}

// TestTuneScales: tune tries scales, none of them before all are known to be some, and its last
// line asks for the one that is best on seeds that are left out.
func TestTuneScales(t *testing.T) {
	dir := units(t)
	tune := []string{"tune", "--features", dir + "/x.csv", "--labels", dir + "/s", "--methods", "lgc", "--alphas", "0.9", "--folds", "3"}
	code, out, errs := call(append(tune, "--scales", "none,columns")...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 5 || !strings.HasPrefix(lines[1], "--graph-kind knn --scale columns --method lgc --alpha 0.9 ") ||
		!strings.HasPrefix(lines[2], "--graph-kind knn --scale none ") || !strings.Contains(lines[4], " --scale columns ") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	if code, out, errs := call(append(tune, "--scales", "none,ranks")...); code != 2 || out != "" || !strings.Contains(errs, `--scale "ranks"`) || strings.Contains(errs, "--alpha") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	if code, _, errs := call("tune", "--edges", dir+"/x.csv", "--labels", dir+"/s", "--scales", "none"); code != 2 || !strings.Contains(errs, "are for graphs made of --features") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestScaleWithEdges: the mixture and what it says of new points know scaled columns, as those of a file with scaled ones.
func TestScaleWithEdges(t *testing.T) {
	dir := units(t)
	var edges strings.Builder
	for i := range 298 {
		fmt.Fprintf(&edges, "%d %d\n", i, i+2)
	}
	must(t, os.WriteFile(dir+"/e", []byte(edges.String()), 0o600))
	answers := func(file, scale string) string {
		t.Helper()
		for _, args := range [][]string{
			{"run", "--edges", dir + "/e", "--features", dir + "/" + file + ".csv", "--scale", scale, "--metric", "l2", "--labels", dir + "/s", "--out", dir + "/out", "--model", dir + "/m"},
			{"predict", "--model", dir + "/m", "--points", dir + "/" + strings.Replace(file, "x", "", 1) + "new.csv", "--out", dir + "/new"},
		} {
			if code, _, errs := call(append(args, "--quiet")...); code != 0 {
				t.Fatal(errs)
			}
		}
		return read(t, dir+"/out") + read(t, dir+"/new")
	}
	if answers("x", "columns") != answers("y", "none") {
		t.Error("other answers than of a file with scaled columns")
	}
}
