package predict

import (
	"fmt"
	"slices"
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
	return fmt.Sprintf("the first point without a name is %d here, after the nodes of the run, and not 0; --id-column names points", e.nodes)
}

// names returns the names of points that have none, from 0 to count−1: numbers, from n on where the
// nodes of the run are numbered and edges name both.
func (e *newEdges) names(m *model.Model, count int) (names *ids.Table, from int, err error) {
	if e == nil || !m.Nodes.IsSequence() {
		return ids.Sequence(count), 0, nil
	}
	if !e.numbered {
		e.numbered, err = true, e.checkNew("; "+e.naming())
	}
	return ids.Sequence(m.Nodes.Len() + count), m.Nodes.Len(), err
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

// count counts the edges that are not used, once all points are known.
func (e *newEdges) count(r *EdgeReport) {
	r.File, r.Notes, r.read = e.file, slices.Clone(e.Notes), e.Read
	r.Notes.Join(e.alike)
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
