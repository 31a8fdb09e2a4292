//go:build unix

package main

import (
	"strings"
	"testing"
)

// jsonEdges converts edges in JSON lines.
func jsonEdges(content string, more ...string) given {
	args := append([]string{"convert --out out.tsv --edges x.jsonl"}, more...)
	return given{args: strings.Join(args, " "), files: map[string]string{"x.jsonl": content}}
}

// jsonCases are edges in JSON lines with faults; package csr/edgejson tests more.
func jsonCases(t *testing.T) []trouble {
	const good = `{"src":"a","dst":"b"}` + "\n"
	return []trouble{
		{"json: empty", jsonEdges(""), 1, "x.jsonl: no edges, expected at least one"},
		{"json: a list", jsonEdges(good + "[1,2]\n"), 1, `x.jsonl:2: "[1,2]", expected an object such as`},
		{"json: text", jsonEdges("a b\n"), 1, `x.jsonl:1: "a b", expected an object`},
		{"json: a line that is cut", jsonEdges(good + `{"src":"a","d`), 1, "x.jsonl:2: the object does not end on its line"},
		{"json: no end", jsonEdges(`{"src":"a"}`), 1, "x.jsonl:1: no ends of an edge, expected src and dst, source and target, or from and to"},
		{"json: a null", jsonEdges(`{"src":null,"dst":1}`), 1, `x.jsonl:1: src "null", expected text or a whole number`},
		{"json: a negative weight", jsonEdges(`{"src":2,"dst":1,"weight":-1}`), 1, `x.jsonl:1: weight "-1" is negative, expected at least 0`},
		{"json: a weight in quotes", jsonEdges(`{"src":2,"dst":1,"weight":"1"}`), 1, "x.jsonl:1: weight"},
		{"json: an edge twice", jsonEdges(good+good, "--duplicates error"), 1, "x.jsonl:2: "},
		{"json: a header", jsonEdges(good, "--header yes"), 2, "--header is for text; x.jsonl is a JSON-lines file, whose columns have names"},
		{"json: columns", jsonEdges(good, "--columns a,b"), 2, "--columns is for --edges in an edge list or a Parquet file; x.jsonl is a JSON-lines file"},
		{"json: as a graph", given{args: "convert --out out.tsv --graph x.jsonl", files: map[string]string{"x.jsonl": good}}, 2, "is a JSON-lines file, which is read by --edges"},
		{"json: another content", jsonEdges("PAR1PAR1"), 1, "the content is a Parquet file, the ending that of a JSON-lines file"},
		{"json: bomb of one line", given{args: "convert --out out.tsv --edges x.jsonl.gz", files: map[string]string{"x.jsonl.gz": packedFrom(t, ".gz", repeated("{", 1<<26))}}, 1, "x.jsonl.gz:1: longer than 1048576 bytes"},
		{"json: labels", given{args: "run --edges g --labels s --out out.jsonl", files: map[string]string{}}, 2, "labels are written as text"},
		{"json: accepted", jsonEdges("\n" + good + `{"x":[1],"to":"c","from":"b","weight":0.5}`), 0, "a\tb\t1\nb\tc\t0.5"},
	}
}
