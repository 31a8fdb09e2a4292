package labelnpz_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelnpz"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
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
