package adp

import (
	"context"
	"errors"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
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
	Lead     float64 `json:"lead"`     // over the first graph, see [Trial]
	Edges    int     `json:"edges"`
	Chosen   bool    `json:"chosen,omitempty"`
}

// graphLead is the lead over the first graph that a rival needs.
const graphLead = 2.5

// ChooseGraph returns the graph on which LGC does best on left-out seeds: the rival with the
// largest lead over the first graph, if that lead is 2.5 or more, else the first. All run on the
// folds of a [Trial]. A lead is at most √m, for the m left-out seeds that a rival alone gets right.
// So no rival is made where one would need more than half of those that the first graph gets wrong,
// nor where no seed can be left out. Of opt
// it reads Alpha, Balance, Prior and the options of the solver.
//
// Cost: four F-steps a graph. Memory: two graphs and the run of LGC.
func ChooseGraph(ctx context.Context, first *csr.Matrix, name string, rivals []Rival, y *diffuse.Seeds, opt Options) (*csr.Matrix, []GraphTrial, error) {
	opt = Options{
		Method: LGC, Alpha: opt.Alpha, Balance: opt.Balance, Prior: opt.Prior, Solver: opt.Solver,
		Tolerance: opt.Tolerance, MaxIterations: opt.MaxIterations, Threads: opt.Threads,
	}
	base, err := leftOutRanks(ctx, first, y, opt, trialFolds)
	if err != nil || len(base) == 0 {
		return first, nil, err
	}
	trials := []GraphTrial{{Graph: name, LeftOut: len(base), Accuracy: base.accuracy(), Edges: first.NNZ() / 2}}
	best, chosen := first, 0
	if float64(base.wrong()) >= 2*graphLead*graphLead {
		for _, rival := range rivals {
			w, err := rival.Make()
			if err != nil {
				return nil, nil, err
			}
			if w == nil {
				continue
			}
			ranks, err := leftOutRanks(ctx, w, y, opt, trialFolds)
			if err != nil {
				return nil, nil, err
			}
			t := GraphTrial{Graph: rival.Name, LeftOut: len(ranks), Accuracy: ranks.accuracy(), Edges: w.NNZ() / 2}
			_, _, t.Lead = ranks.against(base)
			if trials = append(trials, t); t.Lead >= graphLead && t.Lead > trials[chosen].Lead {
				best, chosen = w, len(trials)-1
			}
		}
	}
	trials[chosen].Chosen = true
	return best, trials, nil
}

// leftOutRanks returns the class ranks of the left-out seeds by LGC that does not know them, in the
// order of the trial's folds. It makes at most the given number of folds, solved side by side as
// those of a trial are.
func leftOutRanks(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, opt Options, most int) (ranks ClassRanks, err error) {
	if err := checkGraph(w, y, opt.Threads); err != nil {
		return nil, err
	}
	if opt, err = opt.forSeeds(y); err != nil {
		return nil, err
	}
	var space *csr.Space
	if opt.Scratch != "" {
		space = csr.NewSpace(opt.Scratch)
	}
	err = rows.Catch(func() error { // a disk may fail
		r, err := newRun(nil, space, w, y, opt)
		if err != nil {
			return err
		}
		folds := firstFolds(r.folds(trialFolds), most)
		ranks, err = (&foldStarts{run: r, folds: folds}).ranksBy(ctx, 0, len(folds), opt.Alpha)
		return err
	})
	if failed := space.Close(); err != nil || failed != nil {
		err = errors.Join(err, failed)
		rows.Rethrow(err)
	}
	return ranks, err
}

// wrong returns the number of seeds that did not get their class.
func (a ClassRanks) wrong() (count int) {
	for _, r := range a {
		if r > 1 {
			count++
		}
	}
	return count
}
