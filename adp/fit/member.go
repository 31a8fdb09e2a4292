package fit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// method is a way to score nodes that takes part in a pool.
type method int

const (
	lgc         method = iota // labels diffuse over a graph
	process                   // adp.Run
	alternate                 // labels, then the features diffused over a graph, by ridge on pseudo-labels
	smoothed                  // the same, diffused once more
	ridge                     // on the diffused features, from the seeds alone
	centred                   // ridge on TX and T²X side by side, without the mean of all rows
	summedHops                // the same of symmetric hops, whose rows know their degrees
	plain                     // ridge on X
	degrees                   // ridge on degrees, see [degreeColumns]
	links                     // ridge on T and T² themselves: on neighbours in common
	walks                     // ridge on where walks end
	unlike                    // labels spread with −α, see [diffuse.Repel]
	kernelRidge               // ridge by a kernel of distances
	logistic                  // logistic regression on X
	forest                    // randomised trees on X
	bayes                     // naive Bayes on X from what the methods that are not taught say
	distilled                 // ridge on X from the same
)

var methodNames = [...]string{"lgc", "adp", "al", "al-smoothed", "dr", "sign-centred", "sign-summed", "ridge", "degrees", "links", "walks", "unlike", "kernel-ridge", "logistic", "forest", "bayes", "distilled"}

// methodTitles name them in reports.
var methodTitles = [...]string{
	"label spreading", "the learned graph", "diffused features from pseudo-labels", "diffused features from pseudo-labels, smoothed",
	"diffused features from the known labels", "centred features of neighbours", "sums of neighbours' features", "features alone", "degrees of a node and its neighbours", "neighbours in common", "where walks end", "labels of unlike neighbours", "kernel regression by distance", "logistic regression", "randomised trees", "naive Bayes, from what the others say", "features alone, from what the others say",
}

// The graphs of a pool.
const (
	onSum      = iota // edges and features together, or the features' where there are no edges
	onFeatures        // the features' alone
	onEdges           // the edges alone
	onRebuilt         // the sum, and neighbours by its diffused features ([rebuild])
	poolGraphs        // their number
)

// member is a method on a graph, and its share of the prior.
type member struct {
	method method
	graph  int
	prior  float64
}

// graphCodes name the graphs of members in [Options.Pool].
var graphCodes = [poolGraphs]string{"sum", "features", "edges", "rebuilt"}

// name is that of a member in [Options.Pool].
func (m member) name() string { return methodNames[m.method] + ":" + graphCodes[m.graph] }

// PoolNames returns the names of all methods that can take part in the feature step.
func PoolNames() (names []string) {
	for k := range methodNames {
		for graph := range graphCodes {
			names = append(names, member{method: method(k), graph: graph}.name())
		}
	}
	return names
}

// parsePool returns the members of some names.
func parsePool(names []string) (members []member, err error) {
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return nil, fmt.Errorf("%w: method %q is twice in a pool", adp.ErrOptions, name)
		}
		at := slices.Index(PoolNames(), name)
		if at < 0 {
			return nil, fmt.Errorf("%w: method %q of a pool, expected some of %s", adp.ErrOptions, name, strings.Join(PoolNames(), ", "))
		}
		members = append(members, member{method(at / len(graphCodes)), at % len(graphCodes), 1})
	}
	return members, nil
}

// key is a member without what changes nothing in its scores: its prior, and the graph that it does not know.
func (m member) key() member {
	if m.graphless() {
		m.graph = 0
	}
	return member{method: m.method, graph: m.graph}
}

// diffuses reports whether a member takes the diffused features of its graph.
func (m member) diffuses() bool {
	return m.method == alternate || m.method == smoothed || m.method == ridge
}

// leftOut reports whether a member takes no part: it takes too long for what it is worth, with many seeds or many columns, as of
// pictures; it sees too few columns ([leastColumns]), or too many of which each says little ([mostDifferences]); or see [treesPay].
func (m member) leftOut(x *prepared, y *diffuse.Seeds) bool {
	if !slices.Contains([]method{kernelRidge, logistic, forest}, m.method) {
		return false
	}
	_, d := x.x.Dims()
	seeds := y.Labelled()
	switch m.method {
	case logistic:
		return seeds > diffuse.MostIterated || d < leastColumns || d > mostLogistic || seeds*d*y.Classes > mostRegressed
	case forest:
		return !treesPay(y.Nodes, d, y, m.graph == onEdges)
	}
	return seeds > diffuse.MostIterated || d > mostDifferences
}

// The most columns of a logistic regression, as of tables, and the largest product of seeds, columns and classes: more take longer than
// all other methods.
const (
	mostLogistic  = 100
	mostRegressed = 2_000_000
)

// The values of Member.Uses.
const (
	useEdges    = "edges"
	useFeatures = "features"
	useBoth     = "both"
)

// graphless reports whether a member knows no graph.
func (m member) graphless() bool {
	return slices.Contains([]method{plain, kernelRidge, logistic, bayes, distilled}, m.method) || m.method == forest && m.graph != onEdges
}

// featureless are the methods that need no features.
var featureless = []method{lgc, process, degrees, links, walks, unlike}

// uses says what a member knows.
func (m member) uses() string {
	switch {
	case m.graph == onEdges && slices.Contains(featureless, m.method):
		return useEdges
	case m.graphless() || m.graph == onFeatures:
		return useFeatures
	}
	return useBoth
}
