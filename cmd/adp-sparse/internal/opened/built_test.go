package opened

import (
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/knn"
)

// TestScaledIsSaid: both summaries say that columns were scaled, whatever the kind of the graph.
func TestScaledIsSaid(t *testing.T) {
	for kind, r := range map[string]fit.GraphReport{
		"knn": {KNN: &knn.GraphReport{Neighbors: 3}}, "l1": {L1: &knn.SelfExpressiveReport{}}, "lle": {},
	} {
		for _, scaled := range []bool{false, true} {
			r.Kind, r.Points, r.Scaled = kind, 5, scaled
			b := &Built{GraphReport: r}
			var text strings.Builder
			b.Print(&text)
			if strings.HasSuffix(b.Brief(), ", columns scaled") != scaled || strings.Contains(text.String(), " of scaled columns (") != scaled {
				t.Errorf("%s, scaled %v: %q, %q", kind, scaled, b.Brief(), &text)
			}
		}
	}
	edges := &Built{GraphReport: fit.GraphReport{Kind: "edges", Scaled: true}}
	if got := edges.Brief(); got != "the edges alone" {
		t.Errorf("%q", got)
	}
}
