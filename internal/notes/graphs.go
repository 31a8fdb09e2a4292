package notes

// The kinds of graphs in files that are no lists of edges.
var (
	NodeNames   = Kind{"unused-names", "name of a node", "not used"}
	FreeWeights = Kind{"undeclared-weights", "edge weight", "read by a key that is not declared for edges"}
	CountedFrom = Kind{"counted-from-one", "node", "taken as counted from 0"}
	CountedZero = Kind{"counted-from-zero", "labelled node", "taken as counted from 1"}
	RowsFrom    = Kind{"rows-from-zero", "row of a file that counts from 1", "taken as nodes 0, 1, … (--index-base 1: nodes 1, 2, …)"}
	NodeWeights = Kind{"ignored-node-weights", "weight of a node", "ignored"}
)
