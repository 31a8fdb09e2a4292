package notes

// The kinds of node ids and of weights.
var (
	SimilarIDs      = Kind{"similar-ids", "node id that equals another but for spelling", "kept as another node"}
	DecimalIDs      = Kind{"decimal-ids", "node id that is a whole number with a point", "read as text"}
	MissingIDs      = Kind{"missing-like-ids", "node id that is written for a missing one", "read as a node"}
	QuotedIDs       = Kind{"quoted-ids", "node id in quotes", "read with them"}
	NeighborLists   = Kind{"neighbor-like-weights", "weight that is the id of another node", "read as a weight"}
	RelationColumn  = Kind{"relation-like-column", "column with the same sign on all lines", "read as node ids"}
	TimeWeights     = Kind{"time-like-weights", "weight that reads like a time", "read as a weight"}
	DistanceWeights = Kind{"distance-like-weights", "weight that reads like a distance", "read as a weight"}
	JoinedIDs       = Kind{"joined-ids", "node id that is two numbers", "read as one"}
	ListedIDs       = Kind{"joined-ids", "node id of several numbers", "read as one"}
	EndedLines      = Kind{"semicolon-lines", "line that ends with a semicolon", "read without it"}
	OldEdges        = Kind{"numbered-points", "edge between nodes of the run", "not used"}
	Directions      = Kind{"ignored-directions", "column that says which edges are directed", "ignored"}
)

// DistancesAdvice is for DistanceWeights.
const DistancesAdvice = "nodes list their nearest ones by them, and a large weight joins strongly: make weights of distances, such as exp(-4 d²/s²) with the largest distance s of the node"
