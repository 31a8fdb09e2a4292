package vecs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// people are rows of a name, a number, a country and a size.
var people = []string{"ann,1,FR,small", "ben,2,DE,", "cy,3,FR,NA", "dan,4,it,small", "eva,5,DE,large"}

const peopleTitles = "name,age,country,size\n"

func readText(t *testing.T, text string, opt vecs.Options) *vecs.Features {
	t.Helper()
	f, err := vecs.Read(strings.NewReader(text), "x.csv", -1, opt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCategories compares each dimension with what its title says of the row, for rows in several orders.
func TestCategories(t *testing.T) {
	opt := vecs.Options{IDColumn: "name", Categories: []string{"country", "size"}}
	want := "age country=DE country=FR country=it size= size=NA size=large size=small"
	for _, rows := range [][]string{people, {people[3], people[1], people[4], people[0], people[2]}} {
		f := readText(t, peopleTitles+strings.Join(rows, "\n"), opt)
		if got := strings.Join(f.Titles, " "); got != want || !slices.Equal(f.Columns, []int{1, 2, 2, 2, 3, 3, 3, 3}) {
			t.Fatalf("titles %s of columns %v", got, f.Columns)
		}
		for i, row := range rows {
			fields := strings.Split(row, ",")
			for d, title := range f.Titles {
				expected := fields[1]
				if column, value, ok := strings.Cut(title, "="); ok {
					expected = map[bool]string{true: "1", false: "0"}[fields[map[string]int{"country": 2, "size": 3}[column]] == value]
				}
				if got := fmt.Sprint(f.Dense.Row(i)[d]); got != expected {
					t.Errorf("%s: %s is %s, expected %s", row, title, got, expected)
				}
			}
		}
	}
	bare := readText(t, strings.Join(people, "\n"), vecs.Options{IDColumn: "1", Categories: []string{"3", "4"}, Header: vecs.HeaderNo})
	titled := readText(t, peopleTitles+strings.Join(people, "\n"), opt)
	if bare.Titles != nil || !slices.Equal(bare.Dense.Data, titled.Dense.Data) {
		t.Errorf("without a header: %v, %v", bare.Titles, bare.Dense.Data)
	}
}

// TestKnownCategories reads other points by the categories of the first, whole and in blocks, with columns in another order.
func TestKnownCategories(t *testing.T) {
	run := readText(t, peopleTitles+strings.Join(people, "\n"), vecs.Options{IDColumn: "name", Categories: []string{"country", "size"}})
	opt := vecs.Options{IDColumn: "name", Titles: run.Titles, Known: run.Categories}
	text := "size,country,age,name\n"
	for _, row := range people {
		f := strings.Split(row, ",")
		text += f[3] + "," + f[2] + "," + f[1] + "," + f[0] + "\n"
	}
	text += "tiny,fr,6,fay\nsmall,FR,1,gus\n"
	got := readText(t, text, opt)
	data, d := got.Dense.Data, got.Dims()
	if !slices.Equal(data[:len(run.Dense.Data)], run.Dense.Data) || !slices.Equal(data[6*d:], run.Dense.Row(0)) {
		t.Error("points of the run are read otherwise")
	}
	if fay := data[5*d : 6*d]; !slices.Equal(fay, append([]float32{6}, make([]float32, d-1)...)) {
		t.Errorf("values that no point of the run has: %v", fay)
	}
	if list := got.Notes.Only(notes.NewCategories); len(list) != 1 || list[0].Count != 2 || list[0].Line != 7 || list[0].First != "country=fr" {
		t.Errorf("notes %v", got.Notes)
	}
	var blocks []float32
	if err := vecs.Blocks(strings.NewReader(text), "x.csv", -1, opt, 2, func(_ int, f *vecs.Features) error {
		blocks = append(blocks, f.Dense.Data...)
		return nil
	}); err != nil || !slices.Equal(blocks, data) {
		t.Errorf("in blocks: %v", err)
	}
}

// TestImpute: missing values get the mean of their column, beside categories and in other points that of the first ones.
func TestImpute(t *testing.T) {
	rows := []string{"a,1,x,4", "b,,y,8", "c,NA,,nan", "d,4,x,?"}
	const titles = "id,p,kind,q\n"
	opt := vecs.Options{IDColumn: "id", Categories: []string{"kind"}, Impute: true}
	f := readText(t, titles+strings.Join(rows, "\n"), opt)
	want := []float32{1, 0, 1, 0, 4, 2.5, 0, 0, 1, 8, 2.5, 1, 0, 0, 6, 4, 0, 1, 0, 6}
	if !slices.Equal(f.Dense.Data, want) || !slices.Equal(f.Means, []float32{2.5, 0, 6}) || f.Notes.Count(notes.ImputedValues) != 4 || f.Notes.Only(notes.ImputedValues)[0].Line != 3 {
		t.Fatalf("%v of %v, means %v, %v", f.Dense.Data, f.Titles, f.Means, f.Notes)
	}
	text := "q,kind,p,id\n,y,,e\n10,x,1,g\n,,,h\n"
	known := vecs.Options{IDColumn: "id", Titles: f.Titles, Known: f.Categories, Means: f.Means}
	other := readText(t, text, known)
	if want := []float32{2.5, 0, 0, 1, 6, 1, 0, 1, 0, 10, 2.5, 1, 0, 0, 6}; !slices.Equal(other.Dense.Data, want) {
		t.Errorf("other points: %v", other.Dense.Data)
	}
	var blocks []float32
	if err := vecs.Blocks(strings.NewReader(text), "x.csv", -1, known, 1, func(_ int, f *vecs.Features) error {
		blocks = append(blocks, f.Dense.Data...)
		return nil
	}); err != nil || !slices.Equal(blocks, other.Dense.Data) {
		t.Errorf("in blocks: %v, %v", blocks, err)
	}
	bare := readText(t, "NA,1\n3,\n5,3\n", vecs.Options{Impute: true})
	if !slices.Equal(bare.Dense.Data, []float32{4, 1, 3, 2, 5, 3}) {
		t.Errorf("without a header: %v", bare.Dense.Data)
	}
	if _, err := vecs.Read(strings.NewReader("p,q\n1,\n2,\n"), "x.csv", -1, vecs.Options{Impute: true}); err == nil || !strings.Contains(err.Error(), `x.csv: column "q" has no value, expected some; leave it out by vecs.Options.Without "q"`) {
		t.Error(err)
	}
	if _, err := vecs.Read(strings.NewReader("p,q\n1,2\n2,word\n"), "x.csv", -1, vecs.Options{Impute: true}); err == nil || !strings.Contains(err.Error(), `x.csv:3: column 2: "word" is not in decimal form`) {
		t.Error(err)
	}
}

// TestSquareFeatures: a symmetric matrix is doubted, and no other.
func TestSquareFeatures(t *testing.T) {
	for text, doubts := range map[string]int{
		"1,2,3\n2,5,6\n3,6,9\n": 1,
		"1,2,3\n2,5,6\n3,7,9\n": 0,
		"0,0,0\n0,0,0\n0,0,0\n": 0,
		"1,2\n2,5\n":            0,
		"1,2,3\n2,5,6\n":        0,
	} {
		if f := readText(t, text, vecs.Options{}); f.Notes.Count(notes.SquareFeatures) != doubts {
			t.Errorf("%q: notes %v", text, f.Notes)
		}
	}
}

func TestCategoryFaults(t *testing.T) {
	names := strings.Builder{}
	for i := range 50 {
		fmt.Fprintf(&names, "n%d,%d\n", i, i)
	}
	for _, c := range []struct {
		text, want string
		opt        vecs.Options
	}{
		{"name,x\n" + names.String(), `x.csv: column "name" has 50 values among 50 points, expected categories that points share; if it holds numbers, leave it out of vecs.Options.Categories, if it names the points, say vecs.Options.IDColumn "name", if it is no feature, say vecs.Options.Without "name"`, vecs.Options{Categories: []string{"name"}}},
		{"name,x\n" + names.String(), `column "x" has 50 values among 50 points, expected categories that points share; if it holds numbers, leave it out of vecs.Options.Categories, if it is no feature, say`, vecs.Options{Categories: []string{"x"}, IDColumn: "name"}},
		{"a,b\nx,1\n", `x.csv:1: no column named "c"`, vecs.Options{Categories: []string{"c"}}},
		{"a,b\nx,1\n", `x.csv:1: column "a" is to hold categories, but it holds ids or labels, or is to be left out`, vecs.Options{Categories: []string{"a"}, Without: []string{"a"}}},
		{"a,b\nx\xff,1\n", `x.csv:2: `, vecs.Options{Categories: []string{"a"}}},
		{"a,b\n" + strings.Repeat("x,1\ny,1\n", 99), "memory", vecs.Options{Categories: []string{"a"}, MemoryLimit: 2000}},
	} {
		if _, err := vecs.Read(strings.NewReader(c.text), "x.csv", -1, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: got %v\nwant %s", c.text, err, c.want)
		}
	}
}
