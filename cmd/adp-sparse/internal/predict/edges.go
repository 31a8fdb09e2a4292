package predict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// newEdges are the edges of new points, from --edges.
type newEdges struct {
	*opened.Graph
	file  string
	nodes int      // n of the run
	at    []uint32 // the node of the run with the name of each node of the file; n for none
	taken []bool   // nodes of the file that are points

	// spelled are the nodes of the file that are none of the run's, by their plain spelling where this is
	// another; alike counts the nodes of the file that equal a node of the run or a point but for it.
	spelled map[string]int
	alike   notes.List

	// first is the number of the first node of the run where its nodes are numbers in a row, in their order: counts.
	first    int64
	counts   bool
	numbered bool // points have no names, and go on with the numbers of the run's nodes
}

// EdgeReport counts the edges of --edges. Only those between a new point and a node of the run say
// something of labels.
type EdgeReport struct {
	File       string     `json:"file"`
	Used       int        `json:"used"`
	BetweenNew int        `json:"between_new_points"`
	BetweenOld int        `json:"between_nodes_of_the_run"`
	Unknown    int        `json:"of_unknown_nodes"` // at one end or both
	Without    int        `json:"points_without"`   // that are used
	Notes      notes.List `json:"notes,omitempty"`

	read edgelist.Stats
}

// readEdges reads --edges, nil where there are none.
func (f *flags) readEdges(std streams.Stdio, m *model.Model) (*newEdges, error) {
	if f.source.Edges == "" {
		return nil, nil
	}
	if m.Edges == nil {
		return nil, usage.Errorf("--edges is for the model of a run that had edges; --model %s is of features alone, or of a version that did not keep whether there were edges", f.model)
	}
	var err error
	if f.source.Memory, err = limit.Parse(""); err != nil {
		return nil, err
	}
	f.source.Memory.From, _, _ = strings.Cut(f.source.Memory.From, ";") // no flag here sets another
	f.source.Threads = f.threads
	g, err := f.source.ReadEdges(std)
	if err != nil {
		return nil, err
	}
	e := &newEdges{Graph: g, file: f.source.Edges, nodes: m.Nodes.Len(), taken: make([]bool, g.IDs.Len())}
	if first, ordered, ok := m.Nodes.Counts(); ok && ordered {
		e.first, e.counts = first, true
	}
	at, _ := g.IDs.Match(m.Nodes)
	for i, node := range at {
		at[i] = min(node, uint32(e.nodes))
	}
	e.at, e.spelled = at, map[string]int{}
	for i, node := range e.at {
		name := g.IDs.AppendName(nil, i)
		plain, ok := ids.Respelled(name)
		if int(node) < e.nodes || !ok {
			continue
		}
		e.spelled[string(plain)] = i
		if _, known := m.Nodes.Lookup(plain); known {
			e.note(string(plain), string(name))
		}
	}
	return e, nil
}

// note counts a node that equals another one but for spelling.
func (e *newEdges) note(one, other string) {
	e.alike.Doubt(notes.SimilarIDs, 1, 0, one+" / "+other, "if they are one node, write both alike")
}

// noteAlike notes the node of the file, if any, that equals a point but for spelling.
func (e *newEdges) noteAlike(point []byte) {
	plain, ok := ids.Respelled(point)
	if _, found := e.IDs.Lookup(plain); ok && found {
		e.note(string(point), string(plain))
		return
	}
	if !ok {
		plain = point
	}
	if i, found := e.spelled[string(plain)]; found {
		e.note(string(point), e.IDs.Name(i))
	}
}

// checkNew refuses edges of which all ends are nodes of the run: they say nothing of new points.
func (e *newEdges) checkNew(advice string) error {
	if slices.Contains(e.at, uint32(e.nodes)) {
		return nil
	}
	return &lines.Error{File: e.file, Msg: "all ends of edges are nodes of the run, expected edges of new points" + advice}
}

// naming says how edges name points.
func (e *newEdges) naming() string {
	return fmt.Sprintf("the first point without a name is %d here, after the nodes of the run, and not %d; --id-column names points", e.first+int64(e.nodes), e.first)
}

// names returns the names of count points that have none, the first of which is point first of all, and the place of
// that in the table: numbers, that go on after the nodes of the run where these are numbered and edges name both.
func (e *newEdges) names(first, count int) (names *ids.Table, at int, err error) {
	if e == nil || !e.counts {
		return ids.Sequence(first + count), first, nil
	}
	if !e.numbered {
		e.numbered, err = true, e.checkNew("; "+e.naming())
	}
	values := make([]int64, count)
	for i := range values {
		values[i] = e.first + int64(e.nodes+first+i)
	}
	return ids.Integers(values), 0, err
}

// others returns the names of the nodes that are none of the run's: the points, where no features
// name them.
func (e *newEdges) others() (*ids.Table, error) {
	names := ids.NewTable()
	for i, node := range e.at {
		if int(node) < e.nodes {
			continue
		}
		if _, err := names.Add([]byte(e.IDs.Name(i))); err != nil {
			return nil, err
		}
	}
	return names, e.checkNew("")
}

// rows returns the weights, count×n, between the nodes of the run and the points with the names from
// first on. A point that is a node of the run is an error.
func (e *newEdges) rows(m *model.Model, names *ids.Table, first, count int, r *EdgeReport) (*csr.Matrix, error) {
	indptr := make([]int64, 1, count+1)
	var indices []uint32
	var data []float32
	var name []byte
	var entries []entry
	for i := first; i < first+count; i++ {
		name = names.AppendName(name[:0], i)
		if _, known := m.Nodes.Lookup(name); known {
			return nil, &lines.Error{File: e.file, Msg: fmt.Sprintf("point %s has the name of a node of the run, so that its edges could be of either; expected other names for new points: --id-column names them", lines.Quote(name))}
		}
		entries = entries[:0]
		if node, ok := e.IDs.Lookup(name); ok {
			e.taken[node] = true
			cols, vals := e.W.Row(int(node))
			for k, j := range cols {
				if at := e.at[j]; int(at) < e.nodes && vals[k] > 0 {
					entries = append(entries, entry{at, vals[k]})
				}
			}
		} else {
			e.noteAlike(name)
		}
		slices.SortFunc(entries, func(a, b entry) int { return int(a.node) - int(b.node) })
		for _, one := range entries {
			indices, data = append(indices, one.node), append(data, one.weight)
		}
		if r.Used += len(entries); len(entries) == 0 {
			r.Without++
		}
		indptr = append(indptr, int64(len(indices)))
	}
	return csr.New(count, e.nodes, indptr, indices, data)
}

// entry is the weight of an edge to a node of the run.
type entry struct {
	node   uint32
	weight float32
}

// doubtBase warns where the run counts nodes from 0 and the edges seem to count from 1, or the reverse: they
// lack the first number and name the one after the last, or name one before the first and lack the last.
func (e *newEdges) doubtBase(points int, r *EdgeReport) {
	last := e.first + int64(e.nodes) - 1
	if e.numbered {
		last += int64(points)
	}
	within, beyond := e.first, last+1
	if e.first == 1 {
		within, beyond = last, 0
	}
	_, has := e.IDs.Lookup(strconv.AppendInt(nil, within, 10))
	at, odd := e.IDs.Lookup(strconv.AppendInt(nil, beyond, 10))
	if !e.counts || e.first != 0 && e.first != 1 || has || !odd || beyond > 0 && e.taken[at] {
		return
	}
	r.Notes.Doubt(notes.CountedFrom, e.IDs.Len(), 0, strconv.FormatInt(1-e.first, 10),
		fmt.Sprintf("%s names nodes from %d on, and the run from %d on: if node %d there is %d here, number both alike", e.file, 1-e.first, e.first, 1-e.first, e.first))
}

// count counts the edges that are not used, once all points are known.
func (e *newEdges) count(points int, r *EdgeReport) {
	r.File, r.Notes, r.read = e.file, slices.Clone(e.Notes), e.Read
	r.Notes.Join(e.alike)
	e.doubtBase(points, r)
	for i := range e.at {
		cols, _ := e.W.Row(i)
		for _, j := range cols {
			if int(j) < i {
				continue
			}
			old, other := int(e.at[i]) < e.nodes, int(e.at[j]) < e.nodes
			switch {
			case old && other:
				r.BetweenOld++
			case !old && !e.taken[i] || !other && !e.taken[j]:
				r.Unknown++
			case !old && !other:
				r.BetweenNew++
			}
		}
	}
	if e.numbered { // some of them may be meant as edges of points
		r.Notes.Doubt(notes.OldEdges, r.BetweenOld, 0, "", "if they are edges of new points, name these otherwise: "+e.naming())
	}
}
