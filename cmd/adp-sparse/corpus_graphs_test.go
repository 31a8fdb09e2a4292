//go:build unix

package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	meta "github.com/parquet-go/parquet-go/format"

	"github.com/adp-sparse/adp-sparse/csr/edgeparquet"
	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// table makes a graph of edges in a Parquet file.
func table(content string, more ...string) given {
	args := append([]string{"convert --out out.tsv --edges x.parquet"}, more...)
	return given{args: strings.Join(args, " "), files: map[string]string{"x.parquet": content}}
}

// graphML is a graph of two nodes and these elements.
func graphML(elements string) string {
	return `<graphml><key id="w" for="edge" attr.name="weight"/><graph edgedefault="undirected"><node id="a"/><node id="b"/>` + "\n" + elements + "</graph></graphml>"
}

// metisCases are METIS graphs with faults.
func metisCases(t *testing.T) []trouble {
	return []trouble{
		{"metis: empty", matrix("x.graph", ""), 1, "x.graph: empty, expected a line of vertices, edges and format"},
		{"metis: nothing but comments", matrix("x.graph", "% a\n%\n"), 1, "x.graph:2: empty"},
		{"metis: a header of one number", matrix("x.graph", "% c\n2\n2\n1\n"), 1, "x.graph:2: 1 numbers in the header, expected 2 to 4"},
		{"metis: a header of five numbers", matrix("x.graph", "2 1 0 1 1\n2\n1\n"), 1, "x.graph:1: 5 numbers in the header"},
		{"metis: words in the header", matrix("x.graph", "two 1\n2\n1\n"), 1, `x.graph:1: "two" in the header, expected a whole number`},
		{"metis: a negative number of edges", matrix("x.graph", "2 -1\n2\n1\n"), 1, `x.graph:1: "-1" in the header`},
		{"metis: more vertices than can be", matrix("x.graph", "5000000000 1\n2\n1\n"), 1, "x.graph:1: 5000000000 vertices, expected at most 4294967295"},
		{"metis: past uint64", matrix("x.graph", "99999999999999999999 1\n2\n1\n"), 1, "x.graph:1: "},
		{"metis: more edges than pairs", matrix("x.graph", "2 2\n2\n1\n"), 1, "x.graph:1: 2 edges between 2 vertices, expected at most one a pair"},
		{"metis: four billion vertices, none there", matrix("x.graph", "4294967295 0\n"), 1, "ends after the lines of 0 vertices, expected the 4294967295"},
		{"metis: 10^18 edges, one there", matrix("x.graph", "4000000000 1000000000000000000\n2\n1\n"), 1, "ends after the lines of 2 vertices"},
		{"metis: bomb of blank lines", matrix("x.graph.gz", packedFrom(t, ".gz", repeated("\n", 1<<20))), 1, "x.graph.gz:1048576: empty"},
		{"metis: an unknown format", matrix("x.graph", "2 1 2\n2\n1\n"), 1, `x.graph:1: format "2", expected digits 0 or 1`},
		{"metis: a format of four digits", matrix("x.graph", "2 1 0001\n2\n1\n"), 1, `x.graph:1: format "0001", expected up to three digits`},
		{"metis: weights of vertices without their format", matrix("x.graph", "2 1 001 1\n2 1\n1 1\n"), 1, `x.graph:1: "1" weights of a vertex with the format "001"`},
		{"metis: a billion weights of a vertex", matrix("x.graph", "2 1 010 1000000000\n2\n1\n"), 1, `x.graph:1: "1000000000" weights of a vertex`},
		{"metis: a line is missing", matrix("x.graph", "3 1\n2\n1\n"), 1, "ends after the lines of 2 vertices, expected the 3"},
		{"metis: a line too many", matrix("x.graph", "2 1\n2\n1\n1\n"), 1, "x.graph:4: a line after that of vertex 2, the last"},
		{"metis: fewer edges", matrix("x.graph", "3 2\n2\n1\n\n"), 1, "2 ends of edges, expected 4 for the 2 edges"},
		{"metis: more edges", matrix("x.graph", "3 1\n2 3\n1\n1\n"), 1, "4 ends of edges, expected 2 for the 1 edges"},
		{"metis: vertex 0", matrix("x.graph", "2 1\n1\n0\n"), 1, "x.graph:2: vertex 1 is its own neighbour"},
		{"metis: counted from 0", matrix("x.graph", "3 2\n1\n0 2\n1\n"), 1, "x.graph:2: vertex 1 is its own neighbour, which the format does not have; vertices count from 1"},
		{"metis: a neighbour 0", matrix("x.graph", "2 1\n2\n0\n"), 1, `x.graph:3: neighbour "0" of vertex 2, expected a whole number from 1 to 2`},
		{"metis: a neighbour past the last", matrix("x.graph", "2 1\n3\n1\n"), 1, `x.graph:2: neighbour "3" of vertex 1, expected a whole number from 1 to 2`},
		{"metis: a neighbour that is a name", matrix("x.graph", "2 1\nb\n1\n"), 1, `x.graph:2: neighbour "b" of vertex 1`},
		{"metis: a neighbour given twice", matrix("x.graph", "2 1\n2 2\n1\n"), 1, "x.graph:2: vertex 1 has the neighbour 2 twice"},
		{"metis: an edge at one end", matrix("x.graph", "3 1\n2 3\n\n\n"), 1, "x.graph: row 0: value 1 in column 1 but 0 in the mirrored place"},
		{"metis: two weights of an edge", matrix("x.graph", "2 1 1\n2 3\n1 4\n"), 1, "x.graph: row 0: value 3 in column 1 but 4 in the mirrored place"},
		{"metis: a weight is missing", matrix("x.graph", "2 1 1\n2\n1 4\n"), 1, `x.graph:2: the last neighbour "2" of vertex 1 has no weight`},
		{"metis: weight 0", matrix("x.graph", "2 1 1\n2 0\n1 0\n"), 1, `x.graph:2: weight "0" of the edge 1–2, expected a decimal number above 0`},
		{"metis: a negative weight", matrix("x.graph", "2 1 1\n2 -3\n1 -3\n"), 1, `x.graph:2: weight "-3" of the edge 1–2`},
		{"metis: a weight that is not a number", matrix("x.graph", "2 1 1\n2 nan\n1 nan\n"), 1, `x.graph:2: weight "nan" of the edge 1–2`},
		{"metis: a weight past float32", matrix("x.graph", "2 1 1\n2 1e39\n1 1e39\n"), 1, `x.graph:2: weight "1e39" of the edge 1–2`},
		{"metis: sizes are missing", matrix("x.graph", "2 1 110\n1 1 2\n1\n"), 1, "x.graph:3: 1 numbers, expected the size and weights of vertex 2 first: 2 numbers"},
		{"metis: a size that is a fraction", matrix("x.graph", "2 1 100\n1.5 2\n1 1\n"), 1, `x.graph:2: size or weight "1.5" of vertex 1`},
		{"metis: no vertices", matrix("x.graph", "0 0\n"), 1, "x.graph: no rows, expected at least one node"},
		{"metis: the content is another format", matrix("x.graph", graphML("")), 1, "x.graph: the content is a GraphML (XML) file, the ending that of a METIS graph"},
		{"metis: fractions are not written", given{args: "convert --edges g --out out.graph", files: map[string]string{"g": "0 1 0.5\n"}}, 2, "the weight of 0–1 is 0.5, expected a whole number from 1 to 16777216"},
		{"metis: names are not written", command("convert --edges g --out out.graph"), 2, `--out out.graph: the format has no names, and row 0 is node "a"`},
		{"metis: a learned graph is not written", command(onPath + " --graph-out out.graph"), 2, "--graph-out out.graph: METIS graphs have whole weights, and these are fractions"},
		{"metis: accepted: blank lines and CR", matrix("x.graph", "\r\n%c\r\n3 1\r\n3\r\n\r\n1\r\n\r\n"), 0, "0\t2\t1"},
	}
}

// graphMLCases are GraphML files with faults; graphml's own test has more.
func graphMLCases(t *testing.T) []trouble {
	deep := strings.Repeat("<data>", 1<<14)
	laughs := `<!DOCTYPE g [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>`
	return []trouble{
		{"graphml: empty", matrix("x.graphml", ""), 1, "x.graphml: no graph, expected an element graphml"},
		{"graphml: text", matrix("x.graphml", "a b 1\n"), 1, "x.graphml: no graph"},
		{"graphml: another XML", matrix("x.graphml", "<svg/>"), 1, `x.graphml:1: element "svg", expected graphml`},
		{"graphml: no edges", matrix("x.graphml", graphML("")), 1, "x.graphml: no edges, expected at least one"},
		{"graphml: cut", matrix("x.graphml", graphML(`<edge source="a" target="b"/>`)[:150]), 1, "x.graphml:2: unexpected EOF, expected well-formed XML"},
		{"graphml: two open elements", matrix("x.graphml", graphML(`<edge source="a" target="b">`)), 1, "x.graphml:2: element <edge> closed by </graph>"},
		{"graphml: a node that is not there", matrix("x.graphml", graphML(`<edge source="a" target="c"/>`)), 1, `x.graphml:2: an edge names node "c", which the file does not have`},
		{"graphml: a node without an id", matrix("x.graphml", graphML(`<node/>`)), 1, "x.graphml:2: node without the attribute id"},
		{"graphml: a negative weight", matrix("x.graphml", graphML(`<edge source="a" target="b"><data key="w">-1</data></edge>`)), 1, `x.graphml:2: weight "-1" is negative`},
		{"graphml: a weight that is no number", matrix("x.graphml", graphML(`<edge source="a" target="b"><data key="w">`+"\x00"+`</data></edge>`)), 1, "x.graphml:2: illegal character code U+0000"},
		{"graphml: weight inf", matrix("x.graphml", graphML(`<edge source="a" target="b"><data key="w">inf</data></edge>`)), 1, `x.graphml:2: weight "inf" is not finite`},
		{"graphml: a weight past float64", matrix("x.graphml", graphML(`<edge source="a" target="b"><data key="w">1e999</data></edge>`)), 1, `x.graphml:2: weight "1e999" is out of the range`},
		{"graphml: a key that is not there", matrix("x.graphml", graphML(`<edge source="a" target="b"/>`), "--weight-key length"), 1, `x.graphml:1: no key of edges is called "length"`},
		{"graphml: directed", matrix("x.graphml", strings.Replace(graphML(`<edge source="a" target="b"/>`), "undirected", "directed", 1)), 1, "x.graphml:1: edges are directed, expected undirected ones; --directed"},
		{"graphml: an edge given twice", matrix("x.graphml", graphML(`<edge source="a" target="b"/>`+"\n"+`<edge source="b" target="a"/>`), "--duplicates error"), 1, `x.graphml:3: edge "a" – "b" was given on line 2 already`},
		{"graphml: Latin-1", matrix("x.graphml", `<?xml version="1.0" encoding="iso-8859-1"?>`+graphML("")), 1, `x.graphml:1: encoding "iso-8859-1", expected UTF-8`},
		{"graphml: not UTF-8", matrix("x.graphml", graphML("<node id='\xff'/>")), 1, "x.graphml:2: invalid UTF-8"},
		{"graphml: bomb of entities", matrix("x.graphml", laughs+graphML("<node id='&c;'/>")), 1, "x.graphml:1: a document type that declares entities, expected none"},
		{"graphml: an entity of a file", matrix("x.graphml", `<!DOCTYPE g SYSTEM "file:///etc/passwd">`+graphML("<node id='&x;'/>")), 1, "x.graphml:2: invalid character entity &x;"},
		{"graphml: bomb of nesting", matrix("x.graphml", graphML(deep)), 1, "x.graphml:2: elements are nested more than 32 deep"},
		{"graphml: bomb of a name", matrix("x.graphml.gz", packedFrom(t, ".gz", io.MultiReader(strings.NewReader("<graphml>\n<node id='"), repeated("a", 64<<20)))), 1, "x.graphml.gz:2: an element longer than 1048576 bytes"},
		{"graphml: bomb of a comment", matrix("x.graphml.zst", packedFrom(t, ".zst", io.MultiReader(strings.NewReader("<graphml><!--"), repeated("a", 64<<20)))), 1, "x.graphml.zst:1: an element longer than 1048576 bytes"},
		{"graphml: bomb of attributes", matrix("x.graphml", graphML("<node "+strings.Repeat("a='' ", 1<<19))), 1, "x.graphml:2: an element longer than 1048576 bytes"},
		{"graphml: the content is another format", matrix("x.graphml", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"), 1, "x.graphml: the content is a Matrix Market file, the ending that of a GraphML (XML) file"},
		{"graphml: by --edges", edges(graphML("")), 2, `--edges "g" is a GraphML (XML) file, which is read by --graph`},
		{"graphml: written", command("convert --edges g --out out.graphml"), 2, "--out out.graphml: GraphML is read and not written"},
		{"graphml: a key for text", command("convert --edges g --weight-key w --out out.tsv"), 2, "--weight-key is for --graph in a GraphML file"},
		{"graphml: accepted: no-break spaces, and blanks", matrix("x.graphml", graphML("<node id='a\u00a0'/><node id=' b\u00a0\n'/><edge source='a' target='b\u00a0 '><data key='w'>\n 2\n</data></edge><edge source='b' target='a\u00a0'/>")), 0, "a\tb\u00a0\t2\na\u00a0\tb\t1"},
		{"graphml: accepted: by its content", given{args: "convert --graph x --out out.tsv", files: map[string]string{"x": "\n<graphml>" + graphML(`<edge source="a" target="b"><data key="w">2</data></edge>`)[9:]}}, 0, "a\tb\t2"},
	}
}

// parquetCases are edges in Parquet files with faults; the mutants and the
// fuzzer of edgeparquet have more.
func parquetCases(t *testing.T) []trouble {
	var b bytes.Buffer
	must(t, edgeparquet.Write(&b, oneEdge(t), ids.Sequence(2)))
	one := b.String()
	golden := func(name string) string {
		text, err := os.ReadFile("../../csr/edgeparquet/testdata/" + name + ".parquet")
		must(t, err)
		return string(text)
	}
	column := func(change func(*meta.ColumnMetaData)) string {
		return refooted(t, one, func(m *meta.FileMetaData) { change(&m.RowGroups[0].Columns[0].MetaData) })
	}
	titled := func(title string) string {
		return refooted(t, golden("gzip-v2"), func(m *meta.FileMetaData) { m.Schema[2].Name = title })
	}
	lie := len(one) - 8
	return []trouble{
		{"parquet: empty", table(""), 1, "x.parquet: 0 bytes, expected a Parquet file"},
		{"parquet: nothing but magic", table("PAR1PAR1"), 1, "x.parquet: 8 bytes, expected a Parquet file"},
		{"parquet: text", table("src,dst\n1,2\n2,3\n"), 1, `x.parquet: starts with "src,", expected PAR1`},
		{"parquet: cut", table(one[:len(one)-1]), 1, "expected PAR1: the file is cut or not complete"},
		{"parquet: cut in half", table(one[:len(one)/2]), 1, "expected PAR1: the file is cut or not complete"},
		{"parquet: the middle is missing", table(one[:20] + one[len(one)-20:]), 1, "x.parquet: a footer of "},
		{"parquet: encrypted", table("PARE" + one[4:]), 1, "x.parquet: an encrypted Parquet file, expected a plain one"},
		{"parquet: a footer of 4 GB", table(one[:lie] + "\xff\xff\xff\xff" + one[lie+4:]), 1, "x.parquet: a footer of 4294967295 bytes"},
		{"parquet: a footer of no bytes", table(one[:lie] + "\x00\x00\x00\x00" + one[lie+4:]), 1, "x.parquet: damaged Parquet file"},
		{"parquet: a list of 2^31 items", table("PAR1" + footer("\x15\x04\x19\xfc\xff\xff\xff\xff\x07")), 1, "damaged Parquet file: footer: a list with more items than bytes follow"},
		{"parquet: text of 2^40 bytes", table("PAR1" + footer("\x15\x04\x38\x80\x80\x80\x80\x80\x20")), 1, "damaged Parquet file: footer: a structure that goes past its end"},
		{"parquet: bomb of nesting", table("PAR1" + footer(strings.Repeat("\x1c", 1<<16))), 1, "damaged Parquet file: footer: structures nested too deeply"},
		{"parquet: 10^12 rows", table(refooted(t, one, func(m *meta.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = 1e12, 1e12 })), 4, "x.parquet has 1000000000000 edges, which need 3.6e+04 GB"},
		{"parquet: 10^6 rows of one", table(refooted(t, one, func(m *meta.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = 1e6, 1e6 })), 1, "1 values for 1000000 rows"},
		{"parquet: negative rows", table(refooted(t, one, func(m *meta.FileMetaData) { m.RowGroups[0].NumRows = -1 })), 1, "x.parquet: damaged Parquet file: "},
		{"parquet: fewer rows in its groups", table(refooted(t, one, func(m *meta.FileMetaData) { m.NumRows = 2 })), 1, "row groups of 1 rows, the file says 2"},
		{"parquet: 10^6 values of one", table(column(func(c *meta.ColumnMetaData) { c.NumValues = 1e6 })), 1, "1000000 values for 1 rows"},
		{"parquet: pages past the end", table(column(func(c *meta.ColumnMetaData) { c.DataPageOffset += 1 << 20 })), 1, "x.parquet: damaged Parquet file: "},
		{"parquet: pages of 2^60 bytes", table(column(func(c *meta.ColumnMetaData) { c.TotalCompressedSize = 1 << 60 })), 1, "1152921504606846976 bytes long, expected within"},
		{"parquet: pages of a negative length", table(column(func(c *meta.ColumnMetaData) { c.TotalCompressedSize = -5 })), 1, "-5 bytes long, expected within"},
		{"parquet: pages elsewhere", table(column(func(c *meta.ColumnMetaData) { c.DataPageOffset, c.DictionaryPageOffset = 9, 0 })), 1, "x.parquet: damaged Parquet file: column "},
		{"parquet: compressed by brotli", table(golden("nested"), "--columns src,dst"), 1, "x.parquet: pages compressed by BROTLI, expected snappy, gzip, zstd or nothing"},
		{"parquet: a date", table(golden("nested"), "--columns src,day"), 1, `x.parquet: column "day" is of type DATE, expected numbers or text`},
		{"parquet: a nested column", table(golden("nested"), "--columns src,dst,weight"), 1, `x.parquet: no column named "weight", expected one of`},
		{"parquet: no weight in a row", table(golden("null")), 1, `x.parquet:1: weight "null", expected a number of at least 0`},
		{"parquet: weights as ids", table(golden("names"), "--columns weight,src"), 1, `x.parquet:1: weight "0.5", expected a whole number or text`},
		{"parquet: accepted: columns by number", table(one, "--columns 1,2,3"), 0, ""},
		{"parquet: an unknown column", table(one, "--columns src,till"), 1, `x.parquet: no column named "till", expected one of "src", "dst", "weight"`},
		{"parquet: no known columns", table(refooted(t, one, func(m *meta.FileMetaData) { m.Schema[1].Name = "s" })), 1, "--columns names others"},
		{"parquet: one column", table(one, "--columns src"), 2, "--columns has 1 names, expected 2 or 3"},
		{"parquet: a header", table(one, "--header yes"), 2, "--header is for text; x.parquet is a Parquet file, whose columns have names"},
		{"parquet: columns of text", given{args: "convert --edges g --columns a,x --out out.tsv"}, 1, `g:1: no column named "x" in the first line, expected one of "a", "b", or a number from 1 to 2`},
		{"parquet: features, with names among them", vectors("x.parquet", golden("names")), 1, `x.parquet:1: column 1: "a" is not in decimal form, expected a decimal number; if the column names the points, say --id-column "src"`},
		{"parquet: features in a nested column", vectors("x.parquet", golden("nested")), 1, "x.parquet: column … is nested, expected a number in each row"},
		{"parquet: features, cut", vectors("x.parquet", one[:len(one)/2]), 1, "expected PAR1: the file is cut or not complete"},
		{"parquet: features, an unknown column", vectors("x.parquet", one, "--feature-columns src,till"), 1, `x.parquet: no column named "till", expected one of "src", "dst", "weight"`},
		{"parquet: features, two columns of one name", vectors("x.parquet", refooted(t, one, func(m *meta.FileMetaData) { m.Schema[2].Name = m.Schema[1].Name })), 1, `x.parquet: two columns are called "src", expected one`},
		{"parquet: features, a title of two lines", vectors("x.parquet", titled("a\nb")), 1, `x.parquet: the title of column 2 is "a\nb", expected UTF-8 without control characters`},
		{"parquet: features, a title that is not UTF-8", vectors("x.parquet", titled("\xff")), 1, `x.parquet: the title of column 2 is "\xff", expected UTF-8`},
		{"parquet: features, a title of control characters, left out", vectors("x.parquet", titled("\x01"), "--drop-columns 2"), 1, `x.parquet: the title of column 2 is "\x01", expected UTF-8`},
		{"parquet: features, a nested title that is not UTF-8", vectors("x.parquet", refooted(t, golden("nested"), func(m *meta.FileMetaData) {
			for k := range m.Schema {
				if m.Schema[k].NumChildren.V > 0 && k > 0 {
					m.Schema[k].Name = "\xff"
				}
			}
		})), 1, `x.parquet: a nested column has the title "\xff", expected UTF-8`},
		{"parquet: accepted: features, a title with a tab", vectors("x.parquet", titled("a\tb")), 0, "300 points"},
		{"parquet: features and an array", vectors("x.parquet", one, "--array a"), 2, "--array is for a .npz file; x.parquet is a Parquet file"},
		{"parquet: features, text by their format", vectors("x", "a b\n", "--format parquet"), 1, "x: 4 bytes, expected a Parquet file"},
		{"parquet: features, runs of 2^33 truths in a page of 8", vectors("x.parquet", inRuns(t, meta.Boolean)), 1, `x.parquet: damaged Parquet file: column "x", row group 0: page at byte 25: a run of 2147483647 values in a page of 8`},
		{"parquet: features, numbers written as runs", vectors("x.parquet", inRuns(t, meta.Int32)), 1, `x.parquet: damaged Parquet file: column "x", row group 0: page at byte 25: INT32 values written as RLE, expected one of [PLAIN PLAIN_DICTIONARY`},
		{"parquet: accepted: features", vectors("x.parquet", golden("gzip-v2")), 0, "300 points of 3 dimensions"},
		{"parquet: accepted: an end twice is a loop", table(golden("gzip-v2"), "--columns from,from,w"), 0, "self-loops dropped"},
		{"parquet: by --graph", given{args: "convert --graph x.parquet --out out.tsv", files: map[string]string{"x.parquet": one}}, 2, `--graph "x.parquet" is a Parquet file, which is read by --edges`},
		{"parquet: the content is another format", table("PK\x03\x04\x14\x00"), 1, "x.parquet: the content is a .npz (zip) archive, the ending that of a Parquet file"},
		{"parquet: bomb when decompressed", given{args: "convert --edges x.parquet.zst --out out.tsv", files: map[string]string{"x.parquet.zst": packedFrom(t, ".zst", repeated("\x00", 192<<20))}}, 1, "x.parquet.zst: not a Parquet file"},
		{"parquet: accepted: compressed as a whole", given{args: "convert --edges x.parquet.gz --out out.tsv", files: map[string]string{"x.parquet.gz": packed(t, ".gz", one)}}, 0, "0\t1\t1"},
		{"parquet: accepted: by its content", edges(golden("names")), 1, `node "d" is not in the graph`},
	}
}

// footer is a Parquet file's end.
func footer(metadata string) string {
	return metadata + string(binary.LittleEndian.AppendUint32(nil, uint32(len(metadata)))) + "PAR1"
}

// inRuns is a table of one column of 8 rows, whose page says 2^33.
func inRuns(t *testing.T, of meta.Type) string {
	body := "\x18\x00\x00\x00" + strings.Repeat("\xfe\xff\xff\xff\x0f\x00", 4)
	head, err := thrift.Marshal(new(thrift.CompactProtocol), &meta.PageHeader{
		UncompressedPageSize: int32(len(body)), CompressedPageSize: int32(len(body)),
		DataPageHeader: thrift.New(meta.DataPageHeader{NumValues: 8, Encoding: meta.RLE, DefinitionLevelEncoding: meta.RLE, RepetitionLevelEncoding: meta.RLE}),
	})
	must(t, err)
	column := meta.ColumnMetaData{Type: of, Encoding: []meta.Encoding{meta.RLE}, PathInSchema: []string{"x"}, NumValues: 8, DataPageOffset: 4, TotalCompressedSize: int64(len(head) + len(body))}
	text, err := thrift.Marshal(new(thrift.CompactProtocol), &meta.FileMetaData{
		Schema: []meta.SchemaElement{
			{Name: "table", NumChildren: thrift.New(int32(1))},
			{Name: "x", Type: thrift.New(of), RepetitionType: thrift.New(meta.Required)},
		},
		NumRows: 8, RowGroups: []meta.RowGroup{{Columns: []meta.ColumnChunk{{MetaData: column}}, NumRows: 8}},
	})
	must(t, err)
	return "PAR1" + string(head) + body + footer(string(text))
}

// refooted returns a Parquet file with another footer.
func refooted(t *testing.T, file string, change func(*meta.FileMetaData)) string {
	at := len(file) - 8 - int(binary.LittleEndian.Uint32([]byte(file[len(file)-8:])))
	m := &meta.FileMetaData{}
	must(t, thrift.Unmarshal(new(thrift.CompactProtocol), []byte(file[at:len(file)-8]), m))
	change(m)
	text, err := thrift.Marshal(new(thrift.CompactProtocol), m)
	must(t, err)
	return file[:at] + footer(string(text))
}
