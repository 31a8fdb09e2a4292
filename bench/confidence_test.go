package bench

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
)

// TestConfidence: the rows are means over the draws, whatever they are of; an honest confidence has a small error and a Brier score
// below that of one number for all.
func TestConfidence(t *testing.T) {
	row := ConfidenceRow{}
	var p []float64
	var right []bool
	for k := range 1000 { // ten confidences, each as often right as it says
		tenth := float64(k%10)/10 + 0.05
		p, right = append(p, tenth), append(right, float64(k/10)+0.5 < 100*tenth)
	}
	row.addTenths(p, right)
	for k, v := range row.Tenths {
		if want := float64(k)/10 + 0.05; math.Abs(v[0]-want) > 1e-9 || math.Abs(v[1]-want) > 1e-9 {
			t.Errorf("tenth %d: %v, expected %v", k, v, want)
		}
	}
	if row.addTenths(p[:99], right[:99]); row.Tenths[0][0] > 0.06 {
		t.Errorf("99 nodes have tenths")
	}

	sets, err := ParseSets("../testdata/graphs", []string{"karate"})
	if err != nil {
		t.Fatal(err)
	}
	for _, splits := range []Splits{ByClass, AtRandom} {
		e := Confidence{Sets: sets, PerClass: []int{5}, Draws: 2, Seed: 1, Splits: splits}
		rows, err := e.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 1 || rows[0].Draws != 2 || rows[0].Checked != 0 || rows[0].Right < 0.7 || math.Abs(rows[0].Said-rows[0].Right) > 0.15 ||
			math.Abs(rows[0].Flat-rows[0].Right*(1-rows[0].Right)) > 0.02 {
			t.Errorf("splits %v: %+v", splits, rows)
		}
		var table bytes.Buffer
		if err := WriteConfidence(&table, rows); err != nil || strings.Count(table.String(), "\n") != 4 {
			t.Errorf("%v:\n%s", err, table.String())
		}
	}
}
