//go:build unix

package main

import (
	"strings"
)

// textCases are faults in the lines of an edge list.
var textCases = []trouble{
	{"text: empty file", edges(""), 1, "g: no edges, expected lines of the form: src dst [weight]"},
	{"text: only comments", edges("# a b\n% c d\n"), 1, "g: no edges"},
	{"text: only blank lines", edges("\n\r\n   \n\t\n"), 1, "g: no edges"},
	{"text: only a byte order mark", edges("\ufeff"), 1, "g: no edges"},
	{"text: one column", edges("a b\nb\n"), 1, "g:2: 1 columns, expected 2 or 3: src dst [weight]"},
	{"text: four columns", edges("a b 1 2\n"), 1, "g:1: 4 columns, expected 2 or 3: src dst [weight]"},
	{"text: columns change", edges("a b 1\nb c 1\nc d 1 9\n"), 1, "g:3: 4 columns"},
	{"text: a tab in a file of spaces", edges("a b\nb\tc\n"), 1, `g:2: tab in "b\tc", expected spaces as in the first line`},
	{"text: spaces in a file of commas", edges("a,b\nb c\n"), 1, "g:2: 1 columns"},
	{"text: commas in a file of tabs", edges("a\tb\nb,c\n"), 1, "g:2: 1 columns"},
	{"text: empty source", edges("a,b\n,c\n"), 1, "g:2: empty source id in column 1"},
	{"text: empty destination", edges("a\tb\t1\nb\t\t2\n"), 1, "g:2: empty destination id in column 2"},
	{"text: a blank id between commas", edges("a,b\nb, \t,3\n"), 1, "g:2: empty destination id in column 2"},
	{"text: NUL byte", edges("a b\nb \x00c\n"), 1, "g:2: control byte 0x00, expected UTF-8 text"},
	{"text: bell", edges("a b\nb c\x07\n"), 1, "g:2: control byte 0x07"},
	{"text: escape sequence", edges("a b\n\x1b[2Jb c\n"), 1, "g:2: control byte 0x1b"},
	{"text: delete", edges("a b\nb\x7f c\n"), 1, "g:2: control byte 0x7f"},
	{"text: Latin-1", edges("a b\nb \xe9t\xe9\n"), 1, `g:2: "b \xe9t\xe9" is not UTF-8`},
	{"text: overlong UTF-8", edges("a b\nb \xc0\xaf\n"), 1, `"b \xc0\xaf" is not UTF-8`},
	{"text: a surrogate", edges("a b\nb \xed\xa0\x80\n"), 1, `g:2: "b \xed\xa0\x80" is not UTF-8`},
	{"text: UTF-16", edges("\xff\xfea\x00 \x00b\x00\n\x00"), 1, "g:1: control byte 0x00"},
	{"text: line ends of old Macs", edges("a b\rb c\rc d\r"), 1, "g:1: control byte 0x0d"},
	{"text: a line past 1 MiB", edges("a b\n" + strings.Repeat("a", 1<<20+1) + " b\n"), 1, "g:2: line longer than 1048576 bytes"},
	{"text: 3 MiB without a line end", edges(strings.Repeat("a ", 3<<19)), 1, "g:1: line longer than 1048576 bytes"},
	{"text: the last line is cut", edges("a b\nb c\nc"), 1, "g:3: 1 columns"},
	{"text: lines are counted with comments and blanks", edges("# one\n\na b\n% four\n\r\nb c x\n"), 1, `g:6: weight "x" is not a decimal number, expected a decimal number of at least 0`},
	{"text: the line after CRLF", edges("a b\r\nb c -1\r\n"), 1, `g:2: weight "-1" is negative, expected at least 0`},
	{"text: line 100,001 of a parallel parse", edges(strings.Repeat("1 2\n3 4\n", 50000)+"5 6 nan\n", "--threads 4"), 1, `g:100001: weight "nan" is not finite`},
	{"text: line 100,001, after long names", edges(strings.Repeat("node-number-1 node-number-2\n", 100000)+"x\n", "--threads 3"), 1, "g:100001: 1 columns"},
	{"text: the first of two faults", edges(strings.Repeat("1 2\n", 400000) + "1 2 nan\n" + strings.Repeat("1 2\n", 400000) + "1\n"), 1, `g:400001: weight "nan"`},
	{"text: a header of columns above words", edges("Source,Target\nann,bob\nbob,cy\n"), 1, `g:1: ids "Source" and "Target" are names that columns have; say --header yes if this line is a header, --header no if it is an edge`},
	{"text: accepted: names of columns that are nodes", edges("from to\nto a\na b\nb c\nc d\n", "--header no"), 0, ""},
	{"text: a header of words above integers", edges("city town\n1 2\n2 3\n3 4\n"), 1, `g:1: ids "city" and "town" are words while all others are integers; say --header yes if this line is a header, --header no if it is an edge`},
	{"text: a header with a weight", edges("src dst weight\n1 2 3\n"), 1, `g:1: weight "weight" is not a number; if this line is a header, say --header yes`},
	{"text: nothing after the header", edges("src dst\n", "--header yes"), 1, "g: no edges"},
	{"text: --header no takes it for an edge", edges("src dst weight\n1 2 3\n", "--header no"), 1, `g:1: weight "weight" is not a decimal number`},
	{"text: a long line is cut in the message", edges("a b\n" + strings.Repeat("\xff", 9000) + " b\n"), 1, `\xff\xff"… is not UTF-8`},
	{"text: a directive of printf", edges("a b\nb c %s%d%n\n"), 1, `weight "%s%d%n" is not a decimal number`},
	{"text: a picture", edges("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), 1, "g:1: "},
	{"text: a Parquet file that is cut", edges("PAR1\x15\x04\x15\x10\x15\x14\x4c\x15\x02"), 1, `g: ends with "\x14L\x15\x02", expected PAR1: the file is cut or not complete`},
	{"text: JSON", edges("{\"nodes\": [1, 2],\n\"edges\": []}\n"), 1, "g:"},
	{"text: a page of HTML", edges("<!DOCTYPE html>\n<html><body>404 not found, sorry</body></html>\n"), 1, "g:2: 4 columns"},
	{"text: accepted: CRLF, mark, comments, no last line end", edges("\ufeff# c\r\na b\r\n\r\nb c\r\nc d"), 0, "4 nodes, 3 edges"},
	{"text: accepted: --header yes", seedsOf("1 x\n4 y\n", "src dst weight\n1 2 3\n2 3 1\n3 4 1\n", "--header yes"), 0, "4 nodes, 3 edges"},
	{"text: accepted: blanks around fields", edges("  a ,  b \n b\t, c\nc,d,1 \n"), 0, "4 nodes, 3 edges"},
}

// weightCases are weights, and edges given more than once.
var weightCases = []trouble{
	{"weight: nan", edges("a b\nb c nan\n"), 1, `g:2: weight "nan" is not finite, expected a decimal number of at least 0`},
	{"weight: NaN", edges("a b\nb c NaN\n"), 1, `g:2: weight "NaN" is not finite`},
	{"weight: inf", edges("a b\nb c inf\n"), 1, `g:2: weight "inf" is not finite`},
	{"weight: -Infinity", edges("a b\nb c -Infinity\n"), 1, `g:2: weight "-Infinity" is not finite`},
	{"weight: negative", edges("a b\nb c -0.5\n"), 1, `g:2: weight "-0.5" is negative, expected at least 0`},
	{"weight: hexadecimal", edges("a b\nb c 0x1p-2\n"), 1, `g:2: weight "0x1p-2" is not a decimal number`},
	{"weight: underscores", edges("a b\nb c 1_000\n"), 1, `g:2: weight "1_000" is not a decimal number`},
	{"weight: past float64", edges("a b\nb c 1e400\n"), 1, `g:2: weight "1e400" is out of the range of float64`},
	{"weight: rounds to 0", edges("a b\nb c 1e-400\n"), 1, `g:2: weight "1e-400" is out of the range of float64`},
	{"weight: a word", edges("a b\nb c heavy\n"), 1, `g:2: weight "heavy" is not a decimal number`},
	{"weight: empty", edges("a,b,1\nb,c,\n"), 1, `g:2: weight "" is not a decimal number`},
	{"weight: a decimal comma", edges("a b 1\nb c 1,5\n"), 1, "g:"},
	{"weight: two points", edges("a b\nb c 1..2\n"), 1, `g:2: weight "1..2" is not a decimal number`},
	{"weight: two signs", edges("a b\nb c --1\n"), 1, `g:2: weight "--1" is not a decimal number`},
	{"weight: no exponent", edges("a b\nb c 1e\n"), 1, `g:2: weight "1e" is not a decimal number`},
	{"weight: only a point", edges("a b\nb c .\n"), 1, `g:2: weight "." is not a decimal number`},
	{"weight: Arabic digits", edges("a b\nb c \u0663\n"), 1, `g:2: weight "\u0663" is not a decimal number`},
	{"weight: a unit", edges("a b\nb c 3km\n"), 1, `g:2: weight "3km" is not a decimal number`},
	{"weight: given twice", edges("a b\nb c\nc d\na b 2\n", "--duplicates error"), 1, `g:4: edge "a" – "b" was given on line 1 already, expected each edge once (--duplicates error)`},
	{"weight: given the other way round", edges("1 2\n2 3\n3 4\n3 2\n", "--duplicates error --unknown-labels skip"), 1, `g:4: edge "2" – "3" was given on line 2 already`},
	{"weight: given twice, directed", edges("1 2\n2 1\n3 4\n2 1\n", "--duplicates error --directed"), 1, `g:4: edge "2" – "1" was given on line 2 already`},
	{"weight: accepted: 0 and -0 are dropped", edges("a b\nb c\nc d\na c 0\nb d -0\n"), 0, "3 edges … 2 edges of weight 0 dropped"},
	{"weight: accepted: all are 0", edges("a b 0\nb c 0\nc d 0\n"), 0, "4 nodes, 0 edges … warning [unreached]"},
	{"weight: accepted: extremes", edges("a b 1e308\nb c 5e-324\nc d 1e308\n"), 0, "tiny weights raised"},
	{"weight: accepted: the sum passes float64", edges("a b 1.7e308\na b 1.7e308\nb c 1\nc d 1\n"), 0, "1 duplicates merged"},
	{"weight: accepted: subnormal", edges("a b 5e-324\nb c 5e-324\nc d 1e-323\n"), 0, "3 edges"},
	{"weight: accepted: a plus sign and an exponent", edges("a b +1\nb c 1E+2\nc d .5\n"), 0, "3 edges"},
	{"weight: accepted: the larger of two", edges("a b 1\nb a 5\nb c\nc d\n", "--duplicates max"), 0, "1 duplicates merged"},
}

// idCases are the ids of nodes.
var idCases = []trouble{
	{"id: 2^31", seedsOf("2147483648 x\n1 y\n", "1 2147483648\n2147483647 1\n2 3\n2 1\n"), 0, "2147483648\tx"},
	{"id: 2^32 is not 0", seedsOf("4294967296 x\n0 y\n", "0 4294967296\n4294967295 0\n2 3\n"), 0, "0\ty … 4294967296\tx"},
	{"id: 2^63 and 2^64−1", seedsOf("9223372036854775808 x\n18446744073709551615 y\n", "9223372036854775808 18446744073709551615\n9223372036854775807 1\n1 18446744073709551615\n"), 0, "9223372036854775808\tx … 18446744073709551615\ty"},
	{"id: past 2^64", seedsOf("18446744073709551616 x\n1 y\n", "18446744073709551616 1\n1 2\n2 3\n"), 0, "18446744073709551616\tx"},
	{"id: leading zeros are other ids", seedsOf("007 x\n7 y\n", "007 7\n7 07\n07 8\n"), 0, "4 nodes, 3 edges"},
	{"id: 1 and 1.0 are different", seedsOf("1 x\n1.0 y\n", "1 1.0\n1.0 2\n2 3\n"), 0, "4 nodes, 3 edges"},
	{"id: negative", seedsOf("-1 x\n-2 y\n", "-1 -2\n-2 3\n3 4\n"), 0, "-2\ty … -1\tx"},
	{"id: blanks inside", seedsOf("a b\tx\nc d\ty\n", "a b\tc d\nc d\te f\ne f\tg h\n"), 0, "a b\tx"},
	{"id: of 10,000 bytes", seedsOf("a x\nb y\n", "a b\nb "+strings.Repeat("z", 10000)+"\nb c\n"), 0, "4 nodes, 3 edges"},
	{"id: other scripts", seedsOf("日本 x\nb y\n", "日本 b\nb 🙂\n🙂 é\n"), 0, "日本\tx"},
	{"id: written in two ways in Unicode", seedsOf("\u00e9 x\ne\u0301 y\n", "\u00e9 e\u0301\ne\u0301 b\nb c\n"), 0, "4 nodes, 3 edges"},
	{"id: an unknown one is quoted", seeds("a x\n\u202edcba y\n"), 1, `s:2: node "\u202edcba" is not in the graph`},
	{"id: a long unknown one is cut", seeds("a x\n" + strings.Repeat("q", 5000) + " y\n"), 1, `qqqq"… is not in the graph`},
	{"id: a tab that the output cannot hold", given{args: onPath + " --graph-out out.tsv", files: map[string]string{"g": "b,c\nc,a\na\tz,b\n", "s": "b,x\nc,y\n"}}, 1, `name does not fit the file: "a\tz" has the separator`},
	{"id: a tab that the labels cannot hold", given{args: onPath, files: map[string]string{"g": "b,c\nc,a\na\tz,b\n", "s": "b,x\nc,y\n"}}, 1, `name does not fit the file: "a\tz" has the separator`},
	{"id: a comma that a csv file cannot hold", given{args: "convert --edges g --out out.csv", files: map[string]string{"g": "a,1\tb\nb\tc\n"}}, 1, `name does not fit the file: "a,1" has the separator`},
	{"id: both start a comment", given{args: "convert --edges g --out out.tsv", files: map[string]string{"g": "a #b\na %c\n#x y\n b #b\n"}}, 0, "#b"},
	{"id: an edge list cannot hold # – %", given{args: "convert --graph g.csr --out out.tsv", files: map[string]string{"g.csr": ""}, setup: commentNames}, 1, `name does not fit the file: a line cannot start with either of "%b" and "#a"`},
	{"id: names in a .mtx file", command("convert --edges g --out out.mtx"), 2, `--out out.mtx: the format has no names, and row 0 is node "a"; write .csr, .parquet or an edge list`},
	{"id: names in a .npz file", command(onPath + " --graph-out out.npz"), 2, `--graph-out out.npz: the format has no names, and row 0 is node "a"`},
	{"id: names beside a .mtx file", command("convert --edges g --out out.mtx --nodes-out out"), 0, "4 nodes"},
	{"id: names of rows", rowNames("a\nb\nc\n"), 0, "a\tx"},
	{"id: too few names of rows", rowNames("a\nb\n"), 1, "names: 2 names, expected 3: one for each of the nodes, in their order"},
	{"id: too many names of rows", rowNames("a\nb\nc\nd\n"), 1, "names: 4 names, expected 3"},
	{"id: a name of two rows", rowNames("a\nb\na\n"), 1, `names:3: name "a" is that of node 0 already`},
	{"id: two names on a line", rowNames("a\tb\nc\nd\n"), 1, "names:1: 2 columns, expected one name"},
	{"id: a control byte in a name of a row", rowNames("a\nb\x1b[0m\nc\n"), 1, "names:2: control byte 0x1b"},
	{"id: no file of names", rowNames("a\nb\nc\n").with("--nodes none"), 3, "none: no such file or directory"},
	{"id: names of rows and of a column", rowNames("").with("--id-column 1"), 2, "--nodes and --id-column both name the points"},
	{"id: names of rows for an edge list", command(onPath + " --nodes s"), 2, "--nodes is for --graph and --features"},
	{"id: names of rows for a graph with names", given{args: "convert --graph g.csr --nodes names --out out.tsv", files: map[string]string{"g.csr": "", "names": "a\nb\n"}, setup: commentNames}, 2, "--nodes: the nodes of g.csr have names"},
	{"id: names of rows are an output", command("convert --edges g --out out.mtx --nodes-out g"), 2, "--nodes-out g is the same file as --edges g"},
	{"id: a name that lines cannot hold", given{args: "convert --edges g --out out.mtx --nodes-out out", files: map[string]string{"g": "b,c\nc,a\na\tz,b\n"}}, 1, `name does not fit the file: "a\tz" has the separator`},
	{"id: numbers from 1 in a .npz file", given{args: "convert --edges g --out out.npz", files: map[string]string{"g": "1 2\n2 3\n"}}, 2, `row 0 is node "1"`},
}

// seedsOf runs with a graph and labels.
func seedsOf(labels, graph string, more ...string) given {
	return given{args: strings.Join(append([]string{onPath}, more...), " "), files: map[string]string{"g": graph, "s": labels}}
}

// labelCases are files of labels.
var labelCases = []trouble{
	{"labels: empty file", seeds(""), 1, "s: no labels of nodes of the graph, expected lines of the form: id label [weight]"},
	{"labels: only comments", seeds("# a x\n"), 1, "s: no labels of nodes of the graph"},
	{"labels: one column", seeds("a x\nd\n"), 1, "s:2: 1 columns, expected 2 or 3: id label [weight]"},
	{"labels: four columns", seeds("a x 1 2\n"), 1, "s:1: 4 columns, expected 2 or 3: id label [weight]"},
	{"labels: an unknown node", seeds("a x\nd y\nq y\n"), 1, `s:3: node "q" is not in the graph; --unknown-labels skip ignores such labels`},
	{"labels: a header", seeds("node label\na x\nd y\n"), 1, `s:1: node "node" is not in the graph; if this line is a header, say --labels-header`},
	{"labels: nothing after the header", seeds("node label\n", "--labels-header"), 1, "s: no labels"},
	{"labels: none is known", seeds("p x\nq y\n", "--unknown-labels skip"), 1, "s: no labels of nodes of the graph"},
	{"labels: all of weight 0", seeds("a x 0\nd y 0\n"), 1, "s: no labels of nodes of the graph"},
	{"labels: two labels", seeds("a x\nd y\na y\n"), 1, `s:3: node "a" has label "y", but "x" on line 1; expected one label a node, or a weight with each`},
	{"labels: a weight and none", seeds("a x 0.5\na y\n"), 1, `s:2: node "a" has label "y", but "x" on line 1; expected one label a node, or a weight with each`},
	{"labels: empty label", seeds("a\tx\nd\t\t1\n"), 1, "s:2: empty label in column 2"},
	{"labels: empty id", seeds("a,x\n,y\n"), 1, "s:2: empty node id in column 1"},
	{"labels: weight nan", seeds("a x\nd y nan\n"), 1, `s:2: weight "nan" is not finite`},
	{"labels: weight negative", seeds("a x\nd y -1\n"), 1, `s:2: weight "-1" is negative`},
	{"labels: weight too large", seeds("a x\nd y 1e10\n"), 1, `s:2: label weight "1e+10", expected 0 or between 1e-09 and 1e+09`},
	{"labels: weight too small", seeds("a x\nd y 1e-10\n"), 1, `s:2: label weight "1e-10", expected 0 or between 1e-09 and 1e+09`},
	{"labels: weight hexadecimal", seeds("a x\nd y 0x1\n"), 1, `s:2: weight "0x1" is not a decimal number`},
	{"labels: control byte", seeds("a x\nd y\x1b[31m\n"), 1, "s:2: control byte 0x1b"},
	{"labels: Latin-1", seeds("a x\nd \xfc\n"), 1, `s:2: "d \xfc" is not UTF-8`},
	{"labels: a tab that the output cannot hold", seeds("a,x\nd,y\tz\n"), 1, `"y\tz"`},
	{"labels: a prior for a label that is not there", seeds("a x\nd y\n", "--class-prior x=1,z=1"), 2, `--class-prior names "z", expected each label of the seeds once`},
	{"labels: a prior without a label", seeds("a x\nd y\n", "--class-prior x=1"), 2, `--class-prior has no share for label "y"`},
	{"labels: a prior of 0", seeds("a x\nd y\n", "--class-prior x=0,y=1"), 2, `--class-prior "x=0", expected label=share with a share above 0`},
	{"labels: a prior of nan", seeds("a x\nd y\n", "--class-prior x=nan,y=1"), 2, `--class-prior "x=nan", expected label=share`},
	{"labels: a prior given twice", seeds("a x\nd y\n", "--class-prior x=1,x=1"), 2, `--class-prior names "x", expected each label of the seeds once`},
	{"labels: accepted: one class", seeds("a x\nd x\n"), 0, "2 in 1 classes"},
	{"labels: accepted: the same twice", seeds("a x\na x\nd y\n"), 0, "seeds"},
	{"labels: accepted: soft", seeds("a x 0.5\na y 0.5\nd y 1\n"), 0, "in 2 classes"},
	{"labels: accepted: skipped are counted", seeds("a x\nq x\nd y\n", "--unknown-labels skip --report out.json"), 0, `"unknown": 1`},
	{"labels: accepted: every node", seeds("a x\nb y\nc x\nd y\n"), 0, "4 seed"},
}

// topologyCases are graphs of an unusual shape.
var topologyCases = []trouble{
	{"topology: top-k as large as the graph", edges("a b\nb c\nc d\n", "--topk 4"), 2, "top-k of 4 with 4 nodes"},
	{"topology: dense on a large graph", edges(path(5001)+"a 0\nd 0\n", "--method dense"), 2, "5000"},
	{"topology: k as large as the points", vectors("x.csv", "1,2\n3,4\n5,6\n", "--k 3"), 2, "k = 3 for 3 points, expected fewer neighbours than points"},
	{"topology: one point", vectors("x.csv", "1,2\n"), 1, "1 points, expected at least 2"},
	{"topology: accepted: only loops", seedsOf("a x\nb y\n", "a a\nb b\nc c\n"), 0, "3 nodes, 0 edges … 1 unreached … 3 self-loops dropped"},
	{"topology: accepted: one node", given{args: "run --edges g --labels s --out out", files: map[string]string{"g": "a a\n", "s": "a x\n"}}, 0, "1 nodes, 0 edges"},
	{"topology: accepted: two nodes", given{args: "run --edges g --labels s --out out", files: map[string]string{"g": "a b\n", "s": "a x\n"}}, 0, "b\tx"},
	{"topology: accepted: no seed in a component", seedsOf("a x\nb y\n", "a b\nc d\nd e\nf f\n"), 0, "warning [unreached]: 4 nodes are in components without a seed"},
	{"topology: accepted: seeds of isolated nodes only", seedsOf("a x\nb y\n", "a a\nb b\nc d\nd e\n"), 0, "3 unreached"},
	{"topology: accepted: a star", seedsOf("1 x\n2 y\n", star(300)), 0, "300 nodes, 299 edges"},
	{"topology: accepted: bipartite", seedsOf("a x\nd y\n", "a c\na d\nb c\nb d\n"), 0, "4 nodes, 4 edges"},
	{"topology: accepted: a limit was reached", edges("a b\nb c\nc d\n", "--max-iterations 1"), 0, "warning [not-converged]"},
	{"topology: a limit that counts", edges("a b\nb c\nc d\n", "--max-iterations 1 --require-converged"), 6, "adp-sparse: not converged"},
	{"topology: accepted: a path of 3,000", seedsOf("0 x\n2999 y\n", path(3000)), 0, "3,000 nodes, 2,999 edges … nodes by status: 2 seed, 2,998 predicted\n"},
	{"topology: accepted: a path too long for float32", seedsOf("0 x\n2999 y\n", path(3000), "--method lgc --alpha 0.1"), 0, "nodes by status: 2 seed, 2,998 predicted\n"},
}

// rowNames runs on three points whose names are in a file.
func rowNames(text string) given {
	return given{
		args:  "run --features x.csv --k 1 --nodes names --labels s --out -",
		files: map[string]string{"x.csv": "1,2\n3,4\n9,9\n", "names": text, "s": "a x\nc y\n"},
	}
}
