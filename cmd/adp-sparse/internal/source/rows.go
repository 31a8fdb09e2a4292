package source

import (
	"errors"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// doubtRows warns of labels whose ids seem to count rows from 1, where rows are nodes 0 to n−1: node
// 1 is labelled and node 0 is not. In a file that counts from 1 itself (Matrix Market, METIS, the
// columns of libsvm) that is enough. Of others the labelled rows must be 1 to k without a gap, as a
// person numbers them who labels the first ones, k being at least 3: by chance alone, of labels
// that are dealt, it is rare. Where labels of unknown nodes are skipped, and there is one, that is
// enough too: it may be of row n. Where neither node 0 nor node 1 is labelled, a note says how the rows
// of a file that counts from 1 are counted.
func (g *Flags) doubtRows(labels *labelfile.Labels, nodes *ids.Table) {
	if !nodes.IsSequence() || g.labelColumns.Rows || labels.Notes.Count(notes.ByRow) > 0 {
		return
	}
	labelled, last := map[uint32]bool{}, uint32(0)
	for _, s := range labels.Seeds {
		labelled[s.Node] = true
		last = max(last, s.Node)
	}
	const leastRun = 3
	run := len(labelled) == int(last) && last >= leastRun
	if g.fromOne && !labelled[0] && !labelled[1] { // nothing says how the labels count
		labels.Notes.Add(notes.RowsFrom, nodes.Len(), 0, "")
	}
	if labelled[0] || !labelled[1] || !run && labels.Stats.Unknown == 0 && !g.fromOne && !g.Features.IsSVM() {
		return
	}
	what, do := g.numbered(nodes.Len())
	labels.Notes.Doubt(notes.CountedFrom, len(labelled), 0, "1",
		"the ids begin at 1, and "+what+": if the first row is node 1, "+do)
}

// numbered says what nodes 0 to n−1 are, and what to do where labels count from 1: an edge list has the
// numbers itself.
func (g *Flags) numbered(n int) (what, do string) {
	last := strconv.Itoa(n - 1)
	if g.Edges != "" && g.Features.Source() == "" {
		return "nodes of " + g.Edges + " are 0 to " + last, "number both alike"
	}
	return "rows are nodes 0 to " + last, "say --index-base 1"
}

// DoubtTruth warns of true labels whose ids seem to count from 1, where predictions are of nodes 0 to
// n−1: node 1 has one, node 0 has none, and a node that is not there has one. It warns of the reverse
// too.
func DoubtTruth(truth *labelfile.Labels, nodes *ids.Table) {
	n := nodes.Len()
	zero, hasZero := nodes.Lookup([]byte("0"))
	_, hasLast := nodes.Lookup([]byte(strconv.Itoa(n - 1)))
	_, hasNext := nodes.Lookup([]byte(strconv.Itoa(n)))
	known := map[uint32]bool{}
	for _, s := range truth.Seeds {
		known[s.Node] = true
	}
	one, hasOne := nodes.Lookup([]byte("1"))
	if last, hasEnd := nodes.Lookup([]byte(strconv.Itoa(n))); hasOne && hasEnd && !hasZero && known[one] && !known[last] && truth.Stats.Unknown > 0 {
		truth.Notes.Drop(notes.CountedZero) // the same, in general words
		truth.Notes.Doubt(notes.CountedFrom, len(known), 0, "1",
			"predictions are of nodes 1 to "+strconv.Itoa(n)+", and node "+strconv.Itoa(n)+" has no true label: if the true labels begin at 0, number both alike (run --index-base 0 counts rows from 0)")
	}
	if !hasZero || !hasLast || hasNext || known[zero] || !known[one] || truth.Stats.Unknown == 0 {
		return
	}
	truth.Notes.Doubt(notes.CountedFrom, len(known), 0, "1",
		"the ids begin at 1, and predictions are of nodes 0 to "+strconv.Itoa(n-1)+": if node 0 is the first true label, number both alike (run --index-base 1 counts rows from 1)")
}

// unknownNode adds advice to the error of a label of an unknown node: of a graph whose nodes have
// names that are not used, or whose rows are counted from 1.
func (g *Flags) unknownNode(err error, graph *opened.Graph) error {
	var fault *lines.Error
	if !errors.As(err, &fault) || !strings.Contains(fault.Msg, " is not in the graph") {
		return err
	}
	advice := ""
	for _, n := range graph.Notes {
		if n.Code == notes.NodeNames.Code {
			advice = "nodes of " + g.Graph + " have names beside their ids: --name-key " + strconv.Quote(n.First) + " calls them by these"
		}
	}
	if past := "node " + lines.Quote([]byte(strconv.Itoa(graph.IDs.Len()))); graph.IDs.IsSequence() && strings.HasPrefix(fault.Msg, past) {
		what, do := g.numbered(graph.IDs.Len())
		advice = what + ": if the ids count from 1, " + do
	}
	if _, has := graph.IDs.Lookup([]byte("n0")); has && advice == "" && strings.HasPrefix(fault.Msg, `node "`) && strings.Trim(fault.Msg[6:7], "0123456789") == "" {
		advice = "nodes are called n0, n1, …"
	}
	if graph.IDs.IsSequence() && advice == "" && g.Edges == "" && g.Graph == "" && fault.Line > 1 && g.Features.Names.Base == 0 {
		advice = "if a column of " + g.Features.Source() + " names the rows, say --id-column, if another file does, --nodes"
	}
	if g.Features.Names.Base == 1 && strings.HasPrefix(fault.Msg, `node "0" `) {
		advice = "--index-base 1 counts rows from 1: leave it out if they count from 0"
	}
	if advice == "" {
		return err
	}
	return &lines.Error{File: fault.File, Line: fault.Line, Msg: fault.Msg + "; " + advice}
}
