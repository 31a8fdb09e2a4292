package labelnpz_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelnpz"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
)

// result has four nodes: of both classes, with a row to scale, and without a label.
func result() *adp.Result {
	return &adp.Result{
		Labels:     []int32{0, 1, 1, -1},
		F:          &csr.Dense{Rows: 4, Cols: 2, Data: []float32{1, 0, 0.25, 0.75, 2, 6, 0, 0}},
		Confidence: []float32{1, 0.75, 0.75, 0},
		Margin:     []float32{1, 0.5, 0.5, 0},
		Status:     []adp.Status{adp.Seed, adp.Predicted, adp.Uncertain, adp.Unreached},
	}
}

func named(t *testing.T, names ...string) *ids.Table {
	t.Helper()
	table := ids.NewTable()
	for _, name := range names {
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

// arrays returns the elements of each array by its name, without its header, and the names in
// order. It reads by zip and by the format of numpy alone.
func arrays(t *testing.T, file []byte) (map[string][]byte, []string) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	found, order := map[string][]byte{}, []string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil || f.Method != zip.Store {
			t.Fatalf("%s: %v, method %d", f.Name, err, f.Method)
		}
		header := 10 + int(binary.LittleEndian.Uint16(b.Bytes()[8:]))
		name := strings.TrimSuffix(f.Name, ".npy")
		found[name] = b.Bytes()[header:]
		order = append(order, name)
	}
	return found, order
}

func floats(b []byte) (values []float32) {
	for ; len(b) > 0; b = b[4:] {
		values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return values
}

// TestWrite: a file has the labels, and the names of nodes where they are no numbers.
func TestWrite(t *testing.T) {
	classes := []string{"red, or \"so\"", "blau\tgrün"}
	for _, nodes := range []*ids.Table{ids.Sequence(4), named(t, "0", "1", "2", "3"), named(t, "anna", "ä b", "1", "0")} {
		for _, proba := range []bool{false, true} {
			var b bytes.Buffer
			if err := labelnpz.Write(&b, result(), nodes, classes, proba); err != nil {
				t.Fatal(err)
			}
			got, order := arrays(t, b.Bytes())
			want := []string{"about", "label", "confidence", "margin", "status"}
			if nodes.Name(0) == "anna" {
				want = slices.Insert(want, 1, "names", "name_ends")
				if text := string(got["names"]); text != "annaä b10" || binary.LittleEndian.Uint64(got["name_ends"][8:]) != 4 {
					t.Errorf("names %q, ends %v", text, got["name_ends"])
				}
			}
			if proba {
				want = append(want, "proba")
				if p := floats(got["proba"]); !slices.Equal(p, []float32{1, 0, 0.25, 0.75, 0.25, 0.75, 0, 0}) {
					t.Errorf("proba %v", p)
				}
			}
			if !slices.Equal(order, want) {
				t.Errorf("arrays %v, expected %v", order, want)
			}
			var about struct{ Classes, Statuses []string }
			if err := json.Unmarshal(got["about"], &about); err != nil || !reflect.DeepEqual(about.Classes, classes) {
				t.Errorf("%v, %+v", err, about)
			}
			for i, s := range got["status"] {
				if name := result().Status[i].String(); about.Statuses[s] != name {
					t.Errorf("node %d: status %s, expected %s", i, about.Statuses[s], name)
				}
			}
			if !bytes.Equal(got["label"], []byte{0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255}) {
				t.Errorf("labels %v", got["label"])
			}
			if !slices.Equal(floats(got["confidence"]), result().Confidence) || !slices.Equal(floats(got["margin"]), result().Margin) {
				t.Errorf("confidence %v, margin %v", floats(got["confidence"]), floats(got["margin"]))
			}
		}
	}
}

// TestWriter: labels that come in pieces make the same bytes.
func TestWriter(t *testing.T) {
	classes, nodes, whole := []string{"a", "b"}, named(t, "w", "x", "y", "z"), result()
	for _, proba := range []bool{false, true} {
		var want, got bytes.Buffer
		if err := labelnpz.Write(&want, whole, nodes, classes, proba); err != nil {
			t.Fatal(err)
		}
		to := labelnpz.NewWriter(&got, classes, proba)
		for i := range 4 {
			piece := &adp.Result{
				Labels: whole.Labels[i : i+1], Confidence: whole.Confidence[i : i+1], Margin: whole.Margin[i : i+1], Status: whole.Status[i : i+1],
				F: &csr.Dense{Rows: 1, Cols: 2, Data: whole.F.Row(i)},
			}
			if err := to.Add(piece, nodes, i); err != nil {
				t.Fatal(err)
			}
		}
		if err := to.Flush(); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%v; the bytes differ", err)
		}
	}
}

// TestShares: the shares are those of the rows of text.
func TestShares(t *testing.T) {
	var text bytes.Buffer
	if err := labelfile.Write(&text, result(), ids.Sequence(4), []string{"a", "b"}, labelfile.Table{Proba: true}); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Split(text.String(), "\n"); !strings.HasSuffix(rows[3], "\t0.250000\t0.750000") {
		t.Errorf("%s", rows[3])
	}
}

// TestReadPredictions: what was written is read as it is from text.
func TestReadPredictions(t *testing.T) {
	classes := []string{"red, or \"so\"", "blau\tgrün"}
	for _, nodes := range []*ids.Table{ids.Sequence(4), named(t, "anna", "ä b", "1", "0")} {
		var b bytes.Buffer
		if err := labelnpz.Write(&b, result(), nodes, classes, true); err != nil {
			t.Fatal(err)
		}
		got, err := labelnpz.ReadPredictions(bytes.NewReader(b.Bytes()), "l.npz", int64(b.Len()))
		want := slices.Collect(labelfile.Predictions(result(), nodes, classes))
		for k := range want {
			want[k].Line = k + 1
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v\n got %v\nwant %v", err, got, want)
		}
	}
}

// TestSets: nodes with several labels are read as they are from text, whether they come at once or one by one; a node has a row of proba.
func TestSets(t *testing.T) {
	classes, nodes := []string{"red", "blue", "green"}, named(t, "anna", "ä b", "1", "0")
	r := &adp.Result{Labels: []int32{0, 1, -1, 2}, Status: []adp.Status{adp.Predicted, adp.Seed, adp.Unreached, adp.Predicted}}
	r.F = &csr.Dense{Rows: 4, Cols: 3, Data: []float32{4, 3, 1, 1, 2, 3, 0, 0, 0, 0, 0, 1}}
	seeds, err := diffuse.NewSeeds(4, 3, []diffuse.Seed{{Node: 1, Class: 0, Weight: 1}, {Node: 1, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	sets := multilabel.ByOdds(r.F, &multilabel.Odds{Slope: 1, Offsets: []float64{1, 1, 1}, Least: []float64{0.5, 0.5, 0.5}})
	want := slices.Collect(labelfile.MultiPredictions(r, sets, seeds, nodes, 0, classes))
	for k := range want {
		want[k].Line = k + 1
		want[k].Confidence, want[k].Margin = float64(float32(want[k].Confidence)), float64(float32(want[k].Margin))
	}
	if len(want) != 6 {
		t.Fatalf("%d rows: %v", len(want), want)
	}
	var whole bytes.Buffer
	to := labelnpz.NewSetWriter(&whole, classes, true)
	to.Add(r, sets, seeds, nodes, 0)
	if err := to.Flush(); err != nil {
		t.Fatal(err)
	}
	got, err := labelnpz.ReadPredictions(bytes.NewReader(whole.Bytes()), "l.npz", int64(whole.Len()))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n got %v\nwant %v", err, got, want)
	}
	parts, order := arrays(t, whole.Bytes())
	if !slices.Equal(order, []string{"about", "names", "name_ends", "label", "confidence", "margin", "status", "node", "proba"}) {
		t.Errorf("arrays %v", order)
	}
	for i := range 4 {
		all, _ := sets.All(i)
		for j, q := range floats(parts["proba"])[3*i : 3*i+3] {
			if all == nil && q != 0 || all != nil && q != float32(all[j].Share) {
				t.Errorf("node %d has the probability %v of class %d, expected %v", i, q, j, all)
			}
		}
	}

	without := func(add func(to *labelnpz.SetWriter)) []byte {
		var b bytes.Buffer
		to := labelnpz.NewSetWriter(&b, classes, true)
		add(to)
		if err := to.Flush(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	atOnce := without(func(to *labelnpz.SetWriter) { to.Add(r, sets, nil, nodes, 0) })
	oneByOne := without(func(to *labelnpz.SetWriter) {
		for i := range 4 {
			f := &csr.Dense{Rows: 1, Cols: 3, Data: r.F.Row(i)}
			to.Add(&adp.Result{Labels: r.Labels[i : i+1], Status: r.Status[i : i+1], F: f}, sets.Rule().Of(f), nil, nodes, i)
		}
	})
	if !bytes.Equal(atOnce, oneByOne) {
		t.Error("nodes that come one by one make other bytes")
	}
	rng := rand.New(rand.NewPCG(5, 9))
	for range 300 { // no panic
		damaged := mutant.Of(rng, whole.Bytes(), [][]byte{whole.Bytes()})
		labelnpz.ReadPredictions(bytes.NewReader(damaged), "l.npz", int64(len(damaged)))
	}
	for says, change := range map[string]func(text string) string{
		"6 rows of 9 nodes": func(text string) string { return strings.Replace(text, `"nodes":4`, `"nodes":9`, 1) },
		"is of node 3":      func(text string) string { return strings.Replace(text, `"nodes":4`, `"nodes":3`, 1) },
	} {
		file := rewritten(t, whole.Bytes(), change)
		if _, err := labelnpz.ReadPredictions(bytes.NewReader(file), "l.npz", int64(len(file))); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, expected %q", err, says)
		}
	}
}

// rewritten returns an archive with another text about it, of the same length.
func rewritten(t *testing.T, file []byte, change func(string) string) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		w, err := to.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		text := content.String()
		if f.Name == "about.npy" {
			text = change(text)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestReadFaults: archives of other arrays, and places, numbers and lengths that Write does not write;
// no change of a byte is a panic.
func TestReadFaults(t *testing.T) {
	var b bytes.Buffer
	written := func(change func(*adp.Result)) []byte {
		r := result()
		change(r)
		b.Reset()
		if err := labelnpz.Write(&b, r, named(t, "w", "x", "y", "z"), []string{"a", "b"}, false); err != nil {
			t.Fatal(err)
		}
		return slices.Clone(b.Bytes())
	}
	read := func(file []byte) error {
		_, err := labelnpz.ReadPredictions(bytes.NewReader(file), "l.npz", int64(len(file)))
		return err
	}
	for want, change := range map[string]func(*adp.Result){
		"l.npz:2: place 2 in a list of 2 names":      func(r *adp.Result) { r.Labels[1] = 2 },
		"l.npz:3: place -2 in a list of 2 names":     func(r *adp.Result) { r.Labels[2] = -2 },
		"l.npz:4: place 9 in a list of 4 names":      func(r *adp.Result) { r.Status[3] = 9 },
		"l.npz:1: confidence 2, expected 0 to 1":     func(r *adp.Result) { r.Confidence[0] = 2 },
		"l.npz:1: no label and status seed":          func(r *adp.Result) { r.Labels[0] = -1 },
		"array \"margin\": 140 bytes in the archive": func(r *adp.Result) { r.Margin = r.Margin[:3] },
		"array \"confidence\": element 1: value NaN": func(r *adp.Result) { r.Confidence[1] = float32(math.NaN()) },
	} {
		if err := read(written(change)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	whole := written(func(*adp.Result) {})
	for from, to := range map[string]string{"label.npy": "lapel.npy", "names.npy": "manes.npy", "name_ends.npy": "fame_ends.npy"} {
		if err := read(bytes.ReplaceAll(whole, []byte(from), []byte(to))); err == nil || !strings.Contains(err.Error(), "no array "+strconv.Quote(strings.TrimSuffix(from, ".npy"))) {
			t.Errorf("without %s: %v", from, err)
		}
	}
	if err := read([]byte("node\tlabel\n")); err == nil || !strings.Contains(err.Error(), "not a .npz archive") {
		t.Errorf("text: %v", err)
	}
	for k := range whole {
		damaged := slices.Clone(whole)
		damaged[k] ^= 0x55
		_, _ = read(damaged), read(whole[:k])
	}
}

// TestNamesOfOthers: other numbers of names than of nodes and classes panic, and nothing is written.
func TestNamesOfOthers(t *testing.T) {
	for _, test := range []struct {
		nodes   int
		classes []string
	}{{4, []string{"x"}}, {4, []string{"x", "y", "z"}}, {2, []string{"x", "y"}}, {9, []string{"x", "y"}}} {
		var b bytes.Buffer
		w := labelnpz.NewWriter(&b, test.classes, false)
		for name, write := range map[string]func() error{
			"Write":  func() error { return labelnpz.Write(&b, result(), ids.Sequence(test.nodes), test.classes, true) },
			"Writer": func() error { return w.Add(result(), ids.Sequence(test.nodes), 0) },
		} {
			if name == "Writer" && test.nodes > 4 { // further results may follow
				continue
			}
			func() {
				defer func() {
					if text := fmt.Sprint(recover()); !strings.Contains(text, "a result of 4 nodes") || b.Len() > 0 {
						t.Errorf("%s of %d nodes and %d classes: %s, %d bytes", name, test.nodes, len(test.classes), text, b.Len())
					}
				}()
				t.Error(write())
			}()
		}
	}
}
