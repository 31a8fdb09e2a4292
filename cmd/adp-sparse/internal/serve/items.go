package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
	"github.com/adp-sparse/adp-sparse/internal/service"
	"github.com/adp-sparse/adp-sparse/internal/stream"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// itemEnding is the ending of --items, in lower case.
func (f *flags) itemEnding() string { return strings.ToLower(filepath.Ext(stream.TrimEnding(f.items))) }

// tables are the endings of tables of items, with the separator of those that are text.
var tables = map[string]rune{".csv": ',', ".tsv": '\t', ".jsonl": 0, ".ndjson": 0, ".parquet": 0}

// checkItems checks the flags of items.
func (f *flags) checkItems() error {
	_, isTable := tables[f.itemEnding()]
	isVectors := f.itemEnding() == ".npy"
	switch {
	case f.items != "" && !isTable && !isVectors:
		return usage.Errorf("--items %s, expected .csv, .tsv, .jsonl or .parquet, or .npy with --image-shape", f.items)
	case isVectors && f.imageShape == "":
		return usage.Errorf("--items %s are vectors: say which pictures they are, --image-shape HEIGHTxWIDTH", f.items)
	case !isTable && (f.given("items-id") || f.given("items-root") || f.given("items-image")):
		return usage.Errorf("--items-id, --items-root and --items-image are for a table of --items")
	case f.picture != "" && f.itemsRoot == "":
		return usage.Errorf("--items-image names a column of paths: say which folder they are in, --items-root FOLDER")
	case f.imageShape != "" && !isVectors && f.Features.File == "":
		return usage.Errorf("--image-shape is for --features, or for --items FILE.npy")
	case f.imageShape != "" && !isVectors && outputs.IsStandard(f.Features.File, "in"):
		return usage.Errorf("--image-shape reads --features once more: they cannot be standard input")
	case f.imageShape == "":
		return nil
	}
	text, columns := strings.CutSuffix(strings.ToLower(f.imageShape), ",columns")
	words, sides := strings.Split(text, "x"), [3]int{0, 0, 1}
	ok := len(words) == 2 || len(words) == 3
	for k := 0; ok && k < len(words); k++ {
		side, err := strconv.Atoi(words[k])
		sides[k] = side
		ok = err == nil && side > 0 && side <= 4096
	}
	if f.shape = (service.Shape{Height: sides[0], Width: sides[1], Channels: sides[2], Columns: columns}); !ok || f.shape.Channels != 1 && f.shape.Channels != 3 {
		return usage.Errorf("--image-shape %s, expected HEIGHTxWIDTH or HEIGHTxWIDTHx3, such as 28x28, and ,columns after it for values by columns", f.imageShape)
	}
	return nil
}

// readItems reads what the nodes stand for; nil for nothing.
func (f *flags) readItems(std streams.Stdio, graph *opened.Graph) (*service.Items, error) {
	if f.items == "" && f.imageShape == "" {
		return nil, nil
	}
	x := service.NewItems(graph.IDs.Len())
	if f.imageShape != "" {
		if err := f.readPixels(std, graph, x); err != nil {
			return nil, err
		}
	}
	if _, isTable := tables[f.itemEnding()]; !isTable {
		return x, nil
	}
	if f.itemsRoot != "" {
		root, err := os.OpenRoot(f.itemsRoot)
		if err != nil {
			return nil, err
		}
		x.Root = root
	}
	if err := f.readTable(std, graph, x); err != nil {
		if x.Root != nil {
			err = errors.Join(err, x.Root.Close())
		}
		return nil, err
	}
	return x, nil
}

// readPixels makes vectors pictures.
func (f *flags) readPixels(std streams.Stdio, graph *opened.Graph, x *service.Items) error {
	name, opt := f.items, vecs.Options{MemoryLimit: f.Memory.Data()}
	if f.itemEnding() != ".npy" {
		name = f.Features.File
		opt = vecs.Options{Format: f.flag("format"), Array: f.flag("array"), IDColumn: f.Features.Pick.ID, Columns: f.Features.Pick.Only, Without: slices.Concat(f.Features.Without, f.Features.Pick.Drop), Comments: f.Features.Comments, MemoryLimit: f.Memory.Data()}
		if len(f.Features.Without) > 0 {
			opt.Header = vecs.HeaderYes
		}
	}
	return inputs.Read(name, std, func(r io.Reader, shown string, size int64) error {
		vectors, err := points.ReadPoints(r, shown, size, opt)
		if errors.Is(err, vecs.ErrMemory) {
			return opened.TooMuch(f.Memory, err, "fewer or smaller pictures")
		}
		if err != nil {
			return err
		}
		rows := vectors.Rows()
		switch {
		case vectors.Dense == nil:
			return usage.Errorf("--image-shape takes dense vectors, and %s is sparse", shown)
		case vectors.Dense.Cols != f.shape.Size():
			return usage.Errorf("--image-shape %s is %d numbers, and the vectors of %s have %d", f.imageShape, f.shape.Size(), shown, vectors.Dense.Cols)
		}
		names := vectors.IDs
		if names == nil {
			if names, err = f.Features.Names.Of(std, ids.Sequence(rows)); err != nil {
				return err
			}
		}
		nodes := make([]int, rows)
		for k := range nodes {
			node, ok := graph.IDs.Lookup([]byte(names.Name(k)))
			if !ok {
				return &lines.Error{File: shown, Msg: fmt.Sprintf("row %d is node %s, which is not in the graph", k, lines.Quote([]byte(names.Name(k))))}
			}
			nodes[k] = int(node)
		}
		x.SetPixels(f.shape, vectors.Dense, nodes)
		return nil
	})
}

// readTable reads texts and paths of pictures.
func (f *flags) readTable(std streams.Stdio, graph *opened.Graph, x *service.Items) error {
	t := &itemTable{flags: f, graph: graph, to: x}
	if err := inputs.Read(f.items, std, func(r io.Reader, name string, size int64) error {
		t.name = name
		if f.itemEnding() == ".parquet" {
			return t.parquet(r, size)
		}
		plain, _, err := format.Decompress(r, name, size)
		if err != nil {
			return err
		}
		if separator := tables[f.itemEnding()]; separator != 0 {
			return t.text(plain, separator)
		}
		return t.json(plain)
	}); err != nil {
		return err
	}
	n := graph.IDs.Len()
	if t.id < 0 && t.rows != n {
		return t.errorf(0, "%s without a column of node ids (--items-id), expected one for each of the %s", figures.Counted(t.rows, "row"), figures.Counted(n, "node"))
	}
	if f.quiet {
		return nil
	}
	none := 0
	for i := range n {
		if !x.Has(i) {
			none++
		}
	}
	if none > 0 {
		fmt.Fprintf(std.Err, "%s without an item in %s\n", figures.Counted(none, "node"), streams.Clean(f.items))
	}
	if t.strangers > 0 {
		fmt.Fprintf(std.Err, "%s of %s left out: no such node in the graph, first %s in line %d\n", figures.Counted(t.strangers, "item"), streams.Clean(f.items), lines.Quote([]byte(t.stranger)), t.strangerLine)
	}
	return nil
}

// itemTable is a table of items under way.
type itemTable struct {
	*flags
	graph        *opened.Graph
	to           *service.Items
	name         string
	id, path     int // columns, -1 for none
	shown        []int
	rows         int
	strangers    int // rows of nodes that are not in the graph
	stranger     string
	strangerLine int
}

func (t *itemTable) errorf(line int, format string, args ...any) error {
	return &lines.Error{File: t.name, Line: line, Msg: fmt.Sprintf(format, args...)}
}

// titles takes the names of the columns.
func (t *itemTable) titles(titles []string, line int) error {
	t.id, t.path = -1, -1
	find := func(said, what string, usual ...string) (int, error) {
		if said != "" {
			if at := slices.Index(titles, said); at >= 0 {
				return at, nil
			}
			return -1, t.errorf(line, "no column %s for %s, expected one of %s", lines.Quote([]byte(said)), what, lines.Titles(titles))
		}
		return slices.IndexFunc(titles, func(title string) bool { return slices.Contains(usual, strings.ToLower(title)) }), nil
	}
	var err error
	if t.id, err = find(t.itemsID, "node ids (--items-id)", "id", "node"); err != nil {
		return err
	}
	if t.itemsRoot != "" {
		if t.path, err = find(t.picture, "paths of pictures (--items-image)", "image", "picture", "path", "file", "filename"); err != nil {
			return err
		}
		if t.path < 0 {
			return t.errorf(line, "no column of paths of pictures, expected image, picture, path, file or filename, or --items-image")
		}
	}
	for k, title := range titles {
		if k != t.id {
			t.shown = append(t.shown, k)
			t.to.Titles = append(t.to.Titles, title)
		}
	}
	return nil
}

// row takes a row.
func (t *itemTable) row(values []string, line int) error {
	at := t.rows
	t.rows++
	node := uint32(at)
	if t.id >= 0 {
		var ok bool
		if node, ok = t.graph.IDs.Lookup([]byte(values[t.id])); !ok {
			if t.strangers++; t.strangers == 1 {
				t.stranger, t.strangerLine = values[t.id], line
			}
			return nil
		}
	} else if at >= t.graph.IDs.Len() {
		return t.errorf(line, "more rows than the %s of the graph; without a column of node ids (--items-id) rows are nodes", figures.Counted(t.graph.IDs.Len(), "node"))
	}
	if t.to.HasTexts(int(node)) {
		return t.errorf(line, "a second item of node %s", lines.Quote([]byte(t.graph.IDs.Name(int(node)))))
	}
	texts := make([]string, len(t.shown))
	for k, column := range t.shown {
		if texts[k] = values[column]; !utf8.ValidString(texts[k]) {
			return t.errorf(line, "%s is not UTF-8", lines.Quote([]byte(texts[k])))
		}
	}
	path := ""
	if t.path >= 0 {
		path = filepath.FromSlash(values[t.path])
	}
	t.to.Set(int(node), texts, path)
	return t.Memory.Allows("items of "+t.name, t.to.Bytes())
}

// text reads a csv file with a header.
func (t *itemTable) text(r io.Reader, separator rune) error {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(4096); separator == ',' {
		first, _, _ := bytes.Cut(head, []byte{'\n'})
		if bytes.Count(first, []byte{';'}) > bytes.Count(first, []byte{','}) {
			separator = ';'
		}
	}
	table := csv.NewReader(in)
	table.Comma, table.ReuseRecord = separator, true
	table.LazyQuotes = separator == '\t'
	for first := true; ; first = false {
		values, err := table.Read()
		var fault *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && first:
			return t.errorf(1, "no header, expected the titles of the columns")
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &fault):
			return t.errorf(fault.Line, "%v; expected as many columns as the header has, with quotes around texts that hold a separator", fault.Err)
		case err != nil:
			return &lines.ReadError{File: t.name, Line: t.rows + 1, Err: err}
		}
		line, _ := table.FieldPos(0)
		if first {
			values = slices.Clone(values)
			values[0] = string(lines.TrimMark([]byte(values[0])))
			err = t.titles(values, line)
		} else {
			err = t.row(values, line)
		}
		if err != nil {
			return err
		}
	}
}

// mostLine is the most bytes of a line of JSON.
const mostLine = 16 << 20

// json reads an object a line. The keys of the first are the columns.
func (t *itemTable) json(r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, mostLine)
	var titles []string
	line := 0
	for in.Scan() {
		line++
		text := in.Bytes()
		if line == 1 {
			text = lines.TrimMark(text)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		keys, values, err := object(text)
		if err != nil {
			return t.errorf(line, "%v, expected a JSON object", err)
		}
		if titles == nil {
			titles = keys
			if err := t.titles(titles, line); err != nil {
				return err
			}
		}
		row := make([]string, len(titles))
		for k, key := range keys {
			at := slices.Index(titles, key)
			if at < 0 {
				return t.errorf(line, "key %s, expected one of the first line: %s", lines.Quote([]byte(key)), lines.Titles(titles))
			}
			row[at] = values[k]
		}
		if err := t.row(row, line); err != nil {
			return err
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return t.errorf(line+1, "more than %d bytes", mostLine)
	} else if err != nil {
		return &lines.ReadError{File: t.name, Line: line + 1, Err: err}
	}
	if titles == nil {
		return t.errorf(1, "no item, expected a JSON object a line")
	}
	return nil
}

// object returns the keys of a JSON object in their order, and its values as texts.
func object(text []byte) (keys, values []string, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil, nil, cmp.Or(err, errors.New("no object"))
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, err
		}
		shown := string(value)
		if value[0] == '"' {
			if err := json.Unmarshal(value, &shown); err != nil {
				return nil, nil, err
			}
		} else if shown == "null" {
			shown = ""
		}
		keys, values = append(keys, token.(string)), append(values, shown)
	}
	if _, err := d.Token(); err != nil { // its end
		return nil, nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("more after the object")
	}
	return keys, values, nil
}

// parquet reads a Parquet file.
func (t *itemTable) parquet(r io.Reader, size int64) error {
	at, size, err := format.WholeParquet(r, t.name, size)
	if err != nil {
		return err
	}
	table, err := parquet.Open(at, t.name, size)
	if err != nil {
		return err
	}
	columns := table.Columns()
	if err := t.titles(columns, 0); err != nil {
		return err
	}
	row := make([]string, len(columns))
	return table.Read(columns, func(line int, values []parquet.Value) error {
		for k, v := range values {
			if row[k] = ""; v.Kind != parquet.Null {
				row[k] = v.String()
			}
		}
		return t.row(row, line)
	})
}
