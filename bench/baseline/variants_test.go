package baseline

import (
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestVariants: each is a row of the tables by its name before @, labels classes
// that are apart, and is in no table that does not name it.
func TestVariants(t *testing.T) {
	racing.LongSum(t)
	var rows []string
	for _, m := range Methods() {
		rows = append(rows, m.Name)
	}
	for _, m := range Variants() {
		row, _, ok := strings.Cut(m.Name, "@")
		if !ok || !slices.Contains(rows, row) || slices.Contains(rows, m.Name) {
			t.Errorf("%q is no variant of a row", m.Name)
		}
		if m.Name == "RDP@lgc" || strings.HasPrefix(m.Name, "NNLRS@") && testing.Short() {
			continue // the walk's own row is tested
		}
		p, truth := blobs(t, 60, 3, 0.1)
		y, err := m.Label(t.Context(), p)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if share, _ := score.Accuracy(y, truth, p.Seeds.Mask()); share < 0.75 {
			t.Errorf("%s: accuracy %v", m.Name, share)
		}
	}
	if picked, err := Select([]string{"NNLRS@0", "NNLRS"}); err != nil || len(picked) != 2 {
		t.Errorf("%d picked, %v", len(picked), err)
	}
	coil := Sets()[0]
	if of := figure(coil, "NNLRS", 1); of == "–" || figure(coil, "NNLRS@0", 1) != of {
		t.Error("a variant stands beside another figure than its row")
	}
}
