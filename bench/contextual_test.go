package bench

import (
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestContextual: above the threshold the classes are told better than by chance wherever the signal is, without signal
// nothing is; every row of the table has each method.
func TestContextual(t *testing.T) {
	racing.LongSum(t)
	c := Contextual{Nodes: 600, Dims: 60, Degree: 8, PerClass: 20, Strengths: []float64{0, 4}, Draws: 2, Seed: 1, Methods: []Method{{Name: "adp"}, {Name: "lgc", Options: adp.Options{Method: adp.LGC}}}}
	all, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		mean, _ := s.Mean()
		if s.Value == 0 && (mean < 0.4 || mean > 0.6) || s.Value == 4 && s.Method == "adp" && mean < 0.58 {
			t.Errorf("%+v: mean %.3f", s, mean)
		}
	}
	var text strings.Builder
	if err := WriteStrengths(&text, all, c.Methods); err != nil || strings.Count(text.String(), "\n") != 2+2*len(Mixes) {
		t.Errorf("%v, %s", err, text.String())
	}
}
