package vecparquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/mutant"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
	"github.com/adp-sparse/adp-sparse/knn/vecparquet"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// flower is a row of a table with a column of each kind.
type flower struct {
	Name   string   `parquet:"name"`
	Height float64  `parquet:"height"`
	Width  *float32 `parquet:"width,optional"`
	Petals int64    `parquet:"petals"`
	Alive  bool     `parquet:"alive"`
	Colour string   `parquet:"colour"`
}

func one(v float32) *float32 { return &v }

func flowers() []flower {
	return []flower{{"anna", 1.5, one(2), 5, true, "red"}, {" b,b ", -0.25, one(1e-3), 1 << 40, false, "blue"}, {"c", 0, one(-7), -3, true, "red"}}
}

func written[Row any](t testing.TB, rows ...Row) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewWriter[Row](&b)
	for _, row := range rows {
		if err := w.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(file []byte, opt vecs.Options) (*vecs.Features, error) {
	return vecparquet.Read(bytes.NewReader(file), "x.parquet", int64(len(file)), opt)
}

// TestTypes: columns that hold no numbers are refused with what to do, and counted where they are
// left out.
func TestTypes(t *testing.T) {
	type row struct {
		A float32   `parquet:"a"`
		D int32     `parquet:"d,date"`
		L []float32 `parquet:"l,list"`
	}
	file := written(t, row{1, 3, []float32{1, 2}}, row{2, 4, nil})
	if _, err := read(file, vecs.Options{Without: []string{"l"}}); err == nil || !strings.HasSuffix(err.Error(), `column "d" is of type DATE, expected numbers or text; if it is no feature, leave it out by vecs.Options.Without`) {
		t.Error(err)
	}
	for _, opt := range []vecs.Options{{Without: []string{"d", "l"}}, {Columns: []string{"a"}}} {
		f, err := read(file, opt)
		if err != nil || f.Dims() != 1 || f.Notes.String() != `2 columns ignored (the first: "d")` {
			t.Errorf("%+v: %v, %v", opt, f, err)
		}
	}
}

// asCSV is the table as a csv file.
func asCSV() string {
	text := "name,height,width,petals,alive,colour\n"
	for _, f := range flowers() {
		text += fmt.Sprintf("%q,%v,%v,%d,%v,%s\n", strings.TrimSpace(f.Name), f.Height, *f.Width, f.Petals, f.Alive, f.Colour)
	}
	return text
}

// TestRead: whatever is chosen, the features are those of the same table in a csv file.
func TestRead(t *testing.T) {
	file := written(t, flowers()...)
	for _, opt := range []vecs.Options{
		{IDColumn: "name", Without: []string{"colour"}},
		{IDColumn: "1", Without: []string{"6"}},
		{Columns: []string{"petals", "height"}},
		{IDColumn: "name", Columns: []string{"4", "alive"}},
		{Without: []string{"name"}, Optional: []string{"colour", "else"}, Titles: []string{"alive", "height", "petals", "width"}},
		{IDColumn: "petals", Without: []string{"name", "colour"}},
	} {
		got, err := read(file, opt)
		if err != nil {
			t.Errorf("%+v: %v", opt, err)
			continue
		}
		csv := asCSV()
		opt.Header = vecs.HeaderYes
		want, err := vecs.Read(strings.NewReader(csv), "x.csv", int64(len(csv)), opt)
		if err != nil {
			t.Fatal(err)
		}
		if got.Dims() != want.Dims() || !slices.Equal(got.Dense.Data, want.Dense.Data) || !slices.Equal(got.Titles, want.Titles) || !slices.Equal(got.Left, want.Left) {
			t.Errorf("%+v: %+v %+v, expected %+v %+v", opt, got, got.Dense, want, want.Dense)
		}
		for i := range 3 {
			if want.IDs != nil && got.IDs.Name(i) != want.IDs.Name(i) {
				t.Errorf("%+v: point %d is %q, expected %q", opt, i, got.IDs.Name(i), want.IDs.Name(i))
			}
		}
	}
}

// TestDuckDB: a table that DuckDB 1.5.6 wrote.
func TestDuckDB(t *testing.T) {
	file, err := os.ReadFile("../../csr/edgeparquet/testdata/gzip-v2.parquet")
	if err != nil {
		t.Fatal(err)
	}
	x, err := read(file, vecs.Options{})
	if err != nil || x.Rows() != 300 || x.Dims() != 3 {
		t.Fatalf("%+v, %v", x, err)
	}
	for i := range 300 {
		if got, want := x.Dense.Row(i), []float32{float32(i), float32(i * 7 % 50), float32(i % 4)}; !slices.Equal(got, want) {
			t.Errorf("row %d: %v, expected %v", i, got, want)
		}
	}
}

// TestRefuse: a column without a number in each row is refused, with the row and the column.
func TestRefuse(t *testing.T) {
	change := func(f func(row *flower)) []byte {
		rows := flowers()
		f(&rows[1])
		return written(t, rows...)
	}
	type list struct {
		ID  int64     `parquet:"id"`
		Emb []float32 `parquet:"emb,list"`
	}
	type indexed struct {
		X     float64 `parquet:"x"`
		Index int64   `parquet:"__index_level_0__"`
	}
	named := vecs.Options{IDColumn: "name", Without: []string{"colour"}}
	lists := written(t, list{1, []float32{1, 2}}, list{2, []float32{3, 4}})
	index := written(t, indexed{1, 10}, indexed{2, 20})
	for _, c := range []struct {
		name string
		file []byte
		opt  vecs.Options
		says string // nothing where it is read
	}{
		{"a text", written(t, flowers()...), vecs.Options{IDColumn: "name"}, `x.parquet:1: column 6: "red" is`},
		{"names", written(t, flowers()...), vecs.Options{Without: []string{"colour"}}, `x.parquet:1: column 1: "anna" is not in decimal form, expected a decimal number; if the column names the points, say vecs.Options.IDColumn "name"`},
		{"a missing value", change(func(f *flower) { f.Width = nil }), named, `x.parquet:2: column 3 is empty, a missing value`},
		{"not a number", change(func(f *flower) { f.Height = math.NaN() }), named, `x.parquet:2: column 2: "NaN" is`},
		{"infinite", change(func(f *flower) { f.Width = one(float32(math.Inf(-1))) }), named, `x.parquet:2: column 3: "-Inf" is`},
		{"more than float32 holds", change(func(f *flower) { f.Height = 1e300 }), named, `x.parquet:2: column 2: "1e+300" is`},
		{"an id twice", change(func(f *flower) { f.Name = " anna" }), named, `x.parquet:2: id "anna" is given twice, first to row 0`},
		{"an empty id", change(func(f *flower) { f.Name = " " }), named, `x.parquet:2: empty id in column 1`},
		{"ids that are fractions", written(t, flowers()...), vecs.Options{IDColumn: "height", Without: []string{"colour", "name"}}, `x.parquet:1: id 1.5, expected a whole number or text`},
		{"an unknown column", written(t, flowers()...), vecs.Options{Columns: []string{"weight"}}, `x.parquet: no column named "weight", expected one of "name", "height"`},
		{"a column past the end", written(t, flowers()...), vecs.Options{Columns: []string{"7"}}, `x.parquet: no column named "7", expected one of "name", "height", "width", "petals", "alive", "colour", or a number from 1 to 6`},
		{"other titles", written(t, flowers()...), vecs.Options{Columns: []string{"height"}, Titles: []string{"length"}}, `missing: "length"; unknown: "height"`},
		{"nothing left", written(t, flowers()...), vecs.Options{Without: []string{"1", "2", "3", "4", "5", "6"}}, `x.parquet: no columns, expected at least one`},
		{"no rows", written[flower](t), named, `x.parquet: no rows, expected at least one point`},
		{"lists", lists, vecs.Options{}, `x.parquet: column "emb" is nested, expected a number in each row`},
		{"lists, left out", lists, vecs.Options{Without: []string{"emb"}}, ""},
		{"lists, not chosen", lists, vecs.Options{Columns: []string{"id"}}, ""},
		{"the index of pandas", index, vecs.Options{}, `column "__index_level_0__" is the index of rows that pandas wrote`},
		{"the index of pandas, of names", index, vecs.Options{IDColumn: "__index_level_0__"}, ""},
		{"the index of pandas, left out", index, vecs.Options{Without: []string{"__index_level_0__"}}, ""},
		{"no table", []byte("name,height\na,1\n"), vecs.Options{}, `expected PAR1`},
	} {
		x, err := read(c.file, c.opt)
		switch {
		case c.says == "" && err != nil, c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || !errors.Is(err, vecs.ErrSyntax)):
			t.Errorf("%s: %v, expected %q", c.name, err, c.says)
		case c.says != "" && x != nil:
			t.Errorf("%s: an error and features", c.name)
		}
	}
	if _, err := read(written(t, flowers()...), vecs.Options{Columns: []string{"height", "width"}, MemoryLimit: 16}); !errors.Is(err, vecs.ErrMemory) {
		t.Errorf("24 bytes of 16: %v", err)
	}
}

// sound reads what may be damaged, and checks what comes out.
func sound(t *testing.T, file []byte) (accepted bool) {
	x, err := read(file, vecs.Options{MemoryLimit: 1 << 20})
	if err != nil {
		return false
	}
	if x.Rows() < 1 || x.Dims() < 1 || len(x.Dense.Data) != x.Rows()*x.Dims() || len(x.Titles) != x.Dims() {
		t.Fatalf("%d rows of %d dimensions, %d values, titles %q", x.Rows(), x.Dims(), len(x.Dense.Data), x.Titles)
	}
	for _, v := range x.Dense.Data {
		if v != v || math.IsInf(float64(v), 0) {
			t.Fatalf("value %v", v)
		}
	}
	return true
}

type point struct {
	X float64  `parquet:"x"`
	Y *float32 `parquet:"y,optional"`
	Z int32    `parquet:"z"`
	B bool     `parquet:"b"`
}

func points(t testing.TB) []byte {
	var rows []point
	for i := range 50 {
		rows = append(rows, point{float64(i) / 7, one(float32(i * i)), int32(-i), i%3 == 0})
	}
	return written(t, rows...)
}

// TestMutants: damaged files are refused, or read as numbers; none ends the program.
func TestMutants(t *testing.T) {
	mutant.Check(t, [][]byte{points(t), written(t, flowers()...)}, func(_, damaged []byte) bool { return sound(t, damaged) })
}

func FuzzTable(f *testing.F) {
	f.Add(points(f))
	f.Add(written(f, flowers()...))
	f.Fuzz(func(t *testing.T, file []byte) { sound(t, file) })
}

// TestCategories: columns of words and nulls become what they do in a csv file.
func TestCategories(t *testing.T) {
	opt := vecs.Options{IDColumn: "name", Categories: []string{"colour", "petals"}, Impute: true}
	rows := append(flowers(), flower{"d", 2, nil, 5, false, "red"})
	got, err := read(written(t, rows...), opt)
	if err != nil {
		t.Fatal(err)
	}
	want, err := vecs.Read(strings.NewReader(asCSV()+"d,2,,5,false,red\n"), "x.csv", -1, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Titles, want.Titles) || !slices.Equal(got.Dense.Data, want.Dense.Data) || !slices.Equal(got.Means, want.Means) || got.Notes.String() != strings.Replace(want.Notes.String(), "line 5", "line 4", 1) {
		t.Errorf("%v %v means %v, %v\nexpected %v %v means %v, %v", got.Titles, got.Dense.Data, got.Means, got.Notes, want.Titles, want.Dense.Data, want.Means, want.Notes)
	}
}
