package model

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
	"github.com/adp-sparse/adp-sparse/knn"
)

// small returns a model of four points on a line: with all that a model can
// have, or with as little as it can.
func small(t testing.TB, whole bool) *Model {
	t.Helper()
	m := &Model{
		Program: "test", Method: "lgc", Alpha: 0.9, Choice: adp.Setting{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}, Rounds: 9, Products: 7,
		Classes: []string{"left", "r i g h t"}, Nodes: ids.Sequence(4),
		F: &csr.Dense{Rows: 4, Cols: 2, Data: []float32{1, 0, 0.5, 0.25, 0.125, 3, 0, 0}},
	}
	if !whole {
		return m
	}
	m.Nodes = ids.NewTable()
	for _, name := range []string{"b", "ä", "10", "9"} {
		if _, err := m.Nodes.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	x := &csr.Dense{Rows: 4, Cols: 1, Data: []float32{0, 1, 3, 9}}
	m.Start = &csr.Dense{Rows: 4, Cols: 2, Data: []float32{1, 2, 3, 4, 5, 6, 7, 8}}
	m.Degrees = []float64{0.1, 0, 1e30, 4}
	m.Features = &Features{File: "x.npy", Dims: 1, Sum: Sum(diffuse.Features{Dense: x})}
	opt := knn.GraphOptions{Search: knn.Options{K: 2}, Symmetry: csr.Max}
	_, report, err := knn.Graph(context.Background(), x, opt)
	if err == nil {
		m.Joins, err = knn.NewAttachment(report.Found, report.Neighbors, opt)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func written(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readBytes(b []byte) (*Model, error) { return Read(bytes.NewReader(b), "m.npz", int64(len(b))) }

// same compares models by their values and the names of their nodes.
func same(a, b *Model) bool {
	if a.Nodes.Len() != b.Nodes.Len() {
		return false
	}
	for i := range a.Nodes.Len() {
		if a.Nodes.Name(i) != b.Nodes.Name(i) {
			return false
		}
	}
	x, y := *a, *b
	x.Nodes, y.Nodes = nil, nil
	return reflect.DeepEqual(x, y)
}

func TestRoundTrip(t *testing.T) {
	for _, whole := range []bool{false, true} {
		m := small(t, whole)
		if m.Several = whole; whole {
			m.Labels = &multilabel.Rule{Odds: &multilabel.Odds{Slope: 1.5, Offsets: []float64{-1, 1e300}, Least: []float64{0, 1}}}
		}
		b := written(t, m)
		got, err := readBytes(b)
		if err != nil || !same(got, m) {
			t.Errorf("%+v came back as %+v, %v", m, got, err)
		}
		if !bytes.Equal(written(t, got), b) {
			t.Error("other bytes the second time")
		}
		if got, err := ReadStream(bytes.NewReader(b), "m"); err != nil || !same(got, m) {
			t.Errorf("as a stream: %v", err)
		}
	}
}

// scaled returns a model of points whose columns were scaled.
func scaled(t testing.TB) *Model {
	m := small(t, true)
	m.Features.Scaling = &knn.Scaling{Middle: []float32{3.25}, Spread: []float32{0.1}, Ratio: 1}
	return m
}

// titled returns a model of points whose columns have titles and were chosen.
func titled(t testing.TB) *Model {
	m := scaled(t)
	m.Features.File, m.Features.Without, m.Features.Columns, m.Features.Drop = "x.csv", []string{"kind"}, []string{"2"}, []string{"note"}
	m.Features.Titles = []string{"größe, \t\"cm\""}
	return m
}

// guessing returns a model of sparse points, of which features alone say something, beside edges.
func guessing(t testing.TB) *Model {
	m := small(t, false)
	m.Features = &Features{File: "x.npz", Dims: 3}
	m.Guess = &adp.Guess{
		V: &csr.Dense{Rows: 3, Cols: 2, Data: []float32{1, -1, 0.5, 0, -2, 0.25}}, Size: 0.125, Share: 0.625,
		Standard: &diffuse.Standard{Mean: []float64{0, -1, 0.1}, SD: []float64{1, 0, 2}},
	}
	m.Edges = &Edges{Beta: 0.75}
	return m
}

// nearing returns guessing with what neighbours' features say.
func nearing(t testing.TB) *Model {
	m := guessing(t)
	around := csr.NewDense(m.F.Rows, 2)
	for k := range around.Data {
		around.Data[k] = float32(k%3) - 1
	}
	m.Guess.Near = &adp.Near{V: &csr.Dense{Rows: 3, Cols: 2, Data: []float32{0, 0.5, -1, 2, 0, 0.125}}, Around: around, Size: 0.5, Share: 0.75, Blend: 0.25}
	return m
}

// linked returns a model of edges alone, which say something of whom they join.
func linked(t testing.TB) *Model {
	m := small(t, false)
	v := &csr.Dense{Rows: m.F.Rows, Cols: 2, Data: make([]float32, 2*m.F.Rows)}
	for k := range v.Data {
		v.Data[k] = float32(k) - 2.5
	}
	m.Guess = &adp.Guess{V: v, Size: 0.25, Share: 0.375}
	m.Edges = &Edges{}
	return m
}

// TestGolden reads testdata/v1.npz, v2.npz, v4.npz and v5.npz, which numpy.load (1.24) was seen to read as
// docs/format-model.md says, and v3.npz, which differs in the text alone, and writes
// them again.
func TestGolden(t *testing.T) {
	for name, m := range map[string]*Model{"testdata/v1.npz": small(t, true), "testdata/v2.npz": scaled(t), "testdata/v3.npz": titled(t), "testdata/v4.npz": guessing(t), "testdata/v5.npz": linked(t)} {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readBytes(want)
		if err != nil || !same(got, m) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if b := written(t, m); !bytes.Equal(b, want) {
			t.Errorf("the bytes differ from %s", name)
		}
	}
}

// TestMutants: the archive's checksums cover the arrays, and not all of its
// directory; a changed file that is accepted holds the same model, or lacks an
// array that need not be there.
func TestMutants(t *testing.T) {
	m := small(t, true)
	original, rng, accepted := written(t, m), rand.New(rand.NewPCG(6, 8)), 0
	for range 1000 {
		damaged := mutant.Of(rng, original, [][]byte{original})
		got, err := readBytes(damaged)
		if err != nil {
			continue
		}
		accepted++
		if got.Start == nil {
			got.Start = m.Start
		}
		if got.Degrees == nil {
			got.Degrees = m.Degrees
		}
		if got.Nodes.Name(0) == "0" {
			got.Nodes = m.Nodes
		}
		if !same(got, m) {
			t.Errorf("a changed file was accepted as %+v", got)
		}
	}
	if accepted > 500 {
		t.Errorf("%d of 1000 changed files were accepted", accepted)
	}
}

// TestForged: whole archives that say what cannot be.
func TestForged(t *testing.T) {
	for name, test := range map[string]struct {
		change func(m *Model)
		says   string
	}{
		"a rule of one label": {func(m *Model) { m.Labels = &multilabel.Rule{Threshold: 1, Mean: []float64{0, 1}} }, "a rule of several labels where nodes have one"},
		"a rule of 3 classes": {func(m *Model) {
			m.Several, m.Labels = true, &multilabel.Rule{Threshold: 1, Mean: []float64{0, 1, 0}}
		}, "3 means for 2 classes"},
		"NaN":                {func(m *Model) { m.F.Data[3] = float32(math.NaN()) }, "finite"},
		"negative F":         {func(m *Model) { m.F.Data[3] = -1 }, "row 1, column 1"},
		"rows of F":          {func(m *Model) { m.F.Data, m.F.Rows = m.F.Data[:6], 3 }, "shape"},
		"columns of F":       {func(m *Model) { m.Classes = append(m.Classes, "c") }, "shape"},
		"a short start":      {func(m *Model) { m.Start.Data = m.Start.Data[:7] }, "bytes"},
		"negative degree":    {func(m *Model) { m.Degrees[1] = -1 }, "element 1"},
		"infinite degree":    {func(m *Model) { m.Degrees[1] = math.Inf(1) }, "finite"},
		"tiny degree":        {func(m *Model) { m.Degrees[1] = 1e-100 }, "element 1"},
		"huge degree":        {func(m *Model) { m.Degrees[1] = 1e300 }, "element 1"},
		"fewer degrees":      {func(m *Model) { m.Degrees = m.Degrees[:3] }, "bytes"},
		"alpha":              {func(m *Model) { m.Alpha = 1 }, "alpha"},
		"products":           {func(m *Model) { m.Products = -1 }, "products"},
		"top-k":              {func(m *Model) { m.Choice.TopK = -1 }, "choice"},
		"graph alpha":        {func(m *Model) { m.Choice.GraphAlpha = 1 }, "choice"},
		"equal classes":      {func(m *Model) { m.Classes[1] = "left" }, "class 1"},
		"a class of a tab":   {func(m *Model) { m.Classes[1] = "a\tb" }, "class 1"},
		"no classes":         {func(m *Model) { m.Classes = nil }, "classes"},
		"bandwidth 0":        {func(m *Model) { m.Joins.Sigma[2] = 0 }, "element 2"},
		"no bandwidths":      {func(m *Model) { m.Joins.Sigma = nil }, "no array"},
		"negative radius":    {func(m *Model) { m.Joins.Radius[2] = -1 }, "element 2"},
		"k of all points":    {func(m *Model) { m.Joins.K, m.Joins.Search = 4, 4 }, "neighbours"},
		"k above search":     {func(m *Model) { m.Joins.K = 3 }, "neighbours"},
		"symmetry":           {func(m *Model) { m.Joins.Symmetry = 5 }, "symmetry 5"},
		"least":              {func(m *Model) { m.Joins.Least = 0 }, "least"},
		"tiny least":         {func(m *Model) { m.Joins.Least = 1e-100 }, "least"},
		"no features":        {func(m *Model) { m.Features = nil }, "features"},
		"no dimensions":      {func(m *Model) { m.Features.Dims = 0 }, "dimensions"},
		"fewer titles":       {func(m *Model) { m.Features.Titles, m.Features.Dims = []string{"a"}, 2 }, "1 titles of columns for 2 dimensions"},
		"more titles":        {func(m *Model) { m.Features.Titles = []string{"a", "b"} }, "2 titles"},
		"a title of 2 lines": {func(m *Model) { m.Features.Titles = []string{"a\nb"} }, "title 0"},
		"features of noone":  {func(m *Model) { m.Joins = nil }, "features"},
	} {
		m := small(t, true)
		test.change(m)
		var b bytes.Buffer
		if err := m.Write(&b); !errors.Is(err, ErrModel) || b.Len() > 0 {
			t.Errorf("%s: %d bytes were written, %v", name, b.Len(), err)
		}
		if err := m.write(&b); err != nil {
			continue // it cannot even be forged
		}
		if _, err := readBytes(b.Bytes()); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, expected one that says %q", name, err, test.says)
		}
	}
	for says, change := range map[string]func(m *Model){
		"shape":              func(m *Model) { m.Guess.V.Data, m.Guess.V.Rows = m.Guess.V.Data[:4], 2 },
		"1: value":           func(m *Model) { m.Guess.V.Data[1] = float32(math.NaN()) },
		"size 0":             func(m *Model) { m.Guess.Size = 0 },
		"share 2":            func(m *Model) { m.Guess.Share = 2 },
		"mean of guess":      func(m *Model) { m.Guess.Standard.Mean = nil },
		"standard deviation": func(m *Model) { m.Guess.Standard.SD[2] = -1 },
		"beta -1":            func(m *Model) { m.Edges.Beta = -1 },
		"features":           func(m *Model) { m.Guess = nil },
		"expected (0, 2)":    func(m *Model) { m.Features.Dims = 0 },
	} {
		m := guessing(t)
		change(m)
		var b bytes.Buffer
		if err := m.Write(&b); !errors.Is(err, ErrModel) {
			t.Errorf("%s: %v", says, err)
		}
		if err := m.write(&b); err != nil {
			continue
		}
		if _, err := readBytes(b.Bytes()); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, expected an error that says %q", err, says)
		}
	}
	for says, change := range map[string]func(m *Model){
		"expected shape (3, 2)":         func(m *Model) { m.Guess.Near.V = csr.NewDense(4, 2) },
		"around: expected shape (4, 2)": func(m *Model) { m.Guess.Near.Around = csr.NewDense(3, 2) },
		"around":                        func(m *Model) { m.Guess.Near.Around.Data[1] = float32(math.Inf(1)) },
		"near of size 0":                func(m *Model) { m.Guess.Near.Size = 0 },
		"share 2":                       func(m *Model) { m.Guess.Near.Share = 2 },
		"blend -1":                      func(m *Model) { m.Guess.Near.Blend = -1 },
		"expected none without features": func(m *Model) {
			m.Features, m.Guess.V, m.Guess.Standard = nil, csr.NewDense(4, 2), nil
		},
	} {
		m := nearing(t)
		change(m)
		if err := m.Write(io.Discard); !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, expected an error that says %q", err, says)
		}
	}
	bare := linked(t)
	if bare.Edges = nil; !errors.Is(bare.Write(&bytes.Buffer{}), ErrModel) {
		t.Error("a guess without features and edges was written")
	}
	unnamed := small(t, true)
	unnamed.Nodes = nil
	tab := small(t, true)
	tab.Nodes = ids.NewTable()
	for _, name := range []string{"a", "b", "c\td", "e"} {
		if _, err := tab.Nodes.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	empty := &Model{}
	for _, m := range []*Model{unnamed, tab, empty} {
		var b bytes.Buffer
		if err := m.Write(&b); !errors.Is(err, ErrModel) || b.Len() > 0 {
			t.Errorf("%+v: %d bytes were written, %v", m, b.Len(), err)
		}
	}
	// A name that is damaged where the checksums do not look, in both places.
	var b bytes.Buffer
	if err := small(t, true).Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, array := range []string{"degrees", "start", "names", "name_ends", "radius"} {
		other := "x" + array[1:]
		text := bytes.ReplaceAll(b.Bytes(), []byte(array+".npy"), []byte(other+".npy"))
		if _, err := readBytes(text); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), other) {
			t.Errorf("%s renamed: %v", array, err)
		}
	}
	for name, text := range map[string]string{"nothing": "", "text": "node\tlabel\n"} {
		if _, err := readBytes([]byte(text)); !errors.Is(err, ErrSyntax) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFrom maps nodes and classes by their names.
func TestFrom(t *testing.T) {
	m := small(t, true)
	nodes := ids.NewTable()
	for _, name := range []string{"9", "new", "b"} {
		if _, err := nodes.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	got, known := m.From(nodes, []string{"r i g h t", "other", "left"})
	if want := []float32{8, 0, 7, 0, 0, 0, 2, 0, 1}; known != 2 || !slices.Equal(got.Data, want) {
		t.Errorf("%d known, %v, expected %v", known, got.Data, want)
	}
	m.Start = nil
	if got, _ := m.From(nodes, []string{"left"}); !slices.Equal(got.Data, []float32{0, 0, 1}) {
		t.Errorf("from F: %v", got.Data)
	}
}

// FuzzRead reads any bytes: a model that can be written again, or an error.
func FuzzRead(f *testing.F) {
	f.Add(written(f, small(f, true)))
	f.Add(written(f, small(f, false)))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := readBytes(content)
		if err != nil {
			if !errors.Is(err, ErrSyntax) {
				t.Errorf("%v does not wrap ErrSyntax", err)
			}
			return
		}
		if again, err := readBytes(written(t, m)); err != nil || !same(again, m) {
			t.Errorf("%+v came back as %+v, %v", m, again, err)
		}
	})
}

func TestCheck(t *testing.T) {
	x := &csr.Dense{Rows: 4, Cols: 1, Data: []float32{0, 1, 3, 9}}
	f := small(t, true).Features
	if err := f.Check(diffuse.Features{Dense: x}, 4); err != nil {
		t.Error(err)
	}
	x.Data[3] = 9.5
	if err := f.Check(diffuse.Features{Dense: x}, 4); !errors.Is(err, knn.ErrFeatures) {
		t.Errorf("other values: %v", err)
	}
	if err := f.Check(diffuse.Features{Dense: &csr.Dense{Rows: 2, Cols: 2, Data: x.Data}}, 4); !errors.Is(err, knn.ErrFeatures) {
		t.Errorf("another shape: %v", err)
	}
	if got := Sum(diffuse.Features{Dense: &csr.Dense{Rows: 1, Cols: 4, Data: []float32{0, 1, 3, 9}}}); got != 1843406681 { // by a Python program, bit by bit
		t.Errorf("the sum is %d", got)
	}
	zeros := func(n, d int) uint32 { return Sum(diffuse.Features{Dense: csr.NewDense(n, d)}) }
	if zeros(3, 20000) != zeros(20000, 3) || zeros(1, 1) == zeros(1, 2) {
		t.Error("the sum depends on more than the values, or on less")
	}
	// Sparse rows: 2 in column 1; nothing; 1.5 and −1 in columns 0 and 2. The number is of that program too.
	sparse := func(indptr []int64, cols []uint32, vals []float32) uint32 {
		m, err := csr.New(3, 3, indptr, cols, vals)
		if err != nil {
			t.Fatal(err)
		}
		return Sum(diffuse.Features{Sparse: m})
	}
	want := sparse([]int64{0, 1, 1, 3}, []uint32{1, 0, 2}, []float32{2, 1.5, -1})
	if want != 336359684 {
		t.Errorf("the sum of sparse rows is %d", want)
	}
	if sparse([]int64{0, 2, 3, 5}, []uint32{0, 1, 1, 0, 2}, []float32{0, 2, 0, 1.5, -1}) != want {
		t.Error("zeros that are stored change the sum of sparse rows")
	}
	if sparse([]int64{0, 0, 1, 3}, []uint32{1, 0, 2}, []float32{2, 1.5, -1}) == want || sparse([]int64{0, 1, 1, 3}, []uint32{2, 0, 2}, []float32{2, 1.5, -1}) == want {
		t.Error("other rows or columns have the same sum")
	}
}

// TestTitles: a model of columns that have titles, or were chosen, has a version of its own.
func TestTitles(t *testing.T) {
	for name, change := range map[string]func(*Features){
		"titles":  func(f *Features) { f.Titles = []string{""} },
		"columns": func(f *Features) { f.Columns = []string{"2"} },
		"drop":    func(f *Features) { f.Drop = []string{"2"} },
	} {
		m := small(t, true)
		change(m.Features)
		b := written(t, m)
		if !strings.Contains(string(b), `"model_version":3`) {
			t.Errorf("%s: a reader of version 2 would take the columns as they come", name)
		}
		if got, err := readBytes(b); err != nil || !same(got, m) {
			t.Errorf("%s: %+v came back as %+v, %v", name, m.Features, got, err)
		}
	}
}

// TestCategories: a model of categories has a version of its own, and none is read whose dimensions do not agree with them.
func TestCategories(t *testing.T) {
	of := func(list ...Categories) *Model {
		m := small(t, true)
		m.Features.Dims, m.Features.Categories = 5, list
		return m
	}
	m := of(Categories{0, []string{"", "a"}}, Categories{2, []string{"x", "y"}})
	m.Features.Means = []float32{0, 1.5, 0}
	b := written(t, m)
	if !strings.Contains(string(b), `"model_version":11`) {
		t.Error("a reader of an older version would take the columns as they come")
	}
	if got, err := readBytes(b); err != nil || !same(got, m) {
		t.Errorf("%+v came back as %+v, %v", m.Features, got, err)
	}
	for name, list := range map[string][]Categories{
		"more than there are dimensions": {{2, []string{"a", "b", "c", "d"}}},
		"no values":                      {{1, nil}},
		"a feature twice":                {{1, []string{"a"}}, {1, []string{"b"}}},
		"a value twice":                  {{1, []string{"a", "a"}}},
		"a value of two lines":           {{1, []string{"a\nb"}}},
		"below 0":                        {{-1, []string{"a"}}},
	} {
		if err := of(list...).Write(io.Discard); !errors.Is(err, ErrModel) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, means := range map[string][]float32{"fewer": {1, 2}, "more": {1, 2, 3, 4}, "not finite": {1, float32(math.Inf(1)), 2}} {
		m := of(Categories{0, []string{"", "a"}}, Categories{2, []string{"x", "y"}})
		if m.Features.Means = means; !errors.Is(m.Write(io.Discard), ErrModel) {
			t.Errorf("%s means are written", name)
		}
	}
}

// TestScaling: a model of scaled columns has a version of its own, and none is read whose
// columns cannot be scaled so.
func TestScaling(t *testing.T) {
	m := scaled(t)
	if text := string(written(t, m)); !strings.Contains(text, `"model_version":2`) {
		t.Error("a reader of version 1 would take the columns as they are")
	}
	x := &csr.Dense{Rows: 1, Cols: 1, Data: []float32{3.35}}
	if got := m.Features.Points(x, 1).At(0, 0); math.Abs(float64(got)-1) > 1e-6 {
		t.Errorf("3.35 became %v, expected 1", got)
	}
	m.Features.Scaling.Limit = 3
	if text := string(written(t, m)); !strings.Contains(text, `"model_version":6`) || !m.Features.Limited() {
		t.Error("a reader of version 5 would take scaled values without their limit")
	}
	if got := m.Features.Points(&csr.Dense{Rows: 1, Cols: 1, Data: []float32{-1e6}}, 1).At(0, 0); got != -3 {
		t.Errorf("−10⁶ became %v, expected −3", got)
	}
	for _, broken := range []*knn.Scaling{{Middle: []float32{1}, Spread: []float32{1}, Limit: -1}, {Middle: []float32{1}}, {Middle: []float32{1}, Spread: []float32{0}}, {Middle: []float32{1, 2}, Spread: []float32{1, 2}}} {
		m.Features.Scaling = broken
		var b bytes.Buffer
		if err := m.Write(&b); err == nil {
			t.Errorf("%+v is written", broken)
		}
	}
	m.Features.Scaling = nil
	if text := string(written(t, m)); !strings.Contains(text, `"model_version":1`) {
		t.Error("a model without scaled columns is not of version 1")
	}
	if m.Features.Points(x, 1) != x {
		t.Error("points without a scaling are copied")
	}
}

// TestTrees: a model with a share of trees has a version of its own, and no share is read that is none.
func TestTrees(t *testing.T) {
	m := small(t, true)
	m.Trees = 0.25
	b := written(t, m)
	if !strings.Contains(string(b), `"model_version":7`) || !strings.Contains(string(b), `"trees":0.25`) {
		t.Error("a reader of version 6 would label points without trees")
	}
	if got, err := readBytes(b); err != nil || !same(got, m) {
		t.Errorf("%+v came back as %+v, %v", m, got, err)
	}
	alone := small(t, false)
	alone.Trees = 1
	for _, broken := range []*Model{{Trees: -0.25}, {Trees: 1.5}, {Trees: math.NaN()}} {
		share := broken.Trees
		*broken = *m
		broken.Trees = share
		if err := broken.Write(io.Discard); !errors.Is(err, ErrModel) {
			t.Errorf("share %v: %v", share, err)
		}
	}
	if err := alone.Write(io.Discard); !errors.Is(err, ErrModel) {
		t.Errorf("without a graph of features: %v", err)
	}
}

// TestNear: a model with what neighbours' features say has a version of its own, and comes back as it was.
func TestNear(t *testing.T) {
	m := nearing(t)
	b := written(t, m)
	if !strings.Contains(string(b), `"model_version":9`) {
		t.Error("a reader of version 8 would leave the neighbours out")
	}
	if got, err := readBytes(b); err != nil || !same(got, m) {
		t.Errorf("%+v came back as %+v, %v", m, got, err)
	}
	m.Guess.Bias, m.Guess.Near.Bias = make([]float64, len(m.Classes)), make([]float64, len(m.Classes))
	m.Guess.Bias[0], m.Guess.Near.Bias[1] = 0.5, -1
	b = written(t, m)
	if !strings.Contains(string(b), `"model_version":10`) {
		t.Error("a reader of version 9 would leave the bias out")
	}
	if got, err := readBytes(b); err != nil || !same(got, m) {
		t.Errorf("%+v came back as %+v, %v", m, got, err)
	}
	for _, part := range []*[]float64{&m.Guess.Bias, &m.Guess.Near.Bias} {
		whole := *part
		for _, bad := range [][]float64{whole[1:], append(slices.Clone(whole[1:]), math.Inf(1))} {
			if *part = bad; !errors.Is(m.Write(io.Discard), ErrModel) {
				t.Errorf("bias %v: no error", bad)
			}
		}
		*part = whole
	}
}

// TestRoots: a model of roots of words, in its joins or in what features alone say, has a version of its own.
func TestRoots(t *testing.T) {
	joined, guessing := small(t, true), guessing(t)
	joined.Joins.Metric = knn.Hellinger
	guessing.Guess.Roots = true
	for _, m := range []*Model{joined, guessing} {
		b := written(t, m)
		if !strings.Contains(string(b), `"model_version":8`) {
			t.Error("a reader of version 7 would take words as they are")
		}
		if got, err := readBytes(b); err != nil || !same(got, m) {
			t.Errorf("%+v came back as %+v, %v", m, got, err)
		}
	}
}
