package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/adp/explain"
	"github.com/adp-sparse/adp-sparse/adp/suggest"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Limits of requests and answers.
const (
	mostBody      = 1 << 20 // bytes
	mostNodes     = 1000    // of a request
	mostListed    = 100     // neighbours, suggestions, paths, changed nodes
	mostClassRows = 10      // scores of a prediction
)

// fault is an error that a request is answered with.
type fault struct {
	code int
	says string
}

func (f fault) Error() string { return f.says }

func faultf(code int, format string, args ...any) error {
	return fault{code, fmt.Sprintf(format, args...)}
}

// question is one that the service answers.
type question struct {
	answer func(r *http.Request) (any, error)
	takes  parameters
}

// routes are the questions that there are; their answers are JSON.
func (s *Server) routes(mux *http.ServeMux) {
	allowed := map[string][]string{} // methods by address
	for pattern, q := range map[string]question{
		"GET /v1/status":     {s.status, nil},
		"GET /v1/nodes":      {s.nodes, parameters{"prefix": 1, "count": 1, "at": mostListed}},
		"GET /v1/predict":    {s.predict, parameters{"node": mostNodes}},
		"GET /v1/explain":    {s.explain, parameters{"node": 1, "top": 1}},
		"GET /v1/neighbors":  {s.neighbors, parameters{"node": 1, "top": 1}},
		"GET /v1/suggest":    {s.suggest, parameters{"count": 1}},
		"GET /v1/candidates": {s.candidates, parameters{"label": 1, "least": 1, "count": 1}},
		"GET /v1/items":      {s.items, parameters{"node": mostListed}},
		"GET /v1/picture":    {s.picture, parameters{"node": 1}},
		"GET /v1/map":        {s.mapState, nil},
		"GET /v1/map/places": {s.mapPlaces, nil},
		"GET /v1/map/labels": {s.mapLabels, nil},
		"POST /v1/labels":    {s.give, nil},
		"GET /v1/labels":     {s.labels, nil},
	} {
		mux.Handle(pattern, s.limited(q))
		method, address, _ := strings.Cut(pattern, " ")
		allowed[address] = append(allowed[address], method)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if methods := allowed[r.URL.Path]; methods != nil {
			expected := strings.Join(slices.Sorted(slices.Values(methods)), ", ")
			w.Header().Set("Allow", expected)
			writeFault(w, faultf(http.StatusMethodNotAllowed, "no %s %s, expected %s", r.Method, r.URL.Path, expected))
			return
		}
		writeFault(w, faultf(http.StatusNotFound, "no %s %s; see /openapi.json", r.Method, r.URL.Path))
	})
}

type statusRecord struct {
	Version    string        `json:"version"`
	Nodes      int           `json:"nodes"`
	Edges      int           `json:"edges"`
	Learned    int           `json:"learned_edges"`
	IsLearned  bool          `json:"learned"` // else the graph is as it was
	Seeds      int           `json:"known_labels"`
	Given      int           `json:"given_labels"`
	Labelling  int           `json:"labelling"` // goes up by one with each change
	Classes    []classRecord `json:"classes"`
	Iterations int           `json:"iterations"`
	Converged  bool          `json:"converged"`
	SavedIn    string        `json:"saved_in"` // the file of the known labels, empty for none
	Items      bool          `json:"items"`    // nodes have items
	// Mixture says that the answers are those of a mixture of methods, Behind how many times labels were given
	// that they do not know yet.
	Mixture bool `json:"mixture"`
	Behind  int  `json:"behind"`
}

type classRecord struct {
	Label     string `json:"label"`
	Place     int    `json:"place"` // stays as long as the class has a label
	Seeds     int    `json:"known_labels"`
	Predicted int    `json:"predicted"`
}

func (s *Server) status(*http.Request) (any, error) {
	l := s.model.now.Load()
	return statusRecord{
		Version: s.opt.Version, Nodes: len(l.labels), Edges: s.model.original.NNZ() / 2, Learned: s.model.edges, IsLearned: s.model.learned != s.model.original,
		Seeds: len(l.seeds.List()), Given: l.given, Labelling: l.version, Classes: l.counts, Iterations: l.stats.Iterations, Converged: l.stats.Converged,
		SavedIn: s.opt.SavedIn, Items: s.opt.Items != nil, Mixture: l.p != nil, Behind: l.behind(),
	}, nil
}

// nodes lists the names that begin with a text, for who looks for one, or those at some places.
func (s *Server) nodes(r *http.Request) (any, error) {
	if query := r.URL.Query(); query.Has("at") {
		if query.Has("prefix") || query.Has("count") {
			return nil, faultf(http.StatusBadRequest, "at and prefix or count, expected one of both")
		}
		names := []string{}
		for _, text := range query["at"] {
			i, err := strconv.Atoi(text)
			if n := s.model.names.Len(); err != nil || i < 0 || i >= n {
				return nil, faultf(http.StatusBadRequest, "at=%s, expected 0 to %d", lines.Quote([]byte(text)), n-1)
			}
			names = append(names, s.model.names.Name(i))
		}
		return map[string][]string{"nodes": names}, nil
	}
	count, err := number(r, "count", 20)
	if err != nil {
		return nil, err
	}
	prefix, names := r.URL.Query().Get("prefix"), []string{}
	if i, ok := s.model.names.Lookup([]byte(prefix)); ok {
		names = append(names, s.model.names.Name(int(i)))
	}
	var name []byte
	for i := 0; i < s.model.names.Len() && len(names) < count; i++ {
		name = s.model.names.AppendName(name[:0], i)
		if len(name) > len(prefix) && string(name[:len(prefix)]) == prefix {
			names = append(names, string(name))
		}
	}
	return map[string][]string{"nodes": names}, nil
}

type nodeRecord struct {
	Node       string        `json:"node"`
	Label      string        `json:"label"`
	Status     string        `json:"status"`
	Known      string        `json:"known"`
	Confidence float64       `json:"confidence"`
	Margin     float64       `json:"margin"`
	Scores     []scoreRecord `json:"scores,omitempty"`
}

type scoreRecord struct {
	Label string  `json:"label"`
	Share float64 `json:"share"`
}

// node says what a node is in a labelling. The confidence of a known label is
// what the diffusion makes of it.
func (s *Server) node(l *labelling, i int) nodeRecord {
	share, margin := l.margin(i, l.labels[i])
	return nodeRecord{
		Node: s.model.names.Name(i), Label: l.class(l.labels[i]), Status: l.status(i).String(), Known: l.known(i),
		Confidence: float64(share), Margin: float64(margin),
	}
}

func (s *Server) predict(r *http.Request) (any, error) {
	names := r.URL.Query()["node"]
	if len(names) == 0 {
		return nil, faultf(http.StatusBadRequest, "no node, expected node=NAME one to %d times", mostNodes)
	}
	l, records := s.model.now.Load(), []nodeRecord{}
	for _, name := range names {
		i, err := s.find(name)
		if err != nil {
			return nil, err
		}
		record := s.node(l, i)
		record.Scores = l.scores(i)
		records = append(records, record)
	}
	return map[string][]nodeRecord{"nodes": records}, nil
}

// scores are the largest shares of a row of the answer.
func (l *labelling) scores(i int) (list []scoreRecord) {
	sum := 0.0
	for j, v := range l.answer().Row(i) {
		if v > 0 {
			sum += float64(v)
			list = append(list, scoreRecord{l.classes[j], float64(v)})
		}
	}
	slices.SortStableFunc(list, func(a, b scoreRecord) int { return cmp.Compare(b.Share, a.Share) })
	list = list[:min(mostClassRows, len(list))]
	for k := range list {
		list[k].Share /= sum
	}
	return list
}

type explainRecord struct {
	nodeRecord
	RunnerUp string       `json:"runner_up,omitempty"`
	Parts    []partRecord `json:"contributions"`
	// Rest is the share of the score that comes from seeds that are not listed,
	// Seeds the number of all that reach the node.
	Rest  float64 `json:"rest"`
	Seeds int     `json:"seeds"`
	// Flip are the known labels, fewest possible, without which FlipTo would win.
	Flip      []string `json:"flip,omitempty"`
	FlipCount int      `json:"flip_count"`
	FlipTo    string   `json:"flip_to,omitempty"`
	// Faint says that all known labels are too far for a reason.
	Faint bool `json:"faint,omitempty"`
	// ByGraph says that the label is that of a mixture, and the reasons those of label spreading alone, which gives
	// the label GraphLabel.
	ByGraph    bool   `json:"by_graph,omitempty"`
	GraphLabel string `json:"graph_label,omitempty"`
}

type partRecord struct {
	Seed  string   `json:"seed"`
	Label string   `json:"label"`
	Share float64  `json:"share"` // of the node's whole score
	Path  []string `json:"path"`
	// PathShare is the part of the contribution that comes by the path alone.
	PathShare float64 `json:"path_share"`
}

func (s *Server) explain(r *http.Request) (any, error) {
	i, err := s.named(r)
	if err != nil {
		return nil, err
	}
	count, err := number(r, "top", 5)
	if err != nil {
		return nil, err
	}
	l := s.model.now.Load()
	if len(l.seeds.List()) == 0 {
		return explainRecord{nodeRecord: s.node(l, i), Parts: []partRecord{}}, nil
	}
	e, err := explain.Node(r.Context(), s.model.graph, l.seeds, i, count, s.model.opt)
	if err != nil {
		return nil, err
	}
	record := explainRecord{nodeRecord: s.node(l, i), RunnerUp: l.class(int32(e.RunnerUp)), Parts: []partRecord{}, Seeds: len(e.Parts), FlipCount: len(e.Flip), Faint: e.Underflow}
	record.Scores = l.scores(i)
	if l.p != nil {
		record.ByGraph, record.GraphLabel = true, l.class(int32(e.Label))
	}
	all := 0.0
	for _, v := range e.Scores {
		all += v
	}
	for k, p := range e.Parts {
		if k >= count {
			record.Rest += p.Amount / all
			continue
		}
		record.Parts = append(record.Parts, partRecord{
			s.model.names.Name(int(p.Seed.Node)), l.class(int32(p.Seed.Class)), p.Amount / all, s.names(p.Path), p.Share,
		})
	}
	if len(e.Flip) > 0 {
		record.FlipTo = l.class(int32(e.FlipTo))
	}
	for _, seed := range e.Flip[:min(count, len(e.Flip))] {
		record.Flip = append(record.Flip, s.model.names.Name(int(seed.Node)))
	}
	return record, nil
}

func (s *Server) names(nodes []int) (names []string) {
	for _, i := range nodes {
		names = append(names, s.model.names.Name(i))
	}
	return names
}

type neighborRecord struct {
	nodeRecord
	Weight   float64 `json:"weight"`          // of the edge in the learned graph
	Original float64 `json:"original_weight"` // in the original one, 0 for none
}

type linkRecord struct {
	A      string  `json:"a"`
	B      string  `json:"b"`
	Weight float64 `json:"weight"`
}

func (s *Server) neighbors(r *http.Request) (any, error) {
	i, err := s.named(r)
	if err != nil {
		return nil, err
	}
	count, err := number(r, "top", 12)
	if err != nil {
		return nil, err
	}
	m, l := s.model, s.model.now.Load()
	out := struct {
		Node      nodeRecord       `json:"node"`
		Neighbors []neighborRecord `json:"neighbors"`
		Links     []linkRecord     `json:"links"` // edges of the learned graph between the neighbours
	}{s.node(l, i), []neighborRecord{}, []linkRecord{}}
	near := m.neighbors(i, count)
	for k, j := range near {
		out.Neighbors = append(out.Neighbors, neighborRecord{s.node(l, j), m.learned.At(i, j), m.original.At(i, j)})
		for _, other := range near[:k] {
			if weight := m.learned.At(other, j); weight > 0 {
				out.Links = append(out.Links, linkRecord{m.names.Name(other), m.names.Name(j), weight})
			}
		}
	}
	return out, nil
}

// neighbors returns the neighbours of a node in the learned graph, the heaviest edge first, `count` at most.
func (m *Model) neighbors(node, count int) (list []int) {
	cols, vals := m.learned.Row(node)
	for k, j := range cols {
		if int(j) != node && vals[k] > 0 {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(vals[b], vals[a]) })
	list = list[:min(count, len(list))]
	for at, k := range list {
		list[at] = int(cols[k])
	}
	return list
}

type suggestRecord struct {
	nodeRecord
	Value       float64 `json:"value"`
	Uncertainty float64 `json:"uncertainty"`
	Coverage    float64 `json:"coverage"`
}

// suggest answers with the nodes to label next, see [suggest.Next], by label spreading: the doubt of a mixture
// chooses worse (docs/decisions/0013-next-label.md).
func (s *Server) suggest(r *http.Request) (any, error) {
	count, err := number(r, "count", 5)
	if err != nil {
		return nil, err
	}
	m, l := s.model, s.model.now.Load()
	list, err := suggest.Next(r.Context(), m.graph, m.learned, suggest.Doubt(l.f, l.seeds.Mask()), count, m.opt.Threads)
	if err != nil {
		return nil, err
	}
	records := []suggestRecord{}
	for _, x := range list {
		record := suggestRecord{s.node(l, x.Node), x.Value, x.Uncertainty, x.Coverage}
		record.Scores = l.scores(x.Node) // which a page can show at once
		records = append(records, record)
	}
	return map[string][]suggestRecord{"nodes": records}, nil
}

type changeRecord struct {
	Labelling  int             `json:"labelling"`
	Iterations int             `json:"iterations"`
	Behind     int             `json:"behind"`
	Changed    int             `json:"changed"`
	Moves      []moveRecord    `json:"moves"` // by number
	Nodes      []changedRecord `json:"nodes"` // those of the largest degrees
}

// moveRecord counts the nodes that went from one class to another; one of them may be none.
type moveRecord struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Nodes  int    `json:"nodes"`
}

type changedRecord struct {
	Node   string `json:"node"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// give takes labels: {"labels": [{"node": "a", "label": "x"}, …]}.
func (s *Server) give(r *http.Request) (any, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return nil, faultf(http.StatusUnsupportedMediaType, "Content-Type %q, expected application/json", r.Header.Get("Content-Type"))
	}
	var body struct {
		Labels []struct {
			Node  *string `json:"node"`
			Label *string `json:"label"`
			Was   *string `json:"was"`
		} `json:"labels"`
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, badBody(err)
	}
	if !utf8.Valid(text) { // of which the decoder would make U+FFFD
		return nil, faultf(http.StatusBadRequest, "not the JSON expected: it is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		return nil, badBody(err)
	}
	if err := checkKeys(json.NewDecoder(bytes.NewReader(text))); err != nil {
		return nil, badBody(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, faultf(http.StatusBadRequest, "more follows the JSON object")
	}
	if at := halfCharacter(text); at >= 0 {
		return nil, faultf(http.StatusBadRequest, "\\u with half of a character at byte %d", at)
	}
	if len(body.Labels) == 0 || len(body.Labels) > mostNodes {
		return nil, faultf(http.StatusBadRequest, "%d labels, expected 1 to %d", len(body.Labels), mostNodes)
	}
	var given []Label
	seen := map[int]bool{}
	for k, x := range body.Labels {
		if x.Node == nil || x.Label == nil {
			return nil, faultf(http.StatusBadRequest, `label %d: no node or no label, expected {"node": NAME, "label": NAME}; an empty label takes the known one away`, k)
		}
		i, err := s.find(*x.Node)
		if err != nil {
			return nil, err
		}
		if err := lines.CheckName([]byte(*x.Label), '\t'); err != nil && *x.Label != "" {
			return nil, faultf(http.StatusBadRequest, "label %d: %v", k, err)
		}
		if seen[i] {
			return nil, faultf(http.StatusBadRequest, "label %d: node %s is given twice", k, lines.Quote([]byte(*x.Node)))
		}
		seen[i] = true
		given = append(given, Label{i, *x.Label, x.Was})
	}
	change, err := s.model.Give(r.Context(), given)
	if err != nil {
		return nil, err
	}
	record := changeRecord{Labelling: change.Labelling, Iterations: change.Iterations, Behind: change.Behind, Changed: len(change.Nodes), Moves: moves(change.Nodes), Nodes: []changedRecord{}}
	degrees := s.model.graph.Degrees
	slices.SortStableFunc(change.Nodes, func(a, b Changed) int { return cmp.Compare(degrees[b.Node], degrees[a.Node]) })
	for _, c := range change.Nodes[:min(mostListed, len(change.Nodes))] {
		record.Nodes = append(record.Nodes, changedRecord{s.model.names.Name(c.Node), c.Before, c.After})
	}
	return record, nil
}

// moves counts changes by class before and after, the most first.
func moves(nodes []Changed) []moveRecord {
	count := map[[2]string]int{}
	for _, c := range nodes {
		count[[2]string{c.Before, c.After}]++
	}
	list := []moveRecord{}
	for classes, n := range count {
		list = append(list, moveRecord{classes[0], classes[1], n})
	}
	slices.SortFunc(list, func(a, b moveRecord) int {
		return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.Before, b.Before), cmp.Compare(a.After, b.After))
	})
	return list[:min(mostListed, len(list))]
}

// checkKeys refuses a key that is not letter for letter one of those expected, which the decoder
// takes in other letters too, also ſ for s, and one that is given twice: it would
// take the last. What it reads has been decoded: it is not deep, and where each of the keys
// may be is checked.
func checkKeys(d *json.Decoder) error {
	token, err := d.Token()
	open, nested := token.(json.Delim)
	if err != nil || !nested {
		return err
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			if token, err = d.Token(); err != nil {
				return err
			}
			key, _ := token.(string)
			switch {
			case key != "labels" && key != "node" && key != "label" && key != "was":
				return fmt.Errorf("key %s before byte %d, expected labels, node, label or was in these letters", lines.Quote([]byte(key)), d.InputOffset())
			case seen[key]:
				return fmt.Errorf("%s is given twice at byte %d", lines.Quote([]byte(key)), d.InputOffset())
			}
			seen[key] = true
		}
		if err := checkKeys(d); err != nil {
			return err
		}
	}
	_, err = d.Token() // its end
	return err
}

// halfCharacter returns the place of a \u escape of half a character, or -1. The decoder
// would turn it into U+FFFD. A real U+FFFD, as itself or as \ufffd, is allowed.
func halfCharacter(text []byte) int {
	for at := 0; at < len(text); at++ {
		if text[at] != '\\' {
			continue
		}
		first := escaped(text[at:])
		switch {
		case !utf16.IsSurrogate(first):
			at++ // not to take the second of two backslashes for a first one
		case utf16.DecodeRune(first, escaped(text[at+6:])) == utf8.RuneError:
			return at
		default:
			at += 11
		}
	}
	return -1
}

// escaped returns the character of the \u that JSON starts with, or -1.
func escaped(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(v)
}

func badBody(err error) error {
	var large *http.MaxBytesError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &large):
		return faultf(http.StatusRequestEntityTooLarge, "more than %d bytes", large.Limit)
	case errors.As(err, &kind):
		return faultf(http.StatusBadRequest, `not the JSON expected: %s before byte %d, expected {"labels": [{"node": "NAME", "label": "NAME"}, …]}`, kind.Value, kind.Offset)
	}
	return faultf(http.StatusBadRequest, "not the JSON expected: %v", err)
}

func (s *Server) find(name string) (int, error) {
	i, ok := s.model.names.Lookup([]byte(name))
	if !ok {
		return 0, faultf(http.StatusNotFound, "node %s is not in the graph", lines.Quote([]byte(name)))
	}
	return int(i), nil
}
