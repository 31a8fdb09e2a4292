package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/predict"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// moons writes 300 points of two moons to stored.csv, 60 more to new.csv, all of
// them to all.csv, and four seeds.
func moons(t *testing.T) (dir string, class []int) {
	t.Helper()
	x, class := twoMoons(360)
	text := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "%v,%v\n", x[i][0], x[i][1])
		}
		return b.String()
	}
	seeds, seen := "", [2]int{}
	for i := 0; i < 300; i++ {
		if k := class[i]; seen[k] < 2 {
			seen[k]++
			seeds += fmt.Sprintf("%d\tmoon%d\n", i, k)
		}
	}
	return files(t, "stored.csv", text(0, 300), "new.csv", text(300, 360), "all.csv", text(0, 360), "seeds.tsv", seeds), class
}

func twoMoons(n int) (x [][2]float64, class []int) {
	rng := rand.New(rand.NewPCG(1, 6))
	for range n {
		k := rng.IntN(2)
		angle := math.Pi * rng.Float64()
		p := [2]float64{math.Cos(angle), math.Sin(angle)}
		if k == 1 {
			p = [2]float64{1 - p[0], 0.5 - p[1]}
		}
		x = append(x, [2]float64{p[0] + 0.06*rng.NormFloat64(), p[1] + 0.06*rng.NormFloat64()})
		class = append(class, k)
	}
	return x, class
}

// column returns a column of a table without its header.
func column(text string, k int) []string {
	var out []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		out = append(out, strings.Split(line, "\t")[k])
	}
	return out
}

// TestPredict labels points that were held back, for LGC and ADP: as right as a
// run on all of them, the same for all block sizes and threads, from .npy and csv,
// and with names.
func TestPredict(t *testing.T) {
	dir, class := moons(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, method := range []string{"--method=lgc", "--select=fast"} {
		if code, _, errs := call("run", "--features", in("stored.csv"), "--labels", in("seeds.tsv"), method, "--out", in("labels.tsv"), "--model", in("m.npz")); code != 0 {
			t.Fatal(errs)
		}
		code, out, errs := call("predict", "--model", in("m.npz"), "--points", in("new.csv"), "--proba", "--report", in("report.json"))
		if code != 0 {
			t.Fatal(errs)
		}
		if !strings.HasPrefix(out, "node\tlabel\tconfidence\tmargin\tstatus\tmoon0\tmoon1\n0\t") {
			t.Errorf("output starts with %.80q", out)
		}
		right := 0
		for i, label := range column(out, 1) {
			if label == fmt.Sprint("moon", class[300+i]) {
				right++
			}
		}
		_, all, _ := call("run", "--features", in("all.csv"), "--labels", in("seeds.tsv"), method, "--quiet")
		agree := 0
		for i, label := range column(all, 1)[300:] {
			if label == column(out, 1)[i] {
				agree++
			}
		}
		if right < 57 || agree < 58 {
			t.Errorf("%s: of 60 points %d are right, %d as of a run on all points", method, right, agree)
		}
		var report predict.Report
		if err := json.Unmarshal([]byte(read(t, in("report.json"))), &report); err != nil || report.Points != 60 || report.Stored != 300 || report.Status["predicted"] != 60 {
			t.Errorf("report %+v, %v", report, err)
		}
		for _, block := range []string{"1", "7", "60"} {
			for _, threads := range []string{"1", "3"} {
				if _, again, errs := call("predict", "--model", in("m.npz"), "--points", in("new.csv"), "--proba", "--block", block, "--threads", threads, "--quiet"); again != out {
					t.Errorf("%s: another output with blocks of %s and %s threads: %s", method, block, threads, errs)
				}
			}
		}
	}
	// A point of the run, asked for again under a name, is labelled as in the run.
	stored := strings.Split(read(t, in("stored.csv")), "\n")
	labels := column(read(t, in("labels.tsv")), 1)
	var named strings.Builder
	named.WriteString("name,x,y\n")
	for i := range 50 {
		fmt.Fprintf(&named, "p%d,%s\n", i, stored[i])
	}
	must(t, os.WriteFile(in("named.csv"), []byte(named.String()), 0o644))
	code, out, errs := call("predict", "--model", in("m.npz"), "--points", in("named.csv"), "--id-column", "name", "--block", "8")
	if code != 0 {
		t.Fatal(errs)
	}
	for i, label := range column(out, 1) {
		if name := column(out, 0)[i]; label != labels[i] || name != "p"+strconv.Itoa(i) {
			t.Errorf("point %d is %s of %s, expected %s", i, name, label, labels[i])
		}
	}
	// As Parquet, the same rows.
	parquet := in("named.parquet")
	if code, _, errs := call("predict", "--model", in("m.npz"), "--points", in("named.csv"), "--id-column", "name", "--block", "8", "--out", parquet); code != 0 {
		t.Fatal(errs)
	}
	content := read(t, parquet)
	rows, err := labelparquet.ReadPredictions(strings.NewReader(content), parquet, int64(len(content)))
	must(t, err)
	table := "node\tlabel\tconfidence\tmargin\tstatus\n"
	for _, p := range rows {
		table += fmt.Sprintf("%s\t%s\t%.6f\t%.6f\t%s\n", p.Node, p.Label, p.Confidence, p.Margin, p.Status)
	}
	if table != out {
		t.Errorf("Parquet has\n%sexpected\n%s", table, out)
	}
	if code, _, errs := call("predict", "--model", in("m.npz"), "--points", in("named.csv"), "--proba", "--out", parquet); code != 2 || !strings.Contains(errs, "--proba is written as text and to .npz") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestPredictColumns: points whose columns have the titles of the run's are labelled the same in
// any order, with or without what the run left out; titles that differ are told.
func TestPredictColumns(t *testing.T) {
	dir, _ := moons(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	// write writes points with the columns named: x and y of the moons, a name and others.
	write := func(to, from string, columns ...string) {
		text := strings.Join(columns, ",") + "\n"
		if columns[0] == "" {
			text, columns = "", columns[1:]
		}
		for i, line := range strings.Fields(read(t, in(from))) {
			x, y, _ := strings.Cut(line, ",")
			row := make([]string, len(columns))
			for k, column := range columns {
				row[k] = map[string]string{"x": x, "y": y, "2020": x, "2019": y, "name": fmt.Sprint("p", i), "kind": "moon", "flag": "True", "note": "n"}[column]
			}
			text += strings.Join(row, ",") + "\n"
		}
		must(t, os.WriteFile(in(to), []byte(text), 0o644))
	}
	write("xy.csv", "new.csv", "name", "x", "y")
	write("yx.csv", "new.csv", "y", "name", "x")
	write("more.csv", "new.csv", "note", "y", "x", "kind", "name")
	write("bare.csv", "new.csv", "", "x", "y")
	write("2019.csv", "new.csv", "2019", "2020")
	write("flag.csv", "new.csv", "y", "x", "flag", "name")
	write("x.csv", "new.csv", "x", "flag", "name")
	write("stored2019.csv", "stored.csv", "kind", "2020", "2019")
	write("plain.csv", "stored.csv", "x", "y")
	write("named.csv", "stored.csv", "name", "x", "y")
	write("rich.csv", "stored.csv", "note", "name", "x", "kind", "y")
	seeds := strings.ReplaceAll("\n"+read(t, in("seeds.tsv")), "\n", "\np")
	must(t, os.WriteFile(in("names.tsv"), []byte(strings.TrimSuffix(seeds[1:], "p")), 0o644))
	run := func(model string, args ...string) {
		args = append([]string{"run", "--method", "lgc", "--quiet", "--out", in("labels.tsv"), "--model", in(model)}, args...)
		if code, _, errs := call(args...); code != 0 {
			t.Fatal(errs)
		}
	}
	must(t, os.WriteFile(in("empty.csv"), []byte("name,x,y\na,,1\n"), 0o644))
	must(t, os.WriteFile(in("words.csv"), []byte("name,x,y\na,big,1\n"), 0o644))
	label := func(model string, args ...string) (int, string, string) {
		return call(append([]string{"predict", "--model", in(model)}, args...)...)
	}
	run("m.npz", "--features", in("named.csv"), "--id-column", "name", "--labels", in("names.tsv"))
	run("rich.npz", "--features", in("rich.csv"), "--id-column", "name", "--labels", in("names.tsv"), "--drop-columns", "kind,1")
	run("only.npz", "--features", in("rich.csv"), "--id-column", "name", "--labels", in("names.tsv"), "--feature-columns", "5,x")
	run("plain.npz", "--features", in("stored.csv"), "--labels", in("seeds.tsv"))
	run("2019.npz", "--features", in("stored2019.csv"), "--drop-columns", "kind", "--labels", in("seeds.tsv"))
	_, want, errs := label("plain.npz", "--points", in("new.csv"))
	if want == "" {
		t.Fatal(errs)
	}
	for _, test := range [][]string{
		{"m.npz", "--points", in("xy.csv"), "--id-column", "name"},
		{"m.npz", "--points", in("yx.csv"), "--id-column", "name"},
		{"m.npz", "--points", in("bare.csv")},
		{"m.npz", "--points", in("flag.csv"), "--id-column", "name", "--drop-columns", "flag"},
		{"m.npz", "--points", in("more.csv"), "--id-column", "name", "--feature-columns", "x,y"},
		{"rich.npz", "--points", in("more.csv"), "--id-column", "name"},
		{"rich.npz", "--points", in("yx.csv"), "--id-column", "name"},
		{"only.npz", "--points", in("more.csv"), "--id-column", "name"},
		{"only.npz", "--points", in("xy.csv"), "--id-column", "name"},
		{"plain.npz", "--points", in("xy.csv"), "--id-column", "name"},
		{"2019.npz", "--points", in("2019.csv")},
	} {
		code, out, errs := label(test[0], test[1:]...)
		if code != 0 || strings.Join(column(out, 1), " ") != strings.Join(column(want, 1), " ") {
			t.Errorf("%v: exit %d, other labels than by position: %s", test, code, errs)
		}
	}
	for _, test := range []struct {
		says string
		args []string
	}{
		{`flag.csv:1: columns "y", "x", "flag", expected those of the model, in any order: "x", "y"; unknown: "flag"; if it is no feature, say --drop-columns "flag"`, []string{"m.npz", "--points", in("flag.csv"), "--id-column", "name"}},
		{`x.csv:1: columns "x", expected those of the model, in any order: "x", "y"; missing: "y"`, []string{"m.npz", "--points", in("x.csv"), "--id-column", "name", "--drop-columns", "flag"}},
		{`yx.csv:1: columns "y", "name", "x", expected those of the model, in any order: "x", "y"; unknown: "name"; if it names the points, say --id-column "name"`, []string{"m.npz", "--points", in("yx.csv")}},
		{`empty.csv:2: column 2 is empty, a missing value: fill it in, or leave out the row` + "\n", []string{"m.npz", "--points", in("empty.csv"), "--id-column", "name"}},
		{`words.csv:2: column 2: "big" is not in decimal form, expected a decimal number` + "\n", []string{"m.npz", "--points", in("words.csv"), "--id-column", "name"}},
		{`more.csv:1: no column named "flag" in the first line`, []string{"rich.npz", "--points", in("more.csv"), "--id-column", "name", "--drop-columns", "flag"}},
	} {
		if code, out, errs := label(test.args[0], test.args[1:]...); code != exits.Data || out != "" || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit %d, %s", test.args, code, errs)
		}
	}
	// A model of before titles were kept, and the vectors of the run in another folder.
	m, err := points.ReadModel(in("m.npz"), streams.Stdio{})
	must(t, err)
	m.Features.Titles = nil
	var old bytes.Buffer
	must(t, m.Write(&old))
	must(t, os.WriteFile(in("old.npz"), old.Bytes(), 0o644))
	if _, out, errs := label("old.npz", "--points", in("yx.csv"), "--id-column", "name"); strings.Join(column(out, 1), " ") != strings.Join(column(want, 1), " ") {
		t.Errorf("a model without titles: %s", errs)
	}
	must(t, os.Rename(in("named.csv"), in("moved.csv")))
	if code, _, errs := label("m.npz", "--points", in("xy.csv"), "--id-column", "name"); code != exits.IO || !strings.Contains(errs, "named.csv: no such file") || !strings.Contains(errs, "m.npz names it as the vectors of its run; say where they are from here: --features FILE") {
		t.Errorf("vectors that are not there: exit %d, %s", code, errs)
	}
}

// TestPredictCategories: columns of categories are as good as the same columns of 0 and 1, written by hand, for run and predict.
func TestPredictCategories(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	kinds := []string{"DE", "FR", "IT"}
	// write writes n points from one on: by their categories, and by columns of 0 and 1.
	write := func(name string, first, n int) {
		words, ones := "point,height,country\n", "point,height,country=DE,country=FR,country=IT\n"
		for i := first; i < first+n; i++ {
			kind := i * i % 7 % len(kinds)
			start := fmt.Sprintf("p%d,%d", i, 3*(kind/2)+i%3)
			words += start + "," + kinds[kind] + "\n"
			ones += start
			for k := range kinds {
				ones += fmt.Sprint(",", map[bool]int{true: 1}[k == kind])
			}
			ones += "\n"
		}
		must(t, os.WriteFile(in(name+".csv"), []byte(words), 0o644))
		must(t, os.WriteFile(in(name+"-ones.csv"), []byte(ones), 0o644))
	}
	write("run", 0, 60)
	write("new", 100, 40)
	seeds := ""
	for i := range 12 {
		seeds += fmt.Sprintf("p%d %s\n", i, map[bool]string{true: "north", false: "south"}[i*i%7%len(kinds)/2 == 0])
	}
	must(t, os.WriteFile(in("seeds"), []byte(seeds), 0o644))
	var labels, predicted [2]string
	for k, kind := range []string{"", "-ones"} {
		args := []string{"run", "--quiet", "--proba", "--features", in("run" + kind + ".csv"), "--id-column", "point", "--labels", in("seeds"), "--out", in("labels.tsv"), "--model", in("m" + kind)}
		if kind == "" {
			args = append(args, "--categories", "country")
		}
		if code, _, errs := call(args...); code != 0 {
			t.Fatal(errs)
		}
		labels[k] = read(t, in("labels.tsv"))
		code, out, errs := call("predict", "--quiet", "--proba", "--model", in("m"+kind), "--points", in("new"+kind+".csv"), "--id-column", "point", "--block", "7")
		if code != 0 {
			t.Fatal(errs)
		}
		predicted[k] = out
	}
	if labels[0] != labels[1] || predicted[0] != predicted[1] || strings.Count(predicted[0], "\n") != 41 {
		t.Errorf("categories:\n%s%s\ncolumns of 0 and 1:\n%s%s", labels[0], predicted[0], labels[1], predicted[1])
	}
	must(t, os.WriteFile(in("other.csv"), []byte("point,height,country\nq,1,XX\n"), 0o644))
	if code, _, errs := call("predict", "--model", in("m"), "--points", in("other.csv"), "--id-column", "point"); code != 0 || !strings.Contains(errs, `warning [new-categories]: points: 1 value of a category that no point of the run has read as none of its values (the first: line 2, "country=XX")`) {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestPredictImputed: missing values are as good as the means of the run's columns, written by hand, for run and predict.
func TestPredictImputed(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	text, seeds, sum, count := "name,a,b\n", "", 0, 0
	for i := range 40 {
		a := fmt.Sprint(8*(i%2) + i%5)
		if i%9 == 4 {
			a = "NA"
		} else {
			sum, count = sum+8*(i%2)+i%5, count+1
		}
		text += fmt.Sprintf("p%d,%s,%d\n", i, a, 6*(i%2)+i%7)
		if i < 12 {
			seeds += fmt.Sprintf("p%d class%d\n", i, i%2)
		}
	}
	mean := fmt.Sprint(float32(float64(sum) / float64(count)))
	must(t, os.WriteFile(in("holes.csv"), []byte(text), 0o644))
	must(t, os.WriteFile(in("full.csv"), []byte(strings.ReplaceAll(text, "NA", mean)), 0o644))
	must(t, os.WriteFile(in("seeds"), []byte(seeds), 0o644))
	new := "name,b,a\nx,3,\ny,8,?\nz,2,1\n"
	must(t, os.WriteFile(in("holes-new.csv"), []byte(new), 0o644))
	must(t, os.WriteFile(in("full-new.csv"), []byte("name,b,a\nx,3,"+mean+"\ny,8,"+mean+"\nz,2,1\n"), 0o644))
	var labels, predicted [2]string
	for k, name := range []string{"holes", "full"} {
		args := []string{"run", "--quiet", "--proba", "--features", in(name + ".csv"), "--id-column", "name", "--labels", in("seeds"), "--out", in("labels"), "--model", in("m")}
		if k == 0 {
			args = append(args, "--impute", "mean")
		}
		if code, _, errs := call(args...); code != 0 {
			t.Fatal(errs)
		}
		labels[k] = read(t, in("labels"))
		code, out, errs := call("predict", "--quiet", "--proba", "--model", in("m"), "--points", in(name+"-new.csv"), "--id-column", "name", "--block", "2")
		if code != 0 {
			t.Fatal(errs)
		}
		predicted[k] = out
	}
	if labels[0] != labels[1] || predicted[0] != predicted[1] {
		t.Errorf("missing values:\n%s%s\nmeans:\n%s%s", labels[0], predicted[0], labels[1], predicted[1])
	}
}

// TestPredictFar: new points in other units are warned of, with the column that tells it, whatever the form of the points; others are not.
func TestPredictFar(t *testing.T) {
	dir, _ := moons(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	// write writes points as csv with titles, and as libsvm.
	write := func(to, from string, rows int, change func(x, y float64) (float64, float64)) {
		table, sparse := "east,north\n", ""
		for _, line := range strings.Fields(read(t, in(from)))[:rows] {
			var x, y float64
			if _, err := fmt.Sscanf(line, "%g,%g", &x, &y); err != nil {
				t.Fatal(err)
			}
			x, y = change(x, y)
			table += fmt.Sprintf("%v,%v\n", x, y)
			sparse += fmt.Sprintf("0 1:%v 2:%v\n", x, y)
		}
		must(t, os.WriteFile(in(to+".csv"), []byte(table), 0o644))
		must(t, os.WriteFile(in(to+".svm"), []byte(sparse), 0o644))
	}
	same := func(x, y float64) (float64, float64) { return x, y }
	write("run", "stored.csv", 300, same)
	write("alike", "new.csv", 60, same)
	write("one", "new.csv", 1, same)
	write("metres", "new.csv", 60, func(x, y float64) (float64, float64) { return x, 1000 * (y + 3) })
	write("metre", "new.csv", 1, func(x, y float64) (float64, float64) { return x, 1000 * (y + 3) })
	write("both", "new.csv", 60, func(x, y float64) (float64, float64) { return 1000 * (x + 3), 2000 * (y + 3) })
	for _, run := range [][]string{{"csv", "m.csv"}, {"svm", "m.svm"}, {"csv", "angles", "--metric", "cosine", "--scale", "none"}} {
		args := []string{"run", "--features", in("run." + run[0]), "--labels", in("seeds.tsv"), "--method", "lgc", "--quiet", "--out", in("labels.tsv"), "--model", in(run[1])}
		if code, _, errs := call(append(args, run[2:]...)...); code != 0 {
			t.Fatal(errs)
		}
	}
	for _, test := range []struct {
		model, points string
		says          []string // nothing: no warning
	}{
		{"m.csv", "alike.csv", nil},
		{"m.csv", "one.csv", nil},
		{"m.svm", "alike.svm", nil},
		{"angles", "both.csv", nil},
		{"m.csv", "metres.csv", []string{`warning [far-points]: 60 of 60 new points are far from the values of the 300 points of the model: column "north" of the features has `, `, and the model has -0.`, "; if they are in other units, or not prepared as those of the run, prepare them alike\n"}},
		{"m.csv", "metre.csv", []string{`1 of 1 new point is far from the values of the 300 points of the model: column "north" of the features has `}},
		{"m.csv", "both.csv", []string{`column "north" of the features has `, ` (1 other column is off, too); if`}},
		{"m.svm", "metres.svm", []string{"60 of 60 new points are far from the values of the 300 points of the model: column 2 of the features has "}},
	} {
		for _, block := range []string{"8192", "7"} {
			code, _, errs := call("predict", "--model", in(test.model), "--points", in(test.points), "--block", block, "--out", in("new.tsv"), "--report", in("report.json"))
			if code != 0 || strings.Contains(errs, "[far-points]") != (len(test.says) > 0) {
				t.Errorf("%v: exit %d, %s", test, code, errs)
			}
			for _, says := range test.says {
				if !strings.Contains(errs, says) {
					t.Errorf("%v: no %q in %s", test, says, errs)
				}
			}
			var r predict.Report
			if err := json.Unmarshal([]byte(read(t, in("report.json"))), &r); err != nil || (len(r.Warnings) > 0) != (len(test.says) > 0) || len(r.Warnings) > 0 && (r.Warnings[0].Code != report.WarnFarPoints || r.Warnings[0].Count != r.Points) {
				t.Errorf("%v: report %+v, %v", test, r.Warnings, err)
			}
		}
	}
}

// TestPredictErrors: exit codes and what the messages say.
func TestPredictErrors(t *testing.T) {
	dir, _ := moons(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"run", "--features", in("stored.csv"), "--labels", in("seeds.tsv"), "--method", "lgc", "--out", in("labels.tsv"), "--model", in("m.npz")},
		{"run", "--features", in("stored.csv"), "--graph-kind", "lle", "--labels", in("seeds.tsv"), "--method", "lgc", "--out", in("labels.tsv"), "--model", in("lle.npz")},
	} {
		if code, _, errs := call(args...); code != 0 || strings.Contains(errs, "[unjoinable-model]: new points cannot join the graph of features: predict refuses the model; ") != slices.Contains(args, "lle") {
			t.Fatal(code, errs)
		}
	}
	must(t, os.WriteFile(in("wide.csv"), []byte("1,2,3\n"), 0o644))
	must(t, os.WriteFile(in("nan.csv"), []byte("1,2\n1,nan\n"), 0o644))
	model := []byte(read(t, in("m.npz")))
	must(t, os.WriteFile(in("cut.npz"), model[:len(model)-100], 0o644))
	model[len(model)/2] ^= 1
	must(t, os.WriteFile(in("rotten.npz"), model, 0o644))
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{exits.Usage, "--model", []string{"--points", in("new.csv")}},
		{exits.Usage, "--points", []string{"--model", in("m.npz")}},
		{exits.Usage, "--block", []string{"--model", in("m.npz"), "--points", in("new.csv"), "--block", "0"}},
		{exits.Usage, "--min-confidence", []string{"--model", in("m.npz"), "--points", in("new.csv"), "--min-confidence", "2"}},
		{exits.Usage, "cannot be joined", []string{"--model", in("lle.npz"), "--points", in("new.csv")}},
		{exits.Data, "3 coordinates", []string{"--model", in("m.npz"), "--points", in("wide.csv")}},
		{exits.Data, "nan.csv:2", []string{"--model", in("m.npz"), "--points", in("nan.csv")}},
		{exits.Data, "the model is of 300 of 2", []string{"--model", in("m.npz"), "--points", in("new.csv"), "--features", in("all.csv")}},
		{exits.Data, "rotten.npz", []string{"--model", in("rotten.npz"), "--points", in("new.csv")}},
		{exits.Data, "cut.npz", []string{"--model", in("cut.npz"), "--points", in("new.csv")}},
		{exits.Data, "stored.csv", []string{"--model", in("stored.csv"), "--points", in("new.csv")}},
		{exits.IO, "none.npz", []string{"--model", in("none.npz"), "--points", in("new.csv")}},
		{exits.Usage, "same file", []string{"--model", in("m.npz"), "--points", in("new.csv"), "--out", in("new.csv")}},
	} {
		code, _, errs := call(append([]string{"predict"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit %d, expected %d; %s", test.args, code, test.code, errs)
		}
	}
	// Vectors that were changed since.
	must(t, os.WriteFile(in("stored.csv"), bytes.Replace([]byte(read(t, in("stored.csv"))), []byte("0."), []byte("0.9"), 1), 0o644))
	if code, _, errs := call("predict", "--model", in("m.npz"), "--points", in("new.csv")); code != exits.Data || !strings.Contains(errs, "CRC-32C") {
		t.Errorf("changed vectors: exit %d, %s", code, errs)
	}
}

// TestWarm runs again with other labels and other edges from a model: the same
// labels as from nothing, by fewer products.
func TestWarm(t *testing.T) {
	src, dst, _, class := gen.PlantedPartition(600, 4, 0.06, 0.012, 3)
	edges := func(more string) string {
		var b strings.Builder
		for k := range src {
			fmt.Fprintln(&b, src[k], dst[k])
		}
		return b.String() + more
	}
	seeds := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%d\tc%d\n", i, class[i])
		}
		return b.String()
	}
	dir := files(t, "g.tsv", edges(""), "more.tsv", edges("new1 new2\nnew2 5\nlone1 lone2\n"), "seeds.tsv", seeds(28), "moreseeds.tsv", seeds(34), "many.tsv", seeds(120), "onemore.tsv", seeds(121), "moved.tsv", "lone1\tc9\n"+seeds(20))
	in := func(name string) string { return filepath.Join(dir, name) }
	if code, _, errs := call("run", "--edges", in("g.tsv"), "--labels", in("seeds.tsv"), "--method", "lgc", "--out", in("out.tsv"), "--model", in("m.npz")); code != 0 {
		t.Fatal(errs)
	}
	tests := [][2]string{{"g.tsv", "seeds.tsv"}, {"g.tsv", "moreseeds.tsv"}, {"more.tsv", "seeds.tsv"}, {"more.tsv", "moreseeds.tsv"}, {"more.tsv", "moved.tsv"}}
	for _, test := range tests {
		args := []string{"run", "--edges", in(test[0]), "--labels", in(test[1]), "--method", "lgc"}
		code, want, errs := call(append(args, "--report", in("cold.json"))...)
		if code != 0 {
			t.Fatal(errs)
		}
		code, got, errs := call(append(args, "--warm", in("m.npz"), "--report", in("warm.json"), "--model", in("next.npz"), "--verbose")...)
		if code != 0 || !strings.Contains(errs, "round 0 started from") {
			t.Fatal(errs)
		}
		var cold, warm report.Run
		must(t, json.Unmarshal([]byte(read(t, in("cold.json"))), &cold))
		must(t, json.Unmarshal([]byte(read(t, in("warm.json"))), &warm))
		if a, b := warm.Rounds[0].Solve.Iterations, cold.Rounds[0].Solve.Iterations; a > b || test[1] == "seeds.tsv" && test[0] == "g.tsv" && a > 2 || !warm.Converged != !cold.Converged {
			t.Errorf("%v: %d products from the model, %d from nothing", test, a, b)
		}
		for i, label := range column(want, 1) {
			if other := column(got, 1)[i]; label != other || (label == "") != (column(got, 4)[i] == "unreached") {
				t.Errorf("%v: node %d is %q, from nothing %q", test, i, other, label)
			}
		}
		if warm.Warm.FromNothing == 0 || warm.Warm.Nodes < 590 {
			t.Errorf("%+v", warm.Warm)
		}
		again, err := points.ReadModel(in("next.npz"), streams.Stdio{})
		if err != nil || again.Products != warm.Warm.FromNothing {
			t.Errorf("the next model: %v", err)
		}
	}
	// The choice of the model's run, kept: the labels of nearly all nodes, without
	// the way there.
	args := []string{"run", "--edges", in("more.tsv"), "--labels", in("onemore.tsv"), "--combine", "none"}
	if code, _, errs := call("run", "--edges", in("g.tsv"), "--labels", in("many.tsv"), "--select", "fast", "--out", in("out.tsv"), "--model", in("m.npz")); code != 0 {
		t.Fatal(errs)
	}
	_, want, _ := call(append(args, "--quiet", "--select", "fast")...)
	code, got, errs := call(append(args, "--warm", in("m.npz"), "--report", in("warm.json"))...)
	var kept report.Run
	must(t, json.Unmarshal([]byte(read(t, in("warm.json"))), &kept))
	agree := 0
	for i, label := range column(want, 1) {
		if label == column(got, 1)[i] {
			agree++
		}
	}
	if code != 0 || !strings.Contains(errs, "with the setting of the earlier run") || !kept.Warm.KeptChoice || kept.Warm.Rounds == 0 || kept.Trial != nil || agree < 595 {
		t.Errorf("with the choice kept: exit %d, %d nodes alike, %+v, %s", code, agree, kept.Warm, errs)
	}
	for _, flags := range [][]string{{"--method", "gfhf"}, {"--solver", "power", "--method", "lgc"}, {"--checkpoint", in("state")}, {"--topk", "7"}, {"--select", "fast"}} {
		if code, _, errs := call(append([]string{"run", "--edges", in("g.tsv"), "--labels", in("seeds.tsv"), "--warm", in("m.npz")}, flags...)...); code != exits.Usage || !strings.Contains(errs, "--warm") {
			t.Errorf("%v: exit %d, %s", flags, code, errs)
		}
	}
}

// TestPredictLinked: after a run on edges alone that join unlike nodes, new points have the label of the nodes that are joined to
// the same ones, and not that of the nodes that they are joined to.
func TestPredictLinked(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	var edges, seeds, added strings.Builder
	link := func(to *strings.Builder, name string, class int) {
		for range 5 {
			fmt.Fprintf(to, "%s n%d\n", name, 2*rng.IntN(150)+1-class)
		}
	}
	for i := range 300 {
		link(&edges, fmt.Sprintf("n%d", i), i%2)
		if i < 60 {
			fmt.Fprintf(&seeds, "n%d class%d\n", i, i%2)
		}
	}
	for i := range 40 {
		link(&added, fmt.Sprintf("new%d", i), i%2)
	}
	dir := files(t, "g", edges.String(), "s", seeds.String(), "more", added.String())
	right := func(flags ...string) (count int) {
		t.Helper()
		if code, _, errs := call(append([]string{"run", "--edges", dir + "/g", "--labels", dir + "/s", "--out", dir + "/out", "--model", dir + "/m.npz", "--quiet"}, flags...)...); code != 0 {
			t.Fatal(errs)
		}
		code, out, errs := call("predict", "--model", dir+"/m.npz", "--edges", dir+"/more", "--report", dir+"/r.json", "--quiet")
		if code != 0 {
			t.Fatal(errs)
		}
		labels := column(out, 1)
		for k, name := range column(out, 0) {
			if i, err := strconv.Atoi(strings.TrimPrefix(name, "new")); err == nil && labels[k] == fmt.Sprintf("class%d", i%2) {
				count++
			}
		}
		return count
	}
	if mixed, alone := right(), right("--combine", "none"); mixed < 36 || alone > 24 {
		t.Errorf("%d of 40 right, %d by the graph alone", mixed, alone)
	}
}

// TestPredictInnerProduct: after a run by inner products, points of the run again and new ones get the labels of their
// neighbourhood, where nearly all points have their largest products with the same few, dense or sparse.
func TestPredictInnerProduct(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 2))
	var stored, sparse, fresh, seeds strings.Builder
	for i := range 240 {
		var row [6]string
		var entries, other []string
		for j := range row {
			v := 5 + 0.4*rng.NormFloat64()
			if j/2 == i%3 {
				v += 1.5 + float64(i%3) // the last class has the largest norms
			}
			row[j] = fmt.Sprintf("%.4f", v)
			entries = append(entries, fmt.Sprintf("%d:%s", j+1, row[j]))
			other = append(other, fmt.Sprintf("%.4f", v+0.1*rng.NormFloat64()))
		}
		fmt.Fprintln(&stored, strings.Join(row[:], ","))
		fmt.Fprintln(&sparse, "0", strings.Join(entries, " "))
		fmt.Fprintln(&fresh, strings.Join(other, ","))
		if i < 15 {
			fmt.Fprintf(&seeds, "%d c%d\n", i, i%3)
		}
	}
	dir := files(t, "x.csv", stored.String(), "x.libsvm", sparse.String(), "new.csv", fresh.String(), "s", seeds.String())
	t.Chdir(dir)
	for _, features := range []string{"x.csv", "x.libsvm"} {
		code, labels, errs := call("run", "--features", features, "--metric", "ip", "--labels", "s", "--model", "m", "--quiet")
		if code != 0 {
			t.Fatal(errs)
		}
		for _, points := range []string{features, "new.csv"} {
			code, out, errs := call("predict", "--model", "m", "--points", points)
			if code != 0 || !strings.Contains(errs, "neighbours by cosine, cosine weights") {
				t.Fatal(errs)
			}
			ofRun, equal := column(labels, 1), 0
			for i, label := range column(out, 1) {
				if label == ofRun[i] {
					equal++
				}
			}
			if equal < 225 {
				t.Errorf("%s after %s: %d of 240 points have the label of the run", points, features, equal)
			}
		}
	}
}

// TestPredictWords: words are compared by hellinger-idf, and a model of them joins points of the run, and new ones, to those of
// their topic, dense or sparse.
func TestPredictWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	var stored, sparse, fresh, seeds strings.Builder
	for i := range 240 {
		var rows [2][120]int
		var entries []string
		for k := range rows {
			for range 4 {
				rows[k][60+20*(i%3)+rng.IntN(20)] = 1 // of the topic
				rows[k][rng.IntN(10)] = 1             // of all
			}
		}
		for j, v := range rows[0] {
			if v > 0 {
				entries = append(entries, fmt.Sprintf("%d:1", j+1))
			}
		}
		comma := func(row [120]int) string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(row), "[]"), " ", ",") }
		fmt.Fprintln(&stored, comma(rows[0]))
		fmt.Fprintln(&sparse, "0", strings.Join(entries, " "))
		fmt.Fprintln(&fresh, comma(rows[1]))
		if i < 15 {
			fmt.Fprintf(&seeds, "%d c%d\n", i, i%3)
		}
	}
	dir := files(t, "x.csv", stored.String(), "x.libsvm", sparse.String(), "new.csv", fresh.String(), "s", seeds.String())
	t.Chdir(dir)
	for _, features := range []string{"x.csv", "x.libsvm"} {
		code, labels, errs := call("run", "--features", features, "--labels", "s", "--graph-kind", "knn", "--model", "m")
		if code != 0 || !strings.Contains(errs, "by hellinger-idf") {
			t.Fatal(errs)
		}
		for _, points := range []string{features, "new.csv"} {
			code, out, errs := call("predict", "--model", "m", "--points", points)
			if code != 0 || !strings.Contains(errs, "neighbours by hellinger-idf, symmetric weights") {
				t.Fatal(errs)
			}
			for name, found := range map[string]string{"run": labels, "predict": out} {
				right := 0
				for i, label := range column(found, 1) {
					if label == fmt.Sprintf("c%d", i%3) {
						right++
					}
				}
				if right < 225 {
					t.Errorf("%s after %s: %s gives %d of 240 points their topic", points, features, name, right)
				}
			}
		}
	}
}

// TestPredictBase: indices of new points of libsvm count from what those of the run do, whatever the points have.
func TestPredictBase(t *testing.T) {
	var from0, from1, seeds strings.Builder
	for i := range 60 {
		fmt.Fprint(&from0, i%2)
		fmt.Fprint(&from1, i%2)
		for _, k := range []int{i / 2 % 5, (i/2 + 1) % 5, (i/2 + 2) % 5} {
			fmt.Fprintf(&from0, " %d:1", i%2*5+k)
			fmt.Fprintf(&from1, " %d:1", i%2*5+k+1)
		}
		fmt.Fprintln(&from0)
		fmt.Fprintln(&from1)
		if i < 20 {
			fmt.Fprintf(&seeds, "%d\tc%d\n", i, i%2)
		}
	}
	t.Chdir(files(t, "0.libsvm", from0.String(), "1.libsvm", from1.String(), "s", seeds.String(), "p", "1 5:1\n", "q", "1 5:1\n0 0:1\n", "r", "1 6:1\n"))
	label := func(model, points string) (int, string, string) {
		return call("predict", "--model", model, "--points", points, "--format", "libsvm", "--quiet")
	}
	for _, base := range []string{"0", "1"} {
		must(t, call0("run", "--features", base+".libsvm", "--labels", "s", "--out", "out", "--model", base, "--quiet"))
	}
	for _, c := range [][2]string{{"0", "p"}, {"0", "q"}, {"1", "r"}} {
		if code, out, errs := label(c[0], c[1]); code != 0 || !strings.Contains(out, "\n0\tc1\t") {
			t.Errorf("%v: exit %d, %s%s", c, code, out, errs)
		}
	}
	if code, _, errs := label("1", "q"); code != 1 || !strings.Contains(errs, "q: an index 0, expected indices from 1 on, as in 1.libsvm") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestPredictTrees: after a run on a table whose classes are thresholds, trees have a part in the answer, which the report tells; new
// points get the right side more often than by their neighbours alone.
func TestPredictTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var old, points, seeds strings.Builder
	want := make([]string, 0, 300)
	for i := range 600 {
		to, class := &old, "out"
		var x [8]float64
		for j := range x {
			x[j] = math.Exp(4 * rng.NormFloat64())
		}
		if x[0] < 2 && x[1] < 2 {
			class = "in"
		}
		if i >= 300 {
			to, want = &points, append(want, class)
		} else if i < 80 {
			fmt.Fprintf(&seeds, "%d\t%s\n", i, class)
		}
		for j, v := range x {
			fmt.Fprint(to, v)
			fmt.Fprint(to, map[bool]string{true: "\n", false: ","}[j == 7])
		}
	}
	t.Chdir(files(t, "x.csv", old.String(), "new.csv", points.String(), "s", seeds.String()))
	right := func(options ...string) (count int, share float64) {
		must(t, call0(append([]string{"run", "--features", "x.csv", "--labels", "s", "--out", "out", "--model", "m", "--quiet"}, options...)...))
		code, out, errs := call("predict", "--model", "m", "--points", "new.csv", "--report", "r.json", "--quiet")
		if code != 0 {
			t.Fatal(errs)
		}
		for i, label := range column(out, 1) {
			if label == want[i] {
				count++
			}
		}
		var report predict.Report
		must(t, json.Unmarshal([]byte(read(t, "r.json")), &report))
		return count, report.Alone
	}
	count, share := right()
	step, none := right("--combine", "none")
	if share == 0 || none != 0 || count < step+20 {
		t.Errorf("%d of 300 are right with a share of %v, %d without trees; expected 20 more", count, share, step)
	}
}

// TestPredictSeveral labels points of which some have several labels: right and left, above and below. Their labels are
// the same for all block sizes and threads, as text and as Parquet.
func TestPredictSeveral(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	var stored, fresh, seeds, truth strings.Builder
	for i := range 460 {
		x, y := 2*rng.Float64()-1, 2*rng.Float64()-1
		x, y = x+math.Copysign(0.2, x), y+math.Copysign(0.2, y)
		to, labels, at := &stored, &seeds, i
		if i >= 400 {
			to, labels, at = &fresh, &truth, i-400
		}
		fmt.Fprintf(to, "%v,%v\n", x, y)
		if i >= 60 && i < 400 {
			continue
		}
		for k, has := range []bool{x > 0, y > 0, x < 0 && y < 0} {
			if has {
				fmt.Fprintf(labels, "%d\t%s\n", at, []string{"right", "above", "neither"}[k])
			}
		}
	}
	t.Chdir(files(t, "stored.csv", stored.String(), "new.csv", fresh.String(), "seeds.tsv", seeds.String(), "truth.tsv", truth.String()))
	for _, method := range []string{"", " --method lgc --label-share 0.5"} {
		if code, _, errs := call(strings.Fields("run --features stored.csv --labels seeds.tsv --multilabel --out labels.tsv --model m.npz --quiet" + method)...); code != 0 {
			t.Fatal(errs)
		}
		code, out, errs := call(strings.Fields("predict --model m.npz --points new.csv --report report.json")...)
		if code != 0 {
			t.Fatal(errs)
		}
		var r predict.Report
		must(t, json.Unmarshal([]byte(read(t, "report.json")), &r))
		rows := len(column(out, 0))
		if want := fmt.Sprintf("labels     %d, %.1f a point in the mean\n", rows, float64(rows)/60); rows <= 60 || !strings.Contains(errs, want) || r.Points != 60 || r.Labels["right"]+r.Labels["above"]+r.Labels["neither"] != rows {
			t.Errorf("%d rows, report %+v, %s", rows, r, errs)
		}
		must(t, os.WriteFile("p.tsv", []byte(out), 0o644))
		code, scores, errs := call(strings.Fields("eval --predictions p.tsv --truth truth.tsv --multilabel --json")...)
		var of struct {
			Micro float64 `json:"micro_f1"`
		}
		if json.Unmarshal([]byte(scores), &of); code != 0 || of.Micro < 0.93 {
			t.Errorf("%q: micro-F1 %v, exit %d, %s", method, of.Micro, code, errs)
		}
		for _, more := range []string{"--block 1", "--block 7 --threads 1", "--threads 3"} {
			if _, again, errs := call(strings.Fields("predict --model m.npz --points new.csv --quiet " + more)...); again != out {
				t.Errorf("%s: other labels, %s", more, errs)
			}
		}
		for _, to := range []string{"p.parquet", "p.npz --proba --block 7"} {
			if code, _, errs := call(strings.Fields("predict --model m.npz --points new.csv --quiet --out " + to)...); code != 0 {
				t.Fatal(errs)
			}
			_, again, _ := call(strings.Fields("eval --truth truth.tsv --multilabel --json --predictions " + strings.Fields(to)[0])...)
			if again != scores {
				t.Errorf("as %s the scores are %s, as text %s", to, again, scores)
			}
		}
	}
	for more, want := range map[string]string{
		"--proba":                "--model m.npz is of run --multilabel: --proba is written to .npz then, and --out is -",
		"--min-confidence 0.5":   "--min-confidence is for one label a point",
		"--model old --points -": "--model old is of run --multilabel by a version that did not keep which labels a point has; make it again",
	} {
		if strings.Contains(more, "old") {
			m, err := points.ReadModel("m.npz", streams.Stdio{Err: io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			m.Labels = nil
			var b bytes.Buffer
			must(t, m.Write(&b))
			must(t, os.WriteFile("old", b.Bytes(), 0o644))
		}
		args := "predict --model m.npz --points new.csv " + more
		if strings.Contains(more, "--model") {
			args = "predict --format csv " + more
		}
		if code, _, errs := call(strings.Fields(args)...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s", args, code, errs)
		}
	}
}
