//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
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

// coo is what scipy.sparse.save_npz writes of an n×m matrix by its entries.
func coo(t *testing.T, n, m int64, entries string) string {
	rows, cols, values := entriesOf(t, entries)
	return archive(t, map[string]string{
		"format.npy": string(npy.AppendHeader(nil, "|S3")) + "coo", "shape.npy": int64s(n, m),
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

// indexedRing is a ring with an index of rows before its edges, with its edges as they are read, and as
// they are meant.
func indexedRing() (text, misread, ring string) {
	const n = 20
	var wrong, right []string
	for k := range n {
		next := (k + 1) % n
		text += fmt.Sprintf("%d\t%d\t%d\n", k, k, next)
		wrong = append(wrong, fmt.Sprintf("%d %d 0", k, k))
		right = append(right, fmt.Sprintf("%d %d 1", min(k, next), max(k, next)))
	}
	slices.Sort(wrong)
	slices.Sort(right)
	return text, strings.Join(wrong, "; "), strings.Join(right, "; ")
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
	index, misread, ring := indexedRing()
	r.kinds = []kind{
		{"a line like a comment is data", []cell{
			{".tsv", "a\tb\n#go\ta\n", "warned comment-like-data", "a b 1", ""},
			{".csv", "a,b\n#go,a\n", "right", "#go a 1; a b 1", ""},
			{".jsonl", `{"src":"#go","dst":"a"}` + "\n" + `{"src":"a","dst":"%b"}` + "\n", "right", "#go a 1; %b a 1", ""},
			{".parquet", rowsOf(t, []endRow{{"#go", "a"}, {"a", "%b"}}), "right", "#go a 1; %b a 1", ""},
			{".graphml", strings.ReplaceAll(xmlOf("a b 2", "b c 1"), `"a"`, `"#go"`), "right", "#go b 2; b c 1", ""},
			{".mtx", mm("symmetric", "3 3 2\n2 1 2\n% 3 2 1\n3 2 1\n"), "right", "0 1 2; 1 2 1", ""},
			{".graph", "2 1\n2\n1\n% 1\n", "right", "0 1 1", ""},
			{".csr", stored(t, 2, "0 1 2; 1 0 2", "#go", "%b"), "right", "#go %b 2", ""},
		}},
		{"a comment where none is expected", []cell{
			{".tsv", "src\tdst\n# by me\nc\td\n", "refused 1", "1 column", "--header yes"},
			{".csv", "a,b\n# by me, yesterday\n", "warned data-like-comments", "# by me yesterday 1; a b 1", ""},
			{".jsonl", "# by me\n" + `{"src":"a","dst":"b"}` + "\n", "refused 1", "\"# by me\"", ""},
			{".graphml", "<!-- by me -->" + xmlOf("a b 2"), "right", "a b 2", ""},
			{".mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n# by me\n2 1\n", "refused 1", "3 fields,", ""},
			{".graph", "# by me\n2 1\n2\n1\n", "refused 1", "\"#\" in the header", ""},
		}},
		{"a line of titles", []cell{
			{".tsv", "src\tdst\tweight\n1\t2\t3\n", "counted header-lines", "1 2 3", ""},
			{".csv", "Source,Target,Weight\na,b,2\n", "counted header-lines", "a b 2", ""},
		}},
		{"a line of titles that are no usual ones, above names", []cell{
			{".tsv", "knows\tliked\n" + strings.ReplaceAll(namedPath, " ", "\t"), "warned header-like", "a b 1; b c 1; c d 1; d e 1; e f 1; f g 1; g h 1; h i 1; i j 1; j k 1; k l 1; knows liked 1", ""},
			{".csv", "knows,liked\n" + strings.ReplaceAll(namedPath, " ", ","), "warned header-like", "a b 1; b c 1; c d 1; d e 1; e f 1; f g 1; g h 1; h i 1; i j 1; j k 1; k l 1; knows liked 1", ""},
		}},
		{"a line of numbers of columns, above names", []cell{
			{".tsv", "0\t1\na\tb\nb\tc\n", "warned numbered-header", "0 1 1; a b 1; b c 1", ""},
			{".csv", "0,1,2\na,b,5\nb,c,6\n", "warned numbered-header", "0 1 2; a b 5; b c 6", ""},
			{".csv", "0,1\na,b\nb,c\n", "right", "a b 1; b c 1", "--header yes"},
		}},
		{"a line of titles twice", []cell{
			{".tsv", "src\tdst\na\tb\nsrc\tdst\nb\tc\n", "refused 1", "\"src\" and \"dst\" read like titles of columns, and \"src\" is a node further down", ""},
			{".csv", "src,dst\na,b\nsrc,dst\nb,c\n", "refused 1", "\"src\" and \"dst\" read like titles of columns, and \"src\" is a node further down", ""},
			{".csv", "src,dst\na,b\nsrc,dst\nb,c\n", "warned header-is-data", "a b 1; b c 1; dst src 1", "--header yes"},
			{".csv", "src,dst,weight\na,b,1\nsrc,dst,weight\nb,c,1\n", "refused 1", "weight \"weight\" is not a decimal number", ""},
		}},
		{"a first line of counts", []cell{
			{".tsv", "3 2\n1 2\n2 3\n", "refused 1", "counts of nodes and edges", ""},
			{".csv", "3,2\n1,2\n2,3\n", "refused 1", "counts of nodes and edges", ""},
			{".tsv", "3\n0 1\n1 2\n", "refused 1", "1 column", ""},
			{".tsv", "2\n0 1\n1 2\n", "refused 1", "1 column", ""},
			{".mtx", mm("symmetric", "2 2 2\n2 1 2\n"), "refused 1", "ends after 1 entries", ""},
			{".graph", "2 2\n2\n1\n", "refused 1", "2 edges between 2 vertices", ""},
		}},
		{"a weight is missing where others have one", []cell{
			{".tsv", "a\tb\t2\nb\tc\n", "counted default-weights", "a b 2; b c 1", ""},
			{".csv", "a,b,2\nb,c,\n", "refused 1", "weight \"\" is missing", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":2}` + "\n" + `{"src":"b","dst":"c"}` + "\n", "counted default-weights", "a b 2; b c 1", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":2}` + "\n" + `{"src":"b","dst":"c","weight":null}` + "\n", "refused 1", "weight \"null\"", ""},
			{".parquet", rowsOf(t, []missing{{"a", "b", &two}, {"b", "c", nil}}), "refused 1", `weight "null"`, ""},
			{".graphml", xmlOf("a b 2", "b c"), "warned default-weights", "a b 2; b c 1", ""},
			{".mtx", mm("symmetric", "3 3 2\n2 1 2\n3 2\n"), "refused 1", "2 fields,", ""},
			{".graph", "3 2 1\n2 2\n1 2 3\n2\n", "refused 1", "the last neighbour \"3\" of vertex 2 has no weight, which the", ""},
		}},
		{"the weight has another name", []cell{
			{".tsv", "a\tb\t7\t2\nb\tc\t8\t1\n", "refused 1", "4 columns", ""},
			{".tsv", "src\tdst\tvalue\na\tb\t2\n", "refused 1", "weight \"value\" is not a number", ""},
			{".csv", "source,target,year\na,b,1999\n", "warned weight-title", "a b 1999", "--header yes"},
			{".csv", "source,target,year,strength\na,b,1999,2\n", "warned ignored-columns; counted header-lines", "a b 1", ""},
			{".jsonl", `{"src":"a","dst":"b","value":2}` + "\n", "warned ignored-attributes", "a b 1", ""},
			{".parquet", rowsOf(t, []valued{{"a", "b", 2}}), "warned ignored-columns", "a b 1", ""},
			{".graphml", strings.Replace(xmlOf("a b 2"), `"weight"`, `"value"`, 1), "warned ignored-attributes", "a b 1", ""},
		}},
		{"columns or attributes beside", []cell{
			{".tsv", "a\tb\t2\t100\n", "refused 1", "4 columns", ""},
			{".csv", "source,target,weight,time\na,b,2,100\n", "counted header-lines, ignored-columns", "a b 2", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":2,"time":100}` + "\n", "counted ignored-attributes", "a b 2", ""},
			{".parquet", rowsOf(t, []timed{{"a", "b", 2, 100}}), "counted ignored-columns", "a b 2", ""},
			{".graphml", xmlOf(`<edge source="a" target="b"><data key="w">2</data><data key="time">100</data></edge>`), "counted ignored-attributes", "a b 2", ""},
			{".graph", "2 1 011\n5 2 2\n6 1 2\n", "counted ignored-node-weights", "0 1 2", ""},
		}},
		{"an index of rows", []cell{
			{".csv", ",source,target\n0,a,b\n1,b,c\n", "counted header-lines, ignored-columns", "a b 1; b c 1", ""},
			{".csv", ",a,b\n0,1,2\n1,2,3\n", "refused 1", "column 1 has the title \"\", as an index of rows that pandas", ""},
			{".csv", "Unnamed: 0.1,src,dst\n0,a,b\n1,b,c\n", "counted header-lines, ignored-columns", "a b 1; b c 1", ""},
			{".csv", "Unnamed: 0.1,Unnamed: 0,weight\n0,0,2\n1,1,3\n", "refused 1", "column 1 has the title \"Unnamed: 0.1\", as an index of rows", ""},
			{".csv", "Unnamed: 0.1,from_node\n0,5\n1,6\n", "refused 1", "column 1 has the title \"Unnamed: 0.1\", as an index of rows", ""},
			{".tsv", index, "warned index-like-column, neighbor-like-weights, self-loops", misread, ""},
			{".csv", strings.ReplaceAll(index, "\t", ","), "warned index-like-column, neighbor-like-weights, self-loops", misread, ""},
			{".tsv", index, "counted ignored-columns", ring, "--columns 2,3"},
		}},
		{"an edge twice", []cell{
			{".tsv", "a\tb\t2\nb\ta\t1\n", "warned duplicates", "a b 3", ""},
			{".csv", "a,b,2\na,b,1\n", "warned duplicates", "a b 3", ""},
			{".jsonl", strings.Repeat(`{"src":"a","dst":"b"}`+"\n", 2), "warned duplicates", "a b 2", ""},
			{".parquet", rowsOf(t, []endRow{{"a", "b"}, {"b", "a"}}), "warned duplicates", "a b 2", ""},
			{".graphml", xmlOf("a b 2", "b a 1"), "warned duplicates", "a b 3", ""},
			{".mtx", mm("symmetric", "2 2 2\n2 1 2\n2 1 1\n"), "refused 1", "entry (1, 2) is given twice", ""},
			{".mtx", mm("symmetric", "2 2 2\n2 1 2\n1 2 2\n"), "refused 1", "entry (1, 2) is above the diagonal", ""},
			{".npz", coo(t, 2, 2, "0 1 2; 1 0 2; 0 1 1; 1 0 1"), "refused 1", "row 0: column 1 is given twice, expected once; in Python: import scipy.sparse; A = scipy.sparse.load_npz(\"", ""},
			{".graph", "2 1\n2 2\n1 1\n", "refused 1", "vertex 1 has the neighbour 2 twice", ""},
		}},
		{"loops", []cell{
			{".tsv", "a\ta\t5\na\tb\t2\n", "warned self-loops", "a b 2", ""},
			{".csv", "a,a\na,b\n", "warned self-loops", "a b 1", ""},
			{".jsonl", `{"src":"a","dst":"a"}` + "\n" + `{"src":"a","dst":"b"}` + "\n", "warned self-loops", "a b 1", ""},
			{".parquet", rowsOf(t, []endRow{{"a", "a"}, {"a", "b"}}), "warned self-loops", "a b 1", ""},
			{".graphml", xmlOf("a a 2", "a b 2"), "warned self-loops", "a b 2", ""},
			{".mtx", mm("symmetric", "2 2 2\n1 1 5\n2 1 2\n"), "warned self-loops", "0 1 2", ""},
			{".npz", coo(t, 2, 2, "0 0 5; 0 1 2; 1 0 2"), "warned self-loops", "0 1 2", ""},
			{".graph", "2 1\n1 2\n1\n", "refused 1", "vertex 1 is its own neighbour, which the format does not", ""},
			{".csr", stored(t, 2, "0 0 5; 0 1 2; 1 0 2"), "warned self-loops", "0 1 2", ""},
		}},
		{"a weight of 0", []cell{
			{".tsv", "a\tb\t2\nb\tc\t0\n", "warned zero-weights", "a b 2; c c 0", ""},
			{".csv", "a,b,2\nb,c,0\n", "warned zero-weights", "a b 2; c c 0", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":2}` + "\n" + `{"src":"b","dst":"c","weight":0}` + "\n", "warned zero-weights", "a b 2; c c 0", ""},
			{".parquet", rowsOf(t, []edgeRow{{"a", "b", 2}, {"b", "c", 0}}), "warned zero-weights", "a b 2; c c 0", ""},
			{".graphml", xmlOf("a b 2", "b c 0"), "warned zero-weights", "a b 2; c c 0", ""},
			{".mtx", mm("symmetric", "3 3 2\n2 1 2\n3 2 0\n"), "warned zero-weights", "0 1 2; 2 2 0", ""},
			{".npz", coo(t, 3, 3, "0 1 2; 1 0 2; 1 2 0; 2 1 0"), "warned zero-weights", "0 1 2; 2 2 0", ""},
			{".graph", "2 1 1\n2 0\n1 0\n", "refused 1", "weight \"0\" of the edge 1\u20132", ""},
			{".csr", stored(t, 3, "0 1 2; 1 0 2; 1 2 0; 2 1 0"), "warned zero-weights", "0 1 2; 2 2 0", ""},
		}},
		{"a weight below 0", []cell{
			{".tsv", "a\tb\t-2\n", "refused 1", "negative", ""},
			{".csv", "a,b,-2\n", "refused 1", "negative", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":-2}` + "\n", "refused 1", "weight \"-2\" is negative", ""},
			{".parquet", rowsOf(t, []edgeRow{{"a", "b", -2}}), "refused 1", "weight \"-2\"", ""},
			{".graphml", xmlOf("a b -2"), "refused 1", "negative", ""},
			{".mtx", mm("symmetric", "2 2 1\n2 1 -2\n"), "refused 1", "row 0: value -2 in column 1", ""},
			{".npz", coo(t, 2, 2, "0 1 -2; 1 0 -2"), "refused 1", "row 0: value -2 in column 1", ""},
			{".graph", "2 1 1\n2 -1\n1 -1\n", "refused 1", "weight \"-1\" of the edge 1\u20132", ""},
			{".csr", stored(t, 2, "0 1 -2; 1 0 -2"), "refused 1", "row 0: value -2 in column 1", ""},
		}},
		{"a weight of nan", []cell{
			{".tsv", "a\tb\tnan\n", "refused 1", "not finite", ""},
			{".csv", "a,b,NaN\n", "refused 1", "not finite", ""},
			{".csv", "a,b,NA\nb,c,2\n", "refused 1", "weight \"NA\" is not a number", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":NaN}` + "\n", "refused 1", "no JSON: invalid character 'N' looking for beginning of", ""},
			{".parquet", rowsOf(t, []edgeRow{{"a", "b", math.NaN()}}), "refused 1", "weight \"NaN\"", ""},
			{".graphml", xmlOf("a b nan"), "refused 1", "weight \"nan\" is not finite", ""},
			{".mtx", mm("symmetric", "2 2 1\n2 1 nan\n"), "refused 1", "value \"nan\" is not finite", ""},
			{".npz", coo(t, 2, 2, "0 1 nan; 1 0 nan"), "refused 1", "array \"data\": element 0: value NaN", ""},
			{".graph", "2 1 1\n2 nan\n1 nan\n", "refused 1", "weight \"nan\" of the edge 1\u20132", ""},
		}},
		{"one id in two columns for two kinds of nodes", []cell{
			{".tsv", "user\titem\n1\t1\n1\t2\n", "warned self-loops, two-kinds", "1 2 1", "--header yes"},
			{".csv", "user,item\n1,1\n1,2\n", "warned self-loops, two-kinds", "1 2 1", "--header yes"},
			{".csv", "userId,movieId,rating\n1,1,5\n1,2,4\n", "warned self-loops, two-kinds, weight-title", "1 2 4", "--header yes"},
			{".csv", "user,item\n1,1\n1,2\n", "right", "L1 R1 1; L1 R2 1", "--header yes --bipartite"},
			{".jsonl", `{"user":1,"item":1}` + "\n" + `{"user":1,"item":2}` + "\n", "refused 2", "--columns is for --edges in an edge list or a Parquet file", "--columns user,item"},
			{".parquet", rowsOf(t, []titled{{1, 1}, {1, 2}}), "warned self-loops, two-kinds", "1 2 1", "--columns user,item"},
			{".parquet", rowsOf(t, []bipartite{{1, 1}, {1, 2}}), "refused 2", "--bipartite is for --edges in text", "--bipartite"},
			{".mtx", mm("general", "2 3 2\n1 1 2\n2 3 1\n"), "refused 1", "shape 2×3", ""},
			{".npz", coo(t, 2, 3, "0 0 2; 1 2 1"), "refused 1", "shape 2×3", ""},
		}},
		{"edges have a direction", []cell{
			{".tsv", "% asym\na\tb\t2\nb\ta\t1\n", "counted konect-header", "a b 1.5", ""},
			{".tsv", "a\tb\t2\nb\ta\t1\n", "right", "a b 1.5", "--directed"},
			{".csv", "Source,Target,Type,Weight\na,b,Directed,2\n", "warned ignored-directions; counted header-lines", "a b 2", ""},
			{".tsv", "Source\tTarget\tType\tWeight\na\tb\tDirected\t2\n", "warned ignored-directions; counted header-lines", "a b 2", ""},
			{".jsonl", `{"src":"a","dst":"b","directed":true}` + "\n", "warned ignored-directions; counted ignored-attributes", "a b 1", ""},
			{".graphml", strings.Replace(xmlOf("a b 2"), "undirected", "directed", 1), "refused 1", "--directed", ""},
			{".mtx", mm("general", "2 2 1\n2 1 2\n"), "refused 1", "--directed", ""},
			{".npz", coo(t, 2, 2, "0 1 2"), "refused 1", "--directed", ""},
			{".graph", "2 1\n2\n\n", "refused 1", "1 ends of edges", ""},
			{".csr", stored(t, 2, "0 1 2"), "refused 1", "--directed", ""},
		}},
		{"ids that are alike: 1 and 1.0", []cell{
			{".tsv", "1\t2\n1.0\t3\n", "warned similar-ids", "1 2 1; 1.0 3 1", ""},
			{".csv", "1,2\n1.0,3\n", "warned similar-ids", "1 2 1; 1.0 3 1", ""},
			{".jsonl", `{"src":1,"dst":2}` + "\n" + `{"src":"1.0","dst":3}` + "\n", "warned similar-ids", "1 2 1; 1.0 3 1", ""},
			{".jsonl", `{"src":1.0,"dst":2}` + "\n", "refused 1", "src \"1.0\"", ""},
			{".parquet", rowsOf(t, []endRow{{"1", "2"}, {"1.0", "3"}}), "warned similar-ids", "1 2 1; 1.0 3 1", ""},
			{".graphml", strings.NewReplacer(`"a"`, `"1"`, `"b"`, `"1.0"`).Replace(xmlOf("a c 2", "b c 1")), "warned similar-ids", "1 c 2; 1.0 c 1", ""},
			{".mtx", mm("symmetric", "3 3 2\n2 1 2\n3 2 1\n"), "warned similar-ids", "1 1.0 2; 1.0 2 1", "--nodes names"},
			{".npz", coo(t, 3, 3, "0 1 2; 1 0 2; 1 2 1; 2 1 1"), "warned similar-ids", "1 1.0 2; 1.0 2 1", "--nodes names"},
			{".graph", "3 2\n2\n1 3\n2\n", "warned similar-ids", "1 1.0 1; 1.0 2 1", "--nodes names"},
			{".csr", stored(t, 2, "0 1 2; 1 0 2", "1", "1.0"), "right", "1 1.0 2", ""},
		}},
		{"ids that are whole numbers with a point", []cell{
			{".tsv", "0.000000000000000000e+00 1.000000000000000000e+00\n1.000000000000000000e+00 2.000000000000000000e+00\n", "warned decimal-ids", "0.000000000000000000e+00 1.000000000000000000e+00 1; 1.000000000000000000e+00 2.000000000000000000e+00 1", ""},
			{".csv", "0.0,1.0\n1.0,2.0\n", "warned decimal-ids", "0.0 1.0 1; 1.0 2.0 1", ""},
			{".tsv", "0.0 1.0 0.5\n1.0 2.0 0.5\n", "warned decimal-ids", "0.0 1.0 0.5; 1.0 2.0 0.5", ""},
		}},
		{"ids with zeros before them", []cell{
			{".tsv", "1\t2\n01\t3\n", "warned similar-ids", "01 3 1; 1 2 1", ""},
			{".tsv", "01\t02\n02\t03\n", "right", "01 02 1; 02 03 1", ""},
			{".csv", "1,2\n+1,3\n", "warned similar-ids", "+1 3 1; 1 2 1", ""},
		}},
		{"ids of two columns, with blanks between", []cell{
			{".tsv", "1 2\t1\n2 3\t1\n", "warned joined-ids", "1 1 2 1; 1 2 3 1", ""},
			{".csv", "1,2 0.5\n2,3 1\n", "warned joined-ids", "1 2 0.5 1; 2 3 1 1", ""},
			{".jsonl", `{"src":"1 2","dst":1}` + "\n", "right", "1 1 2 1", ""},
		}},
		{"ids with blanks around", []cell{
			{".tsv", "1\t2\n 1\t3\n", "right", "1 2 1; 1 3 1", ""},
			{".csv", `1,2` + "\n" + `" 1",3` + "\n", "right", "1 2 1; 1 3 1", ""},
			{".csv", "1, 2\n2,3\n", "right", "1 2 1; 2 3 1", ""},
			{".jsonl", `{"src":"1","dst":2}` + "\n" + `{"src":" 1","dst":3}` + "\n", "right", "1 2 1; 1 3 1", ""},
			{".parquet", rowsOf(t, []endRow{{"1", "2"}, {" 1", "3"}}), "right", "1 2 1; 1 3 1", ""},
			{".graphml", strings.NewReplacer(`id="b"`, `id=" b"`).Replace(xmlOf("a b 2", "b c 1")), "right", "a b 2; b c 1", ""},
		}},
		{"ids in quotes", []cell{
			{".tsv", "\"from\" \"to\"\n\"a\" \"b\"\n", "warned quoted-ids", `"a" "b" 1`, "--header yes"},
			{".tsv", "\"a\"\tb\na\tb\n", "warned quoted-ids", `"a" b 1; a b 1`, ""},
			{".csv", "\"a\",b\na,b\n", "warned duplicates", "a b 2", ""},
			{".csv", "'a',b\na,c\n", "warned similar-ids", "'a' b 1; a c 1", ""},
		}},
		{"a missing id as text", []cell{
			{".tsv", "a\tNA\nb\tNA\n", "warned missing-like-ids", "NA a 1; NA b 1", ""},
			{".csv", "a,nan\nb,nan\n", "warned missing-like-ids", "a nan 1; b nan 1", ""},
			{".csv", "a,\nb,c\n", "refused 1", "empty destination id in column 2", ""},
			{".jsonl", `{"src":"a","dst":"None"}` + "\n", "warned missing-like-ids", "None a 1", ""},
			{".jsonl", `{"src":"a","dst":null}` + "\n", "refused 1", "null", ""},
			{".parquet", rowsOf(t, []endRow{{"a", "nan"}}), "warned missing-like-ids", "a nan 1", ""},
			{".graphml", strings.ReplaceAll(xmlOf("a b 2"), `"b"`, `"nan"`), "warned missing-like-ids", "a nan 2", ""},
		}},
		{"times in the place of weights", []cell{
			{".tsv", "a\tb\t1082040961\nb\tc\t1082040964\n", "warned time-like-weights", "a b 1.082041e+09; b c 1.082041e+09", ""},
			{".tsv", "a\tb\t2013\nb\tc\t2015\n", "warned time-like-weights", "a b 2013; b c 2015", ""},
			{".csv", "a,b,20131231\nb,c,20140101\n", "warned time-like-weights", "a b 2.0131232e+07; b c 2.01401e+07", ""},
			{".csv", "a,b,2013-12-31\nb,c,2014-01-01\n", "refused 1", "--columns 1,2 leaves it out", ""},
		}},
		{"pairs of Python, arrows", []cell{
			{".tsv", "('a', 'b')\n", "refused 1", "are a pair as Python prints it", ""},
			{".csv", "[0,1]\n", "refused 1", "are a pair as Python prints it", ""},
			{".tsv", "1 -> 2\n", "counted ignored-columns", "1 2 1", ""},
			{".tsv", "1 -> 2;\n2 -> 3;\n", "counted ignored-columns, semicolon-lines", "1 2 1; 2 3 1", ""},
		}},
		{"a node whose name is an arrow", []cell{
			{".tsv", "a\t--\t2\na\tb\t1\n", "refused 1", "--header no", ""},
			{".csv", "a,--,2\na,b,1\n", "refused 1", "--header no", ""},
			{".jsonl", `{"src":"a","dst":"--"}` + "\n", "right", "-- a 1", ""},
		}},
		{"lists of neighbours", []cell{
			{".tsv", "0 1 2\n1 2 3\n2 3 0\n3 0 1\n", "warned neighbor-like-weights, zero-weights", "0 1 2; 0 3 1; 1 2 3", ""},
			{".tsv", "a b c\nb c a\nc a b\n", "refused 1", "weight \"c\" is not a number", ""},
			{".tsv", "0 1 2 3\n1 2\n2 3\n3\n", "refused 1", "4 columns", ""},
			{".tsv", "0\t1,2\n1\t0,2\n2\t1\n", "warned joined-ids", "0 1,2 1; 0,2 1 1; 1 2 1", ""},
			{".csv", "0: 1, 2\n1: 0, 2\n", "refused 1", "id \"0: 1\", as before a list of neighbours", ""},
			{".tsv", "0 1 2\n1 3\n2\n3\n", "refused 1", "1 column", ""},
			{".csv", "0,1,2\n1,2,3\n2,3,0\n3,0,1\n", "warned neighbor-like-weights, zero-weights", "0 1 2; 0 3 1; 1 2 3", ""},
		}},
		{"names with control or direction marks", []cell{
			{".tsv", "a\u202e\tb\n", "right", "a\u202e b 1", ""},
			{".tsv", "a\x1b\tb\n", "refused 1", "control", ""},
			{".csv", "a\u009b,b\n", "right", "a\u009b b 1", ""},
			{".jsonl", `{"src":"a\u001b","dst":"b"}` + "\n", "refused 1", "src \"\\\"a\\\\u001b\\\"\"", ""},
			{".jsonl", `{"src":"a\u0000","dst":"b"}` + "\n", "refused 1", "src \"\\\"a\\\\u0000\\\"\"", ""},
			{".jsonl", `{"src":"a\u200f","dst":"b"}` + "\n", "right", "a\u200f b 1", ""},
			{".parquet", rowsOf(t, []endRow{{"a\x07", "b"}}), "refused 1", "damaged Parquet file: column \"src\", row 1: text that is not", ""},
			{".graphml", strings.ReplaceAll(xmlOf("a b 2"), `"a"`, `"a&#x85;"`), "right", "a\u0085 b 2", ""},
			{".graphml", strings.ReplaceAll(xmlOf("a b 2"), `"a"`, `"a&#xA;x"`), "refused 1", "id \"a\\nx\"", ""},
		}},
		{"the mark of UTF-8 at the start", []cell{
			{".tsv", "\ufeffa\tb\na\tc\n", "right", "a b 1; a c 1", ""},
			{".csv", "\ufeffa,b\na,c\n", "right", "a b 1; a c 1", ""},
			{".csv", "\ufeff" + `"a",b` + "\na,c\n", "right", "a b 1; a c 1", ""},
			{".jsonl", "\ufeff" + `{"src":"a","dst":"b"}` + "\n", "right", "a b 1", ""},
			{".graphml", "\ufeff" + xmlOf("a b 2"), "right", "a b 2", ""},
			{".mtx", "\ufeff" + mm("symmetric", "2 2 1\n2 1 2\n"), "right", "0 1 2", ""},
			{".graph", "\ufeff2 1\n2\n1\n", "right", "0 1 1", ""},
		}},
		{"blank lines, ends of lines of other systems", []cell{
			{".tsv", "a\tb\r\n\r\na\tc\r\n", "counted blank-lines", "a b 1; a c 1", ""},
			{".tsv", "a\tb\ra\tc\r", "refused 1", "control byte 0x0d", ""},
			{".csv", "a,b\n\na,c", "counted blank-lines", "a b 1; a c 1", ""},
			{".csv", "a,b\n,\na,c\n", "refused 1", "empty source id in column 1", ""},
			{".jsonl", `{"src":"a","dst":"b"}` + "\r\n\r\n", "counted blank-lines", "a b 1", ""},
			{".mtx", mm("symmetric", "2 2 1\r\n\r\n2 1 2\r\n"), "right", "0 1 2", ""},
			{".graph", "2 1\r\n2\r\n1\r\n\r\n", "right", "0 1 1", ""},
		}},
		{"a decimal comma", []cell{
			{".tsv", "a\tb\t0,5\n", "refused 1", "weight \"0,5\" is not a decimal number", ""},
			{".csv", "a;b;0,5\nb;c;1,5\n", "refused 1", "weight \"0,5\" is not a decimal number", ""},
			{".csv", "a,b,0,5\nb,c,1,5\n", "refused 1", "4 columns", ""},
			{".csv", "a,b,\"0,5\"\n", "refused 1", "weight \"0,5\" is not a decimal number", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":"0,5"}` + "\n", "refused 1", "weight \"\\\"0,5\\\"\"", ""},
			{".mtx", mm("symmetric", "2 2 1\n2 1 0,5\n"), "refused 1", "value \"0,5\" is not in decimal form", ""},
			{".graphml", xmlOf("a b 0,5"), "refused 1", "weight \"0,5\" is not a decimal number", ""},
		}},
		{"a key or column twice", []cell{
			{".jsonl", `{"src":"a","dst":"b","src":"c"}` + "\n", "refused 1", "src stands there twice", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":1,"Weight":2}` + "\n", "refused 1", "weight stands there twice", ""},
			{".jsonl", `{"src":"a","dst":"b","source":"c","target":"d"}` + "\n", "counted ignored-attributes", "a b 1", ""},
			{".csv", "src,dst,src\na,b,c\n", "refused 1", "weight \"src\" is not a number", ""},
			{".csv", "source,target,from,to\na,b,c,d\n", "counted header-lines, ignored-columns", "a b 1", ""},
			{".csv", "src,dst,weight,Weight\na,b,1,2\n", "counted header-lines, ignored-columns", "a b 1", ""},
		}},
		{"weights that are text", []cell{
			{".tsv", "a\tb\t1e3\nb\tc\t1_000\n", "refused 1", "weight \"1_000\" is not a decimal number", ""},
			{".csv", "a,b,\"1,000\"\n", "refused 1", "weight \"1,000\" is not a decimal number", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":"2"}` + "\n", "refused 1", "weight \"\\\"2\\\"\"", ""},
			{".jsonl", `{"src":"a","dst":"b","weight":true}` + "\n", "refused 1", "weight \"true\"", ""},
			{".csv", "a,b,true\n", "refused 1", "weight \"true\" is not a number", ""},
		}},
	}
	const named, rows = "a b 2; b c 15", "0 1 2; 1 2 15"
	const matrix = "0 1 2; 1 0 2; 1 2 15; 2 1 15"
	r.kinds = append(r.kinds, wholeFiles(t, []wholeFile{
		{".tsv", "a\tb\t2\nb\tc\t15\n", "right", named, "no edges", "counted default-weights", "a b 2; b c 1"},
		{".csv", "a,b,2\nb,c,15\n", "right", named, "no edges", "refused 1", `weight "" is missing`},
		{".jsonl", `{"src":"a","dst":"b","weight":2}` + "\n" + `{"src":"b","dst":"c","weight":15}` + "\n", "right", named, "no edges", "refused 1", "the object does not end"},
		{".parquet", rowsOf(t, []edgeRow{{"a", "b", 2}, {"b", "c", 15}}), "right", named, "expected a Parquet file", "refused 1", "the file is cut"},
		{".graphml", xmlOf("a b 2", "b c 15"), "right", named, "no graph", "refused 1", "unexpected EOF"},
		{".mtx", mm("symmetric", "3 3 2\n2 1 2\n3 2 15\n"), "right", rows, "empty", "refused 1", "2 fields, expected 3"},
		{".npz", coo(t, 3, 3, matrix), "right", rows, "not a .npz archive", "refused 1", "not a .npz archive"},
		{".graph", "3 2 1\n2 2\n1 2 3 15\n2 15\n", "right", rows, "empty", "refused 1", "has no weight"},
		{".csr", stored(t, 3, matrix), "right", rows, "0 bytes", "refused 1", "317 bytes, expected 320"},
	})...)
	return r
}
