package format

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of formats into docs/formats.md")

// TestTable: the table in docs/formats.md is that of the registry.
func TestTable(t *testing.T) {
	const name = "../../../../docs/formats.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	table := tableOfFormats()
	head, _, _ := strings.Cut(table, "\n")
	before, rest, found := strings.Cut(string(text), head+"\n")
	if !found {
		t.Fatalf("%s has no table that begins with %s", name, head)
	}
	at := strings.Index(rest, "\n\n")
	want := before + table + rest[at+1:]
	switch {
	case want == string(text):
	case *update:
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s has another table than the registry; go test ./cmd/adp-sparse/internal/format -update writes it:\n%s", name, table)
	}
}

// TestRegistry: formats are told apart by their endings and starts, and can be read.
func TestRegistry(t *testing.T) {
	var seen []string
	for _, f := range all {
		if f.Read == nil || f.Title == "" || f.What == "" || f.Flag != "edges" && f.Flag != "graph" || len(f.Endings) == 0 {
			t.Errorf("%+v lacks something", f)
		}
		for _, key := range slices.Concat(f.Endings, f.Starts) {
			if slices.Contains(seen, key) {
				t.Errorf("%q is of two formats", key)
			}
			seen = append(seen, key)
		}
		for _, ending := range f.Endings {
			if got, known := ByName("A" + strings.ToUpper(ending) + ".gz"); got != f || !known {
				t.Errorf("%s is taken for %v", ending, got)
			}
		}
		for _, start := range f.Starts {
			if got, known := ByContent([]byte(start + " more")); got != f || !known {
				t.Errorf("%q is taken for %v", start, got)
			}
		}
	}
}

// TestDecide: ending and content must agree, and be for the flag.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		flag, name, head string
		want             *Format
		fault            string
	}{
		{"edges", "a.tsv", "a b", EdgeList, ""},
		{"edges", "a.mtx", "a b", EdgeList, ""},
		{"edges", "-", "PAR1", Parquet, ""},
		{"edges", "a.tsv", "PAR1", Parquet, ""},
		{"edges", "a.pq", "PK\x03\x04", nil, "the content is a .npz (zip) archive, the ending that of a Parquet file"},
		{"edges", "-", "\ufeff <?XML", nil, "is a GraphML (XML) file, which is read by --graph"},
		{"graph", "a.parquet", "PAR1", nil, "is a Parquet file, which is read by --edges"},
		{"graph", "a.metis", "3 2", METIS, ""},
		{"graph", "-", "PK\x03\x04", NPZ, ""},
		{"graph", "a.el", "3 2", nil, "is an edge list, which is read by --edges"},
		{"graph", "-", "3 2", nil, "expected a file .csr, .mtx, .npz, .graph (METIS) or .graphml; edge lists, Parquet files and JSON-lines files are read"},
	} {
		got, err := Decide(c.flag, c.name, []byte(c.head))
		if got != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("--%s %s, %q: %v, %v", c.flag, c.name, c.head, got, err)
		}
	}
}

// tableOfFormats is the table of the formats in docs/formats.md.
func tableOfFormats() string {
	var b strings.Builder
	b.WriteString("| format | ending | flag | in | out | names | weights |\n|---|---|---|---|---|---|---|\n")
	for _, f := range all {
		known := "`" + strings.Join(f.Endings, "`, `") + "`"
		if f == EdgeList {
			known = "`.tsv`, `.csv`, any other"
		}
		fmt.Fprintf(&b, "| %s | %s | `--%s` | yes | %s | %s | %s |\n", f.Title, known, f.Flag,
			map[bool]string{true: "yes", false: "no"}[f.Write != nil], map[bool]string{true: "any", false: "rows"}[f.Names], f.Weights)
	}
	return b.String()
}
