//go:build unix

package main

import (
	"math"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// whole is a vector of whole numbers.
func whole(values ...int64) string { return int64s(values...) }

// words is a .npy vector of texts of a letter.
func words(letters string) string {
	b := npy.AppendHeader(nil, "<U1", int64(len(letters)))
	for _, r := range letters {
		b = append(b, byte(r), 0, 0, 0)
	}
	return string(b)
}

// singles is a .fvecs file of points of two numbers.
func singles(values ...float32) string {
	bits := make([]uint32, len(values))
	for k, v := range values {
		bits[k] = math.Float32bits(v)
	}
	return ofFour(bits...)
}

// labelKinds are those of labels.
func labelKinds(t *testing.T) reader {
	type weighted struct {
		ID     string  `parquet:"id"`
		Label  string  `parquet:"label"`
		Weight float64 `parquet:"weight"`
	}
	type scored struct {
		ID    string  `parquet:"id"`
		Label string  `parquet:"label"`
		Score float64 `parquet:"score"`
	}
	type counted struct {
		ID    float64 `parquet:"id"`
		Label string  `parquet:"label"`
	}
	type byNumber struct {
		ID    int64   `parquet:"id"`
		Label float64 `parquet:"label"`
	}
	r := reader{title: "Labels", formats: []string{"text", ".csv", ".parquet", ".npy"}, read: readLabels}
	rows := func(rows ...labelRow) string { return rowsOf(t, rows) }
	r.kinds = []kind{
		{"a line like a comment is data", []cell{
			{"text", "0 x\n#3 y\n3 z\n", "counted comment-lines", "0 x; 3 z", ""},
			{"text", "0 x\n#go y\n3 z\n", "counted comment-lines", "0 x; 3 z", ""},
			{".csv", "id,label\n0,x\n#3,y\n", "refused 1", "node \"#3\" is not in the graph", ""},
			{".csv", "id,label\n0,x\n3,#y\n", "right", "0 x; 3 #y", ""},
			{".parquet", rows(labelRow{"0", "#x"}, labelRow{"3", "%y"}), "right", "0 #x; 3 %y", ""},
		}},
		{"a line of titles", []cell{
			{"text", "node label\n0 x\n3 y\n", "counted header-lines", "0 x; 3 y", ""},
			{"text", "person party\n0 x\n3 y\n", "refused 1", "node \"person\" is not in the graph", ""},
			{"text", "person party\n0 x\n3 y\n", "warned unknown-labels", "0 x; 3 y", "--unknown-labels skip"},
			{"text", "0 label\n0 x\n3 y\n", "refused 1", "node \"0\" has label \"x\", but \"label\" on line 1", ""},
			{".csv", "0,x\n1,x\n3,y\n", "warned header-is-data", "1 x; 3 y", "--label-column 2"},
			{"text", "0,1\n3,x\n1,y\n2,x\n", "warned numbered-header", "0 1; 1 y; 2 x; 3 x", ""},
			{".csv", "id,label\n0,x\nid,label\n3,y\n", "refused 1", "node \"id\" is not in the graph", ""},
		}},
		{"a weight under another name", []cell{
			{"text", "id label score\n0 x 0.5\n3 y 1\n", "right", "0 x; 3 y", "--labels-header"},
			{"text", "0 x 30\n3 y 40\n", "right", "0 x; 3 y", ""},
			{".csv", "id,label,weight\n0,x,0.5\n3,y,1\n", "warned ignored-columns", "0 x; 3 y", ""},
			{".csv", "id,label,weight\n0,x,0\n3,y,1\n", "warned ignored-columns", "0 x; 3 y", ""},
			{".parquet", rowsOf(t, []scored{{"0", "x", 0.5}, {"3", "y", 1}}), "counted ignored-columns", "0 x; 3 y", ""},
		}},
		{"columns beside", []cell{
			{"text", "0 x 1 9\n3 y 1 9\n", "refused 1", "4 columns", ""},
			{".csv", "id,label,age\n0,x,30\n3,y,40\n", "counted ignored-columns", "0 x; 3 y", ""},
			{".parquet", rowsOf(t, []scored{{"0", "x", 0.5}, {"3", "y", 1}}), "counted ignored-columns", "0 x; 3 y", ""},
		}},
		{"an index of rows", []cell{
			{".csv", ",id,label\n0,3,x\n1,2,y\n", "refused 1", "column 1 has the title \"\", as an index of rows that pandas", ""},
			{".csv", ",label\n0,x\n3,y\n", "right", "0 x; 3 y", ""},
			{".csv", "Unnamed: 0.1,id,label\n0,3,x\n1,2,y\n", "refused 1", "column 1 has the title \"Unnamed: 0.1\", as an index of rows", ""},
			{".csv", "Unnamed: 0,label\n0,x\n1,y\n", "right", "0 x; 1 y", ""},
			{"text", ",id,label\n0,3,x\n1,2,y\n", "refused 1", "column 1 has the title \"\", as an index of rows that pandas or R wrote: say which", ""},
			{"text", ",id,label\n0,3,1\n1,2,2\n", "refused 1", "--label-column label and --label-id id", "--labels-header"},
			{"text", "0,3,1\n1,2,2\n2,1,1\n", "warned index-like-column", "0 3; 1 2; 2 1", ""},
		}},
		{"a weight is missing", []cell{
			{"text", "0 x 0.5\n3 y\n", "counted default-label-weights", "0 x; 3 y", ""},
			{"text", "0\tx\t0.5\n3\ty\t\n", "counted default-label-weights", "0 x; 3 y", ""},
			{".csv", "id,label,w\n0,x,0.5\n3,y,\n", "refused 1", "weight \"\" is missing", "--label-weight w"},
		}},
		{"times in the place of weights", []cell{
			{"text", "0 x 2013\n3 y 2015\n", "warned time-like-weights", "0 x; 3 y", ""},
		}},
		{"the same node twice", []cell{
			{"text", "0 x\n0 x\n3 y\n", "warned repeated-labels", "0 x; 3 y", ""},
			{"text", "0 x\n0 y\n3 y\n", "refused 1", "node \"0\" has label \"y\", but \"x\" on line 1", ""},
			{".csv", "id,label\n0,x\n0,x\n3,y\n", "warned repeated-labels", "0 x; 3 y", ""},
			{".parquet", rows(labelRow{"0", "x"}, labelRow{"0", "x"}, labelRow{"3", "y"}), "warned repeated-labels", "0 x; 3 y", ""},
		}},
		{"a weight of 0", []cell{
			{"text", "0 x\n1 z 0\n3 y\n", "warned zero-labels", "0 x; 3 y", ""},
			{".csv", "id,label,w\n0,x,1\n1,z,0\n3,y,1\n", "warned zero-labels", "0 x; 3 y", "--label-weight w"},
			{".parquet", rowsOf(t, []weighted{{"0", "x", 1}, {"1", "z", 0}, {"3", "y", 1}}), "warned zero-labels", "0 x; 3 y", ""},
		}},
		{"a weight below 0, or nan", []cell{
			{"text", "0 x -1\n3 y\n", "refused 1", "weight \"-1\" is negative", ""},
			{".csv", "id,label,w\n0,x,nan\n", "refused 1", "weight \"nan\" is not finite", "--label-weight w"},
			{".parquet", rowsOf(t, []weighted{{"0", "x", -1}}), "refused 1", "weight \"-1\"", ""},
		}},
		{"ids from 1 beside rows from 0", []cell{
			{"text", "1 x\n2 x\n3 y\n", "warned counted-from-one", "1 x; 2 x; 3 y", "--graph g.mtx"},
			{".csv", "id,label\n1,x\n2,x\n3,y\n", "warned counted-from-one", "1 x; 2 x; 3 y", "--graph g.mtx"},
			{".parquet", rows(labelRow{"1", "x"}, labelRow{"2", "x"}, labelRow{"3", "y"}), "warned counted-from-one", "1 x; 2 x; 3 y", "--graph g.mtx"},
		}},
		{"ids that are alike but for spelling", []cell{
			{"text", "0.0 x\n3.0 y\n", "refused 1", "node \"0.0\" is not in the graph, but \"0\" is: ids became", ""},
			{"text", "00 x\n3 y\n", "refused 1", "node \"00\" is not in the graph, but \"0\" is: write ids alike", ""},
			{"text", "00 x\n03 y\n", "refused 1", "no labels of nodes of the graph: node \"00\" is unknown, but \"0\" is one: write ids", "--unknown-labels skip"},
			{"text", "00 x\n3 y\n", "warned one-class, similar-ids, unknown-labels", "3 y", "--unknown-labels skip"},
			{"text", "0.000000000000000000e+00 0.000000000000000000e+00\n3.000000000000000000e+00 1.000000000000000000e+00\n", "refused 1", "node \"0.000000000000000000e+00\" is not in the graph, but", ""},
			{".csv", "id,label\n0.0,x\n3.0,y\n", "refused 1", "node \"0.0\" is not in the graph, but \"0\" is: ids became", ""},
			{".csv", "id,label\n\" 0\",x\n3,y\n", "right", "0 x; 3 y", ""},
			{".parquet", rowsOf(t, []counted{{0, "x"}, {3, "y"}}), "refused 1", "id \"0\", expected a whole number or text", ""},
			{".parquet", rows(labelRow{" 0", "x"}, labelRow{"3", "y"}), "right", "0 x; 3 y", ""},
		}},
		{"labels that are alike but for spelling", []cell{
			{"text", "0 1\n1 1.0\n3 2\n", "warned similar-labels", "0 1; 1 1.0; 3 2", ""},
			{"text", "0 red\n1 Red\n3 2\n", "warned similar-labels", "0 red; 1 Red; 3 2", ""},
			{"text", "0\tred\n1\tred \n3\t2\n", "right", "0 red; 1 red; 3 2", ""},
			{"text", "0\tNew York\n1\tNew  York\n3\t2\n", "warned similar-labels", "0 New York; 1 New  York; 3 2", ""},
			{"text", "0\tNew York\n1\tNew_York\n3\t2\n", "right", "0 New York; 1 New_York; 3 2", ""},
			{"text", "0\ta\u00a0b\n1\ta b\n3\t2\n", "warned similar-labels", "0 a\u00a0b; 1 a b; 3 2", ""},
			{"text", "0\tred\n1\tred\u200b\n3\t2\n", "warned similar-labels", "0 red; 1 red\u200b; 3 2", ""},
			{"text", "0\t\u00e9\n1\te\u0301\n3\t2\n", "warned similar-labels", "0 é; 1 e\u0301; 3 2", ""},
			{".csv", "id,label\n0,red\n1,Red\n3,2\n", "warned similar-labels", "0 red; 1 Red; 3 2", ""},
			{".csv", "id,label\n0,red\n1,\"'red'\"\n3,2\n", "warned similar-labels", "0 red; 1 'red'; 3 2", ""},
			{".parquet", rows(labelRow{"0", "1"}, labelRow{"1", "1.0"}, labelRow{"3", "2"}), "warned similar-labels", "0 1; 1 1.0; 3 2", ""},
			{".npy", words("aAbb"), "warned similar-labels", "0 a; 1 A; 2 b; 3 b", ""},
			{".npy", doubles(1, 1.5, 2, 2), "refused 1", "element 1: value 1.5", ""},
			{"text", "0 True\n1 true\n3 False\n", "warned similar-labels", "0 True; 1 true; 3 False", ""},
			{"text", "0 1\n1 true\n3 0\n", "right", "0 1; 1 true; 3 0", ""},
		}},
		{"several labels in a field", []cell{
			{"text", "0 x;y\n3 y\n", "warned joined-labels", "0 x;y; 3 y", "--multilabel"},
			{"text", "0\tx, y\n3\ty\n", "warned joined-labels", "0 x, y; 3 y", ""},
			{"text", "0\t['x', 'y']\n3\tz\n", "warned joined-labels", "0 ['x', 'y']; 3 z", "--multilabel"},
			{".csv", "id,label\n0,x|y\n3,y\n", "warned joined-labels", "0 x|y; 3 y", ""},
			{".parquet", rows(labelRow{"0", "x;y"}, labelRow{"3", "y"}), "warned joined-labels", "0 x;y; 3 y", ""},
		}},
		{"no label", []cell{
			{"text", "0 x\n1 NA\n3 y\n", "warned missing-like", "0 x; 1 NA; 3 y", ""},
			{"text", "0 x\n1 -\n3 y\n", "warned missing-like", "0 x; 1 -; 3 y", ""},
			{"text", "0 0.0\n1 -1.0\n3 2.0\n", "warned missing-like", "0 0.0; 1 -1.0; 3 2.0", ""},
			{"text", "0.0e+00\n-1.0e+00\n-1.0e+00\n1.0e+00\n", "counted blank, labels-by-row", "0 0.0e+00; 3 1.0e+00", ""},
			{".csv", "id,label\n0,x\n1,\n3,y\n", "counted blank", "0 x; 3 y", ""},
			{".csv", "id,label\n0,x\n1,NaN\n3,y\n", "warned missing-like", "0 x; 1 NaN; 3 y", ""},
			{".csv", "id,label\n0,0\n1,-1\n3,2\n", "warned missing-like", "0 0; 1 -1; 3 2", ""},
			{".parquet", rowsOf(t, []byNumber{{0, 1}, {1, math.NaN()}, {3, 2}}), "counted blank, no-labels, whole-labels", "0 1; 3 2", ""},
			{".npy", whole(0, -1, -1, 1), "counted blank, no-labels", "0 0; 3 1", ""},
			{".npy", whole(1, -1, -1, 1), "warned no-labels, one-class; counted blank", "0 1; 3 1", ""},
			{".npy", doubles(0, math.NaN(), 1, 1), "counted blank, no-labels, whole-labels", "0 0; 2 1; 3 1", ""},
			{".npy", whole(0, 2, 1, 0), "right", "0 0; 1 2; 2 1; 3 0", ""},
			{"text", "0\n-1\n-1\n1\n", "counted blank, labels-by-row", "0 0; 3 1", ""},
			{"text", "0\nnan\nnan\n1\n", "counted blank, labels-by-row", "0 0; 3 1", ""},
			{"text", "0 x\n1 \"\"\n3 y\n", "warned missing-like", "0 x; 1 \"\"; 3 y", ""},
			{".csv", "x\n\"\"\n\"\"\n\"y\"\n", "counted blank, labels-by-row", "0 x; 3 y", "--label-column="},
		}},
		{"other counts of labels than nodes", []cell{
			{"text", "0 x\n3 y\n4 y\n", "refused 1", "node \"4\" is not in the graph", ""},
			{"text", "0 x\n3 y\n4 y\n", "warned unknown-labels", "0 x; 3 y", "--unknown-labels skip"},
			{"text", "x\ny\nx\n", "refused 1", "1 column,", ""},
			{"text", "x\ny\nx\ny\ny\n", "refused 1", "1 column,", ""},
			{".csv", "id,label\n0,x\n4,y\n", "refused 1", "node \"4\" is not in the graph", ""},
			{".parquet", rows(labelRow{"0", "x"}, labelRow{"4", "y"}), "refused 1", "node \"4\" is not in the graph", ""},
			{".npy", whole(0, 1, 0, 1, 1), "refused 1", "5 labels,", ""},
			{".npy", whole(0, 1, 0), "refused 1", "3 labels,", ""},
		}},
		{"names with control or direction marks", []cell{
			{"text", "0\tx\u202e\n3\ty\n", "right", "0 x\u202e; 3 y", ""},
			{"text", "0\tx\u009b\n3\ty\n", "right", "0 x\u009b; 3 y", ""},
			{"text", "0\tx\x1b\n3\ty\n", "refused 1", "control byte 0x1b", ""},
			{".csv", "id,label\n0,\"x\ny\"\n3,y\n", "refused 1", "label \"x\\ny\"", ""},
			{".parquet", rows(labelRow{"0", "x\x00"}), "refused 1", "damaged Parquet file: column \"label\", row 1: text that is", ""},
			{".npy", words("a\x01bb"), "refused 1", "element 1: label \"\\x01\"", ""},
		}},
		{"the mark of UTF-8 at the start", []cell{
			{"text", "\ufeff0 x\n3 y\n", "right", "0 x; 3 y", ""},
			{".csv", "\ufeffid,label\n0,x\n3,y\n", "right", "0 x; 3 y", ""},
		}},
		{"ends of lines of other systems", []cell{
			{"text", "0 x\r\n\r\n3 y\r\n", "counted blank-lines", "0 x; 3 y", ""},
			{"text", "0 x\r3 y\r", "refused 1", "control byte 0x0d", ""},
			{".csv", "id,label\r\n0,x\r\n\r\n3,y\r\n", "right", "0 x; 3 y", ""},
			{".csv", "id,label\r0,x\r3,y\r", "refused 1", "no column named \"label\" in the first line", ""},
		}},
		{"columns between other signs", []cell{
			{"text", "0;x\n3;y\n", "right", "0 x; 3 y", ""},
			{".csv", "id;label\n0;x\n3;y\n", "right", "0 x; 3 y", ""},
			{".csv", "id|label\n0|x\n3|y\n", "refused 1", "no column named \"label\" in the first line", ""},
			{".csv", "id,label\n0,x,1\n3,y\n", "refused 1", "3 columns", ""},
		}},
		{"a column twice", []cell{
			{".csv", "id,label,label\n0,x,z\n3,y,z\n", "refused 1", "two columns are named \"label\"", ""},
			{".csv", "id,label,Label\n0,x,z\n3,y,z\n", "counted ignored-columns", "0 x; 3 y", ""},
			{".csv", "label,id\nx,0\ny,3\n", "refused 1", "column \"label\" holds both ids and labels", ""},
			{".csv", "x,label,id\n9,x,0\n8,y,3\n", "refused 1", "node \"9\" is not in the graph", ""},
		}},
	}
	r.kinds = append(r.kinds, wholeFiles(t, []wholeFile{
		{"text", "0 x\n3 yes\n", "right", "0 x; 3 yes", "no labels", "right", "0 x; 3 y"},
		{".csv", "id,label\n0,x\n3,yes\n", "right", "0 x; 3 yes", "empty", "right", "0 x; 3 y"},
		{".parquet", rows(labelRow{"0", "x"}, labelRow{"3", "yes"}), "right", "0 x; 3 yes", "expected a Parquet file", "refused 1", "the file is cut"},
		{".npy", words("xxyy"), "right", "0 x; 1 x; 2 y; 3 y", "ends inside the .npy header", "refused 1", "ends after 3 of the 4 elements"},
	})...)
	return r
}

// featureKinds are those of vectors.
func featureKinds(t *testing.T) reader {
	r := reader{title: "Features", formats: []string{".csv", ".npy", ".npz", ".libsvm", ".vec", ".parquet", ".fvecs"}, read: readFeatures}
	type point struct {
		ID string  `parquet:"id"`
		X  float64 `parquet:"x"`
		Y  float64 `parquet:"y"`
	}
	type bare struct {
		X float64 `parquet:"x"`
		Y float64 `parquet:"y"`
	}
	type more struct {
		X    float64 `parquet:"x"`
		Y    float64 `parquet:"y"`
		Time int64   `parquet:"time"`
	}
	npz := func(values ...float64) string {
		return archive(t, map[string]string{"X.npy": array([]int64{int64(len(values) / 2), 2}, values...)})
	}
	r.kinds = []kind{
		{"a line like a comment is data", []cell{
			{".csv", "id,x,y\na,1,0\n#go,.6,.8\n", "right", "a #go 0.6", "--id-column id"},
			{".csv", "1,0\n.6,.8\n#1,1\n", "counted comment-lines", "0 1 0.6", ""},
			{".csv", "1,0\n.6,.8\n# 1,1\n", "counted comment-lines", "0 1 0.6", ""},
			{".vec", "a 1 0\n#go .6 .8\n", "right", "a #go 0.6", ""},
			{".libsvm", "1 1:1\n1 1:.6 2:.8\n#1 1:1 2:1\n", "counted comment-lines, ignored-columns", "0 1 0.6", ""},
			{".libsvm", "1 1:1 # 2:1\n1 1:.6 2:.8\n", "counted ignored-columns", "0 1 0.6", ""},
			{".parquet", rowsOf(t, []point{{"a", 1, 0}, {"#go", .6, .8}}), "right", "a #go 0.6", "--id-column id"},
		}},
		{"a line of titles", []cell{
			{".csv", "x,y\n1,0\n.6,.8\n", "right", "0 1 0.6", ""},
			{".csv", "0,1\n1,0\n.6,.8\n", "warned numbered-header", "0 2 0.8; 1 2 0.3", ""},
			{".csv", "2020,2021,2022\n1,0,0\n.6,.8,0\n", "warned numbered-header", "0 2 0.80811894; 1 2 0.3", ""},
			{".csv", "x,y\n1,0\nx,y\n.6,.8\n", "refused 1", "column 1: \"x\" is not in decimal form", ""},
			{".csv", "nan,inf\n1,0\n.6,.8\n", "refused 1", "column 1: \"nan\" is not finite", ""},
			{".vec", "id x y\na 1 0\nb .6 .8\n", "refused 1", "number 1 of \"id\": \"x\" is not in decimal form", ""},
		}},
		{"a first line of counts", []cell{
			{".csv", "2,2\n1,0\n.6,.8\n", "warned counts-like-point", "0 1 0.35355338; 0 2 0.9899495", ""},
			{".csv", "2\n1,0\n.6,.8\n", "refused 1", "column 1: \"1,0\" is not in decimal form", ""},
			{".vec", "2 2\na 1 0\nb .6 .8\n", "right", "a b 0.6", ""},
			{".vec", "3 2\na 1 0\nb .6 .8\n", "refused 1", "2 rows, expected 3 as the first line says", ""},
			{".vec", "2 1\n5 1\n6 2\n", "right", "5 6 1", ""},
			{".libsvm", "2 2\n1 1:1\n1 1:.6 2:.8\n", "refused 1", "\"2\", expected index:value", ""},
		}},
		{"columns beside", []cell{
			{".csv", "x,y,kind\n1,0,a\n.6,.8,b\n", "refused 1", "column 3: \"a\" is not in decimal form", ""},
			{".csv", "x,y,kind\n1,0,a\n.6,.8,b\n", "counted ignored-columns", "0 1 0.6", "--drop-columns kind"},
			{".csv", "x,y,kind\n1,0,3\n.6,.8,4\n", "right", "0 1 0.9663759", ""},
			{".libsvm", "1 qid:1 1:1\n1 qid:1 1:.6 2:.8\n", "counted ignored-attributes, ignored-columns", "0 1 0.6", ""},
			{".parquet", rowsOf(t, []more{{1, 0, 5}, {.6, .8, 5}}), "counted ignored-columns", "0 1 0.6", "--drop-columns time"},
			{".npz", archive(t, map[string]string{"X.npy": array([]int64{2, 2}, 1, 0, .6, .8), "y.npy": whole(0, 1)}), "refused 1", "--array", ""},
			{".npz", archive(t, map[string]string{"X.npy": array([]int64{2, 2}, 1, 0, .6, .8), "y.npy": whole(0, 1)}), "right", "0 1 0.6", "--array X"},
			{".vec", "a 1 0\nb .6 .8 1\n", "warned numbers-in-names", "a b .6 0.62469506", ""},
		}},
		{"an index of rows", []cell{
			{".csv", ",x,y\n0,1,0\n1,.6,.8\n", "refused 1", "column 1 has the title \"\", as an index of rows that pandas", ""},
			{".csv", "Unnamed: 0,x,y\n0,1,0\n1,.6,.8\n", "refused 1", "column 1 has the title \"Unnamed: 0\", as an index of rows", ""},
			{".csv", "Unnamed: 0.1,x,y\n0,1,0\n1,.6,.8\n", "refused 1", "column 1 has the title \"Unnamed: 0.1\", as an index of rows", ""},
			{".csv", "Unnamed: 0.1,Unnamed: 0,x,y\n0,0,1,0\n1,1,.6,.8\n", "refused 1", "column 2 has the title \"Unnamed: 0\", as an index of rows", "--drop-columns 1"},
			{".csv", "x,y,Unnamed: 0\n1,0,0\n.6,.8,1\n", "refused 1", "column 3 has the title \"Unnamed: 0\", as an index of rows", ""},
			{".csv", "x,y,\n1,0,\n.6,.8,\n", "refused 1", "column 3 is empty, a missing value: fill it in, or leave", ""},
			{".csv", "index,x,y\n0,1,0\n1,.6,.8\n", "warned id-like-columns", "0 1 0.42426407", ""},
			{".csv", "id,x,y\n0,1,0\n1,.6,.8\n", "warned id-like-columns", "0 1 0.42426407", ""},
			{".csv", "id,x,y\n17,1,0\n23,.6,.8\n", "warned id-like-columns", "0 1 0.99886256", ""},
			{".csv", "user,x,y\n17,1,0\n23,.6,.8\n", "warned id-like-columns", "0 1 0.99886256", ""},
		}},
		{"labels among the features", []cell{
			{".csv", "x,y,label\n1,0,0\n.6,.8,0\n", "warned label-like-columns", "0 1 0.6", ""},
			{".csv", "a,b,y\n1,0,0\n.6,.8,0\n", "warned label-like-columns", "0 1 0.6", ""},
			{".csv", "x,y,label\n1,0,a\n.6,.8,b\n", "refused 1", "--drop-columns \"label\"", ""},
		}},
		{"a value is missing", []cell{
			{".csv", "1,\n.6,.8\n", "refused 1", "column 2 is empty, a missing value: fill it in, or leave", ""},
			{".csv", "1,NA\n.6,.8\n", "refused 1", "column 2 is \"NA\" and column 1 a number", ""},
			{".npy", array([]int64{2, 2}, 1, math.NaN(), .6, .8), "refused 1", "row 0, column 1: value NaN", ""},
			{".npz", npz(1, math.NaN(), .6, .8), "refused 1", "array \"X\": row 0, column 1: value NaN", ""},
			{".libsvm", "1 1:1\n1 1:.6 2:nan\n", "refused 1", "value \"nan\" of index 2 is not finite", ""},
			{".vec", "a 1 nan\nb .6 .8\n", "refused 1", "number 2 of \"a\": \"nan\" is not finite", ""},
			{".parquet", rowsOf(t, []bare{{1, math.NaN()}, {.6, .8}}), "refused 1", "column 2: \"NaN\" is not finite", ""},
			{".fvecs", singles(1, float32(math.NaN()), .6, .8), "refused 1", "row 0, column 1: value NaN", ""},
		}},
		{"the same id twice", []cell{
			{".csv", "id,x,y\na,1,0\na,.6,.8\n", "refused 1", "id \"a\" is given twice, first to row 0", "--id-column id"},
			{".vec", "a 1 0\na .6 .8\n", "refused 1", "name \"a\" is given twice, first to row 0", ""},
			{".parquet", rowsOf(t, []point{{"a", 1, 0}, {"a", .6, .8}}), "refused 1", "id \"a\" is given twice, first to row 0", "--id-column id"},
			{".libsvm", "1 1:1 1:2\n1 1:.6 2:.8\n", "refused 1", "index 1 is given twice", ""},
		}},
		{"a point of zeros", []cell{
			{".csv", "1,0\n.6,.8\n0,0\n", "warned blank-points; counted blank", "0 1 0.6; 2 2 0", ""},
			{".npy", array([]int64{3, 2}, 1, 0, .6, .8, 0, 0), "warned blank-points; counted blank", "0 1 0.6; 2 2 0", ""},
			{".npz", npz(1, 0, .6, .8, 0, 0), "warned blank-points; counted blank", "0 1 0.6; 2 2 0", ""},
			{".libsvm", "1 1:1\n1 1:.6 2:.8\n1\n", "warned blank-points; counted blank, ignored-columns", "0 1 0.6; 2 2 0", ""},
			{".vec", "a 1 0\nb .6 .8\nc 0 0\n", "warned blank-points; counted blank", "a b 0.6; c c 0", ""},
			{".parquet", rowsOf(t, []bare{{1, 0}, {.6, .8}, {0, 0}}), "warned blank-points; counted blank", "0 1 0.6; 2 2 0", ""},
			{".fvecs", singles(1, 0, .6, .8, 0, 0), "warned blank-points; counted blank", "0 1 0.6; 2 2 0", ""},
		}},
		{"indices from 0 and from 1", []cell{
			{".libsvm", "1 0:1\n1 0:.6 1:.8\n", "counted ignored-columns, indices-from-0", "0 1 0.6", ""},
			{".libsvm", "1 1:1\n1 1:.6 2:.8\n", "counted ignored-columns", "0 1 0.6", ""},
		}},
		{"ids that are alike but for spelling", []cell{
			{".csv", "id,x,y\n1,1,0\n1.0,.6,.8\n", "warned similar-ids", "1 1.0 0.6", "--id-column id"},
			{".csv", "id,x,y\n0.0,1,0\n1.0,.6,.8\n", "warned decimal-ids", "0.0 1.0 0.6", "--id-column id"},
			{".vec", "1 1 0\n1.0 .6 .8\n", "warned similar-ids", "1 1.0 0.6", ""},
			{".parquet", rowsOf(t, []point{{"1", 1, 0}, {"1.0", .6, .8}}), "warned similar-ids", "1 1.0 0.6", "--id-column id"},
			{".csv", "id,x,y\n1,1,0\n\" 1\",.6,.8\n", "refused 1", "id \"1\" is given twice, first to row 0", "--id-column id"},
		}},
		{"a decimal comma", []cell{
			{".csv", "1;0\n0,6;0,8\n", "refused 1", "column 1: \"0,6\" is not in decimal form", ""},
			{".csv", "1,0\n0,6,0,8\n", "refused 1", "4 columns", ""},
			{".vec", "a 1 0\nb 0,6 0,8\n", "refused 1", "number 1 of \"b\": \"0,6\" is not in decimal form", ""},
		}},
		{"points between thousands", []cell{
			{".csv", "1.000;0\n1.234.567;0\n", "refused 1", "column 1: \"1.234.567\" is not in decimal form, expected a decimal number; if points separate thousands, leave them out", ""},
			{".csv", "n;a;b\n1,5;1.000;0\n2,5;1.200;1.600\n3;2.000;1\n", "warned thousands-like; counted ignored-columns", "0 2 0.4472136; 1 2 0.8944272", "--drop-columns n"},
			{".csv", "1.000;0\n1.500;2.000\n", "right", "0 1 0.6", ""},
		}},
		{"names with control or direction marks", []cell{
			{".csv", "id,x,y\na\u202e,1,0\nb,.6,.8\n", "right", "a\u202e b 0.6", "--id-column id"},
			{".csv", "id,x,y\na\x1b,1,0\nb,.6,.8\n", "refused 1", "control byte 0x1b", "--id-column id"},
			{".vec", "a\x1b 1 0\nb .6 .8\n", "refused 1", "\"a\\x1b\", expected UTF-8 without control characters", ""},
			{".vec", "a\u2028b 1 0\nb .6 .8\n", "right", "a\u2028b b 0.6", ""},
			{".parquet", rowsOf(t, []point{{"a\x1b", 1, 0}, {"b", .6, .8}}), "refused 1", "damaged Parquet file: column \"id\", row 1: text that is not", "--id-column id"},
		}},
		{"numbers in other forms", []cell{
			{".csv", "1,0\n0x1,.8\n", "refused 1", "column 1: \"0x1\" is not in decimal form", ""},
			{".csv", "1,0\n1_0,.8\n", "refused 1", "column 1: \"1_0\" is not in decimal form", ""},
			{".csv", "1,0\n60%,80%\n", "refused 1", "column 1: \"60%\" is not in decimal form", ""},
			{".csv", "1,0\n\"1,000\",.8\n", "refused 1", "column 1: \"1,000\" is not in decimal form", ""},
			{".csv", "1,0\n+.6,.8\n", "right", "0 1 0.6", ""},
			{".csv", "1,.5\ntrue,false\n", "right", "0 1 0.8944272", ""},
			{".vec", "a 1 0\nb true false\n", "refused 1", "number 1 of \"b\": \"true\" is not in decimal form", ""},
			{".csv", "1,0\n1e39,.8\n", "refused 1", "column 1: \"1e39\" is outside the range of float32", ""},
			{".csv", "1,0\n1e-60,.8\n", "right", "0 1 7.888609e-31", ""},
			{".npy", array([]int64{2, 2}, 1, 0, 16777217, 1e-60), "right", "0 1 1", ""},
			{".csv", "a,1,0\nb,.6,.8\n", "refused 1", "column 1 is \"a\" and column 3 a number", ""},
		}},
		{"the mark of UTF-8 at the start", []cell{
			{".csv", "\ufeff1,0\n.6,.8\n", "right", "0 1 0.6", ""},
			{".csv", "\ufeffid,x,y\na,1,0\nb,.6,.8\n", "right", "a b 0.6", "--id-column id"},
			{".vec", "\ufeffa 1 0\nb .6 .8\n", "right", "a b 0.6", ""},
			{".libsvm", "\ufeff1 1:1\n1 1:.6 2:.8\n", "counted ignored-columns", "0 1 0.6", ""},
		}},
	}
	r.kinds = append(r.kinds, wholeFiles(t, []wholeFile{
		{".csv", "1,0\n.6,.8\n", "right", "0 1 0.6", "no rows", "refused 1", "column 2 is empty"},
		{".npy", array([]int64{2, 2}, 1, 0, .6, .8), "right", "0 1 0.6", "ends inside the .npy header", "refused 1", "157 bytes, expected 160"},
		{".npz", npz(1, 0, .6, .8), "right", "0 1 0.6", "not a .npz archive", "refused 1", "not a .npz archive"},
		{".libsvm", "1 1:1\n1 1:.6 2:.8\n", "counted ignored-columns", "0 1 0.6", "no rows", "refused 1", `value ""`},
		{".vec", "2 2\na 1 0\nb .6 .8\n", "right", "a b 0.6", "no rows", "refused 1", "2 fields, expected a name and 2 numbers"},
		{".parquet", rowsOf(t, []bare{{1, 0}, {.6, .8}}), "right", "0 1 0.6", "expected a Parquet file", "refused 1", "the file is cut"},
		{".fvecs", singles(1, 0, .6, .8), "right", "0 1 0.6", "no rows", "refused 1", "21 bytes"},
	})...)
	return r
}

// evalKinds are those of predictions and the truth.
func evalKinds(t *testing.T) reader {
	type prediction struct {
		Node       string  `parquet:"node"`
		Label      string  `parquet:"label"`
		Confidence float64 `parquet:"confidence"`
		Margin     float64 `parquet:"margin"`
		Status     string  `parquet:"status"`
	}
	of := func(rows ...string) string {
		var all []prediction
		for _, row := range rows {
			node, label, _ := strings.Cut(row, " ")
			all = append(all, prediction{node, label, 1, 1, "predicted"})
		}
		return rowsOf(t, all)
	}
	rows := func(rows ...labelRow) string { return rowsOf(t, rows) }
	const text, table, truth, truthTable, vector = "predictions text", "predictions .parquet", "truth text", "truth .parquet", "truth .npy"
	r := reader{title: "Predictions and truth", formats: []string{text, table, truth, truthTable, vector}, read: readScores}
	r.kinds = []kind{
		{"a line like a comment is data", []cell{
			{text, predictedRows("0 x", "#1 y"), "counted unknown", "1 1", ""},
			{text, predictedRows("0 x") + "# 1\ty\t1\t1\tpredicted\n", "counted unknown", "1 1", ""},
			{table, of("0 x", "#1 y"), "counted unknown", "1 1", ""},
			{truth, "0\tx\n#1\ty\n", "counted comment-lines", "1 1", ""},
		}},
		{"a line of titles", []cell{
			{text, "0\tx\t1\t1\tpredicted\n", "refused 1", "expected the header: node label confidence margin status", ""},
			{text, predictedRows("0 x") + predictedRows("1 y"), "refused 1", "confidence \"confidence\" is not a decimal number", ""},
			{truth, "id\tclass\n0\tx\n1\ty\n", "counted header-lines", "2 1", ""},
			{truth, "person\tparty\n0\tx\n1\ty\n", "counted unknown", "2 1", ""},
			{truth, "person\tparty\n0\tx\n1\ty\n", "right", "2 1", "--truth-header"},
			{truth, "person\tparty\tyear\n0\tx\t1\n1\ty\t1\n", "refused 1", "weight \"year\" is not a decimal number", ""},
			{truth, "0\tx\n1\ty\n", "warned header-is-data", "1 1", "--truth-header"},
		}},
		{"the same node twice", []cell{
			{text, predictedRows("0 x", "0 y", "1 y"), "refused 1", "node \"0\" has a row already", ""},
			{table, of("0 x", "0 y", "1 y"), "refused 1", "node \"0\" has a row already", ""},
			{truth, "0\tx\n0\ty\n1\ty\n", "refused 1", "node \"0\" has label \"y\", but \"x\" on line 1", ""},
			{truth, "0\tx\n0\tx\n1\ty\n", "warned repeated-labels", "2 1", ""},
			{truthTable, rows(labelRow{"0", "x"}, labelRow{"0", "x"}, labelRow{"1", "y"}), "warned repeated-labels", "2 1", ""},
		}},
		{"a node in one of the files only", []cell{
			{text, predictedRows("0 x"), "counted unknown", "1 1", ""},
			{text, predictedRows("0 x", "1 y", "2 y"), "right", "2 1", ""},
			{table, of("0 x"), "counted unknown", "1 1", ""},
			{truth, "0\tx\n1\ty\n2\ty\n", "counted unknown", "2 1", ""},
			{truth, "5\tx\n6\ty\n", "refused 1", "no labels of nodes of the predictions", ""},
			{truthTable, rows(labelRow{"0", "x"}, labelRow{"2", "y"}), "counted unknown", "1 1", ""},
			{vector, whole(0, 1, 0), "warned foreign-labels; counted unknown", "2 0", ""},
		}},
		{"ids from 1 beside rows from 0", []cell{
			{truth, "1\tx\n2\ty\n", "warned counted-from-one; counted unknown", "1 0", ""},
			{text, predictedRows("1 x", "2 y"), "warned counted-from-one; counted unknown", "1 0", ""},
			{truthTable, rows(labelRow{"1", "x"}, labelRow{"2", "y"}), "warned counted-from-one; counted unknown", "1 0", ""},
		}},
		{"ids that are alike but for spelling", []cell{
			{truth, "0.0\tx\n1.0\ty\n", "refused 1", "no labels of nodes of the predictions", ""},
			{truth, "0\tx\n1.0\ty\n", "warned similar-ids; counted unknown", "1 1", ""},
			{truth, "0\tx\n01\ty\n", "warned similar-ids; counted unknown", "1 1", ""},
			{truth, "0\tx\n1.000000000000000000e+00\ty\n", "warned similar-ids; counted unknown", "1 1", ""},
			{text, predictedRows("0.0 x", "1.0 y"), "refused 1", "no labels of nodes of the predictions", ""},
			{text, predictedRows("0 x", "1.0 y"), "warned decimal-ids; counted unknown", "1 1", ""},
			{truthTable, rows(labelRow{"0", "x"}, labelRow{"1.0", "y"}), "warned similar-ids; counted unknown", "1 1", ""},
		}},
		{"labels that are alike but for spelling", []cell{
			{text, predictedRows("0 X", "1 y"), "warned similar-labels", "2 0.5", ""},
			{table, of("0 X", "1 y"), "warned similar-labels", "2 0.5", ""},
			{truth, "0\tX\n1\ty\n", "warned similar-labels", "2 0.5", ""},
			{truthTable, rows(labelRow{"0", "X"}, labelRow{"1", "y"}), "warned similar-labels", "2 0.5", ""},
			{vector, words("Xy"), "warned similar-labels", "2 0.5", ""},
			{truth, "0\t x\n1\ty \n", "right", "2 1", ""},
		}},
		{"labels of other names", []cell{
			{text, predictedRows("0 a", "1 b"), "warned foreign-labels", "2 0", ""},
			{text, predictedRows("0 y", "1 x"), "warned renamed-labels", "2 0", ""},
			{vector, whole(0, 1), "warned foreign-labels", "2 0", ""},
		}},
		{"no label", []cell{
			{text, predictedRows("0 x", "1 "), "refused 1", "no label and status predicted", ""},
			{table, of("0 x", "1 "), "refused 1", "no label and status predicted", ""},
			{truth, "0\tx\n1\tNA\n", "warned missing-like", "2 0.5", ""},
			{truthTable, rows(labelRow{"0", "x"}, labelRow{"1", ""}), "counted blank-labels", "1 1", ""},
		}},
		{"the mark of UTF-8 at the start", []cell{
			{text, "\ufeff" + predictedRows("0 x", "1 y"), "right", "2 1", ""},
			{truth, "\ufeff0\tx\n1\ty\n", "right", "2 1", ""},
		}},
		{"ends of lines of other systems", []cell{
			{text, strings.ReplaceAll(predictedRows("0 x", "1 y"), "\n", "\r\n"), "right", "2 1", ""},
			{truth, "0\tx\r\n\r\n1\ty\r\n", "counted blank-lines", "2 1", ""},
		}},
	}
	r.kinds = append(r.kinds, wholeFiles(t, []wholeFile{
		{text, predictedRows("0 x", "1 y"), "right", "2 1", "expected the header", "refused 1", `status "predict"`},
		{table, of("0 x", "1 y"), "right", "2 1", "expected a Parquet file", "refused 1", "the file is cut"},
		{truth, "0\tx\n1\ty\n", "right", "2 1", "no labels", "refused 1", "1 column"},
		{truthTable, rows(labelRow{"0", "x"}, labelRow{"1", "y"}), "right", "2 1", "expected a Parquet file", "refused 1", "the file is cut"},
		{vector, words("xy"), "right", "2 1", "ends inside the .npy header", "refused 1", "ends after 1 of the 2 elements"},
	})...)
	return r
}
