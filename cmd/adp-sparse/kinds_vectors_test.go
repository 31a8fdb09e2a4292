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
			{"text", "0 x\n#3 y\n", "?", "0 x", ""},
			{"text", "0\tx\n# 3\ty\n", "?", "0 x", ""},
			{".csv", "id,label\n0,x\n#3,y\n", "?", "0 x", ""},
			{".csv", "id,label\n0,x\n3,#y\n", "?", "0 x", ""},
			{".parquet", rows(labelRow{"0", "#x"}, labelRow{"3", "%y"}), "right", "0 #x; 3 %y", ""},
		}},
		{"a line of titles", []cell{
			{"text", "node label\n0 x\n3 y\n", "counted header-lines", "0 x; 3 y", ""},
			{"text", "person party\n0 x\n3 y\n", "?", "0 x; 3 y", ""},
			{"text", "person party\n0 x\n3 y\n", "?", "0 x; 3 y", "--unknown-labels skip"},
			{"text", "0 label\n0 x\n3 y\n", "?", "0 x; 3 y", ""},
			{".csv", "0,x\n1,x\n3,y\n", "?", "", "--label-column 2"},
			{".csv", "id,label\n0,x\nid,label\n3,y\n", "?", "", ""},
		}},
		{"a weight under another name", []cell{
			{"text", "id label score\n0 x 0.5\n3 y 1\n", "?", "0 x; 3 y", "--labels-header"},
			{"text", "0 x 30\n3 y 40\n", "?", "0 x; 3 y", ""},
			{".csv", "id,label,weight\n0,x,0.5\n3,y,1\n", "?", "0 x; 3 y", ""},
			{".csv", "id,label,weight\n0,x,0\n3,y,1\n", "?", "0 x; 3 y", ""},
			{".parquet", rowsOf(t, []scored{{"0", "x", 0.5}, {"3", "y", 1}}), "?", "0 x; 3 y", ""},
		}},
		{"columns beside", []cell{
			{"text", "0 x 1 9\n3 y 1 9\n", "refused 1", "", ""},
			{".csv", "id,label,age\n0,x,30\n3,y,40\n", "?", "0 x; 3 y", ""},
			{".parquet", rowsOf(t, []scored{{"0", "x", 0.5}, {"3", "y", 1}}), "?", "0 x; 3 y", ""},
		}},
		{"an index of rows", []cell{
			{".csv", ",id,label\n0,3,x\n1,2,y\n", "refused 1", "", ""},
			{".csv", ",label\n0,x\n3,y\n", "?", "", ""},
			{".csv", "Unnamed: 0.1,id,label\n0,3,x\n1,2,y\n", "?", "", ""},
			{".csv", "Unnamed: 0,label\n0,x\n1,y\n", "?", "", ""},
		}},
		{"a weight is missing", []cell{
			{"text", "0 x 0.5\n3 y\n", "?", "0 x; 3 y", ""},
			{"text", "0\tx\t0.5\n3\ty\t\n", "?", "0 x; 3 y", ""},
			{".csv", "id,label,w\n0,x,0.5\n3,y,\n", "?", "0 x; 3 y", "--label-weight w"},
		}},
		{"the same node twice", []cell{
			{"text", "0 x\n0 x\n3 y\n", "warned repeated-labels", "0 x; 3 y", ""},
			{"text", "0 x\n0 y\n3 y\n", "refused 1", "", ""},
			{".csv", "id,label\n0,x\n0,x\n3,y\n", "warned repeated-labels", "0 x; 3 y", ""},
			{".parquet", rows(labelRow{"0", "x"}, labelRow{"0", "x"}, labelRow{"3", "y"}), "warned repeated-labels", "0 x; 3 y", ""},
		}},
		{"a weight of 0", []cell{
			{"text", "0 x\n1 z 0\n3 y\n", "warned zero-labels", "0 x; 3 y", ""},
			{".csv", "id,label,w\n0,x,1\n1,z,0\n3,y,1\n", "warned zero-labels", "0 x; 3 y", "--label-weight w"},
			{".parquet", rowsOf(t, []weighted{{"0", "x", 1}, {"1", "z", 0}, {"3", "y", 1}}), "warned zero-labels", "0 x; 3 y", ""},
		}},
		{"a weight below 0, or nan", []cell{
			{"text", "0 x -1\n3 y\n", "refused 1", "", ""},
			{".csv", "id,label,w\n0,x,nan\n", "refused 1", "", "--label-weight w"},
			{".parquet", rowsOf(t, []weighted{{"0", "x", -1}}), "refused 1", "", ""},
		}},
		{"ids from 1 beside rows from 0", []cell{
			{"text", "1 x\n2 x\n3 y\n", "?", "", "--nodes-no"},
		}},
		{"ids that are alike but for spelling", []cell{
			{"text", "0.0 x\n3.0 y\n", "refused 1", "", ""},
			{"text", "00 x\n3 y\n", "refused 1", "", ""},
			{"text", "00 x\n3 y\n", "?", "", "--unknown-labels skip"},
			{"text", "0.000000000000000000e+00 0.000000000000000000e+00\n3.000000000000000000e+00 1.000000000000000000e+00\n", "?", "", ""},
			{".csv", "id,label\n0.0,x\n3.0,y\n", "refused 1", "", ""},
			{".csv", "id,label\n\" 0\",x\n3,y\n", "?", "", ""},
			{".parquet", rowsOf(t, []counted{{0, "x"}, {3, "y"}}), "?", "", ""},
			{".parquet", rows(labelRow{" 0", "x"}, labelRow{"3", "y"}), "?", "", ""},
		}},
		{"labels that are alike but for spelling", []cell{
			{"text", "0 1\n1 1.0\n3 2\n", "warned similar-labels", "0 1; 1 1.0; 3 2", ""},
			{"text", "0 red\n1 Red\n3 2\n", "warned similar-labels", "0 red; 1 Red; 3 2", ""},
			{"text", "0\tred\n1\tred \n3\t2\n", "?", "0 red; 1 red; 3 2", ""},
			{"text", "0\tNew York\n1\tNew  York\n3\t2\n", "?", "", ""},
			{"text", "0\tNew York\n1\tNew_York\n3\t2\n", "?", "", ""},
			{"text", "0\ta\u00a0b\n1\ta b\n3\t2\n", "?", "", ""},
			{"text", "0\tred\n1\tred\u200b\n3\t2\n", "?", "", ""},
			{"text", "0\t\u00e9\n1\te\u0301\n3\t2\n", "?", "", ""},
			{".csv", "id,label\n0,red\n1,Red\n3,2\n", "warned similar-labels", "0 red; 1 Red; 3 2", ""},
			{".csv", "id,label\n0,red\n1,\"'red'\"\n3,2\n", "?", "", ""},
			{".parquet", rows(labelRow{"0", "1"}, labelRow{"1", "1.0"}, labelRow{"3", "2"}), "warned similar-labels", "0 1; 1 1.0; 3 2", ""},
			{".npy", words("aAbb"), "?", "", ""},
			{".npy", doubles(1, 1.5, 2, 2), "?", "", ""},
			{"text", "0 True\n1 true\n3 False\n", "?", "", ""},
			{"text", "0 1\n1 true\n3 0\n", "?", "", ""},
		}},
		{"no label", []cell{
			{"text", "0 x\n1 NA\n3 y\n", "?", "", ""},
			{".csv", "id,label\n0,x\n1,\n3,y\n", "?", "", ""},
			{".csv", "id,label\n0,x\n1,NaN\n3,y\n", "?", "", ""},
			{".csv", "id,label\n0,0\n1,-1\n3,2\n", "?", "", ""},
			{".parquet", rowsOf(t, []byNumber{{0, 1}, {1, math.NaN()}, {3, 2}}), "?", "", ""},
			{".npy", whole(0, -1, -1, 1), "?", "", ""},
			{".npy", whole(1, -1, -1, 1), "?", "", ""},
			{".npy", doubles(0, math.NaN(), 1, 1), "?", "", ""},
			{".npy", whole(0, 2, 1, 0), "?", "", ""},
			{"text", "0\n-1\n-1\n1\n", "?", "", ""},
			{"text", "0\nnan\nnan\n1\n", "?", "", ""},
		}},
		{"other counts of labels than nodes", []cell{
			{"text", "0 x\n3 y\n4 y\n", "refused 1", "", ""},
			{"text", "0 x\n3 y\n4 y\n", "warned unknown-labels", "0 x; 3 y", "--unknown-labels skip"},
			{"text", "x\ny\nx\n", "refused 1", "", ""},
			{"text", "x\ny\nx\ny\ny\n", "refused 1", "", ""},
			{".csv", "id,label\n0,x\n4,y\n", "refused 1", "", ""},
			{".parquet", rows(labelRow{"0", "x"}, labelRow{"4", "y"}), "refused 1", "", ""},
			{".npy", whole(0, 1, 0, 1, 1), "refused 1", "", ""},
			{".npy", whole(0, 1, 0), "refused 1", "", ""},
		}},
		{"names with control or direction marks", []cell{
			{"text", "0\tx\u202e\n3\ty\n", "?", "", ""},
			{"text", "0\tx\u009b\n3\ty\n", "?", "", ""},
			{"text", "0\tx\x1b\n3\ty\n", "refused 1", "", ""},
			{".csv", "id,label\n0,\"x\ny\"\n3,y\n", "?", "", ""},
			{".parquet", rows(labelRow{"0", "x\x00"}), "refused 1", "", ""},
			{".npy", words("a\x01bb"), "?", "", ""},
		}},
		{"the mark of UTF-8 at the start", []cell{
			{"text", "\ufeff0 x\n3 y\n", "right", "0 x; 3 y", ""},
			{".csv", "\ufeffid,label\n0,x\n3,y\n", "right", "0 x; 3 y", ""},
		}},
		{"ends of lines of other systems", []cell{
			{"text", "0 x\r\n\r\n3 y\r\n", "?", "0 x; 3 y", ""},
			{"text", "0 x\r3 y\r", "?", "0 x; 3 y", ""},
			{".csv", "id,label\r\n0,x\r\n\r\n3,y\r\n", "?", "0 x; 3 y", ""},
			{".csv", "id,label\r0,x\r3,y\r", "?", "0 x; 3 y", ""},
		}},
		{"columns between other signs", []cell{
			{"text", "0;x\n3;y\n", "right", "0 x; 3 y", ""},
			{".csv", "id;label\n0;x\n3;y\n", "right", "0 x; 3 y", ""},
			{".csv", "id|label\n0|x\n3|y\n", "refused 1", "", ""},
			{".csv", "id,label\n0,x,1\n3,y\n", "refused 1", "", ""},
		}},
		{"a column twice", []cell{
			{".csv", "id,label,label\n0,x,z\n3,y,z\n", "refused 1", "", ""},
			{".csv", "id,label,Label\n0,x,z\n3,y,z\n", "?", "", ""},
			{".csv", "label,id\nx,0\ny,3\n", "?", "", ""},
			{".csv", "x,label,id\n9,x,0\n8,y,3\n", "?", "", ""},
		}},
	}
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
			{".csv", "id,x,y\na,1,0\n#go,.6,.8\n", "?", "a #go 0.6", "--id-column id"},
			{".csv", "1,0\n.6,.8\n#1,1\n", "?", "0 1 0.6", ""},
			{".csv", "1,0\n.6,.8\n# 1,1\n", "?", "0 1 0.6", ""},
			{".vec", "a 1 0\n#go .6 .8\n", "?", "#go a 0.6", ""},
			{".libsvm", "1 1:1\n1 1:.6 2:.8\n#1 1:1 2:1\n", "?", "0 1 0.6", ""},
			{".libsvm", "1 1:1 # 2:1\n1 1:.6 2:.8\n", "?", "0 1 0.6", ""},
			{".parquet", rowsOf(t, []point{{"a", 1, 0}, {"#go", .6, .8}}), "?", "", "--id-column id"},
		}},
		{"a line of titles", []cell{
			{".csv", "x,y\n1,0\n.6,.8\n", "?", "0 1 0.6", ""},
			{".csv", "0,1\n1,0\n.6,.8\n", "warned numbered-header", "", ""},
			{".csv", "1,2\n1,0\n.6,.8\n", "?", "", ""},
			{".csv", "2020,2021\n1,0\n.6,.8\n", "?", "", ""},
			{".csv", "x,y\n1,0\nx,y\n.6,.8\n", "?", "", ""},
			{".csv", "nan,inf\n1,0\n.6,.8\n", "?", "", ""},
			{".csv", "true,false\n1,0\n.6,.8\n", "?", "", ""},
			{".vec", "id x y\na 1 0\nb .6 .8\n", "?", "", ""},
		}},
		{"a first line of counts", []cell{
			{".csv", "2,2\n1,0\n.6,.8\n", "?", "", ""},
			{".csv", "2\n1,0\n.6,.8\n", "?", "", ""},
			{".vec", "2 2\na 1 0\nb .6 .8\n", "right", "a b 0.6", ""},
			{".vec", "3 2\na 1 0\nb .6 .8\n", "refused 1", "", ""},
			{".vec", "2 1\n5 1\n6 2\n", "?", "", ""},
			{".libsvm", "2 2\n1 1:1\n1 1:.6 2:.8\n", "refused 1", "", ""},
		}},
		{"columns beside", []cell{
			{".csv", "x,y,kind\n1,0,a\n.6,.8,b\n", "refused 1", "", ""},
			{".csv", "x,y,kind\n1,0,a\n.6,.8,b\n", "counted ignored-columns", "0 1 0.6", "--drop-columns kind"},
			{".csv", "x,y,kind\n1,0,3\n.6,.8,4\n", "?", "", ""},
			{".libsvm", "1 qid:1 1:1\n1 qid:1 1:.6 2:.8\n", "?", "0 1 0.6", ""},
			{".parquet", rowsOf(t, []more{{1, 0, 5}, {.6, .8, 5}}), "?", "", "--drop-columns time"},
			{".npz", archive(t, map[string]string{"X.npy": array([]int64{2, 2}, 1, 0, .6, .8), "y.npy": whole(0, 1)}), "refused 1", "--array", ""},
			{".npz", archive(t, map[string]string{"X.npy": array([]int64{2, 2}, 1, 0, .6, .8), "y.npy": whole(0, 1)}), "?", "0 1 0.6", "--array X"},
			{".vec", "a 1 0\nb .6 .8 1\n", "refused 1", "", ""},
		}},
		{"an index of rows", []cell{
			{".csv", ",x,y\n0,1,0\n1,.6,.8\n", "refused 1", "", ""},
			{".csv", "Unnamed: 0,x,y\n0,1,0\n1,.6,.8\n", "refused 1", "", ""},
			{".csv", "Unnamed: 0.1,x,y\n0,1,0\n1,.6,.8\n", "?", "", ""},
			{".csv", "Unnamed: 0.1,Unnamed: 0,x,y\n0,0,1,0\n1,1,.6,.8\n", "?", "", "--drop-columns 1"},
			{".csv", "x,y,Unnamed: 0\n1,0,0\n.6,.8,1\n", "?", "", ""},
			{".csv", "x,y,\n1,0,\n.6,.8,\n", "?", "", ""},
			{".csv", "index,x,y\n0,1,0\n1,.6,.8\n", "?", "", ""},
			{".csv", "id,x,y\n0,1,0\n1,.6,.8\n", "?", "", ""},
			{".csv", "id,x,y\n17,1,0\n23,.6,.8\n", "?", "", ""},
		}},
		{"a value is missing", []cell{
			{".csv", "1,\n.6,.8\n", "refused 1", "", ""},
			{".csv", "1,NA\n.6,.8\n", "refused 1", "", ""},
			{".npy", array([]int64{2, 2}, 1, math.NaN(), .6, .8), "refused 1", "", ""},
			{".npz", npz(1, math.NaN(), .6, .8), "refused 1", "", ""},
			{".libsvm", "1 1:1\n1 1:.6 2:nan\n", "refused 1", "", ""},
			{".vec", "a 1 nan\nb .6 .8\n", "refused 1", "", ""},
			{".parquet", rowsOf(t, []bare{{1, math.NaN()}, {.6, .8}}), "refused 1", "", ""},
			{".fvecs", singles(1, float32(math.NaN()), .6, .8), "refused 1", "", ""},
		}},
		{"the same id twice", []cell{
			{".csv", "id,x,y\na,1,0\na,.6,.8\n", "refused 1", "", "--id-column id"},
			{".vec", "a 1 0\na .6 .8\n", "refused 1", "", ""},
			{".parquet", rowsOf(t, []point{{"a", 1, 0}, {"a", .6, .8}}), "refused 1", "", "--id-column id"},
			{".libsvm", "1 1:1 1:2\n1 1:.6 2:.8\n", "refused 1", "", ""},
		}},
		{"a point of zeros", []cell{
			{".csv", "1,0\n.6,.8\n0,0\n", "?", "0 1 0.6; 2 2 0", ""},
			{".npy", array([]int64{3, 2}, 1, 0, .6, .8, 0, 0), "?", "0 1 0.6; 2 2 0", ""},
			{".npz", npz(1, 0, .6, .8, 0, 0), "?", "0 1 0.6; 2 2 0", ""},
			{".libsvm", "1 1:1\n1 1:.6 2:.8\n1\n", "?", "0 1 0.6; 2 2 0", ""},
			{".vec", "a 1 0\nb .6 .8\nc 0 0\n", "?", "a b 0.6; c c 0", ""},
			{".parquet", rowsOf(t, []bare{{1, 0}, {.6, .8}, {0, 0}}), "?", "0 1 0.6; 2 2 0", ""},
			{".fvecs", singles(1, 0, .6, .8, 0, 0), "?", "0 1 0.6; 2 2 0", ""},
		}},
		{"indices from 0 and from 1", []cell{
			{".libsvm", "1 0:1\n1 0:.6 1:.8\n", "counted ignored-columns, indices-from-0", "0 1 0.6", ""},
			{".libsvm", "1 1:1\n1 1:.6 2:.8\n", "counted ignored-columns", "0 1 0.6", ""},
		}},
		{"ids that are alike but for spelling", []cell{
			{".csv", "id,x,y\n1,1,0\n1.0,.6,.8\n", "?", "1 1.0 0.6", "--id-column id"},
			{".csv", "id,x,y\n0.0,1,0\n1.0,.6,.8\n", "?", "0.0 1.0 0.6", "--id-column id"},
			{".vec", "1 1 0\n1.0 .6 .8\n", "?", "1 1.0 0.6", ""},
			{".parquet", rowsOf(t, []point{{"1", 1, 0}, {"1.0", .6, .8}}), "?", "", "--id-column id"},
			{".csv", "id,x,y\n1,1,0\n\" 1\",.6,.8\n", "?", "", "--id-column id"},
		}},
		{"a decimal comma", []cell{
			{".csv", "1;0\n0,6;0,8\n", "refused 1", "", ""},
			{".csv", "1,0\n0,6,0,8\n", "refused 1", "", ""},
			{".vec", "a 1 0\nb 0,6 0,8\n", "refused 1", "", ""},
		}},
		{"names with control or direction marks", []cell{
			{".csv", "id,x,y\na\u202e,1,0\nb,.6,.8\n", "?", "", "--id-column id"},
			{".csv", "id,x,y\na\x1b,1,0\nb,.6,.8\n", "refused 1", "", "--id-column id"},
			{".vec", "a\x1b 1 0\nb .6 .8\n", "?", "", ""},
			{".vec", "a\u2028b 1 0\nb .6 .8\n", "?", "", ""},
			{".parquet", rowsOf(t, []point{{"a\x1b", 1, 0}, {"b", .6, .8}}), "refused 1", "", "--id-column id"},
		}},
		{"numbers in other forms", []cell{
			{".csv", "1,0\n0x1,.8\n", "?", "", ""},
			{".csv", "1,0\n1_0,.8\n", "?", "", ""},
			{".csv", "1,0\n60%,80%\n", "?", "", ""},
			{".csv", "1,0\n\"1,000\",.8\n", "?", "", ""},
			{".csv", "1,0\n+.6,.8\n", "?", "", ""},
			{".csv", "1,0\ntrue,false\n", "?", "", ""},
			{".vec", "a 1 0\nb true false\n", "?", "", ""},
			{".csv", "1,0\n1e39,.8\n", "refused 1", "", ""},
			{".csv", "1,0\n1e-60,.8\n", "?", "", ""},
			{".npy", array([]int64{2, 2}, 1, 0, 16777217, 1e-60), "?", "", ""},
			{".csv", "a,1,0\nb,.6,.8\n", "?", "", ""},
		}},
		{"the mark of UTF-8 at the start", []cell{
			{".csv", "\ufeff1,0\n.6,.8\n", "?", "", ""},
			{".csv", "\ufeffid,x,y\na,1,0\nb,.6,.8\n", "?", "", "--id-column id"},
			{".vec", "\ufeffa 1 0\nb .6 .8\n", "?", "", ""},
			{".libsvm", "\ufeff1 1:1\n1 1:.6 2:.8\n", "?", "", ""},
		}},
	}
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
			{text, predictedRows("0 x", "#1 y"), "?", "", ""},
			{text, predictedRows("0 x") + "# 1\ty\t1\t1\tpredicted\n", "?", "", ""},
			{table, of("0 x", "#1 y"), "?", "", ""},
			{truth, "0\tx\n#1\ty\n", "?", "", ""},
		}},
		{"a line of titles", []cell{
			{text, "0\tx\t1\t1\tpredicted\n", "refused 1", "", ""},
			{text, predictedRows("0 x") + predictedRows("1 y"), "?", "", ""},
			{truth, "id\tclass\n0\tx\n1\ty\n", "?", "2 1", ""},
			{truth, "person\tparty\n0\tx\n1\ty\n", "?", "2 1", ""},
			{truth, "person\tparty\n0\tx\n1\ty\n", "?", "2 1", "--truth-header"},
			{truth, "person\tparty\tyear\n0\tx\t1\n1\ty\t1\n", "?", "2 1", ""},
			{truth, "0\tx\n1\ty\n", "?", "2 1", "--truth-header"},
		}},
		{"the same node twice", []cell{
			{text, predictedRows("0 x", "0 y", "1 y"), "?", "", ""},
			{table, of("0 x", "0 y", "1 y"), "?", "", ""},
			{truth, "0\tx\n0\ty\n1\ty\n", "refused 1", "", ""},
			{truth, "0\tx\n0\tx\n1\ty\n", "?", "2 1", ""},
			{truthTable, rows(labelRow{"0", "x"}, labelRow{"0", "x"}, labelRow{"1", "y"}), "?", "2 1", ""},
		}},
		{"a node in one of the files only", []cell{
			{text, predictedRows("0 x"), "counted unknown", "1 1", ""},
			{text, predictedRows("0 x", "1 y", "2 y"), "?", "2 1", ""},
			{table, of("0 x"), "counted unknown", "1 1", ""},
			{truth, "0\tx\n1\ty\n2\ty\n", "counted unknown", "2 1", ""},
			{truth, "5\tx\n6\ty\n", "?", "", ""},
			{truthTable, rows(labelRow{"0", "x"}, labelRow{"2", "y"}), "counted unknown", "1 1", ""},
			{vector, whole(0, 1, 0), "?", "", ""},
		}},
		{"ids from 1 beside rows from 0", []cell{
			{truth, "1\tx\n2\ty\n", "?", "", ""},
			{text, predictedRows("1 x", "2 y"), "?", "", ""},
			{truthTable, rows(labelRow{"1", "x"}, labelRow{"2", "y"}), "?", "", ""},
		}},
		{"ids that are alike but for spelling", []cell{
			{truth, "0.0\tx\n1.0\ty\n", "?", "", ""},
			{truth, "0\tx\n1.0\ty\n", "?", "", ""},
			{truth, "0\tx\n01\ty\n", "?", "", ""},
			{truth, "0\tx\n1.000000000000000000e+00\ty\n", "?", "", ""},
			{text, predictedRows("0.0 x", "1.0 y"), "?", "", ""},
			{text, predictedRows("0 x", "1.0 y"), "?", "", ""},
			{truthTable, rows(labelRow{"0", "x"}, labelRow{"1.0", "y"}), "?", "", ""},
		}},
		{"labels that are alike but for spelling", []cell{
			{text, predictedRows("0 X", "1 y"), "warned similar-labels", "2 0.5", ""},
			{table, of("0 X", "1 y"), "warned similar-labels", "2 0.5", ""},
			{truth, "0\tX\n1\ty\n", "warned similar-labels", "2 0.5", ""},
			{truthTable, rows(labelRow{"0", "X"}, labelRow{"1", "y"}), "warned similar-labels", "2 0.5", ""},
			{vector, words("Xy"), "warned similar-labels", "2 0.5", ""},
			{truth, "0\t x\n1\ty \n", "?", "2 1", ""},
		}},
		{"labels of other names", []cell{
			{text, predictedRows("0 a", "1 b"), "warned foreign-labels", "2 0", ""},
			{text, predictedRows("0 y", "1 x"), "warned renamed-labels", "2 0", ""},
			{vector, whole(0, 1), "warned foreign-labels", "2 0", ""},
		}},
		{"no label", []cell{
			{text, predictedRows("0 x", "1 "), "?", "", ""},
			{table, of("0 x", "1 "), "?", "", ""},
			{truth, "0\tx\n1\tNA\n", "?", "", ""},
			{truthTable, rows(labelRow{"0", "x"}, labelRow{"1", ""}), "?", "", ""},
		}},
		{"the mark of UTF-8 at the start", []cell{
			{text, "\ufeff" + predictedRows("0 x", "1 y"), "right", "2 1", ""},
			{truth, "\ufeff0\tx\n1\ty\n", "right", "2 1", ""},
		}},
		{"ends of lines of other systems", []cell{
			{text, strings.ReplaceAll(predictedRows("0 x", "1 y"), "\n", "\r\n"), "?", "2 1", ""},
			{truth, "0\tx\r\n\r\n1\ty\r\n", "?", "2 1", ""},
		}},
	}
	return r
}
