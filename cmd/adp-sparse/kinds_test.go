//go:build unix

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kind is a kind of misreading: what a file has that a reader could drop, or take for something else.
type kind struct {
	name  string
	cells []cell
}

// cell is a kind in a format: the smallest file that has it, and what the program makes of it.
type cell struct {
	format string // a column of the table
	in     string // the file
	is     string // as [outcome] has it
	want   string // the content that was read, see [reader]; of a refusal a piece of the message
	flags  string
}

// reader is what reads some formats.
type reader struct {
	title   string
	formats []string
	kinds   []kind
	// read runs the program on the file of a cell in the folder dir. It returns the exit code, the
	// standard errors, the documents with notes, and the content that was read in one line.
	read func(c *cell, run func(args string) (code int, stdout, stderr string), dir string) (o outcome, content string)
}

// outcome is what became of a file.
type outcome struct {
	code    int
	message string
	warned  map[string]bool // codes of warnings
	counted map[string]bool // of notes, and of what reports count without
}

// String is the text of an outcome in the table: right, warned and counted with codes, or refused with
// the exit code.
func (o *outcome) String() string {
	if o.code != 0 {
		return fmt.Sprintf("refused %d", o.code)
	}
	var parts []string
	for _, part := range []struct {
		verb  string
		codes map[string]bool
	}{{"warned", o.warned}, {"counted", o.counted}} {
		if len(part.codes) > 0 {
			parts = append(parts, part.verb+" "+strings.Join(slices.Sorted(maps.Keys(part.codes)), ", "))
		}
	}
	if len(parts) == 0 {
		return "right"
	}
	return strings.Join(parts, "; ")
}

var warning = regexp.MustCompile(`(?m)^warning \[([a-z0-9-]+)\]`)

// take adds the warnings of standard error and the notes of JSON.
func (o *outcome) take(stderr, document string) {
	for _, found := range warning.FindAllStringSubmatch(stderr, -1) {
		o.warned[found[1]] = true
	}
	var top any
	if json.Unmarshal([]byte(document), &top) == nil {
		o.walk(top)
	}
	for _, code := range []string{"all-known", "empty-class", "overruled"} { // of any labels on so small a graph
		delete(o.warned, code)
	}
}

// walk looks for notes, and for labels that are counted as blank, in a document.
func (o *outcome) walk(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			o.walk(item)
		}
	case map[string]any:
		if blank, _ := v["blank"].(float64); blank > 0 {
			o.counted["blank"] = true
		}
		if code, ok := v["code"].(string); ok {
			if _, doubtful := v["advice"]; doubtful || v["message"] != nil {
				o.warned[code] = true
			} else if !o.warned[code] {
				o.counted[code] = true
			}
		}
		for _, item := range v {
			o.walk(item)
		}
	}
}

// sortedRows returns the lines of a text, sorted, with blanks between fields, as one line.
func sortedRows(text string) string {
	rows := strings.Split(strings.TrimSuffix(strings.NewReplacer("\t", " ", ",", " ").Replace(text), "\n"), "\n")
	slices.Sort(rows)
	return strings.Join(rows, "; ")
}

// TestKinds runs the program on each kind of misreading in each format: what is read is right by its
// values, and where a file may mean something else this is counted, warned of or refused. The tables
// in docs/misreadings.md say the same; ADPSPARSE_GOLDEN writes them.
func TestKinds(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	program := built(t)
	readers := []reader{edgeKinds(t), labelKinds(t), featureKinds(t), evalKinds(t)}
	checkKindTables(t, readers)
	for _, r := range readers {
		for _, k := range r.kinds {
			for n, c := range k.cells {
				t.Run(fmt.Sprintf("%s/%s/%s %d", r.title, k.name, c.format, n), func(t *testing.T) {
					t.Parallel()
					c.try(t, program, r)
				})
			}
		}
	}
}

// checkKindTables compares the tables in docs/misreadings.md with the cells.
func checkKindTables(t *testing.T, readers []reader) {
	t.Helper()
	const name, begin, end = "../../docs/misreadings.md", "<!-- kinds -->\n", "<!-- end of kinds -->\n"
	document := read(t, name)
	before, rest, found := strings.Cut(document, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no %q and %q", name, begin, end)
	}
	var tables strings.Builder
	for _, r := range readers {
		tables.WriteString("\n" + r.table())
	}
	want := before + begin + tables.String() + "\n" + end + after
	if os.Getenv("ADPSPARSE_GOLDEN") != "" {
		must(t, os.WriteFile(name, []byte(want), 0o644))
	} else if document != want {
		t.Errorf("%s has other tables of kinds; ADPSPARSE_GOLDEN=1 go test -run TestKinds ./cmd/adp-sparse writes them", name)
	}
}

// table returns the outcomes of the kinds by formats.
func (r *reader) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |\n|%s\n", r.title, strings.Join(r.formats, " | "), strings.Repeat("---|", len(r.formats)+1))
	for _, k := range r.kinds {
		b.WriteString("| " + k.name)
		for _, format := range r.formats {
			var found []string
			for _, c := range k.cells {
				if c.format == format && !slices.Contains(found, c.is) {
					found = append(found, c.is)
				}
			}
			b.WriteString(" | " + cmp.Or(strings.Join(found, " / "), "–"))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// try runs the program on a cell.
func (c *cell) try(t *testing.T, program string, r reader) {
	dir := t.TempDir()
	var ran strings.Builder
	run := func(args string) (int, string, string) {
		fmt.Fprintf(&ran, "\n\tadp-sparse %s", args)
		e := (&commandLine{Dir: dir, Args: strings.Fields(args)}).run(t, program)
		return e.Code, e.Stdout, e.Stderr
	}
	o, content := r.read(c, run, dir)
	checkText(t, o.message)
	got := o.String()
	if o.code != 0 {
		content = o.message
	}
	if is := content == c.want || o.code != 0 && strings.Contains(content, c.want); got != c.is || !is {
		t.Errorf("%q %s\n\tgot  %s: %s\n\twant %s: %s", c.in, c.flags, got, content, c.is, c.want)
	}
	if t.Failed() {
		t.Logf("the command lines:%s", &ran)
	}
}

// put writes files into a folder, names and contents in turn.
func put(dir string, files ...string) {
	for k := 0; k < len(files); k += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[k]), []byte(files[k+1]), 0o644); err != nil {
			panic(err)
		}
	}
}

// text returns the content of a file, empty of one that is not there.
func text(dir, name string) string {
	content, _ := os.ReadFile(filepath.Join(dir, name))
	return string(content)
}

func newOutcome(code int, stderr string) outcome {
	return outcome{code: code, message: stderr, warned: map[string]bool{}, counted: map[string]bool{}}
}

// readEdges converts a graph to JSON lines, which hold any name. The content is its edges.
func readEdges(c *cell, run func(string) (int, string, string), dir string) (outcome, string) {
	name := "g" + c.format
	flag := map[bool]string{true: " --edges ", false: " --graph "}[slices.Contains([]string{".tsv", ".csv", ".jsonl", ".parquet"}, c.format)]
	put(dir, name, c.in, "names", "1\n1.0\n2\n")
	code, _, stderr := run("convert --out out.jsonl" + flag + name + " " + c.flags)
	o := newOutcome(code, stderr)
	if code == 0 {
		_, notes, _ := run("inspect --json" + flag + name + " " + c.flags)
		o.take(stderr, notes)
	}
	var rows []string
	for line := range strings.Lines(text(dir, "out.jsonl")) {
		var edge struct {
			Src, Dst any
			Weight   json.Number
		}
		in := json.NewDecoder(strings.NewReader(line))
		in.UseNumber()
		if err := in.Decode(&edge); err == nil {
			rows = append(rows, fmt.Sprintf("%v %v %s", edge.Src, edge.Dst, edge.Weight))
		}
	}
	slices.Sort(rows)
	return o, strings.Join(rows, "; ")
}

// readLabels runs on the path 0–1–2–3. The content is the labels of its seeds.
func readLabels(c *cell, run func(string) (int, string, string), dir string) (outcome, string) {
	name, flags := "l"+strings.TrimPrefix(c.format, "text"), c.flags
	if c.format == ".csv" && !strings.Contains(flags, "--label-column") {
		flags += " --label-column label"
	}
	graph := " --edges g"
	if strings.Contains(flags, "--graph") {
		graph = ""
	}
	put(dir, "g", "0 1\n1 2\n2 3\n", "g.mtx", mm("symmetric", "4 4 3\n2 1 1\n3 2 1\n4 3 1\n"), name, c.in)
	code, _, stderr := run("run --method lgc --out out --report out.json --labels " + name + graph + " " + flags)
	o := newOutcome(code, stderr)
	o.take(stderr, text(dir, "out.json"))
	var seeds []string
	for line := range strings.Lines(text(dir, "out")) {
		if f := strings.Split(line, "\t"); strings.HasPrefix(f[len(f)-1], "seed") {
			seeds = append(seeds, f[0]+" "+f[1])
		}
	}
	return o, strings.Join(seeds, "; ")
}

// readFeatures joins points. The content is the edges to the nearest one, whose weights are cosines.
func readFeatures(c *cell, run func(string) (int, string, string), dir string) (outcome, string) {
	put(dir, "x"+c.format, c.in)
	code, _, stderr := run("knn --k 1 --metric cosine --weights cosine --out out.csv --report out.json --features x" + c.format + " " + c.flags)
	o := newOutcome(code, stderr)
	o.take(stderr, text(dir, "out.json"))
	return o, sortedRows(text(dir, "out.csv"))
}

// readScores compares predictions with the truth, of which one is the file of the cell. The content is
// the number of nodes and the accuracy.
func readScores(c *cell, run func(string) (int, string, string), dir string) (outcome, string) {
	what, ending, _ := strings.Cut(c.format, " ")
	predictions, truth := "p.tsv", "t.tsv"
	if name := what[:1] + strings.TrimPrefix(ending, "text"); what == "truth" {
		truth = name
	} else {
		predictions = name
	}
	put(dir, "p.tsv", predictedRows("0 x", "1 y"), "t.tsv", "0\tx\n1\ty\n")
	put(dir, map[bool]string{true: truth, false: predictions}[what == "truth"], c.in)
	code, scores, stderr := run("eval --json --predictions " + predictions + " --truth " + truth + " " + c.flags)
	o := newOutcome(code, stderr)
	o.take(stderr, scores)
	var found struct {
		Nodes    int
		Unknown  int
		NoLabel  int `json:"no_label"`
		Accuracy float64
	}
	if json.Unmarshal([]byte(scores), &found) == nil && found.Unknown > 0 {
		o.counted["unknown"] = true
	}
	return o, fmt.Sprint(found.Nodes, " ", found.Accuracy)
}

// predictedRows are predictions of nodes, such as "0 x".
func predictedRows(rows ...string) string {
	out := "node\tlabel\tconfidence\tmargin\tstatus\n"
	for _, row := range rows {
		out += strings.Replace(row, " ", "\t", 1) + "\t1\t1\tpredicted\n"
	}
	return out
}

// wholeFile is a file of a format that is given whole, in part, and compressed.
type wholeFile struct {
	format, text string
	is, want     string // of the whole file
	empty        string // a piece of the message where nothing is in it
	cutIs, cut   string // the outcome and the content where the last three bytes are missing
}

// wholeFiles are the kinds of whole files.
func wholeFiles(t *testing.T, files []wholeFile) []kind {
	empty, cut, gzip, zstd, others := kind{name: "an empty file"}, kind{name: "a file whose end is missing"}, kind{name: "gzip"}, kind{name: "zstd"}, kind{name: "xz, bzip2"}
	for _, f := range files {
		empty.cells = append(empty.cells, cell{f.format, "", "refused 1", f.empty, ""})
		cut.cells = append(cut.cells, cell{f.format, f.text[:len(f.text)-3], f.cutIs, f.cut, ""})
		gzip.cells = append(gzip.cells, cell{f.format, packed(t, "x.gz", f.text), f.is, f.want, ""})
		zstd.cells = append(zstd.cells, cell{f.format, packed(t, "x.zst", f.text), f.is, f.want, ""})
		others.cells = append(others.cells, cell{f.format, "\xfd7zXZ\x00" + f.text, "refused 1", "xz", ""}, cell{f.format, "BZh91AY&SY" + f.text, "refused 1", "bzip2", ""})
	}
	return []kind{empty, cut, gzip, zstd, others}
}
