//go:build unix

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	meta "github.com/parquet-go/parquet-go/format"
)

// csvLabels runs with the labels of a csv file.
func csvLabels(text string, more ...string) given {
	return given{args: "run --edges g --labels s.csv --out out --topk 2 --label-column kind", files: map[string]string{"s.csv": text}}.with(more...)
}

// ownLabels makes a graph of the features of a csv file, without its labels.
func ownLabels(text string, more ...string) given {
	return given{args: "run --features x.csv --k 1 --method lgc --labels x.csv --out out --label-column kind", files: map[string]string{"x.csv": text}}.with(more...)
}

const kinds = "id,kind\na,x\nd,y\n"

// columnCases are labels in columns of csv files.
func columnCases(t *testing.T) []trouble {
	long := strings.Repeat("x", 1<<20)
	return []trouble{
		{"columns: empty", csvLabels(""), 1, "s.csv:1: empty, expected a line with the names of columns"},
		{"columns: nothing but a mark", csvLabels("\ufeff"), 1, "s.csv:1: empty, expected a line with the names of columns"},
		{"columns: nothing but blank lines", csvLabels("\n\r\n\n"), 1, "s.csv:1: empty, expected a line with the names of columns"},
		{"columns: nothing but a header", csvLabels("id,kind\n"), 1, "s.csv: no labels of nodes of the graph, expected rows with an id and a label"},
		{"columns: no label in any row", csvLabels("id,kind\na,\nd, \n"), 1, "s.csv: no labels of nodes of the graph"},
		{"columns: a no-break space is a letter", csvLabels("id,kind\na\u00a0,x\n"), 1, `s.csv:2: node "a\u00a0" is not in the graph`},
		{"columns: accepted: no-break spaces, and blanks", csvLabels("id, kind \n a , x\u00a0 \nd,y\n"), 0, "a\tx\u00a0\t"},
		{"columns: another name", csvLabels("id,sort\na,x\n"), 1, `s.csv:1: no column named "kind" in the first line, expected one of "id", "sort", or a number from 1 to 2`},
		{"columns: another case", csvLabels("id,Kind\na,x\n"), 1, `no column named "kind" in the first line, expected one of "id", "Kind"`},
		{"columns: two hundred of other names", csvLabels(strings.Repeat("column,", 200) + "id\na\n"), 1, `no column named "kind" in the first line, expected one of "column", `},
		{"columns: a control character in a name", csvLabels("id,\x1b[31mkind\na,x\n"), 1, `expected one of "id", "\x1b[31mkind"`},
		{"columns: no header", csvLabels("a,x\nd,y\n"), 1, `s.csv:1: no column named "kind" in the first line, expected one of "a", "x"`},
		{"columns: blanks between columns", csvLabels("id kind\na x\nd y\n"), 1, `s.csv:1: no column named "kind" in the first line, expected one of "id kind", or a number from 1 to 1; blanks separate no columns here: write the file with commas (R: write.csv; pandas: to_csv)`},
		{"columns: blanks between columns in quotes, as R has them", csvLabels("\"\" \"id\" \"kind\"\n\"1\" \"a\" \"x\"\n"), 1, `s.csv:1: extraneous or missing " in quoted-field, expected fields that are quoted as in RFC 4180; blanks separate no columns here: write the file with commas (R: write.csv`},
		{"own labels: two of one name that are no features", ownLabels("p,p,kind\n1,2,x\n3,4,y\n7,6,\n", "--drop-columns p"), 1, `x.csv:1: two columns are named "p"; say its number`},
		{"own labels: two of one name that are features", ownLabels("p,p,kind\n1,2,x\n3,4,y\n7,6,\n", "--feature-columns p"), 1, `x.csv:1: two columns are named "p"; say its number`},
		{"own labels: two of one name that name the points", ownLabels("p,p,q,kind\n1,2,5,x\n3,4,6,y\n7,6,8,\n", "--id-column p"), 1, `x.csv:1: two columns are named "p"; say its number`},
		{"own labels: accepted: two of one name that are no features, by number", ownLabels("p,p,q,kind\n1,2,5,x\n3,4,6,y\n7,6,8,\n", "--drop-columns 1,2"), 0, "3 points of 1 dimensions"},
		{"columns: UTF-16", csvLabels("\xff\xfei\x00d\x00,\x00k\x00\n\x00"), 1, `s.csv: text in UTF-16, which is not read; in a shell: iconv -f UTF-16 -t UTF-8 "s.csv" > OUT`},
		{"columns: lines that end by CR alone", csvLabels("id,kind\ra,x\rd,y\r"), 1, `no column named "kind" in the first line, expected one of "id", "kind\ra"`},
		{"columns: two of one name", csvLabels("id,kind,kind\na,x,y\n"), 1, `s.csv:1: two columns are named "kind"; say its number`},
		{"columns: a number past the last", csvLabels(kinds, "--label-column 3"), 1, `s.csv:1: no column named "3" in the first line`},
		{"columns: number 0", csvLabels(kinds, "--label-column 0"), 1, `s.csv:1: no column named "0" in the first line`},
		{"columns: a negative number", csvLabels(kinds, "--label-column=-1"), 1, `s.csv:1: no column named "-1" in the first line`},
		{"columns: a number past int64", csvLabels(kinds, "--label-column 99999999999999999999"), 1, `s.csv:1: no column named "99999999999999999999"`},
		{"columns: ids by another name", csvLabels(kinds, "--label-id node"), 1, `s.csv:1: no column named "node" in the first line`},
		{"columns: weights by another name", csvLabels(kinds, "--label-weight w"), 1, `s.csv:1: no column named "w" in the first line`},
		{"columns: ids and labels in one", csvLabels("kind,id\nx,a\n"), 1, `s.csv:1: column "kind" holds both ids and labels, expected two columns: say which holds ids, with --label-id`},
		{"columns: a cell is missing", csvLabels("id,kind\na,x\nd\n"), 1, "s.csv:3: 1 column, expected 2 as in the first line"},
		{"columns: a cell too many", csvLabels("id,kind\na,x\nd,y,z\n"), 1, "s.csv:3: 3 columns, expected 2 as in the first line"},
		{"columns: another separator than the first line", csvLabels("id,kind\na;x\nd;y\n"), 1, "s.csv:2: 1 column, expected 2 as in the first line"},
		{"columns: an id is missing", csvLabels("id,kind\na,x\n ,y\n"), 1, "s.csv:3: empty node id in column 1"},
		{"columns: a weight is missing", csvLabels("id,kind,w\na,x,1\nd,y,\n", "--label-weight w"), 1, `s.csv:3: weight "" is missing`},
		{"columns: weight nan", csvLabels("id,kind,w\na,x,nan\n", "--label-weight w"), 1, `s.csv:2: weight "nan" is not finite`},
		{"columns: weight 1,5", csvLabels("id;kind;w\na;x;1,5\n", "--label-weight w"), 1, `s.csv:2: weight "1,5" is not a decimal number`},
		{"columns: weight too large", csvLabels("id,kind,w\na,x,1e10\n", "--label-weight 3"), 1, `s.csv:2: label weight "1e+10"`},
		{"columns: a quote that stays open", csvLabels("id,kind\na,x\nd,\"y\n"), 1, `s.csv:3: extraneous or missing " in quoted-field, expected fields that are quoted as in RFC 4180`},
		{"columns: a quote that stays open in the header", csvLabels("id,\"kind\na,x\n"), 1, `extraneous or missing " in quoted-field`},
		{"columns: a quote inside", csvLabels("id,kind\na,x\"y\n"), 1, `s.csv:2: bare " in non-quoted-field, expected fields that are quoted as in RFC 4180`},
		{"columns: text after a quoted field", csvLabels("id,kind\na,\"x\"y\n"), 1, `s.csv:2: extraneous or missing " in quoted-field`},
		{"columns: a quote that stays open for 1 MiB", csvLabels("id,kind\na,x\nd,\"" + strings.Repeat("y\n", 1<<20)), 1, "s.csv:3: a row longer than 1048576 bytes"},
		{"columns: a line end in a label", csvLabels("id,kind\na,\"x\ny\"\n"), 1, `s.csv:2: label "x\ny", expected UTF-8 without control characters`},
		{"columns: a line end in another column, the line after it counted", csvLabels("id,note,kind\na,\"1\n2\",x\nq,,y\n"), 1, `s.csv:4: node "q" is not in the graph`},
		{"columns: an escape sequence in a label", csvLabels("id,kind\na,\x1b[31mx\n"), 1, `s.csv:2: label "\x1b[31mx", expected UTF-8`},
		{"columns: a zero byte in an id", csvLabels("id,kind\na\x00,x\n"), 1, `s.csv:2: node id "a\x00", expected UTF-8`},
		{"columns: Latin-1", csvLabels("id,kind\na,gr\xfcn\n"), 1, `s.csv:2: label "gr\xfcn", expected UTF-8`},
		{"columns: an unknown node", csvLabels(kinds + "q,x\n"), 1, `s.csv:4: node "q" is not in the graph; nodes are called such as "a"; --unknown-labels skip ignores such labels`},
		{"columns: no known node", csvLabels("id,kind\np,x\nq,y\n", "--unknown-labels skip"), 1, "s.csv: no labels of nodes of the graph"},
		{"columns: two labels", csvLabels(kinds + "a,y\n"), 1, `s.csv:4: node "a" has label "y", but "x" on line 2`},
		{"columns: a label of 2 MiB", csvLabels("id,kind\na," + long + long + "\n"), 1, "s.csv:2: a row longer than 1048576 bytes"},
		{"columns: accepted: a label of 300 KiB", csvLabels("id,kind\na,x\nd," + long[:300<<10] + "\n"), 0, "xxxxxxxx…"},
		{"columns: accepted: characters that turn the line", csvLabels("id,kind\na,\u202eabc\nd,\u0085y\n"), 0, `"\u202eabc"`},
		{"columns: a file's name that turns the line", command("run --edges g --labels \u202es.csv --label-column kind --out out"), 3, "open \\u202es.csv: no such file or directory"},
		{"columns: a header of 2 MiB", csvLabels(strings.Repeat("kind,", 1<<19)), 1, "s.csv:1: a row longer than 1048576 bytes"},
		{"columns: bomb of blank lines", given{args: "run --edges g --labels s.csv.zst --label-column kind --out out", files: map[string]string{"s.csv.zst": packedFrom(t, ".zst", repeated("\n", 64<<20))}}, 1, "s.csv.zst:1: a row longer than 1048576 bytes"},
		{"columns: gzip cut by a byte", given{args: "run --edges g --labels s.csv.gz --label-column kind --out out", files: map[string]string{"s.csv.gz": packed(t, ".gz", kinds)[:len(packed(t, ".gz", kinds))-1]}}, 1, "s.csv.gz: reading after line"},
		{"columns: zstd cut by a byte", given{args: "run --edges g --labels s.csv.zst --label-column kind --out out", files: map[string]string{"s.csv.zst": packed(t, ".zst", kinds)[:len(packed(t, ".zst", kinds))-1]}}, 1, "s.csv.zst: reading after line"},
		{"columns: not a csv file", csvLabels("PK\x03\x04\x14\x00\x00\x00"), 1, `s.csv:1: no column named "kind"`},
		{"columns: a folder", given{args: "run --edges g --labels d --label-column kind --out out", setup: folder("d")}, 3, "d: is a directory"},
		{"columns: no file", command("run --edges g --labels none.csv --label-column kind --out out"), 3, "open none.csv: no such file or directory"},
		{"columns: ids without labels", command(onPath + " --label-id 1"), 2, "--label-id and --label-weight need --label-column for a csv file"},
		{"columns: weights without labels", command(onPath + " --label-weight 1"), 2, "--label-id and --label-weight need --label-column for a csv file"},
		{"columns: a header that is said twice", csvLabels(kinds, "--labels-header"), 2, "--label-column is for a file with a header, which needs no --labels-header"},
		{"columns: an index of rows", csvLabels(",id,kind\n0,a,x\n1,d,y\n"), 1, `s.csv:1: column 1 has the title "", as an index of rows that pandas or R wrote: say which column holds ids, --label-id 1 for this one`},
		{"columns: accepted: an index of rows beside ids", csvLabels(",id,kind\n0,a,x\n1,d,y\n", "--label-id id"), 0, "2 seed"},
		{"columns: accepted: an index of rows that holds ids", csvLabels(",kind\na,x\nd,y\n"), 0, "2 seed"},
		{"columns: truth of other nodes", given{args: "eval --predictions p --truth s.csv --label-column kind", files: map[string]string{"s.csv": "id,kind\nq,x\n", "p": "node\tlabel\tconfidence\tmargin\tstatus\na\tx\t1\t1\tpredicted\n"}}, 1, "s.csv: no labels of nodes of the predictions, expected rows with an id and a label"},
		{"eval: confidence nan", predicted("a\tx\t1\t1\tseed\nb\tx\tnan\t1\tpredicted\n"), 1, `p:3: confidence "nan" is not finite, expected one such as 0.25`},
		{"eval: confidence inf", predicted("a\tx\tinf\t1\tpredicted\n"), 1, `p:2: confidence "inf" is not finite, expected one such as 0.25`},
		{"eval: confidence 2", predicted("a\tx\t2\t1\tpredicted\n"), 1, "p:2: confidence 2, expected 0 to 1"},
		{"eval: confidence below 0", predicted("a\tx\t-0.1\t1\tpredicted\n"), 1, "p:2: confidence -0.1, expected 0 to 1"},
		{"eval: margin nan", predicted("a\tx\t1\tnan\tpredicted\n"), 1, `p:2: margin "nan" is not finite, expected one such as 0.25`},
		{"eval: margin -2", predicted("a\tx\t1\t-2\tpredicted\n"), 1, "p:2: margin -2, expected 0 to 1"},
		{"eval: a status of its own", predicted("a\tx\t1\t1\tmaybe\n"), 1, `p:2: status "maybe", expected seed, predicted, uncertain or unreached`},
		{"eval: no status", predicted("a,x,1,1,\n", "node,label,confidence,margin,status\n"), 1, `p:2: status "", expected seed`},
		{"eval: a hexadecimal confidence", predicted("a\tx\t0x1p-1\t1\tpredicted\n"), 1, `p:2: confidence "0x1p-1" is not a decimal number`},
		{"eval: a hexadecimal margin", predicted("a\tx\t1\t0x1p-1\tpredicted\n"), 1, `p:2: margin "0x1p-1" is not a decimal number`},
		{"eval: an unreached node with a label", predicted("a\tx\t1\t1\tseed\nb\tx\t1\t1\tunreached\n"), 1, `p:3: label "x" and status unreached, expected no label`},
		{"eval: a predicted node without a label", predicted("a\t\t1\t1\tpredicted\n"), 1, "p:2: no label and status predicted, expected unreached"},
		{"eval: an unreached node with a label in a table", tabled(t, "a", "x", 1, 1, "unreached"), 1, `p.parquet:1: label "x" and status unreached, expected no label`},
		{"eval: confidence nan in a table", tabled(t, "a", "x", math.NaN(), 1, "predicted"), 1, "p.parquet:1: confidence NaN, expected 0 to 1"},
		{"eval: accepted: a margin below 0 of a seed of several labels", predicted("a\tx\t0\t-0.25\tseed\nd\ty\t1\t1\tpredicted\n"), 0, "accuracy"},
		{"columns: truth by another name", given{args: "eval --predictions p --truth s.csv --label-column sort", files: map[string]string{"s.csv": kinds, "p": "node\tlabel\tconfidence\tmargin\tstatus\na\tx\t1\t1\tseed\n"}}, 1, `s.csv:1: no column named "sort" in the first line`},

		{"columns: accepted: a mark before a quoted name", csvLabels("\ufeff\"kind\",\"id\"\r\nx,a\r\ny,d\r\n", "--label-id id"), 0, "2 seed"},
		{"columns: accepted: a mark, CR, blank lines, no last line end", csvLabels("\ufeffid,kind\r\n\r\na,x\r\n\r\nd,y"), 0, "2 seed"},
		{"columns: accepted: semicolons and quotes", csvLabels("kind;id\n\"x;\"\"1\"\"\";a\ny;d\n", "--label-id 2"), 0, `x;"1"`},
		{"columns: accepted: two of one name by number", csvLabels("id,kind,kind\na,p,x\nd,q,y\n", "--label-column 3"), 0, "a\tx\t"},
		{"columns: accepted: a number is a name first", csvLabels("id,2,3\na,p,x\nd,q,y\n", "--label-column 3"), 0, "a\tx\t"},
		{"columns: accepted: unknown nodes are counted", csvLabels(kinds+"q,x\n", "--unknown-labels skip --report out.json"), 0, `"unknown": 1`},
		{"columns: accepted: rows without a label are counted", csvLabels("id,kind\na,x\nb,\nd,y\n", "--report out.json"), 0, `"blank": 1`},
		{"columns: accepted: formulas stay text", csvLabels("id,kind\na,=1+1\nd,@y\n"), 0, "=1+1"},

		{"columns: accepted: a first line that is data", csvLabels("b,x\na,x\nd,y\n", "--label-column 2"), 0, `warning [header-is-data]: the first line of the labels was taken for a header, and "b" in it is a node, or a label of other lines: if the line has a label, it was not read`},
		{"columns: accepted: texts that look missing", csvLabels("id,kind\na,x\nb,None\nd,y\n"), 0, `warning [missing-like]: 1 label is "None": if that means unknown, say --missing None`},
		{"columns: accepted: missing", csvLabels("id,kind\na,x\nb,None\nc,?\nd,y\n", "--missing None,?"), 0, "2 seed, 2 predicted"},
		{"columns: all are missing", csvLabels("id,kind\na,None\n", "--missing None"), 1, "s.csv: no labels of nodes of the graph"},
		{"own labels: accepted: a first line that is data", ownLabels("0,x\n1,x\n3,y\n7,\n", "--label-column 2"), 0, "4 points of 1 dimensions … seeds     3 in 2 classes … \n0\tx\t … \n2\ty\t"},
		{"own labels: accepted: a first line that is data, without a label", ownLabels("0.5,1.5,\n1,2,x\n3,4,y\n7,8,\n", "--label-column 3"), 0, "4 points of 2 dimensions … \n1\tx\t … \n2\ty\t"},
		{"own labels: accepted: a number is no value of a first line that is data", ownLabels("5,1,4,2,1\n4,2,2,2,2\n1,2,3,1,1\n3,3,1,5,2\n", "--label-column 5"), 0, "4 points of 4 dimensions … seeds     4 in 2 classes … \n0\t1\t … \n1\t2\t"},
		{"own labels: accepted: ids by number, in a first line that is data", ownLabels("77,0,1,red\n78,1,0,blue\n79,1,1,\n80,0,0,\n", "--id-column 1 --label-column 4"), 0, "4 points of 2 dimensions … \n77\tred\t … \n78\tblue\t"},
		{"own labels: accepted: a number is no value of a line of words of 0 and 1", ownLabels("p1\t0\t1\t1\tx\np2\t1\t0\t1\ty\np3\t1\t1\t0\tx\n", "--id-column 1 --label-column 5"), 0, "3 points of 3 dimensions … \np1\tx\t … \np2\ty\t"},
		{"own labels: accepted: titles that are numbers in a row", ownLabels("0,1,2,3,4\n.1,5,2,3,x\n.2,6,1,3,y\n.9,7,7,1,\n", "--label-column 4"), 0, "3 points of 4 dimensions … \n0\tx\t … \n1\ty\t"},
		{"own labels: accepted: titles that are numbers, and one of labels", ownLabels("400,410,420,class\n.1,5,2,x\n.2,6,1,y\n.9,7,7,\n", "--label-column 4"), 0, "3 points of 3 dimensions … \n0\tx\t … \n1\ty\t"},
		{"own labels: accepted: a first line that may be titles", ownLabels("400,410,420,kind\n.1,5,2,x\n.2,6,1,y\n.9,7,7,x\n.8,7,7,y\n", "--label-column 4"), 0, `warning [numbered-header]: labels: 1 first line of numbers, with a label that no other has read as a point (the first: line 1, "kind"); if it is a header, say --label-column kind`},
		{"columns: accepted: a number is no value of a first line that is data", csvLabels("b,4,x\na,2,x\nd,3,y\n", "--label-column 3"), 0, "a\tx\t … d\ty\t"},
		{"columns: accepted: a title that is a number", csvLabels("id,0,1\na,x,1\nd,y,2\n", "--label-column 1 --label-id id"), 0, "a\t1\t … d\t2\t"},
		{"own labels: another name", ownLabels("p,kind\n1,x\n3,y\n7,\n", "--label-column sort"), 1, `x.csv:1: no column named "sort" in the first line`},
		{"own labels: column 0", ownLabels("p,kind\n1,x\n3,y\n7,\n", "--label-column 0"), 1, "x.csv:1: 2 columns, expected column 0; columns count from 1"},
		{"own labels: a number past the last", ownLabels("p,kind\n1,x\n3,y\n7,\n", "--label-column 9"), 1, "x.csv:1: 2 columns, expected column 9"},
		{"own labels: two of one name", ownLabels("p,kind,kind\n1,x,1\n3,y,1\n7,,1\n"), 1, `x.csv:1: two columns are named "kind"`},
		{"own labels: no features", ownLabels("kind\nx\ny\nx\n"), 1, "x.csv:"},
		{"own labels: a line that is a comment of one of both", ownLabels("p,kind\n1,x\n#3,y\n7,x\n9,\n"), 1, "x.csv: 4 rows, expected 3, one for each point of the features"},
		{"own labels: accepted: a separator in quotes", ownLabels("p,kind\n1,\"x,y\"\n3,y\n7,\n"), 0, "0\tx,y\t"},
		{"own labels: an index of rows", ownLabels(",p,kind\n0,1,x\n1,3,y\n2,7,\n"), 1, `x.csv:1: column 1 has the title "", as an index of rows that pandas or R wrote, which is no feature: write the file with index=False (R: row.names=FALSE), or say --id-column 1 if it names the points, else --drop-columns 1`},
		{"own labels: accepted: an index of rows that is left out", ownLabels(",p,kind\n0,1,x\n1,3,y\n2,7,\n", "--drop-columns 1"), 0, "0\tx\t"},
		{"own labels: accepted: an index of rows that names the points", ownLabels(",p,kind\n7,1,x\n8,3,y\n9,7,\n", "--id-column 1"), 0, "7\tx\t"},
		{"own labels: names of points", ownLabels("name,p,kind\ns1,1,x\ns2,3,y\n"), 1, `x.csv:2: column 1: "s1" is not in decimal form, expected a decimal number; if the column names the points, say --id-column "name"`},
		{"own labels: a missing value", ownLabels("p,q,kind\n1,2,x\n3,,y\n"), 1, "x.csv:3: column 2 is empty, a missing value: fill it in, or leave out the row"},
		{"own labels: a column of texts beside them", ownLabels("p,kind,note\n1,x,a\n3,y,b\n"), 1, `x.csv:2: column 3: "a" is not in decimal form, expected a decimal number; if the column holds categories, say --categories "note", if it is no feature, --drop-columns "note"` + "\n"},
		{"own labels: accepted: without a column of texts", ownLabels("p,kind,note\n1,x,a\n3,y,\n7,,\n", "--drop-columns note --report out.json"), 0, `"dims": 1`},
		{"own labels: accepted: columns by number and title", ownLabels("p,kind,note,q\n1,x,a,2\n3,y,,4\n7,,,9\n", "--feature-columns 4,p --report out.json"), 0, `"dims": 2`},
		{"own labels: a label as a feature", ownLabels("p,kind\n1,2\n3,4\n", "--feature-columns p,kind"), 1, `x.csv:1: column "kind" is to be a feature, but it holds ids or labels, or is to be left out`},
		{"own labels: no title is said", given{args: "run --features x.csv --labels x.csv --out out", files: map[string]string{"x.csv": "p,kind\n1,x\n3,y\n"}}, 1, `x.csv:2: column 2: "x" is not in decimal form, expected a decimal number; if the column holds categories, say --categories "kind", if it is no feature, --drop-columns "kind"; if it holds labels, say --label-column "kind"`},
		{"own labels: no title is said, the first one is missing", given{args: "run --features x.csv --labels x.csv --out out", files: map[string]string{"x.csv": "p,kind\n1,\n3,y\n"}}, 1, `x.csv:2: column 2 is empty, a missing value: fill it in, or leave out the row, or the column: --drop-columns "kind"; if it holds numbers, --impute mean takes their mean; if it holds labels, say --label-column "kind"`},
		{"own labels: weights are no features", ownLabels("p,w,kind\n1,1,x\n3,,y\n7,,\n", "--label-weight w"), 1, `x.csv:3: weight "" is missing`},
		{"own labels: accepted: by another name of the file", given{args: "run --features x.csv --k 1 --method lgc --labels ./x.csv --label-column 2 --out out --report out.json", files: map[string]string{"x.csv": "1,2\n1,5\n3,6\n7,\n"}}, 0, `"dims": 1`},
		{"own labels: accepted: by a link", given{args: "run --features x.csv --k 1 --method lgc --labels l.csv --label-column kind --out out --report out.json", files: map[string]string{"x.csv": "p,kind\n1,5\n3,6\n7,\n"}, setup: link("x.csv", "l.csv")}, 0, `"dims": 1`},
	}
}

// labelTable is labels in a Parquet file of these rows.
func labelTable[Row any](t *testing.T, rows []Row, more ...string) given {
	args := append([]string{"run --edges g --labels s.parquet --out out --topk 2"}, more...)
	return given{args: strings.Join(args, " "), files: map[string]string{"s.parquet": rowsOf(t, rows)}}
}

func rowsOf[Row any](t *testing.T, rows []Row, options ...parquet.WriterOption) string {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[Row](&b, options...)
	_, err := w.Write(rows)
	must(t, err)
	must(t, w.Close())
	return b.String()
}

// rawLabels are bytes in the place of labels in Parquet.
func rawLabels(content string) given {
	return given{args: "run --edges g --labels s.parquet --out out --topk 2", files: map[string]string{"s.parquet": content}}
}

type labelRow struct {
	ID    string `parquet:"id"`
	Label string `parquet:"label"`
}

// labelTableCases are labels and predictions in Parquet files.
func labelTableCases(t *testing.T) []trouble {
	rows := []labelRow{{"a", "x"}, {"d", "y"}}
	whole := rowsOf(t, rows)
	refoot := func(change func(*meta.FileMetaData)) given { return rawLabels(refooted(t, whole, change)) }
	names, err := os.ReadFile("../../adp/labelparquet/testdata/numbers.parquet")
	must(t, err)
	type weighted struct {
		ID     string  `parquet:"id"`
		Label  string  `parquet:"label"`
		Weight float64 `parquet:"weight"`
	}
	cases := []trouble{
		{"label table: empty", rawLabels(""), 1, "s.parquet: 0 bytes, expected a Parquet file"},
		{"label table: text", rawLabels(kinds + kinds), 1, `s.parquet: starts with "id,k", expected PAR1`},
		{"label table: no rows", labelTable(t, []labelRow{}), 1, "s.parquet: no labels of nodes of the graph, expected rows with an id and a label"},
		{"label table: no ids", labelTable(t, []struct {
			Label string `parquet:"label"`
		}{{"x"}}), 1, `s.parquet: no column named "id" of node ids, expected one of "label"`},
		{"label table: no labels", labelTable(t, []struct {
			ID string `parquet:"id"`
		}{{"a"}}), 1, `s.parquet: no column named "label" of labels, expected one of "id"`},
		{"label table: no columns", labelTable(t, []struct {
			In struct {
				ID string `parquet:"id"`
			}
		}{}), 1, `s.parquet: no column named "id" of node ids, and no other`},
		{"label table: labels by another name", labelTable(t, rows, "--label-column kind"), 1, `s.parquet: no column named "kind" of labels, expected one of "id", "label"`},
		{"label table: ids by another name", labelTable(t, rows, "--label-id node"), 1, `s.parquet: no column named "node" of node ids`},
		{"label table: weights by another name", labelTable(t, rows, "--label-weight w"), 1, `s.parquet: no column named "w" of weights`},
		{"label table: accepted: columns by number", labelTable(t, rows, "--label-column 2 --label-id 1"), 0, "a\tx\t"},
		{"label table: a number past the last", labelTable(t, rows, "--label-column 3"), 1, `s.parquet: no column named "3" of labels, expected one of "id", "label", or a number from 1 to 2`},
		{"label table: ids and labels in one", labelTable(t, rows, "--label-column 1"), 1, `s.parquet: column "id" holds both ids and labels, expected two columns: say which holds ids, with --label-id`},
		{"label table: ids are fractions", labelTable(t, []struct {
			ID    float64 `parquet:"id"`
			Label string  `parquet:"label"`
		}{{1.5, "x"}}), 1, `s.parquet:1: id "1.5", expected a whole number or text`},
		{"label table: labels are fractions", labelTable(t, []struct {
			ID    string  `parquet:"id"`
			Label float32 `parquet:"label"`
		}{{"a", 1.5}}), 1, `s.parquet:1: label "1.5", expected a whole number or text`},
		{"label table: labels are lists", labelTable(t, []struct {
			ID    string   `parquet:"id"`
			Label []string `parquet:"label"`
		}{{"a", []string{"x"}}}), 1, `s.parquet: column "label" is nested, expected a number or text in each row`},
		{"label table: labels are times", labelTable(t, []struct {
			ID    string `parquet:"id"`
			Label int64  `parquet:"label,timestamp"`
		}{{"a", 1}}), 1, `s.parquet: column "label" is of type TIMESTAMP`},
		{"label table: labels are decimals", labelTable(t, []struct {
			ID    string `parquet:"id"`
			Label int64  `parquet:"label,decimal(2:10)"`
		}{{"a", 1}}), 1, `s.parquet: column "label" is of type DECIMAL`},
		{"label table: labels are bytes of a fixed length", labelTable(t, []struct {
			ID    string  `parquet:"id"`
			Label [4]byte `parquet:"label"`
		}{{"a", [4]byte{1}}}), 1, `s.parquet: column "label" is of type FIXED_LEN_BYTE_ARRAY(4), expected numbers or text`},
		{"label table: an id is null", labelTable(t, []struct {
			ID    *string `parquet:"id,optional"`
			Label string  `parquet:"label"`
		}{{nil, "x"}}), 1, `s.parquet:1: id "null", expected a whole number or text`},
		{"label table: an id is empty", labelTable(t, []labelRow{{"", "x"}}), 1, `s.parquet:1: id "", expected a whole number or text`},
		{"label table: all labels are null", labelTable(t, []struct {
			ID    string  `parquet:"id"`
			Label *string `parquet:"label,optional"`
		}{{"a", nil}, {"d", nil}}), 1, "s.parquet: no labels of nodes of the graph"},
		{"label table: a weight is null", labelTable(t, []struct {
			ID     string   `parquet:"id"`
			Label  string   `parquet:"label"`
			Weight *float64 `parquet:"weight,optional"`
		}{{"a", "x", nil}}), 1, `s.parquet:1: weight "null", expected a number of at least 0`},
		{"label table: weight nan", labelTable(t, []weighted{{"a", "x", math.NaN()}}), 1, `s.parquet:1: weight "NaN", expected a number of at least 0`},
		{"label table: weights in other letters", labelTable(t, []struct {
			ID     string  `parquet:"id"`
			Label  string  `parquet:"label"`
			Weight float64 `parquet:"WEIGHT"`
		}{{"a", "x", -1}}), 1, `s.parquet:1: WEIGHT "-1", expected a number of at least 0`},
		{"label table: a negative weight", labelTable(t, []weighted{{"a", "x", 1}, {"d", "y", -1}}), 1, `s.parquet:2: weight "-1", expected a number of at least 0`},
		{"label table: a weight too large", labelTable(t, []weighted{{"a", "x", 1e10}}), 1, `s.parquet:1: label weight "1e+10"`},
		{"label table: a weight that is text", labelTable(t, []struct {
			ID     string `parquet:"id"`
			Label  string `parquet:"label"`
			Weight string `parquet:"weight"`
		}{{"a", "x", "1"}}), 1, `s.parquet:1: weight "1", expected a number of at least 0`},
		{"label table: an unknown node", labelTable(t, append(rows[:2:2], labelRow{"q", "x"})), 1, `s.parquet:3: node "q" is not in the graph; nodes are called such as "a"; --unknown-labels skip`},
		{"label table: two labels", labelTable(t, append(rows[:2:2], labelRow{"a", "y"})), 1, `s.parquet:3: node "a" has label "y", but "x" on line 1`},
		{"label table: an escape sequence", labelTable(t, []labelRow{{"a", "\x1b[31m"}}), 1, `column "label", row 1: text that is not UTF-8 or has a control character in it`},
		{"label table: Latin-1", labelTable(t, []labelRow{{"a\xff", "x"}}), 1, `column "id", row 1: text that is not UTF-8`},
		{"label table: more texts in a page than it says", rawLabels(strings.Replace(rowsOf(t, []struct {
			ID    *string `parquet:"id,optional,plain"`
			Label string  `parquet:"label"`
		}{{&rows[0].ID, "x"}, {&rows[1].ID, "y"}}, parquet.DataPageVersion(1), parquet.Compression(&parquet.Uncompressed)), "\x02\x00\x00\x00\x04\x01", "\x02\x00\x00\x00\x04\x00", 1)), 1, "2 texts in a page, expected 0"},
		{"label table: 10^12 rows", refoot(func(m *meta.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = 1e12, 1e12 }), 1, "s.parquet: damaged Parquet file: row group 0 of 1000000000000 rows"},
		{"label table: a row more", refoot(func(m *meta.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = 3, 3 }), 1, "s.parquet: damaged Parquet file: "},
		{"label table: a row fewer", refoot(func(m *meta.FileMetaData) { m.NumRows, m.RowGroups[0].NumRows = 1, 1 }), 1, "s.parquet: damaged Parquet file: "},
		{"label table: a row group is missing", refoot(func(m *meta.FileMetaData) { m.RowGroups = nil }), 1, "row groups of 0 rows, the file says 2"},
		{"label table: a column chunk is missing", refoot(func(m *meta.FileMetaData) { m.RowGroups[0].Columns = m.RowGroups[0].Columns[:1] }), 1, "s.parquet: damaged Parquet file: "},
		{"label table: labels of another type than their pages", refoot(func(m *meta.FileMetaData) {
			for k := range m.Schema {
				if m.Schema[k].Name == "label" {
					m.Schema[k].Type.V, m.Schema[k].LogicalType, m.Schema[k].ConvertedType.Valid = meta.Int64, meta.LogicalType{}, false
				}
			}
		}), 1, "s.parquet: damaged Parquet file: "},
		{"label table: the pages of the other column", refoot(func(m *meta.FileMetaData) {
			c := m.RowGroups[0].Columns
			c[0].MetaData.DataPageOffset, c[1].MetaData.DataPageOffset = c[1].MetaData.DataPageOffset, c[0].MetaData.DataPageOffset
		}), 1, "s.parquet:"},
		{"label table: predictions without a status", given{args: "eval --predictions p.parquet --truth s", files: map[string]string{"p.parquet": whole}}, 1, `p.parquet: no column "node", expected node, label, confidence, margin and status`},
		{"label table: predictions cut", given{args: "eval --predictions p.parquet --truth s", files: map[string]string{"p.parquet": whole[:len(whole)-1]}}, 1, "p.parquet: ends with"},
		{"label table: truth of the wrong type", given{args: "eval --predictions p --truth s.parquet --label-column kind", files: map[string]string{"s.parquet": string(names), "p": "node\tlabel\tconfidence\tmargin\tstatus\n0\tx\t1\t1\tseed\n"}}, 1, "s.parquet"},
		{"label table: accepted", labelTable(t, rows), 0, "2 seed"},
		{"label table: a no-break space is a letter", labelTable(t, []labelRow{{"a\u00a0", "x"}}), 1, `s.parquet:1: node "a\u00a0" is not in the graph`},
		{"label table: accepted: no-break spaces, and blanks", labelTable(t, []labelRow{{" a ", " x\u00a0 "}, {"d", "y"}}), 0, "a\tx\u00a0\t"},
		{"label table: accepted: whole numbers", labelTable(t, []struct {
			ID    string `parquet:"id"`
			Label uint64 `parquet:"label"`
		}{{"a", 1 << 63}, {"d", 7}}), 0, "a\t9223372036854775808\t"},
		{"label table: accepted: ids of 32 bits without a sign", given{args: "run --edges g --labels s.parquet --out out --topk 2", files: map[string]string{"g": "4294967295 1\n1 2147483648\n", "s.parquet": rowsOf(t, []struct {
			ID    uint32 `parquet:"id"`
			Label uint8  `parquet:"label"`
		}{{1<<32 - 1, 200}, {1 << 31, 7}})}}, 0, "4294967295\t200\t"},
		{"label table: accepted: as older programs say that there is no sign", given{args: "run --edges g --labels s.parquet --out out --topk 2", files: map[string]string{"g": "18446744073709551615 1\n1 2\n", "s.parquet": refooted(t, rowsOf(t, []struct {
			ID    uint64 `parquet:"id"`
			Label string `parquet:"label"`
		}{{1<<64 - 1, "x"}, {2, "y"}}), func(m *meta.FileMetaData) {
			for k := range m.Schema {
				m.Schema[k].LogicalType = meta.LogicalType{}
			}
		})}}, 0, "18446744073709551615\tx\t"},
		{"label table: accepted: null labels are of nodes without", labelTable(t, []struct {
			ID    string  `parquet:"id"`
			Label *string `parquet:"label,optional"`
		}{{"a", &rows[0].Label}, {"b", nil}, {"d", &rows[1].Label}}, "--report out.json"), 0, `"blank": 1`},
		{"label table: accepted: compressed as a whole", given{args: "run --edges g --labels s.parquet.gz --out out --topk 2", files: map[string]string{"s.parquet.gz": packed(t, ".gz", whole)}}, 0, "2 seed"},
		{"label table: accepted: from standard input", given{args: "run --edges g --labels - --out out --topk 2", stdin: whole}, 0, "2 seed"},
	}
	for _, at := range []int{1, 4, 11, 12, len(whole) / 3, len(whole) - 9, len(whole) - 8, len(whole) - 4, len(whole) - 1} {
		cases = append(cases, trouble{fmt.Sprintf("label table: cut after byte %d", at), rawLabels(whole[:at]), 1, "s.parquet: "})
	}
	return append(cases, damagedPages(t)...)
}

// predicted scores predictions.
func predicted(rows string, header ...string) given {
	return given{args: "eval --predictions p --truth s --json", files: map[string]string{"p": cmp.Or(append(header, "node\tlabel\tconfidence\tmargin\tstatus\n")...) + rows}}
}

// tabled is a prediction in a table.
func tabled(t *testing.T, node, label string, confidence, margin float64, status string) given {
	return given{args: "eval --predictions p.parquet --truth s --json", files: map[string]string{"p.parquet": rowsOf(t, []struct {
		Node       string  `parquet:"node"`
		Label      string  `parquet:"label"`
		Confidence float64 `parquet:"confidence"`
		Margin     float64 `parquet:"margin"`
		Status     string  `parquet:"status"`
	}{{node, label, confidence, margin, status}})}}
}

// edgeTableCases are edges in Parquet files of values that are not what they should
// be.
func edgeTableCases(t *testing.T) []trouble {
	type text struct {
		Src string `parquet:"src"`
		Dst string `parquet:"dst"`
	}
	type numbers struct {
		Src uint64 `parquet:"src"`
		Dst uint32 `parquet:"dst"`
	}
	type weights struct {
		Src    int32   `parquet:"src"`
		Dst    int32   `parquet:"dst"`
		Weight float64 `parquet:"weight"`
	}
	a := "a"
	return []trouble{
		{"edge table: no rows", table(rowsOf(t, []text{})), 1, "x.parquet: no edges"},
		{"edge table: an empty id", table(rowsOf(t, []text{{"a", "b"}, {"", "c"}})), 1, `x.parquet:2: src "", expected a whole number or text`},
		{"edge table: an id of a blank", table(rowsOf(t, []text{{"a", " "}})), 1, `x.parquet:1: dst " ", expected a whole number or text`},
		{"edge table: accepted: no-break spaces, and blanks", table(rowsOf(t, []text{{"a", " b\u00a0 "}, {"a", "b"}, {"a", "\u00a0"}})), 0, "a\tb\t1\na\tb\u00a0\t1\na\t\u00a0\t1"},
		{"edge table: accepted: weights in other letters", table(rowsOf(t, []struct {
			Src    int32   `parquet:"src"`
			Dst    int32   `parquet:"dst"`
			Weight float64 `parquet:"Weight"`
		}{{1, 2, 7}})), 0, "1\t2\t7"},
		{"edge table: an id that is null", table(rowsOf(t, []struct {
			Src *string `parquet:"src,optional"`
			Dst string  `parquet:"dst"`
		}{{&a, "b"}, {nil, "b"}})), 1, `x.parquet:2: src "null", expected a whole number or text`},
		{"edge table: an id with a line end", table(rowsOf(t, []text{{"a\nb", "c"}})), 1, "row 1: text that is not UTF-8 or has a control character in it"},
		{"edge table: ids are fractions", table(rowsOf(t, []struct {
			Src float64 `parquet:"src"`
			Dst float64 `parquet:"dst"`
		}{{1, 2}})), 1, `x.parquet:1: src "1", expected a whole number or text`},
		{"edge table: ids are lists", table(rowsOf(t, []struct {
			Src []int64 `parquet:"src"`
			Dst int64   `parquet:"dst"`
		}{{[]int64{1}, 2}})), 1, `x.parquet: column "src" is nested`},
		{"edge table: weight nan", table(rowsOf(t, []weights{{1, 2, math.NaN()}})), 1, `x.parquet:1: weight "NaN", expected a number of at least 0`},
		{"edge table: weight inf", table(rowsOf(t, []weights{{1, 2, 1}, {2, 3, math.Inf(1)}})), 1, `x.parquet:2: weight "+Inf", expected a number of at least 0`},
		{"edge table: a negative weight", table(rowsOf(t, []weights{{1, 2, -1}})), 1, `x.parquet:1: weight "-1", expected a number of at least 0`},
		{"edge table: a weight that is text", table(rowsOf(t, []text{{"a", "b"}}), "--columns src,dst,dst"), 1, `x.parquet:1: dst "b", expected a number of at least 0`},
		{"edge table: accepted: no sign", table(rowsOf(t, []numbers{{1<<64 - 1, 1<<32 - 1}, {1 << 63, 1 << 31}})), 0, "4294967295\t18446744073709551615"},
		{"edge table: accepted: a sign", table(rowsOf(t, []weights{{-1, 1<<31 - 1, 0.5}})), 0, "-1\t2147483647\t0.5"},
	}
}

// damagedPages are tables whose pages are not what their headers say, as labels and
// as edges.
func damagedPages(t *testing.T) (cases []trouble) {
	type edge struct {
		Src int64 `parquet:"src"`
		Dst int64 `parquet:"dst"`
	}
	var labels []labelRow
	var ends []edge
	for k := range 2000 {
		labels = append(labels, labelRow{fmt.Sprint(k), fmt.Sprint("class", k%7)})
		ends = append(ends, edge{int64(k), int64(k * k % 1999)})
	}
	for _, codec := range []struct {
		name  string
		codec parquet.WriterOption
	}{{"plain", parquet.Compression(&parquet.Uncompressed)}, {"snappy", parquet.Compression(&parquet.Snappy)}, {"gzip", parquet.Compression(&parquet.Gzip)}, {"zstd", parquet.Compression(&parquet.Zstd)}} {
		for what, text := range map[string]string{"labels": rowsOf(t, labels, codec.codec), "edges": rowsOf(t, ends, codec.codec)} {
			var begin, end int
			refooted(t, text, func(m *meta.FileMetaData) {
				c := &m.RowGroups[0].Columns[0].MetaData
				begin, end = int(c.DataPageOffset), int(c.DataPageOffset+c.TotalCompressedSize)
			})
			for how, damage := range map[string]func(b []byte){
				"header of zeros":  func(b []byte) { clear(b[:16]) },
				"header of ones":   func(b []byte) { copy(b, bytes.Repeat([]byte{0xff}, 16)) },
				"content of zeros": func(b []byte) { clear(b[64:]) },
				"a bit":            func(b []byte) { b[len(b)*3/4] ^= 4 },
				"moved by a byte":  func(b []byte) { copy(b[64:], b[65:]) },
			} {
				b := []byte(text)
				damage(b[begin:end])
				input, says := table(string(b)), "x.parquet: damaged Parquet file: "
				if what == "labels" {
					input, says = rawLabels(string(b)), "s.parquet: damaged Parquet file: "
				}
				cases = append(cases, trouble{fmt.Sprintf("damaged page: %s, %s: %s", what, codec.name, how), input, 1, says})
			}
		}
	}
	return cases
}
