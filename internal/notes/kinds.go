package notes

// The kinds of vectors, lists of neighbours, and labels.
var (
	SimilarLabels     = Kind{"similar-labels", "pair of labels alike but for spelling", "kept as two classes"}
	IDColumn          = Kind{"id-columns", "column", "read as node ids"}
	QuotedLabels      = Kind{"quoted-labels", "label in quotes", "read as the name of a class"}
	JoinedLabels      = Kind{"joined-labels", "label with parts that are labels too", "kept as one"}
	ListedLabels      = Kind{"joined-labels", "label that is a list", "kept as one"}
	MatchedLabels     = Kind{"matched-labels", "label", "taken for the class of another spelling"}
	ShiftedLabels     = Kind{"shifted-labels", "predicted label", "shifted against the true ones"}
	ForeignLabels     = Kind{"foreign-labels", "predicted label", "not found among the true ones"}
	RenamedLabels     = Kind{"renamed-labels", "predicted label", "found where the truth has another"}
	TrimmedLabels     = Kind{"trimmed-labels", "label with blanks around", "trimmed"}
	TruthLabels       = Kind{"truth-labels", "truth value", "read as the class true or false"}
	WholeLabels       = Kind{"whole-labels", "floating-point label", "read as a whole number"}
	NoLabels          = Kind{"no-labels", "label that is -1 or nan", "read as none"}
	NumberLabels      = Kind{"number-labels", "label that is a whole number of one node", "read as the name of a class"}
	FractionLabels    = Kind{"fractional-labels", "label that is a number with a fraction", "read as the name of a class"}
	WrappedLabels     = Kind{"wrapped-labels", "label that is -1 of an unsigned type", "read as a class"}
	NumberedHeader    = Kind{"numbered-header", "first line that counts the columns", "read as a point"}
	NumberedTitles    = Kind{"numbered-header", "first line that counts the columns", "read as a label"}
	NumberedRow       = Kind{"numbered-header", "first line of numbers, with a label that no other has", "read as a point"}
	NumberedEdge      = Kind{"numbered-header", "first line that counts the columns", "read as an edge"}
	IndexColumn       = Kind{"index-like-column", "first column that counts the lines", "read as node ids"}
	SquareFeatures    = Kind{"matrix-like-features", "symmetric matrix", "read as features"}
	UnusedNeighbors   = Kind{"unused-neighbors", "neighbour of each point beyond the nearest ones", "left out"}
	ImputedValues     = Kind{"imputed-values", "missing value", "filled with the mean of the column"}
	NewCategories     = Kind{"new-categories", "value of a category that no point of the run has", "read as none of its values"}
	ZeroBased         = Kind{"indices-from-0", "row with index 0", "read: indices count from 0"}
	MissingNeighbors  = Kind{"missing-neighbors", "place without a neighbour", "skipped"}
	SelfNeighbors     = Kind{"self-neighbors", "neighbour that is the point itself", "dropped"}
	WordWeights       = Kind{"class-like-weights", "weight that reads like the end of a label", "read as a weight"}
	CodeWeights       = Kind{"class-like-weights", "weight that reads like a number of the class", "read as a weight"}
	BareLabels        = Kind{"default-label-weights", "label without a weight", "given weight 1"}
	IDTitles          = Kind{"id-like-columns", "column with the title of an id", "read as a feature"}
	CountsPoint       = Kind{"counts-like-point", "first line that is the counts of the file", "read as a point"}
	LabelTitles       = Kind{"label-like-columns", "column with the title of a label", "read as a feature"}
	LabelValues       = Kind{"label-like-columns", "column that tells the known labels", "read as a feature"}
	Thousands         = Kind{"thousands-like", "column of numbers with a point before three digits", "read as fractions"}
	NumberNames       = Kind{"numbers-in-names", "name that ends with a number", "read as such"}
	BlankLabels       = Kind{"blank-labels", "row without a label", "skipped"}
	RepeatedNeighbors = Kind{"repeated-neighbors", "repeated neighbour", "merged"}
)
