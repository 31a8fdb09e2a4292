package bench

import (
	"context"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Confidence is an experiment: how well the confidence of a method holds, raw
// and calibrated on left-out seeds, over draws of labelled nodes.
type Confidence struct {
	Sets     []Set
	Method   Method
	PerClass []int // labelled nodes a class
	Draws    int
	Seed     uint64
	Folds    int
}

// ConfidenceRow holds means over the draws. Errors are expected calibration
// errors on the nodes with a true label that were not drawn.
type ConfidenceRow struct {
	Set        string
	PerClass   int
	LeftOut    float64 // left-out seeds
	Calibrated int     // draws that could be calibrated; the rest stays raw and is in no mean
	Raw        float64 // error of the raw confidence
	Constant   float64 // error of the accuracy on left-out seeds, for all nodes alike
	Error      float64 // error after calibration
	Said       float64 // error that the left-out seeds say
	Brier      float64 // mean squared error of the calibrated confidence
	BrierFlat  float64 // of the accuracy on left-out seeds, for all nodes alike
}

// Run does the experiment.
func (e Confidence) Run(ctx context.Context) ([]ConfidenceRow, error) {
	var all []ConfidenceRow
	for _, set := range e.Sets {
		g, err := set.Load(ctx)
		if err != nil {
			return nil, err
		}
		for _, perClass := range e.PerClass {
			row := ConfidenceRow{Set: set.Name, PerClass: perClass}
			for draw := range e.Draws {
				if err := e.draw(ctx, g, &row, uint64(draw)); err != nil {
					return nil, fmt.Errorf("set %s: %w", set.Name, err)
				}
			}
			row.divide(float64(max(row.Calibrated, 1)))
			all = append(all, row)
		}
	}
	return all, nil
}

// draw adds the figures of a draw to the row.
func (e Confidence) draw(ctx context.Context, g *Graph, row *ConfidenceRow, draw uint64) error {
	seeds, err := diffuse.NewSeeds(len(g.Truth), len(g.Classes), Draw(g.Truth, len(g.Classes), row.PerClass, e.Seed, draw))
	if err != nil {
		return err
	}
	r, err := fit.Label(ctx, g.W, seeds, fit.Options{Run: e.Method.Options})
	if err != nil {
		return err
	}
	c, err := adp.Calibrate(ctx, g.W, seeds, e.Method.Options.Chosen(r.Result), e.Folds)
	if err != nil || !c.Calibrated {
		return err
	}
	var right []bool
	var raw, flat, p []float64
	each := func(add func(i int)) {
		for i, y := range g.Truth {
			if y >= 0 && r.Labels[i] >= 0 && r.Status[i] != adp.Seed {
				add(i)
			}
		}
	}
	each(func(i int) {
		right = append(right, r.Labels[i] == g.Truth[i])
		raw = append(raw, float64(r.Confidence[i]))
		flat = append(flat, c.Accuracy)
	})
	c.Apply(r.Result, 0)
	each(func(i int) { p = append(p, float64(r.Confidence[i])) })
	row.Calibrated++
	row.LeftOut += float64(c.LeftOut)
	row.Said += c.ECE
	row.Raw += calibrate.ECE(calibrate.Reliability(raw, right))
	row.Error += calibrate.ECE(calibrate.Reliability(p, right))
	row.Constant += calibrate.ECE(calibrate.Reliability(flat, right))
	row.Brier += brier(p, right)
	row.BrierFlat += brier(flat, right)
	return nil
}

// brier returns the mean of (p − outcome)².
func brier(p []float64, right []bool) float64 {
	sum := 0.0
	for k, v := range p {
		if right[k] {
			v = 1 - v
		}
		sum += v * v
	}
	return sum / float64(max(len(p), 1))
}

func (r *ConfidenceRow) divide(by float64) {
	for _, v := range []*float64{&r.LeftOut, &r.Raw, &r.Constant, &r.Error, &r.Said, &r.Brier, &r.BrierFlat} {
		*v /= by
	}
}

// WriteConfidence writes the rows as a Markdown table.
func WriteConfidence(w io.Writer, rows []ConfidenceRow) error {
	t := NewTable("set", "labels a class", "draws", "left out", "raw", "constant", "calibrated", "said", "Brier constant", "Brier calibrated")
	for _, r := range rows {
		cells := []string{r.Set, fmt.Sprint(r.PerClass), fmt.Sprint(r.Calibrated)}
		if r.Calibrated == 0 {
			cells = append(cells, "–", "–", "–", "–", "–", "–", "–")
		} else {
			cells = append(cells, fmt.Sprintf("%.0f", r.LeftOut))
			for _, v := range []float64{r.Raw, r.Constant, r.Error, r.Said, r.BrierFlat, r.Brier} {
				cells = append(cells, fmt.Sprintf("%.3f", v))
			}
		}
		t.Add(cells...)
	}
	return t.Write(w)
}
