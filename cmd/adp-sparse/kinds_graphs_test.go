//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/store"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// xmlOf is a GraphML graph of the nodes a and b, and c where an edge has it. An edge is "a b", "a b 2" or an element.
func xmlOf(edges ...string) string {
	var b strings.Builder
	b.WriteString(`<graphml><key id="w" for="edge" attr.name="weight"/><graph edgedefault="undirected"><node id="a"/><node id="b"/>`)
	if strings.Contains(strings.Join(edges, " ")+" ", "c ") {
		b.WriteString(`<node id="c"/>`)
	}
	for _, edge := range edges {
		switch f := strings.Fields(edge); {
		case edge[0] == '<':
			b.WriteString(edge)
		case len(f) == 2:
			fmt.Fprintf(&b, `<edge source=%q target=%q/>`, f[0], f[1])
		default:
			fmt.Fprintf(&b, `<edge source=%q target=%q><data key="w">%s</data></edge>`, f[0], f[1], f[2])
		}
	}
	return b.String() + "</graph></graphml>"
}

// mm is a Matrix Market file, general or symmetric.
func mm(symmetry, rest string) string {
	return "%%MatrixMarket matrix coordinate real " + symmetry + "\n" + rest
}

// entriesOf returns the entries of a matrix, such as "0 1 2; 1 0 2".
func entriesOf(t *testing.T, text string) (rows, cols []int64, values []float64) {
	for entry := range strings.SplitSeq(text, ";") {
		var i, j int64
		var v float64
		_, err := fmt.Sscan(entry, &i, &j, &v)
		must(t, err)
		rows, cols, values = append(rows, i), append(cols, j), append(values, v)
	}
	return rows, cols, values
}

// coo is what scipy.sparse.save_npz writes of a matrix of n rows by its entries.
func coo(t *testing.T, n int64, entries string) string {
	rows, cols, values := entriesOf(t, entries)
	return archive(t, map[string]string{
		"format.npy": string(npy.AppendHeader(nil, "|S3")) + "coo", "shape.npy": int64s(n, n),
		"row.npy": int64s(rows...), "col.npy": int64s(cols...), "data.npy": doubles(values...),
	})
}

// doubles is a vector of an archive.
func doubles(values ...float64) string { return array([]int64{int64(len(values))}, values...) }

// array is a .npy file of a shape.
func array(shape []int64, values ...float64) string {
	b := npy.AppendHeader(nil, "<f8", shape...)
	for _, v := range values {
		for k := range 8 {
			b = append(b, byte(math.Float64bits(v)>>(8*k)))
		}
	}
	return string(b)
}

// stored is a .csr file by its entries, in order, with names of its nodes or none.
func stored(t *testing.T, n int, entries string, names ...string) string {
	rows, cols, values := entriesOf(t, entries)
	indptr, indices, data := make([]int64, n+1), []uint32{}, []float32{}
	for k := range rows {
		for i := rows[k]; i < int64(n); i++ {
			indptr[i+1]++
		}
		indices, data = append(indices, uint32(cols[k])), append(data, float32(values[k]))
	}
	m := newMatrix(t, n, n, indptr, indices, data)
	var table *ids.Table
	if len(names) > 0 {
		table = ids.NewTable()
		for _, name := range names {
			_, err := table.Add([]byte(name))
			must(t, err)
		}
	}
	var b bytes.Buffer
	must(t, store.Write(&b, m, table))
	return b.String()
}

// endRow and edgeRow are rows of edges in Parquet.
type endRow struct {
	Src string `parquet:"src"`
	Dst string `parquet:"dst"`
}
type edgeRow struct {
	Src    string  `parquet:"src"`
	Dst    string  `parquet:"dst"`
	Weight float64 `parquet:"weight"`
}

// edgeKinds are those of edges.
func edgeKinds(t *testing.T) reader {
	r := reader{title: "Edges", formats: []string{".tsv", ".csv", ".jsonl", ".parquet", ".graphml", ".mtx", ".npz", ".graph", ".csr"}, read: readEdges}
	type valued struct {
		Src   string  `parquet:"src"`
		Dst   string  `parquet:"dst"`
		Value float64 `parquet:"value"`
	}
	type timed struct {
		Src    string  `parquet:"src"`
		Dst    string  `parquet:"dst"`
		Weight float64 `parquet:"weight"`
		Time   int64   `parquet:"time"`
	}
	type missing struct {
		Src    string   `parquet:"src"`
		Dst    string   `parquet:"dst"`
		Weight *float64 `parquet:"weight,optional"`
	}
	type bipartite struct {
		User int64 `parquet:"src"`
		Item int64 `parquet:"dst"`
	}
	type titled struct {
		User int64 `parquet:"user"`
		Item int64 `parquet:"item"`
	}
	two := 2.0
	r.kinds = []kind{
		{"a line like a comment is data", []cell{
			{".tsv", "a\tb\n#go\ta\n", "warned comment-like-data", "a b 1", ""},
			{".csv", "a,b\n#go,a\n", "right", "#go a 1; a b 1", ""},
			{".jsonl", `{"src":"#go","dst":"a"}` + "\n" + `{"src":"a","dst":"%b"}` + "\n", "right", "#go a 1; %b a 1", ""},
			{".parquet", rowsOf(t, []endRow{{"#go", "a"}, {"a", "%b"}}), "right", "#go a 1; %b a 1", ""},
			{".graphml", strings.ReplaceAll(xmlOf("a b 2", "b c 1"), `"a"`, `"#go"`), "right", "#go b 2; b c 1", ""},
			{".mtx", mm("symmetric", "3 3 2\n2 1 2\n% 3 2 1\n3 2 1\n"), "?", "0 1 2; 1 2 1", ""},
			{".graph", "2 1\n2\n1\n% 1\n", "?", "0 1 1", ""},
			{".csr", stored(t, 2, "0 1 2; 1 0 2", "#go", "%b"), "right", "#go %b 2", ""},
		}},
		{"a comment where none is expected", []cell{
			{".tsv", "src\tdst\n# by me\nc\td\n", "?", "", "--header yes"},
			{".csv", "a,b\n# by me, yesterday\n", "warned data-like-comments", "# by me yesterday 1; a b 1", ""},
			{".jsonl", "# by me\n" + `{"src":"a","dst":"b"}` + "\n", "refused 1", "", ""},
			{".graphml", "<!-- by me -->" + xmlOf("a b 2"), "?", "a b 2", ""},
			{".mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n# by me\n2 1\n", "refused 1", "", ""},
			{".graph", "# by me\n2 1\n2\n1\n", "refused 1", "", ""},
		}},
		{"a line of titles", []cell{
			{".tsv", "src\tdst\tweight\n1\t2\t3\n", "?", "1 2 3", ""},
			{".csv", "Source,Target,Weight\na,b,2\n", "counted header-lines", "a b 2", ""},
		}},
		{"a line of titles that are no usual ones, above names", []cell{
			{".tsv", "knows\tliked\na\tb\nb\tc\n", "?", "", ""},
			{".csv", "knows,liked\na,b\nb,c\n", "?", "", ""},
		}},
		{"a line of titles twice", []cell{
			{".tsv", "src\tdst\na\tb\nsrc\tdst\nb\tc\n", "?", "", ""},
			{".csv", "src,dst\na,b\nsrc,dst\nb,c\n", "?", "", ""},
			{".csv", "src,dst,weight\na,b,1\nsrc,dst,weight\nb,c,1\n", "?", "", ""},
		}},
		{"a first line of counts", []cell{
			{".tsv", "3 2\n1 2\n2 3\n", "refused 1", "counts of nodes and edges", ""},
			{".csv", "3,2\n1,2\n2,3\n", "refused 1", "counts of nodes and edges", ""},
			{".tsv", "3\n0 1\n1 2\n", "?", "", ""},
			{".tsv", "2\n0 1\n1 2\n", "?", "", ""},
			{".mtx", mm("symmetric", "2 2 2\n2 1 2\n"), "refused 1", "", ""},
			{".graph", "2 2\n2\n1\n", "refused 1", "", ""},
		}},
		{"a weight is missing where others have one", []cell{
			{".tsv", "a\tb\t2\nb\tc\n", "counted default-weights", "a b 2; b c 1", ""},
			{".csv", "a,b,2\nb,c,\n", "?", "a b 2; b c 1", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":2}` + "\n" + `{"src":"b","dst":"c"}` + "\n", "warned default-weights", "a b 2; b c 1", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":2}` + "\n" + `{"src":"b","dst":"c","weight":null}` + "\n", "?", "a b 2; b c 1", ""},
			{".parquet", rowsOf(t, []missing{{"a", "b", &two}, {"b", "c", nil}}), "refused 1", `weight "null"`, ""},
			{".graphml", xmlOf("a b 2", "b c"), "warned default-weights", "a b 2; b c 1", ""},
			{".mtx", mm("symmetric", "3 3 2\n2 1 2\n3 2\n"), "refused 1", "", ""},
			{".graph", "3 2 1\n2 2\n1 2 3\n2\n", "refused 1", "", ""},
		}},
		{"the weight has another name", []cell{
			{".tsv", "a\tb\t7\t2\nb\tc\t8\t1\n", "refused 1", "", ""},
			{".tsv", "src\tdst\tvalue\na\tb\t2\n", "?", "a b 2", ""},
			{".csv", "source,target,year\na,b,1999\n", "warned weight-title", "a b 1999", "--header yes"},
			{".csv", "source,target,year,strength\na,b,1999,2\n", "?", "", ""},
			{".jsonl", `{"src":"a","dst":"b","value":2}` + "\n", "warned ignored-attributes", "a b 1", ""},
			{".parquet", rowsOf(t, []valued{{"a", "b", 2}}), "?", "a b 1", ""},
			{".graphml", strings.Replace(xmlOf("a b 2"), `"weight"`, `"value"`, 1), "warned ignored-attributes", "a b 1", ""},
		}},
		{"columns or attributes beside", []cell{
			{".tsv", "a\tb\t2\t100\n", "refused 1", "", ""},
			{".csv", "source,target,weight,time\na,b,2,100\n", "counted header-lines, ignored-columns", "a b 2", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":2,"time":100}` + "\n", "counted ignored-attributes", "a b 2", ""},
			{".parquet", rowsOf(t, []timed{{"a", "b", 2, 100}}), "counted ignored-columns", "a b 2", ""},
			{".graphml", xmlOf(`<edge source="a" target="b"><data key="w">2</data><data key="time">100</data></edge>`), "?", "a b 2", ""},
			{".npz", "", "?", "", ""},
			{".graph", "2 1 011\n5 2 2\n6 1 2\n", "counted ignored-node-weights", "0 1 2", ""},
		}},
		{"an index of rows", []cell{
			{".csv", ",source,target\n0,a,b\n1,b,c\n", "?", "a b 1; b c 1", ""},
			{".csv", ",a,b\n0,1,2\n1,2,3\n", "refused 1", "", ""},
			{".csv", "Unnamed: 0.1,src,dst\n0,a,b\n1,b,c\n", "?", "", ""},
			{".csv", "Unnamed: 0.1,Unnamed: 0,weight\n0,0,2\n1,1,3\n", "?", "", ""},
			{".tsv", "Unnamed: 0.1 source\n0 5\n1 6\n", "?", "", ""},
			{".csv", "Unnamed: 0.1,from_node\n0,5\n1,6\n", "?", "", ""},
		}},
		{"an edge twice", []cell{
			{".tsv", "a\tb\t2\nb\ta\t1\n", "warned duplicates", "a b 3", ""},
			{".csv", "a,b,2\na,b,1\n", "warned duplicates", "a b 3", ""},
			{".jsonl", strings.Repeat(`{"src":"a","dst":"b"}`+"\n", 2), "warned duplicates", "a b 2", ""},
			{".parquet", rowsOf(t, []endRow{{"a", "b"}, {"b", "a"}}), "warned duplicates", "a b 2", ""},
			{".graphml", xmlOf("a b 2", "b a 1"), "warned duplicates", "a b 3", ""},
			{".mtx", mm("symmetric", "2 2 2\n2 1 2\n2 1 1\n"), "refused 1", "", ""},
			{".mtx", mm("symmetric", "2 2 2\n2 1 2\n1 2 2\n"), "?", "", ""},
			{".npz", coo(t, 2, "0 1 2; 1 0 2; 0 1 1; 1 0 1"), "?", "0 1 3", ""},
			{".graph", "2 1\n2 2\n1 1\n", "refused 1", "", ""},
		}},
		{"loops", []cell{
			{".tsv", "a\ta\t5\na\tb\t2\n", "warned self-loops", "a b 2", ""},
			{".csv", "a,a\na,b\n", "warned self-loops", "a b 1", ""},
			{".jsonl", `{"src":"a","dst":"a"}` + "\n" + `{"src":"a","dst":"b"}` + "\n", "warned self-loops", "a b 1", ""},
			{".parquet", rowsOf(t, []endRow{{"a", "a"}, {"a", "b"}}), "warned self-loops", "a b 1", ""},
			{".graphml", xmlOf("a a 2", "a b 2"), "warned self-loops", "a b 2", ""},
			{".mtx", mm("symmetric", "2 2 2\n1 1 5\n2 1 2\n"), "warned self-loops", "0 1 2", ""},
			{".npz", coo(t, 2, "0 0 5; 0 1 2; 1 0 2"), "warned self-loops", "0 1 2", ""},
			{".graph", "2 1\n1 2\n1\n", "refused 1", "", ""},
			{".csr", stored(t, 2, "0 0 5; 0 1 2; 1 0 2"), "warned self-loops", "0 1 2", ""},
		}},
		{"a weight of 0", []cell{
			{".tsv", "a\tb\t2\nb\tc\t0\n", "warned zero-weights", "a b 2; c c 0", ""},
			{".csv", "a,b,2\nb,c,0\n", "warned zero-weights", "a b 2", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":2}` + "\n" + `{"src":"b","dst":"c","weight":0}` + "\n", "warned zero-weights", "a b 2", ""},
			{".parquet", rowsOf(t, []edgeRow{{"a", "b", 2}, {"b", "c", 0}}), "warned zero-weights", "a b 2", ""},
			{".graphml", xmlOf("a b 2", "b c 0"), "warned zero-weights", "a b 2", ""},
			{".mtx", mm("symmetric", "3 3 2\n2 1 2\n3 2 0\n"), "warned zero-weights", "0 1 2", ""},
			{".npz", coo(t, 3, "0 1 2; 1 0 2; 1 2 0; 2 1 0"), "warned zero-weights", "0 1 2", ""},
			{".graph", "2 1 1\n2 0\n1 0\n", "refused 1", "", ""},
			{".csr", stored(t, 3, "0 1 2; 1 0 2; 1 2 0; 2 1 0"), "warned zero-weights", "0 1 2", ""},
		}},
		{"a weight below 0", []cell{
			{".tsv", "a\tb\t-2\n", "refused 1", "negative", ""},
			{".csv", "a,b,-2\n", "refused 1", "negative", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":-2}` + "\n", "refused 1", "", ""},
			{".parquet", rowsOf(t, []edgeRow{{"a", "b", -2}}), "refused 1", "", ""},
			{".graphml", xmlOf("a b -2"), "refused 1", "negative", ""},
			{".mtx", mm("symmetric", "2 2 1\n2 1 -2\n"), "refused 1", "", ""},
			{".npz", coo(t, 2, "0 1 -2; 1 0 -2"), "refused 1", "", ""},
			{".graph", "2 1 1\n2 -1\n1 -1\n", "refused 1", "", ""},
			{".csr", stored(t, 2, "0 1 -2; 1 0 -2"), "refused 1", "", ""},
		}},
		{"a weight of nan", []cell{
			{".tsv", "a\tb\tnan\n", "refused 1", "not finite", ""},
			{".csv", "a,b,NaN\n", "refused 1", "not finite", ""},
			{".csv", "a,b,NA\nb,c,2\n", "refused 1", "", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":NaN}` + "\n", "refused 1", "", ""},
			{".parquet", rowsOf(t, []edgeRow{{"a", "b", math.NaN()}}), "refused 1", "", ""},
			{".graphml", xmlOf("a b nan"), "refused 1", "", ""},
			{".mtx", mm("symmetric", "2 2 1\n2 1 nan\n"), "refused 1", "", ""},
			{".npz", array([]int64{0}), "refused 1", "", ""},
			{".graph", "2 1 1\n2 nan\n1 nan\n", "refused 1", "", ""},
			{".csr", stored(t, 2, "0 1 1; 1 0 1"), "right", "0 1 1", ""},
		}},
		{"one id in two columns for two kinds of nodes", []cell{
			{".tsv", "user\titem\n1\t1\n1\t2\n", "?", "", "--header yes"},
			{".csv", "user,item\n1,1\n1,2\n", "?", "", "--header yes"},
			{".csv", "userId,movieId,rating\n1,1,5\n1,2,4\n", "?", "", "--header yes"},
			{".csv", "user,item\n1,1\n1,2\n", "?", "", "--header yes --bipartite"},
			{".jsonl", `{"user":1,"item":1}` + "\n" + `{"user":1,"item":2}` + "\n", "?", "", "--columns user,item"},
			{".parquet", rowsOf(t, []titled{{1, 1}, {1, 2}}), "?", "", "--columns user,item"},
			{".parquet", rowsOf(t, []bipartite{{1, 1}, {1, 2}}), "?", "", "--bipartite"},
			{".mtx", mm("general", "2 3 2\n1 1 2\n2 3 1\n"), "refused 1", "", ""},
			{".npz", archive(t, map[string]string{
				"format.npy": string(npy.AppendHeader(nil, "|S3")) + "coo", "shape.npy": int64s(2, 3),
				"row.npy": int64s(0, 1), "col.npy": int64s(0, 2), "data.npy": doubles(2, 1),
			}), "refused 1", "", ""},
		}},
		{"edges have a direction", []cell{
			{".tsv", "% asym\na\tb\t2\nb\ta\t1\n", "?", "", ""},
			{".tsv", "a\tb\t2\nb\ta\t1\n", "?", "", "--directed"},
			{".csv", "Source,Target,Type\na,b,Directed\n", "?", "", ""},
			{".jsonl", `{"src":"a","dst":"b","directed":true}` + "\n", "?", "", ""},
			{".graphml", strings.Replace(xmlOf("a b 2"), "undirected", "directed", 1), "refused 1", "--directed", ""},
			{".mtx", mm("general", "2 2 1\n2 1 2\n"), "refused 1", "--directed", ""},
			{".npz", coo(t, 2, "0 1 2"), "refused 1", "--directed", ""},
			{".graph", "2 1\n2\n\n", "refused 1", "", ""},
			{".csr", stored(t, 2, "0 1 2"), "refused 1", "--directed", ""},
		}},
		{"ids that are alike: 1 and 1.0", []cell{
			{".tsv", "1\t2\n1.0\t3\n", "?", "", ""},
			{".csv", "1,2\n1.0,3\n", "?", "", ""},
			{".jsonl", `{"src":1,"dst":2}` + "\n" + `{"src":"1.0","dst":3}` + "\n", "?", "", ""},
			{".jsonl", `{"src":1.0,"dst":2}` + "\n", "?", "", ""},
			{".parquet", rowsOf(t, []endRow{{"1", "2"}, {"1.0", "3"}}), "?", "", ""},
			{".graphml", strings.NewReplacer(`"a"`, `"1"`, `"b"`, `"1.0"`).Replace(xmlOf("a c 2", "b c 1")), "?", "", ""},
			{".csr", stored(t, 2, "0 1 2; 1 0 2", "1", "1.0"), "?", "", ""},
		}},
		{"ids that are whole numbers with a point", []cell{
			{".tsv", "0.000000000000000000e+00 1.000000000000000000e+00\n1.000000000000000000e+00 2.000000000000000000e+00\n", "?", "", ""},
			{".csv", "0.0,1.0\n1.0,2.0\n", "?", "", ""},
			{".tsv", "0.0 1.0 0.5\n1.0 2.0 0.5\n", "?", "", ""},
		}},
		{"ids with zeros before them", []cell{
			{".tsv", "1\t2\n01\t3\n", "?", "", ""},
			{".tsv", "01\t02\n02\t03\n", "?", "", ""},
			{".csv", "1,2\n+1,3\n", "?", "", ""},
		}},
		{"ids with blanks around", []cell{
			{".tsv", "1\t2\n 1\t3\n", "?", "", ""},
			{".csv", `1,2` + "\n" + `" 1",3` + "\n", "?", "", ""},
			{".csv", "1, 2\n2,3\n", "?", "", ""},
			{".jsonl", `{"src":"1","dst":2}` + "\n" + `{"src":" 1","dst":3}` + "\n", "?", "", ""},
			{".parquet", rowsOf(t, []endRow{{"1", "2"}, {" 1", "3"}}), "?", "", ""},
			{".graphml", strings.NewReplacer(`id="b"`, `id=" b"`).Replace(xmlOf("a b 2", "b c 1")), "?", "", ""},
			{".csr", stored(t, 2, "0 1 2; 1 0 2", "1", " 1"), "?", "", ""},
		}},
		{"lists of neighbours", []cell{
			{".tsv", "0 1 2\n1 2 3\n2 3 0\n3 0 1\n", "?", "", ""},
			{".tsv", "a b c\nb c a\nc a b\n", "?", "", ""},
			{".tsv", "0 1 2 3\n1 2\n2 3\n3\n", "?", "", ""},
			{".tsv", "0 1 2\n1 3\n2\n3\n", "?", "", ""},
			{".csv", "0,1,2\n1,2,3\n2,3,0\n3,0,1\n", "?", "", ""},
		}},
		{"names with control or direction marks", []cell{
			{".tsv", "a\u202e\tb\n", "right", "a\u202e b 1", ""},
			{".tsv", "a\x1b\tb\n", "refused 1", "control", ""},
			{".csv", "a\u009b,b\n", "?", "", ""},
			{".jsonl", `{"src":"a\u001b","dst":"b"}` + "\n", "refused 1", "", ""},
			{".jsonl", `{"src":"a\u0000","dst":"b"}` + "\n", "refused 1", "", ""},
			{".jsonl", `{"src":"a\u200f","dst":"b"}` + "\n", "?", "", ""},
			{".parquet", rowsOf(t, []endRow{{"a\x07", "b"}}), "refused 1", "", ""},
			{".graphml", strings.ReplaceAll(xmlOf("a b 2"), `"a"`, `"a&#x85;"`), "?", "", ""},
			{".graphml", strings.ReplaceAll(xmlOf("a b 2"), `"a"`, `"a&#xA;x"`), "?", "", ""},
		}},
		{"the mark of UTF-8 at the start", []cell{
			{".tsv", "\ufeffa\tb\na\tc\n", "?", "a b 1; a c 1", ""},
			{".csv", "\ufeffa,b\na,c\n", "?", "a b 1; a c 1", ""},
			{".csv", "\ufeff" + `"a",b` + "\na,c\n", "?", "a b 1; a c 1", ""},
			{".jsonl", "\ufeff" + `{"src":"a","dst":"b"}` + "\n", "?", "a b 1", ""},
			{".graphml", "\ufeff" + xmlOf("a b 2"), "?", "a b 2", ""},
			{".mtx", "\ufeff" + mm("symmetric", "2 2 1\n2 1 2\n"), "?", "0 1 2", ""},
			{".graph", "\ufeff2 1\n2\n1\n", "?", "0 1 1", ""},
		}},
		{"blank lines, ends of lines of other systems", []cell{
			{".tsv", "a\tb\r\n\r\na\tc\r\n", "counted blank-lines", "a b 1; a c 1", ""},
			{".tsv", "a\tb\ra\tc\r", "?", "", ""},
			{".csv", "a,b\n\na,c", "counted blank-lines", "a b 1; a c 1", ""},
			{".csv", "a,b\n,\na,c\n", "?", "", ""},
			{".jsonl", `{"src":"a","dst":"b"}` + "\r\n\r\n", "counted blank-lines", "a b 1", ""},
			{".mtx", mm("symmetric", "2 2 1\r\n\r\n2 1 2\r\n"), "?", "0 1 2", ""},
			{".graph", "2 1\r\n2\r\n1\r\n\r\n", "?", "0 1 1", ""},
		}},
		{"a decimal comma", []cell{
			{".tsv", "a\tb\t0,5\n", "refused 1", "", ""},
			{".csv", "a;b;0,5\nb;c;1,5\n", "?", "", ""},
			{".csv", "a,b,0,5\nb,c,1,5\n", "?", "", ""},
			{".csv", "a,b,\"0,5\"\n", "refused 1", "", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":"0,5"}` + "\n", "refused 1", "", ""},
			{".mtx", mm("symmetric", "2 2 1\n2 1 0,5\n"), "refused 1", "", ""},
			{".graphml", xmlOf("a b 0,5"), "refused 1", "", ""},
		}},
		{"a key or column twice", []cell{
			{".jsonl", `{"src":"a","dst":"b","src":"c"}` + "\n", "?", "", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":1,"Weight":2}` + "\n", "?", "", ""},
			{".jsonl", `{"src":"a","dst":"b","source":"c","target":"d"}` + "\n", "?", "", ""},
			{".csv", "src,dst,src\na,b,c\n", "?", "", ""},
			{".csv", "source,target,from,to\na,b,c,d\n", "?", "", ""},
			{".csv", "src,dst,weight,Weight\na,b,1,2\n", "?", "", ""},
		}},
		{"weights that are text", []cell{
			{".tsv", "a\tb\t1e3\nb\tc\t1_000\n", "refused 1", "", ""},
			{".csv", "a,b,\"1,000\"\n", "refused 1", "", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":"2"}` + "\n", "?", "", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":true}` + "\n", "refused 1", "", ""},
			{".csv", "a,b,true\n", "refused 1", "", ""},
		}},
	}
	return r
}
