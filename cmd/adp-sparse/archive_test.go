package main

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/tune"
)

// TestArchive: --out labels.npz of run and predict holds what the rows of text say.
func TestArchive(t *testing.T) {
	dir := files(t, "x.csv", pointRows(), "y", "0 0\n1 1\n2 2\n")
	in := func(name string) string { return dir + "/" + name }
	run := []string{"run", "--features", in("x.csv"), "--labels", in("y"), "--model", in("m"), "--proba", "--quiet"}
	predict := []string{"predict", "--points", in("x.csv"), "--model", in("m"), "--proba", "--quiet", "--block", "7"}
	for _, args := range [][]string{run, predict} {
		for _, out := range []string{"o.tsv", "o.npz"} {
			if code, _, errs := call(append(args, "--out", in(out))...); code != 0 {
				t.Fatalf("%v: exit %d, %s", args, code, errs)
			}
		}
		rows := strings.Split(strings.TrimSpace(read(t, in("o.tsv"))), "\n")[1:]
		label, confidence, proba := elements(t, in("o.npz"), "label", 4*len(rows)), elements(t, in("o.npz"), "confidence", 4*len(rows)), elements(t, in("o.npz"), "proba", 12*len(rows))
		for i, row := range rows {
			number := func(b []byte, k int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:])) }
			got := fmt.Sprintf("%d\t%d\t%.6f", i, binary.LittleEndian.Uint32(label[4*i:]), number(confidence, i))
			shares := fmt.Sprintf("\t%.6f\t%.6f\t%.6f", number(proba, 3*i), number(proba, 3*i+1), number(proba, 3*i+2))
			if !strings.HasPrefix(row, got+"\t") || !strings.HasSuffix(row, shares) {
				t.Errorf("%s: %q, and in the archive %s … %s", args[0], row, got, shares)
			}
		}
	}
}

// elements returns the last bytes of an array in an archive: its elements.
func elements(t *testing.T, file, name string, bytes int) []byte {
	t.Helper()
	archive, err := zip.OpenReader(file)
	must(t, err)
	defer archive.Close()
	array, err := archive.Open(name + ".npy")
	must(t, err)
	all, err := io.ReadAll(array)
	must(t, err)
	return all[len(all)-bytes:]
}

// TestTuneJSON: the JSON of tune has the settings of its table.
func TestTuneJSON(t *testing.T) {
	dir := directions(t)
	args := []string{"tune", "--features", dir + "/x.csv", "--labels", dir + "/s", "--methods", "lgc", "--alphas", "0.9", "--ks", "4,12"}
	_, text, _ := call(args...)
	code, out, errs := call(append(args, "--json")...)
	var found tune.Outcome
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != 0 {
		t.Fatalf("%v: exit %d, %s", err, code, errs)
	}
	rows := strings.Split(text, "\n")[1:]
	for k, s := range found.Settings {
		if !strings.HasPrefix(rows[k], s.Setting) || !strings.Contains(rows[k], s.Graph) || !strings.Contains(rows[k], fmt.Sprintf("%.4f  ", s.Accuracy)) {
			t.Errorf("%q, and in JSON %+v", rows[k], s)
		}
	}
	if len(found.Settings) != strings.Count(text, "\n")-3 || !strings.Contains(text, "\n"+found.Command+"\n") {
		t.Errorf("%+v of %s", found, text)
	}
}
