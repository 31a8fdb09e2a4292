package edgejson

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// Options are the options of [Read].
type Options struct {
	Edges edgelist.Options // Header is not looked at
	// MemoryLimit refuses a file whose edges need more bytes. Zero means no limit.
	MemoryLimit int64
}

// edgeBytes is the peak of [edgelist.Read] for an edge, leastBytes the memory beside them.
const (
	edgeBytes  = 36
	leastBytes = 24 << 20
)

// Read reads the edges in r, which is not decompressed. The file name is for messages. The ends
// of an edge are src and dst, else source and target, else from and to, or another pair that edge lists know: text, or whole numbers of
// 64 bits, which name the same node as their digits in text. The weight, at least 0 and finite, is
// 1 where there is none. Other keys are skipped, and so are empty lines; the notes count them. A line has at most
// [lines.MaxLine] bytes.
//
// Memory: that of [edgelist.Read]. Time: about 3.5 µs an edge, on one core.
func Read(r io.Reader, name string, opt Options) (*edgelist.Graph, error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 64<<10), lines.MaxLine)
	g := edgelist.NewGatherer(name, opt.Edges)
	edges, line, blank := int64(0), 0, 0
	seen := keys{}
	for in.Scan() {
		line++
		text := in.Bytes()
		if line == 1 {
			text = lines.TrimMark(text)
		}
		if text = bytes.Trim(text, " \t\r"); len(text) == 0 {
			blank++
			continue
		}
		src, dst, weight, err := seen.edge(text)
		if err != nil {
			return nil, &lines.Error{File: name, Line: line, Msg: err.Error()}
		}
		if edges++; opt.MemoryLimit > 0 && edges > (opt.MemoryLimit-leastBytes)/edgeBytes {
			return nil, fmt.Errorf("%w: the first %d edges of %s need %.3g GB, of %.3g", edgelist.ErrMemory, edges, name,
				(float64(edges)*edgeBytes+leastBytes)/1e9, float64(opt.MemoryLimit)/1e9)
		}
		if err := g.Edge(src, dst, weight, line); err != nil {
			return nil, err
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &lines.Error{File: name, Line: line + 1, Msg: fmt.Sprintf("longer than %d bytes", lines.MaxLine)}
	case err != nil:
		return nil, &lines.ReadError{File: name, Line: line + 1, Err: err}
	}
	graph, err := g.Graph()
	if err == nil {
		seen.note(&graph.Notes, int(edges), opt.Edges.Directed)
		graph.Notes.Add(notes.BlankLines, blank, 0, "")
	}
	return graph, err
}

// keys are what the lines have beside the ends.
type keys struct {
	others  []string // that are skipped
	weights int      // lines with a weight
	arrows  string   // a key that is skipped and says that edges are directed
}

// mostKeys bounds the keys that are kept.
const mostKeys = 64

// skip keeps a key that is skipped.
func (k *keys) skip(key string) {
	if len(k.others) < mostKeys && !slices.Contains(k.others, key) {
		k.others = append(k.others, key)
	}
}

// skipEnds keeps the ends of edges that are not read, where a line has several.
func (k *keys) skipEnds(values map[string]any, read [2]string) {
	for _, pair := range lines.EdgeTitles {
		for _, key := range pair {
			if _, has := values[key]; has && key != read[0] && key != read[1] {
				k.skip(key)
			}
		}
	}
}

// note notes the keys that were skipped, and the edges without a weight where others have one. A key
// that may be the weight is a doubt where nothing else is.
func (k *keys) note(list *notes.List, edges int, directed bool) {
	text := lines.Titles(k.others)
	if at := slices.IndexFunc(k.others, lines.MayWeigh); at >= 0 && k.weights == 0 {
		list.Doubt(notes.Attributes, len(k.others), 0, text, fmt.Sprintf("if %s is the weight, call it weight", lines.Quote([]byte(k.others[at]))))
	} else {
		list.Add(notes.Attributes, len(k.others), 0, text)
	}
	if k.arrows != "" && !directed {
		list.Doubt(notes.Directions, 1, 0, k.arrows, "edges are read without directions; if they have some, say edgelist.Options.Directed")
	}
	if k.weights > 0 {
		list.Add(notes.DefaultWeights, edges-k.weights, 0, "")
	}
}

// edge returns the ends and the weight of a line.
func (k *keys) edge(text []byte) (src, dst []byte, weight float64, err error) {
	values, err := k.object(text)
	if err != nil {
		return nil, nil, 0, err
	}
	for _, pair := range lines.EdgeTitles {
		a, hasA := values[pair[0]]
		b, hasB := values[pair[1]]
		if !hasA || !hasB {
			continue
		}
		if src, err = id(pair[0], a, text); err == nil {
			dst, err = id(pair[1], b, text)
		}
		if err == nil {
			weight, err = weightOf(values)
		}
		if _, has := values["weight"]; has {
			k.weights++
		}
		k.skipEnds(values, pair)
		return src, dst, weight, err
	}
	return nil, nil, 0, errors.New("no ends of an edge, expected src and dst, source and target, or from and to")
}

// object returns the values of the keys of an edge in a line, which is one object.
func (k *keys) object(text []byte) (values map[string]any, err error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8")
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if start, err := in.Token(); err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("%s, expected an object such as {\"src\": \"a\", \"dst\": \"b\"}", lines.Quote(text))
	}
	values = map[string]any{}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil, fault(err)
		}
		var value any
		if err := in.Decode(&value); err != nil {
			return nil, fault(err)
		}
		name := known(key.(string)) // keys of objects are text
		if name == "" {
			k.skip(key.(string))
			if text, _ := value.(string); value == true && strings.EqualFold(key.(string), "directed") || strings.EqualFold(text, "directed") {
				k.arrows = key.(string)
			}
			continue
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("%s stands there twice", name)
		}
		values[name] = value
	}
	if _, err := in.Token(); err != nil {
		return nil, fault(err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("more than one object, expected one a line")
	}
	return values, nil
}

// known returns the key of an edge that a key is; the weight is in whatever letters.
func known(key string) string {
	for _, pair := range lines.EdgeTitles {
		if key == pair[0] || key == pair[1] {
			return key
		}
	}
	if strings.EqualFold(key, "weight") {
		return "weight"
	}
	return ""
}

// fault describes the fault in the JSON of a line.
func fault(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the object does not end on its line")
	}
	return fmt.Errorf("no JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// id returns the name of a node.
func id(key string, value any, text []byte) ([]byte, error) {
	switch v := value.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return strconv.AppendInt(nil, n, 10), nil
		}
		if !strings.ContainsAny(string(v), ".eE") {
			return nil, fmt.Errorf("%s %s, expected text or a whole number of 64 bits: write it in quotes", key, shown(value))
		}
	case string:
		name := bytes.Trim([]byte(v), lines.Blanks)
		if bytes.ContainsFunc(name, lines.IsControl) {
			return nil, fmt.Errorf("%s %s, expected no control characters", key, shown(value))
		}
		// The decoder makes U+FFFD of half a surrogate pair.
		if len(name) > 0 && (!bytes.ContainsRune(name, utf8.RuneError) || bytes.ContainsRune(text, utf8.RuneError)) {
			return name, nil
		}
	}
	return nil, fmt.Errorf("%s %s, expected text or a whole number", key, shown(value))
}

// weightOf returns the weight of an edge, 1 where it has none.
func weightOf(values map[string]any) (float64, error) {
	value, ok := values["weight"]
	if !ok {
		return 1, nil
	}
	number, ok := value.(json.Number)
	if !ok {
		return 0, fmt.Errorf("weight %s, expected a number of at least 0", shown(value))
	}
	return lines.ParseWeight([]byte(number))
}

// shown is a value in a message.
func shown(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return lines.Quote(fmt.Append(nil, value))
	}
	return lines.Quote(text)
}
