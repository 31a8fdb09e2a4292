package choice

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Rival is another graph of the same nodes, made only when it is needed. Make returns nil without
// an error if the graph turns out not to be worth making.
type Rival struct {
	Name string
	Make func() (*csr.Matrix, error)
}

// GraphTrial is the result of a graph on left-out seeds.
type GraphTrial struct {
	Graph    string  `json:"graph"`
	LeftOut  int     `json:"left_out_seeds"`
	Accuracy float64 `json:"accuracy"` // of LGC on them
	Lead     float64 `json:"lead"`     // over the first graph, see [adp.Trial]
	Edges    int     `json:"edges"`
	Chosen   bool    `json:"chosen,omitempty"`
}

// graphLead is the lead over the first graph that a rival needs.
const graphLead = 2.5

// Graph returns the graph on which LGC does best on left-out seeds: the rival with the
// largest lead over the first graph, if that lead is 2.5 or more, else the first. All run on the
// folds of an [adp.Trial]. A lead is at most √m, for the m left-out seeds that the first graph gets
// wrong. So no rival is made where none could reach 2.5, where no seed can be left out, or where m is at most the share doubt
// of the left-out seeds. Of opt it reads Alpha, Balance, Prior and the options of the solver.
//
// Cost: four F-steps a graph. Memory: two graphs and the run of LGC.
func Graph(ctx context.Context, first *csr.Matrix, name string, rivals []Rival, doubt float64, y *diffuse.Seeds, opt adp.Options) (*csr.Matrix, []GraphTrial, error) {
	opt = adp.Options{
		Method: adp.LGC, Alpha: opt.Alpha, Balance: opt.Balance, Prior: opt.Prior, Solver: opt.Solver,
		Tolerance: opt.Tolerance, MaxIterations: opt.MaxIterations, Threads: opt.Threads,
	}
	base, err := adp.LeftOutRanks(ctx, first, y, opt, crossval.ChoiceFolds)
	if err != nil || len(base) == 0 {
		return first, nil, err
	}
	trials := []GraphTrial{{Graph: name, LeftOut: len(base), Accuracy: base.Accuracy(), Edges: first.NNZ() / 2}}
	best, chosen := first, 0
	wrong := float64(base.Wrong())
	if wrong >= graphLead*graphLead && wrong > doubt*float64(len(base)) {
		for _, rival := range rivals {
			w, err := rival.Make()
			if err != nil {
				return nil, nil, err
			}
			if w == nil {
				continue
			}
			ranks, err := adp.LeftOutRanks(ctx, w, y, opt, crossval.ChoiceFolds)
			if err != nil {
				return nil, nil, err
			}
			t := GraphTrial{Graph: rival.Name, LeftOut: len(ranks), Accuracy: ranks.Accuracy(), Edges: w.NNZ() / 2}
			_, _, t.Lead = ranks.Against(base)
			if trials = append(trials, t); t.Lead >= graphLead && t.Lead > trials[chosen].Lead {
				best, chosen = w, len(trials)-1
			}
		}
	}
	trials[chosen].Chosen = true
	return best, trials, nil
}
