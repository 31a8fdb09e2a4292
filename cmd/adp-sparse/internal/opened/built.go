package opened

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Built says how a graph was made of features.
type Built struct {
	File  string     `json:"file,omitempty"`
	Notes notes.List `json:"notes,omitempty"` // of the reader of the features
	fit.GraphReport
	Edges     int       `json:"-"` // of the graph that the features are beside; 0 without
	Unmatched Unmatched `json:"-"` // of these edges and the features
	Titles    []string  `json:"-"` // of the columns, from a header
	Columns   []int     `json:"-"` // of a table: those that the features are, from 0; else nil
	ReadSec   float64   `json:"seconds_reading"`
}

// Column names a column of the features, from 1. In the file it may have another number.
func (k *Built) Column(number int) string {
	if number < 1 || number > len(k.Titles) {
		return fmt.Sprintf("column %d of the features", number)
	}
	return fmt.Sprintf("column %q of the features", streams.Brief(k.Titles[number-1]))
}

// ColumnName is the title of a column of the features, from 1, or its number.
func (k *Built) ColumnName(number int) string {
	if number < 1 || number > len(k.Titles) {
		return fmt.Sprintf("column %d", number)
	}
	return streams.Brief(k.Titles[number-1])
}

// FlagName is what flags call a column of the features, from 1: by its title, or by its number in the
// file where a flag would read the title otherwise. It is empty where the file is no table.
func (k *Built) FlagName(number int) string {
	if number < 1 || number > len(k.Columns) {
		return ""
	}
	inFile := strconv.Itoa(k.Columns[number-1] + 1)
	if number > len(k.Titles) {
		return inFile
	}
	title := k.Titles[number-1]
	_, err := strconv.Atoi(title)
	if title == "" || err == nil || strings.ContainsAny(title, `,"`) || slices.Index(k.Titles, title) != number-1 {
		return inFile
	}
	return usage.ShellQuote(title)
}

// Print writes how the graph was made; nothing for nil.
func (k *Built) Print(w io.Writer) {
	if k == nil {
		return
	}
	if k.Dims > 0 {
		fmt.Fprintf(w, "features\t%s points of %s dimensions, read in %.2f s\n", figures.Count(k.Points), figures.Count(k.Dims), k.ReadSec)
	}
	switch {
	case k.L1 != nil:
		fmt.Fprintf(w, "l1\t%.1f coefficients a point%s, residual %.3f, %s of %s points certified, in %.2f s\n", k.L1.Support, k.ofColumns(), k.L1.Residual, figures.Count(k.L1.Certified), figures.Count(k.Points), k.BuildSec)
	case k.KNN != nil:
		fmt.Fprintf(w, "knn\t%d neighbours by %v%s, %s, %v weights, in %.2f s\n", k.KNN.Neighbors, k.KNN.Metric, k.ofColumns(), k.how(), k.KNN.Weighting, k.BuildSec)
	case k.Kind != "edges":
		fmt.Fprintf(w, "%s\t%s points%s, in %.2f s\n", k.Kind, figures.Count(k.Points), k.ofColumns(), k.BuildSec)
	}
	if k.Share > 0 {
		fmt.Fprintf(w, "blend\t%.3g of the weight is of features, the rest of the edges\n", k.Share)
	}
	if chosen := k.Chosen(); chosen != "" {
		fmt.Fprintf(w, "graph chosen\t%s\n", chosen)
	}
}

// Brief says in a few words how the graph was made, and what chose it.
func (k *Built) Brief() string {
	var text string
	switch {
	case k.Kind == "edges":
		text = "the edges alone"
	case k.L1 != nil:
		text = "sparse representation (l1)"
	case k.KNN != nil:
		text = fmt.Sprintf("%s by %v", figures.Counted(k.KNN.Neighbors, "nearest neighbour"), k.KNN.Metric)
	default:
		text = k.Kind
	}
	if k.Scaled && k.Kind != "edges" {
		text += ", columns scaled"
	}
	if k.Share > 0 {
		text = fmt.Sprintf("edges, and %s with %.3g of the weight", text, k.Share)
	}
	if len(k.Choice) > 1 {
		text += fmt.Sprintf(", chosen of %d by cross-validation", len(k.Choice))
	}
	return text
}

// Chosen names the graph that left-out seeds chose, and its rivals; nothing where it had none.
func (k *Built) Chosen() string {
	if len(k.Choice) < 2 {
		return ""
	}
	var best string
	var others []string
	for _, t := range k.Choice {
		if t.Chosen {
			best = fmt.Sprintf("%s, by which %.3f of %d known labels are right in cross-validation", t.Graph, t.Accuracy, t.LeftOut)
		} else {
			others = append(others, fmt.Sprintf("%s %.3f", t.Graph, t.Accuracy))
		}
	}
	return best + "; " + strings.Join(others, ", ")
}

// ofColumns says whether columns were scaled.
func (k *Built) ofColumns() string {
	if !k.Scaled {
		return ""
	}
	return fmt.Sprintf(" of scaled columns (largest spread %.3g times the median)", k.Ratio)
}

// how says how the neighbours were found.
func (k *Built) how() string {
	r := k.KNN
	switch {
	case k.Dims == 0 || r.Kernel == "" && !k.Sparse:
		return "found elsewhere"
	case r.Met > 0:
		return fmt.Sprintf("approximate: recall@%d %.4f on %d points, by %s entries of their rarest columns", r.K, r.Recall, r.RecallSample, figures.Count(r.Met))
	case r.Method == knn.Approx:
		return fmt.Sprintf("approximate: recall@%d %.4f on %d points, %d of %d cells, %s kernel", r.K, r.Recall, r.RecallSample, r.Probes, r.Cells, r.Kernel)
	}
	text := "exact"
	if r.Kernel != "" {
		text += ", " + r.Kernel + " kernel"
	}
	if r.Distinct > 0 && r.Distinct < r.Points {
		text += fmt.Sprintf(", %s points are duplicates", figures.Count(r.Points-r.Distinct))
	}
	return text
}
