package bench

import (
	"context"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// RoundRecord is what one round of a run of [Accuracy] found. The labels of
// the round are not kept.
type RoundRecord struct {
	Set, Method    string
	PerClass, Draw int
	adp.Round
	Nodes    int
	Accuracy float64 // as that of the result, see [Cell]
	Chosen   bool    // the result is of this round
	// Literal says that DeltaF is ‖F − F_prev‖ and not divided by ‖F‖: the
	// paper's literal form.
	Literal bool
}

// ChangedShare returns the share of the nodes whose label changed.
func (r RoundRecord) ChangedShare() float64 { return float64(r.Changed) / float64(max(r.Nodes, 1)) }

// run runs a method on a draw, on the graph w. The rounds are passed on at its end, when it
// is known which was chosen.
func (a Accuracy) run(ctx context.Context, w *csr.Matrix, d Drawn, seeds *diffuse.Seeds, m Method) (*fit.Result, error) {
	opt := m.Options
	if a.EachRound == nil {
		return fit.Label(ctx, w, seeds, fit.Options{Run: opt, Calibrate: m.Calibrate})
	}
	var rounds []RoundRecord
	opt.Observer = func(r adp.Round) {
		if m.Options.Observer != nil {
			m.Options.Observer(r)
		}
		share := a.score(r.Labels, d)
		r.Labels = nil
		rounds = append(rounds, RoundRecord{
			Set: d.Set, Method: m.Name, PerClass: d.PerClass, Draw: d.Draw, Round: r,
			Nodes: len(d.Graph.Truth), Accuracy: share, Literal: !opt.Method.Has(adp.KeepsSparse),
		})
	}
	result, err := fit.Label(ctx, w, seeds, fit.Options{Run: opt})
	if err != nil {
		return nil, err
	}
	rounds[result.Chosen].Chosen = true
	for _, r := range rounds {
		a.EachRound(r)
	}
	return result, nil
}

// WriteRounds writes a line for every round of every run: what its A-step was
// made with, the accuracy, ‖F − F_prev‖/‖F‖ (not divided for the literal
// form), the share of changed labels, cut and modularity of the labels on W,
// 1 for the round that the result is of, and the share of the largest class.
func WriteRounds(w io.Writer, rounds []RoundRecord) error {
	if _, err := fmt.Fprintln(w, "set,labels,method,draw,round,topk,anchor,graph_alpha,accuracy,delta_f,changed,cut,modularity,chosen,largest"); err != nil {
		return err
	}
	for _, r := range rounds {
		chosen := 0
		if r.Chosen {
			chosen = 1
		}
		if _, err := fmt.Fprintf(w, "%s,%d,%s,%d,%d,%d,%g,%g,%.6f,%.6g,%.6f,%.6f,%.6f,%d,%.6f\n", r.Set, r.PerClass, r.Method, r.Draw,
			r.Index, r.TopK, r.Anchor, r.GraphAlpha, r.Accuracy, r.DeltaF, r.ChangedShare(), r.Association, r.Modularity, chosen, r.Largest); err != nil {
			return err
		}
	}
	return nil
}
